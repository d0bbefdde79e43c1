"""SGF as the registry knows it."""

from __future__ import annotations

from typing import Final

import reversi._regex as re
from reversi.records.formats import sgf
from reversi.records.formats.format import TextFormat
from reversi.records.formats.property_lists import list_kind
from reversi.records.holding import FEATURES, capabilities


def _cut(text: str) -> re.Pattern[str]:
    # not before any tree, since variations begin so too, nor where a value goes on after an escaped line end
    return re.compile(rf"(?<!\\)(?<!\\\r)\n(?={sgf.GAME_BEGIN})")


FORMAT: Final = TextFormat(
    name="sgf",
    title="SGF",
    suffixes=(".sgf",),
    holds=capabilities(*FEATURES),
    recognize=lambda text: "(" in text and list_kind(text) == "sgf",
    read=lambda text, rules: sgf.read_sgf(text, rules=rules),
    write=lambda record, number: sgf.format_sgf(record),
    between="\n",
    cut=_cut,
)
