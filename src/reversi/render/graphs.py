"""The graph of a game: the value of each position from Black's view, as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from types import NoneType
from typing import Final, Protocol, runtime_checkable

from reversi.arguments import check_count, check_type, excerpt, is_number, not_one
from reversi.errors import InputError
from reversi.text.picture.board import FONT, LEAST_CONTRAST, escape, fitted
from reversi.text.picture.colors import contrast, ink_on, mix
from reversi.text.picture.options import MAX_SIZE, MIN_SIZE
from reversi.text.picture.themes import DEFAULT_THEME, Theme, find_theme

_WIDTH: Final = 800  # in units
_HEIGHT: Final = 320
_LEFT: Final = 56
_RIGHT: Final = 16
_TOP: Final = 18
_TITLED_TOP: Final = 46
_BOTTOM: Final = 40
_RANGES: Final = (8, 16, 32, 64)  # discs up and down, of which the least that holds all values is taken
_MAX_VALUES: Final = 1000


@runtime_checkable
class GameValues(Protocol):
    """A game with the values of its positions: what `reversi.analyze` returns."""

    @property
    def values(self) -> Sequence[float | None]:
        """The value after each ply from Black's view, the start at index 0."""

    @property
    def marks(self) -> Mapping[int, str]:
        """Short texts by ply."""

    @property
    def title(self) -> str:
        """A line above the graph."""


def graph(
    values: Iterable[float | None] | GameValues,
    *,
    theme: Theme | str = DEFAULT_THEME,
    size: int = 640,
    first_ply: int = 0,
    marks: Mapping[int, str] | None = None,
    title: str | None = None,
    current: int | None = None,
) -> str:
    """Return the values of a game as SVG: Black's lead is above the middle line, White's below.

    Args:
        values: the analysis of a game; or the value after each ply, in discs from Black's view, ``None`` where it
            is not known, which leaves a gap.
        theme: a name in `reversi.render.THEMES`, or a theme of one's own.
        size: the width of the picture in pixels.
        first_ply: the ply of the first value; 0 is the start of the game.
        marks: short texts above plies; of an analysis by default the signs of mistakes (``?``, ``??``).
        title: a line above the graph, and what it is called for people who do not see it; of an analysis by
            default the players.
        current: a ply to draw a line at.

    Returns:
        One ``svg`` element, a line feed at its end. The same input gives the same bytes.

    Raises:
        InputError: values that are not numbers or too many, an impossible size, a mark or a line at a ply
            without a value, or a theme that does not exist.
    """
    if isinstance(values, GameValues):
        marks = values.marks if marks is None else marks
        title = values.title if title is None else title
        values = values.values
    check_type("marks", marks, Mapping, NoneType)
    look = find_theme(theme)
    check_count("size", size, MAX_SIZE, least=MIN_SIZE, unit="pixels")
    check_count("first_ply", first_ply, least=0)
    if current is not None:
        check_count("current", current, least=0)
    numbers = _checked(values)
    last_ply = first_ply + len(numbers) - 1
    signs = dict(sorted((marks or {}).items()))
    for name, ply in (*(("marks", ply) for ply in signs), *(() if current is None else (("current", current),))):
        if not first_ply <= ply <= last_ply:
            plies = f"{first_ply} to {last_ply}"
            raise InputError(f"{name}: ply {ply} is outside the values, which are of plies {plies}")
    most = max((abs(value) for value in numbers if value is not None), default=0)
    reach = next((reach for reach in _RANGES if most <= reach), math.ceil(most / 32) * 32)
    return _Graph(look, numbers, first_ply, reach, title or "").text(size, signs, current)


def _checked(values: Iterable[float | None]) -> list[float | None]:
    numbers = list(values)
    if not 1 <= len(numbers) <= _MAX_VALUES:
        raise InputError(f"values must be from 1 to {_MAX_VALUES} numbers, not {len(numbers)}")
    for value in numbers:
        if value is not None and not (is_number(value, int | float) and math.isfinite(value)):
            raise not_one(value, int | float, f"values: {excerpt(value)} is not a number of discs")
    return numbers


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


class _Graph:
    """Where plies and values are in the picture, and its parts."""

    def __init__(self, look: Theme, values: list[float | None], first_ply: int, reach: int, title: str) -> None:
        self.look, self.values, self.first_ply = look, values, first_ply
        self.reach, self.title = reach, title
        self.top = _TITLED_TOP if title else _TOP
        self.bottom = _HEIGHT - _BOTTOM
        self.middle = (self.top + self.bottom) / 2
        self.label = look.label
        self.grid = mix(look.board, look.line, 0.55)

    def x(self, ply: float) -> float:
        share = (ply - self.first_ply) / max(len(self.values) - 1, 1)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        return self.middle - value / self.reach * (self.bottom - self.top) / 2

    def text(self, size: int, signs: Mapping[int, str], current: int | None) -> str:
        name = escape(self.title or "Values of the game")
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{size}" '
            f'height="{round(size * _HEIGHT / _WIDTH)}" role="img" aria-label="{name}">\n'
            f"<title>{name}</title>\n<desc>{escape(self._description(signs))}</desc>\n"
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="12" fill="{self.look.frame}"/>\n'
            f'<path d="M{_LEFT} {self.top}H{_WIDTH - _RIGHT}V{self.bottom}H{_LEFT}Z" fill="{self.look.board}"/>\n',
            f'<g font-family="{FONT}" font-size="17" fill="{self.label}">\n',
            self._axes(),
            "</g>\n",
            self._sides(),
            self._areas(),
        ]
        if current is not None:
            x = _number(self.x(current))
            parts.append(
                f'<path d="M{x} {self.top}V{self.bottom}" stroke="{self.look.ink}" stroke-width="2" '
                f'stroke-dasharray="5 4"/>\n'
            )
        parts += [self._lines(), self._signs(signs), "</svg>\n"]
        return "".join(parts)

    def _description(self, signs: Mapping[int, str]) -> str:
        plies = enumerate(self.values, self.first_ply)
        listed = ", ".join(f"{ply}: {value:+g}" for ply, value in plies if value is not None)
        marked = "".join(f". Ply {ply} {text}" for ply, text in signs.items())
        return f"Discs from Black's view after each ply: {listed or 'none known'}{marked}."

    def _axes(self) -> str:
        texts, ticks = [], []
        for value in (self.reach, self.reach // 2, 0, -self.reach // 2, -self.reach):
            y = self.y(value)
            ticks.append(f"M{_LEFT} {_number(y)}H{_WIDTH - _RIGHT}")
            label = f"{value:+d}" if value else "0"
            texts.append(f'<text x="{_LEFT - 10}" y="{_number(y + 6)}" text-anchor="end">{label}</text>')
        last = self.first_ply + len(self.values) - 1
        step = max(1, 10 * math.ceil(len(self.values) / 120)) if len(self.values) > 15 else 2
        for ply in range(-(-self.first_ply // step) * step, last + 1, step):
            x = _number(self.x(ply))
            ticks.append(f"M{x} {self.bottom}v6")
            texts.append(f'<text x="{x}" y="{self.bottom + 26}" text-anchor="middle">{ply}</text>')
        if self.title:
            size = _number(fitted(self.title, _WIDTH - _LEFT - _RIGHT, 20))
            title = escape(self.title)
            texts.append(f'<text x="{_LEFT}" y="30" font-size="{size}" font-weight="600">{title}</text>')
        return f'<path d="{"".join(ticks)}" stroke="{self.grid}" fill="none"/>\n{"".join(texts)}\n'

    def _runs(self) -> list[list[tuple[float, float]]]:
        """Neighboring known values as points, each run apart."""
        plies = enumerate(self.values, self.first_ply)
        return [
            [(self.x(ply), self.y(value)) for ply, value in run if value is not None]
            for has_value, run in groupby(plies, key=lambda it: it[1] is not None)
            if has_value
        ]

    def _edge(self, disc: str) -> str:
        """Return the edge of what has the color of a disc, where that hardly differs from the ground."""
        return ink_on(self.look.board) if contrast(disc, self.look.board) < LEAST_CONTRAST else disc

    def _sides(self) -> str:
        return "".join(
            f'<circle cx="{_LEFT + 18}" cy="{y}" r="9" fill="{disc}" stroke="{self._edge(disc)}"/>\n'
            for disc, y in ((self.look.black, self.top + 18), (self.look.white, self.bottom - 18))
        )

    def _areas(self) -> str:
        """Return each side's lead, in the color of its discs."""
        areas = []
        for disc, sign in ((self.look.black, -1), (self.look.white, 1)):
            outline = "".join(_area(run, self.middle, sign) for run in self._runs())
            if outline:
                areas.append(f'<path d="{outline}" fill="{disc}" stroke="{self._edge(disc)}"/>\n')
        return "".join(areas)

    def _lines(self) -> str:
        runs = self._runs()
        path = "".join(
            "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in run) for run in runs if len(run) > 1
        )
        dots = "".join(
            f'<circle cx="{_number(x)}" cy="{_number(y)}" r="3"/>' for run in runs if len(run) == 1 for x, y in run
        )
        parts = []
        if path:
            parts.append(
                f'<path d="{path}" fill="none" stroke="{self.look.ink}" stroke-width="2.5" '
                f'stroke-linejoin="round" stroke-linecap="round"/>\n'
            )
        if dots:
            parts.append(f'<g fill="{self.look.ink}">{dots}</g>\n')
        return "".join(parts)

    def _signs(self, signs: Mapping[int, str]) -> str:
        dots, texts = [], []
        for ply, text in signs.items():
            value = self.values[ply - self.first_ply]
            x, y = self.x(ply), self.y(0 if value is None else value)
            dots.append(f'<circle cx="{_number(x)}" cy="{_number(y)}" r="6"/>')
            # away from the area, unless that is the edge
            below = y < self.top + 30 or (y > self.middle and y < self.bottom - 30)
            at = y + 26 if below else y - 12
            texts.append(f'<text x="{_number(x)}" y="{_number(at)}">{escape(text)}</text>')
        if not texts:
            return ""
        look = self.look
        return (
            f'<g fill="{look.accent}" stroke="{look.ink}" stroke-width="1.5">{"".join(dots)}</g>\n'
            f'<g font-family="{FONT}" font-size="20" font-weight="700" text-anchor="middle" '
            f'fill="{look.ink}" stroke="{look.board}" stroke-width="4" paint-order="stroke" '
            f'stroke-linejoin="round">{"".join(texts)}</g>\n'
        )


def _area(run: list[tuple[float, float]], middle: float, sign: int) -> str:
    """Return the part of a run above (``sign`` -1) or below (1) the middle line, as an outline."""
    points = [run[0]]
    for one, two in pairwise(run):
        if (one[1] - middle) * (two[1] - middle) < 0:  # the line is crossed between them
            share = (middle - one[1]) / (two[1] - one[1])
            points.append((one[0] + share * (two[0] - one[0]), middle))
        points.append(two)
    beyond = [(x, max((y - middle) * sign, 0) * sign + middle) for x, y in points]
    if all(y == middle for _, y in beyond):
        return ""
    path = "L".join(f"{_number(x)} {_number(y)}" for x, y in beyond)
    return f"M{_number(beyond[0][0])} {_number(middle)}L{path}V{_number(middle)}Z"
