from __future__ import annotations

import tracemalloc

import pytest

from reversi import InputError
from reversi.records.sources.decoding import MAX_LINE_BYTES, decode_records


def test_encodings() -> None:
    text = '[Black "Björn"]\n\n1. f5 *\n'
    assert decode_records(text.encode(), "a") == text
    assert decode_records(b"\xef\xbb\xbf" + text.encode(), "a") == text
    assert decode_records(text.encode("latin-1"), "a") == text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "a: empty, nothing in it"),
        (b" \n\t\r\n", "a: empty, nothing in it"),
        (b"\x00\x01binary\x00", "a: binary data, not text"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "a: binary data, not text"),
        (b"1. f5\n" + b"x" * (MAX_LINE_BYTES + 1), f"a: line 2 has more than {MAX_LINE_BYTES} bytes"),
    ],
)
def test_data_that_is_not_a_file_of_records_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        decode_records(data, "a")
    assert str(caught.value).startswith(message)


def test_garbage_is_refused_without_being_copied() -> None:
    data = b"x" * (20 << 20)
    tracemalloc.start()
    with pytest.raises(InputError, match="this is not a record"):
        decode_records(data, "a")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1 << 20


def test_the_longest_line_that_is_read() -> None:
    assert decode_records(b"x" * MAX_LINE_BYTES, "a") == "x" * MAX_LINE_BYTES
