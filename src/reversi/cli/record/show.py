"""``reversi record show``: a game as it was, position by position."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

import reversi._regex as re
from reversi._system.files import Target
from reversi._system.paths import STANDARD_INPUT, source_name
from reversi.arguments import excerpt
from reversi.cli.console import (
    Exit,
    StatusCollector,
    command,
    err,
    fail,
    is_terminal_in,
    out,
    out_json,
    reading,
)
from reversi.cli.inputs import resolved
from reversi.cli.option_groups import Flag, excludes, needs, one_of
from reversi.cli.options import argument, option
from reversi.cli.outputs import ForceOption, Inputs, check_output
from reversi.cli.record.streams import ReadingOptions
from reversi.cli.reports import HtmlOption, source_label, write_report
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.inputs.input import Input
from reversi.inputs.place import Place
from reversi.records.entry import Entry, finding_line
from reversi.records.formats.format import TextFormat
from reversi.records.formats.pgn.syntax import SIGNS
from reversi.records.notes import written_notes
from reversi.records.validation.replayed import ReplayedGame
from reversi.rules import OTHELLO, Rules
from reversi.text.board_drawing import format_diagram
from reversi.text.boards import pass_words
from reversi.text.counting import counted

if TYPE_CHECKING:
    from reversi.render import ReportGame

_RANGE = re.compile(r"([0-9]{1,4})-([0-9]{1,4})?")
_NOTES = {"clk": "clock", "emt": "took", "eval": "value", "flips": "flipped by hand:"}


@command(
    *excludes("--html", "--step", "--range", "--json", why="the page shows every ply"),
    *excludes("--step", "--json", why="--range 0- writes every ply"),
    *one_of("--ply", "--range", "--step"),
    *needs("--force", "--html FILE"),
)
def show(
    source: Annotated[
        str, argument("INPUT", "A file of games, FILE#3@20 (see 'reversi --help'), or moves; - is standard input.")
    ],
    reading: ReadingOptions,
    ply: Annotated[
        int | None, typer.Option(min=0, help="Show the position after this ply; 0 is the start.")
    ] = None,
    between: Annotated[
        str, option("A-B", "Show the positions after plies A to B; A- goes to the end.", "--range")
    ] = "",
    step: Annotated[bool, Flag("Step through the game; Enter shows the next ply.")] = False,
    json: Annotated[bool, Flag("Write one JSON object per position.")] = False,
    html: HtmlOption = "",
    force: ForceOption = False,
) -> None:
    """Show a game: the players, and the board at the end, after a ply, or after each ply.

    With --html, write a page to step through all games of INPUT, or the one that FILE#3 names.

    Example: reversi record show game.pgn

    Example: reversi record show games.pgn#3@20

    Example: reversi record show games.pgn#3 --step

    Example: reversi record show games.pgn --html games.html
    """
    rule_set = reading.rule_set
    given = resolved(source)
    given.tables = reading.tables()
    first, last = _wanted(given.place, ply, between, step)
    if html:
        target = check_output(html, Inputs(given.path), force=force)
        _report(given, rule_set, reading.format, target, first or 0)
        return
    game = _game(given, rule_set, reading.format)
    first, last = game.within(first, last)
    if game.trouble:
        err(game.trouble)
    if json:
        for number in range(first, last + 1):
            out_json(game.fields(number))
    elif step and is_terminal_in():
        game.heading()
        _step(game, last)
    else:
        game.heading()
        for number in range(first, last + 1):
            game.picture(number)
    if game.trouble:
        raise Exit(Status.FINDING)


def _wanted(place: Place, ply: int | None, between: str, step: bool) -> tuple[int | None, int | None]:
    """Return the first and the last ply to show; ``None`` is the end of the game."""
    if place.ply is not None and (ply is not None or between or step):
        fail(Status.USAGE, "give only one of FILE@PLY, --ply, --range and --step")
    if step:
        return 0, None
    if between:
        match = _RANGE.fullmatch(between)
        if match is None or (match[2] and int(match[2]) < int(match[1])):
            fail(Status.USAGE, f"--range {excerpt(between)}: give two plies as in 10-20, or 10- up to the end")
        return int(match[1]), int(match[2]) if match[2] else None
    wanted = place.ply if ply is None else ply
    return wanted, wanted


def _game(given: Input, rules: Rules, format_: TextFormat | None) -> _Shown:
    """Return the game that is meant; the first of several when none is named."""
    name = given.name or "the argument"
    try:
        with reading(name):
            entries = given.entries(rules, format_=format_)
            entry = next(entries, None)
            several = given.place.game is None and next(entries, None) is not None
    except InputError as error:
        fail(Status.BAD_DATA, error.naming(name))
    if entry is None:
        fail(Status.BAD_DATA, f"{name} contains no games")
    if several:
        err(f"reversi: {name} has several games; this is the first, the next is {given.place.path}#2")
    for problem in (*given.notes, *given.problems):
        err(f"reversi: {problem}")
    return _Shown(name, entry)


def _report(given: Input, rules: Rules, format_: TextFormat | None, output: Target | None, ply: int) -> None:
    """Write a page with all games that are meant; the first one begins at a ply."""
    from reversi.render.report.data import MAX_GAMES

    outcome = StatusCollector()
    try:
        with reading(given.name):
            games = [*islice(_report_games(given, rules, format_, ply, outcome), MAX_GAMES + 1)]
    except InputError as error:
        fail(Status.BAD_DATA, error.naming(given.name or "the argument"))
    if not games:
        fail(Status.BAD_DATA, f"{given.name or 'the argument'} contains no games")
    write_report(output, games)
    for problem in (*given.notes, *given.problems):
        err(f"reversi: {problem}")
    outcome.finish()


def _report_games(
    given: Input, rules: Rules, format_: TextFormat | None, ply: int, outcome: StatusCollector
) -> Iterator[ReportGame]:
    from reversi.render import ReportGame

    for number, entry in enumerate(given.entries(rules, format_=format_)):
        shown = _Shown(given.name or "the argument", entry)
        if number == 0:
            shown.within(ply, ply)
        if shown.trouble:
            outcome.add(Status.FINDING, shown.trouble)
        source = source_label(given.name, entry.number)
        yield ReportGame(
            record=entry.record, source=source, trouble=shown.page_trouble, ply=ply if number == 0 else 0
        )


class _Shown:
    def __init__(self, name: str, entry: Entry) -> None:
        self._name = name
        self._game = ReplayedGame(entry)
        finding = self._game.finding
        self.trouble = "" if finding is None else finding_line(name, entry, finding)
        # as a page has it, which is made to be given away: without the folder
        self.page_trouble = "" if finding is None else finding_line(Path(name).name, entry, finding)

    def within(self, first: int | None, last: int | None) -> tuple[int, int]:
        """Return the plies to show, ``None`` as the end of the game. Ends the command where they do not exist."""
        first = self._game.replayed if first is None else first
        last = self._game.replayed if last is None else last
        if max(first, last) > self._game.replayed:
            self._refuse(max(first, last))
        return first, last

    def _refuse(self, ply: int) -> NoReturn:
        plies = self._game.plies
        there = f"it can be replayed up to ply {self._game.replayed}"
        if ply > plies:
            there = f"the game has {counted(plies, 'ply')}"
        place = f"{self._name}:game {self._game.entry.number}"
        fail(Status.BAD_DATA, self.trouble or f"{place}: ply {ply} does not exist: {there}")

    def fields(self, ply: int) -> dict[str, object]:
        """Return the position after a ply as JSON values."""
        is_stdin = self._name == source_name(STANDARD_INPUT)
        return self._game.as_json(ply, STANDARD_INPUT if is_stdin else self._name)

    def heading(self) -> None:
        record = self._game.entry.record
        out(f"Game {self._game.entry.number}: {record.black} (Black) – {record.white} (White)")
        for name, value in record.tags.pairs:
            if name not in ("Black", "White") and value not in ("?", "????.??.??"):
                out(f"{name}: {value}")
        out(f"Result: {record.result}")
        if record.rules != OTHELLO:
            out(f"Rules: {record.rules}")
        for comment in record.line.comments:
            out(comment)

    def picture(self, ply: int) -> None:
        """Write the position after a ply, with the move that led to it and what was noted about it."""
        position, node = self._game.positions[ply], self._game.node(ply)
        out()
        out(f"Ply {ply} of {self._game.plies}: {self._move(ply)}")
        if node is not None:
            for comment in node.comments:
                out(comment)
        out(format_diagram(position, position.legal_moves))
        if position.is_over:
            out(f"Game over{pass_words(position)}: {position.count}")
            return
        legal = " ".join(map(str, position.legal_moves))
        turn = f"{position.to_move} to move{pass_words(position)}"
        out(f"Discs {position.count.discs} (Black-White), {turn}: {legal}")

    def _move(self, ply: int) -> str:
        node = self._game.node(ply)
        if node is None:
            return "the start"
        move = "passes" if node.move.is_pass else str(node.move)
        glyphs = (SIGNS.get(nag, f"${nag}") for nag in node.nags)
        words = [" ".join([str(self._game.positions[ply - 1].to_move), move, *glyphs])]
        words += [f"{_NOTES[name]} {text or 'none'}" for name, text in written_notes(node)]
        if node.variations:
            words.append(counted(len(node.variations), "variation"))
        return ", ".join(words)


def _step(game: _Shown, last: int) -> None:
    """Show one position after the other as a person at the terminal asks for them."""
    ply = 0
    while True:
        game.picture(ply)
        sys.stdout.flush()
        while True:
            sys.stderr.write("Enter next, b back, a ply number, q quit: ")
            sys.stderr.flush()
            line = sys.stdin.readline()
            answer = line.strip().lower()
            if not line or answer in ("q", "quit") or (not answer and ply == last):
                return
            wanted = {"": ply + 1, "n": ply + 1, "b": ply - 1}.get(
                answer, int(answer) if answer.isdecimal() else -1
            )
            if 0 <= wanted <= last:
                ply = wanted
                break
            err(f"give a ply from 0 to {last}")
