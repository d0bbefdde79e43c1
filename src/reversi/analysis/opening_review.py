"""Where games leave a repertoire, or the sound moves of an opening book: who left, what it cost, what is missing.

>>> from reversi import Color
>>> from reversi.games.repertoire import Repertoire
>>> from reversi.openings import default_book
>>> from reversi.records import parse_record
>>> tiger = Repertoire([parse_record("1. f5 d6 2. c3 d3 3. c4")])
>>> review = OpeningReview({Color.BLACK: tiger}, book=default_book())
>>> game = review.add(parse_record("1. f5 d6 2. c5 f4"), Color.BLACK)
>>> game.leaving, game.ply, game.loss
(<Leaving.PLAYER: 'player'>, 3, 1)
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from reversi._core import Move, Position, canonical_key
from reversi.analysis.exercises.exercise import Exercise
from reversi.analysis.exercises.judge import Judge
from reversi.analysis.exercises.making import from_mistake, from_position, origin_of
from reversi.analysis.exercises.school import RepertoireCard
from reversi.analysis.judgement import INACCURACY_FROM
from reversi.color import Color
from reversi.games.aliases import NO_ALIASES, Aliases
from reversi.games.repertoire import Departure, Repertoire, RepertoireMove
from reversi.games.statistics.results import GameResult, result_of
from reversi.games.statistics.tables import TALLY, Column, Kind, Table, Value, columns_of, tally_values
from reversi.games.statistics.tallies import PlayerTally
from reversi.openings.book import Books
from reversi.openings.names import opening_of_game
from reversi.records.record import Line, Node, Record
from reversi.records.replay import legal_positions
from reversi.score import Kind as ScoreKind, MoveValue
from reversi.text.counting import counted
from reversi.text.transcripts import format_transcript


class Leaving(enum.Enum):
    """How a game and a repertoire part.

    Attributes:
        PLAYER: the player makes a move that the repertoire does not have.
        OPPONENT: the opponent does.
        END: the game goes on where a line of the repertoire ends.
        INSIDE: the game ends before.
        OUTSIDE: the game has no position of the repertoire, or the opponent leaves before the repertoire has all
            answers (`Repertoire.begins`).
    """

    PLAYER = "player"
    OPPONENT = "opponent"
    END = "end"
    INSIDE = "inside"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class ReviewedGame:
    """A game of a player, and where it leaves the repertoire.

    Attributes:
        loss: the discs that the move loses, whoever makes it; ``None`` where nobody leaves.
        kind: how the loss is known.
        best: the best moves in its place.
        task: where the player has something to learn, as the number of turns before and the position: where the
            player leaves, or has no answer to an opponent's move.
    """

    record: Record
    side: Color
    result: GameResult
    leaving: Leaving
    departure: Departure | None = None
    loss: int | None = None
    kind: ScoreKind | None = None
    best: tuple[Move, ...] = ()
    task: tuple[int, Position] | None = None
    file: str = ""
    number: int = 0

    @property
    def ply(self) -> int | None:
        """The turn that leaves, or that goes on where a line ends, from 1."""
        return None if self.departure is None else self.departure.ply + 1

    def lost_by(self, who: Leaving) -> int:
        """Return the discs that the player or the opponent loses by leaving; 0 where somebody else does."""
        return (self.loss or 0) if self.leaving is who else 0

    def annotated(self, what: str) -> Record:
        """Return the game with a comment where it leaves ``what``, which has the variations there."""
        departure, line = self.departure, self.record.line
        if departure is None:
            return self.record
        known = [choice.move for choice in departure.known]
        words = f"The {what} ends here."
        if self.loss is not None:
            words = f"Not {' or '.join(map(str, known))}, as in the {what}: {counted(self.loss, 'disc')} lost."
        nodes, node = list(line.nodes), line.nodes[departure.ply]
        variations = (*node.variations, *(Line([Node(move)]) for move in known))
        nodes[departure.ply] = replace(node, comments=(*node.comments, words), variations=variations)
        return Record(self.record.tags, self.record.start, Line(nodes, line.comments), self.record.result)


class OpeningReview:
    """Reviews the openings of a player's games.

    Args:
        repertoires: the player's repertoires by color; none where games are compared with the book. Moves that
            lose three discs leave it; where it does not have another one, it ends.
        book: says what moves lose, where it has them.
        judge: says it elsewhere.

    Attributes:
        games: the games so far.
    """

    def __init__(
        self,
        repertoires: Mapping[Color, Repertoire] | None = None,
        *,
        book: Books | None = None,
        judge: Judge | None = None,
    ) -> None:
        self.games: list[ReviewedGame] = []
        self._repertoires = repertoires or {}
        self._answered = {
            side: set(map(canonical_key, repertoire.judged())) for side, repertoire in self._repertoires.items()
        }
        self._book = book
        self._judge = judge or Judge()
        self._searched: dict[Position, dict[Move, MoveValue]] = {}

    def takes(self, side: Color) -> bool:
        """Return whether games are reviewed in which the player has a color."""
        return not self._repertoires or side in self._repertoires

    def add(
        self, record: Record, side: Color, *, aliases: Aliases = NO_ALIASES, file: str = "", number: int = 0
    ) -> ReviewedGame:
        """Review a game up to its first illegal move; the review takes the player's color.

        Raises:
            EngineCancelled: the judge was cancelled.
        """
        path = list(legal_positions(record.line.nodes, record.start))
        leaving, departure = self._left(record.moves[: len(path) - 1], side, path)
        loss: int | None = None
        kind: ScoreKind | None = None
        best: tuple[Move, ...] = ()
        task: tuple[int, Position] | None = None
        if departure is not None:
            ply, position, move = departure.ply, departure.position, departure.move
            if departure.known:
                values, loss = self._values(position, move), self._loss(position, move)
                kind = ScoreKind.BOOK if move in self._book_values(position) else values[move].kind
                best = _best(self._values(position))
            if leaving is Leaving.PLAYER or (
                not departure.known and departure.color is side and self._repertoires
            ):
                task = (ply, position)
            elif leaving is Leaving.OPPONENT and path[ply + 1].legal_moves.placements:
                task = (ply + 1, path[ply + 1])
        result = result_of(record, aliases)
        game = ReviewedGame(record, side, result, leaving, departure, loss, kind, best, task, file, number)
        self.games.append(game)
        return game

    def _left(
        self, moves: tuple[Move, ...], side: Color, path: list[Position]
    ) -> tuple[Leaving, Departure | None]:
        """Return how and where a game leaves."""
        if self._repertoires:
            repertoire = self._repertoires[side]
            found = repertoire.departure(moves, path[0])
            if found is None and not any(position in repertoire for position in path):
                return Leaving.OUTSIDE, None
        else:
            found = self._left_book(moves, path)
            if found is not None and found.ended and not found.ply:
                return Leaving.OUTSIDE, None
        if found is None:
            return Leaving.INSIDE, None
        if found.color is side:
            return Leaving.END if found.ended else Leaving.PLAYER, found
        if self._repertoires and canonical_key(found.position) not in self._answered[side]:
            return Leaving.OUTSIDE, None
        return Leaving.END if found.ended else Leaving.OPPONENT, found

    def _left_book(self, moves: tuple[Move, ...], path: list[Position]) -> Departure | None:
        for ply, (position, move) in enumerate(zip(path, moves, strict=False)):
            values = self._book_values(position)
            best = max((value.value for value in values.values()), default=0)
            sound = [known for known, value in values.items() if best - value.value < INACCURACY_FROM]
            if move not in sound:
                left = sound and self._loss(position, move) >= INACCURACY_FROM
                return Departure(ply, position, move, tuple(map(RepertoireMove, sound if left else ())))
        return None

    def _book_values(self, position: Position) -> dict[Move, MoveValue]:
        return {} if self._book is None else self._book.values(position)

    def _values(self, position: Position, move: Move | None = None) -> dict[Move, MoveValue]:
        """Return the values of moves: by the book where it knows the position, and the move; else by a search."""
        values = self._book_values(position)
        if values and (move is None or move in values):
            return values
        if position not in self._searched:
            self._searched[position] = {each.move: each.score for each in self._judge.value_all(position)}
        return self._searched[position]

    def _loss(self, position: Position, move: Move) -> int:
        values = self._values(position, move)
        return max(value.value for value in values.values()) - values[move].value

    def costliest(self) -> list[ReviewedGame]:
        """Return the games, those first in which the player loses most by leaving."""
        return sorted(self.games, key=lambda game: -game.lost_by(Leaving.PLAYER))

    def exercises(self, min_loss: int) -> Iterator[Exercise]:
        """Yield the positions where the player lost ``min_loss`` discs or the outcome by leaving, and those that
        need an answer and have one best move.

        Raises:
            EngineCancelled: the judge was cancelled.
        """
        for game in self.games:
            if game.task is None or game.departure is None:
                continue
            ply, position = game.task
            origin = origin_of(game.record.tags, game.file, game.number, ply + 1)
            if game.leaving is Leaving.PLAYER:
                move = game.departure.move
                exercise = from_mistake(position, move, self._judge, min_loss=min_loss, origin=origin)
            else:
                exercise = from_position(position, self._judge, origin=origin)
            if exercise is not None:
                yield exercise

    def missed(self) -> dict[str, Move]:
        """Return the moves with which the player leaves, by the ids of the cards that ask for the repertoire's."""
        left = (game.departure for game in self.games if game.leaving is Leaving.PLAYER and self._repertoires)
        return {RepertoireCard(found.position, found.known).id: found.move for found in left if found is not None}

    def tables(self) -> list[Table]:
        """Return tables: ``openings``, ``departures``, and ``games``, the costliest for the player first.

        Raises:
            EngineCancelled: the judge was cancelled.
        """
        return [
            Table("openings", "Openings", _OPENING, tuple(_openings(self.games))),
            Table("departures", "Departures, with what to play next time", _DEPARTURE, tuple(self._departures())),
            Table("games", "Games", _GAME, tuple(map(_game, self.costliest()))),
        ]

    def _departures(self) -> Iterator[tuple[Value, ...]]:
        """Yield a row for each position in which the player has something to learn, most games first."""
        groups: dict[tuple[Leaving, int], list[ReviewedGame]] = {}
        for game in self.games:
            if game.task is not None:
                groups.setdefault((game.leaving, canonical_key(game.task[1])), []).append(game)
        for (leaving, _), games in sorted(groups.items(), key=lambda item: -len(item[1])):
            first, tally = games[0], _tally(games)
            assert first.task is not None
            assert first.departure is not None
            plies, position = first.task
            named = opening_of_game(first.record.moves[:plies], first.record.start)
            values = self._values(position)
            best = _best(values)
            known = [choice.move for choice in first.departure.known] if leaving is Leaving.PLAYER else best
            yield (
                format_transcript(first.record.moves[:plies]),
                leaving.value,
                tally.games,
                None if first.loss is None else sum(game.loss or 0 for game in games) / len(games),
                " ".join(map(str, known)),
                values[best[0]].value,
                str(values[best[0]].kind),
                None if named is None else str(named),
                *(tally.wins, tally.draws, tally.losses, tally.score.mean),
            )


def _best(values: Mapping[Move, MoveValue]) -> tuple[Move, ...]:
    most = max(value.value for value in values.values())
    return tuple(move for move, value in values.items() if value.value == most)


# --- tables


def _texts(names: str) -> tuple[Column, ...]:
    return tuple(Column(name, name, Kind.TEXT) for name in names.split())


_OPENING: Final = (
    *columns_of(f"opening {TALLY}"),
    Column("player_left", "left"),
    Column("mean_loss", "loss/game", Kind.MEAN),
    Column("opponent_left", "opponent left"),
    Column("opponent_mean_loss", "loss/game", Kind.MEAN),
)
_DEPARTURE: Final = (
    *_texts("moves left"),
    *columns_of("games"),
    Column("mean_loss", "loss", Kind.MEAN),
    *_texts("next"),
    Column("value", "value", Kind.LEAD),
    *_texts("kind"),
    *columns_of("opening wins draws losses score"),
)
_GAME: Final = (
    *_texts("game"),
    Column("ply", "ply"),
    *_texts("left move known best"),
    Column("loss", "loss"),
    *_texts("kind opponent"),
    *columns_of("year color opening score"),
)


def _tally(games: Iterable[ReviewedGame]) -> PlayerTally:
    tally = PlayerTally()
    for game in games:
        tally.add(game.result, game.side)
    return tally


def _openings(games: Iterable[ReviewedGame]) -> Iterator[tuple[Value, ...]]:
    """Yield a row for each opening, most games first."""
    groups: dict[str, list[ReviewedGame]] = {}
    for game in games:
        groups.setdefault(game.result.opening, []).append(game)
    for name, group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        left: list[Value] = []
        for who in (Leaving.PLAYER, Leaving.OPPONENT):
            left.append(sum(game.leaving is who for game in group))
            left.append(sum(game.lost_by(who) for game in group) / len(group))
        yield name or None, *tally_values(_tally(group)), *left


def _game(game: ReviewedGame) -> tuple[Value, ...]:
    result, departure = game.result, game.departure
    return (
        f"{game.file}#{game.number}" if game.file else None,
        game.ply,
        game.leaving.value,
        None if departure is None else str(departure.move),
        None if departure is None else " ".join(str(known.move) for known in departure.known),
        " ".join(map(str, game.best)),
        game.loss,
        None if game.kind is None else str(game.kind),
        result.player(game.side.opponent) or None,
        result.year,
        str(game.side),
        result.opening or None,
        result.lead(game.side),
    )
