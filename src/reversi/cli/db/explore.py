"""`reversi db explore`: the moves played in a position."""

from __future__ import annotations

import time
from typing import Annotated, TypeAlias

import typer

from reversi._core import Move
from reversi.cli.console import StatusCollector, command, err, fail, out, out_json, rules_option
from reversi.cli.db.file import FileOption, JsonOption, MemoryOption, opened_database
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
from reversi.cli.status import Status
from reversi.engine.engine import Engine
from reversi.engine.levels import HINT_LEVEL
from reversi.errors import ResourceError
from reversi.games import Exploration, MoveTally
from reversi.score import MoveValue, short_score
from reversi.text.boards import pass_words
from reversi.text.counting import counted, years_between
from reversi.text.position_json import position_fields

_Values: TypeAlias = "dict[Move, MoveValue]"
"""The engine's values of moves."""


@command
def explore(
    position: OpeningInputArgument,
    db: FileOption = "",
    memory: MemoryOption = None,
    player: PlayerOption = None,
    black: BlackOption = None,
    white: WhiteOption = None,
    event: EventOption = None,
    tag: TagOption = None,
    year: YearOption = None,
    result: ResultOption = None,
    aliases: AliasesOption = "",
    minimum: Annotated[
        int, typer.Option("--min-games", metavar="N", min=1, help="Leave out moves that fewer games play.")
    ] = 1,
    percent: Annotated[
        bool, typer.Option("--percent", help="Show the results in percent of the games with a winner or a draw.")
    ] = False,
    values: Annotated[
        bool, typer.Option("--values", help="Add the engine's value of each move that is shown.")
    ] = False,
    level: Annotated[
        str | None,
        level_option("Search the values at this level; implies --values.", show_default=str(HINT_LEVEL)),
    ] = None,
    json: JsonOption = False,
    to_move: ToMoveOption = "",
    rules: RulesOption = "othello",
) -> None:
    """Show the moves played in a position, with results and years.

    Games that reach the position in another order of moves, mirrored or rotated count, too. The columns Black and
    White count wins. Scores are for the player to move; that of the games is their mean, in discs. Conditions
    select the games that count, as in 'reversi db games'.

    Example: reversi db explore f5d6c3d3c4

    Example: reversi db explore Tiger

    Example: reversi db explore f5d6c3d3c4 --year 2000- --min-games 10 --percent --values

    Example: reversi db explore "game.pgn@12" --json
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
    engine = Engine(level_value(level, HINT_LEVEL)) if values or level is not None else None
    given = read_input(opening_moves(position))
    outcome = StatusCollector(complete=json)
    shown = 0
    with opened_database(db, memory) as database:
        for entry in entries(given, rule_set, side):
            if entry.position is None:
                outcome.add(Status.BAD_DATA, f"{place_of(given, entry.line)}: {entry.error}")
                continue
            begin = time.perf_counter()
            exploration = database.explore(entry.position, chosen, minimum=minimum)
            seconds = time.perf_counter() - begin
            valued = None if engine is None else _values(exploration, engine)
            if json:
                out_json(_exploration(exploration, seconds, percent, valued))
            else:
                if shown:
                    out()
                _show(exploration, seconds, percent, valued)
                shown += 1
    outcome.finish()


def _values(exploration: Exploration, engine: Engine) -> _Values:
    position, shown = exploration.position, {tally.move for tally in exploration.moves}
    if not shown:
        return {}
    try:
        moves = engine.hint(position, len(position.legal_moves))
    except ResourceError as error:
        fail(Status.USAGE, str(error))
    return {scored.move: scored.score for scored in moves if scored.move in shown}


def _exploration(
    exploration: Exploration, seconds: float, percent: bool, values: _Values | None
) -> dict[str, object]:
    def move(tally: MoveTally) -> dict[str, object]:
        fields = _move(tally)
        if percent:
            fields["percent"] = {
                "games": round(100 * tally.games / exploration.games, 2),
                **dict(zip(("black", "draws", "white"), _percentages(tally), strict=True)),
            }
        if values is not None:
            fields["engine"] = _engine(None if tally.move is None else values.get(tally.move))
        return fields

    return {
        **position_fields(exploration.position),
        "opening": exploration.opening.name if exploration.opening else None,
        "games": exploration.games,
        "moves": [move(tally) for tally in exploration.moves],
        "stopped": move(exploration.stopped) if exploration.stopped else None,
        **({"rare": exploration.rare} if exploration.rare else {}),
        "time_s": round(seconds, 4),
    }


def _move(tally: MoveTally) -> dict[str, object]:
    return {
        "move": None if tally.move is None else str(tally.move),
        "also": [str(move) for move in tally.also],
        "games": tally.games,
        "black": tally.black,
        "draws": tally.draws,
        "white": tally.white,
        "score": None if tally.score is None else round(tally.score, 2),
        "first": tally.first,
        "last": tally.last,
        "opening": tally.opening.name if tally.opening else None,
    }


def _engine(score: MoveValue | None) -> dict[str, object] | None:
    if score is None:
        return None
    return {
        "score": score.value,
        "kind": str(score.kind),
        "depth": score.depth,
        "confidence": score.confidence,
    }


def _percentages(tally: MoveTally) -> list[float | None]:
    """Return how many of the decided games Black won, are draws, and White won, in percent."""
    counts = (tally.black, tally.draws, tally.white)
    decided = sum(counts)
    return [round(100 * count / decided, 2) if decided else None for count in counts]


def _show(exploration: Exploration, seconds: float, percent: bool, values: _Values | None) -> None:
    name = f"{exploration.opening}: " if exploration.opening else ""
    turn = f"{exploration.position.to_move} to move{pass_words(exploration.position)}"
    out(f"{name}{counted(exploration.games, 'game')}, {turn} ({seconds:.3f} s)")
    if not exploration.games:
        return
    value = "" if values is None else f"{'value':>8}"
    out(f"{'move':6}{'games':>8}{'':>8}{'Black':>8}{'draws':>8}{'White':>8}{'score':>8}{value}  {'years':9}  then")
    for tally in (*exploration.moves, *((exploration.stopped,) if exploration.stopped else ())):
        mean = "" if tally.score is None else f"{tally.score:+.1f}"
        if percent:
            results = "".join("       –" if share is None else f"{share:6.1f} %" for share in _percentages(tally))
        else:
            results = f"{tally.black:8}{tally.draws:8}{tally.white:8}"
        if values is not None:
            score = None if tally.move is None else values.get(tally.move)
            value = f"{'' if score is None else short_score(score):>8}"
        years = years_between(tally.first, tally.last)
        notes = ["stopped here" if not exploration.position.is_over else "the end"] if tally.move is None else []
        notes += [str(tally.opening)] if tally.opening else []
        notes += [f"also {' '.join(map(str, tally.also))}"] if tally.also else []
        out(
            f"{'' if tally.move is None else str(tally.move):6}{tally.games:8}"
            f"{100 * tally.games / exploration.games:6.1f} %{results}{mean:>8}{value}"
            f"  {years:9}  {', '.join(notes)}".rstrip()
        )
    if exploration.rare:
        err(f"reversi: {counted(exploration.rare, 'move')} in fewer games left out (--min-games)")
