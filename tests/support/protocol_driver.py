"""Talking to the servers of engine protocols: without processes, with an engine that answers at once."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from reversi import Cancel, Estimate, Kind, MoveScore, MoveValue, Position, ResourceError
from reversi.game.clocks import ClockReading
from reversi.protocols import Thinker
from reversi.protocols.serving import Server
from reversi.score import best_of

FUZZ = pytest.mark.parametrize(("count", "seed"), [(600, 1), pytest.param(10_000, 2, marks=pytest.mark.slow)])
"""How many lines `fuzzed_lines` makes for a test."""
NO_THREADS = "this process can start only 3 threads; use fewer"


class QuickEngine(Thinker):
    """Chooses the last legal move at once, and remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.clocks: list[ClockReading | None] = []
        self.kinds: list[Kind] = []  # of the next scores
        self.works: Callable[[Cancel], None] | None = None
        self.pondered: list[Position] = []
        self.ponders = False

    def _scored(self, position: Position) -> list[MoveScore]:
        kind = self.kinds.pop(0) if self.kinds else Kind.HEURISTIC
        sure = None if kind is Kind.HEURISTIC else 87 if kind is Kind.SELECTIVE else 100
        score = MoveValue(4, kind, -64, 64, position.to_move, depth=12, confidence=sure, nodes=1000, time_s=0.5)
        found = []
        for move in reversed(position.legal_moves):
            after = position.play(move)
            reply = () if after.is_over else (after.legal_moves[0],)
            found.append(MoveScore(move, score, (move, *reply)))
        return found

    def choose(
        self,
        position: Position,
        clock: ClockReading | None,
        cancel: Cancel,
        progress: Callable[[Estimate], None] | None = None,
    ) -> MoveScore:
        self.clocks.append(clock)
        if self.works is not None:
            self.works(cancel)
        return self._scored(position)[0]

    def ponder(self, position: Position, clock: ClockReading | None) -> None:
        self.clocks.append(clock)
        self.pondered.append(position)
        self.ponders = True

    def stop_pondering(self) -> None:
        self.ponders = False

    def hint(
        self,
        position: Position,
        count: int,
        cancel: Cancel,
        progress: Callable[[Estimate], None] | None = None,
    ) -> list[MoveScore]:
        found = self._scored(position)[:count]
        if progress is not None:
            progress(
                Estimate.of(position, best_of([scored.score for scored in found]), tuple(found), 500, 0.25, False)
            )
        if self.works is not None:
            self.works(cancel)
        return found


class Dialogue:
    """A conversation with a server; every call gives what the server said."""

    def __init__(self, make: Callable[..., Server], **options: object) -> None:
        self.said: list[str] = []
        self.engine = QuickEngine()
        self.seconds = 0.0
        self.server = make(self.engine, self.said.append, now=lambda: self.seconds, **options)

    def __call__(self, line: str) -> str:
        self.said.clear()
        self.server.receive(line, Cancel())
        return "".join(self.said)

    @property
    def moves(self) -> str:
        return "".join(map(str, self.server.game.moves))

    def search_takes(self, seconds: float) -> None:
        """Let every search take this time of the server's clock."""

        def wait(cancel: Cancel) -> None:
            self.seconds += seconds

        self.engine.works = wait

    def search_fails(self) -> None:
        """Let every search fail for want of threads."""

        def fail(cancel: Cancel) -> None:
            raise ResourceError(NO_THREADS)

        self.engine.works = fail


def fuzzed_lines(count: int, seed: int, words: list[str]) -> Iterator[str]:
    """Lines of words of a protocol, of numbers, squares and noise."""
    chance = random.Random(seed)
    squares = [f"{column}{row}" for column in "abcdefghi" for row in "0123456789"]
    noise = [
        "",
        "-1",
        "0",
        "1",
        "3",
        "8",
        "999999999999999999999",
        "1e309",
        "nan",
        "é",
        "\x00",
        "\x7f",
        "\t",
        "#",
        "%s",
    ]
    noise += ["black", "w", "pass", "PA", "--", "@@@@", "P@f5", "/", "(;", "]", "x" * 200, "\r", "\x1b[2J", "♥"]
    for _ in range(count):
        length = chance.choice((0, 1, 1, 2, 2, 3, 4, 8))
        pool = (words, words, squares, noise)
        line = chance.choice(("", "", "7 ", " ")) + " ".join(
            chance.choice(chance.choice(pool)) for _ in range(length)
        )
        if chance.random() < 0.2 and line:
            at = chance.randrange(len(line))
            line = line[:at] + chance.choice(("", "\x07", "é", " ", "\t")) + line[at + 1 :]
        yield line.replace("\n", " ")
