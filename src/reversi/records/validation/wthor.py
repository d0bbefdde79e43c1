"""Judging games in WTHOR without making records of them: a thousand are replayed in one call of the core.

What is found is what `reversi.records.validate_entry` finds in the entries that
`reversi.records.formats.wthor.read_wthor` gives. A game that stops before its end was adjudicated: it has a score.
"""

from __future__ import annotations

from collections.abc import Iterator

from reversi._core import Square
from reversi.records.batch_replay import Replay, Stop
from reversi.records.findings import Finding
from reversi.records.formats.wthor.reader import (
    ENCODING,
    MOVES_AT,
    SIZE,
    board_score,
    recorded_result,
    replay_chunk,
    stop_finding,
)
from reversi.records.record import Node
from reversi.records.validation.checked import GameNote, PartChecked, StoppedGame
from reversi.records.validation.game import move_finding, result_finding
from reversi.rules import OTHELLO


def check_wthor_games(data: bytes, *, tell_stopped: bool = True) -> PartChecked:
    """Judge whole games, given as the bytes of their records one after the other.

    In the notes, the players are the six bytes of their numbers and the tournament's.

    Args:
        data: the games.
        tell_stopped: whether those that stop early have a note each; they are counted in any case.
    """
    checked = PartChecked()
    notes = checked.notes
    for number, replay in enumerate(replay_chunk(data).games, 1):
        if not replay.stop and replay.over:
            score = data[(number - 1) * SIZE + 6]
            if score == board_score(replay):
                continue
        if not replay.stop and not replay.over and not tell_stopped:
            checked.ended_early += 1
            continue
        game = data[(number - 1) * SIZE : number * SIZE]
        findings = list(_findings(game, replay))
        notes += [GameNote(number, game[:6], finding) for finding in findings]
        if not findings:
            checked.ended_early += 1
            notes.append(
                GameNote(number, game[:6], StoppedGame(replay.plies, recorded_result(replay, game[6]), True))
            )
    checked.games = len(data) // SIZE
    checked.valid = checked.games - len({game.number for game in notes if isinstance(game.what, Finding)})
    return checked


def _findings(game: bytes, replay: Replay) -> Iterator[Finding]:
    codes = game[MOVES_AT:]
    if replay.stop == Stop.ILLEGAL:
        move = Square(ENCODING[codes[replay.at]])
        yield move_finding(replay.position(OTHELLO), Node(move), replay.plies + 1)
    elif replay.stop:
        finding = stop_finding(replay, codes)
        if finding is not None:
            yield finding
    elif replay.over:
        yield result_finding(recorded_result(replay, game[6]), replay.result(OTHELLO))
