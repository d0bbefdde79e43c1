"""Texts in cells of a terminal."""

from __future__ import annotations

from hypothesis import given, strategies as st

from reversi.text.widths import cut, filled, width_of, wrapped

CHARACTERS = st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]) | st.sampled_from("ab 高梨悠介e\u0301")
TEXTS = st.text(CHARACTERS, max_size=60)


def test_how_wide_texts_are() -> None:
    assert [width_of(text) for text in ("", "Ada", "高梨", "e\u0301", "ｱ", "Ａ")] == [0, 3, 4, 1, 1, 2]


def test_texts_in_columns() -> None:
    assert cut("高梨悠介", 8) == "高梨悠介"
    assert cut("高梨悠介", 7, "...") == "高梨..."
    assert cut("高梨悠介", 6, "...") == "高..."
    assert cut("高梨悠介", 2, "...") == ".."
    assert filled("高梨", 6) == "高梨  "
    assert filled("高梨", 6, right=True) == "  高梨"
    assert filled("高梨", 3) == "高梨"


def test_texts_on_lines() -> None:
    assert wrapped("White plays d3 (book).", 12) == ["White plays", "d3 (book)."]
    assert wrapped("高梨悠介 plays", 5) == ["高梨", "悠介", "plays"]
    assert wrapped("one two three four", 9, most=1) == ["one ..."]
    assert wrapped("", 5) == wrapped("  ", 5) == []


@given(TEXTS, st.integers(0, 20), st.sampled_from(["", "...", "…"]))
def test_a_cut_text_fits(text: str, width: int, end: str) -> None:
    short = cut(text, width, end)
    assert width_of(short) <= width
    assert short == text or width_of(text) > width


@given(TEXTS, st.integers(2, 20), st.integers(0, 3))
def test_lines_fit_and_lose_no_word(text: str, width: int, most: int) -> None:
    lines = wrapped(text, width, most=most)
    assert all(width_of(line) <= width for line in lines)
    if most:
        assert len(lines) <= most
    else:
        assert "".join(lines).replace(" ", "") == "".join(text.split())
