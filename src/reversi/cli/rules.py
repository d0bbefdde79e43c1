"""``reversi rules``: list the rule sets, explain one."""

from __future__ import annotations

from typing import Annotated

from reversi.cli.console import command, out, out_json, rules_option
from reversi.cli.option_groups import Flag
from reversi.cli.options import argument
from reversi.rules import FLIPPING, NAMED_RULES, RULE_WORDS, Rules, describe


def _fields(rules: Rules) -> dict[str, object]:
    return {
        "rules": str(rules),
        "mandatory_capture": rules.mandatory_capture,
        "adjacent_only": rules.adjacent_only,
        "optional_skip": rules.optional_skip,
        "ending": rules.ending.value,
        "board": str(rules.board),
        "start": rules.start.value,
        "objective": rules.objective.value,
        "empties_to_winner": rules.empties_to_winner,
    }


@command
def list_(
    json: Annotated[bool, Flag("Write one JSON object per line.")] = False,
) -> None:
    """List the named rule sets and the words that change them.

    Example: reversi rules list
    """
    for name, rules in NAMED_RULES.items():
        if json:
            out_json(_fields(rules))
        else:
            out(f"{name:10} {describe(rules)}")
    if not json:
        out("words      " + ", ".join(word for word in RULE_WORDS if not word.startswith("board=")))
        out("           board=ROWSxCOLUMNS, each 4, 6 or 8")


@command
def show(
    rules: Annotated[str, argument("RULES", "A rule set, as in 'adjacent,board=6x6'.")],
    json: Annotated[bool, Flag("Write one JSON object.")] = False,
) -> None:
    """Explain a rule set.

    Example: reversi rules show adjacent,optional-skip
    """
    rule_set = rules_option(rules)
    if json:
        out_json({**_fields(rule_set), "description": describe(rule_set)})
    else:
        out(str(rule_set))
        out(describe(rule_set))
        out(FLIPPING)
