"""Making exercises: from positions with one best move, and from the mistakes of analyzed games."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from types import NoneType
from typing import Final

from reversi._core import Move, Position
from reversi.analysis.analysis import Analysis, AnalyzedTurn
from reversi.analysis.exercises.exercise import Exercise, Origin, best_moves
from reversi.analysis.exercises.judge import Judge, stated_moves
from reversi.analysis.exercises.themes import ExerciseTheme, is_only_move, theme_of
from reversi.analysis.judgement import changes_outcome
from reversi.arguments import TEXT_TO_POSITION, check_count, check_type
from reversi.color import Color
from reversi.errors import IllegalMoveError
from reversi.records.facts import known
from reversi.records.record import Record
from reversi.records.replay import positions
from reversi.solver.solution import MoveScore

MIN_LOSS: Final = 4
"""A move that loses this many discs, or the outcome, is a mistake to learn from."""
MARGIN: Final = 2
"""One move is the best one when every other loses at least this many discs."""


def from_position(
    position: Position,
    judge: Judge | None = None,
    *,
    annotated: dict[Move, int] | None = None,
    margin: int = MARGIN,
    only_moves: bool = False,
    origin: Origin | None = None,
) -> Exercise | None:
    """Return the exercise of a position with one best move; ``None`` for any other position.

    Args:
        position: the position.
        judge: values its moves; `Judge` with its defaults when not given.
        annotated: the exact scores that a file states for its moves; they spare a search where they are all there.
        margin: how many discs every other move loses at least.
        only_moves: whether every other move must lose the result, too: the win, the draw, or the last disc of the
            opponent.
        origin: where the position comes from; unknown when not given.

    Raises:
        EngineCancelled: the judge was cancelled.
    """
    judge = _judge(judge)
    check_type("position", position, Position, advice=TEXT_TO_POSITION)
    check_count("margin", margin, least=0)
    check_type("origin", origin, Origin, NoneType)
    if position.is_over or len(position.legal_moves) < 2:
        return None
    moves = judge.value_all(position) if judge.is_exact(position) else stated_moves(position, annotated or {})
    moves = moves or judge.value_all(position)
    if moves[0].score.value - moves[1].score.value < margin or len(best_moves(moves)) > 1:
        return None
    if only_moves and not is_only_move(position, moves):
        return None
    return _exercise(position, moves, judge, None, origin)


def _exercise(
    position: Position, moves: tuple[MoveScore, ...], judge: Judge, played: Move | None, origin: Origin | None
) -> Exercise:
    difficulty = judge.difficulty(position, best_moves(moves))
    return Exercise(position, moves, theme_of(position, moves), difficulty, played, origin or Origin())


def from_game(
    record: Record,
    judge: Judge | None = None,
    *,
    empties: range,
    margin: int = MARGIN,
    only_moves: bool = False,
    count: int | None = 1,
    origin: Origin | None = None,
) -> list[Exercise]:
    """Return the exercises of a game: its positions with one best move, the hardest first.

    Turns after an illegal move are left out.

    Args:
        record: the game.
        judge: as for `from_position`.
        empties: how many empty squares the positions have.
        margin: as for `from_position`.
        only_moves: as for `from_position`.
        count: how many exercises at most; all for ``None``.
        origin: the game; when not given, the players and the date of the record. The exercises add their ply.

    Raises:
        EngineCancelled: the judge was cancelled.
    """
    judge = _judge(judge)
    check_type("record", record, Record)
    check_count("margin", margin, least=0)
    check_count("count", count, least=0, optional=True)
    origin = origin or origin_of(record.tags)
    exercises = []
    for ply, position in enumerate(_positions(record), 1):
        if position.empties in empties:
            at = replace(origin, ply=ply)
            exercise = from_position(position, judge, margin=margin, only_moves=only_moves, origin=at)
            if exercise is not None:
                exercises.append(exercise)
    exercises.sort(key=lambda each: (-(each.difficulty or 0), each.origin.ply))
    return exercises[:count]


def _positions(record: Record) -> Iterator[Position]:
    try:
        yield from positions(record)
    except IllegalMoveError:
        return


def from_mistake(
    position: Position,
    played: Move,
    judge: Judge,
    *,
    min_loss: int = MIN_LOSS,
    origin: Origin | None = None,
) -> Exercise | None:
    """Return the exercise of a position in which a player made a mistake.

    ``None`` where the values of all moves say that the move lost neither the outcome nor ``min_loss`` discs.

    Args:
        position: the position.
        played: the legal move that was played.
        judge: values moves.
        min_loss: how many discs a mistake loses at least.
        origin: where it comes from.

    Raises:
        EngineCancelled: the judge was cancelled.
    """
    if len(position.legal_moves) < 2:
        return None
    moves = judge.value_all(position)
    best, chosen = moves[0].score, next(scored.score for scored in moves if scored.move == played)
    lost_outcome = changes_outcome(chosen, best)
    if played in best_moves(moves) or (not lost_outcome and best.value - chosen.value < min_loss):
        return None
    return _exercise(position, moves, judge, played, origin)


def from_analysis(
    analysis: Analysis,
    judge: Judge | None = None,
    *,
    colors: Collection[Color] = tuple(Color),
    min_loss: int = MIN_LOSS,
    origin: Origin | None = None,
) -> Iterator[Exercise]:
    """Yield the exercises of an analyzed game: the positions in which a player lost discs or the outcome.

    Args:
        analysis: the game, analyzed.
        judge: values the moves of each such position again, all of them; `Judge` with its defaults when not given.
        colors: whose mistakes.
        min_loss: how many discs a mistake loses at least; one that loses the win or the draw counts in any case.
        origin: the game; unknown when not given. The exercises add their ply.

    Raises:
        EngineCancelled: the judge was cancelled.
    """
    check_type("analysis", analysis, Analysis)
    turns = (turn for turn in analysis.turns if turn.mover in colors)
    yield from from_turns(turns, judge, min_loss=min_loss, origin=origin)


def from_turns(
    turns: Iterable[AnalyzedTurn],
    judge: Judge | None = None,
    *,
    min_loss: int = MIN_LOSS,
    origin: Origin | None = None,
) -> Iterator[Exercise]:
    """Yield the exercises of those turns of an analyzed game that are mistakes; see `from_analysis`."""
    judge = _judge(judge)
    check_count("min_loss", min_loss, least=0)
    check_type("origin", origin, Origin, NoneType)
    origin = origin or Origin()
    for turn in turns:
        if not (turn.forced or turn.book) and (turn.outcome_changed or turn.loss >= min_loss):
            at = replace(origin, ply=turn.ply)
            exercise = from_mistake(turn.position, turn.move, judge, min_loss=min_loss, origin=at)
            if exercise is not None:
                yield exercise


def _judge(judge: Judge | None) -> Judge:
    check_type("judge", judge, Judge, NoneType)
    return judge or Judge()


def spread(exercises: Iterable[Exercise], count: int) -> list[Exercise]:
    """Return some exercises, chosen evenly by class of difficulty, and in each class evenly by theme.

    The first ones of each kind are taken, and stay in their order.
    """
    kinds: dict[tuple[int | None, ExerciseTheme], deque[Exercise]] = {}
    for exercise in exercises:
        kinds.setdefault((exercise.difficulty_class, exercise.theme), deque()).append(exercise)
    taken: Counter[int | tuple[int | None, ExerciseTheme] | None] = Counter()
    chosen: set[str] = set()
    while kinds and len(chosen) < count:
        kind = min(kinds, key=lambda kind: (taken[kind[0]], taken[kind]))
        chosen.add(kinds[kind].popleft().id)
        taken.update((kind, kind[0]))
        if not kinds[kind]:
            del kinds[kind]
    return [exercise for exercise in exercises if exercise.id in chosen]


def is_position(record: Record) -> bool:
    """Return whether a record is a position with the scores of its moves, as a line of OBF, and not a game."""
    nodes = record.line.nodes
    return len(nodes) <= 1 and all(node.evaluation is not None for node in nodes)


def annotated_moves(record: Record) -> dict[Move, int]:
    nodes = list(record.line.nodes)
    nodes += [line.nodes[0] for node in nodes for line in node.variations if line.nodes]
    stated = ((node.move, node.evaluation) for node in nodes)
    return {
        move: int(value.value) for move, value in stated if value is not None and value.value == int(value.value)
    }


def origin_of(tags: Mapping[str, str], file: str = "", game: int = 0, ply: int = 0) -> Origin:
    """Return the game with these tags as the origin of its exercises."""
    black, white, date = (known(tags.get(name, "")).replace(".??", "") for name in ("Black", "White", "Date"))
    return Origin(file, game, ply, black, white, date)
