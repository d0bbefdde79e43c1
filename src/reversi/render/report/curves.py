"""Ratings over the years as SVG, in the colors of the page."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import Final

from reversi.games.statistics.curves import Curve, Curves
from reversi.text.terminal import safe

_WIDTH: Final = 800
_HEIGHT: Final = 260
_LEFT, _TOP, _BOTTOM = 50, 10, 230
_NAMES: Final = 190  # how wide names are
_MOST: Final = 8  # curves that a reader can tell apart
_LINE: Final = 17


def curves_svg(curves: Curves) -> str:
    """Return the first curves as one ``svg`` element; that of one player with its intervals of 95 %."""
    drawn = dict(list(curves.items())[:_MOST])
    alone = len(drawn) == 1
    right = _WIDTH - (10 if alone else _NAMES)
    ratings = [one for curve in drawn.values() for one in curve.values()]
    first, last = min(map(min, drawn.values())), max(map(max, drawn.values()))
    low = 50 * (min(one.low if alone else one.rating for one in ratings) // 50)
    high = 50 * (max(one.high if alone else one.rating for one in ratings) // 50 + 1)

    def x(year: int) -> str:
        return f"{_LEFT + (year - first + 0.5) / (last - first + 1) * (right - _LEFT):.1f}"

    def y(rating: float) -> str:
        return f"{_BOTTOM - (rating - low) / (high - low) * (_BOTTOM - _TOP):.1f}"

    def line(curve: Curve) -> str:
        points = [f"{x(year)} {y(one.rating)}" for year, one in curve.items()]
        dots = "".join(f"M{point}h0" for point in points)
        return f'<path d="M{"L".join(points)}"/><path class="dots" d="{dots}"/>'

    step = 50 if high - low <= 400 else 100 if high - low <= 1000 else 200
    every = next(years for years in (1, 2, 5, 10, 20, 50, 100, 1000) if (last - first) / years <= 12)
    levels = [rating for rating in range(int(low), int(high) + 1) if rating % step == 0]
    parts = [f'<path class="rule" d="{"".join(f"M{_LEFT} {y(one)}H{right}" for one in levels)}"/>']
    parts += [f'<text x="{_LEFT - 8}" y="{y(one)}" text-anchor="end">{one}</text>' for one in levels]
    marks = [year for year in range(first, last + 1) if year % every == 0]
    parts += [f'<text x="{x(year)}" y="{_BOTTOM + 20}" text-anchor="middle">{year}</text>' for year in marks]
    if alone:
        (curve,) = drawn.values()
        upper = [f"{x(year)} {y(one.high)}" for year, one in curve.items()]
        lower = [f"{x(year)} {y(one.low)}" for year, one in curve.items()]
        parts.append(f'<path class="band" d="M{"L".join([*upper, *reversed(lower)])}Z"/>')
    ends = sorted((float(y(list(curve.values())[-1].rating)), name) for name, curve in drawn.items())
    labels = [at for at, _ in ends]
    for number, (above, _) in enumerate(pairwise(labels), 1):
        labels[number] = max(labels[number], labels[number - 1] + _LINE, above)
    over = max(labels[-1] - _BOTTOM, 0)
    for number, (name, curve) in enumerate(drawn.items()):
        at = next(label for label, (_, other) in zip(labels, ends, strict=True) if other == name) - over
        text = "" if alone else f'<text x="{right + 8}" y="{at:.1f}">{escape(safe(name))}</text>'
        parts.append(f'<g class="c{number}">{line(curve)}{text}</g>')
    names = escape(", ".join(map(safe, drawn)))
    return (
        f'<svg class="curves" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="Ratings by year: {names}">'
        f"{''.join(parts)}</svg>"
    )
