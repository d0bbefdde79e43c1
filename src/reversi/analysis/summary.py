"""What many analyzed games say of their players: losses by phase and year, signs, outcomes given away."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reversi._core import Move, Position
from reversi.analysis.analysis import Analysis, played_text, read_analyzed
from reversi.analysis.judgement import ERRORS, Judgement
from reversi.arguments import check_count, check_type
from reversi.color import Color
from reversi.errors import InputError
from reversi.games.aliases import NO_ALIASES, Aliases
from reversi.games.names import name_identity
from reversi.people import RatingEstimate, estimate_rating
from reversi.records.facts import year_of
from reversi.records.record import Record, Tags
from reversi.rules import OTHELLO
from reversi.text.counting import counted
from reversi.text.position_json import position_of

_MOST_GAMES = 20
"""Games that tell a rating; more make it hardly better."""
_SIGNS = {judgement.sign: judgement for judgement in ERRORS}


class Phase(enum.Enum):
    """A third of a game, by the squares that are still empty."""

    OPENING = "opening"
    MIDDLE = "middle"
    ENDING = "ending"


def phase_of(empties: int, cells: int) -> Phase:
    """Return the phase of a turn: on 8x8 the opening has more than 40 empty squares, the ending at most 20.

    Args:
        empties: empty squares before the turn.
        cells: squares of the board.
    """
    check_count("cells", cells, 64)
    check_count("empties", empties, cells, least=0)
    third = (cells - 4) / 3
    return Phase.OPENING if empties > 2 * third else Phase.MIDDLE if empties > third else Phase.ENDING


@dataclass(slots=True)
class TurnLosses:
    """Turns with a choice, counted.

    Attributes:
        games: games that the turns are of.
        moves: turns.
        best: turns with a best move.
        loss: discs lost.
        outcome_changes: turns that gave away a win or a draw.
        signs: how often each judgement of an error was given.
        phases: by phase, the turns and the discs lost.
    """

    games: int = 0
    moves: int = 0
    best: int = 0
    loss: int = 0
    outcome_changes: int = 0
    signs: Counter[Judgement] = field(default_factory=Counter)
    phases: dict[Phase, list[int]] = field(default_factory=lambda: {phase: [0, 0] for phase in Phase})

    @property
    def mean_loss(self) -> float | None:
        """Discs lost per turn, ``None`` without a turn."""
        return self.loss / self.moves if self.moves else None

    @property
    def best_share(self) -> float | None:
        """The share of best moves, ``None`` without a turn."""
        return self.best / self.moves if self.moves else None

    def mean_loss_in(self, phase: Phase) -> float | None:
        """Return the discs lost per turn of a phase, ``None`` without a turn."""
        moves, loss = self.phases[phase]
        return loss / moves if moves else None

    def add(self, other: TurnLosses) -> None:
        """Count what another one has counted."""
        self.games += other.games
        self.moves += other.moves
        self.best += other.best
        self.loss += other.loss
        self.outcome_changes += other.outcome_changes
        self.signs.update(other.signs)
        for phase, (moves, loss) in other.phases.items():
            self.phases[phase][0] += moves
            self.phases[phase][1] += loss

    def __str__(self) -> str:
        return f"{counted(self.games, 'game')}: {played_text(self.moves, self.loss, self.best, self.signs)}"

    def fields(self) -> dict[str, object]:
        """Return the numbers as JSON values."""
        return {
            "games": self.games,
            "moves": self.moves,
            "mean_loss": _rounded(self.mean_loss, 2),
            "phases": {phase.value: _rounded(self.mean_loss_in(phase), 2) for phase in Phase},
            "best_share": _rounded(self.best_share, 3),
            "outcome_changes": self.outcome_changes,
            "signs": {sign: self.signs[judgement] for sign, judgement in _SIGNS.items()},
        }


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


@dataclass(slots=True)
class PlayerLosses:
    """One player.

    Attributes:
        names: the spellings of the name, with the number of games.
        all: all games.
        years: by year; ``None`` for games without one.
        chosen: the moves of each game of the standard rules with the positions before them, of at most 20 games;
            none where all players count.
    """

    names: Counter[str] = field(default_factory=Counter)
    all: TurnLosses = field(default_factory=TurnLosses)
    years: dict[int | None, TurnLosses] = field(default_factory=dict)
    chosen: list[list[tuple[Position, Move]]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The most frequent spelling."""
        return min(self.names, key=lambda name: (-self.names[name], name))

    def rating(self) -> RatingEstimate | None:
        """Return the rating of people who play like the player; ``None`` without games of the standard rules.

        It takes some seconds.
        """
        return estimate_rating(self.chosen)

    def __str__(self) -> str:
        return f"{self.name}, {self.all}"


class LossSummary:
    """Analyzed games, summed up per player and year.

    Args:
        player: words of the name of the player to count alone, which then gets a rating; empty for all.
        aliases: players count under the names that their aliases stand for.

    Attributes:
        games: games added, of this player where one is given.
        players: by what all spellings of a name have in common.
        years: both sides of all games, by year.
    """

    def __init__(self, player: str = "", aliases: Aliases = NO_ALIASES) -> None:
        check_type("player", player, str)
        check_type("aliases", aliases, Aliases)
        self.games: int = 0
        self.players: dict[str, PlayerLosses] = {}
        self.years: dict[int | None, TurnLosses] = {}
        self._player = player
        self._aliases = aliases

    def __repr__(self) -> str:
        return f"<LossSummary of {counted(len(self.players), 'player')}, {counted(self.games, 'game')}>"

    def add(self, analysis: Analysis | Mapping[str, Any]) -> None:
        """Add a game.

        Args:
            analysis: the analyzed game, or the values of its JSON: a line of a file of results, which is several
                times as fast to count as to read as an `Analysis`.

        Raises:
            AnalysisFormatError: the values are not those of an analyzed game.
        """
        check_type("analysis", analysis, Analysis, Mapping, advice="analyze() returns one")
        fields: Mapping[str, Any] = analysis.fields() if isinstance(analysis, Analysis) else analysis
        names, year, sides, turns = read_analyzed(fields, self._read)
        has_words = self._aliases.has_words
        wanted = [color for color in Color if has_words(names[color], self._player)]
        names = {color: self._aliases.name_of(name) for color, name in names.items()}
        self.games += bool(wanted)
        if wanted:
            of_year = self.years.setdefault(year, TurnLosses())
            of_year.games += 1 - len(wanted)  # both sides are of one game
        for color in wanted:
            side = sides[color]
            of_year.add(side)
            if names[color] == "?":
                continue
            player = self.players.setdefault(name_identity(names[color]), PlayerLosses())
            player.names[names[color]] += 1
            player.all.add(side)
            if turns and turns[color] and len(player.chosen) < _MOST_GAMES:
                player.chosen.append(turns[color])
            player.years.setdefault(year, TurnLosses()).add(side)

    def _read(
        self, fields: Mapping[str, Any]
    ) -> tuple[dict[Color, str], int | None, dict[Color, TurnLosses], dict[Color, list[tuple[Position, Move]]]]:
        """Return the names, the year and the losses of the sides, and the turns of those who may be the player."""
        tags: Mapping[str, str] = fields["tags"]
        names = {color: str(tags.get(str(color), "?")) for color in Color}
        year = year_of(Record(Tags({"Date": str(tags.get("Date", "????.??.??"))})))
        turns = {color: _chosen(fields, color) for color in Color} if self._player else {}
        return names, year, _sides(fields), turns

    def best_known(self) -> list[PlayerLosses]:
        """Return the players, those with the most games first."""
        return sorted(self.players.values(), key=lambda player: (-player.all.games, player.name))

    def __str__(self) -> str:
        """Return a line for each player, those with the most games first."""
        return "\n".join(map(str, self.best_known()))


def _chosen(fields: Mapping[str, Any], color: Color) -> list[tuple[Position, Move]]:
    """Return the moves of one side of a game with the positions before them; none under other rules."""
    position = position_of(fields)
    if not position.rules.same_play(OTHELLO) or fields["flips"]:
        return []
    turns: list[tuple[Position, Move]] = []
    for move in map(Move.parse, fields["moves"]):
        if position.to_move is color:
            turns.append((position, move))
        position = position.play(move)
    return turns


def _sides(fields: Mapping[str, Any]) -> dict[Color, TurnLosses]:
    sides = {color: TurnLosses(games=1) for color in Color}
    cells = len(fields["board"])
    placed = sum(move != "--" for move in fields["moves"][: len(fields["moves"]) - len(fields["turns"])])
    empties = fields["board"].count("-") - placed
    for turn in fields["turns"]:
        side = sides[Color(turn["mover"])]
        if not turn["forced"]:
            loss = int(turn["loss"])
            if not 0 <= loss <= 2 * cells:
                raise InputError(f"a loss must be from 0 to {2 * cells} discs, not {loss}")
            side.moves += 1
            side.best += turn["move"] in turn["best"]
            side.loss += loss
            side.outcome_changes += bool(turn["outcome_changed"])
            if turn["sign"] in _SIGNS:
                side.signs[_SIGNS[turn["sign"]]] += 1
            phase = side.phases[phase_of(empties, cells)]
            phase[0] += 1
            phase[1] += loss
        empties -= turn["move"] != "--"
    return sides
