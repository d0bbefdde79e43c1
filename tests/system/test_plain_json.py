"""JSON whose numbers are numbers."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from reversi._system.plain_json import loads

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 63), 1 << 63) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_numbers_are_finite(value: Any) -> None:
    text = json.dumps(value)
    if "Infinity" in text and any(map(math.isinf, floats(value))):
        with pytest.raises(ValueError, match="not a number here"):
            loads(text)
    else:
        assert loads(text) == loads(text.encode()) == json.loads(text)


def floats(value: Any) -> list[float]:
    if isinstance(value, float):
        return [value]
    parts = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    return [number for part in parts for number in floats(part)]


@pytest.mark.parametrize("text", ["1e400", "-1e400", "NaN", "[Infinity]", '{"a":-Infinity}', "1" * 21, "1" * 9999])
def test_other_numbers_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number here"):
        loads(text)
