"""Questions as lines of JSON: each is answered once, as `--json` answers it, in the order of their priorities."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest

from children import Child
from command_line import ENVIRONMENT, run_command, run_process
from endings import random_ending
from patience import SOON_S
from reversi import Cancel, parse_rules
from reversi.engine.levels import LEVEL_CHOICES
from reversi.errors import TableSizeError
from reversi.openings import default_book
from reversi.protocols import JsonService, json_questions, json_service
from reversi.protocols.serving import MAX_LINE
from reversi.solver import Solver
from reversi.text.boards import format_board

SCHEMA: Final = json.loads((Path(__file__).parents[2] / "docs" / "service.schema.json").read_text("utf-8"))
ENDING: Final = format_board(random_ending(12, 1))
UNTURNED: Final = f"{'-' * 27}OX{'-' * 6}XO{'-' * 27}"
HARD: Final = {"ask": "solve"}
"""A question that nothing but a cancel ends."""
Fields = dict[str, Any]


def fits(kind: str, fields: object) -> bool:
    """Return whether JSON values are what the schema calls a ``question`` or an ``answer``."""
    if find_spec("jsonschema") is None:  # a first try of the tests has it not
        return True
    jsonschema: Any = import_module("jsonschema")
    schema = {"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]}
    return bool(jsonschema.Draft202012Validator(schema).is_valid(fields))


class Client:
    """Asks a service in this process: what it sends arrives, what the service says waits in a queue."""

    opened: ClassVar[list[Client]] = []

    def __init__(self, **settings: Any) -> None:
        self.opened.append(self)
        self.said: queue.Queue[str] = queue.Queue()
        self.read = 0
        self._lines: queue.Queue[bytes] = queue.Queue()
        self.service = JsonService(self.said.put, **{"concurrency": 1, "book": default_book(), **settings})
        self.thread = threading.Thread(target=self.service.serve, args=(self._next,))
        self.thread.start()

    def _next(self) -> bytes:
        line = self._lines.get()
        self.read += 1
        return line

    def send(self, *questions: Fields | str | bytes) -> None:
        for question in questions:
            line = question if isinstance(question, str | bytes) else json.dumps(question)
            self._lines.put((line.encode() if isinstance(line, str) else line) + b"\n")

    def answer(self) -> Fields:
        line = self.said.get(timeout=60)
        assert line.endswith("\n")
        assert line[:-1].isascii()
        assert line[:-1].isprintable()
        answer: Fields = json.loads(line)
        assert fits("answer", answer), line
        return answer

    def answers(self, count: int) -> list[Fields]:
        return [self.answer() for _ in range(count)]

    def end(self) -> list[Fields]:
        """End the input; return what is still said."""
        self._lines.put(b"")
        self.thread.join(60)
        assert not self.thread.is_alive()
        return self.answers(self.said.qsize())

    def wait_until_searching(self) -> None:
        self.send({"id": "busy", "ask": "info"})
        while self.answer()["running"] < 1:
            self.send({"id": "busy", "ask": "info"})


@pytest.fixture(autouse=True)
def _ended() -> Iterator[None]:
    """End the services of a test, one that fails, too."""
    yield
    for client in Client.opened:
        client.send({"id": "over", "ask": "cancel"})
        client._lines.put(b"")
    for client in Client.opened:
        client.thread.join(SOON_S)
    Client.opened.clear()


def asked(*questions: Fields | str | bytes, **settings: Any) -> list[Fields]:
    """Return the answers to questions, in the order of their arrival."""
    client = Client(**settings)
    client.send(*questions)
    return client.end()


def one(question: Fields) -> Fields:
    (answer,) = asked({"id": 1, **question})
    assert fits("question", {"id": 1, **question})
    return answer


# --- answers


def as_command(answer: Fields, *arguments: str) -> tuple[Fields, Fields]:
    """Return an answer and what a command says, both without what differs from run to run."""
    done = run_command(*arguments, "--json")
    said = json.loads(done.stdout)
    assert answer.pop("status") == "done"
    assert [answer.pop("id"), said.pop("index"), said.pop("line")] == [1, 1, 1]
    for fields in (answer, said):
        fields.pop("time_s", None)
    return answer, said


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, []),
        ({"all_moves": True}, ["--all-moves"]),
        ({"multi": 2}, ["--multi", "2"]),
        ({"wld": True}, ["--wld"]),
        ({"window": [-2, 2]}, ["--window", "-2..2"]),
        ({"nodes": 50}, ["--nodes", "50"]),
    ],
)
def test_solutions_are_those_of_the_command(fields: Fields, words: list[str]) -> None:
    answer = one({"ask": "solve", "position": ENDING, **fields})
    ours, theirs = as_command(answer, "solve", ENDING, "--threads", "1", *words)
    assert list(ours.items()) == list(theirs.items())


@pytest.mark.parametrize(
    ("position", "fields", "words"),
    [
        ("f5d6c3", {}, []),
        ("f5d6c3", {"level": 4, "count": 5}, ["--level", "4", "-n", "5"]),
        ("f5d6c3", {"level": "beginner-2"}, ["--level", "beginner-2"]),
        ("f5d6c3", {"nodes": 3000, "explain": True}, ["--nodes", "3000", "--explain"]),
        ("f5d6c3", {"nodes": 3000, "book": True}, ["--nodes", "3000", "--book", "standard"]),
        (ENDING, {"exact": True, "count": 64}, ["--exact", "-n", "64"]),
    ],
)
def test_hints_are_those_of_the_command(position: str, fields: Fields, words: list[str]) -> None:
    answer = one({"ask": "hint", "position": position, **fields})
    ours, theirs = as_command(answer, "hint", position, *words)
    assert list(ours.items()) == list(theirs.items())


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"position": "f5d6c3"}, ["f5d6c3"]),
        ({"moves": ["f5", "d6", "c3"]}, ["f5d6c3"]),
        ({"position": "f5", "moves": ["d6", "c3"]}, ["f5d6c3"]),
        ({"position": "X" * 63 + "-", "to_move": "O"}, ["X" * 63 + "-", "--to-move", "white"]),
        ({"rules": "adjacent,optional-skip", "moves": ["--"]}, []),
        ({"position": ENDING}, [ENDING]),
    ],
)
def test_positions_are_those_of_the_command(fields: Fields, words: list[str]) -> None:
    answer = one({"ask": "position", **fields})
    if words:
        ours, theirs = as_command(answer, "position", "show", *words)
        assert list(ours.items()) == list(theirs.items())
    else:
        assert (answer["after_pass"], answer["to_move"], answer["rules"]) == (True, "O", fields["rules"])


def test_a_finished_game() -> None:
    over = "X" * 64 + " X"
    assert one({"ask": "hint", "position": over})["moves"] == []
    solved = one({"ask": "solve", "position": over})
    assert (solved["score"], solved["kind"], solved["best"], solved["pv"]) == (64, "exact", [], [])
    assert one({"ask": "position", "position": over})["over"] is True


def test_the_rules_of_the_service() -> None:
    other = "othello,board=4x4"
    questions: list[Fields] = [{"id": 1, "ask": "position"}, {"id": 2, "ask": "position", "rules": other}]
    assert [answer["rules"] for answer in asked(*questions, rules=parse_rules("adjacent"))] == ["adjacent", other]


def test_what_the_service_is() -> None:
    (answer,) = asked({"id": 1, "ask": "info"}, concurrency=3, threads=2, queue=7)
    assert (answer["concurrency"], answer["threads"], answer["queue"]) == (3, 2, 7)
    assert (answer["waiting"], answer["running"], answer["line"]) == (0, 0, MAX_LINE)


# --- lines that are wrong


@pytest.mark.parametrize(
    ("line", "id_", "field", "message"),
    [
        ("nonsense", None, None, "the line is not JSON: Expecting value at column 1"),
        ('{"id": 1, "ask"', None, None, "the line is not JSON: Expecting ':' delimiter at column 16"),
        ("[" * 100_000, None, None, "the line is not JSON: maximum recursion depth exceeded"),
        ('{"id": 1, "nodes": NaN}', None, None, "the line is not JSON: NaN is not a number here"),
        (b'{"id": "\xff"}', None, None, "the line is not UTF-8 at byte 9"),
        ("[]", None, None, "a question is a JSON object: "),
        ("x" * (MAX_LINE + 1), None, None, "the line is longer than 262,144 bytes"),
        ({}, None, "id", "a question needs an id"),
        ({"id": True}, None, "id", "id must be a string of at most 200 characters or a whole number, not true"),
        ({"id": "x" * 201}, None, "id", "id must be a string of at most 200 characters or a whole number"),
        ({"id": 1.5}, None, "id", "id must be a string of at most 200 characters or a whole number, not 1.5"),
        ({"id": 1}, 1, "ask", 'ask must be solve, hint, position, cancel, info, not ""'),
        ({"id": "a", "ask": None}, "a", "ask", "ask must not be null; leave it out instead"),
        ({"id": 1, "ask": []}, 1, "ask", "ask must be a string, not []"),
        ({"id": 1, "ask": "hint", "levle": 3}, 1, "levle", 'hint has no field "levle", only id, ask, '),
        ({"id": 1, "ask": "info", "position": "f5"}, 1, "position", 'info has no field "position", only id, ask'),
        ({"id": 1, "ask": "cancel", "of": []}, 1, "of", "of must be a string of at most 200 characters or"),
        ({"id": 1, "ask": "hint", "rules": "chess"}, 1, "rules", ""),
        ({"id": 1, "ask": "hint", "position": "f5f5"}, 1, "position", "ply 2 (White): f5 is not allowed"),
        ({"id": 1, "ask": "hint", "position": "/etc/passwd"}, 1, "position", "'/etc/passwd' is neither a board"),
        ({"id": 1, "ask": "hint", "position": "f5\nf5d6"}, 1, "position", "more than one position; give one"),
        ({"id": 1, "ask": "hint", "position": 5}, 1, "position", "position must be a string, not 5"),
        ({"id": 1, "ask": "hint", "position": UNTURNED}, 1, "to_move", "the side to move is"),
        (
            {"id": 1, "ask": "hint", "to_move": "red"},
            1,
            "to_move",
            'to_move must be X or O (black or white), not "',
        ),
        ({"id": 1, "ask": "hint", "moves": ["f5", "a1"]}, 1, "moves", "move 2: a1 is not allowed in "),
        ({"id": 1, "ask": "hint", "moves": [5]}, 1, "moves", "moves must be a list of moves as strings"),
        ({"id": 1, "ask": "hint", "moves": "f5"}, 1, "moves", 'moves must be a list, not "f5"'),
        ({"id": 1, "ask": "hint", "level": 61}, 1, "level", "level must be 1 to 60, beginner-1 to"),
        (
            {"id": 1, "ask": "hint", "level": "don't"},
            1,
            "level",
            f'level must be {LEVEL_CHOICES}, not "don\'t"',
        ),
        ({"id": 1, "ask": "hint", "level": True}, 1, "level", "level must be a number or a name, not true"),
        ({"id": 1, "ask": "hint", "time_s": "1"}, 1, "time_s", 'time_s must be a number of seconds, not "1"'),
        ({"id": 1, "ask": "hint", "level": 3, "nodes": 9}, 1, "level", "level and nodes are different limits"),
        ({"id": 1, "ask": "hint", "level": 3, "exact": True}, 1, "level", "level and exact are different limits"),
        ({"id": 1, "ask": "hint", "count": 65}, 1, "count", "count must be a whole number, from 1 to 64, not 65"),
        ({"id": 1, "ask": "hint", "book": 1}, 1, "book", "book must be true or false, not 1"),
        ({"id": 1, "ask": "solve", "time_s": 0}, 1, "time_s", "time_s must be a number of seconds above 0, not 0"),
        ({"id": 1, "ask": "solve", "time_s": True}, 1, "time_s", "time_s must be a number of seconds, not true"),
        ({"id": 1, "ask": "solve", "nodes": 1.5}, 1, "nodes", "nodes must be a whole number, not 1.5"),
        ({"id": 1, "ask": "solve", "nodes": 0}, 1, "nodes", "nodes must be a whole number, from 1 to "),
        ({"id": 1, "ask": "solve", "priority": 1e7}, 1, "priority", "priority must be a whole number, not 10"),
        ({"id": 1, "ask": "solve", "priority": 10**7}, 1, "priority", "priority must be a whole number, from -"),
        ({"id": 1, "ask": "solve", "partial_s": -1}, 1, "partial_s", "partial_s must be a number of seconds, at"),
        (
            {"id": 1, "ask": "solve", "partial_s": False},
            1,
            "partial_s",
            "partial_s must be a number of seconds, not f",
        ),
        ({"id": 1, "ask": "solve", "window": [1]}, 1, "window", "window must be two whole numbers, not [1]"),
        (
            {"id": 1, "ask": "solve", "window": [True, 2]},
            1,
            "window",
            "window must be two whole numbers, not [true,",
        ),
        ({"id": 1, "ask": "solve", "window": [3, 1]}, 1, "window", "window must give the lower score first"),
        ({"id": 1, "ask": "solve", "multi": 0}, 1, "multi", "multi must be a whole number, at least 1, not 0"),
        ({"id": 1, "ask": "solve", "multi": 1, "wld": True}, 1, "multi", "multi and wld are different questions"),
    ],
    ids=lambda value: None if not isinstance(value, str | dict | bytes) else str(value)[:40],
)
def test_a_wrong_line(line: Fields | str | bytes, id_: object, field: str | None, message: str) -> None:
    client = Client()
    client.send(line, {"id": "next", "ask": "info"})
    wrong, following = client.end()
    assert (wrong["id"], wrong["status"], wrong["line"], wrong.get("field")) == (id_, "error", 1, field)
    assert wrong["error"].startswith(message)
    assert (following["id"], following["status"]) == ("next", "done")
    assert (client.service.lines, client.service.refused, client.service.failed) == (2, 1, 0)


def test_lines_that_are_right() -> None:
    question = b'{"id": 1, "ask": "position"}'
    assert [answer["status"] for answer in asked(b"", b"  \t", b"\xef\xbb\xbf" + question, question + b"\r")] == [
        "done",
        "done",
    ]
    (answer,) = asked({"id": "\x7f\x1b\u2028é♥\ud800", "ask": "info"})
    assert answer["id"] == "\x7f\x1b\u2028é♥\ud800"


def test_the_schema_is_one() -> None:
    pytest.importorskip("jsonschema")
    pytest.importorskip("jsonschema").Draft202012Validator.check_schema(SCHEMA)
    assert not fits("answer", {"id": 1, "status": "done", "board": "X"})


def test_the_fields_of_the_schema_are_those_that_are_read() -> None:
    for name, ask in {
        "solve": "solve",
        "hint": "hint",
        "show": "position",
        "cancel": "cancel",
        "info": "info",
    }.items():
        (answer,) = asked({"id": 1, "ask": ask, "": 0})
        known = answer["error"].partition("only ")[2].split(", ")
        assert sorted(known) == sorted(SCHEMA["$defs"][name]["properties"])
    assert SCHEMA["$defs"]["question"]["oneOf"] == [
        {"$ref": f"#/$defs/{name}"} for name in ("solve", "hint", "show", "cancel", "info")
    ]


VALUES: Final = [
    *(
        None,
        True,
        False,
        -1,
        0,
        1,
        2,
        64,
        65,
        10**6,
        10**6 + 1,
        2**63 - 1,
        2**63,
        0.5,
        -0.5,
        "",
        "f5",
        "X",
        "x" * 201,
    ),
    *([], ["f5"], [1], [-2, 2], [1, 2, 3], [0.5, 1], {}, {"id": 1}, "beginner-1", "beginner-8", "othello", 60, 61),
]


@pytest.mark.parametrize("ask", ["solve", "hint", "position", "cancel", "info"])
def test_the_schema_refuses_what_the_service_refuses(ask: str) -> None:
    pytest.importorskip("jsonschema")
    """Each field alone, with values of all types."""
    over = {} if ask in ("cancel", "info") else {"position": f"{'X' * 64} X"}
    for field in SCHEMA["$defs"][{"position": "show"}.get(ask, ask)]["properties"]:
        for value in VALUES:
            words = value if isinstance(value, list) else [value]
            if field in ("rules", "to_move", "position", "moves") and str in map(type, words):
                continue  # a schema does not know what texts mean
            question = {"id": 1, "ask": ask, **over, field: value}
            (answer,) = asked(question)
            assert fits("question", question) is (answer["status"] != "error"), (question, answer)


# --- many at once


def test_priorities() -> None:
    client = Client()
    client.send({"id": "first", **HARD})
    client.wait_until_searching()
    chance = random.Random(1)
    priorities = [chance.choice((-1_000_000, -1, 0, 0, 5, 1_000_000)) for _ in range(60)]
    for number, priority in enumerate(priorities):
        client.send({"id": number, "ask": "solve", "position": ENDING, "priority": priority})
    client.send({"id": "end", "ask": "cancel", "of": "first"})
    answers = client.end()
    assert [answer["id"] for answer in answers if answer["id"] in ("first", "end")] == ["end", "first"]
    order = [answer["id"] for answer in answers if answer["id"] not in ("first", "end")]
    assert order == sorted(range(60), key=lambda number: (-priorities[number], number))


def test_cancelling() -> None:
    client = Client()
    client.send({"id": "running", **HARD, "position": "f5d6"})
    client.wait_until_searching()
    client.send(
        {"id": "waiting", **HARD}, {"id": "hint", "ask": "hint", "level": 60}, {"id": 3, "ask": "position"}
    )
    client.send({"id": "running", "ask": "info"})
    assert [(answer["id"], answer["status"]) for answer in client.answers(2)] == [
        (3, "done"),
        ("running", "error"),
    ]
    client.send({"id": 4, "ask": "cancel", "of": "waiting"})
    assert client.answers(2) == [
        {"id": "waiting", "status": "cancelled"},
        {"id": 4, "status": "done", "cancelled": 1},
    ]
    client.send({"id": 5, "ask": "cancel", "of": "waiting"}, {"id": 6, "ask": "cancel", "of": 17})
    assert [answer["cancelled"] for answer in client.answers(2)] == [0, 0]
    client.send({"id": 7, "ask": "cancel", "of": "running"})
    client.send({"id": 8, "ask": "cancel", "of": "running"})
    answers = {answer["id"]: answer for answer in client.answers(3)}
    assert (answers[7]["cancelled"], answers[8]["cancelled"]) == (1, 0)
    stopped = answers["running"]
    assert (stopped["status"], stopped["empties"], stopped["lower"], stopped["upper"]) == (
        "cancelled",
        58,
        -64,
        64,
    )
    client.wait_until_searching()
    time.sleep(0.1)  # it finds something
    client.send({"id": 9, **HARD}, {"id": 10, "ask": "cancel"})
    answers = {answer["id"]: answer for answer in client.end()}
    assert answers[9] == {"id": 9, "status": "cancelled"}
    assert answers[10]["cancelled"] == 2
    assert answers["hint"]["status"] == "cancelled"
    assert answers["hint"]["moves"][0]["move"] in ("c4", "d3", "e6", "f5")


def test_an_id_is_free_again_after_its_answer() -> None:
    client = Client()
    for _ in range(3):
        client.send({"id": "same", "ask": "solve", "position": ENDING})
        assert client.answer()["status"] == "done"
    assert client.end() == []


@pytest.mark.parametrize("question", [HARD, {"ask": "hint", "level": 60}])
def test_partial_answers(question: Fields) -> None:
    client = Client()
    client.send({"id": 1, **question, "partial_s": 0})
    partial = client.answers(3)
    assert {answer["status"] for answer in partial} == {"partial"}
    assert sorted(times := [answer["time_s"] for answer in partial]) == times
    client.send({"id": 2, "ask": "cancel"})
    *_, cancelled, last = sorted(client.end(), key=lambda answer: (answer["id"], answer["status"] == "cancelled"))
    assert (last["id"], cancelled["status"]) == (2, "cancelled")


def test_no_partial_answer_comes_after_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search may end, and be noticed, while what it told before still waits to be written."""

    def find(_: Cancel, tell: Callable[[Fields], None] | None) -> Fields:
        if tell is not None:
            tell({"moves": []})
        return {"moves": []}

    def read(line: bytes, _: object) -> json_questions.Asked:
        return json_questions.Asked(int(line), "hint", find=find, partial_s=0)

    monkeypatch.setattr(json_service, "read_question", read)
    said: list[str] = []
    lines = iter([*(b"%d\n" % number for number in range(3000)), b""])
    JsonService(said.append, concurrency=4).serve(lambda: next(lines))
    open_ = set(range(3000))
    for answer in map(json.loads, said):
        assert answer["id"] in open_
        if answer["status"] == "done":
            open_.remove(answer["id"])
    assert not open_


def test_a_slow_reader_gets_fewer_partial_answers() -> None:
    reading = threading.Event()
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if "partial" in line:
            reading.wait(30)

    lines: queue.Queue[bytes] = queue.Queue()
    service = JsonService(say, concurrency=1)
    thread = threading.Thread(target=service.serve, args=(lines.get,))
    thread.start()
    lines.put(b'{"id": 1, "ask": "hint", "level": 60, "partial_s": 0}\n')
    while not said:
        time.sleep(0.01)
    time.sleep(0.5)
    assert len(service._events) <= 1
    lines.put(b'{"id": 2, "ask": "cancel"}\n')
    lines.put(b"")
    reading.set()
    thread.join(60)
    assert '"id":1,"status":"cancelled"' in said[-1]


def test_limits() -> None:
    by_nodes = one({"ask": "solve", "nodes": 1000})
    assert (by_nodes["status"], by_nodes["kind"], by_nodes["nodes"]) == ("done", "lower", 1000)
    by_time = one({"ask": "hint", "time_s": 0.05})
    assert 0.02 < by_time["time_s"] < 10
    assert by_time["moves"][0]["kind"] == "heuristic"


def test_a_full_queue_reads_no_further() -> None:
    client = Client(queue=3)
    client.send({"id": "first", **HARD})
    client.wait_until_searching()
    before = client.read
    client.send(*({"id": number, "ask": "solve", "position": ENDING} for number in range(20)))
    client.send({"id": "late", "ask": "info"})
    time.sleep(0.3)
    assert client.read == before + 3  # the third one waits for room
    assert client.said.empty()
    client.service._open["first"].job.cancel.cancel()  # type: ignore[union-attr]
    answers = [answer["id"] for answer in client.end()]
    assert sorted(answers, key=str) == sorted(["first", "late", *range(20)], key=str)


def test_the_end_of_the_input_waits_for_all_answers() -> None:
    questions = [{"id": number, "ask": "solve", "position": ENDING} for number in range(200)]
    assert sorted(answer["id"] for answer in asked(*questions, concurrency=4)) == list(range(200))


def test_a_machine_without_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Solver:
        raise TableSizeError("a hash of 16 MB does not fit")

    monkeypatch.setattr(json_questions, "Solver", fail)
    client = Client()
    client.send({"id": 1, "ask": "solve"}, {"id": 2, "ask": "position"})
    answers = {answer["id"]: answer for answer in client.end()}
    assert answers[1] == {"id": 1, "status": "error", "line": 1, "error": "a hash of 16 MB does not fit"}
    assert answers[2]["status"] == "done"
    assert (client.service.refused, client.service.failed) == (0, 1)


def test_a_reader_that_has_gone_ends_the_searches() -> None:
    gone = threading.Event()
    lines: queue.Queue[bytes] = queue.Queue()
    lines.put(b'{"id": 1, "ask": "solve"}\n')
    service = JsonService(print, concurrency=1, is_read=lambda: not gone.is_set())
    threading.Timer(0.3, gone.set).start()
    with pytest.raises(BrokenPipeError):
        service.serve(lines.get)
    assert not service._searchers.has_threads
    lines.put(b"")


def questions_for(seed: int, count: int) -> Iterator[tuple[Fields, bool]]:
    """Yield questions about endings, and whether to cancel them."""
    chance = random.Random(seed)
    boards = [format_board(random_ending(empties, seed)) for empties in range(4, 13) for seed in range(8)]
    for number in range(count):
        ask = chance.choice(("solve", "solve", "hint", "position"))
        question = {"id": number, "ask": ask, "position": chance.choice(boards)}
        if ask != "position":
            question["priority"] = chance.randrange(-3, 4)
        if ask == "hint":
            question["level"] = chance.randrange(1, 6)
        if ask == "solve" and chance.random() < 0.01:
            question["position"], question["nodes"], question["partial_s"] = "f5d6", 20_000, 0
        yield question, chance.random() < 0.4


def fuzzed(seed: int, count: int) -> Iterator[bytes]:
    """Yield lines of questions with bytes that are changed, left out or doubled; none is empty."""
    chance = random.Random(seed)
    for question, _ in questions_for(seed, count):
        line = bytearray(json.dumps(question).encode())
        for _ in range(chance.choice((0, 1, 1, 3))):
            at = chance.randrange(len(line))
            line[at : at + chance.choice((0, 1, 1, 9))] = chance.choice(
                (b"", b"\x00", b"\xff", b'"', b"{", b"9", b"[]")
            )
        yield bytes(line).replace(b"\n", b"").strip() or b"x"


@pytest.mark.parametrize(("count", "seed"), [(300, 1), pytest.param(5000, 2, marks=pytest.mark.slow)])
def test_fuzzed_lines(count: int, seed: int) -> None:
    lines = list(fuzzed(seed, count))
    client = Client(concurrency=2)
    client.send(*lines)
    last = [answer for answer in client.end() if answer["status"] != "partial"]
    assert len(last) == client.service.lines == count
    assert sum(answer["status"] == "error" for answer in last) == client.service.refused
    places = [answer["line"] for answer in last if answer["status"] == "error"]
    assert len(set(places)) == len(places)


# --- processes


def start(*arguments: str, **options: Any) -> Child[bytes]:
    return Child(
        [sys.executable, "-m", "reversi", "engine", "json", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        **options,
    )


def begun(*arguments: str) -> Child[bytes]:
    """Start a service that searches without end."""
    process = start(*arguments)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b'{"id": 1, "ask": "solve"}\n{"id": 2, "ask": "position"}\n')
    process.stdin.flush()
    assert process.stdout.readline().startswith(b'{"id":2,"status":"done"')
    return process


def test_the_command() -> None:
    lines = '{"id": 1, "ask": "solve", "rules": "othello,board=4x4"}\nnonsense\n'
    done = run_process("engine", "json", "--concurrency", "2", "--threads", "1", "--hash", "2", data=lines)
    assert done.returncode == 65
    assert done.stderr == "reversi: lines that are not questions: 1 of 2; their answers say why\n"
    wrong, right = map(json.loads, done.stdout.splitlines())
    assert (wrong["id"], wrong["line"], right["score"]) == (None, 2, -10)


@pytest.mark.parametrize(
    ("arguments", "data", "status", "message"),
    [
        ([], "", 0, ""),
        (["--rules", "adjacent"], '{"id": 1, "ask": "position"}', 0, ""),
        (["--rules", "chess"], "", 2, "reversi: .*chess.*"),
        (["--hash", "99999999"], "", 2, "reversi: .*does not fit: this process may use .*"),
        (["--queue", "0"], "", 2, ".*--queue.*"),
    ],
)
def test_the_end_of_the_command(arguments: list[str], data: str, status: int, message: str) -> None:
    done = run_command("engine", "json", *arguments, data=data)
    assert done.returncode == status
    assert re.fullmatch(message, done.stderr.strip(), re.DOTALL)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM for another process")
@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.thorough)])
def test_a_signal_ends_the_process(number: int) -> None:
    process = begun()
    process.send_signal(number)
    out, errors = process.communicate(timeout=60)
    assert (process.returncode, out, errors) == (130, b"", b"")


@pytest.mark.skipif(os.name == "nt", reason="Windows does not say that a pipe has no reader")
@pytest.mark.parametrize("closed", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_a_client_that_is_killed(closed: bool) -> None:
    """The searches end although there is nothing to write, whether or not the input ends, too."""
    process = begun()
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    if closed:
        process.stdin.close()
    assert process.wait(60) == 0
    assert process.stderr.read() == b""


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM for another process")
@pytest.mark.parametrize("protocol", ["json", "gtp"])
def test_a_reader_that_reads_no_more_does_not_hold_up_the_end(protocol: str) -> None:
    line = {"json": b'{"id": 1, "ask": "position"}\n', "gtp": b"showboard\n"}[protocol]
    process = Child(
        [sys.executable, "-m", "reversi", "engine", protocol],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.write(line)
    process.stdin.flush()
    process.stdout.readline()
    os.set_blocking(process.stdin.fileno(), False)
    stuck = 0
    while stuck < 20:  # until neither side can write
        try:
            os.write(process.stdin.fileno(), line * 1000)
            stuck = 0
        except BlockingIOError:
            stuck += 1
            time.sleep(0.02)
    process.terminate()
    assert process.wait(60) == 130
    assert process.stderr.read() == b""


def memory_kb(process: Child[bytes]) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text("ascii")
    return int(status.partition("VmRSS:")[2].split()[0])


def ask_many(process: Child[bytes], seed: int, count: int) -> dict[object, list[str]]:
    """Ask questions, cancel some, and return the statuses of the answers to each line."""
    assert process.stdin is not None
    assert process.stdout is not None
    stdin, found = process.stdin, dict[object, list[str]]()

    def send() -> None:
        chance = random.Random(seed)
        held: list[int] = []
        for question, cancelled in questions_for(seed, count):
            stdin.write(json.dumps(question).encode() + b"\n")
            if cancelled:
                held.append(question["id"])
            while len(held) > 20 or (held and question["id"] == count - 1):  # some are running, some have answers
                of = held.pop(chance.randrange(len(held)))
                stdin.write(b'{"id": "cancel %d", "ask": "cancel", "of": %d}\n' % (of, of))
        stdin.write(b'{"id": "end", "ask": "info"}\n')
        stdin.flush()

    sender = threading.Thread(target=send)
    sender.start()
    open_ = {question["id"] for question, _ in questions_for(seed, count)}
    open_ |= {f"cancel {question['id']}" for question, cancelled in questions_for(seed, count) if cancelled}
    open_.add("end")
    while open_:
        answer = json.loads(process.stdout.readline())
        found.setdefault(answer["id"], []).append(answer["status"])
        assert answer["id"] in open_  # nothing comes after the last answer
        if answer["status"] != "partial":
            open_.remove(answer["id"])
    sender.join(60)
    return found


@pytest.mark.thorough
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the memory of a process in /proc")
def test_ten_thousand_questions() -> None:
    """Each is answered once, many are cancelled, and neither they nor floods take more memory each time."""
    process = start("--concurrency", "2")
    assert process.stdin is not None
    assert process.stdout is not None
    sizes = []
    for _ in range(3):
        found = ask_many(process, 1, 10_000)
        last = [statuses[-1] for id_, statuses in found.items() if isinstance(id_, int)]
        assert len(last) == 10_000
        assert set(last) == {"done", "cancelled"}
        assert last.count("cancelled") > 1000
        sizes.append(memory_kb(process))
    assert sizes[2] < sizes[0] * 1.1, sizes
    # a flood of what is no question, and of a line without an end
    flood = threading.Thread(target=lambda: process.stdin.write(b"x" * 100_000_000 + b"\n" + b"x\n" * 200_000))  # type: ignore[union-attr]
    flood.start()
    for _ in range(200_001):
        answer = json.loads(process.stdout.readline())
        assert answer["status"] == "error"
        assert answer["id"] is None
    assert memory_kb(process) < sizes[0] * 1.2
    flood.join()
    process.stdin.close()
    assert process.wait(60) == 65


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="Windows does not say that a pipe has no reader")
def test_many_clients_that_are_killed() -> None:
    """A client is killed at any moment; its service ends by itself."""
    chance = random.Random(1)
    client = (
        "import json, subprocess, sys\n"
        "service = subprocess.Popen([sys.executable, '-m', 'reversi', 'engine', 'json'],"
        " stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)\n"
        "print(service.pid, flush=True)\n"
        "for number in range(10**9):\n"
        "    ask = 'hint' if number % 3 else 'solve'\n"
        "    service.stdin.write(json.dumps({'id': number, 'ask': ask}).encode() + b'\\n')\n"
        "    service.stdin.flush()\n"
    )
    for _ in range(8):
        process = Child([sys.executable, "-c", client], stdout=subprocess.PIPE, env=ENVIRONMENT)
        assert process.stdout is not None
        service = int(process.stdout.readline())
        time.sleep(chance.random())
        process.kill()
        process.wait(60)
        give_up = time.monotonic() + 60
        with contextlib.suppress(ProcessLookupError):
            while time.monotonic() < give_up:
                os.kill(service, 0)
                time.sleep(0.05)
            pytest.fail("the service outlives its client")
