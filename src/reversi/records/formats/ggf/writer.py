"""Writing games in GGF, one per line; `read_ggf` reads back what the format can hold.

Tags come in the order in which the server writes them, then those that another file in GGF brought along, then the
turns, passes as ``PA``. What the format has no place for is left out; `reversi.records.losses` lists it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import reversi._regex as re
from reversi._core import Position
from reversi.arguments import check_type
from reversi.color import Color
from reversi.errors import RecordError
from reversi.records.formats.ggf.reader import tags_of
from reversi.records.formats.ggf.values import (
    CARRIED,
    KNOWN,
    format_clock_value,
    format_date,
    format_move,
    format_outcome,
    match_type,
    parse_komi,
    parse_outcome,
    type_flags,
)
from reversi.records.record import DERIVED_TAGS, Record, Tags, framed_moves
from reversi.records.replay import board_result, flipped_by_hand
from reversi.rules import Rules

_UNKNOWN = re.compile(r"[A-Z]{1,60}")
_WRITTEN = frozenset(
    (*CARRIED.values(), "Date", "Time", "TimeControl", "BlackTimeControl", "WhiteTimeControl", "MatchType")
)
_PLAYERS: Final = frozenset(("Black", "White"))
_FRAMES: Final = ("B[--]", "W[--]")
_SIGNS = str.maketrans("XO", "*O")


def format_ggf(record: Record) -> str:
    """Return the text of one game, on one line without its end.

    Raises:
        RecordError: the rules, the board or discs flipped by hand, which no game in GGF can have.
    """
    check_type("record", record, Record)
    if (reason := _refusal(record)) is not None:
        raise RecordError(reason)
    pieces = [f"{name}[{_value(value)}]" for name, value in _tags(record, format_outcome(record))]
    pieces += [f"CO[{_value(text)}]" for text in record.line.comments]
    turn = record.start.to_move
    if (packed := record.line.packed) is not None and not packed.comments:
        frames = _FRAMES if turn is Color.BLACK else _FRAMES[::-1]
        return "(;" + "".join(pieces) + framed_moves(packed.moves, *frames, "PA") + ";)"
    for node in record.line.nodes:
        side = "B" if turn is Color.BLACK else "W"
        pieces.append(f"{side}[{format_move(node.move, node.evaluation, node.elapsed)}]")
        if node.comments:
            pieces += [f"CO[{_value(text)}]" for text in node.comments]
        turn = turn.opponent
    return "(;" + "".join(pieces) + ";)"


def _refusal(record: Record) -> str | None:
    """Why a game cannot be written in GGF, ``None`` when it can."""
    if (reason := _rules_refusal(record.rules)) is not None:
        return reason
    if flipped_by_hand(record):
        return "discs were flipped by hand, which GGF cannot hold"
    return None


@lru_cache(64)
def _rules_refusal(rules: Rules) -> str | None:
    """Why games by some rules cannot be written in GGF, ``None`` when they can."""
    if rules.board.rows != rules.board.columns:
        return f"a board of {rules.board}, which is not square, as those of GGF are"
    bare = Rules(board=rules.board, objective=rules.objective)
    if not rules.same_play(Rules(board=rules.board, objective=rules.objective, start=rules.start)):
        return f"rules {rules}: games in GGF are played by those of {bare}"
    return None


@lru_cache(1 << 10)
def _carried_name(name: str) -> str | None:
    """Return the name in GGF of a tag that another file in GGF brought along, ``None`` for any other tag."""
    if name.removesuffix("-") in DERIVED_TAGS:
        name = name.removesuffix("-")
    return name if _UNKNOWN.fullmatch(name) and name not in KNOWN else None


def ggf_keeps_tag(record: Record, name: str, value: str, times: int) -> bool:
    """Return whether a tag of a record, whose name comes this many times, is read back from its text in GGF as it
    was.
    """
    check_type("record", record, Record)
    if "]" in value:
        return False
    if _carried_name(name) is not None:
        return True
    if times > 1:
        return False
    if name in ("Termination", "Score"):
        outcome = parse_outcome(format_outcome(record), parse_komi(record.tags.get("Komi", "")), record.rules)
        return (outcome.termination if name == "Termination" else outcome.written) == value
    if name not in _WRITTEN:
        return False
    names = _WRITTEN if name in _PLAYERS else _WRITTEN - _PLAYERS  # of whom there are many
    written = tuple([pair for pair in record.tags.pairs if pair[0] in names])
    return _read_back(written, record.start).get(name) == value


@lru_cache(1 << 8)
def _read_back(written: tuple[tuple[str, str], ...], start: Position) -> dict[str, str]:
    """Return the tags that a reader makes of those of a game that GGF has names for."""
    return dict(tags_of(dict(_tags(Record(Tags(written), start), "?"))))


def ggf_keeps_result(record: Record) -> bool:
    """Return whether the result of a record is read back from its text in GGF as it was."""
    check_type("record", record, Record)
    outcome = parse_outcome(format_outcome(record), parse_komi(record.tags.get("Komi", "")), record.rules)
    return record.result == outcome.settled(board_result(record))


def _value(text: str) -> str:
    """Return a value without the brackets, of which one would end it."""
    return text.replace("[", "(").replace("]", ")") if "]" in text else text


def _tags(record: Record, result: str) -> Iterator[tuple[str, str]]:
    tags = record.tags
    yield "GM", "Othello"
    if tags["Site"] != "?":
        yield "PC", tags["Site"]
    if tags["Date"] != "????.??.??":
        yield "DT", format_date(tags["Date"], tags.get("Time"))
    for name in ("PB", "PW"):
        player = tags[CARRIED[name]]
        yield name, "" if player == "?" else player
    for name in ("RB", "RW"):
        if CARRIED[name] in tags:
            yield name, tags[CARRIED[name]]
    yield from _clocks(record)
    yield "TY", _type(record.rules, tags.get("MatchType", ""))
    for name in ("KB", "KW", "KM"):
        if CARRIED[name] in tags:
            yield name, tags[CARRIED[name]]
    yield "RE", result
    yield from ((carried, value) for name, value in tags.pairs if (carried := _carried_name(name)) is not None)
    yield "BO", _board(record.start)


def _clocks(record: Record) -> Iterator[tuple[str, str]]:
    tags = record.tags
    both = tags.get("TimeControl")
    if both is not None and both.count("/") == 1:  # Black's and White's
        yield from zip(("TB", "TW"), map(format_clock_value, both.split("/")), strict=True)
        return
    if both is not None:
        yield "TI", format_clock_value(both)
    for name, ours in (("TB", "BlackTimeControl"), ("TW", "WhiteTimeControl")):
        if ours in tags:
            yield name, format_clock_value(tags[ours])


@lru_cache(64)
def _type(rules: Rules, given: str) -> str:
    """Return the type of a match, unless it contradicts the rules."""
    flags = type_flags(given)
    same = re.match(rf"\s*s?{rules.board.rows}(?![0-9])", given, re.IGNORECASE)
    return given if flags is not None and same and ("a" in flags) is rules.misere else match_type(rules)


@lru_cache(64)
def _board(start: Position) -> str:
    size, cells = start.rules.board.rows, start.cells.translate(_SIGNS)
    rows = " ".join(cells[at : at + size] for at in range(0, len(cells), size))
    return f"{size} {rows} {'*' if start.to_move is Color.BLACK else 'O'}"
