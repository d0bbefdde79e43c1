"""Engines in a session: their moves, and the hints they give."""

from __future__ import annotations

from dataclasses import replace

from reversi._core import Position
from reversi.color import Color
from reversi.engine.engine import Engine
from reversi.engine.player import Chosen, Player, close_player
from reversi.errors import GameError
from reversi.game.ply import Ply
from reversi.protocols.client import ExternalEngine
from reversi.session.core import SessionCore
from reversi.session.events import By, EngineNoise
from reversi.session.players import Thought
from reversi.solver.solution import MoveScore
from reversi.work.cancel import Cancel

__all__ = ["EngineTurns"]


class EngineTurns(SessionCore):
    """The part of a session that asks engines."""

    def play_engine(self) -> Ply | None:
        """Let the engine whose turn it is choose and play; return ``None`` if its flag fell meanwhile.

        Raises:
            GameError: it is not an engine's turn.
            EngineCancelled: somebody cancelled the search.
            PlayerError: another program does not start, failed, or answered with an illegal move.
        """
        thought = self.thought()
        thought.think()
        return self.play_thought(thought)

    def thought(self) -> Thought:
        """Return the question for the engine whose turn it is; any thread may answer it.

        Raises:
            GameError: it is not an engine's turn.
            PlayerError: another program does not start.
        """
        if not self.engine_to_move:
            raise GameError("it is not an engine's turn")
        color = self.game.to_move
        reading = None if self.clock is None else self.clock.reading(color)
        return Thought(
            self._player(color),
            self.game.position,
            reading,
            self._number,
            game=None if self.game.has_hand_flips else (self.game.start, self.game.moves),
            name=self.sides[color].name,
        )

    def play_thought(self, thought: Thought) -> Ply | None:
        """Play the answer to `thought`; return ``None`` if the game has changed or the flag has fallen.

        Raises:
            GameError: the engine has not answered yet.
        """
        if thought.choice is None:
            raise GameError("the engine has not answered yet")
        if thought.number != self._number or self.tick():
            return None
        ply = self._play(thought.choice.move, By.ENGINE, thought.choice)
        self._report_noise(thought.player)
        self._settle()
        return ply

    def _report_noise(self, player: Player) -> None:
        if isinstance(player, ExternalEngine) and player.noise.count and player not in self._noisy:
            self._noisy.add(player)
            self._report(EngineNoise(f"{player.label}: {player.noise}"))

    def go(self, level: int | None = None) -> Ply:
        """Let an engine play one move for whoever is to move.

        Args:
            level: its level; by default the engine whose turn it is plays. For a person the default is the level
                of the other side, or of the hints between people.

        Raises:
            GameError: the game is over, or a player is flipping discs.
        """
        self._no_flips_pending("let the engine move")
        self._next_choice()
        if level is None and self.engine_to_move:
            played = self.play_engine()
            if played is None:
                raise GameError(f"the game is over: {self.game.outcome}")
            return played
        if level is None:
            level = max(
                (side.level for side in self.sides.values() if side.level is not None), default=self.hint_level
            )
        choice = Engine(level, self.seed, book=self.book).choose(self.game.position)
        if self.tick():
            raise GameError(f"the game is over: {self.game.outcome}")
        ply = self._play(choice.move, By.ENGINE, Chosen(choice.move, choice.score))
        self._settle()
        return ply

    def hint(
        self, count: int = 3, position: Position | None = None, *, cancel: Cancel | None = None
    ) -> list[MoveScore]:
        """Return the best moves of the current position, best first, with their scores for the player to move.

        Args:
            count: the number of moves.
            position: a position to use instead of the current one.
            cancel: stops the search from another thread.

        Raises:
            EngineCancelled: ``cancel`` stopped the search.
            GameError: the game is over.
            InputError: ``count`` is below 1.
        """
        if self._adviser is None:
            self._adviser = Engine(self._hint_level, self.seed)
        self._adviser.book = self.book
        return self._adviser.hint(self.game.position if position is None else position, count, cancel=cancel)

    @property
    def hint_level(self) -> int:
        """The level that hints and `go` use."""
        return self._hint_level

    @hint_level.setter
    def hint_level(self, level: int) -> None:
        self._adviser = Engine(level, self.seed)
        self._hint_level = level

    def open_players(self) -> None:
        """Start the programs that play, so that their start is not on their clocks.

        Raises:
            PlayerError: one does not start.
        """
        for color, side in self.sides.items():
            if side.program:
                player = self._player(color)
                if isinstance(player, ExternalEngine):
                    _ = player.name

    def close_players(self) -> None:
        """End the programs that play; the next question starts them again."""
        players, self._players = self._players, {}
        for player in players.values():
            close_player(player)

    def _player(self, color: Color) -> Player:
        side = self.sides[color]
        if side.player is not None:
            return side.player
        # another program follows one game and one color; engines of this package are shared
        key = (replace(side, name=""), self.seed, color if side.program else None)
        if key not in self._players:
            self._players[key] = side.open(self.seed)
        player = self._players[key]
        if isinstance(player, Engine):
            player.book = self.book
        return player
