"""``reversi explore``: the engine, the opening book and a database on every move of a position, in one table."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from reversi._system.paths import may_exist
from reversi.cli.console import StatusCollector, command, err, fail, out, out_json, rules_option
from reversi.cli.db.file import FileOption
from reversi.cli.engine_options import level_option, level_value
from reversi.cli.inputs import entries, opening_moves, place_of, read_input, to_move_option
from reversi.cli.options import OpeningInputArgument, RulesOption, ToMoveOption
from reversi.cli.selection import (
    AliasesOption,
    BlackOption,
    EventOption,
    PlayerOption,
    ResultOption,
    TagOption,
    WhiteOption,
    YearOption,
    aliases_of,
    select,
)
from reversi.cli.state import database_path
from reversi.cli.status import Status
from reversi.cli.tree import Commands
from reversi.engine.levels import HINT_LEVEL, MAX_LEVEL
from reversi.errors import ResourceError
from reversi.explorer.explorer import Explorer
from reversi.explorer.table import Column, ExplorerRow, ExplorerTable
from reversi.score import Kind, MoveValue, kind_text, short_score
from reversi.text.boards import pass_words
from reversi.text.counting import counted, years_between
from reversi.text.position_json import position_fields

_LINE = 6
"""Moves of an engine's line in the table."""


def register(app: Commands) -> None:
    """Add the command to ``app``."""
    app.command("explore")(_explore)


@command
def _explore(
    position: OpeningInputArgument,
    db: FileOption = "",
    player: PlayerOption = None,
    black: BlackOption = None,
    white: WhiteOption = None,
    event: EventOption = None,
    tag: TagOption = None,
    year: YearOption = None,
    result: ResultOption = None,
    aliases: AliasesOption = "",
    level: Annotated[
        str | None, level_option("Search the values at this level, 1 to 60.", show_default=str(HINT_LEVEL))
    ] = None,
    sort: Annotated[Column, typer.Option(help="Sort the moves by this column.")] = Column.VALUE,
    json: Annotated[bool, typer.Option("--json", help="Write one JSON object per position.")] = False,
    to_move: ToMoveOption = "",
    rules: RulesOption = "othello",
) -> None:
    """Show every move of a position with the engine's value, the book's, and the games of a database.

    Values, points and scores are for the player to move; Black, draws and White count results. Games that reach
    the position in another order of moves, mirrored or rotated count, too. Conditions select the games that
    count, as in 'reversi db games'. Without a database the other columns remain.

    Example: reversi explore f5d6c3

    Example: reversi explore Tiger

    Example: reversi explore f5d6c3d3c4 --player "tastet" --year 1990-1999 --sort games

    Example: reversi explore "game.pgn@12" --json
    """
    rule_set, side = rules_option(rules), to_move_option(to_move)
    chosen = select(
        rule_set,
        tag=tag,
        player=player,
        black=black,
        white=white,
        event=event,
        year=year,
        result=result,
        aliases=aliases_of(aliases),
    )
    strength = level_value(level, HINT_LEVEL)
    if isinstance(strength, str):
        fail(
            Status.USAGE,
            f"--level {strength}: a beginner has no values to show; give a level from 1 to {MAX_LEVEL}",
        )
    path = database_path(db)
    if db and not may_exist(path):
        fail(Status.NO_INPUT, f"{path}: does not exist; 'reversi db import PATH... --db FILE' creates it")
    given = read_input(opening_moves(position))
    outcome = StatusCollector(complete=json)
    problem = ""
    shown = 0
    with Explorer(path, level=strength, selection=chosen) as explorer:
        for entry in entries(given, rule_set, side):
            if entry.position is None:
                outcome.add(Status.BAD_DATA, f"{place_of(given, entry.line)}: {entry.error}")
                continue
            began = time.perf_counter()
            try:
                table = explorer.explore(entry.position)
            except ResourceError as error:
                fail(Status.USAGE, str(error))
            if table.problem and not problem:
                problem = table.problem
                if db:
                    outcome.add(Status.USAGE, table.problem)
                else:
                    err(f"reversi: {table.problem}")
            if json:
                seconds = round(time.perf_counter() - began, 4)
                where = None if table.exploration is None else str(path)
                out_json(
                    {"index": entry.index, "line": entry.line, **_fields(table, sort, where), "time_s": seconds}
                )
                continue
            if shown:
                out()
            _show(table, sort, path)
            shown += 1
    outcome.finish()


# --- JSON


def _fields(table: ExplorerTable, sort: Column, database: str | None) -> dict[str, object]:
    found = table.exploration
    return {
        **position_fields(table.position),
        "opening": table.opening.name if table.opening else None,
        "database": database,
        "games": None if found is None else found.games,
        "stopped": None if found is None else 0 if found.stopped is None else found.stopped.games,
        "moves": [_row(row, database=found is not None) for row in table.sorted_by(sort)],
    }


def _row(row: ExplorerRow, *, database: bool) -> dict[str, object]:
    return {
        "move": str(row.move),
        "opening": row.opening.name if row.opening else None,
        "engine": None
        if row.value is None
        else {**_score(row.value.score), "pv": [str(move) for move in row.value.pv]},
        "book": None if row.book is None else {**_score(row.book.score), "games": row.book.games},
        "database": _tally(row) if database else None,
    }


def _score(score: MoveValue) -> dict[str, object]:
    return {
        "score": score.value,
        "kind": str(score.kind),
        "depth": score.depth,
        "confidence": score.confidence,
    }


def _tally(row: ExplorerRow) -> dict[str, object]:
    tally = row.tally
    if tally is None:
        return {"games": 0, "black": 0, "draws": 0, "white": 0, "points": None, "score": None, "also": []} | {
            "first": None,
            "last": None,
        }
    same = () if tally.move is None else (tally.move, *tally.also)
    return {
        "games": tally.games,
        "black": tally.black,
        "draws": tally.draws,
        "white": tally.white,
        "points": None if row.points is None else round(row.points, 2),
        "score": None if row.score is None else round(row.score, 2),
        "also": [str(move) for move in same if move != row.move],
        "first": tally.first,
        "last": tally.last,
    }


# --- the table


def _show(table: ExplorerTable, sort: Column, path: Path) -> None:
    position, found = table.position, table.exploration
    name = f"{table.opening}: " if table.opening else ""
    if position.is_over:
        out(f"{name}game over{pass_words(position)}: {position.count}")
        return
    parts = [f"{name}{position.to_move} to move{pass_words(position)}"]
    if (score := table.basis) is not None:
        parts.append(f"values {kind_text(score)}" + ("" if score.kind is Kind.EXACT else f", depth {score.depth}"))
    if found is not None:
        ended = "" if found.stopped is None else f", {found.stopped.games} end here"
        parts.append(f"{counted(found.games, 'game')} in {path}{ended}")
    out("; ".join(parts))
    results = "" if found is None else f"{'games':>8}{'Black':>8}{'draws':>7}{'White':>7}{'points':>9}{'score':>7}"
    years = "" if found is None else f"  {'years':9}"
    out(f"{'move':4}{'value':>7}{'book':>6}{results}{years}  line".rstrip())
    for row in table.sorted_by(sort):
        value = "" if row.value is None else short_score(row.value.score)
        book = "" if row.book is None else short_score(row.book.score)
        line = "" if row.value is None else " ".join(map(str, row.value.pv[1 : 1 + _LINE]))
        then = f"{line}  ({row.opening})" if row.opening else line
        games = "" if found is None else _games(row)
        out(f"{row.move!s:4}{value:>7}{book:>6}{games}  {then}".rstrip())


def _games(row: ExplorerRow) -> str:
    tally = row.tally
    if tally is None:
        return f"{0:8}{'':49}"
    points = "–" if row.points is None else f"{row.points:.1f} %"
    score = "" if row.score is None else f"{row.score:+.1f}"
    years = years_between(tally.first, tally.last)
    return f"{tally.games:8}{tally.black:8}{tally.draws:7}{tally.white:7}{points:>9}{score:>7}  {years:9}"
