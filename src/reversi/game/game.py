"""One line of play: the moves and positions of a game, with undo and redo, notes, clocks, supply and outcome.

A position is a value without a history; a `Game` keeps the history::

    >>> game = Game()
    >>> game.play("f5").number
    1
    >>> [str(ply.move) for ply in game]
    ['f5']

A pass is a ply like any other; the caller plays it (`Game.pass_if_forced` helps).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import NoneType
from typing import TYPE_CHECKING, overload

from reversi._core import PASS, Move, Position, Square, as_move
from reversi.arguments import check_type
from reversi.color import Color
from reversi.errors import GameError, InputError
from reversi.game.hand_flips import flip_squares, play_with_flips
from reversi.game.ply import Outcome, Ply, Termination
from reversi.game.supply import Supply
from reversi.rules import OTHELLO, Rules
from reversi.score import MoveValue, Result
from reversi.text.counting import counted

if TYPE_CHECKING:
    from reversi.text.picture.scene import Scene


class Game:
    """One line of play from a start position, played ply by ply, with undo and redo.

    Iteration and indexing give the plies up to the current position. Plies that `undo` takes back stay for `redo`
    until another move is played. Games change, so each is equal only to itself: compare their positions, or the
    records of `reversi.records.record_from_game`.

    Args:
        start: the start position, or the rules that define it.
        supply: the discs beside the board at the start; by default `Supply.for_position` of the start.

    Raises:
        GameError: the supply cannot fill the empty squares.
    """

    def __init__(self, start: Position | Rules = OTHELLO, *, supply: Supply | None = None) -> None:
        check_type("start", start, Position, Rules, advice="Game().play_all(moves) plays text")
        check_type("supply", supply, Supply, NoneType)
        position = Position(start) if isinstance(start, Rules) else start
        if supply is not None and supply.total < position.empties:
            raise GameError(
                f"the disc supply ({supply}) holds {supply.total} discs for {position.empties} empty squares"
            )
        self._start = position
        self._start_supply = Supply.for_position(position) if supply is None else supply
        self._plies: list[Ply] = []
        self._length = 0
        self._declared: tuple[Termination, Color | None] | None = None
        self.comment = ""
        """A note before the first ply."""

    # --- where the game stands

    @property
    def start(self) -> Position:
        """The position the game began with."""
        return self._start

    @property
    def start_supply(self) -> Supply:
        """The disc supply the game began with."""
        return self._start_supply

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._start.rules

    @property
    def position(self) -> Position:
        """The current position."""
        return self._plies[self._length - 1].after if self._length else self._start

    @property
    def to_move(self) -> Color:
        """Whose turn it is."""
        return self.position.to_move

    @property
    def supply(self) -> Supply:
        """The disc supply now."""
        return self._plies[self._length - 1].supply if self._length else self._start_supply

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves up to the current position, passes included."""
        return tuple(ply.move for ply in self)

    @property
    def positions(self) -> tuple[Position, ...]:
        """The positions from the start to the current one; index *n* is the position after *n* plies."""
        return (self._start, *(ply.after for ply in self))

    @property
    def last(self) -> Ply | None:
        """The latest ply, or ``None`` at the start."""
        return self._plies[self._length - 1] if self._length else None

    def __len__(self) -> int:
        return self._length

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Ply]:
        return iter(self._plies[: self._length])

    @overload
    def __getitem__(self, index: int) -> Ply: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Ply, ...]: ...
    def __getitem__(self, index: int | slice) -> Ply | tuple[Ply, ...]:
        plies = self._plies[: self._length]
        return tuple(plies[index]) if isinstance(index, slice) else plies[index]

    @property
    def has_hand_flips(self) -> bool:
        """Whether the discs of a ply were flipped by hand: the moves alone do not lead to the position then."""
        return any(ply.hand_flips is not None for ply in self)

    def time_left(self, color: Color) -> float | None:
        """Return the seconds that ``color`` has, as its latest timed ply notes them; ``None`` without one."""
        check_type("color", color, Color)
        for ply in reversed(self._plies[: self._length]):
            if ply.color is color and ply.clock is not None:
                return ply.clock
        return None

    def copy(self) -> Game:
        """Return an independent game in the same state, plies to redo included."""
        other = Game(self._start, supply=self._start_supply)
        other._plies = self._plies.copy()
        other._length = self._length
        other._declared = self._declared
        other.comment = self.comment
        return other

    __copy__ = copy

    def whole(self) -> Game:
        """Return a copy at its end: plies to redo are played, and a resignation or the like is withdrawn."""
        other = self.copy()
        other._declared, other._length = None, len(other._plies)
        return other

    def __repr__(self) -> str:
        state = str(self.outcome) if self.is_over else f"{self.to_move} to move"
        return f"<Game {self.rules}: {self._length} plies, {state}>"

    def _repr_svg_(self) -> str:
        """Return the current position as SVG, which notebooks show."""
        from reversi.text.picture.board import svg

        return svg(self)

    def _scene_(self, ply: int | None) -> Scene:
        """Return what a picture of the game shows after a ply."""
        from reversi.text.picture.scene import Scene, last_ply, turns_of

        last = last_ply(ply, len(self))
        plies = self[:last]
        positions = (self._start, *(it.after for it in plies))
        turns = turns_of(positions, [it.move for it in plies])
        declared = last == len(self) and self.outcome is not None and self.result is None
        return Scene(positions, turns, len(self), True, outcome=str(self.outcome) if declared else "")

    # --- playing

    def play(
        self,
        move: Move | str,
        *,
        comment: str = "",
        clock: float | None = None,
        evaluation: MoveValue | None = None,
        flips: Iterable[Square | str] | None = None,
    ) -> Ply:
        """Play a move, drop the plies to redo, and return the new ply.

        Args:
            move: a move, or its text (``f5``, ``--``).
            comment: a note on the ply.
            clock: the mover's remaining time after it, in seconds.
            evaluation: the value of the move, of either view.
            flips: all discs flipped by hand; by default the rules flip them.

        Raises:
            GameError: the game is over, or ``clock`` is not a finite number of seconds from 0 up.
            InvalidMoveError: the text is not a move.
            IllegalMoveError: the move is not legal in the current position, or a square of ``flips`` is empty.
        """
        if self.is_over:
            raise GameError(f"the game is over: {self.outcome}")
        before, supply = self.position, self.supply
        move = as_move(move)
        by_hand = None if flips is None else flip_squares(flips)
        after = before.play(move) if by_hand is None else play_with_flips(before, move, by_hand)
        handed_over = not move.is_pass and supply.needs_hand_over(before.to_move)
        ply = Ply(
            number=self._length + 1,
            move=move,
            before=before,
            after=after,
            supply=supply if move.is_pass else supply.place(before.to_move),
            handed_over=handed_over,
            comment=comment,
            clock=_checked_clock(clock),
            evaluation=None if evaluation is None else evaluation.pov(before.to_move),
            hand_flips=by_hand,
        )
        del self._plies[self._length :]
        self._plies.append(ply)
        self._length += 1
        return ply

    def play_all(self, moves: str | Iterable[Move | str]) -> Game:
        """Play several moves and return this game; the moves before an illegal one stay played.

        Args:
            moves: moves or their texts, or one transcript such as ``"f5d6c3"``. A transcript that writes no pass
                leaves forced passes out; it is read whole before its first move is played.

        Raises:
            GameError: as for `play`.
            InvalidMoveError: as for `play`.
            IllegalMoveError: as for `play`.
        """
        for move in self.position.parse_moves(moves) if isinstance(moves, str) else moves:
            self.play(move)
        return self

    def set_flips(self, flips: Iterable[Square | str]) -> Ply:
        """Replace the flips of the latest ply, drop the plies to redo, and return the changed ply.

        Args:
            flips: all discs that the ply flips.

        Raises:
            GameError: nobody has played yet, or the game ended by resignation, on time or by adjudication.
            IllegalMoveError: a square of ``flips`` is empty, or the ply is a pass.
        """
        ply = self.last
        if ply is None:
            raise GameError("nobody has placed a disc yet")
        if self._declared is not None:
            raise GameError(f"the game is over: {self.outcome}")
        by_hand = flip_squares(flips)
        ply = replace(ply, hand_flips=by_hand, after=play_with_flips(ply.before, ply.move, by_hand))
        self._plies[self._length - 1 :] = [ply]
        return ply

    @property
    def must_pass(self) -> bool:
        """Whether the player to move has no choice but to pass."""
        return not self.is_over and not self.position.legal_moves.placements

    def pass_if_forced(self) -> Ply | None:
        """Play the pass when the player to move has no placement; return its ply, else ``None``."""
        return self.play(PASS) if self.must_pass else None

    def annotate(
        self,
        number: int,
        *,
        comment: str | None = None,
        clock: float | None = None,
        evaluation: MoveValue | None = None,
    ) -> Ply:
        """Change the given notes of ply ``number`` (from 1), and return the changed ply.

        Raises:
            GameError: the ply does not exist, or ``clock`` is not a finite number of seconds from 0 up.
        """
        check_type("number", number, int)
        if not 1 <= number <= self._length:
            raise GameError(f"ply {number} does not exist; the game has {counted(self._length, 'ply')}")
        ply = self._plies[number - 1]
        if comment is not None:
            ply = replace(ply, comment=comment)
        if clock is not None:
            ply = replace(ply, clock=_checked_clock(clock))
        if evaluation is not None:
            ply = replace(ply, evaluation=evaluation.pov(ply.color))
        self._plies[number - 1] = ply
        return ply

    # --- taking back

    @property
    def can_undo(self) -> int:
        """How many plies can be taken back."""
        return self._length

    @property
    def can_redo(self) -> int:
        """How many plies that were taken back can be played again."""
        return len(self._plies) - self._length

    def undo(self, count: int = 1) -> tuple[Ply, ...]:
        """Take back ``count`` plies (passes count) and return them in playing order.

        A resignation, forfeit or adjudication is withdrawn with them; ``undo(0)`` withdraws only that.

        Raises:
            GameError: fewer plies have been played; nothing is taken back then.
        """
        check_type("count", count, int)
        if not 0 <= count <= self._length:
            raise GameError(f"cannot take back {counted(count, 'ply')}; {counted(self._length, 'ply')} played")
        self._declared = None
        self._length -= count
        return tuple(self._plies[self._length : self._length + count])

    def redo(self, count: int = 1) -> tuple[Ply, ...]:
        """Replay ``count`` plies to redo, and return them.

        Raises:
            GameError: there are fewer plies to redo, or the game has ended since; the game does not change.
        """
        check_type("count", count, int)
        if not 0 <= count <= self.can_redo:
            raise GameError(f"cannot replay {counted(count, 'ply')}; {counted(self.can_redo, 'ply')} to redo")
        if self._declared is not None and count:
            raise GameError(f"the game is over: {self.outcome}")
        self._length += count
        return tuple(self._plies[self._length - count : self._length])

    # --- the end

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, on the board or otherwise."""
        return self._declared is not None or self.position.is_over

    @property
    def result(self) -> Result | None:
        """The discs and the score of a game that ended on the board, else ``None``. See `outcome`."""
        return None if self._declared is not None else self.position.result

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` for a game in progress."""
        if self._declared is not None:
            return Outcome(*self._declared, self.position.count)
        result = self.position.result
        return None if result is None else Outcome(Termination.NORMAL, result.winner, result)

    def resign(self, color: Color | None = None) -> Outcome:
        """End the game: ``color`` (by default the player to move) resigns and the opponent wins.

        Raises:
            GameError: the game is over already.
        """
        return self._lose(Termination.RESIGNATION, color)

    def forfeit_on_time(self, color: Color | None = None) -> Outcome:
        """End the game: ``color`` (by default the player to move) runs out of time and the opponent wins.

        Raises:
            GameError: the game is over already.
        """
        return self._lose(Termination.TIME_FORFEIT, color)

    def adjudicate(self, winner: Color | None) -> Outcome:
        """End the game by decision: ``winner`` wins, or it is a draw for ``None``.

        Raises:
            GameError: the game is over already.
        """
        return self._declare(Termination.ADJUDICATION, winner)

    def forfeit(self, color: Color | None = None) -> Outcome:
        """End the game: ``color`` (by default the player to move) broke the rules or failed; the opponent wins.

        Raises:
            GameError: the game is over already.
        """
        return self._lose(Termination.FORFEIT, color)

    def declare(self, termination: Termination, winner: Color | None) -> Outcome:
        """End the game off the board: ``winner`` wins, or it is a draw for ``None``, which only a decision can be.

        Raises:
            GameError: the game is over already.
            InputError: ``termination`` is normal; such a game ends on the board.
        """
        if termination is Termination.NORMAL:
            raise InputError("a game ends normally on the board; declare another termination")
        return self._declare(Termination.ADJUDICATION if winner is None else termination, winner)

    def _lose(self, termination: Termination, color: Color | None) -> Outcome:
        check_type("color", color, Color, NoneType)
        return self._declare(termination, (color or self.to_move).opponent)

    def _declare(self, termination: Termination, winner: Color | None) -> Outcome:
        if self.is_over:
            raise GameError(f"the game is over: {self.outcome}")
        check_type("winner", winner, Color, NoneType)
        self._declared = (termination, winner)
        return Outcome(termination, winner, self.position.count)


def beginning(game: Game, plies: int) -> Game:
    """Return a game of the first plies of another one, without what was noted about them."""
    begun = Game(game.start, supply=game.start_supply)
    for ply in game[:plies]:
        begun.play(ply.move, flips=ply.hand_flips)
    return begun


def continued(game: Game, moves: Iterable[Move | str]) -> Game:
    """Return a copy of a game with moves played on; the forced passes between them may be left out.

    Raises:
        GameError: the game is over before the last move.
        InvalidMoveError: a text is not a move.
        IllegalMoveError: a move is not legal.
    """
    copy = game.copy()
    for move in map(as_move, moves):
        if not move.is_pass:
            while copy.pass_if_forced():
                pass
        copy.play(move)
    return copy


def puts_right_earlier(game: Game, square: Square) -> bool:
    """Return whether flipping the disc now would correct the ply before the latest, which is too late.

    That ply flipped the disc wrongly or missed it, and the latest ply does not concern it.
    """
    if len(game) < 2:
        return False
    earlier, latest = game[-2], game[-1]
    if earlier.hand_flips is None or square in latest.flips or square in latest.before.flips(latest.move):
        return False
    return (square in earlier.hand_flips) != (square in earlier.before.flips(earlier.move))


def _checked_clock(clock: float | None) -> float | None:
    if clock is not None and not (math.isfinite(clock) and clock >= 0):
        raise GameError(f"clock must be a finite number of seconds from 0 up, not {clock}")
    return clock
