"""Make rows of games, block by block; other processes can do this too."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

from reversi._core import PASS, SQUARES, Position, batch_keys, canonical_key, canonical_square
from reversi.color import Color
from reversi.games.aliases import Aliases
from reversi.games.changes import Changes
from reversi.games.identity import SAME, Same, identify
from reversi.records.entry import Entry
from reversi.records.facts import GameFacts, facts_of
from reversi.records.findings import Finding
from reversi.records.record import Record, format_record
from reversi.records.replay import positions
from reversi.records.validation.game import move_finding
from reversi.rules import OTHELLO, Rules
from reversi.text.boards import format_board

NO_NUMBER: Final = -(1 << 15)
"""Stands for null in columns of numbers."""

NO_WINNER: Final = 2
"""Stands for null in the column of winners."""

BLOCK: Final = 2048
"""The most games in a block."""

_START: Final = Position()
_OTHELLO: Final = str(OTHELLO)
as_json: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_WORDS: Final = tuple(map(str, (*SQUARES, PASS)))


class GameRow(NamedTuple):
    """A row of the table `games`, without the columns that the database fills in: its number and the source.

    The last field is no column: whether moves and players say which game it is, so that a source has it once.
    """

    number: int
    black_name: str
    white_name: str
    year: int
    event: str
    result: str
    score: int
    winner: int
    finished: bool
    legal: bool
    plies: int
    passes: int
    opening: str
    rules: str
    start: str
    moves: str
    tags: str
    record: str
    digest_high: int
    digest_low: int
    play_high: int
    play_low: int
    numbers: str
    details: str
    sure: bool


class IllegalGame(NamedTuple):
    """A game with an illegal move.

    Attributes:
        game: its number in the source.
        black: the name of the player who has Black.
        white: the name of the player who has White.
        finding: the move, and why it is illegal.
    """

    game: int
    black: str
    white: str
    finding: Finding


@dataclass(slots=True)
class Block:
    """The rows of some games of a source.

    Attributes:
        games: one row per game.
        keys: the keys of all positions of the legal games, game by game.
        moves: the move played in each position, as in the table `positions`.
        counts: how many positions each legal game has.
        owners: the index in `games` of each legal game.
        illegal: the illegal games, which have no positions.
    """

    games: list[GameRow] = field(default_factory=list)
    keys: bytes = b""
    moves: bytes = b""
    counts: bytes = b""
    owners: list[int] = field(default_factory=list)
    illegal: list[IllegalGame] = field(default_factory=list)


def blocks(entries: Iterable[Entry], same: Same = SAME) -> Iterator[Block]:
    entries = iter(entries)
    while True:
        maker = _BlockMaker(same)
        for entry in islice(entries, BLOCK):
            maker.add(entry)
        block = maker.block()
        if not block.games:
            return
        yield block


def changed_blocks(changes: Changes, kept: Aliases, same: Same, entries: Iterable[Entry]) -> Iterator[Block]:
    """Yield blocks of games with some changes, and with the names that a database keeps."""
    changed = changes.of(entries)
    return blocks(Changes(kept).of(changed) if kept else changed, same)


def rules_salt(rules: Rules) -> int:
    """Return what salts the keys of positions under these rules: 0 for the standard game."""
    if rules == OTHELLO:
        return 0
    import hashlib

    return int.from_bytes(hashlib.blake2b(str(rules).encode(), digest_size=7).digest(), "little")


def _halves(digest: bytes) -> tuple[int, int]:
    """Return a digest as the two numbers that a database keeps."""
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")


def _wthor_numbers(record: Record) -> str:
    """Return the numbers that WTHOR gives to the tournament and the players of a game; empty for other games."""
    tags = record.tags
    if "WthorBlack" not in tags:
        return ""
    return " ".join(tags.get(name, "") for name in ("WthorTournament", "WthorBlack", "WthorWhite"))


class _BlockMaker:
    def __init__(self, same: Same) -> None:
        self._same = same
        self._block = Block()
        self._moves = bytearray()
        self._counts = array("i")
        self._black = array("Q")
        self._white = array("Q")
        self._turns = bytearray()
        self._slow: list[tuple[int, bytes, bytes]] = []

    def add(self, entry: Entry) -> None:
        record = entry.record
        facts = facts_of(record)
        moves = record.line.numbers
        owner = len(self._block.games)
        self._block.games.append(row_of(entry.number, record, entry.format_, self._same, facts))
        if not facts.legal:
            node = record.line.nodes[facts.plies]
            finding = move_finding(facts.end, node, facts.plies + 1)
            self._block.illegal.append(IllegalGame(entry.number, record.black, record.white, finding))
        elif record.rules == OTHELLO and not record.line.lists_flips:
            start = record.start
            self._block.owners.append(owner)
            self._moves += moves
            self._counts.append(facts.plies)
            self._black.append(start.black)
            self._white.append(start.white)
            self._turns.append(start.to_move is Color.WHITE)
        else:
            self._slow.append((owner, *_positions_of(record, facts)))

    def block(self) -> Block:
        """Return the block; call it after adding all games."""
        block = self._block
        keys, moves, counts, *_ = batch_keys(self._moves, self._counts, self._black, self._white, self._turns)
        slow = self._slow
        block.owners += [owner for owner, _, _ in slow]
        block.keys = keys + b"".join(keys for _, keys, _ in slow)
        block.moves = moves + b"".join(moves for _, _, moves in slow)
        block.counts = counts + array("i", [len(moves) for _, _, moves in slow]).tobytes()
        return block


def row_of(number: int, record: Record, format_: str, same: Same, facts: GameFacts | None = None) -> GameRow:
    """Return the row of a game.

    Args:
        number: its number in its source.
        record: the game.
        format_: the name of the format of its file.
        same: what must be the same in two games that are one.
        facts: those of the game, found when not given.
    """
    facts = facts or facts_of(record)
    identity = identify(record, format_, same, ended=facts.finished)
    start = _START if record.rules == OTHELLO else Position(record.rules)
    return GameRow(
        number,
        facts.black,
        facts.white,
        NO_NUMBER if facts.year is None else facts.year,
        facts.event,
        record.result,
        NO_NUMBER if facts.score is None else facts.score,
        {Color.BLACK: 1, Color.WHITE: -1, None: 0}[facts.winner] if facts.decided else NO_WINNER,
        facts.finished,
        facts.legal,
        facts.plies,
        facts.passes,
        facts.opening.opening.name if facts.opening else "",
        _OTHELLO if record.rules == OTHELLO else str(record.rules),
        "" if record.start == start else format_board(record.start),
        "".join([_WORDS[move] for move in record.line.numbers]),
        as_json(record.tags.pairs),
        "" if record.line.is_bare else format_record(record),
        *_halves(identity.game),
        *_halves(identity.play),
        _wthor_numbers(record),
        as_json(identity.details),
        identity.event is not None,
    )


def _positions_of(record: Record, facts: GameFacts) -> tuple[bytes, bytes]:
    salt = rules_salt(record.rules)
    keys, moves = array("Q"), bytearray()
    nodes = record.line.nodes
    for ply, position in enumerate(positions(nodes, record.start)):
        keys.append(canonical_key(position, salt))
        moves.append(255 if ply == facts.plies else canonical_square(position, nodes[ply].move))
    return keys.tobytes(), bytes(moves)
