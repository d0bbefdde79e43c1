"""Turns in the usual form, which the compiled core reads, and all others, which it leaves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings, strategies as st

from reversi._core import read_turns, read_usual_game
from reversi.records import Entry, Line
from reversi.records.formats.ggf.reader import read_ggf
from reversi.records.formats.sgf.reader import read_sgf

SGF = "(;FF[4]GM[2]SZ[8]PB[a]"
GGF = "(;GM[Othello]PB[a]"


@pytest.mark.parametrize(
    ("text", "nodes", "moves", "end"),
    [
        (";B[f5]; W[D6]\n;B[cc])", True, b"%+\x12", ")"),
        (";B[];W[tt];B[PA];W[--];B[@@@@];W[pass](", True, b"@@@@@@", "("),
        (";B[f5]BL[1]C[a\\]\n];W[d6];;", True, b"%+", ";;"),
        (";B[f5];W[d6]AW[a1];", True, b"%", ";W[d6]AW[a1];"),
        (";B[f5];W[d6]FLIPS[d5];", True, b"%", ";W[d6]FLIPS[d5];"),
        (";B[f5];W[d6][e6];", True, b"%", ";W[d6][e6];"),
        (";B[f5];W[d6]B[e6];", True, b"%", ";W[d6]B[e6];"),
        (";B[f5];W[d6]C[\n(;GM[2]];", True, b"%", ";W[d6]C[\n(;GM[2]];"),
        (";B[f5];W[ d6];", True, b"%", ";W[ d6];"),
        (";B[f5];W[d6", True, b"%", ";W[d6"),
        ("", True, b"", ""),
        ("B[f5//1]\nW[D6/2.5]CO[x]B[pa];)", False, b"%+@", ";)"),
        ("B[f5]W[--/1/2]B[pass/1]b[d6]", False, b"%@@", "b[d6]"),
        ("B[f5]W[fe]", False, b"%", "W[fe]"),
        ("B[f5]W[d6/\n1 (;GM[", False, b"%", "W[d6/\n1 (;GM["),
        ("B[f5]XY[a]W[d6]", False, b"%", "XY[a]W[d6]"),
    ],
)
def test_turns_are_read_up_to_the_first_in_another_form(text: str, nodes: bool, moves: bytes, end: str) -> None:
    found = read_turns(text, 0, nodes)
    assert (found[0], text[found[4] :].strip()) == (moves, end)


def test_lines_notes_sides_and_places() -> None:
    text = "\n;B[f5]\n;W[d6]C[a\nb];B[c3]"
    _, lines, noted, notes, end, sides, places, values = read_turns(text + ")", 0, True)
    assert (lines, noted, notes, end) == (bytes((1, 2, 3)), b"\x01", ("W[d6]C[a\nb]",), len(text))
    assert (sides, memoryview(places).cast("q").tolist(), values) == (b"BWB", [1, 8, 20], 4)
    assert len(read_turns(";B[f5]" * 300 + ")", 0, True)[0]) == 250
    assert read_turns(";B[f5]" + "\n" * 256 + ";W[d6])", 0, True)[0] == b"%"


def shown(line: Line) -> list[tuple[object, ...]]:
    """A line with the lines of the file that its turns are on."""
    notes = [(node, node.source_line, [shown(one) for one in node.variations]) for node in line.nodes]
    return [(line.comments,), *notes]


def told(entry: Entry) -> tuple[object, ...]:
    places = [(found.code, found.ply, found.line) for found in entry.findings]
    return entry.record.tags, entry.record.start, entry.record.result, shown(entry.record.line), places


_SGF_PIECES = (
    *(";B[f5]", ";W[d6]", ";B[c3]", ";W[d3]", ";B[c4]", ";W[]", ";B[zz]", "C[x]", "V[2]KV[exact]", "TE[1]"),
    *("TR[a1][b2]", "FLIPS[d5]", "AB[a1]", "(", ")", ";", "\n", " ", "C[a\\]b]", "]", "NAG[1]", "BL[3]"),
)
_SGF_HEAD = (
    *("AB[e4][d5]AW[d4][e5]", "PL[B]", "PL[W]", "PL[x]", "SZ[6]", "SZ[9]", "GM[1]", "RU[othello,misere]", "RU[x]"),
    *("RE[B+4]", "RE[W+R]", "RE[B+3]", "RE[?]", "RE[won]", "RE[]", "DT[1999-01-02]", "DT[x]", "PB[]", "PB[b]"),
    *("TAG[Score:3]", "TAG[Event:x:y][Odd]", "TAG[Result:40-24]", "TAG[Rules:x]", "TAG[:x]", "TAG[PB:1][PB:2]"),
    *("AP[x]", "ZZ[f5d6]", "LB[f5:1][d6:2]", "C[x]", "Board[x]", "BOARD[x]", "FEN[x]", "EV[é\x85]", "\n", " "),
)
_GGF_PIECES = (
    *("B[f5]", "W[d6//1]", "B[c3/2]", "W[d3/x]", "B[pass/1]", "W[--]", "B[zz]", "CO[x]", "XY[1]", "\n"),
    *("]", ";", "CO[a\nb]"),
)
_BOARD = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- --------"
_GGF_HEAD = (
    *(f"BO[{_BOARD} *]", f"BO[{_BOARD} O]", f"BO[{_BOARD}]", "BO[4 ---- -O*- -*O- ---- *]", "BO[9]"),
    *(
        "TY[8]",
        "TY[8a]",
        "TY[s8r18]",
        "RE[+4]",
        "RE[-4.000:t]",
        "RE[+3]",
        "RE[?]",
        "RE[40-24]",
        "RE[-99]",
        "KM[2]",
    ),
    *("KM[x]", "GM[Go]", "DT[2003.12.15_13:24:03.MST]", "DT[x]", "DT[]", "TI[5:00/2]", "TB[5:00]", "TW[4:00]"),
    *("PB[]", "RB[1800]", "XY[f5d6]", "XY[1]", "pw[x]", "CO[x]", "PC[é\x85]", "FEN[x]", "\n", " "),
)


@pytest.mark.parametrize(
    ("text", "nodes", "names", "values", "lines"),
    [
        ("(;FF[4]\nAB[e4]\n [d5] PL[B]\n;B[f5];W[d6])", True, "FF[AB[[PL[", ["4", "e4", "d5", "B"], 3),
        ("( ;\tPB[é,;(x]PW[];B[f5]\n )", True, "PB[PW[", ["é,;(x", ""], 0),
        ("(;GM[Othello]BO [8 -]B[f5]W[d6/1];)", False, "GM[BO[", ["Othello", "8 -"], 0),
        ("(;GM[O\\]\nB[f5]; )", False, "GM[", ["O\\"], 1),
        ("(;B[f5];)", False, "", [], 0),
        (f"(;{'A[]' * 63};B[f5])", True, "A[" * 63, [""] * 63, 0),
    ],
)
def test_games_in_the_usual_form(text: str, nodes: bool, names: str, values: list[str], lines: int) -> None:
    found = read_usual_game(f" {text} (;", 1, nodes)
    assert found is not None
    assert found[:4] == (names, values, lines, 1 + len(text))
    turns = text.index(";", text.index("]")) if nodes else text.index("B[f5]")
    assert found[4][:5] == read_turns(f" {text} (;", 1 + turns, nodes)[:5]


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("(;GM[2];B[f5]", True),
        ("(;GM[2])", True),
        ("(;GM[2]B[f5])", True),
        ("(;GM[2](;B[f5]))", True),
        ("(;GM[2];B[f5](;W[d6])(;W[f6]))", True),
        ("(;GM[2]C[a\\]b];B[f5])", True),
        ("(;GM[2]C[a\nb];B[f5])", True),
        ("(;GM[2]C[a\x85b];B[f5])", True),
        ("(;GM[2]C[a[b];B[f5])", True),
        ("(;GaMe[2];B[f5])", True),
        (f"(;{'A' * 61}[2];B[f5])", True),
        (f"(;{'A[]' * 65};B[f5])", True),
        ("(;GM[2];B[zz])", True),
        ("(;GM[O]B[f5])", False),
        ("(;GM[O]B[f5];", False),
        (" (;GM[O]B[f5];)", False),
        ("", False),
    ],
)
def test_games_in_other_forms_are_left(text: str, nodes: bool) -> None:
    assert read_usual_game(text, 0, nodes) is None


@pytest.mark.parametrize(
    ("read", "head", "ends", "said", "pieces"),
    [(read_sgf, SGF, ")", _SGF_HEAD, _SGF_PIECES), (read_ggf, GGF, ";)", _GGF_HEAD, _GGF_PIECES)],
)
@settings(max_examples=4 * settings().max_examples)
@given(data=st.data())
def test_games_in_other_forms_are_the_same(
    read: Callable[[str], Iterator[Entry]],
    head: str,
    ends: str,
    said: tuple[str, ...],
    pieces: tuple[str, ...],
    data: st.DataObject,
) -> None:
    text = head + "".join(data.draw(st.lists(st.sampled_from(said), max_size=5)))
    text += "".join(data.draw(st.lists(st.sampled_from(pieces), max_size=12))) + ends
    other = re.sub(r"\b([BW])\[", r"\1 [", text)  # which no program writes
    assert [told(entry) for entry in read(text)] == [told(entry) for entry in read(other)]
