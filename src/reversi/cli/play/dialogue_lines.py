"""The lines of the dialogue: a ply, a hint, the state of the game, why a move is not legal."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable, Iterable
from typing import Final

import reversi._regex as re
from reversi._core import Move, Position
from reversi.arguments import excerpt
from reversi.cli.console import out
from reversi.color import Color
from reversi.errors import IllegalMoveError, InputError
from reversi.game.ply import Ply
from reversi.session.sentences import (
    count_sentence,
    disc_counts,
    handover_sentence,
    ply_sentence,
    read_aloud,
    shows_supply,
)
from reversi.session.session import Session
from reversi.solver.solution import MoveScore, move_text
from reversi.text.boards import pass_words
from reversi.text.counting import counted

_REASON: Final = re.compile(r"^ {4}([+-]) ", re.MULTILINE)
_GAP: Final = re.compile(r"^ +| {2,}")  # before a column

PAUSED: Final = "Paused: go plays one move, undo and redo step by one ply, continue resumes the game."


def say_wrapped(text: str) -> None:
    """Show lines at a terminal, broken between words at its width."""
    out(wrapped(text, shutil.get_terminal_size().columns))


def by_ear(
    read: Callable[[str], str | None], say: Callable[[str], None]
) -> tuple[Callable[[str], str | None], Callable[[str], None]]:
    """Return both without signs that a screen reader leaves out or spells: those of a prompt and of reasons."""
    good_or_bad = {"+": "    good: ", "-": "    bad: "}
    return (
        lambda prompt: read(prompt.replace("> ", ": ")),
        lambda text: say(_REASON.sub(lambda sign: good_or_bad[sign[1]], text)),
    )


def wrapped(text: str, width: int) -> str:
    """Break lines longer than ``width`` between words; they continue in their column."""
    return "\n".join(part for line in text.split("\n") for part in _wrapped_line(line, width))


def _wrapped_line(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    column = max((gap.end() for gap in _GAP.finditer(line[: width // 2])), default=0)
    hanging = " " * (column or 4)
    return textwrap.wrap(
        line[column:],
        width,
        initial_indent=line[:column],
        subsequent_indent=hanging,
        break_on_hyphens=False,
        break_long_words=False,
    )


def listed(moves: Iterable[object]) -> str:
    return " ".join(map(str, moves))


def greeting(session: Session) -> str:
    who = ". ".join(f"{color}: {session.state.names.get(str(color)) or session.sides[color]}" for color in Color)
    opening = session.tags.get("Opening")
    return f"{who}. Rules: {session.rules}." + (f" Opening: {opening}." if opening else "")


def replay_line(session: Session) -> str:
    count, rest = len(session.game), session.game.can_redo
    return (
        f"{counted(count, 'ply')} played, {rest} to redo: undo and redo step by one ply, continue plays from here."
    )


def ply_line(ply: Ply, *, evaluation: bool = False) -> str:
    """Return a ply with its number and a disc handed over; with ``evaluation`` also with its score."""
    text = f"{ply.number}. {ply_sentence(ply, evaluation=evaluation)}"
    handover = handover_sentence(ply)
    return f"{handover}\n{text}" if handover else text


def hint_line(choice: MoveScore, position: Position) -> str:
    return f"{choice.move!s:3} {move_text(position, choice.move, choice.score)}  {listed(choice.pv)}"


def status_line(session: Session) -> str:
    """Return whose turn it is, the discs on the board and beside it, and the clocks."""
    game = session.game
    supply = game.supply
    parts = [_turn(session), disc_counts(game.position)]
    if shows_supply(game):
        parts.append(f"Supply: {supply}")
    if supply.handed_over:
        both = ((Color.BLACK, supply.handed_to_black), (Color.WHITE, supply.handed_to_white))
        parts.append("Handed over: " + ", ".join(f"{number} to {color}" for color, number in both if number))
    if session.clock is not None:
        parts.append(clock_line(session))
    if session.is_paused:
        parts.append("Paused")
    if session.can_skip:
        parts.append("p skips the turn")
    return ". ".join(parts) + "."


def _turn(session: Session) -> str:
    game = session.game
    if not session.flips_pending:
        return f"{game.to_move} to move{pass_words(game.position)}"
    waits = game.is_over or session.sides[game.to_move].is_engine
    if waits or game.must_pass:
        return f"{session.to_move} flips discs, then done"
    return f"{session.to_move} flips discs, then {game.to_move} to move"


def clock_line(session: Session) -> str:
    clock = session.clock
    assert clock is not None
    return "Clock: " + ", ".join(f"{color} {clock.text(color)}" for color in Color)


def end_lines(session: Session) -> str:
    outcome = session.outcome
    if session.game.result is not None:
        return f"Result: {outcome}"
    return f"Result: {outcome}\nDiscs: {session.position.count.discs}"


def why_not(position: Position, move: Move) -> str:
    """Return why a move is not legal, and which are; "" where it is."""
    try:
        position.play(move)
    except IllegalMoveError as error:
        return f"{move}: {error.reason}; legal: {listed(position.legal_moves)}"
    return ""


def flips_line(ply: Ply) -> str:
    return f"{ply.color}'s {ply.move} flips {listed(ply.flips) or 'nothing'}."


def board_words(position: Position, line: str) -> str:
    """Return what `moves`, `count` or `read PLACE` says of a board, "" for another line.

    Raises:
        InputError: the board has no such place.
    """
    word, _, place = line.lower().partition(" ")
    if word == "read":
        try:
            return read_aloud(position, place.strip())
        except KeyError:
            raise InputError(
                f"{excerpt(place)} is not a row, a column or a square; write read 4, d or d4"
            ) from None
    if place:
        return ""
    return {"moves": listed(position.legal_moves), "count": count_sentence(position)}.get(word, "")
