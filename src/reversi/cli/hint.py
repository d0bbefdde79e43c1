"""``reversi hint``: the best moves of a position, with their scores."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Annotated

import typer

from reversi._core import Move, Position
from reversi.cli.advisers import Adviser, OwnAdviser, external_adviser
from reversi.cli.book import open_book
from reversi.cli.console import StatusCollector, command, fail, fail_option, out, out_json, rules_option
from reversi.cli.engine_options import EngineHashOption, LevelOption, check_one_limit, level_value
from reversi.cli.inputs import entries, place_of, read_input, to_move_option
from reversi.cli.options import InputArgument, PositionThreadsOption, PositionTimeOption, RulesOption, ToMoveOption
from reversi.cli.status import Status
from reversi.cli.tree import Commands
from reversi.engine.engine import Engine
from reversi.engine.explaining import Remark, explain
from reversi.engine.levels import HINT_LEVEL
from reversi.engine.player import MoveChoice
from reversi.errors import InputError, PlayerError, ResourceError
from reversi.inputs.positions import PositionEntry
from reversi.openings.book import Book
from reversi.solver.solution import MoveScore, move_text
from reversi.text.boards import format_board, pass_words
from reversi.text.position_json import position_fields


def register(app: Commands) -> None:
    """Add the command to ``app``."""
    app.command("hint")(_hint)


@command
def _hint(
    position: InputArgument,
    count: Annotated[int, typer.Option("-n", "--count", metavar="N", min=1, max=64, help="Show N moves.")] = 3,
    rules: RulesOption = "othello",
    to_move: ToMoveOption = "",
    level: LevelOption = None,
    seconds: PositionTimeOption = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Solve each position exactly, or until --time is up.")
    ] = False,
    book: Annotated[
        bool | None,
        typer.Option(
            "--book/--no-book",
            show_default="book; no-book with --level, --time, --exact or --engine",
            help="Take moves and values from the opening book for positions in it.",
        ),
    ] = None,
    threads: PositionThreadsOption = 1,
    hash_mb: EngineHashOption = None,
    engine: Annotated[
        str | None,
        typer.Option(
            metavar="ENGINE",
            help="Ask an external engine: gtp:COMMAND, nboard:COMMAND, or a name from the configuration file.",
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Explain the reasons for and against each move.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Write one JSON object per position.")] = False,
) -> None:
    """Show the best moves of a position, best first.

    Scores are from the view of the side to move. Each is exact, selective (with a confidence in percent), or
    heuristic (with the depth of the search). Values from the opening book are of the kind book.

    Example: reversi hint f5d6c3

    Example: reversi hint f5d6c3 --time 2

    Example: reversi hint f5d6c3 --explain

    Example: reversi hint -n 5 --json endgames.obf

    Example: reversi hint f5d6c3 --engine "nboard:edax -nboard"
    """
    check_one_limit(level=level, time=seconds)
    check_one_limit(level=level, exact=exact or None)
    rule_set, side = rules_option(rules), to_move_option(to_move)
    given = read_input(position)
    adviser: Adviser
    if engine is not None:
        if exact or book or threads != 1 or hash_mb is not None or level is not None:
            fail(Status.USAGE, "--engine cannot be combined with --level, --exact, --book, --threads or --hash")
        adviser = external_adviser(engine, seconds)
    else:
        if book is None:  # who sets a search wants one
            book = level is None and seconds is None and not exact
        opening_book = open_book("") if book else None
        adviser = _own_adviser(level_value(level, HINT_LEVEL), seconds, exact, threads, hash_mb, opening_book)
    outcome = StatusCollector(complete=json)
    asked = 0
    write = _write_json if json else _write_text
    try:
        for entry in entries(given, rule_set, side):
            asked += 1
            if entry.position is None:
                outcome.add(Status.BAD_DATA, f"{place_of(given, entry.line)}: {entry.error}")
            else:
                try:
                    write(entry, adviser, count, explain)
                except (InputError, PlayerError) as error:
                    outcome.add(Status.BAD_DATA, f"{place_of(given, entry.line)}: {error}")
    except ResourceError as error:
        fail(Status.USAGE, str(error))
    finally:
        adviser.close()
    if not asked:
        fail(Status.BAD_DATA, f"{given.name or 'the text'} contains no positions")
    outcome.finish()


def _own_adviser(
    level: int | str, seconds: float | None, exact: bool, threads: int, hash_mb: int | None, book: Book | None
) -> OwnAdviser:
    try:
        engine = Engine(
            level if seconds is None else None,
            time_s=seconds,
            exact=exact,
            threads=threads,
            hash_mb=hash_mb,
            book=book,
        )
        return OwnAdviser(engine)
    except InputError as error:
        fail_option(error)


def _hints(entry: PositionEntry, adviser: Adviser, count: int) -> list[MoveScore | MoveChoice]:
    position = entry.position
    return [] if position is None or position.is_over else adviser.hints(entry, count)


def _explanation(remarks: Iterable[Remark]) -> dict[str, object]:
    return {
        "remarks": [
            {"feature": remark.feature.value, "good": remark.is_good, "text": remark.text} for remark in remarks
        ]
    }


def _line(choice: MoveScore | MoveChoice) -> tuple[Move, ...]:
    return choice.pv if isinstance(choice, MoveScore) else (choice.move,)


def _score_fields(choice: MoveScore | MoveChoice) -> dict[str, object]:
    score = choice.score
    if score is None:
        return dict.fromkeys(("score", "kind", "depth", "confidence"))
    return {
        "score": score.value,
        "kind": str(score.kind),
        "depth": score.depth,
        "confidence": score.confidence,
    }


def _remarks(position: Position, choice: MoveScore | MoveChoice, best: MoveScore | MoveChoice) -> list[Remark]:
    equal = choice.score is not None and best.score is not None and choice.score.value == best.score.value
    better = None if equal else best.move
    return explain(position, choice.move, better=better, line=_line(choice)[1:], better_line=_line(best)[1:])


def _write_text(entry: PositionEntry, adviser: Adviser, count: int, explained: bool) -> None:
    position = entry.position
    assert position is not None
    out(format_board(position))
    if position.is_over:
        out(f"    game over{pass_words(position)}: {position.count}")
    choices = _hints(entry, adviser, count)
    for choice in choices:
        line = "no score"
        if choice.score is not None:
            line = move_text(position, choice.move, choice.score, depth=True)
        out(f"    {choice.move!s:2}  {line}  {' '.join(map(str, _line(choice)))}".rstrip())
        for remark in _remarks(position, choice, choices[0]) if explained else ():
            out(f"        {remark}")


def _write_json(entry: PositionEntry, adviser: Adviser, count: int, explained: bool) -> None:
    assert entry.position is not None
    began = time.perf_counter()
    choices = _hints(entry, adviser, count)
    moves = [
        {
            "move": str(choice.move),
            **_score_fields(choice),
            "pv": [str(move) for move in _line(choice)],
            **(_explanation(_remarks(entry.position, choice, choices[0])) if explained else {}),
        }
        for choice in choices
    ]
    seconds = round(time.perf_counter() - began, 6)
    out_json(
        {
            "index": entry.index,
            "line": entry.line,
            **position_fields(entry.position),
            "moves": moves,
            "time_s": seconds,
        }
    )
