"""The line dialogue in process: what it understands, and what it says."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterable
from pathlib import Path

import pytest

from files import new_file
from random_games import random_game
from reversi import Color, parse_rules
from reversi.cli.line_reader import TimeUpError
from reversi.cli.play.completion import candidates, seconds_left
from reversi.cli.play.dialogue import Dialogue
from reversi.cli.play.dialogue_lines import wrapped
from reversi.cli.play.play_vocabulary import VOCABULARY, WORDS
from reversi.engine.levels import LEVEL_CHOICES
from reversi.engine.player import MoveChoice
from reversi.game.clocks import parse_controls
from reversi.inputs.input import parse_position
from reversi.records import format_record, parse_record
from reversi.rules import describe
from reversi.session.players import Side, Thought
from reversi.session.session import Flipping, Session
from time_source import TimeSource

BLACK, WHITE = Color.BLACK, Color.WHITE


def talk(lines: Iterable[str | Exception], session: Session | None = None, **options: bool) -> list[str]:
    """What is said in answer to lines; an exception among them is raised by the reader."""
    session = session or Session()
    said: list[str] = []
    rest = iter(lines)

    def read(prompt: str) -> str | None:
        line = next(rest, None)
        if line == "PROMPT":
            said.append(prompt)
            return ""
        if isinstance(line, Exception):
            raise line
        return line

    Dialogue(
        session,
        read=read,
        say=said.append,
        quiet=options.get("quiet", True),
        stay=options.get("stay", False),
        show_evaluation=options.get("show_evaluation", False),
    ).run()
    return [_TURN.sub(r"\1", line) for text in said for line in text.split("\n")]


_TURN = re.compile(r"^(\d+\. \w+ [^,;.(]*(?: \(.*?\))?)(?:, flips [^;]*)?(?:; .*)?\.$")
"""A turn; `test_a_turn_as_somebody_hears_it` has the whole sentence."""


UNFINISHED = "Unfinished: discs 3-3, Black to move."


def test_quiet_says_moves_and_answers_only() -> None:
    assert talk(["f5", "d6"]) == [
        "1. Black f5",
        "2. White d6",
        UNFINISHED,
    ]
    assert talk(["f5", "D6", "quit"]) == talk(["F5", "", "# a note", "% another", "d6", "q"])


@pytest.mark.parametrize("lines", [["f5", "u", "r"], ["f5", "undo 1", "redo 1"], ["f5", "UNDO", "Redo"]])
def test_short_words_of_edax(lines: list[str]) -> None:
    assert talk([*lines, "d6"]) == [
        "1. Black f5",
        "Took back f5.",
        "1. Black f5",
        "2. White d6",
        UNFINISHED,
    ]


def test_taking_back_and_playing_again() -> None:
    assert talk(["f5", "d6", "undo", "undo", "redo 2", "undo", "f6", "redo", "undo 9"])[2:] == [
        "Took back d6.",
        "Took back f5.",
        "1. Black f5",
        "2. White d6",
        "Took back d6.",
        "2. White f6",
        "nothing to redo.",
        "cannot take back 9 turns; at most 2.",
        UNFINISHED,
    ]
    said = talk(["f5", "undo", "undo"], Session(sides={WHITE: Side.engine(1)}, seed=1))
    assert re.fullmatch(r"Took back f5 [d-f][46]\.", said[2])
    assert said[3] == "nothing to take back."


@pytest.mark.parametrize("written", [False, True])
def test_forced_passes_are_said_whether_or_not_they_are_written(written: bool) -> None:
    game = random_game("othello,board=4x4", 3)
    assert any(ply.is_forced_pass for ply in game)
    said = talk([str(ply.move) for ply in game if written or not ply.is_forced_pass], Session(game.rules))
    assert [line for line in said if re.match(r"\d+\. ", line)] == [
        f"{ply.number}. {ply.color} {'has no placement and passes' if ply.is_forced_pass else ply.move}"
        for ply in game
    ]
    assert said[-1] == f"Result: {game.result}"


@pytest.mark.parametrize("word", ["p", "P", "skip", "Skip", "pass", "--"])
def test_a_skip_where_the_rules_do_not_allow_it(word: str) -> None:
    said = talk([word, "--", "a1"], Session(parse_rules("adjacent,optional-skip,board=4x4")))
    assert said[0] == "1. Black skips the turn"
    assert re.match(r"--: .*; legal: a1 b1 ", said[1])
    assert said[2] == "2. White a1"
    assert re.fullmatch(r"--: .*; legal: d3 c4 f5 e6\.", talk([word])[0])


def test_a_written_forced_pass_is_not_taken_for_a_skip() -> None:
    """White must pass after h8 and Black may skip then: the first -- spells the pass out, the second one skips."""

    def said(rules: str, *lines: str) -> list[str]:
        start = parse_position("-" * 16 + "XO" + "-" * 42 + "XOO- X", parse_rules(rules))
        return [re.sub(r"(Result): .*", r"\1", line) for line in talk(lines, Session(start))]

    forced = ["1. Black h8", "2. White has no placement and passes", "That pass is already played."]
    assert said("othello,optional-skip,full-board", "h8", "--", "c3") == [*forced, "3. Black c3", "Result"]
    assert said("othello,optional-skip", "h8", "--")[:-1] == forced
    assert said("othello,optional-skip", "h8", "--", "--") == [*forced, "3. Black skips the turn", "Result"]


def test_play_takes_transcripts() -> None:
    for line in ("play f5d6", "play f5 d6", "play F5 D6", "play 1. f5 d6", "force f5d6"):
        assert talk([line]) == [
            "1. Black f5",
            "2. White d6",
            UNFINISHED,
        ]
    assert talk(["play", "play f5a1", "play f5xx", "f5", "d6"])[-4:] == [
        "'xx' is not a move; write play f5d6.",
        "1. Black f5",
        "2. White d6",
        UNFINISHED,
    ]


def test_go_and_mode_and_level() -> None:
    said = talk(["go", "mode", "mode 4", "level 99", "level x", "level 1", "level", "mode 0"], Session(seed=1))
    assert re.fullmatch(r"1\. Black [a-h][1-8]", said[0])
    assert said[1] == "Black: human. White: human. Rules: othello."
    assert said[2] == "'4' is not a mode; modes: 0 you play Black, 1 White, 2 neither, 3 both."
    assert said[3] == f"level must be {LEVEL_CHOICES}, not '99'."
    assert said[4] == f"level must be {LEVEL_CHOICES}, not 'x'."
    assert said[5:7] == ["Engine: level 1.", "Engine: level 1."]
    assert said[7] == "Black: human. White: engine level 1. Rules: othello."
    assert said[8].startswith("2. White ")
    assert talk(["mode 2"], Session(parse_rules("othello,board=4x4"), seed=1))[-1].startswith("Result: ")


def test_the_evaluation_of_an_engine_is_a_tip_that_somebody_asks_for() -> None:
    assert re.fullmatch(r"1\. Black [a-h][1-8]", talk(["go"], Session(seed=1))[0])
    assert re.fullmatch(r"1\. Black [a-h][1-8] \(.*\)", talk(["go"], Session(seed=1), show_evaluation=True)[0])


def test_levels_of_beginners_are_levels() -> None:
    said = talk(["level beginner-2", "mode 0", "record"], Session(seed=1))
    assert said[:2] == ["Engine: beginner-2.", "Black: human. White: engine beginner-2. Rules: othello."]
    assert any(line.startswith('[White "reversi') and line.endswith(' beginner-2"]') for line in said)
    assert candidates(Session(), "level beg") == [f"beginner-{number}" for number in range(1, 8)]


def test_hint_and_explain() -> None:
    said = talk(["hint 2", "explain", "explain d3", "explain a1", "explain all"])
    scored = [line for line in said if re.match(r"[a-h][1-8]  [+-]\d+ ", line)]
    assert len(scored) == 2 + 3 + 1
    assert all(line.startswith("    ") for line in said[3:-3] if line not in scored)
    assert said[-3:-1] == [
        "a1: flips nothing; legal: d3 c4 f5 e6.",
        "'all' is not a move; write explain f5.",
    ]


def test_explaining_a_poor_move() -> None:
    said = talk(["setboard ---X------XXX-----OXOO----OOO-----OOX-----OOOO------XO---------- X", "explain b2"])
    assert said[:3] == [
        "b2  is not among the best 3",
        "    bad: lets White take the corner a1",
        "    bad: b2 is the X-square of the empty corner a1: it may cost the corner at once",
    ]


def test_boards_positions_and_other_games() -> None:
    said = talk(
        ["setboard " + "-" * 27 + "OX------XO" + "-" * 27 + " O", "moves", "new adjacent", "rules", "new", "board"]
    )
    assert said[0] == "e3 f4 c5 d6"
    assert said[1] == "adjacent"
    assert said[2].startswith("A placement flips all opposing discs that stand in a straight line")
    assert "next to a disc" in said[3]
    assert said[4] == "  a b c d e f g h"
    assert said[-2].startswith("Black to move.")
    said = talk(["setboard xxx", "setboard", "setboard f5d6", "new chess", "setboard f5d6\nf5", "moves"])
    assert said[0] == "'xxx' is neither a board, nor a line of OBF, nor a transcript."
    assert said[1].startswith("setboard needs a board")
    assert said[2].startswith("rules 'chess': unknown word 'chess'")
    assert said[-2] == "c3 c4 c5 c6 c7"


def test_greeting_explains_house_rules() -> None:
    said = talk([], Session(parse_rules("adjacent,optional-skip")), quiet=False)
    assert said[0] == "Black: human. White: human. Rules: adjacent,optional-skip."
    assert said[1].startswith("A disc may go on any empty square next to a disc")
    assert "Board: 8 rows, 8 columns" in said[1]
    assert "The most discs win." in said[1]
    assert said[2] == "  a b c d e f g h"


def test_saving_opening_and_the_record(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    said = talk(["f5", "d6", f"save {file}", "record", "save", f"save {tmp_path}/no/x.pgn"])
    assert said[2] == f"Saved {file}."
    assert "1. f5 d6 *" in said
    assert said[-3] == "save needs a file, as in save game.pgn."
    assert "cannot write" in said[-2]
    opening = [f"open {file}@1", "redo", f"open {file}#2", f"load {file}@9", "open"]
    said = talk([*opening, f"open {tmp_path}/none", "open -", "open \0"])
    assert said[0] == "1 ply played, 1 to redo: undo and redo step by one ply, continue plays from here."
    assert said[1] == "2. White d6"
    assert said[2] == f"{file}: game 2 does not exist: the input has 1 game."
    assert said[3] == f"{file}: game 1: ply 9 does not exist: the game has 2 plies."
    assert said[4].startswith("open needs a file")
    assert "no such file" in said[5]
    assert said[6] == "standard input cannot be opened as a file; give the name of one."
    assert said[7] == "the text: binary data, not text."


@pytest.mark.parametrize("ply", ["", "@0", "@2"])
def test_an_opened_game_is_saved_whole(tmp_path: Path, ply: str) -> None:
    file, copy = tmp_path / "game.pgn", tmp_path / "copy.pgn"
    record = parse_record(
        '[Annotator "Cy"]\n[TimeControl "60"]\n\n'
        "{Now.} 1. f5 $1 {[%clk 0:00:59] [%emt 0:00:01]} d6 (1... f4) 2. c3 1-0\n"
    )
    file.write_text(format_record(record), encoding="utf-8")
    assert f"Saved {copy}." in talk([f"open {file}{ply}", f"save {copy}"])
    assert copy.read_bytes() == file.read_bytes()


def test_an_opened_game_waits_and_keeps_its_names(tmp_path: Path) -> None:
    file = new_file(tmp_path / "game.pgn", '[Black "Ann"]\n[White "Bob"]\n\n1. f5 d6 2. c3 *\n')
    said = talk(["pause", f"open {file}", "undo", "record"], Session(sides={WHITE: Side.engine(1)}), quiet=False)
    assert "Black: Ann. White: Bob. Rules: othello." in said
    assert "Took back c3." in said
    assert '[Black "Ann"]' in said
    assert not any(line.startswith("Unfinished") for line in said)
    said = talk([f"open {file}", "continue"], Session(sides={WHITE: Side.engine(1)}))
    assert said[1].startswith("4. White ")


def test_a_finished_game_that_is_opened_ends_nothing(tmp_path: Path) -> None:
    file = new_file(tmp_path / "game.pgn", "1. e6 f4 2. e3 f6 3. g5 d6 4. e7 f5 5. c5 13-0\n")
    said = talk([f"open {file}", "undo 2", "moves", "redo", "quit"])
    assert "Took back f5 c5." in said
    assert "8. White f5" in said
    assert said.count("Discs: 13-0") == 0
    assert said[-1] == "8. White f5"


def test_engines_that_play_each_other_step_by_step() -> None:
    said = talk(["pause", "mode 2", "go", "go", "undo", "redo", "pause now", "continue"])
    moves = [line.split(" ")[0] for line in said if re.match(r"\d+\. ", line)]
    assert moves[:4] == ["1.", "2.", "2.", "3."]
    assert "pause takes no argument, not 'now'." in said
    assert said[-1].startswith("Result: ")


def test_ctrl_c_pauses_engines_that_play_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(sides={BLACK: Side.engine(1), WHITE: Side.engine(1)})
    think = Thought.think

    def interrupted(thought: Thought) -> MoveChoice | None:
        if len(session.game) == 2 and not session.is_paused:
            signal.raise_signal(signal.SIGINT)
        return think(thought)

    monkeypatch.setattr(Thought, "think", interrupted)
    said = talk(["go", "quit"], session, stay=True)
    assert said[3].startswith("Paused: ")
    assert said[4].startswith("3. Black ")
    assert len(session.game) == 3
    session.undo()
    with pytest.raises(KeyboardInterrupt):  # through a pipe it ends the game
        talk([], session)


def test_a_game_follows_those_of_a_file_and_keeps_its_place(tmp_path: Path) -> None:
    file = new_file(tmp_path / "game.pgn", "not mine\n")
    said = talk(["f5", f"save {file}"])
    assert said[1].startswith(f"{file}: not a file of PGN-like records, left unchanged")
    assert file.read_text() == "not mine\n"
    file.unlink()
    said = talk(["f5", f"save {file}", "d6", f"save {file}", "new", "e6", f"save {file}", "f4", f"save {file}"])
    assert [line for line in said if "Saved" in line] == [f"Saved {file}."] * 2 + [
        f"Saved as game 2 of {file}."
    ] * 2
    assert [moves for moves in file.read_text().splitlines() if moves.startswith("1.")] == [
        "1. f5 d6 *",
        "1. e6 f4 *",
    ]


def test_a_damaged_game_is_not_opened(tmp_path: Path) -> None:
    file = new_file(tmp_path / "bad.pgn", "1. f5 f5 *\n")
    said = talk([f"open {file}", "f5"])
    assert said[-2] == "1. Black f5"
    assert "f5" in said[0]


def test_taking_back_can_be_ruled_out() -> None:
    assert talk(["f5", "undo"], Session(takebacks=False))[1] == "moves cannot be taken back in this game."


# --- clocks


@pytest.mark.parametrize("last", [TimeUpError(), "clock", "d6"], ids=["at the prompt", "clock", "a move"])
def test_clocks_are_shown_and_flags_fall(last: str | Exception) -> None:
    source = TimeSource()
    session = Session(controls=parse_controls("1:00/0:10+2x30"), now=source)

    def lines() -> Iterable[str | Exception]:
        yield "clock"
        source.now += 5
        yield "f5"
        source.now += 40
        yield "clock"
        source.now += 100
        yield last

    assert talk(lines(), session) == [
        "Clock: Black 1:00, White 0:10.",
        "1. Black f5",
        "Clock: Black 1:00, White 0:30 (1 period).",
        "White has run out of time.",
        "Result: Black wins by time forfeit (1-0)",
        "Discs: 4-1",
    ]
    assert talk(["clock"])[0] == "This game is untimed."


# --- discs flipped by hand


def test_discs_are_flipped_by_hand() -> None:
    session = Session(flipping=Flipping.MANUAL)
    said = talk(
        ["f5", "flip d4", "flip d4 e5", "d6", "flip all", "flip black e5", "flip a9", "flip", "record"], session
    )
    assert said[:8] == [
        "1. Black f5",
        "Black's f5 flips d4.",
        "Black's f5 flips e5.",
        "2. White d6",
        "White's d6 flips d5.",
        "too late; White has moved, and the board stands as it is.",
        "'a9' is not a move: give a square from a1 to h8, or -- for a pass.",
        "flip needs squares or all, as in flip e5 d5.",
    ]
    assert "1. f5 {[%flips e5]} 1... d6 {[%flips d5]} *" in said


def test_the_engine_waits_until_the_turn_is_done() -> None:
    session = Session(flipping=Flipping.MANUAL, sides={WHITE: Side.engine(1)}, seed=1)
    said = talk(["done", "f5", "d6", "flip e5", "done", "turn d4"], session)
    assert said[0] == "nobody is flipping discs."
    assert said[1] == "1. Black f5"
    assert said[2] == "your turn is not finished; flip your discs, then finish."
    assert said[3] == "Black's f5 flips e5."
    assert said[4].startswith("2. White ")
    assert said[5] == "too late; White has moved, and the board stands as it is."
    shown = talk(["f5"], Session(flipping=Flipping.MANUAL, sides={WHITE: Side.engine(1)}), quiet=False)
    assert any(line.startswith("Black flips discs, then done.") for line in shown)
    shown = talk(["f5"], Session(flipping=Flipping.MANUAL), quiet=False)
    assert any(line.startswith("Black flips discs, then White to move.") for line in shown)


def test_a_forced_pass_that_a_script_writes_ends_the_turn() -> None:
    start = parse_position("-" * 16 + "XO" + "-" * 42 + "XOO- X")
    said = talk(["h8", "turn all", "--", "c3", "flip b3", "done"], Session(start, flipping=Flipping.MANUAL))
    assert said == [
        "1. Black h8",
        "Black's h8 flips f8 g8.",
        "2. White has no placement and passes",
        "That pass is already played.",
        "3. Black c3",
        "Black's c3 flips b3.",
        "Result: Black wins 7-0 (by 64)",
    ]


# --- the end


def test_at_a_terminal_the_game_can_go_on_after_its_end() -> None:
    rules = parse_rules("othello,optional-skip")
    said = talk(["--", "--", "f5", "undo", "f5", "resign", "new", "f5", "quit"], Session(rules), stay=True)
    greeting = [f"Black: human. White: human. Rules: {rules}.", describe(rules)]
    assert said == [
        *greeting,
        "1. Black skips the turn",
        "2. White skips the turn",
        "Result: draw 2-2",
        "undo, analyze, new, save FILE or quit?",
        "the game is over: draw 2-2.",
        "Took back --.",
        "f5: flips nothing; legal: e3 f4 c5 d6 --.",
        "White resigns.",
        "Result: Black wins by resignation (1-0)",
        "Discs: 2-2",
        "undo, analyze, new, save FILE or quit?",
        *greeting,
        "1. Black f5",
        "Unfinished: discs 4-1, White to move.",
    ]


# --- the words


def test_every_word_is_understood_and_in_the_help() -> None:
    text = VOCABULARY.help_text()
    for word in WORDS:
        assert word.meaning in text
        for name in (word.name, *word.short):
            assert VOCABULARY.find(name) is word
            if word.name not in ("quit", "resign"):
                assert not any("neither a move nor" in line for line in talk([name]))
    names = [name for word in WORDS for name in (word.name, *word.short)]
    assert len(names) == len(set(names))
    assert VOCABULARY.suggestion("udno") == "undo"
    assert VOCABULARY.suggestion("zzzzzz") is None


@pytest.mark.parametrize("width", [40, 60, 80])
def test_lines_are_broken_between_words_at_the_edge_of_a_terminal(width: int) -> None:
    said = talk(["help", "moves", "rules", "explain"], Session(parse_rules("adjacent,optional-skip")), quiet=False)
    text = "\n".join(said)
    shown = wrapped(text, width)
    assert any(len(line) > width for line in said)
    assert all(len(line) <= width for line in shown.split("\n"))
    assert shown.split() == text.split()
    assert [line for line in said if len(line) <= width] == [
        line for line in shown.split("\n") if line in said and len(line) <= width
    ]


def test_columns_hang_below_the_last_one() -> None:
    assert (
        wrapped("save FILE   write the game to a file", 30) == "save FILE   write the game to\n            a file"
    )
    assert wrapped("    + takes the corner h1, a disc", 20) == "    + takes the\n    corner h1, a\n    disc"


def test_completion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session()
    assert candidates(session, "") == ["d3", "c4", "f5", "e6", *(word.name for word in WORDS)]
    assert candidates(session, "f") == ["f5", "flip"]
    assert candidates(session, "se") == ["setboard"]
    assert candidates(session, "explain ") == ["d3", "c4", "f5", "e6"]
    assert candidates(session, "new oth") == ["othello"]
    assert candidates(session, "new othello,mis") == ["othello,misere"]
    assert candidates(session, "hint ") == []
    assert candidates(session, "nonsense ") == []
    (tmp_path / "game.pgn").write_text("")
    (tmp_path / "games").mkdir()
    monkeypatch.chdir(tmp_path)
    assert candidates(session, "open g") == ["game.pgn", "games/"]
    assert candidates(session, f"save {tmp_path}/game.") == [f"{tmp_path}/game.pgn"]
    assert candidates(session, "open no/such") == []
    manual = Session(flipping=Flipping.MANUAL)
    manual.play("f5")
    assert candidates(manual, "flip ") == ["all", "d4", "e4", "d5", "e5"]


def test_when_the_flag_falls() -> None:
    source = TimeSource()
    session = Session(controls=parse_controls("1:00/0:10+2x30"), now=source)
    assert seconds_left(session) is None
    session.begin()
    source.now += 15
    assert seconds_left(session) is None  # until the first move
    session.play("f5")
    assert seconds_left(session) == 70
    source.now += 15
    assert seconds_left(session) == 55
    source.now += 30
    assert seconds_left(session) == 25
    assert seconds_left(Session()) is None


@pytest.mark.parametrize("rules", ["othello", "adjacent,optional-skip", "othello,misere", "othello,board=6x6"])
def test_the_dialogue_writes_ascii_of_its_own(rules: str) -> None:
    """The dialogue reads well in the C locale; only names and comments of records have other characters."""
    lines = [
        "help",
        "rules",
        "moves",
        "c9",
        "hint",
        "explain",
        "clock",
        "level",
        "mode",
        "new",
        "opening x",
        "xot",
    ]
    for text in talk(lines, Session(parse_rules(rules), hint_level=2), quiet=False):
        assert text.isascii(), text


BOARD = "-" * 27 + "OX------XO" + "-" * 27 + " X"


@pytest.mark.parametrize(
    ("text", "ply"),
    [
        ("open f5d6c3", 3),
        ("f5d6c3", 3),
        ("1. F5 d6 2. c3", 3),
        ("f5\nd6", 2),
        ('[Event "x"]\n\n1. f5 d6 *\n', 2),
        (BOARD, 0),
        (f"setboard {BOARD}", 0),
        ("\n".join(BOARD[at : at + 8] for at in range(0, 64, 8)) + "\nX", 0),
    ],
)
def test_another_game_or_position_asks_before_it_leaves_a_game(text: str, ply: int) -> None:
    for answer, plies in (("n", 1), ("", 1), ("y", ply)):
        session = Session()
        asked: list[str] = []
        lines = iter(["f5", text, answer])

        def read(prompt: str, asked: list[str] = asked, lines: Iterable[str] = lines) -> str | None:
            asked.append(prompt)
            return next(iter(lines), None)

        Dialogue(session, read=read, say=lambda text: None, quiet=True, stay=True).run()
        assert asked[2] == "Leave this game? It stays saved; reversi play --resume continues it. (y/n) "
        assert len(session.game) == plies
    assert len(asked) == 4


def test_a_pasted_text_without_a_game_in_progress_asks_nothing() -> None:
    session = Session()
    said = talk(["f5d6c3", "continue", "f4", "f5d6", "f5x", "open f5x"], session)
    assert said[0] == "3 plies played, 0 to redo: undo and redo step by one ply, continue plays from here."
    assert said[1:] == [
        "4. White f4",
        "this is another game or position; open TEXT leaves the present game for it.",
        *["game 1: 'x' is not a move."] * 2,
        "Unfinished: discs 4-4, Black to move.",
    ]
    assert len(session.game) == 4


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("read 4", "Row 4: a to c empty, d White, e Black, f to h empty."),
        ("read D", "Column d: 1 to 3 empty, 4 White, 5 Black, 6 to 8 empty."),
        ("read e4", "e4: Black."),
        ("read f6", "f6: empty, a legal move."),
        ("read 4d", "'4d' is not a row, a column or a square; write read 4, d or d4."),
        ("read i9", "'i9' is not a row, a column or a square; write read 4, d or d4."),
        ("count", "Discs: Black 4, White 1. Empty: 59."),
        ("last", "1. Black f5"),
        ("moves", "f4 d6 f6"),
    ],
)
def test_the_board_is_read_on_request(line: str, answer: str) -> None:
    assert talk(["f5", line])[1] == answer
    assert talk(["last"])[0] == "No turn yet."
    assert [row[:6] for row in talk(["read"])[:8]] == [f"Row {row}:" for row in range(1, 9)]


def test_a_game_to_listen_to_says_no_signs_and_greets_a_person() -> None:
    session = Session()
    session.play_line(["f5"])
    said = talk(["PROMPT", "d6", "hint 1", "explain c3", "quit"], session, stay=True)
    assert said[:4] == ["Black: human. White: human. Rules: othello.", "1. Black f5", "White: ", "2. White d6"]
    assert any(line.startswith(("    good: ", "    bad: ")) for line in said)
    assert not [line for line in said if line.lstrip().startswith(("+ ", "- ", ">"))]
    assert talk(["PROMPT"], quiet=False)[-2] == "Black> "


def test_a_review_to_listen_to_draws_no_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reversi.cli.play.review.shows_unicode", lambda *_: True)
    drawn, quiet = (talk(["play f5d6c3d3c4", "analyze 1"], quiet=quiet) for quiet in (False, True))
    assert not "".join(drawn).isascii()
    assert "".join(quiet).isascii()
