"""``reversi hint``: the best moves of a position, with their scores."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Annotated

from reversi._core import Position
from reversi.cli.console import StatusCollector, command, named_options, out, out_json
from reversi.cli.engine_options import BookOptions, EngineHashOption, LevelOption
from reversi.cli.inputs import PositionInput, place_of
from reversi.cli.option_groups import Flag, excludes
from reversi.cli.options import NodesOption, PositionThreadsOption, PositionTimeOption, option
from reversi.cli.status import Status
from reversi.engine.engine import Engine
from reversi.engine.hints import hint_engine, hint_fields, line_of, remarks
from reversi.engine.levels import parse_level
from reversi.errors import InputError, PlayerError
from reversi.inputs.positions import PositionEntry
from reversi.solver.solution import MoveScore, move_text
from reversi.text.boards import format_board, pass_words

if TYPE_CHECKING:
    from reversi.cli.advisers import Adviser


@command(
    *excludes("--level", "--time", "--nodes", "--exact"),
    *excludes(
        "--engine",
        *("--level", "--nodes", "--exact", "--book", "--threads", "--hash"),
        why="an external engine has its own search",
    ),
)
def hint(
    positions: PositionInput,
    count: Annotated[int, option("N", "Show N moves.", "-n", "--count", min=1, max=64)] = 3,
    level: LevelOption = None,
    seconds: PositionTimeOption = None,
    nodes: NodesOption = None,
    exact: Annotated[bool, Flag("Solve each position exactly, as far as --time and --nodes allow.")] = False,
    *,
    books: BookOptions,
    threads: PositionThreadsOption = 1,
    hash_mb: EngineHashOption = None,
    engine: Annotated[
        str | None,
        option(
            "ENGINE", "Ask an external engine: gtp:COMMAND, nboard:COMMAND, or a name from the configuration file."
        ),
    ] = None,
    explain: Annotated[bool, Flag("Explain the reasons for and against each move.")] = False,
    json: Annotated[bool, Flag("Write one JSON object per position.")] = False,
) -> None:
    """Show the best moves of a position, best first.

    Scores are from the view of the side to move. Each is exact, selective (with a confidence in percent), or
    heuristic (with the depth of the search). Values from the opening book are of the kind book. Without --book it
    answers only where no option (--level, --time, --nodes, --exact, --engine) asks for a search.

    Example: reversi hint f5d6c3

    Example: reversi hint f5d6c3 --time 2

    Example: reversi hint f5d6c3 --explain

    Example: reversi hint -n 5 --json endgames.obf

    Example: reversi hint f5d6c3 --engine "nboard:edax -nboard"
    """
    _ = positions.given
    advice: AbstractContextManager[Adviser]
    book = None
    if engine is not None:
        from reversi.cli.advisers import external_adviser

        advice = external_adviser(engine, seconds)
    else:
        book = books.open()
        with named_options():
            own = hint_engine(
                None if level is None else parse_level(level),
                time_s=seconds,
                nodes=nodes,
                exact=exact,
                book=book,
                books_first=True if books.book else None,
                threads=threads,
                hash_mb=hash_mb,
            )
        advice = contextlib.nullcontext(partial(_own_hints, own))
    outcome = StatusCollector(complete=json)
    write = _write_json if json else _write_text
    with advice as adviser:
        for entry, position in positions.positions(outcome):
            try:
                books.check(book, position.rules)
                write(entry, position, adviser, count, explain)
            except (InputError, PlayerError) as error:
                outcome.add(Status.BAD_DATA, f"{place_of(positions.given, entry.line)}: {error}")
    outcome.finish()


def _own_hints(engine: Engine, entry: PositionEntry, count: int) -> Sequence[MoveScore]:
    assert entry.position is not None
    return engine.hint(entry.position, count)


def _write_text(entry: PositionEntry, position: Position, adviser: Adviser, count: int, explained: bool) -> None:
    out(format_board(position))
    if position.is_over:
        out(f"    game over{pass_words(position)}: {position.count}")
    choices = [] if position.is_over else adviser(entry, count)
    for choice in choices:
        line = "no score"
        if choice.score is not None:
            line = move_text(position, choice.move, choice.score, depth=True)
        out(f"    {choice.move!s:2}  {line}  {' '.join(map(str, line_of(choice)))}".rstrip())
        for remark in remarks(position, choice, choices[0]) if explained else ():
            out(f"        {remark}")


def _write_json(entry: PositionEntry, position: Position, adviser: Adviser, count: int, explained: bool) -> None:
    began = time.perf_counter()
    choices = [] if position.is_over else adviser(entry, count)
    fields = hint_fields(position, choices, time.perf_counter() - began, explained=explained)
    out_json({"index": entry.index, "line": entry.line, **fields})
