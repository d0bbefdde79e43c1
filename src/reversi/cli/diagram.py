"""``reversi diagram``: pictures of positions and games."""

from __future__ import annotations

import enum
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from reversi import render
from reversi._core import Position
from reversi._system.limits import usable_cpus
from reversi.arguments import excerpt
from reversi.cli.console import StatusCollector, command, fail, refused
from reversi.cli.engine_options import level_option, level_value
from reversi.cli.inputs import PositionInput, noted, place_of
from reversi.cli.option_groups import Flag, excludes, needs
from reversi.cli.options import option, output_option
from reversi.cli.outputs import ForceOption, Inputs, check_output, write_pieces
from reversi.cli.status import Status
from reversi.color import Color
from reversi.engine.engine import Engine
from reversi.engine.levels import HINT_LEVEL
from reversi.errors import RecordError, ReversiError
from reversi.game import Game
from reversi.inputs import PositionEntry
from reversi.inputs.input import Input
from reversi.records import position_after
from reversi.render import Options, scored_moves
from reversi.rules import Rules
from reversi.solver import solve
from reversi.text.kinds import TextKind, text_kind
from reversi.text.picture.scene import Drawable
from reversi.text.transcripts import read_transcript


class PictureFormat(enum.Enum):
    SVG = "svg"
    PNG = "png"
    GIF = "gif"
    APNG = "apng"
    TXT = "txt"
    TEX = "tex"
    MD = "md"


_TEXTS = (PictureFormat.TXT, PictureFormat.TEX, PictureFormat.MD)
_COMMENT = 200  # characters of a comment that are written under the board
_DELAY_MS = 800
_BINARY = (PictureFormat.PNG, PictureFormat.GIF, PictureFormat.APNG)


@dataclass(frozen=True)
class _Picture:
    """The options of a picture, named as the fields of `render.Options`."""

    theme: Annotated[str, option("NAME", "Use this theme: green, wood, print, dark or high-contrast.")] = "green"
    black: Annotated[
        str, option("COLOR", "Draw Black's discs in this color: #rrggbb or a name.", "--black-color")
    ] = ""
    white: Annotated[
        str, option("COLOR", "Draw White's discs in this color: #rrggbb or a name.", "--white-color")
    ] = ""
    size: Annotated[int, option("PIXELS", "Set the width of the picture.")] = 400
    coordinates: Annotated[bool, typer.Option(help="Draw letters and numbers around the board.")] = True
    last_move: Annotated[bool, typer.Option(help="Mark the last move of a game.")] = True
    flips: Annotated[bool, Flag("Mark the discs that the last move flipped.")] = False
    legal_moves: Annotated[bool, typer.Option("--legal", help="Mark the legal moves.")] = False
    numbers: Annotated[
        bool, Flag("Number the moves of a game on the squares, as in books; passes get no number.")
    ] = False
    numbers_from: Annotated[int, option("PLY", "Number the moves from this ply on.", min=1)] = 1
    values: Annotated[
        list[str] | None, option("SQUARE=TEXT", "Write TEXT on a square; repeatable.", "--value")
    ] = None
    losses: Annotated[
        list[str] | None,
        option(
            "SQUARE=DISCS", "Color a square by the number of discs that a move there loses; repeatable.", "--loss"
        ),
    ] = None
    arrows: Annotated[
        list[str] | None, option("FROM-TO", "Draw an arrow, for example d3-f5; repeatable.", "--arrow")
    ] = None
    highlights: Annotated[list[str] | None, option("SQUARE", "Frame a square; repeatable.", "--highlight")] = None
    title: Annotated[
        str,
        option("TEXT", "Describe the picture for screen readers.", show_default="a description of the position"),
    ] = ""
    caption: Annotated[str, option("TEXT", "Write a line of text under the board.")] = ""

    def options(self) -> Options:
        """Return the options as the library takes them; end the command for a wrong one."""
        lost = [(square, _discs(loss)) for square, loss in self._pairs("--loss", self.losses)]
        given = {
            "numbers": self.numbers or self.numbers_from > 1,
            "values": dict(self._pairs("--value", self.values)),
            "losses": dict(lost),
            "arrows": self.arrows or (),
            "highlights": self.highlights or (),
        }
        with refused():
            return Options(**vars(self) | given)

    @staticmethod
    def _pairs(option: str, texts: list[str] | None) -> Iterator[tuple[str, str]]:
        for text in texts or ():
            square, equals, value = text.partition("=")
            if not equals:
                fail(Status.USAGE, f"{option} {excerpt(text)}: give a square and what it shows, as d3=4")
            yield square, value


@command(
    *excludes("--hint", "--solve", why="they are different questions"),
    *needs("--level", "--hint"),
    *needs("--force", "--output FILE"),
)
def diagram(
    positions: PositionInput,
    output: Annotated[
        str, output_option("Write the picture to FILE; - is standard output.", show_default="standard output")
    ] = "-",
    format_: Annotated[
        PictureFormat | None,
        typer.Option(
            "--to", "--format", show_default="from the name of the file, else svg", help="Write this format."
        ),
    ] = None,
    force: ForceOption = False,
    *,
    picture: _Picture,
    hint: Annotated[bool, Flag("Write the engine's score of each move on its square.")] = False,
    level: Annotated[str | None, level_option("Set the level of --hint.", show_default=str(HINT_LEVEL))] = None,
    solve: Annotated[bool, Flag("Write the exact score of each move on its square.")] = False,
    delay: Annotated[
        int | None,
        option(
            "MS",
            "Show each position of an animation for MS milliseconds.",
            min=20,
            max=60_000,
            show_default=str(_DELAY_MS),
        ),
    ] = None,
) -> None:
    """Draw a position or a game.

    The suffix of FILE decides the format: .svg and .png are pictures, .gif and .apng animate a game, .txt, .md and
    .tex (TikZ) are text.

    Example: reversi diagram f5d6c3 -o position.svg

    Example: reversi diagram games.pgn#3 --numbers --theme print -o game.png

    Example: reversi diagram games.pgn#3@40 --solve -o mistakes.svg

    Example: reversi diagram games.pgn -o game.gif
    """
    chosen = _format(output, format_)
    if delay is not None and chosen not in (PictureFormat.GIF, PictureFormat.APNG):
        fail(Status.USAGE, "--delay is for animations; write to a .gif or .apng file")
    if chosen in _BINARY and output == "-" and sys.stdout.isatty():
        fail(Status.USAGE, f"{chosen.value} is not text for a terminal; give -o FILE.{chosen.value}")
    options = picture.options()
    given = positions.given
    target = check_output(output, Inputs(given.path), force=force)
    outcome = StatusCollector()
    things = _things(positions, outcome)
    scored = level_value(level, HINT_LEVEL) if hint else 0
    drawer = _Drawer(chosen, options, _DELAY_MS if delay is None else delay, scored, exact=solve)
    write_pieces(target, _drawn(things, drawer, given, outcome))
    outcome.finish()


def _format(output: str, format_: PictureFormat | None) -> PictureFormat:
    if format_ is not None:
        return format_
    if output == "-":
        return PictureFormat.SVG
    formats = {f".{it.value}": it for it in PictureFormat}
    named = formats.get(Path(output).suffix.lower())
    if named is None:
        fail(Status.USAGE, f"{output}: give --to, or a name that ends in {', '.join(formats)}")
    return named


def _discs(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        fail(Status.USAGE, f"--loss: {excerpt(text)} is not a number of discs")


# --- what to draw


@dataclass(frozen=True, slots=True)
class _Thing:
    """A position or a game of the input, the line where it begins, and the ply after which it is drawn."""

    line: int
    what: Drawable
    position: Position
    ply: int | None = None
    comment: str = ""


def _things(given: PositionInput, outcome: StatusCollector) -> Iterator[_Thing]:
    """Yield the positions and games of an input; report bad ones with their places on standard error."""
    if given.given.means_games:
        yield from _recorded(given.given, given.rule_set, outcome)
        return
    for entry, position in given.positions(outcome):
        game = _game(entry, given.rule_set, given.side)
        yield _Thing(entry.line, game or position, position, None, entry.comment)


def _recorded(given: Input, rules: Rules, outcome: StatusCollector) -> Iterator[_Thing]:
    for entry in noted(given, given.entries(rules)):
        try:
            if entry.findings:
                raise RecordError(entry.findings[0].message, entry.findings[0].line or 0)
            yield _Thing(entry.line, entry.record, position_after(entry.record, given.place.ply), given.place.ply)
        except ReversiError as error:
            outcome.add(Status.BAD_DATA, f"{place_of(given, entry.line)}: {error}")


def _game(entry: PositionEntry, rules: Rules, side: Color | None) -> Game | None:
    """Return the game whose moves an entry gives, ``None`` when it is a position alone."""
    if text_kind(entry.text) is not TextKind.TRANSCRIPT:
        return None
    text = entry.text if "\n" in entry.text else entry.text.partition("%")[0]
    try:
        transcript = read_transcript(text, rules, side)
        game = Game(transcript.start)
        game.play_all(transcript.moves)
    except ReversiError:  # a side that a person had to be asked for: the position is known, the way there is not
        return None
    return game if game.position == entry.position else None


# --- drawing it


@dataclass(frozen=True, slots=True)
class _Drawer:
    """Draws in one form.

    Attributes:
        format: the form.
        options: the options of the picture.
        delay: milliseconds for each position of an animation.
        level: the level of the engine's scores on the squares, 0 for none.
        exact: whether the squares get exact scores.
    """

    format: PictureFormat
    options: Options
    delay: int
    level: int | str
    exact: bool

    def _scores(self, position: Position) -> dict[str, Any]:
        if position.is_over or not (self.level or self.exact):
            return {}
        if self.exact:
            return {**scored_moves(solve(position, all_moves=True, threads=usable_cpus()).moves)}
        return {**scored_moves(Engine(self.level).hint(position, 64))}

    def draw(self, thing: _Thing) -> bytes:
        changes = {"ply": thing.ply, **self._scores(thing.position)}
        for name in ("values", "losses"):  # those that are given come first
            changes[name] = changes.get(name, {}) | getattr(self.options, name)
        if thing.comment and not self.options.caption:
            changes["caption"] = thing.comment[:_COMMENT]
        with refused():
            match self.format:
                case PictureFormat.PNG:
                    return render.png(thing.what, self.options, **changes)
                case PictureFormat.GIF | PictureFormat.APNG:
                    changes |= {"delay_ms": self.delay, "last_ms": max(self.delay, 3000)}
                    form: Literal["gif", "apng"] = "gif" if self.format is PictureFormat.GIF else "apng"
                    return render.animation(thing.what, self.options, format_=form, **changes)
                case PictureFormat.SVG:
                    text = render.svg
                case PictureFormat.TXT:
                    text = render.plain_text
                case PictureFormat.TEX:
                    text = render.latex
                case PictureFormat.MD:
                    text = render.markdown
            return text(thing.what, self.options, **changes).encode("utf-8", "replace")


def _drawn(things: Iterator[_Thing], drawer: _Drawer, given: Input, outcome: StatusCollector) -> Iterator[bytes]:
    """Yield the pictures; one alone, except of forms that are text."""
    first = next(things, None)
    if first is None:
        if outcome.status is Status.DONE:
            fail(Status.BAD_DATA, f"{given.name or 'the text'} contains no positions")
        return
    if drawer.format not in _TEXTS and given.place.game is None and (second := next(things, None)) is not None:
        name = given.name or "the text"
        which = f"{given.name}#2, say" if given.name not in ("", "standard input") else "one of them"
        fail(
            Status.USAGE,
            f"{name} has more than one position or game (line {second.line}); a picture shows one: give {which}",
        )
    yield drawer.draw(first)
    for thing in things:
        yield b"\n" + drawer.draw(thing)
