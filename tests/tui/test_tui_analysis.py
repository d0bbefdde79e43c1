"""The analysis of a game on the full screen, driven without a terminal."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from textual.widgets import Input, Static

from patience import SOON_S
from random_games import random_game
from reversi import (
    Cancel,
    Color,
    Game,
    Kind,
    Position,
    Searcher,
    Session,
    Side,
    Solver,
    Square,
    parse_rules,
)
from reversi.analysis import Analysis, AnalyzedTurn, analyze
from reversi.analysis.exercises import read_deck
from reversi.analysis.exercises.drill import Queue
from reversi.engine import Engine
from reversi.openings import default_book
from reversi.person.game_review import GameReview
from reversi.person.lesson import Lesson, parse_lesson
from reversi.render.report.words import reasons
from reversi.score import score_text
from reversi.session.sentences import remark_lines
from reversi.tui.analysis_lines import place_lines, trial_lines, turn_lines, whole
from reversi.tui.analysis_screen import AnalysisScreen
from reversi.tui.app import ReversiApp
from reversi.tui.exercise_screen import ExerciseScreen
from reversi.tui.graph import Scale
from reversi.tui.keys import ANALYSIS_KEYS, board_keys
from reversi.tui.play_screen import PlayScreen
from reversi.tui.themes import THEMES
from reversi.tui.widgets import Lines
from screen_driver import Driver, drive, driven, resized, shown
from sittings import sitting

pytestmark = pytest.mark.thorough  # each test starts an application

RULES = parse_rules("othello,board=6x6")
finished = partial(random_game, "othello,board=6x6", 3)


def played(**more: object) -> Session:
    return Session(finished(), hint_level=4, **more)  # type: ignore[arg-type]


def text(screen: AnalysisScreen, name: str) -> str:
    return screen.query_one(f"#{name}", Lines).text


async def opened(driver: Driver) -> AnalysisScreen:
    """Press a after the game, and wait for the last analysis."""
    await driver.press("a")
    screen = driver.app.screen
    assert isinstance(screen, AnalysisScreen)
    await driver.wait(lambda: screen.analysis is not None and screen._thinking_level is None)
    return screen


def test_a_finished_game_is_analyzed() -> None:
    known = analyze(finished(), level=4)
    worst = max(known.mistakes, key=lambda turn: turn.loss)

    async def script(driver: Driver) -> None:
        assert "a reviews it" in driver.words
        screen = await opened(driver)
        assert screen.analysis is not None
        assert [turn.loss for turn in screen.analysis.turns] == [turn.loss for turn in known.turns]
        assert screen.ply == worst.ply - 1
        assert f"Review – after ply {worst.ply - 1} of {len(known.moves)}" in text(screen, "title")
        assert f"plays {worst.move}{worst.judgement.sign if worst.judgement else ''}:" in text(screen, "turn")
        assert f"Loses {worst.loss} discs" in text(screen, "turn")
        assert text(screen, "words") == "Level 4"
        x, y = driver.app.cursor_position
        assert shown(driver.app)[y][x:].startswith(text(screen, "turn").split("\n")[0])
        assert f"▶ {worst.ply:2} {worst.mover} {worst.move}" in text(screen, "mistakes")
        assert f" -{worst.loss}" in text(screen, "mistakes")
        for color in Color:
            assert f"{color}: mean loss {known.sides[color].mean_loss:.1f}" in text(screen, "sides")
        lines = shown(driver.app)
        assert len(lines) == 30
        assert any("Best line" in line for line in lines)
        assert f"after ply {worst.ply - 1}" in text(screen, "graph")

    drive(played(), script, size=(100, 30))


@driven(played)
async def test_stepping_through_the_game_and_its_mistakes(driver: Driver) -> None:
    known = analyze(finished(), level=4)
    plies = [turn.ply - 1 for turn in known.mistakes]
    assert len(plies) > 2
    screen = await opened(driver)
    await driver.press("home")
    assert screen.ply == 0
    await driver.press("left")
    assert screen.ply == 0
    await driver.press("right", "l")
    assert screen.ply == 2
    await driver.press("end", "right")
    assert screen.ply == len(known.moves)
    assert text(screen, "turn") == ""
    seen = []
    for _ in plies:
        await driver.press("down")
        seen.append(screen.ply)
    assert seen == plies
    await driver.press("up", "k")
    assert screen.ply == plies[-3]
    position = screen._position()
    assert position == known.turn(plies[-3] + 1).position


@driven(played)
async def test_the_best_line_on_the_board(driver: Driver) -> None:
    known = analyze(finished(), level=4)
    worst = max(known.mistakes, key=lambda turn: turn.loss)
    screen = await opened(driver)
    await driver.press("b")
    assert screen.line == worst.pv
    assert screen._position() == worst.position.play(worst.pv[0])
    assert f"best line, ply 1 of {len(worst.pv)}" in text(screen, "title")
    await driver.press("end")
    position = worst.position
    for move in worst.pv:
        position = position.play(move)
    assert screen._position() == position
    await driver.press("home", "right")
    assert screen._position() == worst.position.play(worst.pv[0])
    await driver.press("b")
    assert screen.line == ()
    assert screen._position() == worst.position
    await driver.press("b", "down")
    assert screen.line == ()


@driven(played)
async def test_trying_again_from_a_mistake(driver: Driver) -> None:
    known = analyze(finished(), level=4)
    worst = max(known.mistakes, key=lambda turn: turn.loss)
    await opened(driver)
    await driver.press("r")
    assert driver.app.screen is driver.screen
    assert driver.session.position == worst.position
    assert driver.session.game.moves == known.moves[: worst.ply - 1]
    assert not driver.session.sides[worst.mover].is_engine
    assert not driver.session.is_over
    square = worst.best[0]
    await driver.go_to(str(square))
    await driver.press("enter")
    assert driver.session.game.moves[worst.ply - 1] == square


@driven(played)
async def test_at_the_end_there_is_nothing_to_try_again(driver: Driver) -> None:
    screen = await opened(driver)
    await driver.press("end", "r")
    assert driver.app.screen is screen
    await driver.press("escape")
    assert driver.app.screen is driver.screen
    assert driver.session.is_over


@driven(lambda: played(sides={Color.WHITE: Side.engine(1)}, seed=1))
async def test_the_engine_takes_the_other_side(driver: Driver) -> None:
    known = analyze(finished(), level=4)
    white = next(turn for turn in known.mistakes if turn.mover is Color.WHITE)
    screen = await opened(driver)
    screen.ply = white.ply - 1
    await driver.press("enter")
    assert not driver.session.sides[Color.WHITE].is_engine
    assert driver.session.sides[Color.BLACK].is_engine
    assert driver.session.position == white.position


@pytest.mark.parametrize("key", ["escape", "q", "a"])
def test_leaving_stops_the_analysis(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, stopped = threading.Event(), threading.Event()

    def waiting(
        self: GameReview,
        level: int,
        after: Analysis | None,
        *,
        cancel: Cancel,
        progress: Callable[[AnalyzedTurn], None],
    ) -> Analysis:
        """An analysis that waits until it is cancelled."""
        assert not begun.is_set()
        whole = analyze(finished(), level=2)
        progress(whole.turns[-1])
        begun.set()
        with cancel.ends(stopped.set):
            assert stopped.wait(SOON_S)
        return whole

    monkeypatch.setattr(GameReview, "analyze", waiting)

    async def script(driver: Driver) -> None:
        await driver.press("a")
        screen = driver.app.screen
        assert isinstance(screen, AnalysisScreen)
        await driver.wait(begun.is_set)
        await driver.wait(lambda: len(screen._done) == 1)
        assert "analyzing… 0 of" in text(screen, "words")  # a screen reader would say every number
        await driver.press("left", "down", "b", "home", "right")  # nothing is known yet
        assert screen.ply == 1
        await driver.press(key)
        assert driver.app.screen is driver.screen
        await driver.wait(stopped.is_set)

    drive(played(), script)
    assert not any(thread.name == "reversi-thinker" and thread.is_alive() for thread in threading.enumerate())


def test_moves_of_the_book_of_the_game_are_marked() -> None:
    async def script(driver: Driver) -> None:
        screen = await opened(driver)
        assert screen.analysis is not None
        assert [turn.book for turn in screen.analysis.turns] == [True] * 3
        await driver.press("home")
        assert "In the opening book." in text(screen, "turn")

    game = Game()
    game.play_all(["f5", "d6", "c3"])
    game.resign()
    session = Session(game, hint_level=3)
    session.book = default_book()
    drive(session, script)


@driven(lambda: Session(finished(), hint_level=11))
async def test_a_deeper_analysis_follows_the_first(driver: Driver) -> None:
    screen = await opened(driver)
    assert screen.analysis is not None
    assert screen.analysis.level == 11
    assert text(screen, "words") == "Level 11"


def test_a_game_without_moves_has_no_analysis() -> None:
    game = Game(RULES)
    game.resign()

    async def script(driver: Driver) -> None:
        await driver.press("a")
        assert driver.app.screen is driver.screen
        assert "no moves to analyze" in driver.words

    drive(Session(game), script)


@pytest.mark.parametrize("size", [(52, 14), (80, 24), (200, 60)])
@pytest.mark.parametrize("theme", ["classic", "ascii"])
@driven(played)
async def test_every_size_and_theme(driver: Driver, size: tuple[int, int], theme: str) -> None:
    screen = await opened(driver)
    await driver.press("question_mark", "escape")
    lines = shown(driver.app)
    assert len(lines) == size[1]
    assert all(len(line) <= size[0] for line in lines)
    assert "Review" in lines[0]
    assert text(screen, "turn")
    if theme == "ascii":
        assert all(line.isascii() for line in lines)


def test_the_keys_in_the_bar() -> None:
    labels = {key.shown.split()[0]: key.label for key in board_keys(played()) if key.label}
    assert labels["a"] == "Review"
    session = Session()
    session.begin()
    labels = {key.shown.split()[0]: key.label for key in board_keys(session) if key.label}
    assert "a" not in labels
    assert [key.label for key in ANALYSIS_KEYS if key.label][-1] == "Back"


# --- a review that answers


async def click(driver: Driver, where: str, x: int, y: int) -> None:
    assert await driver.pilot.click(where, offset=(x, y))
    await driver.pilot.pause()


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@driven(played)
async def test_a_click_on_the_graph_goes_to_the_ply(driver: Driver, size: tuple[int, int]) -> None:
    screen = await opened(driver)
    scale = Scale(len(finished()), screen.side_width)
    for ply in (1, 10, len(finished())):
        await click(driver, "#graph", scale.column_of(ply), 2)
        assert screen.ply == scale.ply_at(scale.column_of(ply))
        heading, *bars, mark = text(screen, "graph").splitlines()
        assert mark == " " * scale.column_of(ply) + "^"
        assert screen.analysis is not None
        value = screen.analysis.values[screen.ply]
        assert value is not None
        assert f"{value:+d}" in heading  # of the ply on the board
        assert max(map(len, bars)) <= screen.side_width
    await resized(driver.pilot)


@driven(played)
async def test_a_click_on_a_mistake_or_a_move_goes_there(driver: Driver) -> None:
    known = analyze(finished(), level=4)
    screen = await opened(driver)
    assert text(screen, "mistakes").startswith("Turning points (Tab):")
    ply = screen.ply
    await click(driver, "#mistakes", 5, 0)
    assert screen.ply == ply
    for number in (1, 2, 1):
        line = text(screen, "mistakes").splitlines()[number]
        turn = next(turn for turn in known.mistakes if f"{turn.ply:2} {turn.mover}" in line)
        await click(driver, "#mistakes", 5, number)
        assert screen.ply == turn.ply - 1
    await resized(driver.pilot)
    await driver.press("home", "m")
    assert text(screen, "mistakes").startswith(" 1. ")
    row = text(screen, "mistakes").splitlines()[0]
    for ply in (2, 3):
        await click(driver, "#mistakes", row.index(str(known.moves[ply - 1])), 0)
        assert screen.ply == ply
    await driver.press("end")
    last = text(screen, "mistakes").splitlines()[-1]
    assert str(known.moves[-1]) in last
    await resized(driver.pilot)
    await driver.press("m")
    assert "best" in text(screen, "mistakes")


@driven(played)
async def test_any_legal_move_can_be_tried_by_mouse(driver: Driver) -> None:
    screen = await opened(driver)
    screen.go_to(10)
    position = screen._position()
    for scored in Engine(4).hint(position, 64)[:3]:
        move = scored.move
        await click(driver, "#board", *screen.board.layout_now.center_of(move.index))
        await driver.wait(lambda: "tries" in text(screen, "turn") and "Best reply" in text(screen, "turn"))
        said = " ".join(text(screen, "turn").split())
        assert f"tries {move}: {scored.score.value:+d}" in said
        assert f"Best reply: {scored.pv[1]}. {' '.join(map(str, scored.pv[:3]))}" in said
        assert f"trial {move}" in text(screen, "title")
        await driver.press("left")
        assert screen.line == ()
        assert screen._position() == position
    await click(driver, "#board", *screen.board.layout_now.center_of(move.index))
    await resized(driver.pilot)
    reply = next(iter(screen._position().legal_moves))
    await click(driver, "#board", *screen.board.layout_now.center_of(reply.index))
    assert screen.line[:2] == (move, reply)
    occupied = Square("c3")
    await click(driver, "#board", *screen.board.layout_now.center_of(occupied.index))
    assert "c3 is not a legal move here." in text(screen, "words")
    await driver.press("home")
    assert screen.line == ()
    assert driver.session.game.moves == finished().moves  # the game is as it was


@driven(played)
async def test_a_move_can_be_tried_by_keys(driver: Driver) -> None:
    screen = await opened(driver)
    screen.go_to(10)
    move = next(iter(screen._position().legal_moves))
    await driver.press("t", "x", "enter")
    assert driver.app.screen is not screen
    await driver.press("backspace", *str(move), "enter")
    assert driver.app.screen is screen
    assert screen.line[0] == move


@driven(played)
async def test_an_illegal_trial_is_refused_without_the_board(driver: Driver) -> None:
    screen = await opened(driver)
    screen.go_to(0)
    await driver.press("t", "d", "4", "enter")
    said = str(driver.app.screen.query_one(".failure", Static).render())
    assert said == "d4: the square is occupied"


@pytest.mark.parametrize("name", ["redgreen", "safe"])
def test_reasons_name_the_sides_as_the_theme_does(name: str) -> None:
    """In the review, in a trial, and in the values beside them."""
    theme, analysis = THEMES[name], analyze(finished(), level=4)
    said = []
    for turn, following in pairwise(analysis.turns):
        choices = Engine(2).hint(turn.position, 60)
        said += turn_lines(turn, following, theme, 80)
        said += trial_lines(turn.position, choices[-1].move, choices, theme, 80)
    words = "\n".join("".join(cell.text for cell in line) for line in said)
    assert re.search(rf"(lets|leaves|gives|keeps|makes) {theme.names[0]}\b", words)
    assert not re.search(r"\b(Black|White)\b", words)


def test_the_reasons_of_the_better_move_look_along_its_line() -> None:
    """Black plays b1 and has a1 in the end: the C-square costs nothing."""
    position = Position.parse("--X-O-XX-OOOOXXX-OOOXXOX-OXOXXOX-OXXOOXXOOXOOOXX-OOXXXXX-OOOOOOO X")
    line = position.parse_moves("b1 f1 d1 -- a8 a7 a1")
    turn = replace(analyze(finished(), level=1).turns[0], position=position, move=Square("a2"))
    for pv, said in ((line[:1], True), (line, False)):
        known = replace(turn, best=(line[0],), pv=tuple(pv))
        lines = turn_lines(known, None, THEMES["classic"], 200)
        words = " ".join(cell.text for cells in lines for cell in cells)
        assert ("b1 is a C-square" in words) == said
        given = {"move": "a2", "best": ["b1"], "pv": [str(move) for move in pv]}
        assert any("b1 is a C-square" in text for _, text in reasons(given, position, ())) == said


@driven(played, size=(100, 40))
async def test_reasons_stand_beside_the_board(driver: Driver) -> None:
    known = analyze(finished(), level=4)
    worst = max(known.mistakes, key=lambda turn: turn.loss)
    screen = await opened(driver)
    said = " ".join(text(screen, "turn").split())
    for move, better in ((worst.move, worst.best[0]), (worst.best[0], None)):
        for remark in remark_lines(worst.position, move, 1, better=better):
            assert f"{move} {remark}" in said
    await resized(driver.pilot)


def test_after_wrong_flips_the_value_is_that_of_the_board() -> None:
    """The graph and the best move beside it speak of one position."""
    game = Game(RULES)
    game.play(game.position.legal_moves[0], flips=[])
    while len(game) < 20:
        game.play(game.position.legal_moves[0])
    analysis = analyze(game, level=4)
    first, second = analysis.turns[:2]
    assert first.flips == ()
    assert first.score.pov(Color.BLACK).value != second.best_score.pov(Color.BLACK).value
    said = "\n".join(
        "".join(cell.text for cell in line) for line in place_lines(analysis, game, 1, THEMES["classic"], 60, 8)
    )
    assert score_text(second.best_score.pov(Color.BLACK), depth=True) in said
    words = " ".join(cell.text for line in turn_lines(first, second, THEMES["classic"], 80) for cell in line)
    assert "Flipped against the rules" in words
    assert "Flipped against" not in " ".join(
        cell.text for line in turn_lines(second, None, THEMES["classic"], 80) for cell in line
    )


def test_a_review_leads_with_three_turning_points_of_ones_own(tmp_path: Path) -> None:
    session, keeper = sitting(tmp_path, Color.BLACK)
    known = analyze(session.game, level=4)
    points = sorted((turn for turn in known.mistakes if turn.mover is Color.BLACK), key=lambda turn: -turn.loss)[
        :3
    ]
    assert len(points) == 3
    assert len(known.mistakes) > 3

    async def script(driver: Driver) -> None:
        screen = await opened(driver)
        rows = text(screen, "mistakes").splitlines()
        assert rows[0] == "Turning points (Tab):"
        for row, turn in zip(rows[1:], points, strict=False):
            assert row[2:].startswith(f"{turn.ply:2} Black {turn.move}")
        for number, turn in enumerate(points, 1):
            assert screen.ply == turn.ply - 1
            assert f"turning point {number} of 3" in text(screen, "title")
            said = " ".join(text(screen, "turn").split())
            assert f"Loses {turn.loss} disc" in said
            assert "Rule: " in said
            lines = shown(driver.app)
            assert [len(line) for line in lines] == [80] * 24
            await driver.press("tab")
        assert screen.ply == points[0].ply - 1
        await driver.press("shift+tab")
        assert screen.ply == points[2].ply - 1
        await driver.press("home", "shift+tab")
        assert screen.ply == points[2].ply - 1
        await driver.press("home", "tab")
        assert screen.ply == points[0].ply - 1
        first = screen._first
        others = [turn for turn in known.mistakes if turn not in points]
        while screen.ply != others[-1].ply - 1:
            await driver.press("down")
        assert f"▶ {others[-1].ply:2} " in text(screen, "mistakes")
        assert screen._first > first
        for size in ((120, 40), (56, 16), (80, 24)):
            await driver.pilot.resize_terminal(*size)
            await driver.pilot.pause()
            await driver.press("tab")
            assert "Turning points (Tab):" in text(screen, "mistakes") or size == (56, 16)
            assert "Rule: " in text(screen, "turn") or size == (56, 16)

    drive(session, script, results=keeper)


def test_a_review_that_was_left_is_there_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session, keeper = sitting(tmp_path, Color.BLACK)

    def searched(*_: object, **__: object) -> None:
        raise AssertionError("a position is searched again")

    async def script(driver: Driver) -> None:
        screen = await opened(driver)
        await driver.wait(lambda: "exercises from this game." in text(screen, "words"))
        await driver.press("escape")
        for kind, name in ((Searcher, "search"), (Solver, "ask")):
            monkeypatch.setattr(kind, name, searched)
        again = await opened(driver)
        await driver.wait(lambda: "exercises from this game." in text(again, "words"))
        assert again.analysis is not None
        assert again.analysis == screen.analysis

    drive(session, script, results=keeper)


def test_turning_points_become_exercises_without_a_command(tmp_path: Path) -> None:
    session, keeper = sitting(tmp_path, Color.BLACK)
    deck = tmp_path / "training" / "exercises.json"

    async def script(driver: Driver) -> None:
        screen = await opened(driver)
        await driver.wait(lambda: "exercises from this game." in text(screen, "words"))
        exercises = read_deck(deck)
        assert f"{len(exercises)} exercises from this game." in text(screen, "words")
        played = {(turn.position, turn.move) for turn in screen.points}
        assert {(exercise.position, exercise.played) for exercise in exercises} <= played
        assert exercises[0].origin.black == "Ada"
        screen.go_to(0)
        await driver.press("x")
        await driver.wait(lambda: screen._made == "That move is no mistake.")
        assert len(read_deck(deck)) == len(exercises)
        other = (
            max(
                (turn for turn in screen.analysis.mistakes if turn.mover is Color.WHITE),
                key=lambda turn: turn.loss,
            )
            if screen.analysis is not None
            else screen.points[0]
        )
        screen.go_to(other.ply - 1)
        await driver.press("x")
        await driver.wait(lambda: screen._made == f"1 exercise from ply {other.ply}.")
        assert read_deck(deck)[-1].position == other.position
        await driver.press("end", "x")
        assert "There is no move to make an exercise of." in text(screen, "words")
        await driver.press("f")
        asking = driver.app.screen
        assert isinstance(asking, ExerciseScreen)
        await driver.wait(lambda: not asking._making)
        card, course = asking.drill.card, asking.drill.course
        assert card is not None
        assert isinstance(course, Queue)
        assert card.position == screen.points[0].position
        assert {each.position.to_move for each in course._cards} == {Color.BLACK}
        assert course.count > len(exercises)

    drive(session, script, results=keeper)


def test_a_damaged_collection_is_reported_and_stays(tmp_path: Path) -> None:
    session, keeper = sitting(tmp_path, Color.BLACK)
    deck = tmp_path / "training" / "exercises.json"
    deck.parent.mkdir()
    deck.write_text("{", encoding="utf-8")

    async def script(driver: Driver) -> None:
        screen = await opened(driver)
        await driver.wait(lambda: "not a deck of exercises" in screen._made)
        assert screen.analysis is not None

    drive(session, script, results=keeper)
    assert deck.read_text(encoding="utf-8") == "{"


def test_the_turn_on_the_board_deepens_before_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    rest = threading.Event()
    whole = GameReview.analyze

    def slow(self: GameReview, level: int, after: Analysis | None = None, **more: Any) -> Analysis:
        progress = more.pop("progress")
        points = {point.ply for point in self.turning_points(after)} if after is not None else set()

        def progressed(turn: AnalyzedTurn) -> None:
            progress(turn)
            points.discard(turn.ply)
            if level == 12 and not points:
                assert rest.wait(SOON_S)

        return whole(self, level, after, progress=progressed, **more)

    monkeypatch.setattr(GameReview, "analyze", slow)
    game = finished()

    async def script(driver: Driver) -> None:
        await driver.press("a")
        screen = driver.app.screen
        assert isinstance(screen, AnalysisScreen)
        await driver.wait(lambda: screen.analysis is not None and set(screen._point_plies) <= {*screen._done})
        assert "Level 10, level 12: analyzing… " in text(screen, "words")
        assert screen.analysis is not None
        assert screen.analysis.level == 10
        for ply, turn in screen._done.items():
            screen.go_to(ply - 1)
            assert screen.turn() is turn
            says_level = " at level 12." in " ".join(text(screen, "turn").split())
            assert says_level is not (turn.forced or turn.best_score.kind is Kind.EXACT)
        assert "Turning points (Tab), level 12:" in text(screen, "mistakes")
        assert "All mistakes, level 10:" in text(screen, "mistakes")
        rest.set()
        await driver.wait(lambda: screen._thinking_level is None)
        assert text(screen, "words") == "Level 12"
        assert "evel" not in text(screen, "turn") + text(screen, "mistakes")  # all values are of one level

    drive(Session(game, hint_level=12), script, size=(100, 70))


def test_a_lesson_of_the_mistakes(tmp_path: Path) -> None:
    file = tmp_path / "lesson.pgn"

    async def script(driver: Driver) -> None:
        screen = await opened(driver)
        for _ in range(2):
            await driver.press("W")
            driver.app.screen.query_one("#text", Input).value = str(file)
            await driver.press("enter")
        assert "exists already" in " ".join(shown(driver.app))
        await driver.press("escape")
        assert screen.analysis is not None

    drive(played(), script)
    steps = parse_lesson(file.read_text(encoding="utf-8"))
    assert 0 < len(steps) <= 10
    lesson = Lesson(0, steps)
    for step in steps:
        (wrong,) = [move for move in step.lines if move not in step.right]
        assert "was played, and loses" in lesson.answer(wrong).text
        assert lesson.answer(lesson.step.solution).right
        lesson.go(1)


@driven(played)
async def test_back_from_a_line_to_the_review_and_from_there_to_the_game(driver: Driver) -> None:
    screen = await opened(driver)
    await driver.press("b")
    assert "best line" in text(screen, "title")
    await driver.press("escape")
    assert "turning point 1" in text(screen, "title")
    screen.take(screen.turn().pv[:1])  # type: ignore[union-attr]
    assert screen.trying
    await driver.press("escape")
    assert driver.app.screen is screen
    assert not screen.trying
    await driver.press("escape")
    assert driver.app.screen is driver.screen


@driven(played, size=(60, 20))
async def test_nothing_is_cut_off_in_a_narrow_terminal(driver: Driver) -> None:
    """A title leaves out its last parts, a mistake what it has room for, a turn whole reasons."""
    screen = await opened(driver)
    for ply in range(len(screen._plies)):
        screen.go_to(ply)
        await driver.pilot.pause()
        assert len(text(screen, "title")) <= 60
        wide = screen.side_width
        turn = screen.query_one("#turn", Lines)
        assert turn.content_size.height >= len(turn.text.splitlines())  # all that is given is seen
        for name in ("turn", "mistakes"):
            assert max(map(len, text(screen, name).splitlines()), default=0) <= wide
        everything = turn_lines(screen.turn(), screen.turn(1), screen.look, wide, turning_point=True)
        for line in text(screen, "mistakes").splitlines():
            assert re.fullmatch(r".*:|.* -\d+(, \w+ lost)?(; best \w\w)?", line)
        for room in range(1, len(everything) + 1):
            kept = whole(everything, room)
            assert not any(cells[0].text.startswith("  ") for cells in everything[len(kept) : len(kept) + 1])


@pytest.mark.parametrize(("keys", "ends"), [(("escape",), True), (("home", "r"), False)])
def test_the_view_that_the_program_began_with_ends_it(keys: tuple[str, ...], ends: bool) -> None:
    async def main() -> None:
        app = ReversiApp(partial(PlayScreen, played(), pace=0, view="review"), "classic")
        async with app.run_test(size=(80, 24)) as pilot:
            while not isinstance(app.screen, AnalysisScreen):
                await pilot.pause(0.01)
            await pilot.press(*keys)
            await pilot.pause()
            assert app._exit is ends

    asyncio.run(main())


@driven(lambda: Session(Game().play_all("f5d6c3d3c4"), hint_level=1))
async def test_a_game_without_an_end_is_reviewed(driver: Driver) -> None:
    await driver.press("A")
    assert "a pauses the game; A then reviews it." in driver.words
    await driver.press("a")
    assert "A Review" in shown(driver.app)[-1]
    await driver.press("A")
    screen = driver.app.screen
    assert isinstance(screen, AnalysisScreen)
    await driver.wait(lambda: screen.analysis is not None)
    await driver.press("escape")
    assert driver.app.screen is driver.screen
    assert len(driver.session.game) == 5
