"""GGF as the registry knows it."""

from __future__ import annotations

from typing import Final

import reversi._regex as re
from reversi.records.formats import ggf
from reversi.records.formats.format import TextFormat
from reversi.records.formats.property_lists import list_kind
from reversi.records.holding import any_node, capabilities
from reversi.records.record import Record
from reversi.rules import OTHELLO, Rules
from reversi.score import Kind


def _has_bracket(record: Record) -> bool:
    if record.line.is_bare:
        return False
    texts = (*record.line.comments, *(text for node in record.line.nodes for text in node.comments))
    return any("]" in text for text in texts)


def _loses_players(record: Record) -> bool:
    return any("]" in record.tags[name] or not record.tags[name] for name in ("Black", "White"))


def _loses_rules(record: Record) -> bool:
    """Return whether a rule differs that does not matter to these games, as an idle one."""
    rules = record.rules
    return rules is not OTHELLO and rules != Rules(board=rules.board, objective=rules.objective)


FORMAT: Final = TextFormat(
    name="ggf",
    title="GGF",
    suffixes=(".ggf",),
    holds=capabilities(
        "starts",
        "times of turns",
        "evaluations",
        partly={
            "players": _loses_players,
            "rules": _loses_rules,
            "results": lambda record: not ggf.ggf_keeps_result(record),
            "comments": _has_bracket,
            "kinds of evaluations": any_node(
                lambda node: node.evaluation is not None and node.evaluation.kind is not Kind.HEURISTIC
            ),
        },
        keeps_tag=lambda record, name, value, times: ggf.ggf_keeps_tag(record, name, value, times),
    ),
    recognize=lambda text: "(" in text and list_kind(text) == "ggf",
    read=lambda text, rules: ggf.read_ggf(text),
    write=lambda record, number: ggf.format_ggf(record) + "\n",
    cut=re.compile(r"\n(?=(?:[0-9]{1,3} ?)?\(;)"),
)
