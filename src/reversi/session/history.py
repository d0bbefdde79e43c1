"""The personal history: the games that people play here against an engine, in one local file.

`HistoryKeeper` listens to a session and adds each finished game of one person against an engine. `History` is the
file; it never leaves the machine. The adaptive level (``auto``) is kept there too: after a win the next game is
one rung harder, after a loss one easier, from the third in a row on two rungs.

A game joins the history when it begins at the start of the rules or with an opening; the rest of a game that
was loaded, set up or tried again does not, nor does one that ends on time before the person has made a move. A
game counts for a level, and moves the adaptive one, only under the rules of `othello`, at one level from its first
move to its last, and without wrong flips.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from reversi._core import Position
from reversi._system.state_files import StateFile, read_state
from reversi.arguments import check_type
from reversi.color import Color
from reversi.engine.levels import BEGINNER_LEVELS, LADDER, level_for
from reversi.errors import InputError, ReversiError
from reversi.game.ply import Termination
from reversi.openings.book import default_book
from reversi.rules import OTHELLO
from reversi.session.events import Ended, Restarted, SessionEvent
from reversi.session.session import Session
from reversi.text.counting import counted
from reversi.work.cancel import Cancel

AUTO_RUNGS: Final[tuple[int | str, ...]] = (*BEGINNER_LEVELS, 3, 4, 5, 6, 7, 10, 13, 16, 20, 25, 30)
"""The levels that the adaptive level uses, the easiest first."""
_IN_A_ROW: Final = 3
"""Wins or losses in a row from which on a game leads two rungs on."""
_LEVEL: Final = 10
"""The level of the analyses: a game takes about a second."""
_KEY: Final = "reversi history"
PHASES: Final = ("opening", "middle", "ending")
"""The phases of a game, as `reversi.analysis.summary.Phase` has them."""
_RESULTS: Final = ("won", "drawn", "lost")


@dataclass(frozen=True, slots=True)
class Losses:
    """What a player lost in a game, by phase.

    Attributes:
        turns: the turns with a choice.
        discs: the discs that they lost.
        mistakes: the inaccuracies, mistakes and blunders.
    """

    turns: dict[str, int]
    discs: dict[str, int]
    mistakes: dict[str, int]

    @classmethod
    def sum(cls, several: Iterable[Losses]) -> Losses:
        """Return the sum of several games."""
        total = cls(dict.fromkeys(PHASES, 0), dict.fromkeys(PHASES, 0), dict.fromkeys(PHASES, 0))
        for losses in several:
            for phase in PHASES:
                total.turns[phase] += losses.turns[phase]
                total.discs[phase] += losses.discs[phase]
                total.mistakes[phase] += losses.mistakes[phase]
        return total

    @property
    def mean(self) -> float | None:
        """The discs lost per turn, ``None`` without a turn."""
        turns = sum(self.turns.values())
        return sum(self.discs.values()) / turns if turns else None


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of the history.

    Attributes:
        at: when it ended.
        player: the person's name, "" without one.
        color: the person's color.
        opponent: who played the other color, in words: `level 3`, `beginner-1`, `2 s`, or a program.
        level: the opponent's level; ``None`` for another opponent, and where the game counts for no level.
        result: ``won``, ``drawn`` or ``lost``, for the person.
        helped: whether the person took back moves, or used hints, analyses or the explorer.
        record: the game, as a record.
        opening_plies: the plies at its beginning that an opening gave, which nobody here chose.
        losses: what the person lost, ``None`` before the game is analyzed.
    """

    at: datetime.datetime
    player: str
    color: Color
    opponent: str
    level: int | str | None
    result: str
    helped: bool
    record: str
    opening_plies: int = 0
    losses: Losses | None = field(default=None, compare=False)

    @property
    def won_alone(self) -> bool:
        """Whether the person won without help."""
        return self.result == "won" and not self.helped

    def to_json(self) -> dict[str, Any]:
        """Return the game as a JSON object."""
        losses = self.losses
        return {
            "at": self.at.astimezone(datetime.UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            "player": self.player,
            "color": str(self.color).lower(),
            "opponent": self.opponent,
            "level": self.level,
            "result": self.result,
            "helped": self.helped,
            "record": self.record,
            "opening_plies": self.opening_plies,
            "losses": None
            if losses is None
            else {phase: [losses.turns[phase], losses.discs[phase], losses.mistakes[phase]] for phase in PHASES},
        }


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a person stands on the adaptive level.

    Attributes:
        level: the level of the next game.
        row: wins in a row up to now, or losses as a number below zero.
    """

    level: int | str = AUTO_RUNGS[0]
    row: int = 0

    def after(self, result: str) -> Standing:
        """Return the standing after a game."""
        if result == "drawn":
            return replace(self, row=0)
        row = max(self.row, 0) + 1 if result == "won" else min(self.row, 0) - 1
        steps = 2 if abs(row) >= _IN_A_ROW else 1
        at = AUTO_RUNGS.index(self.level) + (steps if row > 0 else -steps)
        return Standing(AUTO_RUNGS[min(max(at, 0), len(AUTO_RUNGS) - 1)], row)


@dataclass(slots=True)
class _State:
    on: bool = True
    games: list[PlayedGame] = field(default_factory=list)
    standings: dict[str, Standing] = field(default_factory=dict)

    def standing(self, player: str) -> Standing:
        """Where a person stands on the adaptive level: before a first game on it at the best rung beaten."""
        beaten = [game.level for game in self.games if game.player == player and game.won_alone]
        most = max((LADDER.index(level) for level in beaten if level is not None), default=0)
        reached = [rung for rung in AUTO_RUNGS if LADDER.index(rung) <= most]
        return self.standings.get(player) or Standing(reached[-1])


class History:
    """The history of the people who play here, in a file.

    Args:
        path: the file; the first game creates it, and its folder.

    Raises:
        InputError: the file is damaged, or a later version wrote it.
        OSError: the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        check_type("path", path, Path)
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
            game: the game.
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


class HistoryKeeper:
    """Adds the finished games of a session to the history, and sets the adaptive level.

    It listens to the session from the moment it is made.

    Args:
        session: the session.
        history: the history; ``None`` keeps nothing, and the adaptive level adapts within the session only.
        now: the present time.

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
        self.failure = ""
        self.history = history
        self._session = session
        self._now = now
        self._own: dict[str, Standing] = {}  # without a history
        self._number = -1  # of the game that `latest` is
        session.listeners.append(self.hear)
        if not session.has_begun:  # a resumed game goes on at its level
            self.adapt()

    def adapt(self) -> None:
        """Set the adaptive level of the engines that have one."""
        session = self._session
        for color, side in session.sides.items():
            if side.adaptive:
                level = self.standing(session.sides[color.opponent].name).level
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
        begun = session.whole and session.game.start == Position(session.rules)
        if len(people) != 1 or not begun or session.outcome is None:
            return
        color, winner = people[0], session.outcome.winner
        moved = any(ply.color is color for ply in session.game[session.opening_plies :])
        if session.outcome.termination is Termination.TIME_FORFEIT and not moved:
            return
        person, other = session.sides[color], session.sides[color.opponent]
        result = "drawn" if winner is None else "won" if winner is color else "lost"
        why = self._counts_for_no_level()
        level = other.level if other.time_s is None and not why else None
        opponent = str(replace(other, adaptive=False)).removeprefix("engine ") + (f" ({why})" if why else "")
        record = format_record(session.record())
        before = self.latest if self._number == session.games else _read_back(session.joined)
        game = PlayedGame(
            self._now().replace(microsecond=0),
            person.name,
            color,
            opponent,
            level,
            result,
            session.helped,
            record,
            session.opening_plies,
        )
        if before is not None and before == replace(game, at=before.at):  # only looked at again after its end
            game = before
        self.failure = ""
        if self.history is not None and self.history.on:
            try:
                self.history.add(game, adaptive=other.adaptive and not why, instead_of=before)
                session.joined = json.dumps(game.to_json(), ensure_ascii=False)
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
        if not session.steady:
            return "the players changed"
        wrong = any(ply.hand_flips not in (None, ply.before.flips(ply.move)) for ply in session.game)
        return "wrong flips" if wrong else ""

    def sentences(self) -> list[str]:
        """Return what the end of the latest game means, for the person; empty before one has ended."""
        game = self.latest
        if game is None or self._number != self._session.games:
            return []
        said = []
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
            said.append(f"The next game is {way}: {_named(following)}.")
        if self.failure:
            said.append(f"{self.failure[0].upper()}{self.failure[1:]}.")
        return said


def losses_of(game: PlayedGame, cancel: Cancel | None = None) -> Losses | None:
    """Analyze a game; return what the person lost, ``None`` where ``cancel`` stopped it.

    Good moves of the opening book are no mistakes, and the moves of an opening that was given do not count.
    """
    from reversi.analysis.analyzer import Analyzer  # imported late: a game begins without them
    from reversi.analysis.summary import phase_of
    from reversi.records.formats.pgn.reader import parse_record

    record = parse_record(game.record)
    if not record.line.nodes:
        return Losses.sum(())
    analysis = Analyzer(level=_LEVEL, book=default_book()).analyze(record, cancel=cancel)
    if not analysis.complete:
        return None
    losses = Losses.sum(())
    cells = record.start.rules.board.cells
    for turn in analysis.turns:
        if turn.mover is game.color and not turn.forced and turn.ply > game.opening_plies:
            phase = phase_of(turn.position.empties, cells).value
            losses.turns[phase] += 1
            losses.discs[phase] += turn.loss
            losses.mistakes[phase] += turn.judgement is not None and turn.judgement.is_error
    return losses


def history_lines(history: History, player: str, *, analyzing: bool = False) -> list[str]:
    """Return what the history says of one person: results by level, losses, mistakes by phase, the best win.

    Args:
        history: the history.
        player: the person.
        analyzing: whether the games without an analysis get one now.
    """
    games = [game for game in history.games if game.player == player]
    if not games:
        return ["No games yet."]
    lines = [f"{counted(len(games), 'game')} against engines"]
    order = {level: at for at, level in enumerate(LADDER)}
    opponents = dict.fromkeys(
        (game.level, game.opponent)
        for game in sorted(games, key=lambda game: order.get(game.level or 0, len(order)))
    )
    width = max(len(opponent) for _, opponent in opponents)
    for level, opponent in opponents:
        met = [game for game in games if (game.level, game.opponent) == (level, opponent)]
        counts = [sum(game.result == result for game in met) for result in _RESULTS]
        helped = sum(game.helped and game.result == "won" for game in met)
        text = ", ".join(f"{count} {result}" for count, result in zip(counts, _RESULTS, strict=True) if count)
        losses = Losses.sum(game.losses for game in met if game.losses is not None).mean
        mean = "" if losses is None else f"; {losses:.1f} discs lost a move"
        lines.append(f"  {opponent:<{width}}  {text}{f' ({helped} with help)' if helped else ''}{mean}")
    known = [game.losses for game in games if game.losses is not None]
    if known:
        total = Losses.sum(known)
        if total.mean is not None:
            lines.append(f"Mean loss: {total.mean:.1f} discs a move")
        by_phase = ", ".join(f"{phase} {total.mistakes[phase]}" for phase in PHASES)
        lines.append(f"Mistakes: {by_phase}")
    if len(known) < len(games):
        left = counted(len(games) - len(known), "game")
        lines.append(f"Analyzing {left} ..." if analyzing else f"{left} not analyzed yet")
    if beaten := [game.level for game in games if game.won_alone and game.level is not None]:
        lines.append(f"You beat {_named(max(beaten, key=LADDER.index))}.")
    lines.append(f"The next game on auto: {_named(history.standing(player).level)}.")
    return lines


def _named(level: int | str) -> str:
    return f"level {level}" if isinstance(level, int) else level


def _text(state: _State) -> str:
    games = ",\n".join(json.dumps(game.to_json(), ensure_ascii=False) for game in state.games)
    standings = {name: [standing.level, standing.row] for name, standing in state.standings.items()}
    head = f'"{_KEY}": 1, "on": {json.dumps(state.on)}, "auto": {json.dumps(standings, ensure_ascii=False)}'
    return f'{{{head}, "games": [\n{games}\n]}}\n'


def _parsed(data: bytes) -> _State:
    try:
        return read_state(data, _KEY, _state, what="a history of games")
    except InputError as error:
        raise InputError(f"{error}; move the file away, or delete it with 'reversi history delete'") from None


def _state(fields: dict[str, Any]) -> _State:
    standings = {str(name): _standing(*values) for name, values in fields["auto"].items()}
    return _State(bool(fields["on"]), [_game(game) for game in fields["games"]], standings)


def _read_back(text: str) -> PlayedGame | None:
    """Return the game that `Session.joined` keeps, ``None`` where there is none or it is damaged."""
    try:
        return _game(json.loads(text))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, ReversiError):
        return None


def _standing(level: int | str, row: int) -> Standing:
    if level not in AUTO_RUNGS:
        raise ValueError(f"no level of the ladder: {level!r}")
    return Standing(level, int(row))


def _game(fields: dict[str, Any]) -> PlayedGame:
    at = datetime.datetime.fromisoformat(fields["at"])
    if at.tzinfo is None or fields["result"] not in _RESULTS or not isinstance(fields["record"], str):
        raise ValueError(f"no game: {fields['at']}, {fields['result']}")
    if fields["level"] is not None:
        level_for(fields["level"])
    losses = fields["losses"]
    return PlayedGame(
        at,
        str(fields["player"]),
        Color.BLACK if fields["color"] == "black" else Color.WHITE,
        str(fields["opponent"]),
        fields["level"],
        fields["result"],
        bool(fields["helped"]),
        str(fields["record"]),
        int(fields["opening_plies"]),
        None
        if losses is None
        else Losses(*({phase: int(losses[phase][at]) for phase in PHASES} for at in range(3))),
    )
