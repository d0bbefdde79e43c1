"""Ratings over the years as graphs of characters; `reversi.render` draws the same as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from reversi.games.statistics.ratings import PlayerRating
from reversi.text.bars import EIGHTHS
from reversi.text.terminal import safe
from reversi.text.widths import filled, width_of

_HEIGHT: Final = 7
_WIDTH: Final = 76


Curve: TypeAlias = Mapping[int, PlayerRating]
"""The rating of a player at the end of years, in order."""

Curves: TypeAlias = Mapping[str, Curve]
"""Those of players, by their names."""


def curve_lines(curves: Curves) -> Iterator[str]:
    """Yield a graph of one player with its interval, or a line for each of several players."""
    ratings = [rating for curve in curves.values() for rating in curve.values()]
    if not ratings:
        return
    years = range(min(map(min, curves.values())), max(map(max, curves.values())) + 1)
    if len(curves) == 1:
        (curve,) = curves.values()
        yield from _one(curve, years, max(1, min(3, _WIDTH // len(years))))
        return
    least, most = min(one.rating for one in ratings), max(one.rating for one in ratings)
    width = max(map(width_of, map(safe, curves)))
    for name, curve in curves.items():
        eighths = {year: 1 + round(7 * (one.rating - least) / max(most - least, 1)) for year, one in curve.items()}
        best, last = max(curve, key=lambda year: curve[year].rating), max(curve)
        bars = "".join(EIGHTHS[eighths.get(year, 0)] for year in years)
        ends = dict.fromkeys((last, best))
        words = ", at best ".join(f"{curve[year].rating:.0f} in {year}" for year in ends)
        yield f"{filled(safe(name), width)}  {bars}  {words}"
    yield " " * width + f"  {years[0]}{str(years[-1]).rjust(len(years) - 4) if len(years) > 8 else ''}"


def _one(curve: Curve, years: range, wide: int) -> Iterator[str]:
    bottom = min(one.rating for one in curve.values()) - 25
    step = max((max(one.rating for one in curve.values()) + 25 - bottom) / _HEIGHT, 1)
    for row in range(_HEIGHT - 1, -1, -1):
        low = bottom + row * step
        cells = "".join(_cell(curve.get(year), low, low + step).ljust(wide) for year in years)
        yield f"{low + step / 2:6.0f} {cells}".rstrip()
    every = 5 if len(years) > 10 or wide * len(years) < 5 else 2
    marks = "".join(str(year).ljust(wide * every) for year in years if year % every == 0)
    yield (" " * (7 + wide * (-years[0] % every)) + marks).rstrip()


def _cell(rating: PlayerRating | None, low: float, high: float) -> str:
    if rating is None:
        return " "
    return "●" if low <= rating.rating < high else "│" if rating.low < high and low < rating.high else " "
