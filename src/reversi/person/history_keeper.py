"""Which games of a session join the personal history, and what the end of one means for the person.

A game joins the history when it begins at the start of the rules or with an opening; the rest of a game that
was loaded, set up or tried again does not, nor does one that ends on time before the person has made a move. A
game counts for a level, and moves the adaptive one, only under the rules of `othello`, at one level from its first
move to its last, and without wrong flips.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from dataclasses import replace

from reversi._core import Position
from reversi.color import Color
from reversi.errors import InputError, ReversiError
from reversi.game.ply import Termination
from reversi.person.auto_level import AUTO_RUNGS, Standing, rating_of
from reversi.person.history import History
from reversi.person.played_game import PlayedGame
from reversi.rules import OTHELLO
from reversi.session.events import Ended, Restarted, SessionEvent
from reversi.session.players import level_text
from reversi.session.saving import RecordKeeper
from reversi.session.session import Session


class HistoryKeeper:
    """Adds the finished games of a session to the history, and sets the adaptive level.

    It listens to the session from the moment it is made.

    Args:
        history: the history; ``None`` keeps nothing, and the adaptive level adapts within the session only.

    Attributes:
        latest: the game that was added last, ``None`` before one is.
        failure: why the last game could not be kept, "" if it was.
    """

    def __init__(
        self,
        session: Session,
        history: History | None,
        now: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC),
    ) -> None:
        self.latest: PlayedGame | None = None
        self.failure: str = ""
        self.history = history
        self._session = session
        self._now = now
        self._own: dict[str, Standing] = {}  # without a history
        self._number = -1  # of the game that `latest` is
        session.listeners.append(self.hear)
        if not session.has_begun:  # a resumed game goes on at its level
            self.adapt()

    def adapt(self) -> None:
        """Set the adaptive level of the engines that have one; it is one that plays the rules."""
        session = self._session
        for color, side in session.sides.items():
            if side.adaptive:
                level = self.standing(session.sides[color.opponent].name).level_under(session.rules)
                if level != side.level:
                    session.set_side(color, replace(side, level=level))

    @property
    def is_first(self) -> bool:
        """Whether a person begins a first game here: the history is on and empty."""
        person = any(not side.is_engine for side in self._session.sides.values())
        fresh = self._session.is_untouched and not len(self._session.game)
        return person and fresh and self.history is not None and self.history.on and not self.history.games

    def standing(self, player: str) -> Standing:
        """Return where a person stands on the adaptive level."""
        if self.history is not None and self.history.on:
            return self.history.standing(player)
        return self._own.get(player, Standing())

    @property
    def rating(self) -> int | None:
        """The rating of people who play about as well as the person; ``None`` where nobody knows it."""
        return rating_in(self._session, self.history)

    def hear(self, event: SessionEvent) -> None:
        """Take an event of the session."""
        if isinstance(event, Restarted):
            self.adapt()
        elif isinstance(event, Ended):
            self._end()

    def _end(self) -> None:
        from reversi.records.record import format_record

        session = self._session
        people = [color for color in Color if not session.sides[color].is_engine]
        begun = session.state.from_start and session.game.start == Position(session.rules)
        if len(people) != 1 or not begun or session.outcome is None:
            return
        color, winner = people[0], session.outcome.winner
        moved = any(ply.color is color for ply in session.game[session.state.opening_plies :])
        if session.outcome.termination is Termination.TIME_FORFEIT and not moved:
            return
        person, other = session.sides[color], session.sides[color.opponent]
        result = "drawn" if winner is None else "won" if winner is color else "lost"
        why = self._counts_for_no_level()
        level = None if other.time_s or other.nodes or why else other.level
        opponent = str(replace(other, adaptive=False)).removeprefix("engine ") + (f" ({why})" if why else "")
        record = format_record(session.record())
        before = self.latest if self._number == session.games else _read_back(session.state.in_history)
        game = PlayedGame(
            self._now().replace(microsecond=0),
            person.name,
            color,
            opponent,
            level,
            result,
            bool(session.state.help_used),
            record,
            session.state.opening_plies,
        )
        if before is not None and before == replace(game, at=before.at):  # only looked at again after its end
            game = before
        self.failure = ""
        if self.history is not None and self.history.on:
            try:
                self.history.add(game, adaptive=other.adaptive and not why, instead_of=before)
                session.keep_in_history(json.dumps(game.to_json(), ensure_ascii=False))
            except (OSError, InputError) as error:
                self.failure = f"the game is not in your history: {error}"
        elif other.adaptive and not why and before is None:
            self._own[person.name] = self._own.get(person.name, Standing()).after(result)
        self.latest, self._number = game, session.games

    def _counts_for_no_level(self) -> str:
        """Return why the game counts for no level, "" if it does."""
        session = self._session
        if not session.rules.same_play(OTHELLO):
            return str(session.rules)
        if not session.state.steady:
            return "the players changed"
        wrong = any(ply.hand_flips not in (None, ply.before.flips(ply.move)) for ply in session.game)
        return "wrong flips" if wrong else ""

    def sentences(self) -> list[str]:
        """Return where the finished game was kept, and what its end means for the person; perhaps nothing."""
        game, session = self.latest, self._session
        said = [
            text
            for keeper in session.keepers
            if isinstance(keeper, RecordKeeper) and (text := keeper.sentence(session))
        ]
        if game is None or self._number != session.games:
            return said
        if game.result == "won" and game.level is not None:
            first = self.history is not None and not self.history.beaten(game.player, game.level, before=game)
            how = " with help" if game.helped else " for the first time" if first else ""
            said.append(f"You beat {game.opponent}{how}.")
        side = self._session.sides[game.color.opponent]
        if side.level is not None and (why := self._counts_for_no_level()):
            said.append(f"This game counts for no level: {why}.")
        if side.adaptive and game.level is not None:
            following = self.standing(game.player).level
            move = AUTO_RUNGS.index(following) - AUTO_RUNGS.index(game.level) if game.level in AUTO_RUNGS else 0
            way = "harder" if move > 0 else "easier" if move < 0 else "the same"
            said.append(f"The next game is {way}: {level_text(following)}.")
        if self.failure:
            said.append(f"{self.failure[0].upper()}{self.failure[1:]}.")
        return said


def rating_in(session: Session, history: History | None) -> int | None:
    """Return the rating of people who play about as well as the person of a session.

    It is that of the person's place on the adaptive level, else that of the opponent's level. ``None`` where there
    is neither, and under other rules than those of the standard game.

    Args:
        session: the session.
        history: the person's history, ``None`` for none.
    """
    if not session.rules.same_play(OTHELLO):
        return None
    names = {side.name for side in session.sides.values() if not side.is_engine}
    standings = [] if history is None else [history.standing(name) for name in names if name in history.players]
    levels = [standing.level for standing in standings if standing != Standing()]
    levels = levels or [side.level for side in session.sides.values() if side.level is not None]
    return rating_of(levels[0]) if names and levels else None


def _read_back(text: str) -> PlayedGame | None:
    """Return the game that `GameState.in_history` keeps, ``None`` where there is none or it is damaged."""
    try:
        return PlayedGame.from_json(json.loads(text))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, ReversiError):
        return None
