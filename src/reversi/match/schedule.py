"""Who plays whom, from which opening, in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reversi._core import Random
from reversi.arguments import check_count
from reversi.errors import InputError


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A game to play.

    Attributes:
        pair: the pair of games that it belongs to, from 1 in the order of the schedule.
        half: 1 for the pair's first game, 2 for the second, with colors changed.
        first: the player that the statistics look at, as an index.
        second: the other player.
        opening: the opening, as an index.
    """

    pair: int
    half: int
    first: int
    second: int
    opening: int

    @property
    def black(self) -> int:
        """Who plays Black."""
        return self.first if self.half == 1 else self.second

    @property
    def white(self) -> int:
        """Who plays White."""
        return self.second if self.half == 1 else self.first

    @property
    def round(self) -> str:
        """The name of the game in its record: ``12.1``."""
        return f"{self.pair}.{self.half}"


def pairings(players: int, *, gauntlet: bool = False) -> list[tuple[int, int]]:
    """Return who meets whom: everyone everyone, or in a gauntlet the first player all others."""
    check_count("players", players, least=0)
    return [(a, b) for a in range(1 if gauntlet else players) for b in range(a + 1, players)]


def schedule(
    players: int, games: int, openings: int, *, seed: int = 0, gauntlet: bool = False
) -> Iterator[Scheduled]:
    """Yield the games of a match: pair by pair, the pairings by turns, so that all are equally far.

    Each pairing plays the same openings in the same order, drawn without repetition until all have been played.

    Args:
        games: games of each pairing; an even number.
        seed: chooses the order of the openings.
        gauntlet: the first player meets all others, who do not meet each other.

    Raises:
        InputError: a number is out of range.
    """
    check_count("players", players, least=2)
    check_count("games", games, 1_000_000, least=2)
    check_count("openings", openings)
    if games % 2:
        raise InputError(f"games must be even, not {games}: each opening is played with both colors")
    order = list(range(openings))
    random = Random(seed)
    for at in range(openings - 1, 0, -1):  # Fisher and Yates
        other = random.below(at + 1)
        order[at], order[other] = order[other], order[at]
    pair = 0
    for number in range(games // 2):
        for first, second in pairings(players, gauntlet=gauntlet):
            pair += 1
            for half in (1, 2):
                yield Scheduled(pair, half, first, second, order[number % openings])
