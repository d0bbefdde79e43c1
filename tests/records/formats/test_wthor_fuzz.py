"""No bytes crash the readers of WTHOR, or are read as what they are not."""

from __future__ import annotations

from hypothesis import example, given, settings, strategies as st

from fuzz_formats import READERS
from reversi.records.formats.wthor import reader as wthor
from wthor_samples import files, jou, random_game, trn, wtb

SEEDS = [wtb([random_game(1), random_game(2)]), wtb([random_game(3)])[:-7], jou(), trn(), wtb([], board=10)]


@st.composite
def changed(draw: st.DrawFn) -> bytes:
    """A file with some of its bytes changed, left out or put in."""
    data = bytearray(draw(st.sampled_from(SEEDS) | files()))
    for at, length, new in draw(
        st.lists(st.tuples(st.integers(0, 200), st.integers(0, 4), st.binary(max_size=4)), max_size=4)
    ):
        data[at : at + length] = new
    return bytes(data)


@settings(max_examples=4 * settings().max_examples)
@given(changed() | st.binary(max_size=200))
@example(b"")
@example(b"\0" * 500)
@example(wtb([], count=0xFFFFFFFF))
@example(b"PAR1" + b"\0" * 100)  # as a Parquet file begins
def test_any_bytes(data: bytes) -> None:
    for name in ("wthor", "wthor-names"):
        READERS[name].check(data)
    assert wthor.CHUNK == 1024
