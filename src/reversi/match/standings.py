"""Who stands how in a match: results of players and of pairings, from the finished games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from reversi.match.games import MatchGame
from reversi.match.statistics import Elo, PairCounts, Sprt, SprtState, SprtVerdict, elo_of
from reversi.text.counting import counted


@dataclass(slots=True)
class PlayerStanding:
    """A player's result.

    Attributes:
        name: the player.
        games: finished games.
        won: games won.
        drawn: games drawn.
        lost: games lost.
        discs: the sum of the disc differences.
        scored: games with a disc difference: all but forfeits and resignations.
        moves: moves that the player chose.
        cpu_s: seconds of CPU time for them; ``None`` where it was not measured.
        forfeits: games lost by a mistake or a failure.
        time_forfeits: games lost on time.
        resignations: games that the player resigned.
        noisy_games: games in which the player's program wrote lines outside its answers.
        restarts: games after which it had to be restarted, because it failed or did not end.
    """

    name: str
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    discs: int = 0
    scored: int = 0
    moves: int = 0
    cpu_s: float | None = 0.0
    forfeits: int = 0
    time_forfeits: int = 0
    resignations: int = 0
    noisy_games: int = 0
    restarts: int = 0

    @property
    def points(self) -> float:
        """A point for a won game, half of one for a drawn game."""
        return self.won + self.drawn / 2

    @property
    def mean_discs(self) -> float | None:
        """The mean disc difference; ``None`` without a game that has one."""
        return self.discs / self.scored if self.scored else None

    @property
    def cpu_per_move_s(self) -> float | None:
        """The CPU time of a move; ``None`` where it was not measured."""
        return None if self.cpu_s is None or not self.moves else self.cpu_s / self.moves

    def add(self, game: MatchGame, *, black: bool) -> None:
        """Count a game."""
        points = game.points if black else 1.0 - game.points
        at = 0 if black else 1
        self.games += 1
        self.won += points == 1.0
        self.drawn += points == 0.5
        self.lost += points == 0.0
        if game.discs is not None:
            self.scored += 1
            self.discs += game.discs if black else -game.discs
        self.moves += game.moves[at]
        used = game.cpu_s[at]
        self.cpu_s = None if used is None or self.cpu_s is None else self.cpu_s + used
        self.noisy_games += bool(game.noise[at])
        self.restarts += game.restarted[at]
        if points == 0.0:
            self.forfeits += game.termination == "forfeit"
            self.time_forfeits += game.termination == "time forfeit"
            self.resignations += game.termination == "resignation"


@dataclass
class PairingStanding:
    """The result of two players against each other, from the view of the first.

    Attributes:
        first: the first player.
        second: the second player.
        first_standing: the first player's games of this pairing.
        pair_points: the first player's points in each complete pair, in the order of the schedule.
    """

    first: str
    second: str
    first_standing: PlayerStanding
    pair_points: list[float] = field(default_factory=list)

    @property
    def pairs(self) -> PairCounts:
        """The complete pairs by their points."""
        return PairCounts.of(self.pair_points)

    @cached_property
    def elo(self) -> Elo:
        """The Elo difference with its 95 % interval, from the complete pairs."""
        return elo_of(self.pairs)

    @property
    def superiority(self) -> float:
        """The likelihood that the first player is the stronger one."""
        return self.pairs.superiority


class Standings:
    """The standings of a match.

    Games after the pair that decides a sequential test do not count.

    Args:
        names: the players.
        meetings: who meets whom, as indices.
        games: the finished games, in any order.
        sprt: the sequential test, for a match of two.

    Attributes:
        games: the games that count, in the order of the schedule.
        players: the result of each player, by name.
        pairings: a `PairingStanding` for each pairing, by both names: games, points and the Elo difference.
        sprt: the state of the sequential test; ``None`` without one.
        beyond: finished games after the decision, which do not count.
    """

    def __init__(
        self,
        names: Sequence[str],
        meetings: Iterable[tuple[int, int]],
        games: Iterable[MatchGame],
        sprt: Sprt | None = None,
    ) -> None:
        self.games: list[MatchGame] = sorted(games, key=lambda game: (game.pair, game.half))
        self.sprt: SprtState | None = None if sprt is None else self._tested(names, sprt)
        self.beyond: int = 0
        if self.sprt is not None and self.sprt.verdict is not SprtVerdict.OPEN:
            kept = [game for game in self.games if game.pair <= self.sprt.pairs]
            self.beyond = len(self.games) - len(kept)
            self.games = kept
        self.players: dict[str, PlayerStanding] = {name: PlayerStanding(name) for name in names}
        self.pairings: dict[tuple[str, str], PairingStanding] = {
            (names[a], names[b]): PairingStanding(names[a], names[b], PlayerStanding(names[a]))
            for a, b in meetings
        }
        self._count()

    def __repr__(self) -> str:
        return f"<Standings of {counted(len(self.players), 'player')}, {counted(len(self.games), 'game')}>"

    def _count(self) -> None:
        halves: dict[int, MatchGame] = {}
        for game in self.games:
            self.players[game.black].add(game, black=True)
            self.players[game.white].add(game, black=False)
            first = game.black if game.half == 1 else game.white
            second = game.white if game.half == 1 else game.black
            pairing = self.pairings[first, second]
            pairing.first_standing.add(game, black=game.half == 1)
            if game.half == 1:
                halves[game.pair] = game
            elif (other := halves.get(game.pair)) is not None:
                pairing.pair_points.append(other.points + 1.0 - game.points)

    def _tested(self, names: Sequence[str], sprt: Sprt) -> SprtState:
        """Run the test over the pairs in the order of the schedule, up to the first that is not complete."""
        games = {(game.pair, game.half): game for game in self.games}
        points: list[float] = []
        while (len(points) + 1, 1) in games and (len(points) + 1, 2) in games:
            number = len(points) + 1
            points.append(games[number, 1].points + 1.0 - games[number, 2].points)
        return sprt.run(points)

    @property
    def ranking(self) -> list[PlayerStanding]:
        """The players, the best first: by the share of their points."""
        return sorted(
            self.players.values(), key=lambda each: (-each.points / max(each.games, 1), -(each.mean_discs or 0.0))
        )
