"""External engines: what is common to the clients of all protocols.

>>> from reversi import Position
>>> from reversi.protocols import open_engine
>>> with open_engine("gtp:gtp-rhino") as engine:  # doctest: +SKIP
...     engine.follow(Position(), ())
...     print(engine.name, engine.go(time_s=1).move)
GRhino f5
"""

from __future__ import annotations

import abc
import contextlib
import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Self

from reversi._core import Move, Position, as_move
from reversi._system.closing import ClosedAtEnd
from reversi.arguments import TEXT_TO_POSITION, check_count, check_seconds, check_type
from reversi.engine.engine import EngineCancelled
from reversi.engine.player import MoveChoice
from reversi.errors import IllegalMoveError, InputError, InvalidMoveError, PlayerError, ResignationError
from reversi.game.clocks import ClockReading
from reversi.protocols.process import EngineProcess, split_command
from reversi.score import Kind, MoveValue
from reversi.solver.solution import MoveScore

ANSWER_S: Final = 30.0
"""Seconds in which an engine must answer a command that does not think; starting takes longer than the rest."""
MOVE_S: Final = 600.0
"""Seconds in which an engine must move when neither a clock nor a time is given."""
GRACE_S: Final = 2.0
"""Seconds after the end of its time for which an engine's move is still awaited."""


_MOST_LINES: Final = 100_000
_NOISE_KEPT: Final = 5
_NOISE_SHOWN: Final = 160


@dataclass(slots=True)
class Noise:
    """Lines that an engine wrote and that belong to no answer, such as lines of its log. They are skipped.

    Attributes:
        count: the number of these lines since the engine was made.
        lines: the first of them.
    """

    count: int = 0
    lines: tuple[str, ...] = ()

    def add(self, line: str) -> None:
        """Count a line."""
        self.count += 1
        if len(self.lines) < _NOISE_KEPT:
            self.lines += (line.strip()[:_NOISE_SHOWN],)

    def __str__(self) -> str:
        if not self.count:
            return ""
        lines = f"{self.count} line{'' if self.count == 1 else 's'} outside its answers"
        return f"wrote {lines}, which {'is' if self.count == 1 else 'are'} skipped: {self.lines[0]}"


@dataclass(frozen=True, slots=True)
class Info:
    """What an engine says while it thinks.

    Attributes:
        pv: its line, as far as its moves can be played.
        score: the value of the line from the view of the player to move; ``None`` when it gives none.
        text: the line as the engine wrote it.
    """

    pv: tuple[Move, ...]
    score: MoveValue | None
    text: str


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one search.

    Attributes:
        clock: what the clock shows.
        time_s: the time of the move, instead of a clock.
        level: the level or depth.
    """

    clock: ClockReading | None
    time_s: float | None
    level: int | None


@dataclass(frozen=True, slots=True)
class Deadline:
    """When an engine must have answered.

    Attributes:
        at: that time, as `time.monotonic` has it.
        seconds: the seconds that the engine has until then.
    """

    at: float
    seconds: float

    @classmethod
    def after(cls, seconds: float) -> Self:
        return cls(time.monotonic() + seconds, seconds)

    @property
    def passed(self) -> bool:
        return time.monotonic() >= self.at


Listener = Callable[[Info], None]


class ExternalEngine(ClosedAtEnd):
    """An engine in another program, which runs with the rights of the user.

    The program starts at the first question. After a failure (`PlayerError`) it is ended, and the next question
    starts it again. An engine answers one question at a time; only `cancel` may be called from another thread.

    Args:
        command: the command line, split as a shell does; no shell is involved.
        name: the engine's name in messages; by default its command.
        answer_s: seconds in which it must answer a command.
        move_s: seconds in which it must move without a clock and without a time.

    Raises:
        InputError: the command is empty or badly quoted, or a number is out of range.
    """

    def __init__(
        self, command: str, *, name: str = "", answer_s: float = ANSWER_S, move_s: float = MOVE_S
    ) -> None:
        check_type("command", command, str)
        split_command(command)
        check_seconds("answer_s", answer_s)
        check_seconds("move_s", move_s)
        self.command: Final = command
        """The command line."""
        self.label: Final = name or command
        """The name in messages."""
        self.answer_s = answer_s
        self.move_s = move_s
        self._process: EngineProcess | None = None
        self._forget()
        self._own_name = ""
        self._start: Position | None = None
        self._moves: tuple[Move, ...] = ()
        self._position: Position | None = None
        self._options: dict[str, str] = {}
        self._thinking = False
        self._cancelled = False
        self._read = 0  # lines that the engine has written since its start or the latest question
        self.noise: Final = Noise()
        """What the program wrote beside its answers; a banner before its first answer does not count."""
        self.ended_badly: str = ""
        """Why the program had to be killed at its end, "" while it was not."""

    # --- for everyone

    @property
    def name(self) -> str:
        """The name that the engine gives itself; starts it."""
        self._running()
        return self._own_name

    @property
    def gives_scores(self) -> bool:
        """Whether `hint` gives moves with scores; `go` gives one without."""
        return True

    @property
    def position(self) -> Position | None:
        """The position on the engine's board, ``None`` before `follow`."""
        return self._position

    def set_option(self, name: str, value: str | float) -> None:
        """Set an option, now and whenever the engine starts.

        The options are those of the protocol: see the class of each.

        Raises:
            InputError: the engine does not have this option.
            PlayerError: the engine failed or refused the value.
        """
        process = self._running()
        self._option(process, name, str(value))
        self._options[name] = str(value)

    def follow(self, start: Position, moves: str | Iterable[Move | str] = ()) -> None:
        """Set the engine's board: a start position and the moves that were played, or their transcript.

        Raises:
            IllegalMoveError: a move is not legal.
            InvalidMoveError: a text is not a move.
            PlayerError: the engine failed, or cannot set up this position.
        """
        check_type("start", start, Position, advice=TEXT_TO_POSITION)
        played = start.parse_moves(moves) if isinstance(moves, str) else list(map(as_move, moves))
        position = start
        for move in played:
            position = position.play(move)
        self._check_rules(position)
        self._start, self._moves, self._position = start, tuple(played), position

    def choose(self, position: Position, clock: ClockReading | None = None) -> MoveChoice:
        """Return the engine's move; a player of `reversi.engine.Player`.

        Args:
            position: the position; unless `follow` has led to it, the engine must be able to set it up.
            clock: what its clock shows.

        Raises:
            EngineCancelled: another thread called `cancel`.
            ResignationError: the engine resigns, as GTP allows.
            PlayerError: the engine failed, did not answer in time, or answered with an illegal move.
        """
        if position != self._position:
            self.follow(position, ())
        return self.go(clock=clock)

    def go(
        self,
        *,
        clock: ClockReading | None = None,
        time_s: float | None = None,
        level: int | None = None,
        on_info: Listener | None = None,
    ) -> MoveChoice:
        """Return the engine's move in the position of `follow`. The engine's board stays as it is.

        Args:
            clock: what its clock shows.
            time_s: its time for this move, instead of a clock.
            level: its level or depth, where the engine has one.
            on_info: a function to call with what the engine says while it thinks.

        Raises:
            EngineCancelled: another thread called `cancel`.
            InputError: `follow` has not set a position yet, or the engine does not know this kind of limit.
            ResignationError: the engine resigns, as GTP allows.
            PlayerError: the engine failed, did not answer in time, or answered with an illegal move.
        """
        position = self._asked()
        if time_s is not None:
            check_seconds("time_s", time_s)
        if level is not None:
            check_count("level", level)
        allowed = self.move_s
        if clock is not None:
            allowed = clock.main_s + clock.increment_s + clock.byo_yomi_s * max(clock.periods, 0) + GRACE_S
        elif time_s is not None:
            allowed = time_s + max(time_s, GRACE_S)
        with self._question():
            process = self._running()
            self._sync(process)
            answer = self._go(process, Limits(clock, time_s, level), Deadline.after(allowed), on_info)
        return self._legal(position, *answer)

    def hint(
        self,
        position: Position,
        count: int = 3,
        *,
        time_s: float | None = None,
        on_info: Listener | None = None,
    ) -> list[MoveScore]:
        """Return the engine's best moves, best first, with the scores that it gives.

        Fewer moves come back than asked for when the engine names fewer.

        Args:
            position: any position that the engine can set up.
            count: how many moves to ask for.
            time_s: the time to think.
            on_info: a function to call with what the engine says while it thinks.

        Raises:
            EngineCancelled: another thread called `cancel`.
            InputError: the game is over.
            PlayerError: the engine failed, or named an illegal move.
        """
        check_count("count", count)
        if time_s is not None:
            check_seconds("time_s", time_s)
        if position != self._position:
            self.follow(position, ())
        self._asked()
        with self._question():
            process = self._running()
            self._sync(process)
            hints = self._hint(process, count, time_s, on_info)
        for each in hints:
            self._legal(position, str(each.move), None)
        return hints[:count]

    def cancel(self) -> None:
        """End the question that another thread has asked; its caller gets `EngineCancelled`."""
        if self._thinking:
            self._cancelled = True

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.label!r}>"

    @property
    def _is_open(self) -> bool:
        return self._process is not None

    def close(self) -> bool:
        """End the program; return false when it had to be killed. The next question starts it again."""
        process, self._process = self._process, None
        self._forget()
        if process is None:
            return True
        with contextlib.suppress(PlayerError):
            process.send("quit")
        by_itself = process.close()
        if not by_itself:
            self.ended_badly = "did not end when asked to; it was killed"
        return by_itself

    def cpu_s(self) -> float | None:
        """Return the seconds of CPU time of the running program; ``None`` where the system does not say."""
        return None if self._process is None else self._process.cpu_s()

    # --- for the protocols

    @abc.abstractmethod
    def _greet(self, process: EngineProcess) -> str: ...

    @abc.abstractmethod
    def _sync(self, process: EngineProcess) -> None: ...

    @abc.abstractmethod
    def _go(
        self, process: EngineProcess, limits: Limits, deadline: Deadline, on_info: Listener | None
    ) -> tuple[str, MoveValue | None]:
        """Ask for a move; return its text and score."""

    @abc.abstractmethod
    def _hint(
        self, process: EngineProcess, count: int, time_s: float | None, on_info: Listener | None
    ) -> list[MoveScore]: ...

    @abc.abstractmethod
    def _option(self, process: EngineProcess, name: str, value: str) -> None: ...

    @abc.abstractmethod
    def _check_rules(self, position: Position) -> None:
        """Refuse rules that the protocol does not have, by a PlayerError."""

    @abc.abstractmethod
    def _forget(self) -> None:
        """Forget what the program knew: another one is going to start."""

    def _asked(self) -> Position:
        if self._position is None:
            raise InputError("the engine has no position yet; call follow first")
        if self._position.is_over:
            raise InputError("the game is over; there are no moves to choose from")
        return self._position

    def _running(self) -> EngineProcess:
        if self._process is None:
            process = EngineProcess(self.command, self.label)
            self._forget()
            self._read = 0
            try:
                self._process = process
                self._own_name = self._greet(process) or self.label
                for name, value in self._options.items():
                    self._option(process, name, value)
            except BaseException:
                self._drop()
                raise
        return self._process

    def _drop(self) -> None:
        """End a program that failed."""
        process, self._process = self._process, None
        self._forget()
        if process is not None:
            process.close(0.0)

    @contextlib.contextmanager
    def _question(self) -> Iterator[None]:
        """While the engine thinks: a failure ends the program."""
        if self._thinking:
            raise InputError("the engine is thinking; it answers one question at a time")
        self._thinking, self._cancelled, self._read = True, False, 0
        try:
            yield
        except (InputError, ResignationError):
            raise
        except BaseException:
            self._drop()
            raise
        finally:
            self._thinking = False

    def _next(self, process: EngineProcess, deadline: Deadline, what: str) -> str:
        """Return the next line of the engine.

        Raises:
            EngineCancelled: another thread called `cancel`.
            PlayerError: none came in time.
        """
        while True:
            line = self._read_line(process, deadline) if self._thinking else process.read(deadline.at)
            if line is not None:
                self._read += 1
                if self._read > _MOST_LINES:
                    raise process.failure(f"floods its output: more than {_MOST_LINES:,} lines to one question")
                return line
            self._check_cancelled()
            self._check_deadline(process, deadline, what)

    @staticmethod
    def _read_line(process: EngineProcess, deadline: Deadline) -> str | None:
        """Return a line, or ``None`` after a moment, so that the caller sees a cancel in time."""
        return process.read(min(deadline.at, time.monotonic() + 0.1))

    def _check_cancelled(self) -> None:
        if self._cancelled:
            raise EngineCancelled("the engine was cancelled")

    @staticmethod
    def _check_deadline(process: EngineProcess, deadline: Deadline, what: str) -> None:
        if deadline.passed:
            raise process.failure(f"did not answer {what} within {deadline.seconds:.3g} s", late=True)

    def _legal(self, position: Position, text: str, score: MoveValue | None) -> MoveChoice:
        try:
            move = Move.parse(text)
            position.play(move)
        except InvalidMoveError:
            raise self._wrong(f"answered {text!r:.80}, which is not a move") from None
        except IllegalMoveError as error:
            other = position.with_to_move(position.to_move.opponent)
            whose = ""
            if not other.is_over and other.is_legal(move):
                whose = f" (it is a move of {other.to_move})"
            raise self._wrong(
                f"played {move} as {position.to_move}, which is illegal: {error.reason}{whose}"
            ) from None
        return MoveChoice(move, score)

    def _wrong(self, reason: str) -> PlayerError:
        process = self._process
        error = PlayerError(self.label, reason) if process is None else process.failure(reason)
        self._drop()
        return error

    def _line(self, text: str) -> tuple[Move, ...]:
        """Return the moves of a line without blanks, as far as they can be played."""
        position, line = self._position, []
        for token in _pairs(text):
            if position is None or position.is_over:
                break
            try:
                move = Move.parse(token)
                position = position.play(move)
            except (InvalidMoveError, IllegalMoveError):
                break
            line.append(move)
        return tuple(line)

    def _heuristic(self, value: float) -> MoveValue | None:
        """Return the engine's value of a line of the position; ``None`` for one that no game has."""
        position = self._position
        if position is None or not (math.isfinite(value) and abs(value) <= position.rules.board.cells):
            return None
        return MoveValue.stated(
            round(value), Kind.HEURISTIC, position.to_move, position.rules.board.cells, confidence=None
        )


def _pairs(text: str) -> Iterator[str]:
    for at in range(0, len(text) - 1, 2):
        yield text[at : at + 2]
