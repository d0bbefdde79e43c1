"""Bytes to text and lines: encodings, line ends, binary data, bounded cost."""

import time
import tracemalloc

import pytest
from hypothesis import example, given, strategies as st

from patience import SOON_S
from reversi.arguments import excerpt
from reversi.errors import InputError
from reversi.text.decoding import MAX_LINE, decode_text, is_comment, iter_lines, split_lines


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Takizawa – 8×8".encode(), "Takizawa – 8×8"),
        (b"\xef\xbb\xbff5d6", "f5d6"),
        (b"", ""),
        (b"Caf\xe9", "Café"),  # no UTF-8
        (b"name \x1b[31m red", "name \x1b[31m red"),  # a few control characters
    ],
)
def test_what_is_text(data: bytes, text: str) -> None:
    assert decode_text(data, "f") == text


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_one_line_of_latin1_leaves_the_others_as_they_are(end: str) -> None:
    lines = ["été", "Jürgen – 1", "plain", "Ångström"]
    data = end.join(lines).encode() + end.encode() + "Zoë".encode("latin-1") + end.join(["", *lines]).encode()
    expected = end.join([*lines, "Zoë", *lines])
    assert decode_text(data, "f") == expected
    assert decode_text(b"\xef\xbb\xbf" + data, "f") == expected


@given(st.lists(st.sampled_from(["é", "plain", "–", "x" * 40_000, "\xe9\xe8", ""]), max_size=12), st.booleans())
def test_lines_are_decoded_each_by_itself(lines: list[str], crlf: bool) -> None:
    end = b"\r\n" if crlf else b"\n"
    coded = [line.encode("utf-8" if number % 2 or "–" in line else "latin-1") for number, line in enumerate(lines)]
    assert decode_text(end.join(coded), "f") == end.decode().join(lines)


def test_decoding_costs_as_much_as_there_are_bytes() -> None:
    data = b"\xe9\n\xc3\xa9\n" * 400_000
    began = time.process_time()
    assert decode_text(data, "f") == "é\n" * 800_000
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    "data",
    [b"f5\0d6", b"\x89PNG\r\n\x1a\n\0\0", bytes(range(1, 32)) * 8, b"\x01" * 100],
    ids=["nul", "png", "controls", "one control"],
)
def test_refuses_binary_data_by_name(data: bytes) -> None:
    with pytest.raises(InputError, match=r"^games\.bin: binary data"):
        decode_text(data, "games.bin")


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_shows_itself(codec: str) -> None:
    mark = "" if codec == "utf-16" else "\ufeff"
    assert decode_text((mark + "f5d6 \N{CJK UNIFIED IDEOGRAPH-738B}").encode(codec), "f") == "f5d6 \u738b"


def test_bytes_that_latin_1_lacks_are_windows_1252() -> None:
    text = "Šárka O\u2019Neill \N{EN DASH} 5 €"
    assert decode_text(text.encode("cp1252"), "f") == text
    assert decode_text(b"a\x81b\xe9", "f") == "a\ufffdbé"


def test_marks_where_a_line_begins_are_nothing() -> None:
    assert (
        decode_text(b"\xef\xbb\xbfa\n\xef\xbb\xbfb\r\x1a\xef\xbb\xbfc \xef\xbb\xbf\n\x1a", "f")
        == "a\nb\rc \ufeff\n"
    )


@given(st.binary(max_size=200))
def test_any_bytes_decode_or_are_refused(data: bytes) -> None:
    message = "f: "
    try:
        decode_text(data, "f")
    except InputError as error:
        message = str(error)
    assert message.startswith("f: ")
    assert "\n" not in message


@given(st.text())
def test_every_text_without_nul_and_controls_survives(text: str) -> None:
    clean = "".join(c for c in text if c >= " " and c != "\x7f").removeprefix("\ufeff")
    assert decode_text(clean.encode(), "f") == clean


def test_lines_end_in_lf_crlf_or_cr_and_keep_their_numbers() -> None:
    assert list(iter_lines("a\r\nb\rc\n\r\n\n d\r")) == [(1, "a"), (2, "b"), (3, "c"), (6, " d")]
    assert list(iter_lines("a\x0bb\x0cc\x85d\u2028e")) == [(1, "a\x0bb\x0cc\x85d\u2028e")]


@given(st.text(alphabet="ab \r\n", max_size=40))
@example("\r\r\n\n\n\ra")
def test_lines_and_numbers_agree_with_a_plain_split(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert list(iter_lines(text)) == [(n, line) for n, line in enumerate(plain, 1) if line]
    assert split_lines(text) == plain


def test_a_line_too_long_is_an_error_and_the_next_ones_follow() -> None:
    lines = list(iter_lines("a\n" + "x" * (MAX_LINE + 1) + "\nb\n" + "y" * MAX_LINE))
    assert lines[0] == (1, "a")
    assert isinstance(lines[1][1], InputError)
    assert str(lines[1][1]) == f"the line has {MAX_LINE + 1} characters; the limit is {MAX_LINE}"
    assert lines[2:] == [(3, "b"), (4, "y" * MAX_LINE)]


def test_a_huge_line_is_not_copied() -> None:
    text = "ab1" * 5_000_000
    tracemalloc.start()
    began = time.perf_counter()
    errors = [line for _, line in iter_lines(text) if isinstance(line, InputError)]
    seconds, peak = time.perf_counter() - began, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(errors) == 1
    assert peak < 1_000_000
    assert seconds < SOON_S


def test_an_excerpt_is_one_short_printable_line() -> None:
    assert excerpt("abc") == "'abc'"
    assert excerpt("x" * 41) == "'" + "x" * 40 + "…'"
    assert excerpt("a\x1b[31m\n\x9b\ud800") == "'a\\x1b[31m\\n\\x9b\\ud800'"


def test_comment_lines_begin_with_a_percent_or_number_sign() -> None:
    assert [is_comment(line) for line in ("% a", "  # b", "f5 % c", "", " ")] == [True, True, False, False, False]
