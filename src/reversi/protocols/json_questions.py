"""The questions of ``reversi engine json``: a line is read, checked, and becomes what finds its answer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from reversi._core import Position
from reversi._system.plain_json import loads
from reversi.arguments import MAX_NODES, check_count, check_seconds, check_time_s, excerpt, is_number
from reversi.engine.engine import EngineCancelled
from reversi.engine.hints import hint_engine, hint_fields
from reversi.errors import ArgumentError, InputError, MoveError, SideToMoveError
from reversi.inputs.input import parse_position
from reversi.openings.book import Books
from reversi.protocols.serving import MAX_LINE, one_line
from reversi.rules import Rules, parse_rules
from reversi.solver.costs import estimated_nodes, useful_hash_mb
from reversi.solver.question import Question
from reversi.solver.results import solution_fields
from reversi.solver.solution import MoveScore, SolveProgress
from reversi.solver.solver import Solver
from reversi.solver.table import DEFAULT_HASH_MB
from reversi.text.cells import read_turn
from reversi.text.position_json import position_summary
from reversi.work.cancel import Cancel

Fields: TypeAlias = dict[str, object]
Id: TypeAlias = str | int
Find: TypeAlias = Callable[[Cancel, Callable[[Fields], None] | None], Fields]
"""Searches until it is done or cancelled, and tells what it has found so far if it shall; returns the answer."""

_LONGEST_ID: Final = 200
_PRIORITIES: Final = 1_000_000
_SHOWN: Final = 40  # characters of a wrong value
_SECONDS: Final = (int, float)
_LEVEL: Final = (int, str)
_KINDS: Final[dict[type | tuple[type, ...], str]] = {
    str: "a string",
    bool: "true or false",
    list: "a list",
    int: "a whole number",
    _SECONDS: "a number of seconds",
    _LEVEL: "a number or a name",
}


class RefusedLine(Exception):  # noqa: N818 - what happened to a line
    """A line that is no question.

    Attributes:
        field: the field that is wrong; empty for the whole line.
        id: that of the line; ``None`` where it cannot be read.
    """

    def __init__(self, message: str, field: str = "", id_: Id | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.id = id_


class Defaults(NamedTuple):
    """What holds for all questions: rules where they name none, threads and table of a search, the book."""

    rules: Rules
    threads: int
    hash_mb: int | None
    book: Books | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A line that was read: it has its answer, or asks for a search, a cancel (of all, for ``None``) or more."""

    id: Id
    ask: str
    answer: Fields | None = None
    find: Find | None = None
    of: Id | None = None
    priority: int = 0
    partial_s: float | None = None  #: between partial answers, if it wants any


def read_question(line: bytes, defaults: Defaults) -> Asked:
    """Read a line.

    Raises:
        RefusedLine: it is no question.
    """
    if len(line) > MAX_LINE:
        raise RefusedLine(f"the line is longer than {MAX_LINE:,} bytes")
    try:
        fields = loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RefusedLine(f"the line is not UTF-8 at byte {error.start + 1}") from None
    except json.JSONDecodeError as error:
        raise RefusedLine(f"the line is not JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise RefusedLine(f"the line is not JSON: {one_line(error)}") from None
    if not isinstance(fields, dict):
        raise RefusedLine('a question is a JSON object: {"id": 1, "ask": "hint", "position": "f5d6"}')
    given = _Given(fields, defaults)
    id_ = given.id("id")
    if id_ is None:
        raise RefusedLine("a question needs an id", "id")
    try:
        ask = given.take("ask", str, "")
        if ask not in _ASKS:
            raise RefusedLine(f"ask must be {', '.join(_ASKS)}, not {_shown(ask)}", "ask")
        more = _ASKS[ask](given)
        if left := fields.keys() - given.known:
            known = ", ".join(given.known)
            raise RefusedLine(f"{ask} has no field {_shown(min(left))}, only {known}", min(left))
        return Asked(id_, ask, **more)
    except RefusedLine as error:
        raise RefusedLine(str(error), error.field, id_) from None
    except (InputError, ArgumentError) as error:
        # the library's messages about an argument begin with its name, the field's, and end with its value
        message = str(error)
        name = message.partition(" ")[0]
        if name not in fields:
            raise RefusedLine(message, id_=id_) from None
        if message.endswith(value := f"not {excerpt(fields[name])}"):
            message = f"{message.removesuffix(value)}not {_shown(fields[name])}"
        raise RefusedLine(message, name, id_) from None


class _Given:
    """The fields of a line; `known` are those that were asked for."""

    def __init__(self, fields: dict[str, Any], defaults: Defaults) -> None:
        self.defaults = defaults
        self.known: dict[str, None] = {}
        self._fields = fields

    def take(self, name: str, kind: type | tuple[type, ...] = (), default: Any = None) -> Any:
        """Return the value of a field, which may have to have a type, or one of several."""
        self.known[name] = None
        value = self._fields.get(name, default)
        if value is None and name in self._fields:
            raise RefusedLine(f"{name} must not be null; leave it out instead", name)
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if kinds and value is not None and type(value) not in kinds:
            raise RefusedLine(f"{name} must be {_KINDS[kind]}, not {_shown(value)}", name)
        return value

    def id(self, name: str) -> Id | None:
        """Return the id in a field; ``None`` where there is no such field."""
        value: Id | None = self.take(name)
        if value is None or is_number(value) or (isinstance(value, str) and len(value) <= _LONGEST_ID):
            return value
        wrong = f"{name} must be a string of at most {_LONGEST_ID} characters or a whole number"
        raise RefusedLine(f"{wrong}, not {_shown(value)}", name)


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _position(given: _Given) -> Position:
    """Return the position that ``position``, ``moves``, ``rules`` and ``to_move`` make; without any, the start."""
    names = given.take("rules", str)
    side = given.take("to_move", str)
    text = given.take("position", str)
    moves = given.take("moves", list, [])
    if not all(isinstance(move, str) for move in moves):
        raise RefusedLine('moves must be a list of moves as strings: ["f5", "--"]', "moves")
    try:
        rules = given.defaults.rules if names is None else parse_rules(names)
    except InputError as error:
        raise RefusedLine(str(error), "rules") from None
    turn = None if side is None else read_turn(side)
    if side is not None and turn is None:
        raise RefusedLine(f"to_move must be X or O (black or white), not {_shown(side)}", "to_move")
    try:
        position = Position(rules) if text is None else parse_position(text, rules, turn and turn.to_move)
    except SideToMoveError:
        wrong = "the side to move is neither given nor provable; give to_move, or X or O after the board"
        raise RefusedLine(wrong, "to_move") from None
    except InputError as error:
        raise RefusedLine(str(error), "position") from None
    for number, move in enumerate(moves, 1):
        try:
            position = position.play(move)
        except MoveError as error:
            raise RefusedLine(f"move {number}: {error}", "moves") from None
    return position


def _search(given: _Given, find: Find) -> dict[str, Any]:
    priority, partial_s = given.take("priority", int, 0), given.take("partial_s", _SECONDS)
    check_count("priority", priority, _PRIORITIES, least=-_PRIORITIES)
    if partial_s is not None:
        check_seconds("partial_s", partial_s)
    return {"find": find, "priority": priority, "partial_s": partial_s}


def _solve(given: _Given) -> dict[str, Any]:
    position, (_, threads, hash_mb, _) = _position(given), given.defaults
    time_s, nodes = given.take("time_s", _SECONDS), given.take("nodes", int)
    if time_s is not None:
        check_time_s(time_s)
    if nodes is not None:
        check_count("nodes", nodes, MAX_NODES)
    window = given.take("window", list)
    if window is not None and (len(window) != 2 or not all(map(is_number, window))):
        raise RefusedLine(f"window must be two whole numbers, not {_shown(window)}", "window")
    question = Question(
        given.take("all_moves", bool, False),
        given.take("multi", int),
        given.take("wld", bool, False),
        None if window is None else tuple(window),
    )

    def find(cancel: Cancel, tell: Callable[[Fields], None] | None) -> Fields:
        def progress(found: SolveProgress) -> None:
            best = [] if found.best is None else [str(found.best)]
            proved: Fields = {"lower": found.lower, "upper": found.upper, "best": best, "nodes": found.nodes}
            if tell is not None:
                tell({**proved, "time_s": round(found.time_s, 6)})

        # a table of its own: what was asked before changes neither the line nor the nodes
        useful_mb = useful_hash_mb(estimated_nodes(position, question))
        solution = Solver(min(useful_mb, hash_mb or DEFAULT_HASH_MB), threads).ask(
            position,
            question,
            time_s=time_s,
            nodes=nodes,
            cancel=cancel,
            progress=None if tell is None else progress,
        )
        return solution_fields(solution, question, threads=threads)

    return _search(given, find)


def _hint(given: _Given) -> dict[str, Any]:
    position, (_, threads, hash_mb, book) = _position(given), given.defaults
    count, explained = given.take("count", int, 3), given.take("explain", bool, False)
    check_count("count", count, 64)
    own = {"level": given.take("level", _LEVEL), "time_s": given.take("time_s", _SECONDS)}
    own |= {"nodes": given.take("nodes", int)}
    own |= {"exact": given.take("exact", bool, False), "books_first": given.take("book", bool)}
    if own["books_first"] and book is None:
        raise RefusedLine("this service has no opening book", "book")
    if own["exact"] and own["level"] is not None:
        raise RefusedLine("level and exact are different limits; give one of them", "level")
    engine = hint_engine(**own, book=book, threads=threads, hash_mb=hash_mb)

    def find(cancel: Cancel, tell: Callable[[Fields], None] | None) -> Fields:
        began = time.perf_counter()

        def found(moves: Sequence[MoveScore], *, remarks: bool = False) -> Fields:
            return hint_fields(position, moves, time.perf_counter() - began, explained=remarks)

        if position.is_over:
            return found(())
        progress = None if tell is None else lambda estimate: tell(found(estimate.moves))
        try:
            return found(engine.hint(position, count, cancel=cancel, progress=progress), remarks=explained)
        except EngineCancelled as stopped:
            return found(stopped.found.moves if stopped.found else (), remarks=explained)

    return _search(given, find)


_ASKS: Final[dict[str, Callable[[_Given], dict[str, Any]]]] = {
    "solve": _solve,
    "hint": _hint,
    "position": lambda given: {"answer": position_summary(_position(given))},
    "cancel": lambda given: {"of": given.id("of")},
    "info": lambda given: {},
}
"""What reads the fields of each question, and returns those of `Asked`."""
