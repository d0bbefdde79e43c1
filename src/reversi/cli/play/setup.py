"""The options of ``reversi play``: players, clocks, starts, and the folder of saved games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reversi._core import Position
from reversi.arguments import excerpt
from reversi.cli.config import named_engine, named_engines
from reversi.cli.console import fail, reading, reason, refused
from reversi.cli.status import Status
from reversi.color import Color
from reversi.errors import InputError
from reversi.game.clocks import TimeControl, parse_controls
from reversi.game.game import Game
from reversi.openings.book import BookError, Books
from reversi.rules import Rules
from reversi.session.players import Side, parse_side
from reversi.session.saving import SessionFolder
from reversi.session.session import Session

if TYPE_CHECKING:
    from reversi.games.repertoire import Repertoire
    from reversi.person.history import History


def resumed(sessions: SessionFolder, path: Path | None, book: Books | bool) -> Session:
    """Resume the session of a file, or the latest unfinished one, with its book or another."""
    try:
        with reading(f"--resume: {path}"):
            return sessions.resume(path, book=book)
    except BookError as error:
        fail(Status.BAD_DATA, f"--resume: {error}; give --book FILE or --no-book to play on with that")
    except InputError as error:
        fail(Status.NO_INPUT if path is None else Status.BAD_DATA, f"--resume: {error}")


def side_option(option: str, text: str | None, level: int | str, default: str) -> Side:
    """Return the player given to ``--black`` or ``--white``."""
    with refused(option):
        given, name = named_engine(text or default)
        if name:
            return replace(parse_side(given), name=name)
        return parse_side(given, level, names=() if ":" in given else named_engines())


def controls_option(both: str | None, black: str | None, white: str | None) -> dict[Color, TimeControl | None]:
    """Return the time controls given to ``--clock``, ``--clock-black`` and ``--clock-white``."""
    controls: dict[Color, TimeControl | None] = dict.fromkeys(Color)
    for option, text in (("--clock", both), ("--clock-black", black), ("--clock-white", white)):
        if text is None:
            continue
        with refused(option):
            read = parse_controls(text)
        if option == "--clock":
            controls = read
        elif "/" in text:
            fail(Status.USAGE, f"{option}: {excerpt(text)} is a time for both players; use --clock")
        else:
            color = Color.BLACK if option == "--clock-black" else Color.WHITE
            controls[color] = read[color]
    return controls


def start_position(text: str | None, rules: Rules, to_move: str, encoding: str) -> Position:
    """Return the position given to ``--start``, by default the start position of the rules."""
    if text is None and not to_move:
        return Position(rules)
    from reversi.cli.inputs import entries, read_input, to_move_option

    side = to_move_option(to_move)
    if text is None:
        return Position(rules) if side is None else Position(rules).with_to_move(side)
    given = read_input(text, encoding)
    positions = list(entries(given, rules, side))
    if len(positions) != 1:
        fail(
            Status.BAD_DATA, f"{given.name or '--start'}: holds {len(positions)} positions; a game starts from one"
        )
    if positions[0].position is None:
        fail(Status.BAD_DATA, f"{given.name or '--start'}: {positions[0].error}")
    return positions[0].position


def load_into(session: Session, place: str, encoding: str) -> None:
    """Put the game given to ``--load`` on the board."""
    from reversi.inputs.input import file_at
    from reversi.session.opening import open_given

    try:
        with reading(place):
            open_given(session, file_at(place).read_as(encoding))
    except ValueError as error:
        fail(Status.BAD_DATA, str(error))


def load_latest(session: Session, history: History) -> None:
    """Put the latest game of the history on the board."""
    from reversi.records.formats.pgn.reader import parse_record

    if not history.games:
        fail(Status.NO_INPUT, "there is no game to review yet: 'reversi play' keeps the games that you finish")
    session.load(parse_record(history.games[-1].record))


def opened_game(
    start: Position, name: str | None, seed: int, lines: Path | None, encoding: str
) -> tuple[Game, str]:
    """Return a game with the opening given to ``--opening`` or drawn for ``--xot``, and the opening's name."""
    from reversi.openings.games import drawn_game, opening_game

    try:
        return opening_game(start, name) if name is not None else (drawn_game(start, seed, lines, encoding), "")
    except OSError as error:
        fail(Status.NO_INPUT, f"--xot-list: {lines}: {reason(error)}")
    except InputError as error:
        if lines is not None:
            fail(Status.BAD_DATA, f"--xot-list: {error.located(str(lines))}")
        fail(Status.USAGE, str(error))


def read_opening(option: str, text: str, rules: Rules, encoding: str) -> Repertoire:
    """Return the opening or repertoire given to an option of a game; end the command where it has other rules."""
    from reversi.cli.inputs import read_repertoire

    opening = read_repertoire(text, rules, encoding)
    if not opening.starts[0].rules.same_play(rules):
        fail(Status.BAD_DATA, f"{option}: {text}: its rules are {opening.starts[0].rules}, not {rules}")
    return opening


def seed_option(option: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        fail(Status.USAGE, f"{option}: {excerpt(text)} is not a whole number from 0 up")
    return int(text)
