"""What plays a game: the `Player` protocol, and the question to a player.

A player is any object with ``choose(position, clock)``: an `Engine`, an external engine
(`reversi.protocols.ExternalEngine`), or a bot of your own:

>>> from reversi import Position
>>> from reversi.engine.player import Player, ask_player
>>> class Greedy:
...     def choose(self, position, clock=None):
...         return max(position.legal_moves, key=lambda move: len(position.flips(move)))
>>> bot: Player = Greedy()
>>> str(ask_player(bot, Position()).move)
'd3'

A player may have more methods, each of which is used where it exists: ``follow(start, moves)`` receives the game
so far before each question, ``cancel()`` stops a question from another thread, ``close()`` ends the player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from reversi._core import Move, Position
from reversi.engine.engine import Engine, EngineCancelled
from reversi.engine.search import check_unfinished
from reversi.errors import IllegalMoveError, InvalidMoveError, PlayerError
from reversi.game.clocks import ClockReading
from reversi.score import MoveValue
from reversi.solver.solution import MoveScore
from reversi.work.cancel import Cancel


@runtime_checkable
class Player(Protocol):
    """Chooses moves."""

    def choose(
        self, position: Position, clock: ClockReading | None = None, /
    ) -> Move | MoveScore | MoveChoice | str:
        """Return the move to play.

        Args:
            position: a position with the player to move; the game is not over.
            clock: what the player's clock shows, ``None`` in an untimed game.

        Raises:
            ResignationError: the player resigns. Whatever else it raises is its failure.
        """
        ...


@runtime_checkable
class _Follower(Protocol):
    def follow(self, start: Position, moves: Sequence[Move], /) -> None: ...


@runtime_checkable
class _Stoppable(Protocol):
    def cancel(self) -> None: ...


@runtime_checkable
class _Closable(Protocol):
    def close(self) -> object: ...


@dataclass(frozen=True, slots=True)
class MoveChoice:
    """A player's answer.

    Attributes:
        move: the move, legal in the position in question.
        score: its value from the player's view, ``None`` when the player gives none.
    """

    move: Move
    score: MoveValue | None = None


def ask_player(
    player: Player,
    position: Position,
    clock: ClockReading | None = None,
    *,
    game: tuple[Position, Sequence[Move]] | None = None,
    cancel: Cancel | None = None,
    name: str = "",
) -> MoveChoice:
    """Return the move that a player chooses.

    Args:
        player: the player.
        position: the position in question.
        clock: what the player's clock shows.
        game: the start of the game and the moves that lead to ``position``, for players that follow a game.
        cancel: stops the question from another thread, where the player can be stopped.
        name: the player's name in messages.

    Raises:
        EngineCancelled: ``cancel`` stopped it.
        GameError: the game is over.
        ResignationError: the player resigns.
        PlayerError: the player failed, or its move is not legal.
    """
    check_unfinished(position)
    who = name or type(player).__name__
    try:
        if isinstance(player, Engine):
            answer: object = player.choose(position, clock=clock, cancel=cancel)
        else:
            if game is not None and isinstance(player, _Follower):
                player.follow(*game)
            if cancel is not None and isinstance(player, _Stoppable):
                with cancel.ends(player.cancel):
                    answer = player.choose(position, clock)
            else:
                answer = player.choose(position, clock)
    except (EngineCancelled, PlayerError, KeyboardInterrupt):
        raise
    except BaseException as error:  # SystemExit, too: a bot ends its game alone
        if isinstance(player, Engine):
            raise
        raise PlayerError(who, f"raised {described(error)}") from error
    return _checked(who, answer, position)


def _checked(who: str, answer: object, position: Position) -> MoveChoice:
    """Return a player's answer, or say what is wrong with it."""
    score = answer.score if isinstance(answer, MoveScore | MoveChoice) else None
    move = answer.move if isinstance(answer, MoveScore | MoveChoice) else answer
    try:
        if isinstance(move, str):
            move = Move.parse(move)
        if not isinstance(move, Move):
            raise PlayerError(who, f"answered {move!r:.60}, which is not a move")
        position.play(move)
    except InvalidMoveError:
        raise PlayerError(who, f"answered {answer!r:.60}, which is not a move") from None
    except IllegalMoveError as error:
        raise PlayerError(who, f"played {move} as {position.to_move}, which is illegal: {error.reason}") from None
    return MoveChoice(move, score)


def close_player(player: Player) -> None:
    """End a player that can be ended; others stay as they are.

    Raises:
        PlayerError: the player failed at it.
    """
    if isinstance(player, _Closable):
        try:
            player.close()
        except (PlayerError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise PlayerError(type(player).__name__, f"raised {described(error)}, when it was closed") from error


def described(error: BaseException) -> str:
    """Return what a player raised, in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
