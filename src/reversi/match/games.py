"""A finished game of a match: its record, and the result in it."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

import reversi._regex as re
from reversi.arguments import excerpt
from reversi.color import Color
from reversi.errors import RecordError
from reversi.records.formats.pgn.reader import parse_record
from reversi.records.outcome import Outcome
from reversi.records.record import Record
from reversi.score import final_score

_ROUND = re.compile(r"([0-9]{1,9})\.([12])")
_PLAYERS = ("Black", "White")
_POINTS = {Color.BLACK: 1.0, Color.WHITE: 0.0, None: 0.5}


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A finished game.

    Attributes:
        pair: the pair that it belongs to.
        half: 1 for the pair's first game, 2 for the second.
        black: the name of Black.
        white: the name of White.
        points: Black's points: 1, 0.5 or 0.
        discs: the score from Black's view; ``None`` where a forfeit or a resignation ended the game.
        termination: how it ended: ``normal``, ``adjudication``, ``resignation``, ``time forfeit``, ``forfeit``.
        failure: why a player lost by a failure or an illegal move, "" where nobody did.
        notes: what else is to be reported.
        moves: how many moves Black and White chose.
        cpu_s: seconds of CPU time that Black and White used; ``None`` where it could not be measured.
        packed: the `text`, compressed by zlib: a long match keeps all its games.
        noise: what Black and White wrote beside their answers, "" for nothing.
        restarted: whether Black and White had to be restarted after it, because they failed or did not end.
    """

    pair: int
    half: int
    black: str
    white: str
    points: float
    discs: int | None
    termination: str
    failure: str
    notes: tuple[str, ...]
    moves: tuple[int, int]
    cpu_s: tuple[float | None, float | None]
    packed: bytes = field(repr=False)
    noise: tuple[str, str] = ("", "")
    restarted: tuple[bool, bool] = (False, False)

    @property
    def text(self) -> str:
        """The record of the game as text."""
        return zlib.decompress(self.packed).decode("utf-8", "surrogateescape")

    @property
    def record(self) -> Record:
        """The record of the game, with its moves and tags; a new one each time."""
        return parse_record(self.text, ours=True)


def match_game(record: Record, text: str) -> MatchGame:
    """Return the game of a match that a record holds.

    Args:
        record: the record.
        text: the same as text.

    Raises:
        RecordError: the record is not a finished game of a match.
    """
    tags = record.tags
    match = _ROUND.fullmatch(tags["Round"])
    if match is None or "Match" not in tags:
        raise RecordError(f"the game of round {excerpt(tags['Round'])} does not belong to a match of this program")
    termination = tags.get("Termination", "normal")
    discs: int | None = None
    outcome = Outcome.of(record)
    if outcome.names_winner and termination != "normal":
        points = _POINTS[outcome.winner]
        if termination == "adjudication":
            discs = int(tags["Adjudication"].split()[0])
    elif outcome.discs is not None:
        discs = final_score(*outcome.discs, record.rules)
        points = _POINTS[outcome.winner]
    else:
        raise RecordError(f"game {tags['Round']} has no result")
    notes = [f"{tags[name]}: {tags[f'{name}Note']}" for name in _PLAYERS if f"{name}Note" in tags]
    if "Replays" in tags:
        notes.append(f"played again: {tags['Replays']}")
    failure = tags.get("Failure", "")
    loser = {0.0: "Black", 1.0: "White"}[points] if failure else ""
    black, white = (name == loser or f"{name}Note" in tags for name in _PLAYERS)
    cpu = [float(tags[f"{name}CPU"]) if f"{name}CPU" in tags else None for name in _PLAYERS]
    return MatchGame(
        int(match[1]),
        int(match[2]),
        tags["Black"],
        tags["White"],
        points,
        discs,
        termination,
        failure,
        tuple(notes),
        (int(tags.get("BlackMoves", "0")), int(tags.get("WhiteMoves", "0"))),
        (cpu[0], cpu[1]),
        zlib.compress(text.encode("utf-8", "surrogateescape")),
        (tags.get("BlackNoise", ""), tags.get("WhiteNoise", "")),
        (black, white),
    )
