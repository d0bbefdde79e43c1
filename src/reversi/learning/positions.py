"""A batch of positions under one rule set, in contiguous arrays."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from types import NoneType
from typing import Any, ClassVar, Final, Literal, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from reversi._core import SQUARES, Boards, Position, State, Table, Task, expand_bits
from reversi.arguments import TEXT_TO_POSITION, check_count, check_type, excerpt
from reversi.color import Color
from reversi.errors import BoardError, IllegalMoveError, InputError
from reversi.evaluation.weights import default_weights
from reversi.learning.inputs import Numbers, board_mask, column, filled, move_of, playout_seed
from reversi.learning.threads import in_parts, thread_count
from reversi.rules import OTHELLO, Rules
from reversi.solver.table import SEARCH_HASH_MB
from reversi.work.cancel import Cancel

_T = TypeVar("_T", bound=np.generic)

Plane = Literal["player", "opponent", "black", "white", "empty", "legal", "to_move", "ones"]
PLANES: Final[tuple[Plane, ...]] = ("player", "opponent", "black", "white", "empty", "legal", "to_move", "ones")
"""The planes that `PositionArray.planes` knows."""

COLUMNS: Final = ("black", "white", "to_move", "state")
"""The arrays of a batch."""
_STATES: Final = (State.FRESH, State.AFTER_PASS, State.ENDED)
_PASS: Final = 64
_MOST: Final = (1 << 31) - 1
"""Positions, and games of each, at most."""
NO_MOVE: Final = 255
"""The number that stands for a move where a game is over."""
_DISC: Final = 128  # the units of an evaluation


class PositionArray:
    """A batch of positions: discs, side to move and state, one array for each, under one rule set.

    ``batch[i]`` is a position; a slice, a mask or an array of indices gives a batch. The arrays are writable: the
    methods then see the change, but do not check it again.

    Args:
        positions: positions to copy, all under ``rules``.
        rules: the rule set; by default that of the first position, or ``othello``.

    Raises:
        InputError: the positions have different rules.

    Attributes:
        black: the sets of black discs, 64-bit words, bit ``8*row + column``.
        white: the sets of white discs.
        to_move: the side to move, 8-bit numbers: 0 Black, 1 White.
        state: 8-bit numbers: 0 fresh, 1 after a pass, 2 ended by two passes; always 0 without optional skips.
        rules: the rule set.
    """

    __slots__ = ("black", "rules", "state", "to_move", "white")

    black: NDArray[np.uint64]
    white: NDArray[np.uint64]
    to_move: NDArray[np.uint8]
    state: NDArray[np.uint8]
    rules: Rules

    def __init__(self, positions: Iterable[Position] = (), rules: Rules | None = None) -> None:
        check_type("positions", positions, Iterable, advice="put one position into a list")
        check_type("rules", rules, Rules, NoneType)
        black, white, to_move, state = array("Q"), array("Q"), bytearray(), bytearray()
        for position in positions:  # which may be a stream
            check_type("a position", position, Position, advice=TEXT_TO_POSITION)
            rules = rules or position.rules
            if position.rules != rules:
                raise InputError(f"a batch has one rule set; not every position is under {rules}")
            black.append(position.black)
            white.append(position.white)
            to_move.append(position.to_move is Color.WHITE)
            state.append(_STATES.index(position.state))
        self.rules = rules or OTHELLO
        self.black, self.white = np.array(black, np.uint64), np.array(white, np.uint64)
        self.to_move, self.state = np.array(to_move, np.uint8), np.array(state, np.uint8)

    @classmethod
    def start(cls, count: int, rules: Rules = OTHELLO) -> PositionArray:
        """Return ``count`` times the start of a game."""
        check_count("count", count, _MOST, least=0)
        return cls([Position(rules)])._each(lambda column: np.repeat(column, count))

    @classmethod
    def from_discs(
        cls,
        black: Numbers,
        white: Numbers,
        to_move: Numbers = 0,
        state: Numbers = 0,
        rules: Rules = OTHELLO,
    ) -> PositionArray:
        """Return a batch of these discs. Contiguous arrays of the right type are used as they are, without a copy.

        Args:
            black: the sets of black discs, shape ``(n,)``; any array that NumPy reads, through DLPack too.
            white: the sets of white discs.
            to_move: 0 for Black, 1 for White; one number, or one for each position.
            state: 0 fresh, 1 after a pass, 2 ended; one number, or one for each position.
            rules: the rule set.

        Raises:
            BoardError: the arrays do not fit each other, discs overlap or lie outside the board, or the rules do
                not have a state.
        """
        self = cls._of(rules, column(black, np.uint64, "black"), column(white, np.uint64, "white"), to_move, state)
        wrong = self._boards().first_wrong()
        if wrong >= 0:
            raise BoardError(
                f"position {wrong}: discs overlap or lie outside the {rules.board} board,"
                " or the rules do not have its side or state"
            )
        return self

    @classmethod
    def _of(
        cls,
        rules: Rules,
        black: NDArray[np.uint64],
        white: NDArray[np.uint64],
        to_move: Numbers,
        state: Numbers,
    ) -> PositionArray:
        self = cls.__new__(cls)
        self.black, self.white, self.rules = black, white, rules
        self.to_move = filled(to_move, len(black), "to_move")
        self.state = filled(state, len(black), "state")
        for name, part in (("white", white), ("to_move", self.to_move), ("state", self.state)):
            if part.shape != black.shape:
                raise BoardError(f"{name} has the shape {part.shape}, black has {black.shape}")
        return self

    def _each(self, change: Callable[[NDArray[Any]], NDArray[Any]]) -> PositionArray:
        """Return a batch of what each of the arrays becomes."""
        return PositionArray._of(self.rules, *(change(getattr(self, name)) for name in COLUMNS))

    def _put(self, where: Any, batch: PositionArray) -> None:
        """Take over the positions of a batch at some places: a mask, or their numbers."""
        for name in COLUMNS:
            getattr(self, name)[where] = getattr(batch, name)

    def _boards(self, part: slice = slice(None)) -> Boards:
        return Boards(self.rules, self.black[part], self.white[part], self.to_move[part], self.state[part])

    # ---- a sequence of positions

    def __len__(self) -> int:
        return len(self.black)

    @overload
    def __getitem__(self, index: int | np.integer[Any], /) -> Position: ...
    @overload
    def __getitem__(self, index: slice | ArrayLike, /) -> PositionArray: ...
    def __getitem__(self, index: Any, /) -> Position | PositionArray:
        if isinstance(index, (int, np.integer)):
            index = int(index)
            if not -len(self) <= index < len(self):  # NumPy raises an OverflowError for some
                raise IndexError(f"index {index} is out of range for {len(self)} positions")
            return Position.from_discs(
                int(self.black[index]),
                int(self.white[index]),
                Color.WHITE if self.to_move[index] else Color.BLACK,
                self.rules,
                _STATES[self.state[index]],
            )
        return self._each(lambda column: np.ascontiguousarray(column[index]))

    def __iter__(self) -> Iterator[Position]:
        return (self[index] for index in range(len(self)))

    def __eq__(self, other: object, /) -> bool:
        if not isinstance(other, PositionArray):
            return NotImplemented
        return self.rules == other.rules and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in COLUMNS
        )

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<PositionArray: {len(self)} positions under {self.rules}>"

    def copy(self) -> PositionArray:
        """Return a batch with arrays of its own."""
        return self._each(np.copy)

    @staticmethod
    def concatenate(batches: Iterable[PositionArray]) -> PositionArray:
        """Return one batch with the positions of several, in order.

        Raises:
            InputError: there is not a single batch, or they have different rules.
        """
        listed = list(batches)
        for batch in listed:
            check_type("a batch", batch, PositionArray)
        if not listed or any(batch.rules != listed[0].rules for batch in listed):
            raise InputError("give one or more batches under one rule set")
        columns = (np.concatenate([getattr(batch, name) for batch in listed]) for name in COLUMNS)
        return PositionArray._of(listed[0].rules, *columns)

    # ---- what positions show

    @property
    def player(self) -> NDArray[np.uint64]:
        """The sets of discs of the side to move."""
        return np.where(self.to_move != 0, self.white, self.black)

    @property
    def opponent(self) -> NDArray[np.uint64]:
        """The sets of discs of the other side."""
        return np.where(self.to_move != 0, self.black, self.white)

    @property
    def empty(self) -> NDArray[np.uint64]:
        """The sets of empty squares of the board."""
        return ~(self.black | self.white) & np.uint64(board_mask(self.rules))

    @property
    def empties(self) -> NDArray[np.uint8]:
        """The numbers of empty squares."""
        return np.bitwise_count(self.empty)

    def legal_masks(self) -> NDArray[np.uint64]:
        """Return the sets of squares where the mover may place a disc."""
        masks = np.empty(len(self), np.uint64)
        self._boards().legal(masks)
        return masks

    def can_pass(self) -> NDArray[np.bool_]:
        """Return whether a pass is legal."""
        return self._legal()[1]

    def _legal(self) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
        masks = np.empty(len(self), np.uint64)
        passes = np.empty(len(self), np.uint8)
        self._boards().legal(masks, passes)
        return masks, passes.view(np.bool_)

    def is_over(self) -> NDArray[np.bool_]:
        """Return whether the game is over."""
        masks, passes = self._legal()
        over: NDArray[np.bool_] = (masks == 0) & ~passes
        return over

    def scores(self) -> NDArray[np.int8]:
        """Return what each position scores for its mover if the game ends here, in discs, by the rules."""
        mine = np.bitwise_count(self.player).astype(np.int8)
        theirs = np.bitwise_count(self.opponent).astype(np.int8)
        score = mine - theirs
        if self.rules.empties_to_winner:
            score += np.sign(score) * (np.int8(self.rules.board.cells) - mine - theirs)
        return -score if self.rules.misere else score

    def final_scores(self) -> NDArray[np.int8]:
        """Return the score of each finished game for Black, in discs.

        Raises:
            InputError: a game is not over.
        """
        running = np.flatnonzero(~self.is_over())
        if len(running):
            raise InputError(f"position {running[0]}: the game is not over")
        scores = self.scores()
        return np.where(self.to_move != 0, -scores, scores).astype(np.int8)

    # ---- moves

    def play(self, moves: Numbers, *, out: PositionArray | None = None) -> PositionArray:
        """Play one move in each position and return the next positions.

        Args:
            moves: the indices of squares, 64 for a pass, shape ``(n,)``; 255 leaves a finished game as it is.
            out: a batch of the same length to write to, which is returned; it may be this one.

        Raises:
            IllegalMoveError: a move is illegal; the message names the position. With ``out``, the positions before
                it are written.
        """
        codes = column(moves, np.uint8, "moves")
        if out is None:
            out = self._each(np.empty_like)
        elif out.rules != self.rules or len(out) != len(self):
            raise InputError(f"out must have {len(self)} positions under {self.rules}")
        if codes.shape != self.black.shape:
            raise InputError(f"moves has the shape {codes.shape}, the batch has {self.black.shape}")
        if (codes == NO_MOVE).any():
            self._play_on(codes, out)
            return out
        wrong = self._boards().play(codes, out.black, out.white, out.to_move, out.state)
        if wrong >= 0:
            raise self._refusal(wrong, int(codes[wrong]))
        return out

    def _play_on(self, codes: NDArray[np.uint8], out: PositionArray) -> None:
        """Play where the games are not over; the others stay as they are."""
        stays = codes == NO_MOVE
        if len(wrong := np.flatnonzero(stays & ~self.is_over())):
            text = f"position {wrong[0]}: {NO_MOVE} is no move, and the game is not over"
            raise IllegalMoveError(text, str(NO_MOVE))
        plays = np.flatnonzero(~stays)
        moving = self[plays]
        bad = moving._boards().play(codes[plays], moving.black, moving.white, moving.to_move, moving.state)
        done = plays if bad < 0 else plays[:bad]
        if out is not self:
            out._put(..., self)
        out._put(done, moving[: len(done)])
        if bad >= 0:
            raise self._refusal(int(plays[bad]), int(codes[plays[bad]]))

    def _refusal(self, index: int, code: int) -> IllegalMoveError:
        position = self[index]
        if code > _PASS:
            return IllegalMoveError(
                f"position {index}: {code} is not a move: give 0 to 63, or 64 for a pass", str(code)
            )
        try:
            position.play(move_of(code))
        except IllegalMoveError as error:
            return IllegalMoveError(f"position {index}: {error}", error.text, error.reason)
        raise AssertionError(f"the core refused a legal move: {position!r}, {code}")

    def random_moves(self, seed: int = 0) -> NDArray[np.uint8]:
        """Return an equally likely legal move for each position, as `play` takes it; 255 for a finished game."""
        check_count("seed", seed, least=0)
        masks, passes = self._legal()
        counts = np.bitwise_count(masks) + passes
        over = counts == 0
        chosen = (np.random.default_rng(seed).random(len(self)) * counts).astype(np.uint8)
        moves = np.full(len(self), _PASS, np.uint8)
        for number in range(int(counts.max(initial=0))):
            here = (chosen == number) & (masks != 0)
            lowest = masks & (~masks + np.uint64(1))
            moves[here] = np.bitwise_count(lowest[here] - np.uint64(1))
            masks &= masks - (masks != 0)
        moves[over] = NO_MOVE
        return moves

    # ---- numbers for learning

    def planes(
        self,
        dtype: DTypeLike = np.float32,
        layout: Literal["NCHW", "NHWC"] = "NCHW",
        planes: Iterable[Plane] = ("player", "opponent"),
        *,
        out: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """Return boards of 0 and 1 for a network.

        Args:
            dtype: a type of 1, 2, 4 or 8 bytes: an integer, a float or bool.
            layout: ``NCHW`` for shape ``(n, planes, rows, columns)``, ``NHWC`` for ``(n, rows, columns, planes)``.
            planes: which planes, in order: ``player``, ``opponent``, ``black``, ``white``, ``empty``, ``legal``;
                ``to_move`` is 1 everywhere when White is to move, ``ones`` always.
            out: a contiguous array of this shape and type to write to, which is returned.

        Raises:
            InputError: the layout, a plane or the type is not one of these, or ``out`` does not fit.
        """
        check_type("out", out, np.ndarray, NoneType)
        try:
            kind = np.dtype(dtype)
        except TypeError:
            raise InputError(f"dtype must be a type of NumPy, such as float32, not {excerpt(dtype)}") from None
        names = tuple(planes)
        rows, columns = self.rules.board
        if layout not in ("NCHW", "NHWC"):
            raise InputError(f"layout must be NCHW or NHWC, not {excerpt(layout)}")
        if unknown := [name for name in names if name not in PLANES]:
            raise InputError(f"{excerpt(unknown[0])} is not a plane; choose from {', '.join(PLANES)}")
        if kind.kind not in "iufb" or kind.itemsize > 8:
            raise InputError(f"dtype must be a bool, an integer or a float of at most 8 bytes, not {kind}")
        first = layout == "NCHW"
        shape = (len(self), len(names), rows, columns) if first else (len(self), rows, columns, len(names))
        if out is None:
            out = np.empty(shape, kind)
        elif out.shape != shape or out.dtype != kind or not out.flags.c_contiguous:
            raise InputError(f"out must be a contiguous array of {kind} with the shape {shape}")
        one_value = int.from_bytes(np.ones(1, kind).tobytes(), "little")
        cells = rows * columns
        for number, name in enumerate(names):
            expand_bits(
                self._plane(name),
                rows,
                columns,
                out,
                kind.itemsize,
                one_value,
                number * cells if first else number,
                len(names) * cells,
                1 if first else len(names),
            )
        return out

    def _plane(self, name: Plane) -> NDArray[np.uint64]:
        match name:
            case "legal":
                return self.legal_masks()
            case "to_move":
                return np.where(self.to_move != 0, ~np.uint64(0), np.uint64(0))
            case "ones":
                return np.full(len(self), ~np.uint64(0))
            case _:
                plane: NDArray[np.uint64] = np.ascontiguousarray(getattr(self, name))
                return plane

    def evaluate(self, *, threads: int | None = None) -> NDArray[np.float32]:
        """Return the evaluation of each position for its mover, in discs, without a search.

        Args:
            threads: how many threads work; ``None`` for all usable CPUs.

        Raises:
            InputError: the rules are not those of standard Othello.
        """
        values = np.empty(len(self), np.int16)
        weights = default_weights()

        def work(first: int, last: int) -> None:
            self._boards(slice(first, last)).evaluate(weights, values[first:last])

        self._boards(slice(0, 0)).evaluate(weights, values[:0])  # refuses other rules, of an empty batch too
        in_parts(len(self), thread_count(threads), 4096, work)
        return values.astype(np.float32) / np.float32(_DISC)

    # ---- symmetry

    def symmetry(self, index: int) -> PositionArray:
        """Return the positions under a symmetry of the board, as `Position.symmetry` does."""
        out = self.copy()
        self._boards().symmetry(index, out.black, out.white)
        return out

    def symmetries(self) -> tuple[PositionArray, ...]:
        """Return the batch under each symmetry of the board: 8 on square boards, 4 on others."""
        rows, columns = self.rules.board
        return tuple(self.symmetry(index) for index in range(8 if rows == columns else 4))

    def canonical(self) -> PositionArray:
        """Return the representative of the positions symmetric to each, as `Position.canonical` does."""
        out = self.copy()
        self._boards().canonical(out.black, out.white)
        return out

    def canonical_keys(self, salt: int = 0) -> NDArray[np.uint64]:
        """Return the `canonical_key` of each position."""
        check_count("salt", salt, (1 << 64) - 1, least=0)
        keys = np.empty(len(self), np.uint64)
        self._boards().canonical(np.empty_like(self.black), np.empty_like(self.white), keys, salt)
        return keys

    # ---- random games and exact values

    def random_playouts(self, games: int = 1, seed: int = 0, *, threads: int | None = None) -> NDArray[np.int8]:
        """Play random games from each position; return their scores for its mover, in discs, ``(n, games)``.

        The scores do not depend on the number of threads. Game ``k`` of position ``i`` plays as
        `Position.random_playout` does, with a `Random` of its own from ``seed`` and ``i * games + k``.

        Args:
            games: how many games from each position.
            seed: a seed; different ones give independent games.
            threads: how many threads work; ``None`` for all usable CPUs.
        """
        check_count("games", games, _MOST)
        scores = np.empty((len(self), games), np.int8)

        def work(first: int, last: int) -> None:
            self._boards(slice(first, last)).random_games(
                games, playout_seed(seed, first * games), scores[first:last]
            )

        in_parts(len(self), thread_count(threads), max(1, 4096 // games), work)
        return scores

    def solve(self, *, threads: int | None = None) -> NDArray[np.int8]:
        """Return the exact value of each position for its mover, in discs: for positions with few empty squares.

        Ctrl-C ends it. `reversi.solver.Batch` gives best moves and lines, limits and progress.

        Args:
            threads: how many threads work; ``None`` for all usable CPUs.
        """
        values = np.empty(len(self), np.int8)
        table = Table(SEARCH_HASH_MB)
        weights = default_weights() if self.rules == OTHELLO else None
        cancel = Cancel()

        def work(first: int, last: int) -> None:
            task = Task(table, weights)
            with cancel.ends(task.cancel):
                self._boards(slice(first, last)).solve(task, values[first:last])

        with table.use(self.rules):
            in_parts(len(self), thread_count(threads), 64, work, cancel.cancel)
        return values


def policy_symmetry(policies: NDArray[_T], index: int, rules: Rules = OTHELLO) -> NDArray[_T]:
    """Return what policies are under a symmetry of the board: those of the positions of `PositionArray.symmetry`.

    >>> import numpy as np
    >>> from reversi import Position, Square
    >>> from reversi.arrays import PositionArray, policy_symmetry
    >>> policy = np.zeros(65)
    >>> policy[Square("f5").index] = 1
    >>> Square(int(policy_symmetry(policy, 1).argmax())), Position().symmetry(1).is_legal("c5")
    (Square('c5'), True)

    Args:
        policies: a number for each square and the pass, in the last of the dimensions, which has 65: shares of
            visits (`Searched.policy`), logits, or masks of moves.
        index: the symmetry, as in `Position.symmetry`.
        rules: the rules; their board counts. Numbers of squares beside it stay where they are.

    Raises:
        InputError: the array has another shape, or the board does not have the symmetry.
    """
    given = np.asarray(policies)
    if given.shape[-1:] != (_PASS + 1,):
        raise InputError(f"policies must have the shape (…, {_PASS + 1}), not {given.shape}")
    squares = np.array([square.index for square in SQUARES if square.bit & board_mask(rules)])
    each = np.uint64(1) << squares.astype(np.uint64)
    goes = PositionArray.from_discs(each, np.zeros_like(each), rules=rules).symmetry(index).black
    moved = given.copy()
    moved[..., np.bitwise_count(goes - np.uint64(1))] = given[..., squares]
    return moved
