"""Results as other programs and people write them: discs, a winner, a margin, or a number of several meanings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import reversi._regex as re
from reversi._core import Position
from reversi.records.outcome import Outcome, counts_for, winner_word
from reversi.records.record import is_result, read_spelling
from reversi.rules import Rules
from reversi.score import Result

_BLACK_WINS, _WHITE_WINS, _NOBODY_WINS = "1-0", "0-1", "1/2-1/2"
_WORDS: Final[dict[str, dict[float, str]]] = {  # what a number says about a result; "lead" and "discs" count
    "winner": {1: _BLACK_WINS, 0: _NOBODY_WINS, -1: _WHITE_WINS},
    "player": {1: _BLACK_WINS, 2: _WHITE_WINS, 0: _NOBODY_WINS},
    "points": {1: _BLACK_WINS, 0.5: _NOBODY_WINS, 0: _WHITE_WINS},
    "white points": {0: _BLACK_WINS, 0.5: _NOBODY_WINS, 1: _WHITE_WINS, -1: _NOBODY_WINS, 2: _NOBODY_WINS},
    "white winner": {-1: _BLACK_WINS, 0: _NOBODY_WINS, 1: _WHITE_WINS},
}

NUMBERS: Final = {
    "winner": "1, 0 or -1 for Black, nobody or White",
    "player": "1, 2 or 0 for Black, White or nobody",
    "points": "Black's points",
    "lead": "Black's lead",
    "discs": "Black's discs",
    "white points": "White's points",
    "white winner": "1, 0 or -1 for White, nobody or Black",
    "white lead": "White's lead",
    "white discs": "White's discs",
}
"""What a number can say about a result, each in words."""


class Start(NamedTuple):
    """How games start.

    Attributes:
        position: the position before the first turn.
        outcome_of: reads a result that names no player by the rules of the game.
    """

    position: Position
    outcome_of: Callable[[str], Outcome | None]


_ENOUGH: Final = 3  # finished games that decide whether numbers can be results at all
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,4}(?:\.[0-9]{1,4})?", re.ASCII)
_SLASHED: Final = re.compile(r"([0-9]{1,3})\s*/\s*([0-9]{1,3})", re.ASCII)
_MARGIN: Final = re.compile(r"([bw])\+(?:([0-9]{1,4}(?:\.[0-9]{1,4})?)|([a-z]+))?", re.IGNORECASE | re.ASCII)
_HOW: Final = {
    **dict.fromkeys(("r", "resign"), "resignation"),
    **dict.fromkeys(("t", "time"), "time forfeit"),
    **dict.fromkeys(("f", "forfeit"), "forfeit"),
}
_BLACK: Final = frozenset(("b", "black", "x", "black wins", "black won", "win black", "noir", "schwarz"))
_WHITE: Final = frozenset(("w", "white", "o", "white wins", "white won", "win white", "blanc", "weiß"))
_DRAW: Final = frozenset(("d", "draw", "tie", "drawn", "="))
_OPEN: Final = frozenset(("", "*", "?", "-", "none", "null", "nan", "unfinished", "undecided"))


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None


def read_result(text: str, number_is: str, rules: Rules, players: tuple[str, str] = ("", "")) -> Outcome | None:
    """Return the result that a text says, ``None`` for what is none.

    Args:
        text: the text.
        number_is: what a number says, one of `NUMBERS`.
        rules: the rules of the game.
        players: the names of Black and of White, which a text may give as that of the winner.
    """
    text = text.strip()
    if spelled := read_spelled(text, rules):
        return spelled
    if _is_number(text):
        return _numbered(float(text), number_is, rules)
    word = text.casefold()
    if word in _OPEN:
        return Outcome("*", rules)
    for words, result in ((_BLACK, "1-0"), (_WHITE, "0-1"), (_DRAW, "1/2-1/2")):
        if word in words:
            return Outcome(result, rules)
    if found := _SLASHED.fullmatch(text):
        return Outcome(f"{int(found[1])}-{int(found[2])}", rules)
    if margin := read_margin(text, rules):
        return None if margin.text == "*" else margin  # more than the board has
    if word in (players[0].casefold(), players[1].casefold()) and players[0] != players[1]:
        return Outcome("1-0" if word == players[0].casefold() else "0-1", rules)
    return None


def read_spelled(text: str, rules: Rules) -> Outcome | None:
    """Return the result that a text is in any spelling, as ``40:24`` or ``½-½``, ``None`` for what is none."""
    text = read_spelling(text.strip())
    return Outcome(text, rules) if is_result(text) else None


def read_margin(text: str, rules: Rules) -> Outcome | None:
    """Return the result that a winner with a margin or a reason is, as ``B+12`` or ``W+R``; else ``None``."""
    found = _MARGIN.fullmatch(text)
    if found is None or (found[3] and found[3].lower() not in _HOW):
        return None
    sign = 1 if found[1] in "Bb" else -1
    if found[2]:
        return Outcome.by_score(sign * float(found[2]), f"{'+-'[sign < 0]}{found[2]}", rules)
    return Outcome(winner_word(sign), rules, _HOW[found[3].lower()] if found[3] else None)


def _numbered(number: float, number_is: str, rules: Rules) -> Outcome | None:
    if (words := _WORDS.get(number_is)) is not None:
        return Outcome(words[number], rules) if number in words else None
    if abs(number) > rules.board.cells or number != int(number):
        return None
    if number_is.endswith("lead"):
        counts = counts_for(number if number_is == "lead" else -number, rules)
        return None if counts is None else Outcome(counts, rules)
    sides = int(number), rules.board.cells - int(number)
    black, white = sides if number_is == "discs" else sides[::-1]
    return Outcome(f"{black}-{white}", rules) if number >= 0 else None


def numbers_mean(cells: Sequence[tuple[str, Result | None]], rules: Rules) -> str:
    """Return what the numbers of a column of results say, one of `NUMBERS`.

    Each text comes with how its game ended on the board, ``None`` where it did not.
    """
    return _readings(cells, rules)[0][1]


def numbers_contradict(cells: Sequence[tuple[str, Result | None]], rules: Rules) -> str:
    """Return why a column has no results: how the games ended contradicts every reading; empty where one fits.

    Args:
        cells: as for `numbers_mean`.
        rules: the rules of the games.
    """
    finished = sum(result is not None and _is_number(text) for text, result in cells)
    readings = _readings(cells, rules)[:2]
    if finished < _ENOUGH or 3 * readings[0][0] > 2 * finished:
        return ""
    return ", ".join(f"as {NUMBERS[kind]} it fits {fit} of {finished} finished games" for fit, kind in readings)


def bare_numbers_fit(cells: Sequence[tuple[str, Result | None]], rules: Rules) -> bool:
    """Return whether numbers without a sign are results: every finished game agrees, or others have a sign."""
    finished = sum(result is not None for _, result in cells)
    return _readings(cells, rules)[0][0] == finished if finished else any(text[0] in "+-" for text, _ in cells)


def _readings(cells: Sequence[tuple[str, Result | None]], rules: Rules) -> list[tuple[int, str]]:
    """Return what the numbers of a column may say, the best first, with how many finished games agree."""
    numbers = [(text, result) for text, result in cells if _is_number(text)]
    small = {float(text) for text, _ in numbers} <= {-1.0, 0.0, 0.5, 1.0, 2.0}
    order = [kind for kind in NUMBERS if small or kind not in _WORDS]
    if any(text.startswith("+") for text, _ in numbers):
        order = [kind for kind in order if kind.endswith(("lead", "winner"))]
    readable = [kind for kind in order if all(_numbered(float(text), kind, rules) for text, _ in numbers)]
    fits = [(sum(_agrees(text, result, kind, rules) for text, result in numbers), kind) for kind in readable]
    return sorted(fits or [(0, "lead")], key=lambda one: -one[0])


def _agrees(text: str, result: Result | None, kind: str, rules: Rules) -> bool:
    read = None if result is None else _numbered(float(text), kind, rules)
    return read is not None and result is not None and read.fits(result)
