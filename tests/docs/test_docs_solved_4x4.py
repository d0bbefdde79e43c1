"""docs/solved-4x4.md has every rule set, with the values of the oracle."""

from __future__ import annotations

import pytest
import solve_4x4

from reversi import Rules, parse_rules

LINES = {line["rules"]: line for line in solve_4x4.read_lines()}
EVERY = [rules for rules in solve_4x4.rule_sets() if solve_4x4.idle_fields_out(rules) == rules]


def test_every_combination_of_fields_has_a_line() -> None:
    assert list(LINES) == [str(rules) for rules in solve_4x4.rule_sets()]
    assert len(LINES) == 2**7
    assert all(str(parse_rules(name)) == name for name in LINES)


def test_the_page_is_made_of_the_data() -> None:
    assert solve_4x4.PAGE.read_text("utf-8") == solve_4x4.page(list(LINES.values())), "run docs/solve_4x4.py"


@pytest.mark.parametrize("name", ["othello,board=4x4", "adjacent,optional-skip,no-moves,board=4x4,misere"])
def test_the_data_is_what_the_solver_finds(name: str) -> None:
    assert solve_4x4.solved(parse_rules(name)) == LINES[name]


def test_idle_fields_change_nothing() -> None:
    for rules in solve_4x4.rule_sets():
        line, other = LINES[str(rules)], LINES[str(solve_4x4.idle_fields_out(rules))]
        assert (line["value"], line["moves"]) == (other["value"], other["moves"])


@pytest.mark.thorough
@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(rules, marks=[] if rules.mandatory_capture else [pytest.mark.slow], id=str(rules))
        for rules in EVERY
    ],
)
def test_the_oracle_finds_every_value(rules: Rules) -> None:
    solve_4x4.check_line(rules, LINES[str(rules)])


def test_a_wrong_value_is_found() -> None:
    line = LINES["othello,board=4x4"]
    wrong: solve_4x4.Line = {**line, "value": -8, "moves": {**line["moves"], "b1": -8}}
    with pytest.raises(AssertionError, match="b1 is not -8"):
        solve_4x4.check_line(parse_rules("othello,board=4x4"), wrong)
