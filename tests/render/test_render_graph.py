"""The graph of a game's values."""

from __future__ import annotations

import itertools
import math
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from pictures import SVG, elements, has_no_reference
from reversi import ArgumentError, InputError
from reversi.render import THEMES, graph

VALUES = [0, 2, 4, None, None, -3.5, -12, 6, None, 8]


@pytest.mark.parametrize("theme", [*THEMES])
def test_a_graph_is_valid_and_the_same_every_time(theme: str) -> None:
    marks = {2: "?!", 6: "<&>"}
    picture = graph(VALUES, theme=theme, marks=marks, title="A <b> & “c”", current=3, first_ply=1)
    root = ET.fromstring(picture)
    assert root.get("role") == "img"
    assert root[0].text == "A <b> & “c”"
    assert root[1].text == (
        "Discs from Black's view after each ply: 1: +0, 2: +2, 3: +4, 6: -3.5, 7: -12, 8: +6, 10: +8"
        ". Ply 2 ?!. Ply 6 <&>."
    )
    assert has_no_reference(picture)
    assert graph(iter(VALUES), theme=theme, marks=marks, title="A <b> & “c”", current=3, first_ply=1) == picture


def points(picture: str) -> list[list[tuple[float, float]]]:
    """The runs of the line."""
    line = next(path for path in elements(picture, "path") if path.get("stroke-width") == "2.5")
    runs = (line.get("d") or "").split("M")[1:]
    return [[tuple(map(float, point.split())) for point in run.split("L")] for run in runs]  # type: ignore[misc]


def test_values_are_where_they_belong() -> None:
    picture = graph(VALUES)
    runs = points(picture)
    assert [len(run) for run in runs] == [3, 3]  # the last value stands alone, as a dot
    assert sum(1 for dot in elements(picture, "circle") if dot.get("r") == "3") == 1
    middle = runs[0][0][1]
    per_disc = (middle - runs[0][1][1]) / 2
    heights = [(middle - y) / per_disc for run in runs for _, y in run]
    assert heights == pytest.approx([0, 2, 4, -3.5, -12, 6], abs=0.05)
    steps = {round(two[0] - one[0], 1) for run in runs for one, two in itertools.pairwise(run)}
    assert max(steps) - min(steps) <= 0.11
    labels = [text.text for text in elements(picture, "text")]
    assert labels[:5] == ["+16", "+8", "0", "-8", "-16"]


@pytest.mark.parametrize(
    ("most", "label"), [(0, "+8"), (8, "+8"), (9, "+16"), (33, "+64"), (64, "+64"), (90, "+96")]
)
def test_the_axis_holds_every_value(most: int, label: str) -> None:
    picture = graph([most, -most])
    assert elements(picture, "text")[0].text == label
    assert all(18 <= y <= 280 for run in points(picture) for _, y in run)


def test_one_value_and_none() -> None:
    assert "none known" in graph([None, None])
    assert len(elements(graph([3]), "circle")) == 3
    ET.fromstring(graph([math.sin(ply) * 20 for ply in range(1000)]))


def test_each_side_has_the_color_of_its_discs() -> None:
    look = THEMES["wood"]
    for values, colors in (([1, 2], [look.black]), ([-1, -2], [look.white]), ([4, -4], [look.black, look.white])):
        areas = [path.get("fill") for path in elements(graph(values, theme="wood"), "path")]
        assert [fill for fill in areas if fill in (look.black, look.white)] == colors
    assert SVG


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        ([], {}, "values must be from 1 to 1000 numbers, not 0"),
        ([0] * 1001, {}, "not 1001"),
        ([float("inf")], {}, "values: inf is not"),
        ([1], {"size": 1}, "size must be"),
        ([1], {"first_ply": -1}, "first_ply must be"),
        ([1], {"theme": "x"}, "theme: 'x' does not exist"),
        ([1, 2], {"marks": {2: "?"}}, "marks: ply 2 is outside the values, which are of plies 0 to 1"),
        ([1, 2], {"current": 5}, "current: ply 5 is outside"),
    ],
)
def test_wrong_options_are_named(values: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        graph(values, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize("value", ["4", True])
def test_values_of_another_type_are_refused(value: Any) -> None:
    with pytest.raises(ArgumentError, match=f"values: {value!r} is not a number of discs"):
        graph([value])
