"""Generate hostile texts of any length, for every format.

    python tests/fuzz/hostile.py --list
    python tests/fuzz/hostile.py "pgn: brackets" --size 5000000 > brackets.pgn

A shape makes a text of about the size asked for. `test_hostile.py` reads each at n and 4n bytes.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

LINE: Final = 60_000
"""Characters of a long line, close to the limit of the readers."""

START: Final = "-" * 27 + "OX------XO" + "-" * 27
_GAME: Final = (
    "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2"
    "g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8g7h8h7h6"
)


def _times(unit: str, head: str = "", tail: str = "") -> Callable[[int], str]:
    """Repeat a unit."""
    return lambda size: head + unit * (max(0, size - len(head) - len(tail)) // len(unit) + 1) + tail


def _lines(unit: str, head: str = "") -> Callable[[int], str]:
    """Repeat a unit in long lines."""
    line = unit * (LINE // len(unit)) + "\n"
    return lambda size: head + (line * (size // len(line) + 1))[:size] + "\n"


def _numbered(form: str, head: str = "", tail: str = "") -> Callable[[int], str]:
    """Repeat a unit with a number, so that every one differs."""

    def make(size: int) -> str:
        parts, length = [head], len(head) + len(tail)
        for number in itertools.count(1):
            if length >= size:
                return "".join([*parts, tail])
            parts.append(form.format(number))
            length += len(parts[-1])
        raise AssertionError

    return make


def _nested(begin: str, end: str, head: str = "", tail: str = "") -> Callable[[int], str]:
    """Open brackets in the first half, and close them in the second."""

    def make(size: int) -> str:
        depth = max(1, (size - len(head) - len(tail)) // (len(begin) + len(end)))
        return head + begin * depth + end * depth + tail

    return make


@dataclass(frozen=True)
class Shape:
    """A kind of hostile text.

    Attributes:
        name: the format, and what it repeats.
        text: makes a text of about the given number of characters.
    """

    name: str
    text: Callable[[int], str]

    @property
    def form(self) -> str:
        """The format: the name of a `reversi.records.Format`, or ``any`` where it shows none."""
        return self.name.partition(":")[0]

    def bytes(self, size: int) -> bytes:
        """Return a text of about this number of bytes."""
        return self.text(size).encode()


_TAGS: Final = '[Event "x"]\n[Black "a"]\n\n'
_SGF: Final = "(;GM[2]FF[4]"
_QUEST: Final = '{"players":["a","b"],"position":{"moves":[{"m":"f5"}]}}'
_CSV: Final = "moves,black\nf5d6,Ann\n"
_GGF: Final = "(;GM[Othello]PB[a]PW[b]"

SHAPES: Final = tuple(
    Shape(name, text)
    for name, text in {
        "any: lines of digits": _lines("0123456789"),
        "any: lines of one letter": _lines("x"),
        "any: lines of blanks": _lines(" ", "f5d6\n"),
        "any: blank lines": _times("\n", "f5d6\n", "f5d6\n"),
        "any: line ends of old": _times("\r", "f5d6\r", "f5d6\r"),
        "any: comment lines": _times("%\n", "f5d6\n"),
        "any: one long line": _times("f5 "),
        "any: blanks between lines": _lines(" ", "f5 d6\n\n"),
        "pgn: blanks in a comment": _times(" ", _TAGS + "1. f5 {\n", "x} *\n"),
        "pgn: tabs in a comment": _times("\t", _TAGS + "1. f5 {\n", "x} *\n"),
        "pgn: open commands in a comment": _times("[%eval ", _TAGS + "1. f5 {", "} *\n"),
        "any: no UTF-8": _times("\xe9\n"),
        "any: parentheses": _times("(\n"),
        "any: braces": _times("{\n"),
        "any: semicolons": _times(";\n"),
        "any: quotes": _times('"\n'),
        "any: dollars": _times("$\n"),
        "any: dashes": _lines("-"),
        "any: dashed moves": _lines("f5-d6-", ""),
        "any: move numbers": _times("1. \n"),
        "any: numbers alone": _lines("1. "),
        "pgn: brackets": _times("[\n"),
        "pgn: brackets in a line": _lines("["),
        "pgn: half a tag": _times('[Event "x\n'),
        "pgn: half tags in a line": _lines('[Event "x '),
        "pgn: tags in a line": _lines('[Event "x"] '),
        "pgn: quotes in a tag": _lines('" ', '[Event "x"]\n[Black "'),
        "pgn: letters in a tag": _lines("a", "[Event "),
        "pgn: tags without moves": _times('[Event "x"]\n\n'),
        "pgn: one tag again": _times('[Event "x"]\n', '[Site "y"]\n'),
        "pgn: many tags": _numbered('[Tag{} "x"]\n', '[Event "x"]\n', "\n1. f5 *\n"),
        "pgn: empty games": _times('[Event "x"]\n\n*\n\n'),
        "pgn: results alone": _times("*\n", '[Event "x"]\n\n'),
        "pgn: results": _times("1-0 ", '[Event "x"]\n\n'),
        "pgn: tiny games": _times('[Event "x"]\n\n1. f5 *\n\n'),
        "pgn: illegal moves": _times('[Event "x"]\n\n1. a1 *\n\n'),
        "pgn: words that are no moves": _times('[Event "x"]\n\n1. zz *\n\n'),
        "pgn: moves": _times("f5 d6\n", _TAGS),
        "pgn: glued moves": _lines("f5d6", _TAGS),
        "pgn: passes": _times("-- ", _TAGS),
        "pgn: alternatives": _times("(f4) ", _TAGS + "1. f5 d6 ", "*\n"),
        "pgn: empty alternatives": _times("() ", _TAGS + "1. f5 d6 ", "*\n"),
        "pgn: alternatives with moves": _times("(d6 c3 d3) ", _TAGS + "1. f5 d6 ", "*\n"),
        "pgn: alternatives in alternatives": _times("(f4 (f6) (d6)) ", _TAGS + "1. f5 f6 ", "*\n"),
        "pgn: nested": _nested("(f5 ", ") ", _TAGS + "1. f5 ", "*\n"),
        "pgn: nested to the depth allowed": _times("(f5 " * 90 + ")" * 90 + "\n", _TAGS + "1. f5 ", "*\n"),
        "pgn: open alternatives": _times("(", _TAGS + "1. f5 "),
        "pgn: closed alternatives": _times(") ", _TAGS + "1. f5 "),
        "pgn: comments": _times("{x} ", _TAGS + "1. f5 ", "*\n"),
        "pgn: comments before the moves": _times("{x} ", _TAGS),
        "pgn: comments between tags": _times('{x}\n[Black "a"]\n', '[Event "x"]\n'),
        "pgn: open comments": _times('[Event "x"]\n\n1. f5 {x\n\n'),
        "pgn: an open comment": _times("x {\n", _TAGS + "{"),
        "pgn: backslashes": _times("\\", _TAGS + "1. f5 {"),
        "pgn: brackets in a comment": _times("[%clk ", _TAGS + "1. f5 {", "} *\n"),
        "pgn: clocks in a comment": _times("[%clk 0:00:01] ", _TAGS + "1. f5 {", "} *\n"),
        "pgn: flips in a comment": _times("[%flips a1] ", _TAGS + "1. f5 {", "} *\n"),
        "pgn: line comments": _times(";x\n", _TAGS + "1. f5 ", "*\n"),
        "pgn: lines left out": _times("%x\n", _TAGS + "1. f5\n", "*\n"),
        "pgn: glyphs": _times("$1 ", _TAGS + "1. f5 ", "*\n"),
        "pgn: marks": _lines("!", _TAGS + "1. f5"),
        "pgn: dots": _lines(".", _TAGS + "1. f5 1"),
        "pgn: boards": _times(f'[Board "{START} X"]\n\n*\n\n'),
        "pgn: blanks after tags": _lines(" ", '[Event "x"]\n'),
        "ggf: games": _times(_GGF + ";)\n"),
        "ggf: games in a line": _lines(_GGF + ";)"),
        "ggf: begun games": _times(
            _GGF + "\n",
        ),
        "ggf: begins": _times("(;", _GGF),
        "ggf: counts": _times("1 ", _GGF + ";)"),
        "ggf: open values": _times(_GGF + "CO[x\n"),
        "ggf: an open value": _times("x\n", _GGF + "CO["),
        "ggf: an open value of blanks": _lines(" ", _GGF + "CO[\n"),
        "ggf: moves": _times("B[f5]W[d6]", _GGF, ";)\n"),
        "ggf: comments": _times("CO[x]", _GGF, ";)\n"),
        "ggf: tags": _times("XX[x]", _GGF, ";)\n"),
        "ggf: one tag again": _numbered("RE[{}]", _GGF, ";)\n"),
        "ggf: brackets": _times("[", _GGF),
        "ggf: letters": _times("A", _GGF),
        "ggf: words after the game": _times("x ", _GGF + ";)"),
        "ggf: games with words": _times(_GGF + ";) x\n"),
        "sgf: games": _times(_SGF + ")\n"),
        "sgf: games in a line": _lines(_SGF + ")"),
        "sgf: tiny games": _times(_SGF + ";B[f5])\n"),
        "sgf: empty games": _times("(;GM[2])\n"),
        "sgf: begun games": _times(_SGF + "\n"),
        "sgf: begins": _times("(;", _SGF),
        "sgf: trees": _times("(", _SGF),
        "sgf: one node again": _times(";B[f5]\n", _SGF, ")\n"),
        "sgf: empty nodes": _times(";", _SGF, ")\n"),
        "sgf: moves": _times(";B[f5];W[d6]", _SGF, ")\n"),
        "sgf: passes": _times(";B[];W[]", _SGF, ")\n"),
        "sgf: nested": _nested("(;B[f5]", ")", _SGF, ")\n"),
        "sgf: nested to the depth allowed": _times("(;B[f5]" * 90 + ")" * 90 + "\n", _SGF + ";B[f5]", ")\n"),
        "sgf: alternatives": _times("(;W[d6])", _SGF + ";B[f5]", ")\n"),
        "sgf: alternatives in nodes": _times("(;W[d6](;B[c3])(;B[c4]))", _SGF + ";B[f5]", ")\n"),
        "sgf: open values": _times(_SGF + "C[x\n"),
        "sgf: an open value": _times("x\n", _SGF + "C["),
        "sgf: values": _times("[x]", _SGF + "C", ")\n"),
        "sgf: one property again": _times("C[x]", _SGF, ")\n"),
        "sgf: unknown properties": _times("XX[x]", _SGF, ")\n"),
        "sgf: many properties": _times("XX[x]YY[x]ZZ[y]", _SGF + ";B[f5]", ")\n"),
        "sgf: comments": _times(";C[x]", _SGF, ")\n"),
        "sgf: setup": _times("AB[a1]", _SGF, ")\n"),
        "sgf: letters": _times("A", _SGF),
        "sgf: letters apart": _times("A ", _SGF),
        "sgf: backslashes": _times("\\", _SGF + "C["),
        "sgf: blanks": _times(" \n", _SGF),
        "sgf: stray brackets": _times("]", _SGF),
        "sgf: words between games": _times("x" + _SGF + ")\n"),
        "transcript: one move on a line": _times("f5\n"),
        "transcript: two games": _times("f5d6\nd3c5\n"),
        "transcript: whole games": _times(_GAME + "\n"),
        "transcript: wrong moves": _times("f5f5\n"),
        "transcript: words that are no moves": _times("f5d6\nf5zz\n"),
        "transcript: long lines": _lines("f5d6c3", "f5d6\n"),
        "transcript: one move in a long line": _lines("f5 ", "f5d6\n"),
        "transcript: passes": _lines("--", "f5d6\n"),
        "transcript: comments": _times("f5 % x\n"),
        "transcript: a long comment": _lines("x", "f5 % "),
        "transcript: boards": _times(f"{START} X; f5\n"),
        "eothello: games": _times(f"1,1,{_GAME}\n", "eOthello_game_id,winner,game_moves\n"),
        "eothello: tiny games": _times("1,1,f5\n"),
        "eothello: commas": _times(",\n", "eOthello_game_id,winner,game_moves\n"),
        "eothello: commas in a line": _lines(",", "eOthello_game_id,winner,game_moves\n"),
        "eothello: letters": _times("x\n", "eOthello_game_id,winner,game_moves\n"),
        "eothello: long lines": _lines("f5d6", "1,1,f5\n1,1,"),
        "transcript: numbers": _times("1\tf5d6\n"),
        "transcript: results": _times("f5d6 -1\n"),
        "transcript: names": _times("f5d6  Tiger\n"),
        "transcript: blanks before a name": _lines(" ", "f5d6\nf5d6"),
        "transcript: names in a line": _lines("f5  x "),
        "transcript: results in a line": _lines("f5 1 "),
        "csv: games": _times(f"1,Ann,{_GAME}\n", "id,black,moves\n"),
        "csv: results": _times("f5d6,1\n", "moves,result\n"),
        "csv: open quotes": _times('"x\n', _CSV),
        "csv: an open quote": _times("x\n", _CSV + '"'),
        "csv: doubled quotes": _times('""\n', _CSV + 'f5d6,"'),
        "csv: quotes in a line": _lines('"",', _CSV),
        "csv: quotes in cells": _times('a"b,"c\n', _CSV),
        "csv: rows in quotes": _times('f5d6,"a\nb"\n', _CSV),
        "csv: rows in quotes that stay open": _times('f5d6,"a\nb""\n', _CSV),
        "csv: separators": _lines(",", _CSV),
        "csv: rows that are too short": _times("f5d6\n", _CSV),
        "csv: headers": _times("moves,black\n", _CSV),
        "csv: columns": _numbered("c{},", "moves,", "\nf5d6\n"),
        "csv: comments": _times("# x\n"),
        "csv: one cell": _lines("f5d6", _CSV),
        "jsonl: games": _times('{"moves":"f5d6"}\n'),
        "jsonl: an array": _times('{"moves":"f5d6"},\n', "["),
        "jsonl: an array in an object": _times('{"moves":"f5d6"},', '{"games":[', '{"moves":""}]}'),
        "jsonl: members": _numbered('"a{}":1,', '{"moves":"f5d6",', '"z":1}\n'),
        "jsonl: moves": _times('"f5",', '{"moves":[', '"f5"]}\n'),
        "jsonl: words": _times("x\n", '{"moves":"f5d6"}\n'),
        "jsonl: brackets": _lines("[", '{"moves":"f5d6"}\n{"moves":'),
        "jsonl: other members": _numbered('{{"moves":"f5d6","a{}":1}}\n'),
        "quest: games": _times(_QUEST + "\n"),
        "quest: games in a line": _lines(_QUEST),
        "quest: an array": _times(_QUEST + ",\n", "["),
        "quest: moves": _times('{"m":"-"},\n', '{"position":{"moves":['),
        "quest: begun games": _times('{"position":{"moves":[\n'),
        "quest: members": _times('"a":1,\n', "{", '"position":{"moves":[]}}\n'),
        "quest: wrong members": _times('{"a":tru}\n', _QUEST + "\n"),
        "quest: open strings": _times('{"a":"\n', _QUEST + "\n"),
        "quest: an open string": _lines("x", _QUEST + '\n{"a":"'),
        "quest: brackets": _lines("[", _QUEST + '\n{"a":'),
        "quest: digits": _lines("1", _QUEST + '\n{"a":'),
        "quest: blank lines after a word": _times("\n", _QUEST + "\nx\n"),
        "quest: words": _times("x\n", _QUEST + "\n"),
        "logbook: games": _times("+f5-d6: +4 0\n"),
        "logbook: moves": _lines("+f5-d6", "+f5: 0 0\n"),
        "logbook: signs": _lines("+", "+f5: 0 0\n"),
        "logbook: colons": _lines(":", "+f5: 0 0\n"),
        "logbook: blanks": _lines(" ", "+f5: 0 0\n+f5:"),
        "logbook: digits": _lines("1", "+f5: 0 0\n+f5:"),
        "obf: boards": _times(f"{START} X\n"),
        "obf: no side": _times(f"{START}\n"),
        "obf: scores": _times(f"{START} X; f5:+2; d3:+2;\n"),
        "obf: semicolons": _lines(";", f"{START} X; f5:+2\n{START} X"),
        "obf: wrong scores": _times(f"{START} X; zz\n"),
        "obf: comments": _lines("x", f"{START} X % "),
        "obf: short boards": _times("-" * 20 + "\n", f"{START} X\n"),
        "obf: long boards": _lines("-", f"{START} X\n"),
        "positions: rows": _times("--------\n"),
        "positions: cells": _times("- - - - - - - -\n"),
        "positions: diagrams": _times("--------\n" * 3 + "---OX---\n---XO---\n" + "--------\n" * 3 + "X\n\n"),
        "positions: frames": _times("+-+-+\n", "--------\n"),
    }.items()
)

BY_NAME: Final = {shape.name: shape for shape in SHAPES}


def wthor(size: int) -> bytes:
    """Return a file in WTHOR of about this number of bytes, whose games have only one move, an illegal one."""
    games = max(1, (size - 16) // 68)
    head = bytes((20, 20, 1, 1)) + games.to_bytes(4, "little") + bytes((0, 0)) + (2020).to_bytes(2, "little")
    return head + bytes((8, 0, 24, 0)) + (bytes(6) + bytes((32, 32)) + bytes((11,) * 60)) * games


FILES: Final[dict[str, Callable[[int], bytes]]] = {
    **{shape.name: shape.bytes for shape in SHAPES},
    "wthor: wrong moves": wthor,
}
"""Each makes a file of about the given number of bytes: the shapes, and one that is not text."""


def main() -> int:
    """Write a text, or list the shapes; return the exit status."""
    parser = argparse.ArgumentParser(description="Write a hostile text.")
    parser.add_argument("name", nargs="?", choices=[*BY_NAME, []], default=[], help="the shape")
    parser.add_argument("--size", type=int, default=5_000_000, help="its size in bytes, about (default 5000000)")
    parser.add_argument("--list", action="store_true", help="list the shapes")
    options = parser.parse_args()
    if options.list or not options.name:
        print("\n".join(BY_NAME))
    else:
        sys.stdout.buffer.write(BY_NAME[options.name].bytes(options.size))
    return 0


if __name__ == "__main__":
    sys.exit(main())
