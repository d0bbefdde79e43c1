"""The conformance of the XBoard server: every command, every error, results, and analysis."""

from __future__ import annotations

import re

import pytest

from command_line import run_process
from protocol_driver import FUZZ, NO_THREADS, Dialogue, fuzzed_lines
from reversi import Cancel, ClockReading, Position, parse_rules
from reversi.errors import BoardError
from reversi.protocols import EngineSettings, Thinker, XBoardServer
from reversi.protocols.serving import MAX_LINE, Search
from reversi.text.fen import parse_fen

START = "8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1"
LINE = re.compile(
    r"feature .*|pong -?\d+|move (P@[a-h][1-8]|@@@@)|Illegal move \([^()]+\): [^\x00-\x1f]*|"
    r"Error \([^()]*(\([^()]*\)[^()]*)?\): [^\x00-\x1f]*|tell(user|usererror) [^\x00-\x1f]+|"
    r"Hint: (P@[a-h][1-8]|@@@@)|"
    r"(1-0|0-1) \{(Black|White) wins \d+-\d+\}|1/2-1/2 \{Draw \d+-\d+\}|stat01: \d+ \d+ \d+ 0 1|"
    r"\d+ -?\d+ \d+ \d+( P@[a-h][1-8]| @@@@)+"
)


@pytest.fixture
def xboard() -> Dialogue:
    return Dialogue(XBoardServer)


def test_a_session(xboard: Dialogue) -> None:
    assert xboard("xboard") == ""
    answer = xboard("protover 2")
    assert answer.startswith("feature ")
    assert 'variants="reversi"' in answer
    assert answer.endswith("done=1\n")
    for silent in (
        "accepted ping",
        "rejected colors",
        "new",
        "variant reversi",
        "random",
        "hard",
        "easy",
        "computer",
    ):
        assert xboard(silent) == ""
    for silent in (
        "name someone",
        "rating 1500 1500",
        "ics -",
        "bk",
        "draw",
        "nopost",
        "otim 30000",
        "time 30000",
    ):
        assert xboard(silent) == ""
    assert xboard("usermove P@f5") == "move P@f6\n"  # after new the engine has the second player
    assert xboard("f4") == "Illegal move (the square is occupied): f4\n" or xboard.moves
    assert xboard("ping 7") == "pong 7\n"
    assert xboard("quit") == ""
    assert xboard.server.finished


def test_who_moves(xboard: Dialogue) -> None:
    xboard("new")
    assert xboard("go") == "move P@e6\n"
    assert xboard.moves == "e6"
    assert xboard("force") == ""
    assert xboard("usermove f4") == ""
    assert xboard("playother") == ""  # the engine has the player who does not move now
    assert xboard("usermove P@e3").startswith("move P@")
    assert len(xboard.moves) == 8
    assert xboard("undo") == ""
    assert len(xboard.moves) == 6
    assert xboard("remove") == ""
    assert xboard.moves == "e6"
    assert xboard("result 1-0 {resigns}") == ""
    assert xboard("?") == ""
    assert xboard("hint") == "Hint: P@f6\n"


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("nonsense", "Error (unknown command): nonsense"),
        ("white", "Error (unknown command): white"),
        ("f5 f6", "Error (unknown command): f5 f6"),
        ("variant atomic", "Error (unsupported variant): variant atomic"),
        ("undo", "Error (no move to take back): undo"),
        ("remove", "Error (no move to take back): remove"),
        ("ping", "Error (ping needs a number): ping"),
        ("ping x", "Error (ping needs a number): ping x"),
        ("level 0 5", "Error (level takes three arguments): level 0 5"),
        ("level 0 x 0", "Error (level needs minutes, or minutes and seconds as in 2:30): level 0 x 0"),
        ("level -1 5 0", "Error (whole number from 0 to 1000 expected): level -1 5 0"),
        ("st 0", "Error (number from 0.001 to 360000 expected): st 0"),
        ("st nan", "Error (number from 0.001 to 360000 expected): st nan"),
        ("sd 99", "Error (whole number from 1 to 60 expected): sd 99"),
        ("sd 1.5", "Error (whole number from 1 to 60 expected): sd 1.5"),
        ("time x", "Error (number from"),
        ("otim", "Error (number from"),
        ("memory -1", "Error (whole number from 0 to"),
        ("cores 0", "Error (whole number from 1 to 1024 expected): cores 0"),
        ("usermove", "Illegal move (not a move): "),
        ("usermove e2e4", "Illegal move (not a move): e2e4"),
        ("usermove P@a1", "Illegal move (flips nothing): P@a1"),
        ("P@a1", "Illegal move (flips nothing): P@a1"),
        ("usermove @@@@", "Illegal move (a pass is not allowed while there is a placement): @@@@"),
        ("setboard", "tellusererror Illegal position: "),
        ("setboard 8/8/8/3pP3/3Pp3/8/8/8", "tellusererror Illegal position: "),
        ("setboard 8/8/8/8 b", "tellusererror Illegal position: a board in FEN has 8 ranks, not 4"),
        ("setboard 8/8/8/3pPK2/3Pp3/8/8/8 b", "tellusererror Illegal position: rank 5 has 'K'"),
        ("setboard 8/8/8/3pP4/3Pp3/8/8/8 b", "tellusererror Illegal position: rank 5 has 9 squares, not 8"),
        ("setboard 8/8/8/3pP3/3Pp3/8/8/8 x", "tellusererror Illegal position: "),
    ],
)
def test_errors_change_nothing(xboard: Dialogue, line: str, error: str) -> None:
    answer = xboard(line)
    assert answer.startswith(error)
    assert LINE.fullmatch(answer.removesuffix("\n"))
    assert xboard.moves == ""
    assert xboard.engine.settings == EngineSettings()


def test_boards_in_fen(xboard: Dialogue) -> None:
    assert parse_fen(START) == Position()
    assert parse_fen("4/1pP1/1Pp1/4 b", rules := parse_rules("othello,board=4x4")) == Position(rules)
    with pytest.raises(BoardError):
        parse_fen("pppppppppppppppp/8/8/8/8/8/8/8 w")
    position = Position().play("f5").play("d6").play("c3")
    xboard("force")
    assert xboard("setboard 8/8/3P4/3Ppp2/3pp3/2p5/8/8 w - - 0 1") == ""
    assert xboard.server.game.position == position
    assert xboard("go").startswith("move P@")


def test_passes_and_the_end_of_a_game() -> None:
    rules = parse_rules("othello,board=4x4")
    xboard = Dialogue(XBoardServer, rules=rules)
    xboard("force")
    xboard("setboard pppp/PpPP/ppPP/ppP1 w")
    assert xboard.server.game.must_pass
    assert xboard("go") == "move @@@@\n"
    xboard("force")
    assert xboard("usermove d1") == "1-0 {Black wins 14-2}\n"
    assert xboard("usermove d1") == "Illegal move (the game is over): d1\n"
    assert xboard("go") == ""
    assert xboard("hint") == ""
    assert xboard("analyze") == ""
    assert xboard("exit") == ""
    assert xboard("undo") == ""
    assert xboard("usermove d1") == "1-0 {Black wins 14-2}\n"


def test_clocks(xboard: Dialogue) -> None:
    xboard("go")
    xboard("level 0 2:30 3")
    xboard.search_takes(7)
    xboard("go")
    xboard("go")
    xboard("time 1234")
    xboard("go")
    xboard("level 40 5 0")
    xboard("go")
    xboard("new")
    xboard("go")
    xboard("st 5")
    xboard("go")
    assert xboard.engine.clocks == [
        None,
        ClockReading(150, 3),
        ClockReading(146, 3),
        ClockReading(12.34, 3),
        ClockReading(0, 0, 7.74375, 1),
        ClockReading(0, 0, 7.74375, 1),
        None,
    ]
    assert xboard.engine.settings.time_s == 5


def test_settings(xboard: Dialogue) -> None:
    for line in ("sd 9", "memory 64", "cores 2", "st 1.5"):
        assert xboard(line) == ""
    assert xboard.engine.settings == EngineSettings(depth=9, hash_mb=64, threads=2, time_s=1.5)
    xboard("level 0 5 0")
    assert xboard.engine.settings.time_s is None


def test_a_time_and_a_depth_hold_together() -> None:
    said: list[str] = []
    server = XBoardServer(Thinker(), said.append)
    for line in ("post", "st 300", "sd 2", "go"):
        server.receive(line)
    assert said[-2].startswith("2 ")
    for line in ("sd 60", "st 0.1", "go"):  # to the end of the game it would take years
        server.receive(line)
    assert said[-1].startswith("move ")


def test_thinking_is_posted(xboard: Dialogue) -> None:
    xboard("post")
    assert xboard("go") == "12 400 50 1000 P@e6 P@f4\nmove P@e6\n"
    xboard("nopost")
    assert xboard("go") == "move P@f6\n"


def test_analysis_continues_after_every_line(xboard: Dialogue) -> None:
    found = "12 400 50 500 P@e6 P@f4\n"
    assert xboard("analyze") == found
    assert xboard(".") == f"stat01: 25 500 12 0 1\n{found}"
    assert xboard("") == found
    assert xboard("usermove P@f5") == "12 400 50 500 P@f6 P@d3\n"
    assert xboard("undo") == found
    assert xboard("ping 3") == f"pong 3\n{found}"
    assert xboard("exit") == ""
    assert xboard(".") == ""
    assert xboard.engine.settings == EngineSettings()


def test_which_lines_stop_a_search() -> None:
    server = XBoardServer(Thinker(), print)
    assert server.search_of("go") is Search.MOVE
    assert server.stops("?", Search.MOVE)
    assert server.stops("force", Search.MOVE)
    assert not server.stops("ping 3", Search.MOVE)
    assert not server.stops("time 300", Search.MOVE)
    assert server.search_of("analyze") is Search.OPEN
    assert server.search_of("usermove f5") is Search.OPEN
    assert server.stops("ping 3", Search.OPEN)
    assert server.search_of("exit") is Search.MOVE


@pytest.mark.parametrize(("line", "moves_made"), [("?", 1), ("force", 0), ("new", 0)])
def test_a_line_that_stops_the_search_of_a_move(line: str, moves_made: int) -> None:
    said: list[str] = []
    server = XBoardServer(Thinker(EngineSettings(level=60)), said.append)
    cancel = Cancel()
    server.search_of("go")
    if server.stops(line, Search.MOVE):
        cancel.cancel()
    server.receive("go", cancel)
    assert len(said) == len(server.game) == moves_made
    server.receive(line)
    server.receive("sd 1")
    server.receive("go")
    assert said[-1].startswith("move ")


def test_move_now_does_not_bring_back_a_search_that_was_given_up() -> None:
    said: list[str] = []
    server = XBoardServer(Thinker(EngineSettings(level=60)), said.append)
    cancel = Cancel()
    server.search_of("go")
    for line in ("force", "?"):
        assert server.stops(line, Search.MOVE)
    cancel.cancel()
    server.receive("go", cancel)
    assert said == []


def test_a_machine_without_memory(xboard: Dialogue) -> None:
    xboard.search_fails()
    assert xboard("go") == f"telluser {NO_THREADS}\n"
    assert xboard("analyze").endswith(f"telluser {NO_THREADS}\n")
    assert xboard("ping 1") == "pong 1\n"


def test_a_long_line(xboard: Dialogue) -> None:
    assert xboard("x" * (MAX_LINE + 1)) == f"Error (line too long): '{'x' * 40}'\n"


WORDS = ["protover 2", "new", "variant", "force", "go", "playother", "level", "st", "sd", "time", "otim", "memory"]
WORDS += [
    "cores",
    "usermove",
    "?",
    "ping",
    f"setboard {START}",
    "setboard",
    "undo",
    "remove",
    "hint",
    "post",
    "nopost",
]
WORDS += ["analyze", "exit", ".", "result", "usermove P@f5", "usermove @@@@", "level 0 5 3", "accepted"]


@FUZZ
def test_fuzzed_lines(count: int, seed: int) -> None:
    xboard = Dialogue(XBoardServer)
    for line in fuzzed_lines(count, seed, WORDS):
        answer = xboard(line)
        assert all(LINE.fullmatch(said) for said in answer.split("\n")[:-1]), (line, answer)
        if re.fullmatch(r"\s*ping -?[0-9]{1,10}\s*", line):
            assert answer.startswith("pong ")


def test_a_process() -> None:
    data = "xboard\r\nprotover 2\r\n\r\nnew\nsd 4\nusermove P@f5\nping 1\nquit\nping 2\n"
    done = run_process("engine", "xboard", data=data).ends(0, err="")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("feature ")
    assert "pong 2" not in lines
