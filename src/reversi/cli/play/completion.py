"""Completions and the time on the clock, which the line dialogue of ``reversi play`` gives to the line reader."""

from __future__ import annotations

from collections.abc import Iterator

from reversi._core import SQUARES
from reversi.cli.play.play_vocabulary import VOCABULARY
from reversi.engine.levels import AUTO, LADDER
from reversi.rules import NAMED_RULES, RULE_WORDS
from reversi.session.session import Session
from reversi.tui.paths import complete_path


def seconds_left(session: Session) -> float | None:
    """Return the seconds until the running flag falls, byo-yomi included; ``None`` if it never falls."""
    clock = session.clock
    running = None if clock is None else clock.running
    reading = None if clock is None or running is None else clock.reading(running)
    if clock is None or running is None or reading is None:
        return None
    control = clock.controls[running]
    if not reading.periods or control is None:
        return reading.main_s
    return reading.main_s + reading.byo_yomi_s + (reading.periods - 1) * control.byo_yomi_s


def candidates(session: Session, line: str) -> list[str]:
    """Return the completions of the last word of a line.

    The first word may be a command or a legal move; later words depend on the command.
    """
    before, _, text = line.rpartition(" ")
    words = before.split()
    moves = [str(move) for move in session.position.legal_moves]
    if not words:
        every = [*moves, *(word.name for word in VOCABULARY.words)]
    else:
        word = VOCABULARY.find(words[0])
        every = [] if word is None else _arguments(word.name, session, moves, text)
    return [word for word in every if word.startswith(text.lower()) or word.startswith(text)]


def _arguments(name: str, session: Session, moves: list[str], text: str) -> list[str]:
    if name in ("explain", "play"):
        return moves
    if name in ("level", "analyze"):
        return [*((AUTO,) if name == "level" else ()), *map(str, LADDER)]
    if name == "flip":
        position, last = session.position, session.game.last
        taken = position.black | position.white
        placed = None if last is None else last.move
        return ["all", *(str(square) for square in _squares(taken) if str(square) != str(placed))]
    if name == "new":
        head, comma, _ = text.rpartition(",")
        return [*(() if comma else NAMED_RULES), *(head + comma + word for word in RULE_WORDS)]
    if name in ("open", "save"):
        return [text[: text.rfind("/") + 1] + path for path in complete_path(text)[1]]
    return []


def _squares(bits: int) -> Iterator[str]:
    return (str(square) for square in SQUARES if square.bit & bits)
