"""What the tests of pictures share: random things to draw, and reading SVG."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from typing import Any

from random_games import random_game
from reversi import Color, Game, Position
from reversi.render import THEMES

SVG = "{http://www.w3.org/2000/svg}"
RULES = (
    "othello",
    "othello",
    "othello",
    "adjacent",
    "adjacent,optional-skip",
    "othello,board=6x6",
    "othello,board=4x6",
    "othello,board=4x4,misere",
    "othello,board=8x4",
)
WORDS = ("+4", "-12", "~+0.5", "<&>", "?!", "é", "99%", '"x"', "")


def some_game(seed: int) -> Game:
    """A random game under some rules, not always to its end."""
    chance = random.Random(seed)
    game = random_game(chance.choice(RULES), seed)
    game.undo(chance.randrange(len(game) + 1))
    return game


def some_options(seed: int, position: Position) -> dict[str, Any]:
    """Random options that fit a position's board."""
    chance = random.Random(seed)
    board = position.rules.board
    squares = [f"{'abcdefgh'[column]}{row + 1}" for row in range(board.rows) for column in range(board.columns)]

    def some() -> list[str]:
        return chance.sample(squares, chance.randrange(5))

    colors = chance.choice([{}, {}, {"black": "red", "white": "#3a3"}])
    return {
        "theme": chance.choice([*THEMES]),
        **colors,
        "size": chance.choice([40, 200, 400, 1000]),
        "coordinates": chance.random() < 0.7,
        "last_move": chance.choice([True, False, chance.choice(squares)]),
        "flips": chance.choice([True, False, some()]),
        "legal_moves": chance.random() < 0.5,
        "numbers": chance.random() < 0.3,
        "numbers_from": chance.choice([1, 1, 5]),
        "values": {square: chance.choice(WORDS) for square in some()},
        "losses": {square: chance.choice([0, 1.5, 4, 30]) for square in some()},
        "arrows": [f"{one}-{two}" for one, two in zip(some(), some(), strict=False) if one != two],
        "highlights": some(),
        "title": chance.choice(["", "a title", "<script>alert('x')</script>"]),
        "caption": chance.choice(["", "Black to move", "日本 & \x00\ud800 <b>", "long " * 50]),
    }


def elements(svg: str, name: str) -> list[ET.Element]:
    """The elements of a name."""
    return ET.fromstring(svg.encode()).findall(f".//{SVG}{name}")


def circles(svg: str, fill: str, radius: float = 25) -> list[tuple[int, int]]:
    """Rows and columns of the squares that have a disc of a color."""
    found = []
    for group in elements(svg, "g"):
        if group.get("fill") == fill:
            for circle in group.findall(f"{SVG}circle"):
                if abs(float(circle.get("r", "0")) - radius) <= 1:
                    found.append(
                        (int(float(circle.get("cy", "0"))) // 60, int(float(circle.get("cx", "0"))) // 60)
                    )
    return sorted(found)


def discs(position: Position, color: Color) -> list[tuple[int, int]]:
    """Rows and columns of a side's discs."""
    squares = position.black if color is Color.BLACK else position.white
    return [divmod(square, 8) for square in range(64) if squares >> square & 1]


def texts(svg: str) -> dict[str, str]:
    """The texts on squares with their colors, by square; of a board with coordinates."""
    found = {}
    for outer in elements(svg, "g"):
        if outer.get("font-weight") == "700":
            for group in outer.findall(f"{SVG}g"):
                for text in group.findall(f"{SVG}text"):
                    row, column = int(float(text.get("y", "0")) / 60), int(text.get("x", "0")) // 60
                    found[f"{'abcdefgh'[column]}{row + 1}"] = f"{text.text or ''} {group.get('fill')}"
    return found


def has_no_reference(svg: str) -> bool:
    """Whether nothing in a picture points outside or to something else in the page."""
    return re.search(r"href|url\(| id=|<style|<script", svg) is None
