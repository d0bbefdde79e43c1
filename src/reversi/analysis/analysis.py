"""An analyzed game: its turns with their values, what each side lost, when the game was decided, and its JSON.

`table_lines`, `graph_lines` and `side_text` show it as text, `reversi.render.graph` as a picture. Its JSON is the
same in ``reversi analyze --json``, in the file of ``--output`` and in HTML reports; ``docs/analysis.md`` lists its
fields.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reversi._core import Move, Position, Square, State
from reversi._system.plain_json import Built, loads, read_fields
from reversi.analysis.judgement import ERRORS, Judgement, Prospect, certain_prospect, changes_outcome, prospect
from reversi.color import Color
from reversi.errors import InputError
from reversi.game.hand_flips import play_with_flips
from reversi.records.record import Record
from reversi.rules import Rules
from reversi.score import AnyScore, MoveValue, OneScore, Score, format_score, short_score
from reversi.solver.solution import MoveScore, read_score
from reversi.text.bars import EIGHTHS, bar
from reversi.text.counting import counted
from reversi.text.position_json import position_of

ANALYSIS_TAG: Final = "Analysis"
"""The tag in which an annotated record keeps the level and from where values are exact."""

_HALF: Final = 4  # rows of the graph above the middle line, and below it
_RANGES: Final = (8, 16, 32, 64)
_MARKS: Final = {Judgement.INACCURACY: "·", Judgement.MISTAKE: "?", Judgement.BLUNDER: "⁇"}
"""What the graph writes under a mistake, one character each."""
_LINE: Final = 6  # moves of a best line in the table
_HEAD: Final = " ply    move      value  loss  best       value  best line"
_BEST_END: Final = 39  # where columns of the table end
_VALUE_END: Final = 46
_NARROWEST: Final = 40


class AnalysisFormatError(InputError):
    """JSON that is not an analyzed game of ``reversi analyze``."""


@dataclass(frozen=True, slots=True)
class AnalyzedTurn:
    """One turn of an analyzed game. Scores are from the mover's view.

    Attributes:
        ply: the number of the turn from 1; passes count.
        position: the position before it.
        move: the move played.
        score: the value of the move played; with the flips that the rules say.
        best: the best moves, in a1, b1, … order; of a value that is not exact the one that the search found.
        best_score: the score of the position, which is the value of the best moves as far as it is proved.
        pv: the best line, from a move of ``best`` on; passes are in it.
        judgement: the judgement of a remarkable move; ``None`` for most moves.
        flips: the discs flipped by hand, where they differ from what the rules say; else ``None``.
        book: whether the opening book has the move among its good ones; such a move is no mistake.
        moves: every legal move with its value, best first, where the analysis was asked for them; else none.
    """

    ply: int
    position: Position
    move: Move
    score: MoveValue
    best: tuple[Move, ...]
    best_score: Score
    pv: tuple[Move, ...]
    judgement: Judgement | None = None
    flips: tuple[Square, ...] | None = None
    book: bool = False
    moves: tuple[MoveScore, ...] = ()

    def __repr__(self) -> str:
        played = f"{self.move}{'' if self.judgement is None else self.judgement.sign} {self.score}"
        best = " ".join(map(str, self.best))
        return f"<AnalyzedTurn {self.ply} {self.mover} {played}, best {best} {self.best_score}>"

    @property
    def mover(self) -> Color:
        """Who made the move."""
        return self.position.to_move

    @property
    def loss(self) -> int:
        """Discs lost: the difference between the best score and that of the move played, 0 for a best move."""
        return max(self.best_score.value - self.score.value, 0)

    @property
    def forced(self) -> bool:
        """Whether the mover had one legal move (a pass is one) and nothing to choose."""
        return len(self.position.legal_moves) == 1

    @property
    def is_best(self) -> bool:
        """Whether the move played is a best move."""
        return self.move in self.best

    @property
    def outcome(self) -> Prospect:
        """Win, draw or loss for the mover after the move played."""
        return prospect(self.score.value)

    @property
    def best_outcome(self) -> Prospect:
        """Win, draw or loss for the mover after a best move."""
        return prospect(self.best_score.value)

    @property
    def outcome_changed(self) -> bool:
        """Whether the move certainly gives away a win or a draw; a move of the book does not."""
        return not self.book and changes_outcome(self.score, self.best_score)

    @property
    def after(self) -> Position:
        """The position after the turn, with the discs flipped by hand."""
        if self.flips is None:
            return self.position.play(self.move)
        return play_with_flips(self.position, self.move, self.flips)


@dataclass(frozen=True, slots=True)
class SideSummary:
    """How one side played. Passes and forced moves do not count.

    Attributes:
        moves: turns with a choice.
        best: of those, turns with a best move.
        loss: discs lost in all.
        worst_ply: the ply of the largest loss, ``None`` where nothing was lost.
        signs: how often each judgement was given.
        outcome_changes: turns that gave away a win or a draw.
    """

    moves: int
    best: int
    loss: int
    worst_ply: int | None
    signs: Mapping[Judgement, int]
    outcome_changes: int

    @property
    def mean_loss(self) -> float:
        """Discs lost per turn with a choice; 0 without one."""
        return self.loss / self.moves if self.moves else 0.0

    @property
    def best_share(self) -> float:
        """The share of best moves, from 0 to 1; 1 without a choice."""
        return self.best / self.moves if self.moves else 1.0

    def __str__(self) -> str:
        return played_text(self.moves, self.loss, self.best, self.signs)


def played_text(moves: int, loss: int, best: int, signs: Mapping[Judgement, int], worst: str = "") -> str:
    """Return how somebody played: ``mean loss 2.78 discs in 27 turns; 52 % best moves; 4 ?, 2 ??``.

    Args:
        moves: turns with a choice.
        loss: discs lost in them.
        best: best moves among them.
        signs: how often each judgement was given.
        worst: the worst move, in words.
    """
    if not moves:
        return "no turns with a choice"
    counts = ", ".join(f"{signs[error]} {error.sign}" for error in ERRORS if signs.get(error))
    mean = f"mean loss {loss / moves:.2f} discs in {counted(moves, 'turn')}"
    return "; ".join(filter(None, (mean, f"{100 * best / moves:.0f} % best moves", worst, counts)))


def summarize(turns: Iterable[AnalyzedTurn]) -> SideSummary:
    """Return the summary of some turns of one side, or of both."""
    chosen = [turn for turn in turns if not turn.forced]
    worst = max(chosen, key=lambda turn: turn.loss, default=None)
    return SideSummary(
        len(chosen),
        sum(turn.is_best for turn in chosen),
        sum(turn.loss for turn in chosen),
        worst.ply if worst is not None and worst.loss else None,
        Counter(turn.judgement for turn in chosen if turn.judgement is not None),
        sum(turn.outcome_changed for turn in chosen),
    )


def decided_at(outcomes: Sequence[Prospect | None]) -> int | None:
    """Return the ply from which the outcome is certain and no longer changes; ``None`` where the last one is open.

    Args:
        outcomes: the outcome after each ply from one side's view, the start at index 0; ``None`` for an open one.
    """
    ply = len(outcomes) - 1
    if outcomes[ply] is None:
        return None
    while ply and outcomes[ply - 1] is outcomes[-1]:
        ply -= 1
    return ply


@dataclass(frozen=True)
class Analysis:
    """A game, analyzed.

    Attributes:
        start: the position before the first turn; it carries the rules.
        moves: all moves of the game, passes included.
        turns: the analyzed turns in playing order: all of them, or the last ones where a cancel stopped the work.
        level: the level of the searches; ``None`` where a time was given instead.
        time_s: the seconds for each search, instead of a level.
        exact_from: with this many empty squares or fewer every value is exact.
        tags: what the record knows by name: players, event, date.
        result: the result as recorded: ``37-27``, ``1-0``, ``*``.
        flips: by ply, the discs flipped by hand where they differ from what the rules say.
        book: the names of the opening books that mark its moves, "" for none.
        all_moves: whether its turns have the values of all legal moves.
    """

    start: Position
    moves: tuple[Move, ...]
    turns: tuple[AnalyzedTurn, ...]
    level: int | str | None
    exact_from: int
    time_s: float | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    result: str = "*"
    flips: Mapping[int, tuple[Square, ...]] = field(default_factory=dict)
    book: str = ""
    all_moves: bool = False

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.start.rules

    @property
    def complete(self) -> bool:
        """Whether every turn is analyzed."""
        return len(self.turns) == len(self.moves)

    @property
    def sides(self) -> dict[Color, SideSummary]:
        """How each side played."""
        return {color: summarize(turn for turn in self.turns if turn.mover is color) for color in Color}

    @property
    def values(self) -> tuple[int | None, ...]:
        """The value after each ply from Black's view, the start at index 0; ``None`` where it is not known."""
        values: list[int | None] = [None] * (len(self.moves) + 1)
        for turn in self.turns:
            values[turn.ply - 1] = _for_black(turn.best_score.value, turn)
            values[turn.ply] = _for_black(turn.score.value, turn)
        return tuple(values)

    @property
    def decided(self) -> int | None:
        """The ply from which the outcome no longer changes, 0 where the start decides it.

        A value that may be noise decides nothing. ``None`` while the outcome is open, and where turns are missing.
        """
        if not self.turns or not self.complete:
            return None
        outcomes = [_certain_outcome(turn.best_score, turn) for turn in self.turns]
        return decided_at([*outcomes, _certain_outcome(self.turns[-1].score, self.turns[-1])])

    def turn(self, ply: int) -> AnalyzedTurn:
        """Return the analyzed turn with this number.

        Raises:
            KeyError: the turn is not in the game, or not analyzed.
        """
        first = len(self.moves) - len(self.turns) + 1
        if not first <= ply <= len(self.moves):
            raise KeyError(ply)
        return self.turns[ply - first]

    @property
    def mistakes(self) -> tuple[AnalyzedTurn, ...]:
        """The inaccuracies, mistakes and blunders, in playing order."""
        return tuple(turn for turn in self.turns if turn.judgement is not None and turn.judgement.is_error)

    @property
    def marks(self) -> dict[int, str]:
        """The signs of the mistakes by ply, which `reversi.render.graph` shows: ``?``, ``??``."""
        return {turn.ply: turn.judgement.sign for turn in self.mistakes if turn.judgement is not None}

    @property
    def title(self) -> str:
        """The names of the players, Black's first; empty where one is not known."""
        names = [self.tags.get(side, "") for side in ("Black", "White")]
        return " – ".join(names) if all(names) else ""

    def fields(self, *, index: int = 1, file: str = "", game: int = 1) -> dict[str, object]:
        """Return it as JSON values: the object of ``reversi analyze --json``.

        Args:
            index: the number of the game in the input, from 1.
            file: the file that the game comes from; empty for a pasted game.
            game: the number of the game in that file, from 1.
        """
        start = self.start
        return {
            "index": index,
            "file": file or None,
            "game": game,
            "tags": dict(self.tags),
            "rules": str(self.rules),
            "board": start.cells,
            "to_move": start.to_move.symbol,
            "after_pass": start.state is State.AFTER_PASS,
            "result": self.result,
            "moves": [str(move) for move in self.moves],
            "flips": {str(ply): [str(square) for square in flips] for ply, flips in self.flips.items()},
            "level": self.level,
            "time_s": self.time_s,
            "exact_from": self.exact_from,
            "book": self.book or None,
            "all_moves": self.all_moves,
            "complete": self.complete,
            "decided": self.decided,
            "turns": [_turn_fields(turn) for turn in self.turns],
            "sides": {color.symbol: side_fields(side) for color, side in self.sides.items()},
        }

    def to_json(self) -> str:
        """Return it as one line of JSON, as ``reversi analyze --json`` writes it."""
        return json.dumps(self.fields())

    @staticmethod
    def from_json(text: str | bytes | Mapping[str, Any]) -> Analysis:
        """Return the analysis that `to_json` or ``reversi analyze --json`` wrote, or that its values have.

        The numbers of nodes and the times of the searches are not in the JSON; they are 0.

        Raises:
            AnalysisFormatError: it is not an analyzed game.
        """
        return read_analyzed(text, _read_analysis)

    def __str__(self) -> str:
        return "\n".join(table_lines(self))

    def __repr__(self) -> str:
        turns = counted(len(self.turns), "turn")
        return f"<Analysis {self.rules}: {turns}, {search_text(self.level, self.time_s)}>"

    def _repr_svg_(self) -> str:
        """Return the graph of the game as SVG, which notebooks show."""
        from reversi.render.graphs import graph  # only those who look at pictures load what draws them

        return graph(self)


def search_text(level: int | str | None, time_s: float | None) -> str:
    """Return what limits the searches of an analysis: ``level 18``, ``0.5 s per position``."""
    return f"level {level}" if time_s is None else f"{time_s:g} s per position"


def known_tags(record: Record) -> dict[str, str]:
    """Return what a record knows by name, without unknown values and the tag of an earlier analysis."""
    unknown = ("", "?", "????.??.??")
    return {name: value for name, value in record.tags.items() if value not in unknown and name != ANALYSIS_TAG}


def _certain_outcome(score: AnyScore, turn: AnalyzedTurn) -> Prospect | None:
    """The outcome for Black that a score of a turn means; ``None`` where it may be noise."""
    return None if certain_prospect(score) is None else prospect(_for_black(score.value, turn))


def _for_black(value: int, turn: AnalyzedTurn) -> int:
    return value if turn.mover is Color.BLACK else -value


def graph_lines(analysis: Analysis, *, width: int = 80) -> Iterator[str]:
    """Yield the graph of a game: one column per ply, Black's lead upwards, White's downwards.

    Args:
        analysis: the game.
        width: columns to draw at most; a longer game is cut into several graphs.
    """
    values = analysis.values
    most = max((abs(value) for value in values if value is not None), default=0)
    reach = next((reach for reach in _RANGES if most <= reach), most)
    columns = max(width - 7, 10)
    for first in range(0, len(values), columns):
        yield from _graph(analysis, list(values[first : first + columns]), first, reach)
    errors = {turn.judgement for turn in analysis.mistakes}
    if legend := "  ".join(f"{sign} {judgement}" for judgement, sign in _MARKS.items() if judgement in errors):
        yield f"      {legend}"


def _graph(analysis: Analysis, values: list[int | None], first: int, reach: int) -> Iterator[str]:
    for row in range(_HALF, 0, -1):
        label = f"{format_score(reach * row // _HALF):>5} " if row in (_HALF, _HALF // 2) else " " * 6
        yield (label + "".join(_cell(value, row, reach) for value in values)).rstrip()
    yield ("   +0 " + "".join("─" if value is not None else " " for value in values)).rstrip()
    for row in range(1, _HALF + 1):
        label = f"{format_score(-reach * row // _HALF):>5} " if row in (_HALF // 2, _HALF) else " " * 6
        yield (label + "".join(_cell_below(value, row, reach) for value in values)).rstrip()
    signs = [" "] * len(values)
    for turn in analysis.mistakes:
        if first <= turn.ply < first + len(values):
            signs[turn.ply - first] = _MARKS[turn.judgement or Judgement.MISTAKE]
    if any(sign != " " for sign in signs):
        yield ("      " + "".join(signs)).rstrip()
    scale = "".join(f"{ply:<10d}" for ply in range(first, first + len(values), 10))
    yield ("      " + scale)[: 6 + len(values) + 2].rstrip()


def _cell(value: int | None, row: int, reach: int) -> str:
    """Return the part of a bar above the middle line in a row; rows count from the line."""
    return EIGHTHS[bar(value or 0, reach, _HALF, row - 1)]


def _cell_below(value: int | None, row: int, reach: int) -> str:
    """Return the part of a bar below the line: there are only whole and half blocks that hang."""
    return " ▀█"[bar(-(value or 0), reach, _HALF, row - 1, parts=2)]


def table_lines(analysis: Analysis, *, width: int = 120) -> Iterator[str]:
    """Yield the table of the turns: ply, side, move, sign, value, loss, the best moves and the best line.

    Args:
        analysis: the game.
        width: characters per line; a narrow table, of 40 at least, leaves out the ends of lines and whole columns.
    """
    width = max(width, _NARROWEST)
    yield _HEAD[: _BEST_END if width < _VALUE_END else None if width >= len(_HEAD) else _VALUE_END].rstrip()
    for turn in analysis.turns:
        yield _row(turn, width)


def _row(turn: AnalyzedTurn, width: int) -> str:
    sign = "" if turn.judgement is None else turn.judgement.sign
    value = short_score(turn.score)
    begin = f"{turn.ply:4d}  {turn.mover.symbol} {turn.move!s:2} {sign:2}  {value:>7}"
    if turn.forced:
        return f"{begin}     -  forced"
    begin += f" {turn.loss:5d}  " if turn.loss else " " * 8
    if turn.is_best and turn.loss == 0:
        others = [move for move in turn.best if move != turn.move]
        book = "book, also " if turn.book else "also "
        also = _moves(others, len(others), width - len(begin) - len(book))
        return f"{begin}{book}{also}" if also else f"{begin}{'book' if turn.book else ''}".rstrip()
    if width < _VALUE_END:
        return begin + _moves(turn.best, 3, width - len(begin))
    begin += f"{_moves(turn.best, 3, 11):9} {short_score(turn.best_score):>6}"
    end = f"  ({turn.best_outcome} → {turn.outcome})" if turn.outcome_changed else ""
    end += "  (book)" if turn.book else ""
    room = width - len(begin)
    if len(end) > room:
        end = ""
    line = _moves(turn.pv, _LINE, room - len(end) - 2)
    return f"{begin}{f'  {line}' if line else ''}{end}"


def _moves(moves: Sequence[Move], most: int, room: int) -> str:
    """Return the first moves, as many as the room has characters for, and ``…`` for more."""
    for count in range(min(most, len(moves)), 0, -1):
        text = " ".join(map(str, moves[:count])) + (" …" if count < len(moves) else "")
        if len(text) <= room:
            return text
    return ""


def side_text(analysis: Analysis, color: Color) -> str:
    """Return how one side played, on one line."""
    side: SideSummary = analysis.sides[color]
    name = analysis.tags.get(str(color), "")
    who = f"{color} ({name})" if name else str(color)
    worst = ""
    if side.worst_ply is not None:
        turn = analysis.turn(side.worst_ply)
        worst = f"worst {turn.move} at ply {turn.ply} ({turn.loss} lost)"
    return f"{who}: {played_text(side.moves, side.loss, side.best, side.signs, worst)}"


def _turn_fields(turn: AnalyzedTurn) -> dict[str, object]:
    judgement = turn.judgement
    return {
        "ply": turn.ply,
        "mover": turn.mover.symbol,
        "move": str(turn.move),
        **_score_fields(turn.score),
        "best": [str(move) for move in turn.best],
        **_score_fields(turn.best_score, "best_"),
        "loss": turn.loss,
        "sign": None if judgement is None else judgement.sign,
        "judgement": None if judgement is None else str(judgement),
        "outcome": str(turn.outcome),
        "best_outcome": str(turn.best_outcome),
        "outcome_changed": turn.outcome_changed,
        "forced": turn.forced,
        "book": turn.book,
        "pv": [str(move) for move in turn.pv],
        **({"moves": [_move_fields(scored) for scored in turn.moves]} if turn.moves else {}),
    }


def _move_fields(scored: MoveScore) -> dict[str, object]:
    return {
        "move": str(scored.move),
        **_score_fields(scored.score),
        "pv": [str(move) for move in scored.pv],
    }


def _score_fields(score: AnyScore, before: str = "") -> dict[str, object]:
    """Return the fields of a score; their names begin with a text."""
    return {
        f"{before}score": score.value,
        f"{before}kind": str(score.kind),
        f"{before}depth": score.depth,
        f"{before}confidence": score.confidence,
    }


def side_fields(side: SideSummary) -> dict[str, object]:
    return {
        "moves": side.moves,
        "loss": side.loss,
        "mean_loss": round(side.mean_loss, 2),
        "best_share": round(side.best_share, 3),
        "worst_ply": side.worst_ply,
        "outcome_changes": side.outcome_changes,
        "signs": {error.sign: side.signs.get(error, 0) for error in ERRORS},
    }


def read_analyzed(text: str | bytes | Mapping[str, Any], read: Callable[[Any], Built]) -> Built:
    """Return what a function reads from an analyzed game, in JSON or as its values.

    Raises:
        AnalysisFormatError: they are not those of an analyzed game.
    """
    try:
        return read_fields(text if isinstance(text, Mapping) else loads(text), read)
    except (ValueError, RecursionError) as error:
        raise AnalysisFormatError(f"not an analyzed game of reversi analyze ({error})") from None


def _read_analysis(fields: Mapping[str, Any]) -> Analysis:
    start = position_of(fields)
    moves = tuple(Move.parse(text) for text in fields["moves"])
    flips = {int(ply): tuple(Square(square) for square in squares) for ply, squares in fields["flips"].items()}
    first = len(moves) - len(fields["turns"]) + 1
    if [turn["ply"] for turn in fields["turns"]] != list(range(first, len(moves) + 1)):
        raise InputError("its turns are not the last ones of the game")
    turns: list[AnalyzedTurn] = []
    position = start
    for ply, move in enumerate(moves, 1):
        if ply >= first:
            turns.append(_read_turn(fields["turns"][ply - first], position, flips.get(ply)))
        position = play_with_flips(position, move, flips[ply]) if ply in flips else position.play(move)
    return Analysis(
        start,
        moves,
        tuple(turns),
        fields["level"],
        int(fields["exact_from"]),
        fields["time_s"],
        {str(name): str(value) for name, value in fields["tags"].items()},
        str(fields["result"]),
        flips,
        str(fields.get("book") or ""),
        bool(fields.get("all_moves", False)),
    )


def _read_turn(fields: Mapping[str, Any], position: Position, flips: tuple[Square, ...] | None) -> AnalyzedTurn:
    judgement = fields["judgement"]
    return AnalyzedTurn(
        int(fields["ply"]),
        position,
        Move.parse(fields["move"]),
        _read_score(MoveValue, fields, position),
        tuple(Move.parse(text) for text in fields["best"]),
        _read_score(Score, fields, position, "best_"),
        tuple(Move.parse(text) for text in fields["pv"]),
        None if judgement is None else Judgement(judgement),
        flips,
        bool(fields.get("book", False)),
        tuple(
            MoveScore(
                Move.parse(scored["move"]),
                _read_score(MoveValue, scored, position),
                tuple(Move.parse(text) for text in scored["pv"]),
            )
            for scored in fields.get("moves", ())
        ),
    )


def _read_score(one: type[OneScore], fields: Mapping[str, Any], position: Position, before: str = "") -> OneScore:
    named = {name: fields[f"{before}{name}"] for name in ("score", "kind", "depth", "confidence")}
    return read_score(one, named, position)
