r"""What is noted about a turn: a value, times, flips and free text; and how braces hold it.

In braces stand free text and the commands ``[%clk …]``, ``[%emt …]``, ``[%eval …]``, ``[%flips …]``.

In the text a backslash protects the next character: ``\}``, ``\\``, and ``\[`` where a bracket would begin a
command or look like the tag of a new game. A line end is a blank. The clock, and the time that the turn took
(``emt``), are ``h:mm:ss``, with decimals if need be; the value is ``+4 exact``, of a selective search
``+4 selective 95%``; the flips are squares. Commands that say something else are left in the text as they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import NoneType
from typing import Final, Protocol

import reversi._regex as re
from reversi._core import SQUARES, Square
from reversi.arguments import check_type, excerpt
from reversi.errors import RecordError
from reversi.score import Kind, MoveValue, Score

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_SPECIAL = re.compile(r"\\(?P<escaped>.)|\[%(?P<name>clk|emt|eval|flips)(?=[ \]])", re.DOTALL)
_VALUE_END = re.compile(r"[\]\\]")
_ESCAPED: Final = frozenset("\\}[")

_CLOCK = re.compile(r"([0-9]{1,6}):([0-5][0-9]):([0-5][0-9](?:\.[0-9]{1,3})?)")
_VALUE = re.compile(r"([+-]?[0-9]{1,4}(?:\.[0-9]{1,2})?) +([a-z]+)(?: +([0-9]{1,3})%)?")
_TIME: Final = r"(?:0|[1-9][0-9]{0,5}):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{0,2}[1-9])?"
_SEPARATED: Final = r"(?: (?!\})|(?=\}))"
_AS_WRITTEN = re.compile(  # commands in their order, then words, one blank between them
    rf"(?:(?!\}})(?:\[%clk {_TIME}\]{_SEPARATED})?(?:\[%emt {_TIME}\]{_SEPARATED})?"
    r"(?:\[%eval (?!-0 )[+-](?:0|[1-9][0-9]{0,3})(?:\.[0-9]?[1-9])?"
    rf" (?:exact|lower|upper|wld|heuristic|book|selective (?:[1-9]?[0-9]|100)%)\]{_SEPARATED})?"
    r"(?:[^ \\\[}]++(?: [^ \\\[}]++)*+)?\})*+"
)
_KINDS: Final = {kind.value: kind for kind in Kind}
_SQUARES: Final = frozenset(map(str, SQUARES))


def clean(text: str) -> str:
    """``text`` on one line: control characters and lone surrogates become blanks."""
    return text if text.isprintable() else _UNPRINTABLE.sub(" ", text)


def clean_comments(comments: Iterable[str]) -> tuple[str, ...]:
    """Comments as a record holds them: on one line each, without blanks around them, none empty."""
    return tuple(text for text in (clean(comment).strip(" ") for comment in comments) if text)


def on_one_line(text: str) -> str:
    """Return a comment on one line: a line end with the blanks around it is a blank, a tab too."""
    if "\n" in text:
        first, *others, last = text.split("\n")
        text = " ".join((first.rstrip(" \t"), *(line.strip(" \t") for line in others), last.lstrip(" \t")))
    return text.replace("\t", " ")


@dataclass(frozen=True, slots=True)
class RecordedScore:
    """The value that a move was given, from the view of the player who made it.

    Attributes:
        value: discs; kept to two decimals.
        kind: what the value states.
        confidence: percent, as in a `reversi.Score`: of a ``SELECTIVE`` value how often it is the exact one,
            ``None`` for a ``HEURISTIC`` value, 100 for every other kind. May be left out.

    Raises:
        RecordError: the value is not a number of discs, or the confidence does not fit the kind.
    """

    value: float
    kind: Kind
    confidence: int | None = None

    def __post_init__(self) -> None:
        check_type("value", self.value, int, float)
        check_type("kind", self.kind, Kind)
        check_type("confidence", self.confidence, int, NoneType)
        if not math.isfinite(self.value) or abs(value := round(self.value, 2)) >= 10_000:
            raise RecordError(f"{self.value} is not a value in discs")
        sure = 100 if self.confidence is None else self.confidence
        if not 0 <= sure <= 100 or (sure != 100 and self.kind is not Kind.SELECTIVE):
            raise RecordError(f"a value of kind {self.kind} cannot have a confidence of {sure}%")
        object.__setattr__(self, "confidence", None if self.kind is Kind.HEURISTIC else sure)
        object.__setattr__(self, "value", int(value) if value == int(value) else value)

    @classmethod
    def of(cls, score: Score | MoveValue) -> RecordedScore:
        """Return the part of a score that a record holds."""
        check_type("score", score, Score, MoveValue)
        return cls(score.value, score.kind, score.confidence)


class Noted(Protocol):
    """A turn as far as commands in braces speak of it; a `reversi.records.record.Node` is one."""

    clock: float | None
    elapsed: float | None
    evaluation: RecordedScore | None
    flips: tuple[Square, ...] | None


def read_note(body: str, node: Noted | None) -> str:
    """Return the free text of a comment, given without its braces; its commands go to ``node``.

    Args:
        body: what stands between the braces.
        node: the turn that the comment follows, or ``None`` for a comment before the first one, where nothing is
            a command. Its times, evaluation and flips are set where the comment gives them for the first time.

    Raises:
        RecordError: flips that are no squares.
    """
    if "\n" in body or "\t" in body:
        body = on_one_line(body)
    if "\\" not in body and (node is None or "[%" not in body):
        return body.strip(" ")
    parts: list[str] = []
    text: list[str] = []
    at = begin = end = 0
    while (match := _SPECIAL.search(body, begin)) is not None:
        begin = match.end()
        if match["name"] is None:
            text.append(body[at : match.start()] + match["escaped" if match["escaped"] in _ESCAPED else 0])
            at = begin
            continue
        if end < begin:  # found once for all commands before it: of a thousand open ones each would look for it
            bracket = _VALUE_END.search(body, begin)
            end = bracket.start() if bracket else len(body)
        if not body.startswith("]", end):
            continue
        value, begin = body[begin:end].strip(" "), end + 1
        if node is not None and _command(match["name"], value, node):
            text.append(body[at : match.start()])
            parts.append("".join(text).strip(" "))
            text = []
            at = begin
    text.append(body[at:])
    parts.append("".join(text).strip(" "))
    return " ".join(filter(None, parts))


def as_written(bodies: Iterable[str]) -> list[str] | None:
    """Return comments, without their braces, on one line each if this program writes them so, else ``None``."""
    text = on_one_line("}".join(bodies))
    return text.split("}") if _AS_WRITTEN.fullmatch(text + "}") and text.isprintable() else None


def _command(name: str, value: str, node: Noted) -> bool:
    if name == "clk" and node.clock is None and (match := _CLOCK.fullmatch(value)):
        node.clock = _seconds(match)
        return True
    if name == "emt" and node.elapsed is None and (match := _CLOCK.fullmatch(value)):
        node.elapsed = _seconds(match)
        return True
    if name == "eval" and node.evaluation is None and (match := _VALUE.fullmatch(value)):
        kind, percent = _KINDS.get(match[2]), match[3]
        if kind is None or (percent is not None) != (kind is Kind.SELECTIVE) or int(percent or 0) > 100:
            return False
        node.evaluation = RecordedScore(float(match[1]), kind, int(percent or 100))
        return True
    if name == "flips" and node.flips is None:
        words = value.split()
        strange = next((word for word in words if word.lower() not in _SQUARES), None)
        if strange is not None:
            raise RecordError(f"[%flips ...]: {excerpt(strange)} is not a square")
        node.flips = tuple(sorted({Square(word) for word in words}))
        return True
    return False


def _seconds(match: re.Match[str]) -> float:
    return round(int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3]), 3)


def written_notes(node: Noted) -> Iterator[tuple[str, str]]:
    """Yield what is noted about a turn as text, by the names of the commands and in their order."""
    if node.clock is not None:
        yield "clk", format_clock(node.clock)
    if node.elapsed is not None:
        yield "emt", format_clock(node.elapsed)
    if node.evaluation is not None:
        yield "eval", format_evaluation(node.evaluation)
    if node.flips is not None:
        yield "flips", " ".join(map(str, node.flips))


def format_clock(seconds: float) -> str:
    """Return a time as ``h:mm:ss``, with up to three decimals if it has any."""
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    decimals = f".{thousandths:03d}".rstrip("0") if thousandths else ""
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}{decimals}"


def format_evaluation(evaluation: RecordedScore) -> str:
    """Return a value with its kind: ``+4 exact``, ``-2.5 heuristic``, ``+6 selective 95%``."""
    value = evaluation.value
    number = f"{value:+d}" if isinstance(value, int) else f"{value:+.2f}".rstrip("0").rstrip(".")
    percent = f" {evaluation.confidence}%" if evaluation.kind is Kind.SELECTIVE else ""
    return f"{number} {evaluation.kind}{percent}"
