"""The personal history: the games that people play here against an engine, in one local file.

It never leaves the machine. Where a person stands on the adaptive level is kept there too.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from reversi._core import Move, Position
from reversi._system.state_files import StateFile, read_state
from reversi.arguments import excerpt
from reversi.engine.levels import LADDER, strongest
from reversi.errors import InputError
from reversi.person.auto_level import Standing, rung_at
from reversi.person.played_game import Losses, PlayedGame

if TYPE_CHECKING:
    from reversi.analysis.store import AnalysisStore

ANALYSES: Final = "analyses.txt"
"""The name of the file beside the history that keeps what analyses of its games have found."""
_KEY: Final = "reversi history"


def own_deck(state: Path) -> Path:
    """Return the deck of a state folder that collects the exercises made without a file."""
    return state / "training" / "exercises.json"


@dataclass(slots=True)
class _State:
    on: bool = True
    games: list[PlayedGame] = field(default_factory=list)
    standings: dict[str, Standing] = field(default_factory=dict)

    def standing(self, player: str) -> Standing:
        """Where a person stands on the adaptive level: before a first game on it at the best rung beaten."""
        beaten = [game.level for game in self.games if game.player == player and game.won_alone]
        most = strongest((level for level in beaten if level is not None), LADDER[0])
        return self.standings.get(player) or Standing(rung_at(most))


class History:
    """The history of the people who play here, in a file.

    Args:
        path: the file; the first game creates it, and its folder.

    Raises:
        InputError: the file is damaged, or a later version wrote it.
        OSError: the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = StateFile(path, new=_State, parse=_parsed, text=_text)
        self.read()

    @property
    def on(self) -> bool:
        """Whether finished games join the history."""
        return self._state.on

    @property
    def games(self) -> tuple[PlayedGame, ...]:
        """The games, the earliest first."""
        return tuple(self._state.games)

    def store(self) -> AnalysisStore | None:
        """Return what keeps the analyses of these games; ``None`` while the history is off."""
        from reversi.analysis.store import AnalysisStore  # imported late: a game begins without it

        return AnalysisStore(self.path.with_name(ANALYSES)) if self.on else None

    def find(self, start: Position, moves: tuple[Move, ...]) -> PlayedGame | None:
        """Return the latest game with this start and these moves; ``None`` where there is none."""
        games = reversed(self._state.games)
        return next((game for game in games if _start_and_moves(game.record) == (start, moves)), None)

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the people, in the order of their first games."""
        return tuple(dict.fromkeys(game.player for game in self._state.games))

    def standing(self, player: str) -> Standing:
        """Return where a person stands on the adaptive level."""
        return self._state.standing(player)

    def read(self) -> None:
        """Read the file; a missing one is empty."""
        self._state = self._file.read()

    def add(self, game: PlayedGame, *, adaptive: bool = False, instead_of: PlayedGame | None = None) -> None:
        """Add a finished game, and write the file.

        Args:
            adaptive: whether the opponent played at the adaptive level, which the result moves.
            instead_of: the same game as it ended before, when moves were taken back after its end.

        Raises:
            InputError: the file was damaged meanwhile; it stays as it is.
            OSError: the file cannot be read or written.
        """

        def change(state: _State) -> None:
            if not state.on or game in state.games:
                return
            again = instead_of is not None and instead_of in state.games
            if again and instead_of is not None:
                state.games.remove(instead_of)
            state.games.append(game)
            if adaptive and not again:
                state.standings[game.player] = state.standing(game.player).after(game.result)

        self._change(change)

    def keep_losses(self, game: PlayedGame, losses: Losses) -> PlayedGame:
        """Keep what the analysis of a game found; return the game with it."""
        known = replace(game, losses=losses)

        def change(state: _State) -> None:
            state.games[:] = [known if each == game else each for each in state.games]

        self._change(change)
        return known

    def switch(self, *, on: bool) -> None:
        """Let finished games join the history from now on, or not; what it has stays."""

        def change(state: _State) -> None:
            state.on = on

        self._change(change)

    def _change(self, change: Callable[[_State], object]) -> None:
        self._state = self._file.change(change)

    def beaten(self, player: str, level: int | str, *, before: PlayedGame | None = None) -> bool:
        """Return whether a person has won against a level without help, in a game other than ``before``."""
        return any(
            game.player == player and game.level == level and game.won_alone
            for game in self._state.games
            if game != before
        )


@functools.lru_cache(maxsize=1 << 14)
def _start_and_moves(record: str) -> tuple[Position, tuple[Move, ...]]:
    from reversi.records.formats.pgn.reader import parse_record

    game = parse_record(record)
    return game.start, game.moves


def _text(state: _State) -> str:
    games = ",\n".join(json.dumps(game.to_json(), ensure_ascii=False) for game in state.games)
    standings = {name: [standing.level, standing.row] for name, standing in state.standings.items()}
    head = f'"{_KEY}": 1, "on": {json.dumps(state.on)}, "auto": {json.dumps(standings, ensure_ascii=False)}'
    return f'{{{head}, "games": [\n{games}\n]}}\n'


def _parsed(data: bytes) -> _State:
    remedy = "move the file away, or delete it with 'reversi history delete'"
    return read_state(data, _KEY, _state, what="a history of games", remedy=remedy)


def _state(fields: dict[str, Any]) -> _State:
    standings = {str(name): _standing(*values) for name, values in fields["auto"].items()}
    return _State(bool(fields["on"]), [PlayedGame.from_json(game) for game in fields["games"]], standings)


def _standing(level: int | str, row: int) -> Standing:
    if level not in LADDER:
        raise InputError(f"{excerpt(level)} is not a level of the ladder")
    return Standing(rung_at(level), int(row))
