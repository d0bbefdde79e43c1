"""Writes the table of levels into docs/engine.md: python docs/make_levels.py"""

from __future__ import annotations

from pathlib import Path

from reversi.engine.levels import MAX_LEVEL, level_for
from reversi.evaluation.confidence import confidence_of
from reversi.rules import parse_rules

PAGE = Path(__file__).with_name("engine.md")
BEGIN, END = "<!-- levels: python docs/make_levels.py -->\n", "<!-- end of levels -->\n"
SHOWN = (*range(1, 14), 16, 18, 20, 25, 30, 40, 50, MAX_LEVEL)


def table() -> str:
    """One row per level: what it does in the standard game, and from when on it solves under `adjacent`."""
    adjacent = parse_rules("adjacent")
    rows = [
        "| level | looks ahead | misjudges by | to the end from | right there in | exact from"
        " | exact under `adjacent` |\n",
        "|---|---|---|---|---|---|---|\n",
    ]
    for number in SHOWN:
        level = level_for(number)
        noise = f"{level.noise:g} disc{'' if level.noise == 1 else 's'}" if level.noise else "–"
        sure = "–" if level.noise else f"{confidence_of(level.caution, min(level.solve_from, 60))} %"
        solve = "–" if level.noise else f"{min(level.solve_from, 60)} empty"
        other = level_for(number, adjacent)
        rows.append(
            f"| {number} | {level.depth} | {noise} | {solve} | {sure} | {level.exact_from} empty"
            f" | {other.exact_from} empty |\n"
        )
    return "".join(rows)


def page(text: str) -> str:
    """The page with a fresh table."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
