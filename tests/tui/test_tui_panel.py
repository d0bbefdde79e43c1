"""What stands beside the board, and what the full screen says in words."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from patience import SOON_S
from reversi import Color, Game, Kind, Move, MoveValue, Position, Score, Square, parse_rules
from reversi.engine.engine import Engine, EngineCancelled
from reversi.game.clocks import TimeControl
from reversi.game.ply import Termination
from reversi.game.supply import Supply
from reversi.records import parse_record
from reversi.score import short_score
from reversi.session.players import Side, parse_strength
from reversi.session.session import Flipping, Session
from reversi.solver.solution import MoveScore
from reversi.text.widths import width_of
from reversi.tui.board_drawing import Cell
from reversi.tui.graph import Scale, graph_lines, mark_line
from reversi.tui.panel import move_lines, player_lines, tip_heading, tip_lines
from reversi.tui.sentences import event_text, latest_notes, sentence, status_text, warning_text
from reversi.tui.setup import format_strength, read_setup
from reversi.tui.themes import THEMES
from reversi.tui.thinking import Question, Replied, Thinker
from reversi.tui.values import Values

CLASSIC, RED, ASCII = THEMES["classic"], THEMES["redgreen"], THEMES["ascii"]


def text(lines: list[list[Cell]]) -> list[str]:
    return ["".join(cell.text for cell in line) for line in lines]


def heuristic(value: int, kind: Kind = Kind.HEURISTIC, view: Color = Color.BLACK) -> Score:
    return Score(value, kind, -64, 64, view, depth=8)


# --- players


def test_a_loaded_game_shows_the_players_of_the_record_until_somebody_moves() -> None:
    session = Session()
    session.load(parse_record('[Black "Tastet"]\n[White "Hassan"]\n\n1. f5 d6 *\n'))
    session.begin()  # as the screen does
    lines = text(player_lines(session, CLASSIC, 40))
    assert "Black: Tastet" in lines[0]
    session.play(next(iter(session.position.legal_moves)))
    assert "Black (human)" in text(player_lines(session, CLASSIC, 40))[0]


@pytest.mark.parametrize("width", [18, 22, 30, 40])
def test_east_asian_names_leave_the_discs_in_their_column(width: int) -> None:
    session = Session()
    session.load(parse_record('[Black "高梨 悠介とその友人"]\n[White "Ada"]\n\n1. f5 d6 *\n'))
    session.begin()
    lines = text(player_lines(session, CLASSIC, width))
    assert lines[0].endswith("  3") or lines[0].endswith("  3 ")
    assert ("高" in lines[0]) is (width > 18)
    assert all(width_of(line) <= width for line in lines)
    assert width_of(lines[0]) == width_of(lines[1])


def test_narrow_tips_keep_the_sign_of_values_that_are_not_exact() -> None:
    choices = [
        MoveScore(Square("f5"), heuristic(3).for_best_move(), (Square("f5"), Square("d6"))),
        MoveScore(Square("c4"), MoveValue.exact(-12, Color.BLACK), (Square("c4"),)),
    ]
    wide, middle, narrow = (text(tip_lines(choices, Color.BLACK, CLASSIC, width)) for width in (40, 22, 12))
    assert wide[0].startswith("f5  +3 heuristic, Black ahead")
    assert [line.rstrip() for line in middle] == ["f5  ~+3 Black ahead", "c4  -12 White wins"]
    assert narrow == ["f5  ~+3  d6", "c4  -12"]
    assert text(tip_lines(choices, Color.BLACK, RED, 22))[0].startswith("f5  ~+3 Red ahead")


def test_tips_say_how_many_people_play_a_move() -> None:
    choices = [
        MoveScore(Square("f5"), heuristic(3).for_best_move(), (Square("f5"), Square("d6"))),
        MoveScore(Square("c4"), MoveValue.exact(-12, Color.BLACK), (Square("c4"),)),
    ]
    people: dict[Move, float] = {Square("f5"): 0.875, Square("c4"): 0.004}
    wide, narrow = (text(tip_lines(choices, Color.BLACK, CLASSIC, width, people)) for width in (22 + 7, 12))
    assert [line.rstrip() for line in wide] == ["f5  ~+3 Black ahead   88 %", "c4  -12 White wins     0 %"]
    assert narrow == ["f5  ~+3  d6", "c4  -12"]
    heading = tip_heading(choices, Color.BLACK, CLASSIC, last=True, people=True)
    assert heading == "Tips for Black, depth 8; people at your level"


def test_players_discs_supply_and_whose_turn_it_is() -> None:
    session = Session(sides={Color.WHITE: Side.engine(3)})
    session.play("f5")
    lines = text(player_lines(session, CLASSIC, 40))
    assert lines[0].split() == ["●", "Black", "(human)", "4"]
    assert lines[1].split() == ["▶", "●", "White", "(engine", "level", "3)", "1"]
    assert text(player_lines(session, RED, 40))[0].split() == ["●", "Red", "(human)", "4"]
    assert text(player_lines(session, ASCII, 40))[1].split()[0] == ">"


def test_the_supply_shows_from_the_first_pass_on() -> None:
    """Before, both place in turn, and nobody can run out."""
    session = Session(parse_rules("othello,optional-skip"))
    session.play("f5")
    assert len(player_lines(session, CLASSIC, 40)) == 2
    session.skip()
    lines = text(player_lines(session, CLASSIC, 40))
    assert [line.split() for line in lines[1::2]] == [["supply", "29"], ["supply", "30"]]


def test_clocks_and_handed_discs_beside_the_players() -> None:
    position = Position(parse_rules("othello,board=4x4"))
    game = Game(position, supply=Supply(0, 12))
    session = Session(game, controls=TimeControl(300, 0, 30, 3), now=lambda: 0.0)
    session.begin()
    session.play(position.legal_moves[0])
    lines = text(player_lines(session, CLASSIC, 44))
    assert lines[0].rstrip().endswith("5:00")
    assert lines[1].split() == ["supply", "0,", "received", "1"]


@pytest.mark.parametrize("width", [10, 30, 34, 60])
def test_lines_of_players_are_as_wide_as_the_panel(width: int) -> None:
    session = Session(sides={Color.BLACK: Side.engine(60, time_s=12.5)}, controls=TimeControl(36_000))
    lines = text(player_lines(session, CLASSIC, width))
    if width >= 30:
        assert len(lines[0]) == len(lines[1]) == width


# --- moves


def test_moves_are_numbered_by_turns_of_both_sides() -> None:
    game = Game()
    game.play_all(["f5", "d6", "c3"])
    assert move_lines(game, 16) == [" 1. f5   d6", " 2. c3"]
    assert move_lines(game, 40) == [" 1. f5   d6      2. c3"]
    assert move_lines(Game(), 40) == []


def test_moves_where_white_begins() -> None:
    game = Game(Position().with_to_move(Color.WHITE))
    game.play_all([str(game.position.legal_moves[0])])
    assert move_lines(game, 16)[0].startswith(" 1. ...  ")


def test_marks_of_discs_handed_over_and_flipped_otherwise() -> None:
    small = parse_rules("othello,board=4x4")
    game = Game(small, supply=Supply(0, 12))
    game.play("b1", flips=())
    assert move_lines(game, 16) == [" 1. b1+*"]


# --- tips and the graph


def test_tips_say_score_kind_and_who_is_ahead() -> None:
    position = Position().play("f5")
    moves = [str(move) for move in position.legal_moves]
    choices = [
        MoveScore(
            position.legal_moves[0], heuristic(3, view=Color.WHITE).for_best_move(), tuple(position.legal_moves)
        ),
        MoveScore(position.legal_moves[1], MoveValue.exact(-4, Color.WHITE), ()),
    ]
    lines = text(tip_lines(choices, Color.WHITE, RED, 50))
    assert lines[0].split() == [moves[0], "+3", "heuristic,", "Green", "ahead", *moves[1:]]
    assert lines[1].split() == [moves[1], "-4", "exact,", "Red", "wins"]
    assert max(map(len, text(tip_lines(choices, Color.WHITE, RED, 20)))) <= 20


def test_short_scores_tell_what_is_exact() -> None:
    assert short_score(Score.exact(4, Color.BLACK)) == "+4"
    assert short_score(Score.exact(-64, Color.BLACK)) == "-64"
    assert short_score(heuristic(-12)) == "~-12"
    assert short_score(heuristic(0)) == "~+0"


def test_the_graph_rises_for_black_and_falls_for_white() -> None:
    values = [heuristic(8), heuristic(-8), None, heuristic(4, Kind.EXACT), heuristic(0)]
    lines = text(graph_lines(values, ASCII, 30, 7))
    assert lines[0] == "+0 heuristic depth 8, even"
    assert text(graph_lines(values, ASCII, 25, 7))[0] == "+0 heuristic, even"
    assert text(graph_lines(values, ASCII, 38, 7))[0] == "Evaluation: +0 heuristic depth 8, even"
    assert text(graph_lines(values, ASCII, 60, 7))[0] == "Evaluation: +0 heuristic depth 8, even, scale 8"
    assert (
        "after ply 2: -8 heuristic depth 8, White ahead" in text(graph_lines([*values[:2], None], ASCII, 60, 7))[0]
    )
    assert lines[1:] == [":    ", ":  # ", "-----", " :   ", " :   "]
    blocks = text(graph_lines(values, CLASSIC, 30, 5))
    assert blocks[1:3] == ["█    ", "█  █▁"]
    assert all(len(line) == 5 for line in blocks[1:])
    assert "-8 heuristic depth 8, White ahead" in text(graph_lines(values[:2], ASCII, 60, 7))[0]
    assert text(graph_lines([], ASCII, 30, 7))[0].startswith("Evaluation: no values")


@pytest.mark.parametrize("width", [10, 30, 43, 60, 120])
def test_the_graph_shows_the_whole_game_at_any_width(width: int) -> None:
    values = [heuristic(-20), *[heuristic(1)] * 58, heuristic(30)]
    bars = text(graph_lines(values, ASCII, width, 7))[1:]
    assert max(map(len, bars)) <= width
    scale = Scale(60, width)
    assert bars[0].index(":") == scale.column_of(60)  # Black's last move
    if scale.each == 1:
        assert bars[-2].index(":") == scale.column_of(1)
    for ply in range(1, 61):
        assert 0 <= scale.column_of(ply) < width
        assert ply <= scale.ply_at(scale.column_of(ply)) < ply + scale.each
        mark = mark_line(60, ply, ASCII, width)
        assert len(mark[0].text) == scale.column_of(ply)


def test_the_graph_tells_the_value_of_the_ply_on_the_board() -> None:
    values = [heuristic(8), heuristic(-8), None]
    first = text(graph_lines(values, ASCII, 60, 7, (1, values[0])))[0]
    assert first.startswith("Evaluation after ply 1: +8 heuristic depth 8, Black ahead")
    start = text(graph_lines(values, ASCII, 60, 7, (0, heuristic(0))))[0]
    assert start.startswith("Evaluation at the start: +0 heuristic")
    assert text(graph_lines(values, ASCII, 60, 7, (2, None)))[0] == "Evaluation after ply 2: no value yet"


def test_values_are_noted_or_learned_and_always_blacks() -> None:
    game = Game()
    game.play("f5", evaluation=heuristic(2).for_best_move())
    game.play("d6", evaluation=heuristic(3, view=Color.WHITE).for_best_move())
    game.play("c3")
    values = Values()
    assert [score and score.value for score in values.of(game)] == [2, -3, None]
    assert values.missing(game) == game.position
    values.learn(game.position, heuristic(5, view=Color.WHITE))
    assert [score and score.value for score in values.of(game)] == [2, -3, -5]
    assert values.missing(game) is None


def test_the_surer_value_is_shown() -> None:
    shallow, deep = (replace(heuristic(value), depth=depth) for value, depth in ((2, 4), (6, 12)))
    exact = Score.exact(-4, Color.WHITE, depth=10)
    game = Game()
    game.play("f5", evaluation=shallow.for_best_move())
    values = Values()
    for score in (deep, shallow, exact, deep):
        values.learn(game.position, score)
    values.learn(Position(), shallow)
    assert values.of(game) == [exact.pov(Color.BLACK)]
    noted = Game()
    noted.play("f5", evaluation=deep.for_best_move())
    fresh = Values()
    fresh.learn(noted.position, shallow)
    assert fresh.of(noted) == [deep]


def test_a_finished_game_is_worth_its_result() -> None:
    game = Game(parse_rules("othello,board=4x4"))
    while not game.is_over:
        game.play(game.position.legal_moves[0])
    assert game.result is not None
    last = Values().of(game)[-1]
    assert last is not None
    assert (last.value, last.kind) == (game.result.score, Kind.EXACT)


# --- words


def test_the_state_in_words() -> None:
    session = Session()
    session.begin()
    assert status_text(session, CLASSIC) == "Black to move"
    assert status_text(session, RED) == "Red to move"
    skipping = Session(parse_rules("adjacent,optional-skip"), flipping=Flipping.MANUAL)
    skipping.begin()
    assert status_text(skipping, CLASSIC) == "Black to move; p skips the turn; flip the discs by hand"
    skipping.play("c4")
    assert status_text(skipping, CLASSIC).startswith("Black flips discs")
    session.resign()
    assert status_text(session, CLASSIC).startswith("White wins by resignation, discs 2-2")


def test_the_end_in_words_under_misere() -> None:
    session = Session(parse_rules("othello,board=4x4,misere"))
    while not session.is_over:
        session.play(session.position.legal_moves[0])
    outcome = session.outcome
    assert outcome is not None
    assert outcome.termination is Termination.NORMAL
    said = status_text(session, CLASSIC)
    assert said.startswith("Black wins 6-10 (by 4); ")


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("nothing to take back", "Nothing to take back."),
        ("c3: too late to correct c4", "c3: too late to correct c4."),
        ("Done.", "Done."),
    ],
)
def test_messages_as_sentences(message: str, said: str) -> None:
    assert sentence(message) == said


def test_notes_that_fit_are_whole() -> None:
    notes = ["Black plays c4.", "White has no placement and passes.", "Black plays d5."]
    assert latest_notes(notes, 80, 1) == [" ".join(notes)]
    assert latest_notes(notes, 54, 1) == [" ".join(notes[1:])]
    assert latest_notes(notes, 20, 1) == ["Black plays d5."]
    assert latest_notes(["White has no placement and passes."], 20, 1) == ["White has no ..."]
    assert latest_notes([], 20, 2) == []


def test_a_long_warning_keeps_its_reason() -> None:
    message = f"/a/very/{'long/' * 30}path/games: cannot write: Permission denied"
    said = warning_text([message], 80)
    assert len(said) == 80
    assert said.startswith("Not saved: /a/very/long")
    assert said.endswith("cannot write: Permission denied")
    assert warning_text(["x: cannot write"], 80) == "Not saved: x: cannot write"


def test_events_in_words() -> None:
    said: list[str] = []
    session = Session(parse_rules("adjacent,optional-skip"))
    session.listeners.append(lambda event: said.append(event_text(event, RED)))
    session.play("c4")
    session.skip()
    session.undo()
    session.redo()
    session.resign()
    assert said == [
        "Red c4, flips d4; Green to move.",
        "Green skips the turn; Red to move.",
        "Took back --.",
        "Played -- again.",
        "Red resigns.",
        "",
    ]


# --- the choices of a new game


def test_strengths() -> None:
    assert parse_strength(" 7 ") == Side.engine(7)
    assert parse_strength("level 12") == Side.engine(12)
    assert parse_strength("2 s") == parse_strength("2s") == Side.engine(time_s=2)
    assert parse_strength("0.5 sec") == Side.engine(time_s=0.5)
    assert parse_strength("strong") is None
    assert parse_strength("9000n") == parse_strength("9000 nodes") == Side.engine(nodes=9000)
    for side in (Side.engine(9), Side.engine(time_s=1.5), Side.engine(nodes=9000)):
        assert parse_strength(format_strength(side)) == side


def test_a_setup_begins_a_game() -> None:
    session = Session()
    session.play("f5")
    read_setup(rules="othello,board=6x6", white=True, clock="1:00/-", manual=True, takebacks=False).begin(session)
    assert len(session.game) == 0
    assert str(session.rules) == "othello,board=6x6"
    assert session.flipping is Flipping.MANUAL
    assert not session.takebacks
    assert session.clock is not None
    assert session.clock.controls[Color.WHITE] is None
    read_setup(white=True).begin(session)
    assert session.clock is None
    assert session.flipping is Flipping.AUTOMATIC


# --- thinking


def question(level: int) -> Question:
    """A search from the start."""
    return Question(lambda cancel: Engine(level).choose(Position(), cancel=cancel), lambda found: None)


class Collector:
    """Answers as they come."""

    def __init__(self) -> None:
        self.replies: list[Replied] = []
        self.come = threading.Event()

    def __call__(self, reply: Replied) -> None:
        self.replies.append(reply)
        self.come.set()


def test_the_thinker_answers_the_latest_question() -> None:
    collected = Collector()
    thinker = Thinker(collected)
    slow = question(60)
    thinker.ask(slow)
    assert thinker.request is slow
    quick = question(1)
    thinker.ask(quick)
    assert collected.come.wait(SOON_S)
    assert [reply.request for reply in collected.replies] == [quick]
    assert collected.replies[0].error is None
    assert thinker.request is None
    thinker.close()


def test_a_thinker_that_is_closed_stops() -> None:
    collected = Collector()
    thinker = Thinker(collected)
    thinker.ask(question(60))
    began = time.monotonic()
    thinker.close(20)
    assert time.monotonic() - began < SOON_S
    assert collected.replies == []
    assert thinker._thread is not None
    assert not thinker._thread.is_alive()


def test_errors_are_answers() -> None:
    class Failing:
        def think(self) -> None:
            raise ValueError("no")

        def cancel(self) -> None:
            pass

    collected = Collector()
    thinker = Thinker(collected)
    thinker.ask(Failing())
    assert collected.come.wait(SOON_S)
    assert isinstance(collected.replies[0].error, ValueError)
    thinker.close()


def test_a_cancelled_question_stops_at_once() -> None:
    asked = question(60)
    asked.cancel()
    with pytest.raises(EngineCancelled):
        asked.think()
