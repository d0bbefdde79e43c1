"""The data of a report: games as JSON values that a page can show without knowing any rules.

A line of play is a text, turns with blanks between them: ``f5:e5 d6:d5 --:``. A turn is a square (``--`` for a
pass), a colon, and the squares of the discs that change color. The page replays a turn by putting a disc on the
square and giving those discs the other color. The sides take turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any, Final, Protocol, runtime_checkable

from reversi._core import SQUARES, Move, Position
from reversi.arguments import check_type
from reversi.color import Color
from reversi.errors import IllegalMoveError, InputError, InvalidMoveError
from reversi.game import Game
from reversi.records.facts import opening_of
from reversi.records.formats.pgn.syntax import SIGNS
from reversi.records.from_game import record_from_game
from reversi.records.notes import format_evaluation, written_notes
from reversi.records.record import Line, Node, Record
from reversi.records.replay import legal_positions
from reversi.render.report.words import (
    analysis_words,
    analyzed_words,
    decisive_ply,
    reasons,
    sides_table,
    value_words,
)
from reversi.score import Kind, format_score
from reversi.text.picture.scene import bits

MAX_GAMES: Final = 1000
"""Games that a report may have."""
_MAX_LINES: Final = 20  # variations of a turn
_ANSWERS: Final = 4  # turns of the line of each of all moves
_MISTAKES: Final = ("?!", "?", "??")
_UNKNOWN: Final = ("?", "????.??.??", "")
_NOTES: Final = {"eval": "Value in the record:", "clk": "Clock", "emt": "Time", "flips": "Flipped by hand:"}


@runtime_checkable
class HasFields(Protocol):
    """An analysis."""

    def fields(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportGame:
    """A game for a report.

    Attributes:
        record: the game.
        analysis: its `reversi.Analysis`, or what ``reversi analyze --json`` writes of it. Without one the page
            shows the values, signs and variations of the record.
        source: where the game comes from, ``games.pgn#3`` for instance.
        trouble: what is wrong with the game; it is shown above it.
        ply: the ply that the page shows first; by default the decisive one of an analysis, else the start.
    """

    record: Record
    analysis: Mapping[str, Any] | HasFields | None = None
    source: str = ""
    trouble: str = ""
    ply: int | None = None

    def __post_init__(self) -> None:
        check_type("record", self.record, Record, advice="record_from_game(game) makes one of a Game")
        if not isinstance(self.analysis, HasFields):
            check_type("analysis", self.analysis, Mapping, NoneType, advice="analyze(record) makes one")

    @property
    def fields(self) -> Mapping[str, Any] | None:
        """The analysis as ``reversi analyze --json`` writes it."""
        return self.analysis.fields() if isinstance(self.analysis, HasFields) else self.analysis


def report_games(games: Iterable[ReportGame | Record | Game]) -> list[ReportGame]:
    """Games, records and games with more around them as the last.

    Raises:
        InputError: something else, none, or more than `MAX_GAMES`.
    """
    reported: list[ReportGame] = []
    for game in games:
        if len(reported) == MAX_GAMES:
            raise InputError(f"a report has at most {MAX_GAMES:,} games; select fewer")
        if isinstance(game, Game):
            reported.append(ReportGame(record=record_from_game(game)))
        elif isinstance(game, Record):
            reported.append(ReportGame(record=game))
        elif isinstance(game, ReportGame):
            reported.append(game)
        else:
            raise InputError(f"a report is of Game, Record or ReportGame values, not of {type(game).__name__}")
    if not reported:
        raise InputError("a report needs at least one game")
    return reported


def game_data(game: ReportGame) -> dict[str, object]:
    """Return the data of one game, up to its first illegal move."""
    record, analysis = game.record, game.fields
    nodes = record.line.nodes
    positions = list(legal_positions(nodes, record.start))
    judged = _judged_turns(analysis, len(positions) - 1)
    turns = [
        _turn(nodes[number], positions[number], after, judged.get(number + 1), judged.get(number + 2))
        for number, after in enumerate(positions[1:])
    ]
    decisive = min(decisive_ply(analysis) if analysis else 0, len(turns))
    last = positions[-1]
    board = record.rules.board
    return {
        "black": _known(record.black),
        "white": _known(record.white),
        "result": record.result if record.result != "*" else "",
        "tags": [[name, value] for name, value in _tags(record) if value not in _UNKNOWN],
        "source": game.source,
        "trouble": game.trouble,
        "comments": list(record.line.comments),
        "rows": board.rows,
        "columns": board.columns,
        "board": record.start.cells,
        "to_move": record.start.to_move.symbol,
        "end": str(last.result) if last.result is not None else "",
        "lead": _first_lead(judged.get(1), record.start, last, len(turns)),
        "opening": _opening(record),
        "decisive": decisive,
        "ply": decisive if game.ply is None else min(game.ply, len(turns)),
        "turns": turns,
        "analysis": analysis_words(analysis) if analysis else [],
        "sides": sides_table(analysis) if analysis else [],
    }


def _opening(record: Record) -> str:
    """Return the name of the opening, and after which ply the game has it; "" without one."""
    named = opening_of(record)
    return "" if named is None else f"{named.opening} (ply {named.ply})"


def _known(name: str) -> str:
    return "" if name in _UNKNOWN else name


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    yield from record.tags.pairs
    if str(record.rules) != "othello":
        yield "Rules", str(record.rules)


def _judged_turns(analysis: Mapping[str, Any] | None, plies: int) -> dict[int, Mapping[str, Any]]:
    turns = analysis["turns"] if analysis else []
    return {turn["ply"]: turn for turn in turns if 1 <= turn["ply"] <= plies}


def _first_lead(turn: Mapping[str, Any] | None, start: Position, last: Position, plies: int) -> float | None:
    """Black's lead at the start, as far as it is known."""
    if plies == 0 and last.result is not None:
        return last.result.score
    if turn is None or turn.get("best_score") is None or turn.get("best_kind") == str(Kind.WLD):
        return None
    return _lead(float(turn["best_score"]), start.to_move)


def _lead(value: float, mover: Color) -> float:
    lead = value if mover is Color.BLACK else -value
    return int(lead) if lead == int(lead) else lead


def _turn(
    node: Node,
    before: Position,
    after: Position,
    judged: Mapping[str, Any] | None,
    following: Mapping[str, Any] | None,
) -> dict[str, object]:
    """Return one turn; what says nothing is left out."""
    sign = _sign(node, judged)
    lines = _variations(node, before)
    fields: dict[str, object] = {
        "play": _played(node.move, before, after),
        "sign": sign,
        "mistake": sign in _MISTAKES,
        "comments": list(node.comments),
        "notes": _notes(node),
    }
    if judged is not None:
        fields |= analyzed_words(judged, before)
        fields["best"] = list(judged.get("best") or ())
        best = _moves_line(judged.get("pv") or (), before)
        if best and not judged.get("forced"):
            value = value_words(judged, "best_", before.to_move)
            lines.insert(0, {"name": "Best line", "value": value, "play": best})
        if sign:
            fields["reasons"] = reasons(judged, before, (following or {}).get("pv") or ())
        fields["moves"] = [_scored(scored, judged, before) for scored in judged.get("moves") or ()]
    lead = _turn_lead(node, before, after, judged)
    if lead is not None:
        fields["lead"] = lead
    fields["lines"] = lines
    return {name: value for name, value in fields.items() if value or name == "lead"}


def _sign(node: Node, judged: Mapping[str, Any] | None) -> str:
    if judged is not None:
        return str(judged.get("sign") or "")
    return next((SIGNS[nag] for nag in node.nags if nag in SIGNS), "")


def _turn_lead(node: Node, before: Position, after: Position, judged: Mapping[str, Any] | None) -> float | None:
    """Black's lead after a turn: of the analysis, the record, or of the end of the game."""
    if judged is not None and judged.get("score") is not None and judged.get("kind") != str(Kind.WLD):
        return _lead(float(judged["score"]), before.to_move)
    if judged is None and node.evaluation is not None and node.evaluation.kind is not Kind.WLD:
        return _lead(node.evaluation.value, before.to_move)
    return after.result.score if after.result is not None else None


def _notes(node: Node) -> list[str]:
    """Return the notes of the record about a turn, without its comments."""
    texts = dict(written_notes(node))
    return [f"{words} {texts[name] or 'none'}" for name, words in _NOTES.items() if name in texts]


def _scored(scored: Mapping[str, Any], judged: Mapping[str, Any], before: Position) -> dict[str, object]:
    """Return one of all moves of a turn, with its value in words and on the board, and the answer to it."""
    fields: dict[str, object] = {
        "play": _moves_line(scored["pv"][:_ANSWERS], before),
        "value": value_words(scored, "", before.to_move),
        "short": f"{'' if scored['kind'] == str(Kind.EXACT) else '~'}{format_score(scored['score'])}",
    }
    loss = judged["best_score"] - scored["score"]
    return fields | ({"loss": loss} if loss > 0 else {})


# --- lines of play


def _played(move: Move, before: Position, after: Position) -> str:
    changed = (before.black & after.white) | (before.white & after.black)
    return f"{move}:" + "".join(str(SQUARES[square]) for square in bits(changed))


def _moves_line(moves: Iterable[str], position: Position) -> str:
    """Return a line of moves that follow the rules, up to the first that does not."""
    played = []
    try:
        for text in moves:
            move = Move.parse(text)
            after = position.play(move)
            played.append(_played(move, position, after))
            position = after
    except (IllegalMoveError, InvalidMoveError):
        pass
    return " ".join(played)


def _variations(node: Node, before: Position) -> list[dict[str, object]]:
    """Return the lines that a record gives in place of a turn; of a variation in a variation the whole line."""
    lines: list[dict[str, Any]] = []
    total = 0
    for line in _whole_lines(node.variations, ()):
        total += 1
        if len(lines) == _MAX_LINES:
            continue
        data = _nodes_line(line, before)
        if data["play"]:
            lines.append({"name": f"Variation {len(lines) + 1}", **data})
    if total > _MAX_LINES:
        more = f"The record has {total - _MAX_LINES} more variations here."
        lines[-1]["comments"] = [*lines[-1]["comments"], more]
    return lines


def _whole_lines(lines: Iterable[Line], prefix: tuple[Node, ...]) -> Iterator[tuple[tuple[str, ...], list[Node]]]:
    for line in lines:
        yield line.comments, [*prefix, *line.nodes]
        for number, node in enumerate(line.nodes):
            yield from _whole_lines(node.variations, (*prefix, *line.nodes[:number]))


def _nodes_line(line: tuple[tuple[str, ...], list[Node]], position: Position) -> dict[str, object]:
    comments, nodes = [*line[0]], line[1]
    value = ""
    played: list[str] = []
    for node in nodes:
        try:
            after = node.played_on(position)
        except IllegalMoveError:
            comments.append(f"{node.move} is not a legal move here.")
            break
        if not played and node.evaluation is not None:
            value = format_evaluation(node.evaluation)
        comments += [f"{node.move}: {comment}" for comment in node.comments]
        played.append(_played(node.move, position, after))
        position = after
    return {"value": value, "play": " ".join(played), "comments": comments}
