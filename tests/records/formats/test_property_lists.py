"""Turns in the usual form, which the compiled core reads, and all others, which it leaves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings, strategies as st

from reversi._core import read_turns
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
_GGF_PIECES = (
    *("B[f5]", "W[d6//1]", "B[c3/2]", "W[d3/x]", "B[pass/1]", "W[--]", "B[zz]", "CO[x]", "XY[1]", "\n"),
    *("]", ";", "CO[a\nb]"),
)


@pytest.mark.parametrize(
    ("read", "head", "ends", "pieces"), [(read_sgf, SGF, ")", _SGF_PIECES), (read_ggf, GGF, ";)", _GGF_PIECES)]
)
@settings(max_examples=2 * settings().max_examples)
@given(data=st.data())
def test_turns_in_other_forms_are_the_same(
    read: Callable[[str], Iterator[Entry]], head: str, ends: str, pieces: tuple[str, ...], data: st.DataObject
) -> None:
    text = head + "".join(data.draw(st.lists(st.sampled_from(pieces), max_size=12))) + ends
    other = re.sub(r"\b([BW])\[", r"\1 [", text)  # which no program writes
    assert [told(entry) for entry in read(text)] == [told(entry) for entry in read(other)]
