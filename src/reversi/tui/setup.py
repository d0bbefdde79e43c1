"""The choices of a new game: reading them from text, and beginning the game."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final, NamedTuple

import reversi._regex as re
from reversi._core import Position
from reversi.arguments import excerpt
from reversi.color import Color
from reversi.engine.levels import AUTO
from reversi.errors import GameError, InputError, MoveError
from reversi.game.clocks import format_controls, parse_controls
from reversi.game.game import Game, beginning
from reversi.openings.book import book_path, open_books
from reversi.openings.games import drawn_game, opening_game
from reversi.openings.names import OpeningError, named_openings, opening_named
from reversi.rules import Rules, parse_rules
from reversi.session.players import Side, parse_strength, person
from reversi.session.session import Flipping, Session

RULE_SETS: Final = (
    ("Othello", "othello"),
    ("Othello on 6x6", "othello,board=6x6"),
    ("Othello on 4x4", "othello,board=4x4"),
    ("Othello, parallel start", "othello,start=parallel"),
    ("Othello, fewest discs win", "othello,misere"),
    ("Othello with skips", "othello,optional-skip"),
    ("Adjacent: a disc may go beside any disc", "adjacent"),
    ("Adjacent with skips", "adjacent,optional-skip"),
    ("Adjacent, placements must capture", "adjacent,mandatory-capture,optional-skip"),
    ("Anywhere: a disc may go on any square", "adjacent,anywhere"),
)
"""The rule sets to choose from; players can type any other."""

BALANCED: Final = "balanced"
"""The word for a random balanced opening; a number after it is the seed."""

_BALANCED = re.compile(rf"(?:{BALANCED}|xot|random)(?:\s+(\d{{1,18}}))?", re.IGNORECASE)


class Setup(NamedTuple):
    """What was chosen for a new game.

    Attributes:
        begin: begins the game in a session.
        name: the name of the person; Black's where two people play.
    """

    begin: Callable[[Session], None]
    theme: str
    name: str


def format_strength(side: Side) -> str:
    if side.adaptive:
        return AUTO
    if side.nodes is not None:
        return f"{side.nodes} nodes"
    return f"{side.time_s:g} s" if side.time_s is not None else str(side.level)


def opening_names() -> list[str]:
    return [opening.name for opening in named_openings()]


def read_setup(
    *,
    rules: str = "othello",
    black: bool = True,
    white: bool = False,
    strength: str = "5",
    clock: str = "",
    opening: str = "",
    manual: bool = False,
    takebacks: bool = True,
    theme: str = "classic",
    name: str = "",
    help_allowed: bool = False,
    encoding: str = "",
    book: str | None = None,
) -> Setup:
    """Read the choices.

    Args:
        clock: a time control as in ``5:00+3``, "" for none.
        opening: "" for the start position, a name, `BALANCED`, moves, a board, or ``FILE#3@20``.
        help_allowed: whether hints, analyses and the explorer may be used while a game with a clock runs.
        encoding: that of the file of the opening.
        book: opening books with commas between them, "" for none; ``None`` leaves those of the session.

    Raises:
        InputError: a choice cannot be read; the message names it.
        OSError: a file cannot be read.
    """
    rule_set = parse_rules(rules or "othello")
    engine, somebody = parse_strength(strength), person(name)
    if engine is None:
        raise InputError(
            f"{excerpt(strength)} is not a strength; write a level as 5, beginner-1 or auto, a time per move"
            " as 2 s, or positions per move as 9000 nodes"
        )
    controls = parse_controls(clock) if clock.strip() else dict.fromkeys(Color)
    start, opening_name, from_start = _start(opening.strip(), rule_set, encoding)
    names = [] if book is None else [book_path(name.strip()) for name in book.split(",") if name.strip()]
    books = open_books(names, [rule_set]) if names else None
    sides = {
        Color.BLACK: somebody if black else engine,
        Color.WHITE: engine if not white else person("") if black else somebody,
    }

    def begin(session: Session) -> None:
        session.flipping = Flipping.MANUAL if manual else Flipping.AUTOMATIC
        session.takebacks, session.help_allowed = takebacks, help_allowed
        if book is not None:
            session.book = books
        session.new_game(start, sides=sides, controls=controls, opening=opening_name, from_start=from_start)

    return Setup(begin, theme, somebody.name)


def _start(opening: str, rules: Rules, encoding: str) -> tuple[Game, str, bool]:
    """Return the game, the name of its opening, and whether it is not the rest of another game."""
    if not opening:
        return Game(rules), "", True
    if match := _BALANCED.fullmatch(opening):
        seed = int(match[1] or int.from_bytes(os.urandom(6), "big"))
        return drawn_game(Position(rules), seed), "", True
    if _is_name(opening):
        return *opening_game(Position(rules), opening), True
    from reversi.records.from_game import game_from_record
    from reversi.session.opening import given

    start, ply = given(opening, encoding).start(rules)
    if isinstance(start, Position):
        return Game(start), "", True
    try:
        game = game_from_record(start)
    except (GameError, MoveError) as error:
        raise InputError(f"opening: {error}") from None
    if ply is not None and ply > len(game):
        raise InputError(f"opening: ply {ply} does not exist; the game has {len(game)}")
    return beginning(game, len(game) if ply is None else ply), "", False


def _is_name(text: str) -> bool:
    """Return whether the text is the name of an opening, or looks like nothing else."""
    from reversi.records.formats.registry import recognize

    try:
        opening_named(text)
    except OpeningError:
        return recognize(text) is None and not any(sign in text for sign in "/\\.#@")
    return True


def book_text(session: Session) -> str:
    """Return the opening books of a session, as `read_setup` reads them."""
    return "" if session.book is None else ", ".join(session.book.names)


def clock_text(session: Session) -> str:
    """Return the time controls of a session, as `read_setup` reads them."""
    return "" if session.clock is None else format_controls(session.clock.controls)
