"""``reversi explore``: the engine, the opening book and many games on every move of a position, in one table."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated, Final

import typer

from reversi.cli.console import StatusCollector, command, err, fail, out, out_json, rules_option
from reversi.cli.database import MemoryOption
from reversi.cli.engine_options import BookOptions, level_option, level_value
from reversi.cli.inputs import entries, opening_moves, place_of, read_input, read_repertoire, to_move_option
from reversi.cli.option_groups import Flag, excludes
from reversi.cli.options import (
    EncodingOption,
    OpeningInputArgument,
    RepertoireOption,
    RulesOption,
    ToMoveOption,
    option,
)
from reversi.cli.record.streams import ArchiveArgument, archive_games
from reversi.cli.selection import GameOptions
from reversi.cli.status import Status
from reversi.engine.hints import score_fields
from reversi.engine.levels import HINT_LEVEL, MAX_LEVEL
from reversi.engine.people import RATINGS, check_standard
from reversi.errors import InputError
from reversi.explorer.explorer import Explorer
from reversi.explorer.table import MARK, Column, ExplorerRow, ExplorerTable
from reversi.games import Exploration, MoveTally
from reversi.openings.book import BookError
from reversi.score import Kind, kind_text, short_score
from reversi.text.boards import pass_words
from reversi.text.counting import counted, years_between
from reversi.text.position_json import position_fields

_LINE: Final = 6
"""Moves of an engine's line in the table."""


@command(*excludes("--no-values", "--level"))
def explore(
    position: OpeningInputArgument,
    paths: ArchiveArgument = None,
    memory: MemoryOption = None,
    *,
    conditions: GameOptions,
    level: Annotated[
        str | None, level_option("Search the values at this level, 1 to 60.", show_default=str(HINT_LEVEL))
    ] = None,
    books: BookOptions,
    no_values: Annotated[bool, Flag("Leave out the engine's values: the book and the games are quick.")] = False,
    minimum: Annotated[int, option("N", "Leave out moves that fewer games play.", "--min-games", min=0)] = 0,
    people: Annotated[
        int | None,
        option("RATING", "Show how often people of this rating play each move.", min=RATINGS[0], max=RATINGS[1]),
    ] = None,
    percent: Annotated[bool, Flag("Show the results in percent of the games with a winner or a draw.")] = False,
    repertoire: RepertoireOption = "",
    sort: Annotated[
        Column | None,
        typer.Option(show_default="value; games with --no-values", help="Sort the moves by this column."),
    ] = None,
    json: Annotated[bool, Flag("Write one JSON object per position.")] = False,
    to_move: ToMoveOption = "",
    encoding: EncodingOption = "",
    rules: RulesOption = "othello",
) -> None:
    """Show every move of a position with the engine's value, the book's, and the games that play it.

    Values, points and scores are for the player to move; Black, draws and White count results. Games that reach
    the position in another order of moves, mirrored or rotated count, too. Conditions select the games that
    count, as in 'reversi record filter'. Without games the other columns remain.

    Example: reversi explore f5d6c3

    Example: reversi explore Tiger archive/ --no-values

    Example: reversi explore f5d6c3d3c4 games.duckdb --player "tastet" --year 1990-1999 --sort games

    Example: reversi explore f5d6c3d3c4 --people 1400 --sort people

    Example: reversi explore "game.pgn@12" games.duckdb --min-games 10 --percent --json
    """
    rule_set, side = rules_option(rules), to_move_option(to_move)
    selection = conditions.read(rule_set, encoding)
    strength = level_value(level, HINT_LEVEL)
    if isinstance(strength, str):
        fail(
            Status.USAGE,
            f"--level {strength}: a level with a name has no values to show; give one from 1 to {MAX_LEVEL}",
        )
    if sort is Column.PEOPLE and people is None:
        fail(Status.USAGE, "--sort people: needs --people RATING")
    outcome = StatusCollector(complete=json)
    games = archive_games(paths, rule_set, encoding, memory, outcome)
    given = read_input(opening_moves(position), encoding)
    shown = _Shown(
        () if games is None else games.paths,
        sort or (Column.GAMES if no_values else Column.VALUE),
        minimum,
        percent,
        repertoire,
        people,
    )
    said = False
    book = books.open()
    with Explorer(
        games,
        level=0 if no_values else strength,
        selection=selection,
        book=book,
        repertoire=read_repertoire(repertoire, rule_set, encoding) if repertoire else None,
        people=people,
    ) as explorer:
        for number, entry in enumerate(entries(given, rule_set, side)):
            if entry.position is None:
                outcome.add(Status.BAD_DATA, f"{place_of(given, entry.line)}: {entry.error}")
                continue
            try:
                books.check(book, entry.position.rules)
                if people is not None:
                    check_standard(entry.position.rules)
            except (BookError, InputError) as error:
                outcome.add(Status.BAD_DATA, f"{place_of(given, entry.line)}: {error}")
                continue
            began = time.perf_counter()
            table = explorer.explore(entry.position)
            if table.error is not None:
                if paths:
                    raise table.error
                if not said:
                    err(f"reversi: {table.error}")
                said = True
            if json:
                seconds = round(time.perf_counter() - began, 4)
                out_json({"index": entry.index, "line": entry.line, **shown.fields(table), "time_s": seconds})
                continue
            if number:
                out()
            shown.write(table)
    outcome.finish()


@dataclass(frozen=True)
class _Shown:
    """How tables are shown.

    Attributes:
        paths: where the games come from.
        sort: the column by which the moves are sorted.
        minimum: moves that fewer games play are left out.
        percent: whether results are in percent.
        repertoire: the repertoire whose moves are marked, empty for none.
        people: the rating of the people whose moves are foreseen, ``None`` for none.
    """

    paths: tuple[str, ...]
    sort: Column
    minimum: int
    percent: bool
    repertoire: str
    people: int | None

    def _rows(self, table: ExplorerTable) -> list[ExplorerRow]:
        return [row for row in table.sorted_by(self.sort) if row.games >= self.minimum]

    # --- JSON

    def fields(self, table: ExplorerTable) -> dict[str, object]:
        """Return a table as JSON values."""
        found, rows = table.exploration, self._rows(table)
        stopped = None if found is None or found.stopped is None else found.stopped
        return {
            **position_fields(table.position),
            "opening": table.opening.name if table.opening else None,
            "archive": None if found is None else list(self.paths),
            "games": None if found is None else found.games,
            "stopped": None if found is None or stopped is None else self._tally(stopped, found),
            **({"rare": len(table.rows) - len(rows)} if self.minimum else {}),
            "moves": [self._row(row, found) for row in rows],
        }

    def _row(self, row: ExplorerRow, found: Exploration | None) -> dict[str, object]:
        archive = None
        if found is not None:
            tally = row.tally or MoveTally(row.move, (), 0, 0, 0, 0, None, None, None)
            same = () if tally.move is None else (tally.move, *tally.also)
            archive = {
                **self._tally(tally, found),
                "points": None if row.points is None else round(row.points, 2),
                "also": [str(move) for move in same if move != row.move],
            }
        return {
            "move": str(row.move),
            "opening": row.opening.name if row.opening else None,
            "engine": None
            if row.value is None
            else {**score_fields(row.value.score), "pv": [str(move) for move in row.value.pv]},
            "book": None if row.book is None else {**score_fields(row.book.score), "games": row.book.games},
            "archive": archive,
            **({} if row.people is None else {"people": round(row.people, 4)}),
            **({"repertoire": row.repertoire is not None} if self.repertoire else {}),
        }

    def _tally(self, tally: MoveTally, found: Exploration) -> dict[str, object]:
        fields: dict[str, object] = {
            "games": tally.games,
            "black": tally.black,
            "draws": tally.draws,
            "white": tally.white,
            "score": None if tally.score is None else round(tally.score, 2),
            "first": tally.first,
            "last": tally.last,
        }
        if self.percent:
            results = zip(("black", "draws", "white"), _percentages(tally), strict=True)
            fields["percent"] = {"games": _percent(tally.games, found.games), **dict(results)}
        return fields

    # --- the table

    def write(self, table: ExplorerTable) -> None:
        """Write a table for people."""
        position, found, rows = table.position, table.exploration, self._rows(table)
        value_width, people_width = 0 if table.basis is None else 7, 0 if self.people is None else 8
        out(self._heading(table))
        if not position.is_over:
            value = "value" if value_width else ""
            people = f"{'people':>{people_width}}" if people_width else ""
            games = "" if found is None else self._columns()
            out(f"{'move':4}{value:>{value_width}}{'book':>6}{people}{games}  line")
        for row in rows:
            value = "" if row.value is None else short_score(row.value.score)
            book = "" if row.book is None else short_score(row.book.score)
            line = "" if row.value is None else " ".join(map(str, row.value.pv[1 : 1 + _LINE]))
            then = f"{line}  ({row.opening})" if row.opening else line
            games = "" if found is None else self._results(row.tally, row.points, found)
            people = "" if row.people is None else f"{100 * row.people:6.0f} %"
            move = f"{row.move}{MARK if row.repertoire else ''}"
            out(f"{move:4}{value:>{value_width}}{book:>6}{people}{games}  {then}".rstrip())
        if found is not None and found.stopped is not None:
            where = "the end" if position.is_over else "stopped here"
            left = 4 + value_width + 6 + people_width
            out(f"{'':{left}}{self._results(found.stopped, None, found)}  {where}")
        if len(rows) < len(table.rows):
            left_out = counted(len(table.rows) - len(rows), "move")
            err(f"reversi: {left_out} in fewer games left out (--min-games)")

    def _heading(self, table: ExplorerTable) -> str:
        position, found = table.position, table.exploration
        name = f"{table.opening}: " if table.opening else ""
        if position.is_over:
            return f"{name}game over{pass_words(position)}: {position.count}"
        parts = [f"{name}{position.to_move} to move{pass_words(position)}"]
        if (score := table.basis) is not None:
            parts.append(
                f"values {kind_text(score)}" + ("" if score.kind is Kind.EXACT else f", depth {score.depth}")
            )
        if found is not None:
            more = f" and {len(self.paths) - 1} more" if len(self.paths) > 1 else ""
            parts.append(f"{counted(found.games, 'game')} in {self.paths[0]}{more}")
        if any(row.repertoire for row in table.rows):
            parts.append(f"{MARK} in {self.repertoire}")
        if self.people is not None:
            parts.append(f"people of rating {self.people}")
        return "; ".join(parts)

    def _columns(self) -> str:
        percent = f"{'':8}" if self.percent else ""
        return f"{'games':>8}{percent}{'Black':>8}{'draws':>8}{'White':>8}{'points':>9}{'score':>7}  {'years':9}"

    def _results(self, tally: MoveTally | None, points: float | None, found: Exploration) -> str:
        if tally is None:
            return f"{0:8}{'':{59 if self.percent else 51}}"
        if self.percent:
            shares = (_percent(tally.games, found.games), *_percentages(tally))
            results = "".join(f"{'–':>8}" if share is None else f"{share:6.1f} %" for share in shares)
        else:
            results = f"{tally.black:8}{tally.draws:8}{tally.white:8}"
        points_text = "–" if points is None else f"{points:.1f} %"
        score = "" if tally.score is None else f"{tally.score:+.1f}"
        years = years_between(tally.first, tally.last)
        return f"{tally.games:8}{results}{points_text:>9}{score:>7}  {years:9}"


def _percentages(tally: MoveTally) -> list[float | None]:
    """Return how many of the decided games Black won, are draws, and White won, in percent."""
    counts = (tally.black, tally.draws, tally.white)
    return [_percent(count, sum(counts)) for count in counts]


def _percent(part: int, of: int) -> float | None:
    return round(100 * part / of, 2) if of else None
