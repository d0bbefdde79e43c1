"""The sentences of the full screen: the state of the game, and its events."""

from __future__ import annotations

from collections.abc import Sequence

from reversi.game.ply import Outcome, Termination
from reversi.score import result_text
from reversi.session.events import Played, PlayedAgain, Restarted, SessionEvent
from reversi.session.sentences import event_sentence, turn_sentence
from reversi.session.session import Flipping, Session
from reversi.text.boards import pass_words
from reversi.text.widths import cut, width_of, wrapped
from reversi.tui.themes import BoardTheme


def printable(text: str) -> str:
    """Return a text without characters that command a terminal."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else " " for sign in text)


def is_viewing(session: Session) -> bool:
    """Return whether the game is an opened record that nobody has continued yet."""
    return session.is_paused and session.is_replay


def sentence(message: str) -> str:
    """Return a message as a sentence; a square or move at its beginning stays as it is."""
    begin = message if message[:1].isalpha() and message[1:2].isdigit() else message[:1].upper() + message[1:]
    return begin if begin.endswith(".") else f"{begin}."


def status_text(session: Session, theme: BoardTheme, *, thinking: bool = False) -> str:
    """Return whose turn it is and what that player may do, or how the game ended."""
    outcome = session.outcome
    if is_viewing(session):
        ply = len(session.game)
        place = f"Recorded game, ply {ply} of {ply + session.game.can_redo}"
        return (
            f"{place}: u, r step; a continues." if outcome is None else f"{place}. {outcome_text(outcome, theme)}"
        )
    if outcome is not None:
        return f"{outcome_text(outcome, theme)}; a reviews it"
    name = theme.name_of(session.to_move)
    if session.flips_pending:
        return f"{name} flips discs: choose each disc to flip, then press d."
    if session.is_paused and not thinking:
        steps = "g plays one move" if session.engine_to_move else "u, r step"
        return f"Paused, {name} to move: {steps}, a continues."
    if session.engine_to_move:
        return f"{name} is thinking{theme.ellipsis if thinking else ''}"
    text = f"{name} to move{pass_words(session.position)}"
    if session.can_skip:
        text += "; p skips the turn"
    if session.flipping is Flipping.MANUAL:
        text += "; flip the discs by hand"
    return text


def outcome_text(outcome: Outcome, theme: BoardTheme) -> str:
    """Return how a game ended: `White wins 45-19 (by 26)`, `Black wins by resignation, discs 4-1`."""
    if outcome.termination is Termination.NORMAL:
        text = result_text(outcome.count, theme.name_of)
        return text[0].upper() + text[1:]
    who = "Draw" if outcome.winner is None else f"{theme.name_of(outcome.winner)} wins"
    return f"{who} by {outcome.termination}, discs {outcome.count.discs}"


def event_text(event: SessionEvent, theme: BoardTheme, *, evaluation: bool = False) -> str:
    """Return one sentence about an event, "" where the board shows it.

    Args:
        evaluation: whether a move comes with the evaluation of the engine that played it.
    """
    match event:
        case Played(ply=ply):
            return turn_sentence(ply, theme.name_of, evaluation=evaluation)
        case PlayedAgain(plies=plies):
            return f"Played {' '.join(str(ply.move) for ply in plies)} again."
        case Restarted():
            return "Another game."
        case _:  # the board shows the others; SaveFailed has a line of its own
            return event_sentence(event, theme.name_of)


def latest_notes(notes: Sequence[str], width: int, height: int) -> list[str]:
    """Return the lines of the latest notes that fit whole; a single longer note loses its end."""
    for first in range(len(notes)):
        lines = wrapped(printable(" ".join(notes[first:])), width)
        if len(lines) <= height:
            return lines
    return wrapped(printable(notes[-1]), width, most=height) if notes else []


def warning_text(messages: Sequence[str], width: int) -> str:
    """Return the failures to save on one line; a long message loses its middle, since its end says why."""
    text = printable("; ".join(f"Not saved: {message}" for message in messages))
    if width_of(text) <= width:
        return text
    tail = cut(text[::-1], (width - 3) // 2)[::-1]
    return f"{cut(text, width - 3 - width_of(tail))}...{tail}"
