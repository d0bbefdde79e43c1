"""The values of GGF, read and written: results, dates, clocks and moves.

Source: Michael Buro's description of the Generic Game Format (skatgame.net/mburo/ggsa/ggf), and what the server
and the programs write.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import reversi._regex as re
from reversi._core import PASS, Move, Square
from reversi.arguments import excerpt
from reversi.color import Color
from reversi.errors import RecordError
from reversi.records.formats.results import read_spelled
from reversi.records.notes import RecordedScore, clean, clean_comments
from reversi.records.outcome import UNDECIDED, Outcome
from reversi.records.record import Node, Record, is_result
from reversi.records.replay import board_result
from reversi.rules import Rules
from reversi.score import Kind, Result

CARRIED: Final = {
    "PC": "Site",
    "PB": "Black",
    "PW": "White",
    "RB": "BlackElo",
    "RW": "WhiteElo",
    "KB": "BlackBid",
    "KW": "WhiteBid",
    "KM": "Komi",
}
"""Tags of GGF whose values are those of ours as they stand."""

KNOWN: Final = frozenset((*CARRIED, "GM", "DT", "TI", "TB", "TW", "TY", "RE", "BO", "B", "W", "CO"))
"""Every tag of GGF that means something here."""

_NUMBER: Final = r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})"
_OUTCOME = re.compile(rf"({_NUMBER})\s*(?::\s*([A-Za-z])\s*)?")
_FLAGS: Final = {"r": "resignation", "t": "time forfeit", "l": "abandoned", "s": "agreement"}
_LETTERS: Final = {word: letter for letter, word in _FLAGS.items()}

_DAY = re.compile(r"[0-9]{4}\.[0-9]{2}\.[0-9]{2}")
_TIME = re.compile(r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: [A-Za-z]{1,5})?")

_TYPE = re.compile(r"s?[0-9]{1,2}((?:[kabw]|r[0-9]{1,2})*)", re.IGNORECASE)
_MOVE = re.compile(r"\s*(?:(?P<square>[A-Ha-h][1-8])|(?P<passed>[Pp][Aa][^/]*|--))\s*(?P<rest>.*)", re.DOTALL)
_NOTED = re.compile(rf"\s*({_NUMBER})?\s*(?:/\s*([0-9]{{0,9}}\.?[0-9]{{0,9}})\s*)?")


@lru_cache(1 << 8)
def parse_outcome(text: str, komi: float, rules: Rules) -> Outcome:
    """Return the parts of ``RE``: Black's score less the komi, and how the game ended; or what else is a result.

    Args:
        text: the value.
        komi: the komi, from Black's view.
        rules: the rules of the game.
    """
    text = text.strip()
    match = _OUTCOME.fullmatch(text)
    if match is None:
        return read_spelled(text, rules) or Outcome("*", rules, None if text in UNDECIDED else text)
    letter = (match[2] or "").lower()
    termination = _FLAGS.get(letter, letter) or None
    written = float(match[1])
    return Outcome.by_score(written + komi, match[1], rules, termination=termination, won_by=written)


def format_outcome(record: Record) -> str:
    """Return the value of ``RE`` for a record. A win without a count becomes one by all squares, less the komi."""
    said = [record.tags.get(name, "") for name in ("Termination", "Komi", "Score")]
    return _format_outcome(Outcome.of(record), board_result(record), *said)


@lru_cache(1 << 8)
def _format_outcome(
    outcome: Outcome, on_board: Result | None, termination: str, komi_text: str, written: str
) -> str:
    letter = _LETTERS.get(termination, termination if re.fullmatch("[a-z]", termination) else "")
    flag = f":{letter}" if letter else ""
    komi, rules = parse_komi(komi_text), outcome.rules
    if not is_result(outcome.text) or outcome.text == "*":
        return "?" if _OUTCOME.fullmatch(termination.strip()) else termination or "?"
    if outcome.discs is not None:
        score = outcome.score_on(on_board) or 0
        return f"{score - komi:+.3f}{flag}"
    if parse_outcome(written, komi, rules) == Outcome(outcome.text, rules, None, written):
        return f"{written}{flag}"
    cells = rules.board.cells
    by_all = {None: 0, Color.BLACK: cells, Color.WHITE: -cells}[outcome.winner]
    return f"{by_all - komi:+.3f}{flag}"


def parse_komi(text: str) -> float:
    """Return a komi in discs; 0 where the text is not a komi."""
    text = text.strip()
    return float(text) if re.fullmatch(_NUMBER, text) else 0.0


def format_date(date: str, time_of_day: str | None) -> str:
    if time_of_day and _DAY.fullmatch(date) and _TIME.fullmatch(time_of_day):
        return f"{date}_{time_of_day.replace(' ', '.')}"
    return date


def parse_clock_value(text: str) -> str:
    """Return the time control of ``TI``: ``main+increment`` without a grace time, else as written."""
    main, slash, extra = text.partition("/")
    return f"{main}+{extra}" if slash and extra and "/" not in extra and "+" not in text else text


def format_clock_value(text: str) -> str:
    return text.replace("+", "/") if text.count("+") == 1 and "/" not in text else text


def match_type(rules: Rules) -> str:
    """Return the type of a game (``TY``) that its rules say by themselves: ``8``, ``8a`` for misère."""
    return f"{rules.board.rows}{'a' if rules.misere else ''}"


def type_flags(text: str) -> str | None:
    """Return the letters after the size in a type (``TY``), in lower case; ``None`` if the text is not a type."""
    match = _TYPE.fullmatch(text.strip())
    return None if match is None else match[1].lower()


def parse_move(text: str) -> Node:
    """Return a turn with its evaluation and its time, as ``B`` and ``W`` give them: ``f5/1.50/0.01``.

    What follows the move and is neither is kept as a comment.

    Raises:
        RecordError: no move at all.
    """
    match = _MOVE.fullmatch(text)
    if match is None:
        raise RecordError(f"{excerpt(text)} is not a move")
    move: Move = Square(match["square"].lower()) if match["square"] else PASS
    notes = match["rest"]
    if not notes:
        return Node(move)
    noted = _NOTED.fullmatch(notes[1:]) if notes[0] == "/" else None
    try:
        if noted is None:
            raise RecordError("no value and time")
        value, seconds = noted[1], noted[2]
        return Node(
            move,
            evaluation=RecordedScore(float(value), Kind.HEURISTIC) if value else None,
            elapsed=float(seconds) if seconds and seconds != "." else None,
        )
    except RecordError:
        return Node(move, comments=(notes,))


def read_turn(written: str, node: Node) -> tuple[str, ...]:
    """Give a turn what stands in its value and in the comments after it, as written; return all comments."""
    value, *after = written.split("]")
    turn = parse_move(clean(value.partition("[")[2]))
    node.evaluation, node.elapsed = turn.evaluation, turn.elapsed
    comments = [comment for text in after for comment in comments_of(text.partition("[")[2])]
    return (*turn.comments, *comments)


def comments_of(value: str) -> tuple[str, ...]:
    """Return the comments that a value of ``CO`` is: one for each line."""
    return clean_comments(value.split("\n"))


def format_move(move: Move, evaluation: RecordedScore | None, elapsed: float | None) -> str:
    """Return the value of ``B`` or ``W`` for a turn."""
    text = "PA" if move.is_pass else str(move)
    if evaluation is None and elapsed is None:
        return text
    text += "/" if evaluation is None else f"/{evaluation.value:.2f}"
    return text if elapsed is None else f"{text}/{_plain(elapsed)}"


def _plain(seconds: float) -> str:
    return f"{seconds:.3f}".removesuffix("0")
