"""What the options of ``reversi play`` mean: players, clocks, starts, and where games are kept."""

from __future__ import annotations

from pathlib import Path

from reversi._core import Move, Position
from reversi.cli.console import fail
from reversi.cli.pasted import entries, read_input, to_move_option
from reversi.cli.status import Status
from reversi.clock import TimeControl, parse_controls
from reversi.color import Color
from reversi.errors import IllegalMoveError, InputError, ReversiError
from reversi.game import Game
from reversi.loading import load_game
from reversi.players import Side, parse_side
from reversi.rules import Rules
from reversi.saving import Sittings
from reversi.session import Session

__all__ = [
    "controls_option",
    "load_into",
    "opened",
    "resumed",
    "side_option",
    "start_position",
    "state_folder",
]


def state_folder(given: Path | None) -> Path:
    """Where unfinished games and the history of lines are kept."""
    if given is not None:
        return given
    from platformdirs import user_state_path

    return user_state_path("reversi", appauthor=False)


def resumed(sittings: Sittings) -> Session:
    """The latest unfinished game."""
    try:
        return sittings.resume()
    except InputError as error:
        fail(Status.NO_INPUT, f"--resume: {error}")
    except OSError as error:
        fail(Status.NO_INPUT, f"--resume: cannot read: {error.strerror or error}")


def side_option(option: str, text: str | None, level: int, default: str) -> Side:
    """The player that ``--black`` or ``--white`` names."""
    try:
        return parse_side(text or default, level)
    except InputError as error:
        fail(Status.USAGE, f"{option}: {error}")


def controls_option(both: str | None, black: str | None, white: str | None) -> dict[Color, TimeControl | None]:
    """The clocks that ``--clock``, ``--clock-black`` and ``--clock-white`` ask for."""
    controls: dict[Color, TimeControl | None] = dict.fromkeys(Color)
    for option, text in (("--clock", both), ("--clock-black", black), ("--clock-white", white)):
        if text is None:
            continue
        try:
            read = parse_controls(text)
        except InputError as error:
            fail(Status.USAGE, f"{option}: {error}")
        if option == "--clock":
            controls = read
        elif "/" in text:
            fail(Status.USAGE, f"{option}: {text!r} is for two players; give it with --clock")
        else:
            color = Color.BLACK if option == "--clock-black" else Color.WHITE
            controls[color] = read[color]
    return controls


def start_position(text: str | None, rules: Rules, to_move: str) -> Position:
    """Where ``--start`` begins, by default the start of the rules."""
    side = to_move_option(to_move)
    if text is None:
        start = Position(rules)
        return start if side is None else start.with_to_move(side)
    pasted = read_input(text)
    found = list(entries(pasted, rules, side))
    if len(found) != 1:
        fail(Status.BAD_DATA, f"{pasted.name or '--start'}: {len(found)} positions; a game starts from one")
    if found[0].position is None:
        fail(Status.BAD_DATA, f"{pasted.name or '--start'}: {found[0].error}")
    return found[0].position


def load_into(session: Session, place: str) -> None:
    """Put the game that ``--load`` names on the board."""
    try:
        record, ply = load_game(place, session.rules)
        session.load(record, ply)
    except FileNotFoundError:
        fail(Status.NO_INPUT, f"{place}: no such file")
    except OSError as error:
        fail(Status.NO_INPUT, f"{place}: cannot read: {error.strerror or error}")
    except ValueError as error:
        fail(Status.BAD_DATA, str(error))


def opened(start: Position, name: str | None, seed: str, lines: Path | None) -> Game:
    """A game in which the moves of ``--opening`` or ``--xot`` have been played."""
    from reversi.openings import draw_line, opening_named, read_xot

    moves: tuple[Move, ...]
    try:
        if name is not None:
            moves = opening_named(name).moves
        else:
            number = int(seed)
            if number >= 1 << 64:
                fail(Status.USAGE, f"--xot {seed}: a seed is below 2**64")
            moves = draw_line(number, None if lines is None else read_xot(lines)).moves
    except OSError as error:
        fail(Status.NO_INPUT, f"--xot-list: {lines}: {error.strerror or error}")
    except ReversiError as error:
        where = f"--xot-list: {lines}: " if lines is not None else ""
        fail(Status.USAGE if lines is None else Status.BAD_DATA, f"{where}{error}")
    game = Game(start)
    try:
        game.play_all(moves)
    except IllegalMoveError:
        fail(Status.USAGE, f"this opening cannot be played under the rules {start.rules}")
    return game
