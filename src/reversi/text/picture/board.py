"""A board as SVG: the discs of a position or a game, and everything that options mark on it.

The picture is one ``svg`` element without ids, styles or links to anything outside, so that several stand in one
page, in any order. A square is sixty units wide. The same input gives the same bytes.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, Final

import reversi._regex as re
from reversi.color import Color
from reversi.rules import BoardSize
from reversi.text.picture.colors import contrast, ink_on, mix
from reversi.text.picture.describe import description, title_of
from reversi.text.picture.options import Options, with_changes
from reversi.text.picture.plan import Plan, plan_of
from reversi.text.picture.scene import Drawable, bits, scene_of
from reversi.text.picture.themes import Theme

CELL: Final = 60
"""The width of a square in units."""
FONT: Final = "Helvetica,Arial,sans-serif"
"""The fonts of all texts."""
LEAST_CONTRAST: Final = 1.6
"""The contrast of a disc and what it is on, below which it gets an edge."""
WORST_LOSS: Final = 16
"""The loss in discs from which a square is as dark as can be."""

_WIDE_MARGIN: Final = 34  # with coordinates
_NARROW_MARGIN: Final = 10
_CAPTION: Final = 40  # the height of a line of text under the board
_DISC: Final = 25  # radius
_BOARD_DOTS: Final = 4  # radius
_READABLE: Final = 3.0  # contrast of a large number and the board; below that it stands on a disc
_WIDTHS: Final = dict.fromkeys("il.,:;!|'jI ", 0.3) | dict.fromkeys("mwMW@%", 0.95) | {"-": 0.36, "~": 0.6}
_HEAT: Final = ("#fff4bf", "#fdc04f", "#f2683c", "#b3162c", "#7a0a2a")
_TEXT: Final = f'font-family="{FONT}" text-anchor="middle"'
# what XML cannot hold, controls, and what reorders the text around it
_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def svg(what: Drawable, options: Options | None = None, **changes: Any) -> str:
    """Return a position or a game as SVG.

        >>> from reversi import Position
        >>> svg(Position(), theme="wood", legal_moves=True)[:4]
        '<svg'

    Args:
        what: a `Position`, a `Game` or a record of one.
        options: what to show; the defaults when not given.
        changes: options by name, instead of those in ``options``.

    Returns:
        One ``svg`` element, a line feed at its end.

    Raises:
        InputError: an option that does not exist or does not fit, or a thing that has no picture.
        IllegalMoveError: a record has an illegal move up to the ply that is drawn.
    """
    options = with_changes(options, changes)
    return to_svg(plan_of(scene_of(what, options.ply), options))


def to_svg(plan: Plan) -> str:
    return _Picture(plan).text()


def escape(text: str) -> str:
    """Return a text as XML has it; controls, bidirectional ones too, become question marks in diamonds."""
    text = _UNPRINTABLE.sub("\ufffd", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def text_width(text: str) -> float:
    """About how wide a text is, in its font size; rather too much than too little."""
    if text.isdecimal():
        return 0.56 * len(text)
    return sum(_WIDTHS.get(character) or _other_width(character) for character in text)


def _other_width(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    return 0.72 if character.isupper() else 0.58


def fitted(text: str, width: float, largest: float) -> float:
    """Return the font size with which a text is at most ``width`` wide, to a tenth."""
    return math.floor(10 * min(largest, width / max(text_width(text), 0.01))) / 10


def heat(loss: float) -> str:
    """Return the color of a square on which a move loses that many discs."""
    at = min(loss / WORST_LOSS, 1.0) * (len(_HEAT) - 1)
    step = min(int(at), len(_HEAT) - 2)
    return mix(_HEAT[step], _HEAT[step + 1], at - step)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


class _Picture:
    """One picture while it is drawn: its parts from the bottom up."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.options = plan.options
        self.marks = plan.marks
        self.board: BoardSize = plan.discs.rules.board
        self.look: Theme = plan.options.look
        self.margin = _WIDE_MARGIN if plan.options.coordinates else _NARROW_MARGIN
        # a number in the color of a side must be legible on the board; else all stand on discs
        colors = [contrast(self.look.disc(color), self.look.board) for color in Color]
        self.numbers_on_discs = bool(plan.numbered) and min(colors) < _READABLE

    def text(self) -> str:
        options, board = self.options, self.board
        width = 2 * self.margin + CELL * board.columns
        height = 2 * self.margin + CELL * board.rows + (_CAPTION if options.caption else 0)
        title = escape(options.title or title_of(self.plan.scene))
        body = "".join(self._layers(width, height))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{options.size}" '
            f'height="{round(options.size * height / width)}" role="img" aria-label="{title}">\n'
            f"<title>{title}</title>\n<desc>{escape(description(self.plan))}</desc>\n{body}</svg>\n"
        )

    def _layers(self, width: int, height: int) -> Iterator[str]:
        look, margin = self.look, self.margin
        yield f'<rect width="{width}" height="{height}" rx="12" fill="{look.frame}"/>\n'
        if self.options.coordinates:
            yield self._coordinates()
        yield f'<g transform="translate({margin} {margin})">\n'
        yield self._squares()
        yield self._discs()
        yield from self._marked_discs()
        yield self._arrows()  # under the texts, which stay legible
        yield from self._texts()
        yield "</g>\n"
        if self.options.caption:
            yield self._caption(width, height)

    def _coordinates(self) -> str:
        size, margin, board = 20, self.margin, self.board
        letters = "".join(
            f'<text x="{margin + CELL * column + CELL // 2}" y="{margin - 10}">{"abcdefgh"[column]}</text>'
            for column in range(board.columns)
        )
        numbers = "".join(
            f'<text x="{margin // 2}" y="{margin + CELL * row + CELL // 2 + 7}">{row + 1}</text>'
            for row in range(board.rows)
        )
        return f'<g {_TEXT} font-size="{size}" font-weight="600" fill="{self.look.label}">{letters}{numbers}</g>\n'

    def _squares(self) -> str:
        """Return the board, what colors or frames its squares, and its lines."""
        look, board = self.look, self.board
        width, height = CELL * board.columns, CELL * board.rows
        parts = [f'<rect width="{width}" height="{height}" fill="{look.board}"/>\n']
        for square, loss in self.marks.losses.items():
            x, y = _corner(square)
            parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{heat(loss)}"/>\n')
        across = "".join(f"M0 {CELL * row}H{width}" for row in range(1, board.rows))
        down = "".join(f"M{CELL * column} 0V{height}" for column in range(1, board.columns))
        parts.append(
            f'<path d="{across}{down}" stroke="{look.line}" stroke-width="{look.stroke:g}" '
            f'fill="none"/>\n<rect width="{width}" height="{height}" stroke="{look.line}" '
            f'stroke-width="{2 * look.stroke:g}" fill="none"/>\n'
        )
        if board.rows == board.columns == 8:
            dots = [(x, y) for y in (2, 6) for x in (2, 6)]
            parts.append(_circles(((CELL * x, CELL * y) for x, y in dots), _BOARD_DOTS, f'fill="{look.line}"'))
        if self.marks.highlights:
            frames = "".join(
                f'<rect x="{x + 4}" y="{y + 4}" width="{CELL - 8}" height="{CELL - 8}" rx="5"/>'
                for x, y in map(_corner, self.marks.highlights)
            )
            parts.append(f'<g fill="none" stroke="{look.highlight}" stroke-width="5">{frames}</g>\n')
        return "".join(parts)

    def _discs(self) -> str:
        black = [*bits(self.plan.discs.black)]
        white = [*bits(self.plan.discs.white)]
        if self.numbers_on_discs:
            for square, turn in self.plan.numbered.items():
                (black if turn.color is Color.BLACK else white).append(square)
        parts = []
        if self.look.shadow:
            places = ((x + 1.5, y + 3) for x, y in map(_center, (*black, *white)))
            parts.append(_circles(places, _DISC, f'fill="#000" fill-opacity="{self.look.shadow:g}"'))
        for color, squares in ((Color.BLACK, black), (Color.WHITE, white)):
            disc = self.look.disc(color)
            edge = _edge(disc, self.look)
            radius = _DISC - (1 if edge else 0)
            parts.append(_circles(map(_center, squares), radius, f'fill="{disc}"{edge}'))
        return "".join(parts)

    def _marked_discs(self) -> Iterator[str]:
        """Legal moves, flipped discs and the last move; a text on the square takes the place of the mark."""
        look, plan = self.look, self.plan
        taken = {*plan.marks.values, *plan.numbered}
        legal = [square for square in plan.legal if square not in taken]
        yield _circles(map(_center, legal), 7, f'fill="{look.mark}"')
        yield _circles(map(_center, plan.flips), 11, f'fill="none" stroke="{look.accent}" stroke-width="3.5"')
        if plan.last is not None and plan.last not in taken:
            yield _circles([_center(plan.last)], 7.5, f'fill="{look.accent}"')

    def _texts(self) -> Iterator[str]:
        by_color: dict[str, list[str]] = {}
        values = self.marks.values
        largest = 28 if self.numbers_on_discs else 32
        for square, turn in self.plan.numbered.items():
            if square not in values:
                text = str(turn.number)
                placed = _at(square, text, fitted(text, 0.62 * CELL, largest))
                by_color.setdefault(self._ink(square), []).append(placed)
        for square, text in values.items():
            placed = _at(square, escape(text), fitted(text, 0.84 * CELL, 25))
            by_color.setdefault(self._ink(square), []).append(placed)
        if by_color:
            yield f'<g {_TEXT} font-weight="700">\n'
            for ink, texts in by_color.items():
                yield f'<g fill="{ink}">{"".join(texts)}</g>\n'
            yield "</g>\n"

    def _ink(self, square: int) -> str:
        """Return the color of a text on a square: by its disc, its heat, or the player who placed there."""
        color = self.plan.color_at(square)
        bare = square in self.plan.numbered and not self.numbers_on_discs
        if color is not None and not bare:
            return ink_on(self.look.disc(color))
        if square in self.marks.losses:
            return ink_on(heat(self.marks.losses[square]))
        return self.look.ink if color is None or square in self.marks.values else self.look.disc(color)

    def _arrows(self) -> str:
        if not self.marks.arrows:
            return ""
        shapes = "".join(_arrow(_center(tail), _center(head)) for tail, head in self.marks.arrows)
        edge = mix(self.look.arrow, ink_on(self.look.arrow), 0.75)
        return (
            f'<g fill="{self.look.arrow}" fill-opacity="0.92" stroke="{edge}" stroke-width="1.5" '
            f'stroke-linejoin="round">{shapes}</g>\n'
        )

    def _caption(self, width: int, height: int) -> str:
        caption = self.options.caption
        size = fitted(caption, width - 2 * _NARROW_MARGIN, 22)
        y = height - (_CAPTION + (_NARROW_MARGIN if self.margin == _NARROW_MARGIN else 18)) / 2 + size / 3
        return (
            f'<text {_TEXT} x="{width // 2}" y="{_number(y)}" font-size="{_number(size)}" '
            f'font-weight="600" fill="{self.look.label}">{escape(caption)}</text>\n'
        )


def _corner(square: int) -> tuple[int, int]:
    return CELL * (square & 7), CELL * (square >> 3)


def _center(square: int) -> tuple[int, int]:
    return CELL * (square & 7) + CELL // 2, CELL * (square >> 3) + CELL // 2


def _circles(places: Iterable[tuple[float, float]], radius: float, style: str) -> str:
    circles = "".join(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}"/>' for x, y in places)
    return f"<g {style}>{circles}</g>\n" if circles else ""


def _edge(disc: str, look: Theme) -> str:
    """Return the edge of discs that hardly differ from the board, as attributes; "" for none."""
    if contrast(disc, look.board) >= LEAST_CONTRAST:
        return ""
    return f' stroke="{ink_on(look.board)}" stroke-width="2.5"'


def _at(square: int, text: str, size: float) -> str:
    x, y = _center(square)
    return f'<text x="{x}" y="{_number(y + 0.355 * size)}" font-size="{_number(size)}">{text}</text>'


def _arrow(tail: tuple[int, int], head: tuple[int, int]) -> str:
    """Return an arrow as one outline, from near the center of a square to that of another."""
    length = math.hypot(head[0] - tail[0], head[1] - tail[1])
    along = ((head[0] - tail[0]) / length, (head[1] - tail[1]) / length)
    end = length - 4
    outline = ((10, 5), (end - 24, 5), (end - 24, 14), (end, 0), (end - 24, -14), (end - 24, -5), (10, -5))
    points = [
        f"{_number(tail[0] + along[0] * ahead - along[1] * aside)} "
        f"{_number(tail[1] + along[1] * ahead + along[0] * aside)}"
        for ahead, aside in outline
    ]
    return f'<path d="M{"L".join(points)}Z"/>'
