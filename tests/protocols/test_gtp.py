"""The conformance of the GTP server: every command, every failure, ids, comments and line ends."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from command_line import run_process
from files import new_file
from protocol_driver import FUZZ, NO_THREADS, Dialogue, fuzzed_lines
from reversi import (
    Cancel,
    ClockReading,
    Engine,
    InputError,
    Kind,
    Position,
    Random,
    State,
    __version__,
    parse_rules,
)
from reversi.engine.timing import RESERVE, allowance
from reversi.protocols import EngineSettings, GtpServer, Thinker
from reversi.protocols.gtp import GTP_COMMANDS
from reversi.protocols.gtp_clock import GtpClock
from reversi.protocols.serving import MAX_LINE, Search

ANSWER = re.compile(r"[=?][0-9]*(?: [^\n]*)?(?:\n[^\n]+)*\n\n", re.ASCII)


@pytest.fixture
def gtp() -> Dialogue:
    return Dialogue(GtpServer)


def test_what_the_program_is(gtp: Dialogue) -> None:
    assert gtp("protocol_version") == "= 2\n\n"
    assert gtp("name") == "= reversi\n\n"
    assert gtp("version") == f"= {__version__}\n\n"
    assert gtp("list_games") == "= Othello\n\n"
    assert gtp("list_commands").removeprefix("= ").split() == list(GTP_COMMANDS)
    assert gtp("known_command genmove") == "= true\n\n"
    assert gtp("known_command gg_genmove") == "= false\n\n"
    assert gtp("gogui-interrupt") == "=\n\n"


def test_ids_comments_and_blank_lines(gtp: Dialogue) -> None:
    assert gtp("5 name") == "=5 reversi\n\n"
    assert gtp("0005 nonsense") == "?0005 unknown command\n\n"
    assert gtp("name # who are you") == "= reversi\n\n"
    assert gtp("\tname\t\r") == "= reversi\n\n"
    assert gtp("n\x07a\x00me\x7f") == "= reversi\n\n"
    assert gtp("12") == "?12 unknown command\n\n"
    for silent in ("", "   ", "\r", "# 5 name", "\t#", "\x00"):
        assert gtp(silent) == ""


def test_a_game(gtp: Dialogue) -> None:
    assert gtp("boardsize 8") == "=\n\n"
    assert gtp("clear_board") == "=\n\n"
    assert gtp("komi 6.5") == "=\n\n"
    assert gtp("play b F5") == "=\n\n"
    assert gtp("play WHITE d6") == "=\n\n"
    assert gtp("showboard") == (
        "= \n  a b c d e f g h\n1 - - - - - - - -\n2 - - - - - - - -\n3 - - - - - - - -\n4 - - - O X - - -\n"
        "5 - - - O X X - -\n6 - - - O - - - -\n7 - - - - - - - -\n8 - - - - - - - -\nBlack (X) to move\n\n"
    )
    assert gtp("reg_genmove black") == "= c7\n\n"
    assert gtp("genmove black") == "= c7\n\n"
    assert gtp("genmove w") == "= d7\n\n"
    assert gtp("undo") == gtp("undo") == gtp("undo") == gtp("undo") == "=\n\n"
    assert gtp("undo") == "? cannot undo\n\n"
    assert gtp("final_score") == "? cannot score: the game is not over\n\n"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("play", "syntax error: play takes 2 arguments, not 0"),
        ("play b", "syntax error: play takes 2 arguments, not 1"),
        ("name x", "syntax error: name takes 0 arguments, not 1"),
        ("known_command", "syntax error: known_command takes 1 argument, not 0"),
        ("play x f5", "invalid color or coordinate"),
        ("play b i9", "invalid color or coordinate"),
        ("play b a1", "illegal move: flips nothing"),
        ("play b d4", "illegal move: the square is occupied"),
        ("play b pass", "illegal move: a pass is not allowed while there is a placement"),
        ("play w f5", "illegal move: Black is to move"),
        ("genmove x", "syntax error: invalid color"),
        ("genmove w", "wrong color: Black is to move"),
        ("reg_genmove w", "wrong color: Black is to move"),
        ("boardsize 10", "unacceptable size"),
        ("boardsize eight", "syntax error: eight is not a whole number"),
        ("boardsize ８", "syntax error: ８ is not a whole number"),
        ("komi much", "syntax error: komi must be a number"),
        ("komi nan", "syntax error: komi must be a number"),
        ("set_game Go", "unsupported game"),
        ("time_settings 1 2", "syntax error: time_settings takes 3 arguments, not 2"),
        ("time_settings -1 0 0", "syntax error: -1 is not a number of seconds from 0 to 360000"),
        ("time_settings 1 nan 0", "syntax error: nan is not a number of seconds from 0 to 360000"),
        ("time_settings 1 1 -1", "syntax error: the stones of a period must be between 0 and 1000"),
        ("time_left x 1 0", "syntax error: invalid color"),
        ("time_left b 1 x", "syntax error: x is not a whole number"),
        ("time_left b 1 9999", "syntax error: the stones of a period must be between 0 and 1000"),
        ("loadsgf /nowhere/game.sgf", "cannot load file: no such file"),
        ("loadsgf x 0", "syntax error: a move number begins with 1"),
        ("reversi-analyze w", "wrong color: Black is to move"),
        ("reversi-analyze b 0", "syntax error: reversi-analyze takes a color and a number of moves from 1 to 64"),
        ("reversi-analyze 1 b", "syntax error: reversi-analyze takes a color and a number of moves from 1 to 64"),
        ("reversi-analyze b x", "syntax error: x is not a whole number"),
        ("undo", "cannot undo"),
        ("Name", "unknown command"),
    ],
)
def test_failures_change_nothing(gtp: Dialogue, line: str, why: str) -> None:
    answer = gtp(f"9 {line}")
    assert answer.startswith(f"?9 {why}")
    assert ANSWER.fullmatch(answer)
    assert gtp("gogui-rules_legal_moves") == "= d3 c4 f5 e6\n\n"


def test_passes(gtp: Dialogue) -> None:
    """A pass may be written, asked for, or left to be understood."""
    game = gtp.server.game
    while not game.must_pass and not game.is_over:
        gtp(f"genmove {str(game.to_move).lower()}")
    assert game.must_pass
    must, other = str(game.to_move).lower(), str(game.to_move.opponent).lower()
    before = len(game)
    move = str(game.position.play("--").legal_moves[0])
    assert gtp("gogui-rules_legal_moves") == "= pass\n\n"
    assert gtp(f"play {other} a1").startswith("? illegal move") or move == "a1"
    assert len(game) == before
    assert gtp(f"play {other} {move}") == "=\n\n"  # implies the pass
    assert len(game) == before + 2
    assert gtp("undo") == "=\n\n"
    assert len(game) == before
    assert gtp(f"play {must} PASS") == "=\n\n"
    assert gtp(f"play {other} pass").startswith("? illegal move")
    assert gtp("undo") == "=\n\n"
    assert gtp(f"genmove {must}") == "= pass\n\n"
    assert len(game) == before + 1
    assert gtp("undo") == "=\n\n"
    assert re.fullmatch(r"= [a-h][1-8]\n\n", gtp(f"reg_genmove {other}"))
    assert len(game) == before
    assert re.fullmatch(r"= [a-h][1-8]\n\n", gtp(f"genmove {other}"))
    assert len(game) == before + 2
    assert gtp("undo") == "=\n\n"
    assert len(game) == before
    assert gtp(f"reg_genmove {other}").startswith("= ")  # plays no pass that a later undo takes back
    assert gtp(f"play {must} pass") == gtp(f"play {other} {move}") == "=\n\n"
    assert gtp("undo") == "=\n\n"
    assert len(game) == before + 1


def test_a_pass_that_is_understood_ends_the_game() -> None:
    gtp = Dialogue(GtpServer, rules=parse_rules("othello,optional-skip"))
    for seed in itertools.count():
        gtp("clear_board")
        game, random = gtp.server.game, Random(seed)
        while not game.is_over and not game.must_pass:
            gtp(f"play {game.to_move} {game.position.legal_moves.choice(random)}".replace("--", "pass"))
        if not game.is_over and game.position.state is State.AFTER_PASS:
            break
    before, other = len(game), game.to_move.opponent
    assert gtp(f"reg_genmove {other}") == "= pass\n\n"
    assert len(game) == before
    assert gtp(f"genmove {other}") == "= pass\n\n"
    assert game.is_over
    assert gtp("undo") == "=\n\n"
    assert len(game) == before
    assert gtp(f"play {game.to_move} pass") == "=\n\n"
    assert game.is_over


def test_the_end_of_a_game(gtp: Dialogue) -> None:
    gtp("boardsize 4")
    game = gtp.server.game
    while not game.is_over:
        assert gtp(f"genmove {str(game.to_move).lower()}").startswith("= ")
    score = game.position.score
    wanted = "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score)}"
    assert gtp("final_score") == f"= {wanted}\n\n"
    assert gtp("gogui-rules_final_result") == f"= {game.position.result}\n\n"
    assert gtp("gogui-rules_legal_moves") == "=\n\n"
    assert gtp("genmove b") == gtp("reg_genmove w") == "= pass\n\n"
    assert gtp("play b pass") == "? illegal move: the game is over\n\n"
    assert gtp("reversi-analyze") == "? the game is over\n\n"
    assert gtp("showboard").endswith("\ngame over\n\n")


def test_games_and_boards(gtp: Dialogue) -> None:
    gtp("play b f5")
    assert gtp("set_game Othello") == "=\n\n"
    assert gtp("gogui-rules_legal_moves") == "= d3 c4 f5 e6\n\n"
    gtp("play b f5")
    assert gtp("boardsize 6") == "=\n\n"
    assert gtp("gogui-rules_board_size") == "= 6\n\n"
    assert gtp("gogui-rules_board") == (
        "= . . . . . .\n. . . . . .\n. . X O . .\n. . O X . .\n. . . . . .\n. . . . . .\n\n"
    )
    assert gtp("play b e4") == "=\n\n"
    assert gtp("gogui-rules_board") == (  # row 6 first: GoGui counts from the bottom
        "= . . . . . .\n. . . . . .\n. . X X X .\n. . O X . .\n. . . . . .\n. . . . . .\n\n"
    )
    assert gtp("gogui-rules_side_to_move") == "= white\n\n"
    assert gtp("gogui-rules_final_result") == "= the game is not over\n\n"
    assert gtp("gogui-rules_game_id") == "= Othello\n\n"
    assert gtp("play w g8").startswith("? ")
    assert gtp("clear_board") == "=\n\n"
    assert gtp("gogui-rules_board_size") == "= 6\n\n"


def test_rules() -> None:
    gtp = Dialogue(GtpServer, rules=parse_rules("adjacent,optional-skip"))
    assert len(gtp("gogui-rules_legal_moves").split()) == 14
    assert gtp("play b pass") == "=\n\n"
    assert gtp("boardsize 6") == "=\n\n"
    assert str(gtp.server.game.rules) == "adjacent,optional-skip,board=6x6"
    with pytest.raises(InputError, match="square boards only, not 4x6"):
        Dialogue(GtpServer, rules=parse_rules("othello,board=4x6"))


def test_loading_games(gtp: Dialogue, tmp_path: Path) -> None:
    path = new_file(tmp_path / "game.sgf", "(;FF[4]GM[2]SZ[8];B[f5];W[d6];B[c3];W[d3])")
    assert gtp(f"loadsgf {path}") == "=\n\n"
    game = gtp.server.game
    assert "".join(map(str, game.moves)) == "f5d6c3d3"
    assert gtp(f"loadsgf {path} 3") == "=\n\n"
    assert "".join(map(str, gtp.server.game.moves)) == "f5d6"
    assert gtp("undo") == "=\n\n"
    assert gtp(f"loadsgf {path} 99") == "=\n\n"
    assert gtp("gogui-rules_side_to_move") == "= black\n\n"
    path.write_text("(;FF[4]GM[2]SZ[8];B[a1])")
    assert gtp(f"loadsgf {path}").startswith("? cannot load file: ")
    path.write_bytes(b"\0\0")
    assert gtp(f"loadsgf {path}").startswith("? cannot load file: ")
    assert gtp(f"loadsgf {tmp_path}") == "? cannot load file: no such file\n\n"
    assert gtp("gogui-rules_side_to_move") == "= black\n\n"


def test_clocks(gtp: Dialogue) -> None:
    gtp("genmove b")
    gtp("time_settings 300 0 0")
    gtp.search_takes(7)
    gtp("genmove w")
    gtp("genmove b")
    gtp("genmove w")
    gtp("time_left b 20 0")
    gtp("genmove b")
    assert gtp.engine.clocks == [
        None,
        ClockReading(300, 0),
        ClockReading(300, 0),
        ClockReading(293, 0),
        ClockReading(20, 0),
    ]


def test_periods_of_several_moves(gtp: Dialogue) -> None:
    gtp("time_settings 5 60 3")
    gtp.search_takes(7)
    for _ in range(5):
        gtp("genmove b")
        gtp("genmove w")
    black = [clock for clock in gtp.engine.clocks[::2] if clock is not None]
    # 5 s of main time, then periods of 60 s for 3 moves: the first one pays what the main time lacks
    assert [clock.main_s for clock in black] == [5, 0, 0, 0, 0]
    assert all((clock.increment_s, clock.periods) == (0, 1) for clock in black)
    shares = [clock.byo_yomi_s - RESERVE for clock in black]
    assert shares == pytest.approx([59.75 / 3, 57.75 / 2, 50.75, 59.75 / 3, 52.75 / 2])


@pytest.mark.parametrize(("seconds", "moves"), [(5.0, 25), (1.0, 25), (10.0, 1), (60.0, 20)])
def test_a_period_is_used_and_never_overdrawn(seconds: float, moves: int) -> None:
    clock = GtpClock(seconds, moves, seconds, moves)
    used = 0.0
    for _ in range(moves):
        thinks = allowance(clock.reading(), Position()).hard_s
        used += thinks
        clock.spend(thinks)
    assert 0.6 * seconds < used <= seconds - RESERVE
    assert (clock.left, clock.stones) == (seconds, moves)


@pytest.mark.parametrize("settings", ["0 1 0", "0 0 0", "60 1 0"])
def test_games_without_a_clock(gtp: Dialogue, settings: str) -> None:
    gtp("time_settings 10 0 0")
    assert gtp(f"time_settings {settings}") == "=\n\n"
    gtp("genmove b")
    assert gtp.engine.clocks == [None]


def test_clear_board_winds_the_clocks_up(gtp: Dialogue) -> None:
    gtp("time_settings 300 0 0")
    gtp("time_left b 1 0")
    gtp("clear_board")
    gtp("genmove b")
    assert gtp.engine.clocks == [ClockReading(300, 0)]


def test_analysis_shows_what_it_finds(gtp: Dialogue) -> None:
    gtp.engine.kinds = [Kind.HEURISTIC, Kind.EXACT, Kind.SELECTIVE]
    assert gtp("3 reversi-analyze black 2") == (
        "=3\n"
        "info move e6 score +4 kind heuristic depth 12 nodes 1000 time 0.50 pv e6 f4"
        " info move f5 score +4 kind heuristic depth 12 nodes 1000 time 0.50 pv f5 f4\n"
        "\n"
    )
    assert gtp("reversi-analyze") == (
        "=\ninfo move e6 score +4 kind exact confidence 100 depth 12 nodes 1000 time 0.50 pv e6 f4\n\n"
    )
    assert " kind selective confidence 87 " in gtp("reversi-analyze b")


def test_which_lines_stop_a_search() -> None:
    server = GtpServer(Thinker(), print)
    assert [
        server.search_of(line) for line in ("1 genmove b", "reg_genmove b", "reversi-analyze", "name", "")
    ] == [
        Search.MOVE,
        Search.MOVE,
        Search.OPEN,
        Search.NONE,
        Search.NONE,
    ]
    assert server.stops("name", Search.OPEN)
    assert server.stops("# interrupt", Search.OPEN)
    assert server.stops("# interrupt", Search.MOVE)
    assert not server.stops("name", Search.MOVE)
    assert not server.stops("quit", Search.MOVE)
    assert not server.stops("# a comment", Search.OPEN)
    assert not server.stops("", Search.OPEN)


def test_a_stopped_search_answers() -> None:
    said: list[str] = []
    server = GtpServer(Thinker(EngineSettings(level=60)), said.append)
    cancel = Cancel()
    cancel.cancel()
    server.receive("genmove b", cancel)
    assert re.fullmatch(r"= [a-h][1-8]\n\n", said[0])
    server.receive("reversi-analyze", cancel)
    assert (said[1], said[-1]) == ("=\n", "\n")


def test_a_long_line(gtp: Dialogue) -> None:
    assert gtp("name " + " " * MAX_LINE) == f"? line too long: more than {MAX_LINE} characters\n\n"


def test_a_machine_without_memory(gtp: Dialogue) -> None:
    gtp.search_fails()
    assert gtp("2 genmove b") == f"?2 {NO_THREADS}\n\n"
    assert gtp("3 reversi-analyze").endswith(f"\ninfo error {NO_THREADS}\n\n")
    gtp.engine.works = None
    assert gtp("genmove b") == "= e6\n\n"


def test_the_engine_plays_as_in_play() -> None:
    said: list[str] = []
    server = GtpServer(Thinker(EngineSettings(level=9, seed=5)), said.append)
    position, engine = Position(), Engine(9, 5)
    for _ in range(20):
        move = engine.choose(position).move
        server.receive(f"genmove {position.to_move}")
        assert said.pop() == f"= {move}\n\n"
        position = position.play(move)


WORDS = [*GTP_COMMANDS, "genmove b", "genmove w", "play b", "play w", "time_left b", "boardsize"]


@FUZZ
def test_fuzzed_lines(count: int, seed: int) -> None:
    gtp = Dialogue(GtpServer)
    for line in fuzzed_lines(count, seed, [word for word in WORDS if word != "quit"]):
        answer = gtp(line)
        words = re.sub(r"[\x00-\x08\x0a-\x1f\x7f]", "", line).replace("\t", " ").partition("#")[0].split(" ")
        given = [word for word in words if word]
        if not given:
            assert answer == "", line
            continue
        assert ANSWER.fullmatch(answer), (line, answer)
        number = re.fullmatch("[0-9]{1,10}", given[0])
        assert re.match(r"[=?]([0-9]*)", answer)[1] == (number[0] if number else ""), (line, answer)  # type: ignore[index]


def test_a_process() -> None:
    lines = "1 name\r\n\r\n# nothing\r\n2 play b f5\n3 genmove w\n4 reversi-analyze\n5 nonsense\n6 quit\n7 name\n"
    done = run_process("engine", "gtp", "--level", "4", data=lines).ends(0, err="")
    answers = done.stdout.split("\n\n")
    assert answers[0] == "=1 reversi"
    assert answers[1] == "=2"
    assert re.fullmatch("=3 [a-h][1-8]", answers[2])
    assert answers[3].startswith("=4\n")
    assert answers[4:] == ["?5 unknown command", "=6", ""]


def test_the_board_says_that_the_ply_before_was_a_pass() -> None:
    gtp = Dialogue(GtpServer, rules=parse_rules("othello,optional-skip"))
    assert gtp("play b pass") == "=\n\n"
    assert gtp("showboard").endswith("White (O) to move, after a pass\n\n")
