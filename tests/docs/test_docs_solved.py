"""docs/solved.md holds what the solver finds."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from reversi import Position, Rules, parse_rules
from reversi.solver.solver import solve

PAGE = Path(__file__).parents[2] / "docs" / "solved.md"
ROW = re.compile(
    r"^\| `(?P<rules>\S+)` \| (?P<value>\S+) \| (?P<discs>\S+) \| (?P<winner>\w+) \| (?P<best>.+) \|$"
)
WINNERS = {-1: "White", 0: "draw", 1: "Black"}


def rows() -> list[re.Match[str]]:
    return [match for line in PAGE.read_text().splitlines() if (match := ROW.match(line))]


def cases() -> list[ParameterSet]:
    """Every row; those whose start takes longer than a moment are slow tests."""
    found = []
    for row in rows():
        rules = parse_rules(row["rules"])
        slow = (rules.optional_skip and rules.misere) or rules.board.cells > 24
        found.append(pytest.param(rules, row, id=row["rules"], marks=[pytest.mark.slow] if slow else []))
    return found


def test_the_page_has_every_kind_of_play_on_4x4() -> None:
    small = [parse_rules(row["rules"]) for row in rows() if "board=4x4" in row["rules"]]
    assert len(small) == 24  # (capture or not) x (no skip, two endings) x (two starts) x (two objectives)
    assert not any(one.same_play(other) for i, one in enumerate(small) for other in small[:i])


@pytest.mark.parametrize(("rules", "row"), cases())
def test_rows(rules: Rules, row: re.Match[str]) -> None:
    solution = solve(Position(rules), all_moves=True)
    value = solution.score.value
    assert f"{value:+d}" == row["value"]
    assert f"{solve(Position(replace(rules, empties_to_winner=False))).score.value:+d}" == row["discs"]
    assert WINNERS[(value > 0) - (value < 0)] == row["winner"]
    assert " ".join(map(str, solution.best)) == row["best"]
