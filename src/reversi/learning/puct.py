"""Searches with an evaluation of one's own: PUCT in batches, and full width.

An evaluation is a function of a `PositionArray`. It returns the value of each position for its mover, in discs,
with the shape ``(n,)``; or such values and logits ``(n, 65)``, one for each square and the last for a pass.
Positions are never finished, and their movers have a placement. Illegal moves are masked; without logits all moves
count alike.

PUCT is the search of AlphaZero (Silver et al. 2017): a descent follows the move with the highest
value + exploration * prior * sqrt(visits of the position) / (1 + visits of the move). Bounds are carried up as in
score-bounded Monte-Carlo tree search (Cazenave and Saffidine 2010).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from types import NoneType
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from reversi._core import PASS, Forest, Move, Pass, Position, Square, Table, Task
from reversi.arguments import MAX_NODES, TEXT_TO_POSITION, check_count, check_type
from reversi.color import Color
from reversi.errors import ArgumentError, GameError, InputError
from reversi.learning.inputs import move_of
from reversi.learning.positions import COLUMNS, PositionArray
from reversi.rules import Rules
from reversi.score import Kind, MoveValue
from reversi.solver.solution import MoveScore
from reversi.solver.table import SEARCH_HASH_MB
from reversi.work.cancel import Cancel

Evaluator: TypeAlias = Callable[[PositionArray], Any]
"""Returns values ``(n,)`` in discs for the mover, or values and logits ``(n, 65)``."""

_MOVES: Final = 65
_PASS: Final = 64
_PIECE: Final = 1 << 11
"""Positions whose moves a search of full width makes at once."""
_MOST: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class MoveVisits:
    """What a search knows of a move.

    Attributes:
        move: the move.
        visits: how often it was followed.
        value: its mean value for its mover, in discs; that of the position while it has no visits.
        prior: its share of what the evaluation expected, with the noise.
        lower: proved: its value is at least this.
        upper: proved: its value is at most this.
    """

    move: Move
    visits: int
    value: float
    prior: float
    lower: int
    upper: int


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search with PUCT knows of a position.

    Attributes:
        position: the position.
        moves: its legal moves in a1, b1, … order.
        visits: how often the search came through it.
        value: its mean value for its mover, in discs, within the bounds.
        lower: proved: its value is at least this.
        upper: proved: its value is at most this.
    """

    position: Position
    moves: tuple[MoveVisits, ...]
    visits: int
    value: float
    lower: int
    upper: int

    @property
    def is_exact(self) -> bool:
        """Whether the value is proved."""
        return self.lower == self.upper

    @property
    def best(self) -> MoveVisits:
        """The best move: one that is proved to be, else the one with the most visits."""
        return max(
            self.moves, key=lambda each: (self.is_exact and each.lower == self.lower, each.visits, each.value)
        )

    def policy(self, temperature: float = 1.0) -> NDArray[np.float32]:
        """Return how often to play each move, shape ``(65,)``, which sums to 1: the target of training.

        Args:
            temperature: 1 for the shares of the visits; the lower, the more the best move counts, 0 for it alone.

        Raises:
            InputError: the temperature is below 0.
        """
        if not temperature >= 0:
            raise InputError(f"temperature must be 0 or more, not {temperature}")
        shares = np.zeros(_MOVES, np.float32)
        codes = [_PASS if each.move.is_pass else int(each.move.index) for each in self.moves]
        if temperature == 0 or self.is_exact or not any(each.visits for each in self.moves):
            shares[codes[self.moves.index(self.best)]] = 1
            return shares
        visits = np.array([each.visits for each in self.moves], np.float64)
        powers = (visits / visits.max()) ** (1 / temperature)
        shares[codes] = powers / powers.sum()
        return shares


class Puct:
    """Searches positions with PUCT, many at once, and plays: an object that a match takes as a bot.

    With one evaluation that answers alike, equal seeds give equal answers. The trees stay: a later search of a
    position that they hold begins with its visits.

    Args:
        evaluation: the evaluation, a function of a `PositionArray`.
        visits: how often a search comes through each position.
        batch: how many positions to give to the evaluation at once.
        exploration: discs that a move of prior 1 gains by not being visited.
        virtual_loss: discs that a move loses while all its visits wait for their values: batches are diverse.
        solve_from: with this many empty squares or fewer the solver proves the value of a position that a search
            reaches. The position that is searched is none of these: as many visits as it has moves prove it, too.
        noise: the share of noise in the priors of the positions that are searched, for games with itself.
        noise_alpha: the parameter of the noise, of a Dirichlet distribution.
        seed: of the noise, and of the moves that `play` draws.

    Raises:
        ArgumentError: an argument has another type.
        InputError: a number is outside its limits.
    """

    def __init__(
        self,
        evaluation: Evaluator,
        *,
        visits: int = 800,
        batch: int = 256,
        exploration: float = 12.0,
        virtual_loss: float = 8.0,
        solve_from: int = 8,
        noise: float = 0.0,
        noise_alpha: float = 0.5,
        seed: int = 0,
    ) -> None:
        _check_evaluation(evaluation)
        check_count("visits", visits, _MOST)
        check_count("batch", batch, _MOST)
        check_count("solve_from", solve_from, 64, least=0)
        check_count("seed", seed, least=0)
        if not 0 <= noise <= 1:
            raise InputError(f"noise must be from 0 to 1, not {noise}")
        for name, number in (("exploration", exploration), ("virtual_loss", virtual_loss)):
            if not 0 <= number < np.inf:
                raise InputError(f"{name} must be a number of discs, at least 0, not {number}")
        if not 0 < noise_alpha < np.inf:
            raise InputError(f"noise_alpha must be above 0, not {noise_alpha}")
        self.evaluation = evaluation
        self.visits = visits
        self.batch = batch
        self.exploration = exploration
        self.virtual_loss = virtual_loss
        self.solve_from = solve_from
        self.noise = noise
        self.noise_alpha = noise_alpha
        self.random: np.random.Generator = np.random.default_rng(seed)
        self._trees: _Trees | None = None

    def __repr__(self) -> str:
        return f"<Puct visits={self.visits} batch={self.batch}>"

    def __getstate__(self) -> dict[str, object]:
        """Return what makes it, for pickles and copies: its trees stay behind."""
        return {**self.__dict__, "_trees": None}

    def clear(self) -> None:
        """Forget all trees."""
        self._trees = None

    def search(
        self,
        positions: Position | Iterable[Position] | PositionArray,
        visits: int | None = None,
        *,
        cancel: Cancel | None = None,
    ) -> list[Searched]:
        """Search positions of one rule set together, until each has its visits or is proved.

        Args:
            positions: one, several, or a batch; games that are not over.
            visits: how often to come through each, instead of the number of this object.
            cancel: ends it from another thread, between two batches, with what is known then.

        Raises:
            GameError: a game is over.
            InputError: the evaluation returns something else than it should, or the rules differ.
        """
        check_count("visits", visits := self.visits if visits is None else visits, _MOST)
        check_type("cancel", cancel, Cancel, NoneType)
        listed = [positions] if isinstance(positions, Position) else list(positions)
        asked = PositionArray(listed)
        if asked.is_over().any():
            raise GameError("the game is over; there are no moves to choose from")
        trees, self._trees = self._trees, None  # an error leaves them half grown
        if trees is None or trees.rules != asked.rules:
            trees = _Trees(self, asked.rules)
        roots = trees.roots(_settled(asked)[0])
        for root in roots if self.noise else ():
            trees.blend(int(root), self.noise, self.noise_alpha, self.random)
        trees.search(roots, visits, cancel or Cancel())
        self._trees = trees
        return [trees.found(position, int(root)) for position, root in zip(listed, roots, strict=True)]

    def choose(self, position: Position, clock: object = None, *, cancel: Cancel | None = None) -> MoveScore:
        """Return the best move, as a `Player` does; the clock is not looked at. See `search` for ``cancel``."""
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        found = self.search(position, cancel=cancel)[0]
        return _scored(position, found.best.move, found.best.value, found.is_exact)

    def play(self, found: Searched, temperature: float = 1.0) -> Square | Pass:
        """Draw a move by its share of the visits; see `Searched.policy`."""
        shares = np.cumsum(found.policy(temperature), dtype=np.float64)
        return move_of(int(np.searchsorted(shares, self.random.random() * shares[-1], side="right")))


class _Trees:
    """The trees of searches under one rule set, with the position of every spot."""

    def __init__(self, search: Puct, rules: Rules) -> None:
        self.rules = rules
        self._search = search
        self._forest = Forest(rules.board.cells, search.exploration, search.virtual_loss)
        self._positions = PositionArray((), rules)
        self._values = _Values(search.evaluation, rules)

    def roots(self, asked: PositionArray) -> NDArray[np.int64]:
        """Return a root for each position: a spot that has it already, or a new one; forget everything else."""
        held = self._positions[: len(self._forest)]
        places: dict[tuple[int, ...], list[int]] = {}  # the spots of a position, those with the most visits last
        for number in np.flatnonzero(np.isin(held.black, asked.black) & np.isin(held.white, asked.white)):
            if self._forest.spot(int(number))[4] > 0:
                places.setdefault(_key(held, int(number)), []).append(int(number))
        for spots in places.values():
            spots.sort(key=lambda spot: self._forest.spot(spot)[0])
        known = [held_at.pop() if (held_at := places.get(_key(asked, i))) else -1 for i in range(len(asked))]
        kept = np.array([spot for spot in known if spot >= 0], np.int64)
        former = np.frombuffer(self._forest.keep(kept), np.int64)
        self._positions = held[former]
        roots = np.full(len(asked), -1, np.int64)
        old = np.array(known) >= 0
        roots[old] = np.arange(len(kept))
        new = np.flatnonzero(~old)
        roots[new] = [self._forest.plant() for _ in new]
        self._grow(roots[new], asked[new], 0)  # unproved: what its moves are worth is asked
        return roots

    def _grow(self, spots: NDArray[np.int64], positions: PositionArray, solve_from: int) -> None:
        """Value new spots at these positions, whose forced passes are played."""
        self._add(spots, positions)
        values, proved, logits = self._values.of(positions, solve_from)
        cells = self.rules.board.cells
        lower, upper = (np.where(proved, values, bound).astype(np.int8) for bound in (-cells, cells))
        placements, passes = positions._legal()
        placements[proved], passes[proved] = 0, False
        self._forest.grow(spots, positions.to_move, values, lower, upper, placements, passes, logits)

    def _add(self, spots: NDArray[np.int64], positions: PositionArray) -> None:
        needed = int(spots.max(initial=-1)) + 1
        if needed > len(self._positions):
            more = PositionArray.start(2 * needed - len(self._positions), self.rules)
            self._positions = PositionArray.concatenate([self._positions, more])
        self._positions._put(spots, positions)

    def blend(self, root: int, share: float, alpha: float, random: np.random.Generator) -> None:
        """Mix noise into the priors of a root."""
        count = self._forest.spot(root)[4]
        if count > 0:
            self._forest.blend(root, random.dirichlet(np.full(count, alpha)).astype(np.float32), share)

    def search(self, roots: NDArray[np.int64], visits: int, cancel: Cancel) -> None:
        """Come through each root as often as wanted, or until it is proved, or until a cancel."""
        most = self._search.batch
        leaves, parents, moves = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.uint8)
        running = roots
        while True:
            spots = [self._forest.spot(int(root)) for root in running]
            left = np.array([visits - spot[0] if spot[2] != spot[3] else 0 for spot in spots], np.int64)
            running, left = running[left > 0], left[left > 0]
            if not len(running) or cancel.cancelled:
                return
            share = max(1, most // len(running))
            for first in range(0, len(running), most):
                part = slice(first, first + most)
                count = self._forest.descend(running[part], np.minimum(left[part], share), leaves, parents, moves)
                if count:
                    after = self._positions[parents[:count]].play(moves[:count])
                    self._grow(leaves[:count], _settled(after)[0], self._search.solve_from)

    def found(self, position: Position, root: int) -> Searched:
        """Return what is known of a position, whose forced passes lead to a root."""
        visits, total, lower, upper, _ = self._forest.spot(root)
        value = min(max(total / visits, lower), upper)
        if not position.legal_moves.placements:
            if bool(self._positions.to_move[root]) is not (position.to_move is Color.WHITE):
                value, lower, upper = -value, -upper, -lower
            moves = [MoveVisits(PASS, visits, value, 1.0, lower, upper)]
        else:
            moves = [
                MoveVisits(
                    move_of(code), seen, min(max(sum_ / seen if seen else value, low), high), prior, low, high
                )
                for code, seen, sum_, prior, low, high in self._forest.moves(root)
            ]
        return Searched(position, tuple(moves), visits, value, lower, upper)


class _Values:
    """Values of positions: of finished ones by the rules, of ends by the solver, of others by the evaluation."""

    def __init__(self, evaluation: Evaluator, rules: Rules) -> None:
        self._evaluation = evaluation
        self._rules = rules
        self._table = Table(SEARCH_HASH_MB)

    def of(
        self, positions: PositionArray, solve_from: int
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.float32] | None]:
        """Return the values for the movers, which of them are proved, and the logits, if there are any.

        Args:
            positions: positions without forced passes.
            solve_from: with this many empty squares or fewer the value is proved.
        """
        over = positions.is_over()
        values = positions.scores().astype(np.float32)
        few = np.flatnonzero(~over & (positions.empties <= solve_from))
        if len(few):
            solved = np.empty(len(few), np.int8)
            with self._table.use(self._rules) as table:
                positions[few]._boards().solve(Task(table), solved)
            values[few] = solved
            over[few] = True
        rest = np.flatnonzero(~over)
        if not len(rest):
            return values, over, None
        values[rest], given = self.asked(positions[rest])
        if given is None or len(rest) == len(over):
            return values, over, given
        logits = np.zeros((len(over), _MOVES), np.float32)
        logits[rest] = given
        return values, over, logits

    def asked(self, positions: PositionArray) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """Return what the evaluation says of positions: values within those of the board, and logits."""
        found = self._evaluation(positions)
        given, logits = found if isinstance(found, tuple) and len(found) == 2 else (found, None)
        cells = self._rules.board.cells
        values = np.clip(_checked(given, "values", (len(positions),)), -cells, cells)
        return values, None if logits is None else _checked(logits, "logits", (len(positions), _MOVES))


def _checked(given: Any, name: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return an array that an evaluation gave, or refuse it."""
    try:
        array = np.asarray(given, np.float32, order="C")
    except (TypeError, ValueError) as error:
        raise InputError(f"the evaluation must return numbers as {name}: {error}") from None
    if array.shape != shape:
        raise InputError(f"the evaluation must return {name} with the shape {shape}, not {array.shape}")
    if not np.isfinite(array).all():
        raise InputError(f"the evaluation returned {name} that are not finite numbers")
    return array


def _settled(positions: PositionArray) -> tuple[PositionArray, NDArray[np.bool_]]:
    """Return positions with their forced passes played, and whether the same side is to move as before."""
    same = np.ones(len(positions), np.bool_)
    while True:
        placements, passes = positions._legal()
        forced = np.flatnonzero((placements == 0) & passes)
        if not len(forced):
            return positions, same
        after = positions[forced].play(np.full(len(forced), _PASS, np.uint8))
        positions = positions.copy()
        positions._put(forced, after)
        same[forced] ^= True


def _key(positions: PositionArray, number: int) -> tuple[int, ...]:
    return tuple(int(getattr(positions, name)[number]) for name in COLUMNS)


def _scored(position: Position, move: Move, value: float, exact: bool, depth: int = 0) -> MoveScore:
    """Return a move with its value, to the nearest disc."""
    view, cells = position.to_move, position.rules.board.cells
    if exact:
        return MoveScore(move, MoveValue.exact(round(value), view, position.empties), (move,))
    stated = MoveValue.stated(round(value), Kind.HEURISTIC, view, cells, depth=depth, confidence=None)
    return MoveScore(move, stated, (move,))


@dataclass(frozen=True, slots=True)
class Valued:
    """What a search of full width knows of a position.

    Attributes:
        position: the position.
        values: the value of each legal move for its mover, in discs, in a1, b1, … order.
        depth: how many moves it looked ahead.
        nodes: positions visited, those of the depths before included; no part of equality.
    """

    position: Position
    values: dict[Move, float]
    depth: int
    nodes: int = field(default=0, compare=False)

    @property
    def value(self) -> float:
        """The value of the position for its mover, in discs."""
        return max(self.values.values())

    @property
    def best(self) -> tuple[Move, ...]:
        """All best moves."""
        return tuple(move for move, value in self.values.items() if value == self.value)


class FullWidth:
    """Searches positions in full width with an evaluation, and plays: an object that a match takes as a bot.

    Args:
        evaluation: the evaluation, a function of a `PositionArray`; it gets at most 2,048 positions at once.
        depth: moves to look ahead, forced passes not counted. Every one takes about ten times as long.
        nodes: positions to visit, those of the shallower searches before included. The answer is that of the last
            depth that is whole; see `search` for the first.

    Raises:
        ArgumentError: an argument has another type.
        InputError: the depth or the nodes are below 1.
    """

    def __init__(self, evaluation: Evaluator, depth: int, *, nodes: int | None = None) -> None:
        _check_evaluation(evaluation)
        check_count("depth", depth)
        check_count("nodes", nodes, MAX_NODES, optional=True)
        self.evaluation = evaluation
        self.depth = depth
        self.nodes = nodes

    def search(self, position: Position, *, cancel: Cancel | None = None) -> Valued:
        """Return the value of every move of a position.

        Args:
            position: a game that is not over.
            cancel: ends it from another thread, between two calls of the evaluation. So that there is an answer
                then, a search that may be cancelled or has a limit in nodes looks one move ahead first, in any
                case, then two, and so on, which asks the evaluation a little more; `Valued.depth` says how far it
                came.

        Raises:
            GameError: the game is over.
            InputError: the evaluation returns something else than it should.
        """
        check_type("position", position, Position, advice=TEXT_TO_POSITION)
        check_type("cancel", cancel, Cancel, NoneType)
        if position.is_over:
            raise GameError("the game is over; there are no moves to choose from")
        asker = _Values(self.evaluation, position.rules)
        moves = list(position.legal_moves)
        forced = not position.legal_moves.placements
        after = PositionArray([position.play(move) for move in moves])

        budget = _Budget()

        def looked(depth: int) -> Valued:
            found = -self._values(asker, after, depth if forced else depth - 1, budget)
            return Valued(position, dict(zip(moves, map(float, found), strict=True)), depth)

        found = looked(self.depth if cancel is None and self.nodes is None else 1)
        budget.cancel, budget.nodes = cancel, self.nodes
        with contextlib.suppress(_Cancelled):
            for depth in range(found.depth + 1, self.depth + 1):
                valued = budget.valued
                found = looked(depth)
                if budget.valued == valued:  # all lines end the game: a greater depth sees the same
                    found = replace(found, depth=self.depth)
                    break
        return replace(found, nodes=budget.visited)

    def choose(self, position: Position, clock: object = None, *, cancel: Cancel | None = None) -> MoveScore:
        """Return the first of the best moves, as a `Player` does; the clock is not looked at.

        See `search` for ``cancel``.
        """
        found = self.search(position, cancel=cancel)
        return _scored(position, found.best[0], found.value, False, found.depth)

    def _values(
        self, asker: _Values, positions: PositionArray, depth: int, budget: _Budget
    ) -> NDArray[np.float64]:
        """Return the values of positions for their movers.

        Raises:
            _Cancelled: the budget ended it.
        """
        budget.visit(len(positions))
        positions, same = _settled(positions)
        values = positions.scores().astype(np.float64)
        going_on = np.flatnonzero(~positions.is_over())
        for first in range(0, len(going_on), _PIECE):
            budget.visit(0)
            piece = going_on[first : first + _PIECE]
            here = positions[piece]
            if depth == 0:
                budget.valued += len(here)
                values[piece] = asker.asked(here)[0]
                continue
            parents, moves = _choices(here)
            after = -self._values(asker, here[parents].play(moves), depth - 1, budget)
            values[piece] = np.maximum.reduceat(after, np.flatnonzero(np.diff(parents, prepend=-1)))
        return np.where(same, values, -values)


class _Cancelled(Exception):  # noqa: N818 - what happened, not a mistake
    """A `Cancel` or the limit in nodes ended a search of full width."""


class _Budget:
    """What a search of full width has visited, and what ends it."""

    def __init__(self) -> None:
        self.visited = 0
        self.valued = 0  # those that the evaluation valued
        self.cancel: Cancel | None = None
        self.nodes: int | None = None

    def visit(self, count: int) -> None:
        """Count positions before they are visited.

        Raises:
            _Cancelled: the search is cancelled, or they are too many.
        """
        if self.cancel is not None and self.cancel.cancelled:
            raise _Cancelled
        if self.nodes is not None and self.visited + count > self.nodes:
            raise _Cancelled
        self.visited += count


def _choices(positions: PositionArray) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Return each legal move, with the number of its position, in order."""
    placements, passes = positions._legal()
    squares = np.unpackbits(placements.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    parents, moves = np.nonzero(np.concatenate([squares, passes[:, None].astype(np.uint8)], axis=1))
    return parents, moves.astype(np.uint8)


def full_width(
    position: Position,
    evaluation: Evaluator,
    depth: int,
    *,
    nodes: int | None = None,
    cancel: Cancel | None = None,
) -> Valued:
    """Search one position in full width with an evaluation; see `FullWidth`, and its `search` for ``cancel``.

    >>> from reversi import Position
    >>> from reversi.puct import full_width
    >>> full_width(Position(), lambda batch: batch.evaluate(), depth=2).best
    (Square('d3'), Square('c4'), Square('f5'), Square('e6'))
    """
    return FullWidth(evaluation, depth, nodes=nodes).search(position, cancel=cancel)


def _check_evaluation(evaluation: object) -> None:
    if not callable(evaluation):
        raise ArgumentError(f"evaluation must be a function of a PositionArray, not {type(evaluation).__name__}")
