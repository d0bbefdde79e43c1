"""The positions of games in GGF, the format of the Generic Game Server: start, moves, and who must have made them.

A game is ``(;`` then tags with values in brackets, then ``;)``. Read are the board (``BO``), the type (``TY``, for
misère) and the moves (``B`` and ``W``; squares in any case, a pass as ``PA…`` or ``--``, evaluation and time after
a slash left aside). Source: the readers of NTest and Edax.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from reversi._core import PASS, Move, Position
from reversi.color import Color
from reversi.errors import InputError, RecordError
from reversi.records.record import Node, Record, Tags
from reversi.records.syntax import Source
from reversi.rules import OTHELLO, BoardSize, Objective
from reversi.text.boards import parse_board
from reversi.text.decoding import excerpt

__all__ = ["is_ggf", "read_ggf"]

_BEGIN = re.compile(r"\s*[0-9]{0,3}\s*\(;")
_TAG = re.compile(r"\s*([A-Za-z]{1,3})\s*\[([^\]]*)\]")
_END = re.compile(r"\s*;\)")
_SIZES: Final = (4, 6, 8)
_SIDES: Final = {"B": Color.BLACK, "W": Color.WHITE}


def is_ggf(text: str) -> bool:
    """Whether a text begins as a game in GGF does."""
    return _BEGIN.match(text) is not None


def read_ggf(text: str) -> Iterator[tuple[int, Record | InputError]]:
    """The games of a text in GGF with the line each begins on, or the error that stands in a game's place.

    A record has the start, the moves, and the names of the players; nothing else of a game is read.
    """
    source = Source(text)
    at = 0
    while (begin := text.find("(;", at)) >= 0:
        tags, at = _tags(text, begin + 2)
        end = _END.match(text, at)
        try:
            if end is None:
                raise RecordError("the game does not end with ';)'")
            yield source.line_at(begin), _record(tags)
        except InputError as error:
            yield source.line_at(begin), error
        at = end.end() if end else at


def _tags(text: str, at: int) -> tuple[list[tuple[str, str]], int]:
    tags = []
    while match := _TAG.match(text, at):
        tags.append((match[1].upper(), match[2]))
        at = match.end()
    return tags, at


def _record(tags: list[tuple[str, str]]) -> Record:
    values = dict(reversed(tags))
    if values.get("GM", "othello").strip().lower() != "othello":
        raise RecordError(f"a game of {excerpt(values['GM'])}, not of Othello")
    start = _start(values.get("BO"), "a" in values.get("TY", "").lower())
    names = {name: values[tag] for tag, name in (("PB", "Black"), ("PW", "White")) if tag in values}
    record = Record(Tags(names), start)
    turn = start.to_move
    for name, value in tags:
        if name in _SIDES:
            if _SIDES[name] is not turn:
                raise RecordError(f"ply {len(record.moves) + 1}: {name}[{value[:20]}] is {turn}'s turn")
            record.line.nodes.append(Node(_move(value)))
            turn = turn.opponent
    return record


def _start(board: str | None, misere: bool) -> Position:
    rules = replace(OTHELLO, objective=Objective.FEWEST) if misere else OTHELLO
    if board is None:
        return Position(rules)
    size, _, cells = board.strip().partition(" ")
    if not size.isdecimal() or int(size) not in _SIZES:
        raise RecordError(f"a board of size {excerpt(size)}; there are 4, 6 and 8")
    return parse_board(" ".join(cells.split()), replace(rules, board=BoardSize(int(size), int(size))))


def _move(value: str) -> Move:
    word = value.partition("/")[0].strip()
    return PASS if word.upper().startswith("PA") else Move.parse(word)
