"""The shapes of pasted text that no format of records has, and what each says in a known one.

`known_shape` tries one shape after the other. Each is a function that returns the same board, moves or game as a
text that the readers know, ``None`` for a text of another shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final, NamedTuple

from reversi.errors import InputError
from reversi.rules import Rules, parse_rules
from reversi.text.kinds import TextKind, text_kind
from reversi.text.transcripts import read_transcript_moves

EXAMPLES: Final = "write moves as f5d6c3, or a board as 64 cells of X, O and - with X or O after them"
"""What to write instead of a text that nobody understands."""

_MOST_OF_GRID: Final = 2000
_MOST: Final = 1 << 20  # characters of a text that may be of such a shape
_MOVES: Final = r"(?:[a-hA-H][1-8]|--|[pP][aA]|[pP][sS])"
_BOARD_MOVES = re.compile(rf"\s*([-.XxOo*bBwW]{{64}})\s+([XxOo*bBwW])\s+({_MOVES}(?:[ ,]*{_MOVES})*)\s*")
_RULES = re.compile(r'"rules": *"([^"]*)"')
_SQUARE = re.compile(r"[a-hA-H][1-8]")
_GGS = re.compile(r"\s*\[\s*8((?:\s+[-*O]{8}){8})\s+([*O])\s*\]\s*")
_FAIRY = re.compile(r"\s*((?:[pP1-8]{1,8}/){7}[pP1-8]{1,8})\[[pP]*\]\s+([wb])(?:\s+-){0,2}(?:\s+[0-9]+){0,2}\s*")
_LINK = re.compile(r"\s*https?://\S+\s*")
_IN_LINK = re.compile(rf"(?<![0-9A-Za-z]){_MOVES}(?:[-,.]?{_MOVES}){{2,}}(?![0-9A-Za-z])|(?:[a-h][1-8]){{3,}}")
_SAID = re.compile(rf"\s*(black|white)\s*[,:]\s*({_MOVES}|pass)\s*\.?\s*", re.IGNORECASE)
_NUMBERED = re.compile(r"% Moves: (\S+)\s*\Z")
_CELL = re.compile(r"[0-9]{1,2}|[-.XxOo*_]")
_GLYPHS: Final = str.maketrans(
    {
        **dict.fromkeys("●⚫黒黑", "X"),
        **dict.fromkeys("○⚪白", "O"),
        **dict.fromkeys("＋┼□·", "-"),
        **dict.fromkeys("→➔➜⇒►▶,", " "),
        **dict.fromkeys("“”„\"'‘’`«»「」", " "),
    }
)
_GLYPH_SET: Final = frozenset("●○⚫⚪黒黑白")
_BULLETS = re.compile(
    r"^[ \t]*(?:[>・•*–]|-(?!-))[ \t]*(?=[a-h][1-8])|[-=]>|・(?=[ \t]*[a-h][1-8])", re.IGNORECASE | re.MULTILINE
)


class Shaped(NamedTuple):
    """A text in a known shape: the rules that it names, and how it was read where that is a guess."""

    text: str
    rules: Rules | None = None
    note: str = ""


def known_shape(text: str) -> Shaped:
    """Return a text in a shape that the readers know, itself where it has no other.

    Raises:
        InputError: a grid of numbers that skips one.
    """
    for shape in SHAPES:
        if (len(text) <= _MOST or shape is _own_json) and (shaped := shape(text)) is not None:
            return shaped
    return Shaped(text)


def is_own_json(head: str) -> bool:
    """Return whether a text begins with a position in JSON as the commands write it.

    Positions of several rule sets are a table: each row has its own.
    """
    top = head[:_MOST_OF_GRID]
    if not all(f'"{name}":' in top for name in ("board", "to_move", "rules")):
        return False
    from reversi.records.formats.json_objects import begins_json

    return len(set(_RULES.findall(top))) < 2 and begins_json(head)


def _own_json(text: str) -> Shaped | None:
    """Positions in JSON as the commands write them, one object per line or one alone."""
    if not is_own_json(text):
        return None
    import json

    try:
        objects = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        try:
            objects = [json.loads(text)]
        except (ValueError, RecursionError):
            return None
    if not all(isinstance(one, dict) and {"board", "to_move", "rules"} <= one.keys() for one in objects):
        return None
    if not all(isinstance(one[name], str) for one in objects for name in ("board", "to_move", "rules")):
        return None
    rules = {one["rules"] for one in objects}
    if len(rules) > 1:
        raise InputError("the positions have several rule sets; give those of one at a time")
    return Shaped("\n".join(map(_on_one_line, objects)), parse_rules(rules.pop()))


def _on_one_line(position: dict[str, object]) -> str:
    state = " ended" if position.get("ended") else " --" if position.get("after_pass") else ""
    return f"{position['board']} {position['to_move']}{state}"


def _own_numbers(text: str) -> Shaped | None:
    """A diagram whose discs have numbers, with the moves below it."""
    found = _NUMBERED.search(text)
    return Shaped(found[1]) if found and text_kind(text) is not None and len(text.splitlines()) > 4 else None


def _board_and_moves(text: str) -> Shaped | None:
    """Boards with moves after the side: ``<64 cells> O d6c5f4``. A pass alone is a board after a pass."""
    lines = [line for line in text.splitlines() if line.strip()]
    found = [_BOARD_MOVES.fullmatch(line) for line in lines]
    if not lines or not all(line and _SQUARE.search(line[3]) for line in found):
        return None
    return Shaped("\n".join(f"{line[1]} {line[2]}; {line[3]}" for line in found if line))


def _ggs_board(text: str) -> Shaped | None:
    """A board as GGS writes it: ``[8 -------- … *]``."""
    found = _GGS.fullmatch(text)
    return Shaped(f"{''.join(found[1].split())} {found[2]}") if found else None


def _fairy_fen(text: str) -> Shaped | None:
    """FEN with discs in hand, as Fairy-Stockfish writes it: ``P`` begins and is called white."""
    found = _FAIRY.fullmatch(text)
    if found is None:
        return None
    runs = {**{str(number): "-" * number for number in range(1, 9)}, "/": "", "P": "X", "p": "O"}
    cells = "".join(runs[one] for one in found[1])
    side = "X" if found[2] == "w" else "O"
    return Shaped(f"{cells} {side}", None, "FEN with discs in hand: read as Fairy-Stockfish writes it, P is Black")


def _link(text: str) -> Shaped | None:
    """A link that carries moves."""
    runs = _IN_LINK.findall(text) if _LINK.fullmatch(text) else []
    return Shaped(runs[0], None, f"a link: read as the moves {runs[0]}") if len(set(runs)) == 1 else None


def _said_moves(text: str) -> Shaped | None:
    """A move on a line with the name of its side: ``BLACK, e6``."""
    lines = [line for line in text.splitlines() if line.strip()]
    found = [_SAID.fullmatch(line) for line in lines]
    if len(found) < 1 or not all(found):
        return None
    sides = [line[1].lower() for line in found if line]
    if sides[0] != "black" or any(one == other for one, other in pairwise(sides)):
        return None  # passes that are left out, or another start
    return Shaped(" ".join(line[2] for line in found if line))


def _grid_of_numbers(text: str) -> Shaped | None:
    """A score sheet: a board whose cells have the numbers of the moves."""
    lines = [line for line in text[:_MOST_OF_GRID].splitlines() if line.strip() and line.lstrip()[0] not in "%#"]
    rows = [_CELL.findall(line) for line in lines]
    if rows and not any(cell.isdecimal() for cell in rows[0]):
        rows = rows[1:] if len(rows) == 9 else rows
    labelled = len(rows) == 8 and all(len(row) == 9 and row[0] == str(at) for at, row in enumerate(rows, 1))
    rows = [row[1:] for row in rows] if labelled else rows
    if len(rows) != 8 or any(len(row) != 8 for row in rows):
        return None
    squares: dict[int, str] = {}
    for row, cells in enumerate(rows, 1):
        for column, cell in zip("abcdefgh", cells, strict=True):
            if cell.isdecimal() and (number := int(cell)) and (row not in (4, 5) or column not in "de"):
                if number in squares:
                    return None
                squares[number] = f"{column}{row}"
    if len(squares) < 3 or max(squares) < 3:
        return None
    if missing := set(range(1, max(squares) + 1)) - squares.keys():
        raise InputError(f"a grid of move numbers without the number {min(missing)}")
    moves = " ".join(squares[number] for number in sorted(squares))
    return Shaped(moves, None, f"a grid: read as the moves {moves}")


def _marks(text: str) -> Shaped | None:
    """Boards and moves in other letters: ``●○``, ``Ｆ５``, ``・f5``, ``パス``, arrows and quotes."""
    has_glyphs = not text.isascii() and not _GLYPH_SET.isdisjoint(text)
    if text.isascii() and not _BULLETS.search(text) and not any(mark in text for mark in "\"'`"):
        return None
    import unicodedata

    plain = unicodedata.normalize("NFKC", text).replace("パス", " -- ").translate(_GLYPHS)
    plain = _BULLETS.sub(" ", plain).replace("・", "-")
    moves, strange = read_transcript_moves(plain)
    if moves and strange is None:
        return Shaped(plain) if read_transcript_moves(text).strange else None
    kind, now = text_kind(text), text_kind(plain)
    if kind is None:
        from reversi.records.formats.registry import recognize

        return Shaped(plain) if now is not None and recognize(text) is None else None
    return Shaped(plain) if has_glyphs and now in (TextKind.BOARD, TextKind.DIAGRAM) else None


SHAPES: Final[tuple[Callable[[str], Shaped | None], ...]] = (
    _own_json,
    _own_numbers,
    _board_and_moves,
    _ggs_board,
    _fairy_fen,
    _link,
    _said_moves,
    _grid_of_numbers,
    _marks,
)
"""Every shape, in the order in which they are tried."""
