"""Writing games in SGF (FF[4], ``GM[2]``): everything that a record holds, and in a form that other programs read.

Squares are ``f5`` and passes ``PA``, as Edax has them; the start is always set up. What FF[4] has no property for
goes into properties of this program: ``TAG[name:value]`` for tags, ``KV`` for the kind of a value, ``EMT`` for the
seconds that a turn took, ``NAG`` for glyphs and ``FLIPS`` for discs flipped by hand.
`read_sgf` reads the record back as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import reversi._regex as re
from reversi._core import PASS, SQUARES, Position, State
from reversi.arguments import check_type
from reversi.color import Color
from reversi.errors import RecordError
from reversi.records.dialects import complete_entry
from reversi.records.entry import Entry
from reversi.records.formats.sgf.reader import MAX_TREES, tags_of
from reversi.records.formats.sgf.values import (
    CARRIED,
    GLYPHS,
    IN_NODES,
    KNOWN,
    Properties,
    compose,
    escape,
    format_date,
    format_result,
    format_size,
)
from reversi.records.outcome import Outcome
from reversi.records.record import DERIVED_TAGS, MAX_DEPTH, ROSTER, Line, Node, Record, Tags, framed_moves, is_bare
from reversi.records.replay import last_position
from reversi.rules import OTHELLO
from reversi.score import Kind
from reversi.text.boards import format_board

_COLUMNS: Final = 79
_MOVES: Final = {
    color: [f";{letter}[{'PA' if move.is_pass else move}]" for move in (*SQUARES, PASS)]
    for color, letter in ((Color.BLACK, "B"), (Color.WHITE, "W"))
}
_FRAMES: Final = (";B[--]", ";W[--]")
_MOVES_OF_LINE: Final = _COLUMNS // len(_FRAMES[0]) * len(_FRAMES[0])
_UNKNOWN_VALUES: Final = ("?", "????.??.??")
_PROPERTIES: Final = {tag: name for name, tag in CARRIED.items()}
_STANDARD: Final = {glyph: name + (f"[{degree}]" if degree else "[]") for (name, degree), glyph in GLYPHS.items()}
_NAME = re.compile(r"[A-Z]{1,60}")
_GAME = re.compile(r"\n(?=\(;)")
_KEPT = re.compile(r"%sgf ([A-Z]{1,60})((?:\[(?:[^\]\\]|\\.)*+\])+)")
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


def format_sgf(record: Record) -> str:
    """Return the text of one game.

    Raises:
        RecordError: variations are nested more than `MAX_DEPTH` deep, or there are
            more than `MAX_TREES` turns in a row that have some.
    """
    check_type("record", record, Record)
    first, *others = _root(record)
    root = [f"(;{first}", *others, _comment(record.line.comments)]
    turn = record.start.to_move
    moves = _wrapped_moves(record.line, turn) or _wrapped([*_line(record.line, turn, 0, 0), ")"])
    return "\n".join([*_wrapped(root), *moves]) + "\n"


# --- the game


def _root(record: Record) -> list[str]:
    """Return the properties of the game, those of this program only where the others do not say it."""
    end = last_position(record)
    properties = _properties(record, end)
    read, result = _read_back(record, properties, end)
    tags = record.tags
    named: list[tuple[str, str]] = []
    if read != tags or result != record.result:
        several = _several(tags.names)
        named = [
            (name, value)
            for name, value in tags.pairs
            if name not in ROSTER or name in several or read.get(name) != value
        ]
        if result != record.result or any(name in read and name not in tags for name in ("Score", "Termination")):
            named.append(("Result", record.result))
    if record.start.state is not State.FRESH:
        named.append(("Board", format_board(record.start)))
    plain = [f"{name}[{']['.join(values)}]" for name, values in properties.items()]
    values = [f"[{compose(*pair)}]" for pair in named]
    own = ["TAG" + values[0], *values[1:]] if values else []
    return [*_head(record.start), *plain, *own]


def _read_back(record: Record, properties: Properties, end: Position | None) -> tuple[Tags, str]:
    """Return the tags and the result that a reader makes of the properties of FF[4] and the turns alone.

    Args:
        record: the record.
        properties: these properties.
        end: the position that its game ends in, ``None`` where a turn is not allowed.
    """
    pairs, outcome = tags_of(properties, record.rules)
    tags = Tags(pairs)
    if end is None or record.start.state is not State.FRESH or record.line.lists_flips:
        start = record.start
        fresh = Position.from_discs(start.black, start.white, start.to_move, start.rules)
        bare = Record(tags, fresh, Line([Node(move) for move in record.moves]), outcome.text)
        complete_entry(Entry(1, 1, bare, ours=False))
        return tags, bare.result
    return tags, outcome.settled(end.result)


@lru_cache(64)
def _head(start: Position) -> tuple[str, ...]:
    """Return the properties of a game that say what it is and where it starts."""
    pieces = [f"FF[4]GM[2]CA[UTF-8]SZ[{format_size(start.rules.board)}]"]
    if start.rules != OTHELLO:
        pieces.append(f"RU[{start.rules}]")
    for name, discs in (("AB", start.black), ("AW", start.white)):
        squares = "".join(f"[{square}]" for square in SQUARES if discs >> square.index & 1)
        pieces.append(name + squares if squares else "")
    if not start.black | start.white:
        pieces.append("AE[a1]")
    return (*pieces, f"PL[{_letter(start.to_move)}]")


def _properties(record: Record, end: Position | None) -> Properties:
    """Return the tags that FF[4] has properties for, the result, and what other files in SGF brought along."""
    properties: Properties = {}
    tags, several = record.tags, _several(record.tags.names)
    for name, value in tags.pairs:
        identifier = _identifier(name)
        if identifier is None or identifier in properties or value in _UNKNOWN_VALUES:
            continue
        if name == "TimeControl" and not _NUMBER.fullmatch(value):
            continue
        values = [value]
        if name in several and identifier not in KNOWN:
            values = [text for other, text in tags.pairs if other == name]
        if identifier == "DT":
            values = [format_date(value)]
        properties[identifier] = [*map(escape, values)]
    other = tags.get("RE") if record.result == "*" and "Termination" not in tags else None
    score = Outcome.of(record).score_on(None if end is None else end.result)
    result = other or format_result(record.result, score, tags.get("Termination"))
    properties["RE"] = [escape(result)]
    return properties


def _several(names: tuple[str, ...]) -> set[str]:
    """Return the names that come more than once."""
    return (
        set() if len(set(names)) == len(names) else {name for name, count in Counter(names).items() if count > 1}
    )


@lru_cache(1 << 10)
def _identifier(name: str) -> str | None:
    """Return the property that a tag becomes, or was before it was read; ``None`` for any other tag."""
    if name in _PROPERTIES or name == "Date":
        return _PROPERTIES.get(name, "DT")
    if name.endswith("-") and name[:-1] in DERIVED_TAGS:
        name = name[:-1]
    return name if _NAME.fullmatch(name) and name not in KNOWN else None


# --- turns


def _line(line: Line, turn: Color, depth: int, trees: int) -> Iterator[str]:
    opened: list[tuple[Node, Color]] = []
    for node in line.nodes:
        if node.variations:
            if depth == MAX_DEPTH or trees + len(opened) + 2 > MAX_TREES:
                raise RecordError("variations nested too deep to be written")
            opened.append((node, turn))
            yield "("
        yield _node(node, turn)
        turn = turn.opponent
    for count, (node, mover) in enumerate(reversed(opened), 1):
        yield ")"
        for variation in node.variations:
            begins = bool(variation.nodes) and not variation.nodes[0].variations
            comment = _comment(variation.comments)
            yield f"(;{comment}" if comment or not begins else "("
            yield from _line(variation, mover, depth + 1, trees + len(opened) - count + 2)
            yield ")"


def _wrapped_moves(line: Line, turn: Color) -> list[str]:
    """Return the turns in lines, where there is nothing but moves that the compiled core read; else nothing."""
    if line.packed is None or line.packed.comments:
        return []
    frames = _FRAMES if turn is Color.BLACK else _FRAMES[::-1]
    text = framed_moves(line.packed.moves, *frames, "PA")
    lines = [text[at : at + _MOVES_OF_LINE] for at in range(0, len(text), _MOVES_OF_LINE)]
    return [*lines[:-1], "".join(lines[-1:]) + ")"]


def _node(node: Node, turn: Color) -> str:
    text = _MOVES[turn][node.move.index]
    if is_bare(node):
        return text
    if node.evaluation is not None:
        value = node.evaluation.value if turn is Color.BLACK else -node.evaluation.value
        text += f"V[{value:g}]"
        if node.evaluation.kind is not Kind.HEURISTIC:
            selective = node.evaluation.kind is Kind.SELECTIVE
            text += f"KV[{node.evaluation.kind}{f' {node.evaluation.confidence}%' if selective else ''}]"
    if node.clock is not None:
        text += f"{_letter(turn)}L[{_seconds(node.clock)}]"
    if node.elapsed is not None:
        text += f"EMT[{_seconds(node.elapsed)}]"
    if len(node.nags) == 1 and node.nags[0] in _STANDARD:
        text += _STANDARD[node.nags[0]]
    elif node.nags:
        text += "NAG" + "".join(f"[{nag}]" for nag in node.nags)
    if node.flips is not None:
        text += "FLIPS" + ("".join(f"[{square}]" for square in node.flips) or "[]")
    comments, kept = _split(node.comments)
    return text + _comment(comments) + kept


def _split(comments: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Return the comments that are text, and the properties that the last of them were before they were read."""
    kept, names = "", set()
    while comments:
        match = _KEPT.fullmatch(comments[-1])
        if match is None or match[1] in IN_NODES or match[1] in names:
            break
        names.add(match[1])
        kept = match[1] + match[2] + kept
        comments = comments[:-1]
    return comments, kept


def _comment(comments: tuple[str, ...]) -> str:
    """Return the property of comments, one on a line; none of them looks like the beginning of a game."""
    if not comments:
        return ""
    text = _GAME.sub("\n\\\\", escape("\n".join(comments)))
    return f"C[{text}]"


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


def _letter(color: Color) -> str:
    return "B" if color is Color.BLACK else "W"


def _wrapped(pieces: list[str]) -> Iterator[str]:
    """Yield the pieces one after the other, in lines of up to 79 characters where a piece ends in time."""
    line, width = "", 0  # of what follows the last line end
    for piece in pieces:
        head, _, rest = piece.partition("\n") if "\n" in piece else (piece, "", None)
        if line and width + len(head) > _COLUMNS:
            yield line
            line, width = "", 0
        line += piece
        width = width + len(head) if rest is None else len(rest.rpartition("\n")[2])
    yield line
