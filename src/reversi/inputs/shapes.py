"""The shapes of pasted text that no format of records has, and what each says in a known one.

`known_shape` tries one shape after the other. Each is a function that returns the same board, moves or game as a
text that the readers know, ``None`` for a text of another shape.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from itertools import accumulate, islice
from typing import Final, NamedTuple
from urllib.parse import unquote

import reversi._regex as re
from reversi._core import PASS, Position, replay_line
from reversi.color import Color
from reversi.errors import InputError
from reversi.records.dates import spelt_alike
from reversi.records.formats.json_objects import begins_json
from reversi.records.formats.registry import read_games, recognize
from reversi.records.formats.transcript import head_tags
from reversi.records.replay import position_after
from reversi.rules import OTHELLO, Rules, parse_rules
from reversi.text.boards import format_board
from reversi.text.cells import is_cells
from reversi.text.fen import parse_fen
from reversi.text.kinds import TextKind, text_kind
from reversi.text.transcripts import read_transcript_moves

EXAMPLES: Final = "write moves as f5d6c3, or a board as 64 cells of X, O and - with X or O after them"
"""What to write instead of a text that nobody understands."""

_MOST_OF_GRID: Final = 2000
_MOST: Final = 1 << 20  # characters of a text that may be of such a shape
_NO_PASS_YET: Final = 11  # discs up to which no player has had to pass in a game from the usual start
_MOVES: Final = r"(?:[a-hA-H][1-8]|--|[pP][aA]|[pP][sS])"
_LETTERS: Final = r"^[ ]+a[ ]+b[ ]+c[ ]+d\b"
_BOARD: Final = re.compile(rf"{_LETTERS}|^[-XO]{{16,64}} [XO]\b", re.MULTILINE)
_BESIDE: Final = re.compile(  # what this program writes beside boards
    rf"""^(?:
    Position\ [0-9]+\ \(line\ [0-9]+\)
    |Game\ [0-9]+:\ .*\ \(Black\)\ –\ .*\ \(White\)(?:\n(?!{_LETTERS}).+)*
    |Ply\ [0-9]+\ of\ [0-9]+.*(?:\n(?!{_LETTERS}).*)*
    |[0-9]+\.\ (?:Black|White)\ (?:[a-h][1-8]\b|has\ no|skips).*(?=\n{_LETTERS})
    |Black:\ .*\.\ White:\ .*\.\ Rules:\ .*\.|.*\ Board:\ [0-9]\ rows,\ .*
    |Exercise\ [0-9]+\ of\ [0-9]+.*\.|Rules:\ \S+\.
    |Unfinished:\ discs\ .*|Result:\ .*|Discs:\ [0-9]+-[0-9]+
    |```\w*
    |\ {{4}}{_MOVES}\ +[~+-][0-9].*|\ {{8}}[+-]\ .*
    |[+-][0-9]+\ \w+(?::\ [0-9,]+\ statements|\ for\ the\ side).*|[0-9,]+\ inner\ statements.*
    )$""",
    re.MULTILINE | re.VERBOSE,
)
_PLIES: Final = re.compile(
    r"^([0-9]+)\. (?:Black|White) (?:([a-h][1-8])\b|has no placement and passes|skips the turn)", re.MULTILINE
)
_RULES: Final = re.compile(r"\bRules: (\S+?)\.?$|^[-XO]{16,64} [XO](?: --| ended)?(, \S+)$", re.MULTILINE)
_FENCED: Final = (
    (re.compile(r"^(?:Black wins|White wins|Draw) .*?(, after two passes)?\.$", re.MULTILINE), r"Game over\1"),
    (re.compile(r"^((?:Black|White) to move.*)\.$", re.MULTILINE), r"\1"),
    (re.compile(r"^- (?=[A-Z][a-z ]+: )", re.MULTILINE), "% "),
)
_DIAGRAM: Final = re.compile(
    rf"{_LETTERS}.*\n((?:[1-8] .*\n)+)\s*(?:Rules \S+\s+)?(?:(Black|White) to move)?", re.MULTILINE
)
_NUMBERED: Final = re.compile(r"% Moves: (\S+)$", re.MULTILINE)
_STATED: Final = re.compile(r"^Rules (\S+)$", re.MULTILINE)
_BOARD_MOVES: Final = re.compile(rf"\s*([-.XxOo*bBwW]{{64}})\s+([XxOo*bBwW])\s+({_MOVES}(?:[ ,]*{_MOVES})*)\s*")
_SQUARE: Final = re.compile(r"[a-hA-H][1-8]")
_GGS: Final = re.compile(r"\s*\[\s*8((?:\s+[-*O]{8}){8})\s+([*O])\s*\]\s*")
_FEN: Final = re.compile(r"\s*((?:[pP1-8]{1,8}/){7}[pP1-8]{1,8})(\[[pP]*\])?\s+([wb])(?:\s+[-0-9]+){0,4}\s*")
_BLACK: Final = ("black", "b", "x", "●", "▲", "⚫", "黒", "黑")
_WORD: Final = re.compile(
    r"(?P<between>[%_@^$\s:,.;()\[\]{}<>/|+=&?!*~#'\"`-]+)"
    r"|(?P<moves>(?:P@)?(?:[a-h][1-8])+(?![0-9A-Za-z]))|(?P<turned>(?:[1-8][a-h])+(?![0-9A-Za-z]))"
    r"|(?P<passed>(?:pass|pa|ps|パス|@@@@)(?![0-9A-Za-z]))"
    r"|(?P<side>(?:black|white|[bwxo])(?![0-9A-Za-z])|[●○▲△⚫⚪黒黑白])|(?P<word>[^\W_]+|.)",
    re.IGNORECASE,
)
_NO_MOVES: Final = re.compile(  # rows of a board, lines of a search, the name of a file
    r"(?:[-.xo*●○⚫⚪・] ?){8}|\b(?:exact|heuristic|book|wld|values)\b|^(?!\S*://)\S+\.[a-z]\w{1,9}(?:[#@]\S*)?\Z",
    re.IGNORECASE,
)
_MAIL: Final = re.compile(r"^(?:From|To|Subject|Von|An|Betreff|De|Objet): ", re.MULTILINE)
_DATE: Final = re.compile(
    r"(?<![0-9])(?:[12][0-9]{3}([-./])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-./])[0-9]{1,2}\2[12][0-9]{3})(?![0-9])"
)
_VERSUS: Final = re.compile(r"\s+(?:[-–—]|vs?\.?)\s+")
_PERSON: Final = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:(?:['’.-] ?| )[^\W\d_]+){0,5}\.?")
_DASHED: Final = re.compile(rf"^([ \t>]*{_PERSON.pattern}) [–—] (?={_PERSON.pattern}$)", re.MULTILINE)
_SEATED: Final = re.compile(
    rf"(?P<first>[黒黑白●○▲△])番?[\s:]+(?P<name>{_PERSON.pattern})"
    rf"|(?P<named>{_PERSON.pattern})\s*\((?P<side>(?i:black|white|[bwxo])|[●○⚫⚪▲△黒黑白])番?\)"
)
_NUMBERS: Final = re.compile(r"[\s\[\],()]*((?:-?[012][\s\[\],()]*){64})(\S.*)?", re.DOTALL)
_HAMLET: Final = re.compile(r"""name=["']?Line[1-8]["']?\s+value=["']([^"']*)["']""", re.IGNORECASE)
_CELL: Final = re.compile(r"[0-9]{1,2}|\(\)|##|--|[-.XxOo*_]")
_PICTURE: Final = re.compile(r"\s*<(?:svg|!doctype|html|\?xml)\b|\s*%.*\n.*\n\\begin{tikz", re.IGNORECASE)
_GLYPHS: Final = str.maketrans(
    {
        **dict.fromkeys("●⚫黒黑", "X"),
        **dict.fromkeys("○⚪白", "O"),
        **dict.fromkeys("＋┼□·🟩🟢", "-"),
        **dict.fromkeys("→➔➜⇒►▶,", " "),
        **dict.fromkeys("“”„\"'‘’`«»「」", " "),
    }
)
_GLYPH_SET: Final = frozenset("●○⚫⚪黒黑白")
_BULLETS: Final = re.compile(
    r"^[ \t]*(?:[>・•*–]|-(?!-))[ \t]*(?=[a-h][1-8])|[-=]>|・(?=[ \t]*[a-h][1-8])", re.IGNORECASE | re.MULTILINE
)


class Shaped(NamedTuple):
    """A text in a known shape: the rules that it names, and how it was read where that is a guess."""

    text: str
    rules: str = ""
    note: str = ""


def known_shape(text: str) -> Shaped:
    """Return a text in a shape that the readers know, itself where it has no other.

    Raises:
        InputError: it is of a shape that shows no position, or several.
    """
    if len(text) > _MOST:
        return Shaped(text)
    if _PICTURE.match(text):
        raise InputError("a picture or a page; give the position as text: 'reversi diagram --to txt' writes one")
    plain = _without_what_is_beside(text)
    for shape in SHAPES:
        if (shaped := shape(plain.text)) is not None:
            return shaped._replace(rules=shaped.rules or plain.rules)
    return plain


def _without_what_is_beside(text: str) -> Shaped:
    """Return boards that this program wrote without the lines between them; each line keeps its number."""
    if not (_BESIDE.search(text) or _RULES.search(text)) or not _BOARD.search(text):
        return Shaped(text)
    rules = {named.removeprefix(", ") for found in _RULES.findall(text) for named in found if named}
    if len(rules) > 1:
        raise InputError(f"the positions have several rule sets ({', '.join(sorted(rules))}); give those of one")
    for pattern, instead in _FENCED if "```" in text else ():
        text = pattern.sub(instead, text)
    text = _RULES.sub(lambda found: found[0].removesuffix(found[2] or ""), text)
    named = "".join(rules)
    plies, boards = _PLIES.findall(text), list(_DIAGRAM.finditer(text))
    if plies and boards and [int(number) for number, _ in plies] == [*range(1, len(plies) + 1)]:
        moves = " ".join(move or "--" for _, move in plies)
        if _after(moves, parse_rules(named or "othello")) == _cells(boards[-1]):
            return Shaped(moves, named)
    return Shaped(_BESIDE.sub(lambda found: "\n" * found[0].count("\n"), text), named)


def _cells(diagram: re.Match[str]) -> str:
    """Return the cells of a board on many lines; what is neither a disc nor empty is empty."""
    marks = (mark for row in diagram[1].splitlines() for mark in row.split()[1:])
    return "".join(mark if is_cells(mark) else "-" for mark in marks).replace(".", "-")


def _own_diagram(text: str) -> Shaped | None:
    """A board with numbers and the moves below it, or with other texts on empty squares; or below its moves."""
    found = _DIAGRAM.search(text)
    if found is None:
        return None
    marks = [mark for row in found[1].splitlines() for mark in row.split()[1:]]
    cells = _cells(found)
    stated, moves = _STATED.search(text), _NUMBERED.search(text)
    rules = parse_rules(stated[1]) if stated else OTHELLO
    if moves is None:
        above = (line for line in text[: found.start()].splitlines() if not line.lstrip().startswith(("%", "#")))
        played = (line for line in above if _after(line, rules) == cells)
        if moved := next(played, ""):
            return Shaped(moved, stated[1] if stated else "")
    if all(map(is_cells, marks)):
        return None
    first = min((int(mark) for mark in marks if mark.isdecimal()), default=0)
    if moves is None and first:
        return None
    if moves is None or not first:
        shown = "".join(
            f"{row[0]} {' '.join(mark if is_cells(mark) else '-' for mark in row.split()[1:])}\n"
            for row in found[1].splitlines()
        )
        return Shaped(text[: found.start(1)] + shown + text[found.end(1) :])
    placed = list(accumulate(int(move != PASS.index) for move in read_transcript_moves(moves[1]).moves))
    if _after(moves[1], rules, placed.index(first)) == cells:
        return Shaped(moves[1], str(rules) if stated else "")
    if first > 1 or found[2] is None:
        raise InputError(f"a game with another start whose numbers begin at {first}; number all of its moves")
    side = Color.WHITE if (found[2] == "White") != (len(placed) % 2 == 1) else Color.BLACK
    return Shaped(f"{cells} {side.symbol}; {moves[1]}", str(rules) if stated else "")


def _after(text: str, rules: Rules, plies: int | None = None) -> str:
    """Return the cells after the moves of a text, or after the first of them; nothing if it is no game."""
    moves, strange = read_transcript_moves(text)
    _, end, legal = replay_line(Position(rules), moves[:plies], put_in=PASS.index not in moves)
    return end.cells if moves and strange is None and legal else ""


def _board_and_moves(text: str) -> Shaped | None:
    """Boards with moves after the side: ``<64 cells> O d6c5f4``. A pass alone is a board after a pass."""
    lines = [line for line in text.splitlines() if line.strip()]
    if one := _BOARD_MOVES.fullmatch(" ".join(lines)):
        lines = [one[0]]
    found = [_BOARD_MOVES.fullmatch(line) for line in lines]
    if not lines or not all(line and _SQUARE.search(line[3]) for line in found):
        return None
    return Shaped("\n".join(f"{line[1]} {line[2]}; {line[3]}" for line in found if line))


def _ggs_board(text: str) -> Shaped | None:
    """A board as GGS writes it: ``[8 -------- … *]``."""
    found = _GGS.fullmatch(text)
    return Shaped(f"{''.join(found[1].split())} {found[2]}") if found else None


def _fen(text: str) -> Shaped | None:
    """FEN: Edax and XBoard call Black ``p`` and ``b``, and write row 8 first; Fairy-Stockfish the other way round.

    Each is the other with colors and rows exchanged, so either is a position. At the beginning, the number of
    discs shows whose turn it is; later, only Fairy-Stockfish writes the discs in hand.
    """
    found = _FEN.fullmatch(text)
    if found is None:
        return None
    rows, in_hand, side = found.groups()
    other = "/".join(reversed(rows.swapcase().split("/"))) + (" b" if side == "w" else " w")
    edax, fairy = parse_fen(f"{rows} {side}"), parse_fen(other)
    ways = {"Edax and XBoard write it, p is Black": edax, "Fairy-Stockfish writes it, P is Black": fairy}
    if in_hand:
        del ways["Edax and XBoard write it, p is Black"]
    discs = 64 - edax.empties
    if discs <= _NO_PASS_YET and not any(edax.cells[square] == "-" for square in (27, 28, 35, 36)):
        mover = Color.WHITE if discs % 2 else Color.BLACK
        ways = {way: position for way, position in ways.items() if position.to_move is mover}
    if len(ways) != 1:
        raise InputError(
            f"FEN does not say who is Black: '{format_board(edax)}' where p is, as Edax and XBoard write it,"
            f" '{format_board(fairy)}' where P is, as Fairy-Stockfish does; give one of these boards"
        )
    ((way, position),) = ways.items()
    return Shaped(format_board(position), "", f"FEN: read as {way}")


def _moves_among_words(text: str) -> Shaped | None:
    """A game among other words, as in a link or a mail, perhaps with the side before each move: ``BLACK, e6``."""
    if len(text) > _MOST_OF_GRID or begins_json(text) or _NO_MOVES.search(text) or _is_read(text):
        return None
    text = unicodedata.normalize("NFKC", unquote(text) if "://" in text else text)
    text = _DASHED.sub(r"\1 - ", text)
    found = [(match.lastgroup, match[0]) for match in _WORD.finditer(text)]
    kinds = {kind for kind, _ in found}
    turned = "turned" in kinds and "moves" not in kinds
    moves: list[str] = []
    sides: dict[int, bool] = {}  # whether a written move is said to be Black's
    before = ""
    for kind, word in found:
        if kind == "side":
            before = word
            continue
        if kind in ("moves", "passed") or (kind == "turned" and turned):
            if before:
                sides[len(moves)] = before.lower() in _BLACK
            moves += _SQUARE.findall(word[::-1])[::-1] if turned else _SQUARE.findall(word) or ["--"]
        elif kind != "between" and not (word.isalpha() or word.isdecimal()):
            return None  # f9, or 3rd
        before = before if kind == "between" and word.strip(" :,.-=") == "" else ""
    squares = [move for move in moves if move != "--"]
    if not squares or (len(squares) < 3 and len(sides) < len(moves)) or found[-1][1].lower() in "abcdefgh":
        return None
    for line in (moves, [f"{move[0]}{9 - int(move[1])}" if move in squares else move for move in moves]):
        if _fits(line, sides):
            tags = _said_above(text)
            read = "".join(f"; {name} {value}" for name, value in tags.items())
            above = "".join(f"{name}: {value}\n" for name, value in tags.items())
            played = " ".join(line)
            return Shaped(f"{above}{played}", "", f"moves among other words: read as {played}{read}")
        if "P@" not in text:  # whose rows may count from below
            break
    return None


def _said_above(text: str) -> dict[str, str]:
    """Return what the lines above moves say about a game: who has which color, and when it was.

    Of two names the first is Black's. The header of a mail says nothing about the game, nor do several pairs of
    names or several dates.
    """
    tags: dict[str, str] = {}
    dates: set[str] = set()
    pairs: set[tuple[str, str]] = set()
    header, _, body = text.partition("\n\n")
    for written in (body if _MAIL.search(header) else text).splitlines():
        line = written.strip(" \t>*")
        if any(match.lastgroup in ("moves", "turned") for match in _WORD.finditer(line)):
            break
        if said := head_tags(line):
            tags |= said
            continue
        dates |= {found[0] for found in _DATE.finditer(line)}
        parts = [part.strip(" ,;") for part in _VERSUS.split(_DATE.sub("", line).strip(" ,;|"))]
        for seated in filter(None, map(_SEATED.fullmatch, parts)):
            color = "Black" if (seated["first"] or seated["side"]).lower() in _BLACK else "White"
            tags[color] = seated["name"] or seated["named"]
        if len(parts) == 2 and all(map(_PERSON.fullmatch, parts)):
            pairs.add((parts[0], parts[1]))
    if len(pairs) == 1 and not tags.keys() & {"Black", "White"}:
        tags |= zip(("Black", "White"), pairs.pop(), strict=True)
    if len(dates) == 1:
        tags.setdefault("Date", spelt_alike(dates.pop()))
    return tags


def _is_read(text: str) -> bool:
    try:
        games = list(islice(read_games(text), 2))
        for game in games:
            position_after(game.record)
    except InputError:
        return False
    return bool(games) and not any(game.findings for game in games)


def _fits(moves: list[str], sides: dict[int, bool]) -> bool:
    """Return whether moves are a game, and those that are said to be Black's or White's are."""
    written, strange = read_transcript_moves(" ".join(moves))
    played, _, legal = replay_line(Position(), written, put_in=PASS.index not in written)
    put_in = PASS.index not in written
    black = [ply % 2 == 0 for ply, move in enumerate(played) if move != PASS.index or not put_in]
    return strange is None and legal and all(black[at] == side for at, side in sides.items())


def _rows_of_numbers(text: str) -> Shaped | None:
    """A board of numbers on many lines, as programs print it: 1 is Black, 2 or -1 White."""
    found = _NUMBERS.fullmatch(text)
    if found is None or text_kind(text) is not None:
        return None
    numbers = re.findall("-?[012]", found[1])
    if {"2", "-1"} <= {*numbers} or not {"2", "-1"} & {*numbers}:
        return None
    cells = "".join("-" if number == "0" else "X" if number == "1" else "O" for number in numbers)
    side = {"1": "X", "2": "O", "-1": "O"}.get(found[2].strip(), found[2].strip())
    return Shaped(f"{cells} {side}".rstrip())


def _grid_of_numbers(text: str) -> Shaped | None:
    """A score sheet: a board whose cells have the numbers of the moves; Hamlet has it in its web pages."""
    text = "\n".join(_HAMLET.findall(text)) or text
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
    return Shaped(moves, "", f"a grid: read as the moves {moves}")


def _marks(text: str) -> Shaped | None:
    """Boards and moves in other letters: ``●○``, ``Ｆ５``, ``・f5``, ``パス``, arrows and quotes."""
    has_glyphs = not text.isascii() and not _GLYPH_SET.isdisjoint(text)
    if text.isascii() and not _BULLETS.search(text) and not any(mark in text for mark in "\"'`"):
        return None
    plain = (
        unicodedata.normalize("NFKC", text).replace("パス", " -- ").replace("番", " to move").translate(_GLYPHS)
    )
    plain = _BULLETS.sub(" ", plain).replace("・", "-")
    moves, strange = read_transcript_moves(plain)
    if moves and strange is None:
        return Shaped(plain) if read_transcript_moves(text).strange else None
    kind, now = text_kind(text), text_kind(plain)
    if kind is None:
        return Shaped(plain) if now is not None and recognize(text) is None else None
    return Shaped(plain) if has_glyphs and now in (TextKind.BOARD, TextKind.DIAGRAM) else None


SHAPES: Final[tuple[Callable[[str], Shaped | None], ...]] = (
    _own_diagram,
    _board_and_moves,
    _ggs_board,
    _fen,
    _rows_of_numbers,
    _grid_of_numbers,
    _marks,
    _moves_among_words,
)
"""Every shape, in the order in which they are tried."""
