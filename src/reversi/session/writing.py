"""The game of a session as a page, a transcript or a picture, in a file of its own beside the game."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, TypeAlias

from reversi._core import Position
from reversi._system.files import Target, naming, write_atomically
from reversi._system.paths import expanded
from reversi.analysis.analysis import Analysis
from reversi.errors import InputError
from reversi.game.game import Game
from reversi.session.session import Session
from reversi.text.boards import format_board
from reversi.text.transcripts import format_transcript

Form: TypeAlias = Literal["report", "transcript", "picture"]
SUFFIXES: Final[dict[Form, str]] = {"report": ".html", "transcript": ".txt", "picture": ".svg"}
"""The forms of a written game, and the ends of their files' names."""


def transcript_of(game: Game) -> str:
    """Return the moves of a game up to now, with the start where it is not that of the rules."""
    start = "" if game.start == Position(game.rules) else f"{format_board(game.start)}; "
    return f"{start}{format_transcript(game.moves)}"


def write_game(session: Session, form: Form, name: str, analysis: Analysis | None = None) -> str:
    """Write the whole game of a session, or a picture of its board, to a new file; return a sentence on it.

    Args:
        analysis: what a report says of the game; ``None`` for nothing.

    Raises:
        InputError: the file exists, or the form cannot hold the game.
        OSError: the file cannot be written; the message names it.
        ValueError: the name is not possible for a file.
    """
    return f"Wrote the {form} to {write_new(name, _text(session, form, analysis))}."


def write_new(name: str, text: str) -> Path:
    """Write a text to a new file that somebody names; return its path. `write_game` lists the errors."""
    path = expanded(name)
    with naming(path):
        target = Target.of(path, replace=False)
    if target.found is not None:
        raise InputError(f"{path} exists already; give another name")
    with naming(path):
        write_atomically(target, text)
    return path


def _text(session: Session, form: Form, analysis: Analysis | None) -> str:
    from reversi.render import ReportGame, html_report, svg

    game = session.game.copy()
    game.redo(session.state.length - len(game))
    if form == "picture":
        return svg(session.game, flips=True)
    if form == "report":
        return html_report([ReportGame(record=session.record(), analysis=analysis, ply=len(session.game))])
    if game.has_hand_flips:
        raise InputError("a transcript does not say which discs a hand flipped; save the record instead")
    return f"{transcript_of(game)}\n"
