"""The conformance of the NBoard server: every command, every refusal, and silence about unknown lines."""

from __future__ import annotations

import re

import pytest

from command_line import run_process
from protocol_driver import FUZZ, NO_THREADS, Dialogue, fuzzed_lines
from reversi import Cancel, ClockReading, Color, Kind, MoveValue, parse_rules
from reversi.openings import default_book
from reversi.protocols import EngineSettings, NBoardServer, Thinker
from reversi.protocols.nboard import depth_text
from reversi.protocols.serving import MAX_LINE, Search

START = "8 ---------------------------O*------*O--------------------------- *"
GAME = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a]PW[b]RE[?]TI[{time}]TY[8]BO[" + START + "]"
    "B[F5//10]W[F6//2.5]B[D3//1];)"
)
LINE = re.compile(
    r"set myname \w+|status( [^\x00-\x1f\x7f]+)?|pong -?\d+|learned|nodestats \d+ \d+\.\d\d|"
    r"=== (PA|[A-H][1-8]/[+-]\d+\.\d\d/\d+\.\d\d)|analysis \d+ [+-]\d+\.\d\d|"
    r"search (PA|[A-H][1-8])(pa|PA|[A-Ha-h][1-8])* [+-]\d+\.\d\d 0 \d+(@\d+%|%|%W)?",
    re.ASCII,
)


@pytest.fixture
def nboard() -> Dialogue:
    return Dialogue(NBoardServer)


def test_a_time_that_the_user_gave_counts_instead_of_a_depth() -> None:
    thinker = Thinker(EngineSettings(time_s=2))
    said: list[str] = []
    NBoardServer(thinker, said.append).receive("set depth 6")
    assert (thinker.settings, said) == (EngineSettings(time_s=2), ["set myname reversi6\n"])


def test_the_session_of_the_protocol_page(nboard: Dialogue) -> None:
    assert nboard("nboard 2") == "set myname reversi\n"
    assert nboard(f"set game {GAME.format(time='15:00')}") == ""
    assert nboard("set depth 6") == "set myname reversi6\n"
    assert nboard.engine.settings == EngineSettings(depth=6)
    assert nboard("ping 1") == "pong 1\n"
    assert nboard("go") == (
        "status Thinking\nsearch G5h5 +4.00 0 12\nnodestats 1000 0.50\n=== G5/+4.00/0.00\nstatus\n"
    )
    assert nboard.moves == "f5f6d3"  # the engine does not apply its move
    assert nboard("move G5/+4.00/1.5") == ""
    assert nboard.moves == "f5f6d3g5"
    assert nboard("learn") == "learned\n"
    assert nboard("quit") == ""
    assert nboard.server.finished


@pytest.mark.parametrize("line", ["", "   ", "hello", "set", "set color red", "Go", "settle", "\x00", "f55", "É"])
def test_unknown_lines_are_ignored(nboard: Dialogue, line: str) -> None:
    assert nboard(line) == ""
    assert nboard.moves == ""


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("nboard 3", "the protocol has versions 1 and 2, not '3'"),
        ("nboard", "the protocol has versions 1 and 2, not ''"),
        ("ping", "ping needs a whole number, not ''"),
        ("ping one", "ping needs a whole number, not 'one'"),
        ("set depth", "depth must be between 1 and 60, not ''"),
        ("set depth 0", "depth must be between 1 and 60, not '0'"),
        ("set depth 61", "depth must be between 1 and 60, not '61'"),
        ("set contempt 101", "contempt must be between -100 and 100, not '101'"),
        ("hint 0", "hint needs a number of moves from 1, not '0'"),
        ("hint x", "hint needs a number of moves from 1, not 'x'"),
        ("move", "'' is not a move"),
        ("move i9", "'i9' is not a move"),
        ("move a1", "Black cannot play a1"),
        ("move PA", "Black cannot"),
        ("set game", "cannot read the game: "),
        ("set game (;GM[Othello]BO[8 x];)", "cannot read the game: "),
        ("set game (;GM[Othello]" + f"BO[{START}]B[a1];)", "cannot read the game: "),
        ("set game (;GM[Go]BO[19];)", "cannot read the game: "),
    ],
)
def test_refusals_change_nothing(nboard: Dialogue, line: str, status: str) -> None:
    answer = nboard(line)
    assert LINE.fullmatch(answer.removesuffix("\n"))
    if not status.startswith("Black cannot"):
        assert answer.startswith(f"status {status}")
    assert nboard.moves == ""
    assert nboard.engine.settings == EngineSettings()


def test_moves(nboard: Dialogue) -> None:
    for line in ("move F5", "d6", "move c3/+1.2", "move D3//0.5", "C4"):
        assert nboard(line) == ""
    assert nboard.moves == "f5d6c3d3c4"


def test_hints(nboard: Dialogue) -> None:
    nboard.engine.kinds = [Kind.SELECTIVE]
    assert nboard("hint 2") == (
        "status Analyzing\n"
        "search E6f4 +4.00 0 12@87%\nsearch F5f4 +4.00 0 12@87%\nnodestats 500 0.25\n"  # while it searches
        "status\n"
    )
    assert nboard("hint").count("search ") == 1


def test_values_of_the_book() -> None:
    said: list[str] = []
    server = NBoardServer(Thinker(EngineSettings(level=8, book=default_book())), said.append)
    server.receive("move F5")
    server.receive("hint 2")
    assert re.fullmatch(r"book (D6|F6)([a-h][1-8])+ [+-]\d+\.00 0 \d+\n", said[1], re.IGNORECASE)
    server.receive("go")
    assert any(line.startswith("book ") for line in said[-4:])
    assert said[-2].startswith("=== ")


def test_kinds_of_values(nboard: Dialogue) -> None:
    def score(kind: Kind, confidence: int | None = 100) -> MoveValue:
        return MoveValue(2, kind, -64, 64, Color.BLACK, depth=22, confidence=confidence)

    assert depth_text(score(Kind.EXACT)) == "100%"
    assert depth_text(score(Kind.WLD)) == "100%W"
    assert depth_text(score(Kind.SELECTIVE, 87)) == "22@87%"
    assert depth_text(score(Kind.HEURISTIC, None)) == "22"


def test_a_forced_pass(nboard: Dialogue) -> None:
    nboard("set game (;GM[Othello]BO[4 **O- **OO O*OO **** O];)")
    game = nboard.server.game
    assert game.must_pass
    assert nboard("go") == "=== PA\n"
    assert nboard("hint 1").splitlines()[1].startswith("search PA")
    assert nboard("move d1").startswith("status ")
    assert nboard("move PA") == ""
    assert nboard("analyze").count("analysis ") == 2


def test_the_end_of_a_game(nboard: Dialogue) -> None:
    nboard("set game (;GM[Othello]BO[4 **** **** **** **** O];)")
    assert nboard("go") == nboard("hint 1") == "status the game is over\n"
    assert nboard("move PA").startswith("status ")
    assert nboard("analyze") == "status Analyzing the game\nanalysis 0 -16.00\nstatus\n"


def test_analysis_of_a_game(nboard: Dialogue) -> None:
    nboard(f"set game {GAME.format(time='15:00')}")
    answer = nboard("analyze").splitlines()
    assert answer[0] == "status Analyzing the game"
    assert answer[1:-1] == [f"analysis {ply} +4.00" for ply in (3, 2, 1, 0)]
    assert answer[-1] == "status"


def test_clocks(nboard: Dialogue) -> None:
    nboard("go")
    nboard(f"set game {GAME.format(time='15:00//02:00')}")
    nboard("go")
    nboard("move G5//7")
    nboard("go")
    nboard(f"set game {GAME.format(time='01:00/5')}")
    nboard("go")
    assert nboard.engine.clocks == [
        None,
        ClockReading(897.5, 0),
        ClockReading(889, 0),
        ClockReading(62.5, 5),
    ]


def test_boards_and_rules() -> None:
    nboard = Dialogue(NBoardServer, rules=parse_rules("othello,optional-skip"))
    nboard("set game (;GM[Othello]TY[6a]BO[6 --------------O*----*O-------------- *];)")
    assert str(nboard.server.game.rules) == "othello,optional-skip,board=6x6,misere"


def test_which_lines_stop_a_search() -> None:
    server = NBoardServer(Thinker(), print)
    for line in ("go", "hint 3", "analyze"):
        assert server.search_of(line) is Search.OPEN
    for line in ("ping 3", "learn", "set game x", "quit", "go", "f5", "move f5"):
        assert server.stops(line, Search.OPEN)
    for line in ("", "hello", "pings"):
        assert not server.stops(line, Search.OPEN)


def test_a_stopped_search_answers() -> None:
    said: list[str] = []
    server = NBoardServer(Thinker(EngineSettings(level=60)), said.append)
    cancel = Cancel()
    cancel.cancel()
    for line in ("go", "hint 3", "analyze"):
        server.receive(line, cancel)
        assert said[-1] == "status\n"
    assert sum(line.startswith("===") for line in said) == 1


def test_a_machine_without_memory(nboard: Dialogue) -> None:
    nboard.search_fails()
    assert nboard("go").splitlines()[1:] == ["status", f"status {NO_THREADS}"]


def test_a_long_line(nboard: Dialogue) -> None:
    assert (
        nboard("set game " + "x" * MAX_LINE) == f"status the line is too long: more than {MAX_LINE} characters\n"
    )


WORDS = [
    "nboard 2",
    "set",
    "set depth",
    "set contempt",
    "set game",
    "move",
    "hint",
    "go",
    "ping",
    "learn",
    "analyze",
]
WORDS += [f"set game {GAME.format(time='5:00')}", "(;GM[Othello]", "BO[8", ";)", f"BO[{START}]", "B[f5/1/2]"]


@FUZZ
def test_fuzzed_lines(count: int, seed: int) -> None:
    nboard = Dialogue(NBoardServer)
    for line in fuzzed_lines(count, seed, WORDS):
        answer = nboard(line)
        assert all(LINE.fullmatch(said) for said in answer.splitlines()), (line, answer)
        if re.fullmatch(r"\s*ping [+-]?[0-9]{1,9}\s*", line):
            assert answer.startswith("pong ")
        assert line.split()[:1] != ["go"] or "===" in answer or "game is over" in answer


def test_a_process() -> None:
    done = run_process(
        "engine", "nboard", "--level", "3", data="nboard 2\r\n\r\nnonsense\nmove F5\ngo\nping 1\nquit\nping 2\n"
    ).ends(0, err="")
    lines = done.stdout.splitlines()
    assert lines[0] == "set myname reversi"
    assert any(re.fullmatch(r"=== [A-H][1-8]/[+-]\d+\.00/\d+\.\d\d", line) for line in lines)
    assert lines[-1] == "pong 1"
