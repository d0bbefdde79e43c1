"""The openings of a match: a list of transcripts as in XOT, or the first plies of recorded games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reversi._core import Move, Position
from reversi._system.zip_files import open_path
from reversi.arguments import TEXT_TO_POSITION, FilePath, check_count, check_type, read_up_to
from reversi.errors import InputError, MoveError
from reversi.openings.starts import balanced_lines, parse_xot
from reversi.records.replay import moves_by_rule
from reversi.records.sources.decoding import decode_records
from reversi.records.sources.opening import open_source
from reversi.rules import OTHELLO
from reversi.text.decoding import check_encoding

DEFAULT_PLIES: Final = 8
"""How many plies of a recorded game make an opening."""


@dataclass(frozen=True, slots=True)
class MatchOpening:
    """The moves that are laid down before a game.

    Attributes:
        start: where the game starts.
        moves: the moves from there.
    """

    start: Position
    moves: tuple[Move, ...]

    def __post_init__(self) -> None:
        check_type("start", self.start, Position, advice=TEXT_TO_POSITION)
        check_type("moves", self.moves, tuple, advice="tuple(position.parse_moves(text)) reads text")

    def __str__(self) -> str:
        return "".join(map(str, self.moves))


def balanced_openings() -> tuple[MatchOpening, ...]:
    """Return the project's own list of balanced openings."""
    return tuple(MatchOpening(Position(), line.moves) for line in balanced_lines())


def read_openings(path: FilePath, plies: int = DEFAULT_PLIES, encoding: str = "") -> tuple[MatchOpening, ...]:
    """Read the openings of a file: transcripts, one a line, or records of games.

    The same opening counts once. Games that are malformed, shorter, under other rules, or with wrong flips in
    these plies give none.

    Args:
        path: the file.
        plies: how many plies of a recorded game make an opening.
        encoding: the encoding of the file, as in `reversi.open_records`.

    Raises:
        InputError: there is no such encoding, or the file has no openings.
        OSError: the file cannot be read.
    """
    path = Path(path)
    check_count("plies", plies)
    check_encoding(encoding)
    with open_path(path) as stream:
        data = read_up_to(stream, str(path))
    try:
        lines = parse_xot(decode_records(data, str(path), encoding))
        return tuple(MatchOpening(Position(), line.moves) for line in lines)
    except InputError as error:
        openings, games = _first_plies(path, plies, encoding)
        if not openings and games:
            what = f"with more than {plies} plies, flipped as the rules say"
            begins_as_list = not str(error).startswith("line 1:")
            listed = f"; as a list of openings: {error}" if begins_as_list else ""
            raise InputError(f"has no game of standard Othello {what}{listed}", source=str(path)) from None
        if not openings:
            raise error.located(str(path)) from None
        return openings


def _first_plies(path: Path, plies: int, encoding: str) -> tuple[tuple[MatchOpening, ...], int]:
    openings: dict[MatchOpening, None] = {}
    games = 0
    try:
        with open_source(str(path), encoding=encoding) as source:
            for entry in source.entries(rules=OTHELLO):
                games += 1
                record = entry.record
                moves = moves_by_rule(record)[:plies]
                if entry.findings or len(moves) < plies or not record.rules.same_play(OTHELLO):
                    continue
                position = record.start
                try:
                    for move in moves:
                        position = position.play(move)
                except MoveError:
                    continue
                if not position.is_over:
                    openings[MatchOpening(record.start, moves)] = None
    except InputError:
        return (), 0
    return tuple(openings), games
