"""Results as other programs and people write them: discs, a winner, a margin, or a number of several meanings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from reversi.records.outcome import Outcome, counts_for, winner_word
from reversi.records.record import is_result
from reversi.rules import Rules
from reversi.score import Result

NUMBERS: Final = ("winner", "player", "points", "lead", "discs")
"""What a number can say about a result: 1, 0 and -1 for the winner; 1 and 2 for the player who wins, 0 for a draw;
Black's points 1, 0.5 and 0; by how many discs Black leads; how many discs Black has."""

_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,4}(?:\.[0-9]{1,4})?", re.ASCII)
_DISCS: Final = re.compile(r"([0-9]{1,3})\s*[-:–—/]\s*([0-9]{1,3})", re.ASCII)
_MARGIN: Final = re.compile(r"([bw])\+(?:([0-9]{1,4}(?:\.[0-9]{1,4})?)|([a-z]+))?", re.IGNORECASE | re.ASCII)
_HOW: Final = {
    **dict.fromkeys(("r", "resign"), "resignation"),
    **dict.fromkeys(("t", "time"), "time forfeit"),
    **dict.fromkeys(("f", "forfeit"), "forfeit"),
}
_BLACK: Final = frozenset(("b", "black", "x", "black wins", "black won", "win black", "1-0", "noir", "schwarz"))
_WHITE: Final = frozenset(("w", "white", "o", "white wins", "white won", "win white", "0-1", "blanc", "weiß"))
_DRAW: Final = frozenset(("d", "draw", "tie", "drawn", "=", "½-½", "1/2-1/2", "1/2", "0.5-0.5", "½"))
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
    if is_result(text):
        return Outcome(text, rules)
    if _is_number(text):
        return _numbered(float(text), number_is, rules)
    word = text.casefold()
    if word in _OPEN:
        return Outcome("*", rules)
    for words, result in ((_BLACK, "1-0"), (_WHITE, "0-1"), (_DRAW, "1/2-1/2")):
        if word in words:
            return Outcome(result, rules)
    if found := _DISCS.fullmatch(text):
        return Outcome(f"{int(found[1])}-{int(found[2])}", rules)
    if margin := read_margin(text, rules):
        return None if margin.text == "*" else margin  # more than the board has
    if word in (players[0].casefold(), players[1].casefold()) and players[0] != players[1]:
        return Outcome("1-0" if word == players[0].casefold() else "0-1", rules)
    return None


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
    words: dict[str, dict[float, str]] = {
        "winner": {1: "1-0", 0: "1/2-1/2", -1: "0-1"},
        "player": {1: "1-0", 0: "1/2-1/2", 2: "0-1"},
        "points": {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"},
    }
    if number_is in words:
        word = words[number_is].get(number)
        return None if word is None else Outcome(word, rules)
    if abs(number) > rules.board.cells or number != int(number):
        return None
    if number_is == "lead":
        counts = counts_for(number, rules)
        return None if counts is None else Outcome(counts, rules)
    return Outcome(f"{int(number)}-{rules.board.cells - int(number)}", rules) if number >= 0 else None


def numbers_mean(cells: Sequence[tuple[str, Result | None]], rules: Rules) -> str:
    """Return what the numbers of a column of results say, one of `NUMBERS`.

    Each text comes with how its game ended on the board, ``None`` where it did not.
    """
    numbers = [(text, result) for text, result in cells if _is_number(text)]
    values = {float(text) for text, _ in numbers}
    small = values <= {-1.0, 0.0, 0.5, 1.0, 2.0}
    order: Iterable[str] = NUMBERS if small else ("lead", "discs")
    readable = [kind for kind in order if all(_numbered(float(text), kind, rules) for text, _ in numbers)]
    best = [(sum(_agrees(text, result, kind, rules) for text, result in numbers), kind) for kind in readable]
    most = max((count for count, _ in best), default=0)
    return next((kind for count, kind in best if count == most), "lead")


def _agrees(text: str, result: Result | None, kind: str, rules: Rules) -> bool:
    read = None if result is None else _numbered(float(text), kind, rules)
    return read is not None and result is not None and read.fits(result)
