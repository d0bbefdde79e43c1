"""The full-screen board, driven by keys and clicks."""

from __future__ import annotations

import asyncio
import re
import threading
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from textual.widgets import Input

from files import new_file
from patience import SOON_S
from reversi import PASS, Color, Game, Kind, Position, parse_rules, tui
from reversi.engine.player import MoveChoice
from reversi.errors import IllegalMoveError
from reversi.game.clocks import TimeControl
from reversi.game.supply import Supply
from reversi.games import Repertoire
from reversi.openings import default_book
from reversi.person.history import History
from reversi.person.history_keeper import HistoryKeeper
from reversi.score import score_text, short_score
from reversi.session.players import Side, Thought, engine_side, parse_side
from reversi.session.session import Flipping, Session
from reversi.text.boards import format_board
from reversi.tui.app import ReversiApp
from reversi.tui.board_drawing import LEAST_SIZE
from reversi.tui.dialogs import AskFile, Confirm
from reversi.tui.editor import Editor
from reversi.tui.play_screen import PlayScreen
from reversi.tui.preferences import Preferences
from reversi.tui.themes import THEMES
from screen_driver import Driver, app_of, drive, driven, engine_plays_white, shown

SMALL = parse_rules("othello,board=4x4")


@pytest.fixture
def slow_engine(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Engines think until the event is set, or until somebody cancels them."""
    event = threading.Event()
    think = Thought.think

    def wait(thought: Thought) -> MoveChoice | None:
        assert event.wait(SOON_S)
        return think(thought)

    monkeypatch.setattr(Thought, "think", wait)
    return event


@driven(lambda: engine_plays_white(level=1))
async def test_the_evaluation_of_the_engine_shows_on_request(driver: Driver) -> None:
    await driver.click("f5")
    await driver.answered()
    assert re.search(r"White [a-h][1-8], flips ", driver.words)
    await driver.press("v")
    await driver.pilot.resize_terminal(120, 40)
    await driver.pilot.pause()
    assert "The engine shows its evaluation after its moves." in driver.words
    await driver.click(str(driver.session.position.legal_moves[0]))
    await driver.answered()
    assert re.search(r"White [a-h][1-8] \(.*\)", driver.words)


def test_a_whole_game_by_mouse() -> None:
    async def script(driver: Driver) -> None:
        session = driver.session
        while not session.is_over:
            await driver.click(str(session.position.legal_moves[0]))
            await driver.answered()
        assert "wins" in driver.words or "draw" in driver.words

    session = engine_plays_white(level=1)
    session.new_game(parse_rules("othello,board=6x6"))
    drive(session, script)
    assert session.game.result is not None
    assert session.position.is_over
    people = [ply for ply in session.game if ply.color is Color.BLACK and not ply.is_pass]
    assert len(people) > 5


@pytest.mark.thorough
@pytest.mark.parametrize("keys", ["arrows", "letters", "tab"])
def test_a_whole_game_by_keys(keys: str) -> None:
    letters = {"up": "k", "down": "j", "left": "h", "right": "l"}

    async def script(driver: Driver) -> None:
        session = driver.session
        while not session.is_over:
            if keys == "tab":
                await driver.press("tab", "space")
            else:
                wanted = session.position.legal_moves[-1]
                assert wanted is not PASS
                now, then = driver.screen.board.cursor, wanted.index
                down, right = then // 8 - now // 8, then % 8 - now % 8
                moves = ["down"] * down + ["up"] * -down + ["right"] * right + ["left"] * -right
                await driver.press(*(moves if keys == "arrows" else [letters[move] for move in moves]), "enter")
            await driver.answered()

    session = engine_plays_white(level=1)
    session.new_game(SMALL)
    drive(session, script)
    assert session.game.result is not None


@pytest.mark.thorough
@driven(lambda: Session(SMALL))
async def test_the_cursor_stays_on_the_board(driver: Driver) -> None:
    await driver.press(*["left"] * 9, *["up"] * 9)
    assert driver.screen.board.cursor == 0
    await driver.press(*["right"] * 9, *["down"] * 9)
    assert driver.screen.board.cursor == 8 * 3 + 3


@driven(engine_plays_white)
async def test_what_is_not_allowed_is_said_and_changes_nothing(driver: Driver) -> None:
    await driver.click("a1")
    assert "a1" in driver.words
    assert "flips nothing" in driver.words
    await driver.click("d4")
    assert "occupied" in driver.words
    assert len(driver.session.game) == 0


@driven(lambda: Session(before_a_pass()))
async def test_forced_passes_happen_by_themselves_and_are_said(driver: Driver) -> None:
    await driver.click("a4")
    assert "White has no placement and passes; Black to" in driver.words
    assert [str(ply.move) for ply in driver.session.game] == ["a4", "--"]
    assert "--" in driver.text("moves")


def before_a_pass() -> Position:
    """Black plays a4, and White has no placement then."""
    game = Game(SMALL)
    game.play_all(["c4", "b4", "a3", "d2"])
    return game.position


def test_keys_take_back_and_play_again() -> None:
    position = before_a_pass()

    async def script(driver: Driver) -> None:
        session = driver.session
        await driver.click("a4")
        before = session.game.moves
        assert before[-1] is PASS
        await driver.press("u")
        assert session.position == position
        assert "Took back" in driver.words
        await driver.press("r")
        assert session.game.moves == before
        await driver.press("ctrl+z")
        assert len(session.game) == 0
        await driver.press("u")
        assert "Nothing to take back." in driver.words
        await driver.press("ctrl+y")
        assert session.game.moves == before

    drive(Session(position), script)


@driven(engine_plays_white)
async def test_undo_while_the_engine_thinks(driver: Driver, slow_engine: threading.Event) -> None:
    session = driver.session
    await driver.press("tab", "enter")
    assert session.engine_to_move
    assert "thinking" in driver.words
    await driver.press("left")  # the screen answers meanwhile
    await driver.press("u")
    assert len(session.game) == 0
    slow_engine.set()
    await driver.pilot.pause(0.2)
    assert len(session.game) == 0  # the answer to what was given up does not come
    await driver.press("enter")
    assert len(session.game) == 0  # left of a legal square
    await driver.press("right", "enter")
    await driver.answered()
    assert len(session.game) == 2


@driven(lambda: Session(takebacks=False))
async def test_a_game_without_takebacks(driver: Driver) -> None:
    await driver.press("tab", "enter", "u")
    assert "Moves cannot be taken back" in driver.words
    assert len(driver.session.game) == 1


@pytest.mark.parametrize("key", ["p", "P"])
def test_skips_only_where_the_rules_allow_them(key: str) -> None:
    async def refused(driver: Driver) -> None:
        assert "p skips" not in driver.words
        assert "Skip" not in shown(driver.app)[-1]
        await driver.press(key)
        assert len(driver.session.game) == 0
        assert "--" in driver.words

    drive(Session(), refused)

    async def allowed(driver: Driver) -> None:
        assert "p skips the turn" in driver.words
        assert "p Skip" in shown(driver.app)[-1]
        await driver.press(key)
        assert [ply.is_skip for ply in driver.session.game] == [True]
        assert "Black skips the turn; White to move." in driver.words
        await driver.press(key)  # not directly after a pass
        assert len(driver.session.game) == 1

    drive(Session(parse_rules("adjacent,optional-skip")), allowed)


def test_the_flag_falls_and_ends_the_game() -> None:
    seconds = [0.0]

    async def script(driver: Driver) -> None:
        await driver.press("tab", "enter")
        assert driver.session.clock is not None
        assert re.search(r"White.*1:00", driver.text("players"))
        seconds[0] += 59.5
        await driver.wait(lambda: bool(re.search(r"White.*0:01", driver.text("players"))))
        seconds[0] += 1
        await driver.wait(lambda: driver.session.is_over)
        assert "White has run out of time." in driver.words
        assert "Black wins by time forfeit" in driver.words
        await driver.press("tab", "enter")
        assert "over" in driver.words

    drive(Session(controls=TimeControl(60), now=lambda: seconds[0]), script)


def test_the_engine_loses_on_time_while_it_thinks(slow_engine: threading.Event) -> None:
    seconds = [0.0]

    async def script(driver: Driver) -> None:
        await driver.press("tab", "enter")
        seconds[0] += 61
        await driver.wait(lambda: driver.session.is_over)
        assert "White has run out of time." in driver.words
        slow_engine.set()
        await driver.pilot.pause(0.2)
        assert len(driver.session.game) == 1

    drive(engine_plays_white(controls=TimeControl(60), now=lambda: seconds[0]), script)


def sentence(driver: Driver) -> str:
    """What is on the screen, its line breaks apart."""
    return " ".join(" ".join(shown(driver.app)).split())


@driven(Session)
async def test_resizing(driver: Driver) -> None:
    sizes = []
    for size in ((80, 24), (100, 30), (140, 45), (200, 60), (52, 16), (80, 24)):
        await driver.pilot.resize_terminal(*size)
        await driver.pilot.pause()
        layout = driver.screen.board.layout_now
        sizes.append((layout.width, layout.height))
        region = driver.screen.board.region
        assert region.size == layout.size
        assert region.right <= size[0]
        assert region.bottom <= size[1] - 3
        assert len(shown(driver.app)) == size[1]
    assert sizes == [(4, 2), (6, 3), (10, 5), (12, 6), (2, 1), (4, 2)]
    await driver.pilot.resize_terminal(LEAST_SIZE[0] - 10, LEAST_SIZE[1])
    await driver.pilot.pause()
    least = f"the full screen needs {LEAST_SIZE[0]}x{LEAST_SIZE[1]}"
    await driver.wait(lambda: least in sentence(driver))
    assert "--ui line" in sentence(driver)
    assert "Black" not in "\n".join(shown(driver.app))
    await driver.pilot.resize_terminal(80, 24)
    await driver.wait(lambda: "Black to move" in "\n".join(shown(driver.app)))
    await driver.click("d3")
    assert len(driver.session.game) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["classic", "ascii"])
@pytest.mark.parametrize("rules", ["othello", "othello,board=4x4", "othello,board=8x4", "othello,board=4x8"])
def test_every_board_fits_every_size(rules: str, theme: str) -> None:
    async def script(driver: Driver) -> None:
        for size in (LEAST_SIZE, (80, 24), (140, 45), (250, 80), (52, 60), (200, 14)):
            await driver.pilot.resize_terminal(*size)
            await driver.wait(lambda size=size: len(shown(driver.app)) == size[1])  # type: ignore[misc]
            lines = shown(driver.app)
            assert not driver.screen.has_class("small")
            assert any("Black to move" in line for line in lines[-4:-2])
            square = str(driver.session.position.legal_moves[0])
            await driver.click(square)
            assert [str(ply.move) for ply in driver.session.game] == [square]
            await driver.press("u")

    drive(Session(parse_rules(rules)), script, size=LEAST_SIZE, theme=theme)


@pytest.mark.thorough
@driven(Session)
async def test_themes_take_turns(driver: Driver) -> None:
    seen = []
    for _ in range(len(THEMES)):
        await driver.press("c")
        seen.append(driver.screen.look.name)
        text = "\n".join(shown(driver.app))
        assert f"{driver.screen.look.names[0]} to move" in text
        assert driver.app.theme == f"reversi-{seen[-1]}"
    assert sorted(seen) == sorted(THEMES)
    await driver.press("C")
    assert driver.screen.look.name == seen[-2]


def test_the_theme_of_the_last_session(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shown_first: list[str] = []

    def run(app: ReversiApp) -> int:
        async def main() -> None:
            async with app.run_test() as pilot:
                await pilot.pause()
                screen = app.screen
                assert isinstance(screen, PlayScreen)
                shown_first.append(screen.look.name)
                await pilot.press("c")
                app.exit(False)

        asyncio.run(main())
        return 0

    monkeypatch.setattr(ReversiApp, "run", run)
    path = tmp_path / "state" / "screen.json"
    environ = {"COLORTERM": "truecolor"}
    for theme in ("", "", "light", ""):
        tui.run(Session(), tui.Terminal(environ, preferences=path, theme=theme))
    assert shown_first == ["classic", "redgreen", "light", "plain"]
    tui.run(Session(), tui.Terminal({**environ, "NO_COLOR": "1"}, preferences=path))
    assert shown_first[-1] == "ascii"


def test_a_theme_that_is_not_kept_is_said(tmp_path: Path) -> None:
    folder = new_file(tmp_path / "state", "a file where the folder should be")

    async def script(driver: Driver) -> None:
        driver.screen.preferences = Preferences(folder / "screen.json")
        await driver.press("c")
        assert "Colors: redgreen" in driver.words
        assert "Not kept: " in driver.words

    drive(Session(), script, size=(140, 45))


@pytest.mark.thorough
@driven(engine_plays_white, theme="ascii")
async def test_the_ascii_theme_is_ascii(driver: Driver) -> None:
    await driver.press("t", "e")
    await driver.press("tab", "enter")
    await driver.answered()
    await driver.wait(driver.told)
    for keys in ([], ["n"], ["question_mark"], ["s"], ["i"], ["b"], ["X"], ["w"]):
        await driver.press(*keys)
        text = "\n".join(shown(driver.app))
        assert text.isascii(), (keys, {sign for sign in text if not sign.isascii()})
        if keys:
            assert driver.app.screen is not driver.screen
            await driver.press("escape")


def test_no_color_leaves_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def script(driver: Driver) -> None:
        await driver.press("c", "c", "c")
        assert driver.screen.look.colorless
        for keys in ([], ["n"], ["s"]):
            await driver.press(*keys)
            screen = driver.app.screen
            filters = [each for each in driver.app._filters if each.enabled]
            for strip in screen._compositor.render_strips():
                segments = list(strip)
                for each in filters:
                    segments = each.apply(segments, screen.background_colors[1])
                for segment in segments:
                    if segment.style is not None:
                        assert segment.style.color is None or segment.style.color.is_default
                        assert segment.style.bgcolor is None or segment.style.bgcolor.is_default
            if keys:
                await driver.press("escape")

    drive(Session(), script, theme="plain", no_color=True)


def test_tips_come_from_the_book_of_the_game() -> None:
    session = Session()
    session.book = default_book()

    async def script(driver: Driver) -> None:
        await driver.press("t")
        await driver.wait(driver.told)
        assert re.search(r"^f5 +[+-]\d+ book", driver.text("tips"), re.MULTILINE)
        tips = driver.screen.advice.tips()
        assert tips is not None
        assert {choice.score.kind for choice in tips.choices} == {Kind.BOOK}

    drive(session, script)


@driven(Session)
async def test_tips_that_stay_for_the_next_game_are_help_there(driver: Driver) -> None:
    await driver.press("t")
    driver.session.new_game()
    driver.screen.update()
    assert driver.session.state.help_used


@driven(Session, size=(100, 40))
async def test_tips_show_every_move_with_its_score_and_kind(driver: Driver) -> None:
    await driver.press("t")
    await driver.wait(driver.told)
    said = driver.text("tips")
    for move in driver.session.position.legal_moves:
        assert re.search(rf"^{move} +[+-]\d+ (exact|heuristic|selective)", said, re.MULTILINE)
    tips = driver.screen.advice.tips()
    assert tips is not None
    text = "\n".join(shown(driver.app))
    assert all(short_score(choice.score) in text for choice in tips.choices)
    await driver.press("t")
    assert not driver.screen.query_one("#tips").display


@driven(lambda: Session(before_a_pass()), size=(100, 40))
async def test_exact_tips_in_the_endgame(driver: Driver) -> None:
    await driver.press("t")
    await driver.wait(driver.told)
    assert "exact" in driver.text("tips")
    assert "~" not in "\n".join(shown(driver.app))


@driven(Session)
async def test_the_graph_fills_in_what_is_not_known(driver: Driver) -> None:
    for _ in range(3):
        await driver.press("tab", "enter")
    await driver.press("e")
    await driver.wait(lambda: driver.screen.advice.values.missing(driver.session.game) is None)
    assert "heuristic depth 8, " in driver.text("graph")
    values = driver.screen.advice.values.of(driver.session.game)
    assert len(values) == 3
    assert None not in values
    await driver.press("e")
    assert not driver.screen.query_one("#graph").display


@driven(lambda: engine_plays_white(level=3, hint_level=10), size=(140, 45))
async def test_tips_and_graph_show_one_value_for_one_position(driver: Driver) -> None:
    for _ in range(3):
        await driver.press("tab", "enter")
        await driver.answered()
    await driver.press("e")
    values = driver.screen.advice.values
    await driver.wait(lambda: values.missing(driver.session.game) is None)
    await driver.press("t")
    await driver.wait(driver.told)
    tips = driver.screen.advice.tips()
    assert tips is not None
    best = tips.choices[0].score
    known = score_text(best.pov(Color.BLACK), depth=True)
    assert re.match(rf"Evaluation: {re.escape(known)}(, scale \d+)?\n", driver.text("graph"))
    assert f"{best}, " in driver.text("tips").splitlines()[1]
    if best.kind is Kind.HEURISTIC:
        assert f", depth {best.depth}" in driver.text("tips").splitlines()[0]


def test_reasons_in_words() -> None:
    position = before_a_pass()
    move = "a4"

    async def script(driver: Driver) -> None:
        await driver.go_to(move)
        await driver.press("w")
        text = "\n".join(shown(driver.app))
        assert f"Black {move}" in text
        assert re.search(r"[+-] [a-z]", text)

    drive(Session(position), script)


def test_the_supply_and_what_is_handed_over() -> None:
    async def script(driver: Driver) -> None:
        move = str(driver.session.position.legal_moves[0])
        await driver.click(move)
        assert "has no disc left" in driver.words
        assert "hands one over" in driver.words
        assert "received 1" in driver.text("players")
        assert f"{move}+" in driver.text("moves")

    position = before_a_pass()
    drive(Session(Game(position, supply=Supply(0, position.empties))), script)


@driven(Session)
async def test_go_plays_one_move_for_a_person(driver: Driver) -> None:
    session = driver.session
    await driver.press("g")
    await driver.wait(lambda: len(session.game) == 1)
    await driver.press("g", "left")
    await driver.wait(lambda: len(session.game) == 2)
    assert not any(side.is_engine for side in session.sides.values())
    await driver.press("u")
    assert len(session.game) == 1


@driven(Session)
async def test_resigning_asks_first_and_a_finished_game_says_what_it_no_longer_has(driver: Driver) -> None:
    await driver.click("d3")
    await driver.press("X", "n")
    assert not driver.session.is_over
    await driver.press("X", "y")
    assert driver.session.is_over
    assert "after ply 1 " in shown(driver.app)[0]
    assert "Black wins by resignation" in driver.words
    await driver.press("t")
    assert "The game is over; tips" in driver.words
    await driver.press("enter")
    assert driver.words.splitlines()[1].startswith("The game is over")
    await driver.press("home")
    assert "press a to review it" in driver.words
    assert "press a to pause" not in driver.words
    await driver.press("u")
    assert not driver.session.is_over


def test_discs_flipped_by_hand_with_a_correction_and_one_that_comes_too_late() -> None:
    async def script(driver: Driver) -> None:
        session = driver.session
        await driver.click("d3")  # flips d4
        assert session.flips_pending
        assert not session.game[0].flips
        assert "flips discs" in driver.words
        await driver.click("e4")  # black already: a wrong disc
        assert [str(square) for square in session.game[0].flips] == ["e4"]
        await driver.click("e4")  # put right again
        await driver.click("d4")
        assert [str(square) for square in session.game[0].flips] == ["d4"]
        await driver.press("d")
        assert session.to_move is Color.WHITE
        await driver.click("d4")  # still in time: White has not moved
        await driver.press("d")
        assert session.game[0].flips == ()  # forgotten now
        await driver.click("c5")  # flips d5 alone
        before = session.position
        await driver.click("d4")
        assert "too late" in driver.words
        assert session.position == before
        await driver.press("d")
        assert "*" in driver.text("moves")
        assert shown(driver.app)[0].rstrip().endswith("ply 3")  # the moves have a name, the position has none

    session = Session(flipping=Flipping.MANUAL)
    drive(session, script)
    nodes = session.record().line.nodes
    assert nodes[0].flips == ()
    with pytest.raises(IllegalMoveError):
        session.position.play("d3")


def test_two_engines_play_to_the_end() -> None:
    async def script(driver: Driver) -> None:
        await driver.wait(lambda: driver.session.is_over)

    sides = {color: Side.engine(1) for color in Color}
    session = Session(SMALL, sides=sides)
    drive(session, script)
    assert session.game.result is not None


def two_engines(**more: object) -> Session:
    return Session(SMALL, sides={color: Side.engine(1) for color in Color}, **more)  # type: ignore[arg-type]


@pytest.mark.thorough
@driven(two_engines)
async def test_two_engines_are_paused_stepped_and_taken_back(driver: Driver, slow_engine: threading.Event) -> None:
    session = driver.session
    assert "a Pause" in shown(driver.app)[-1]
    await driver.press("a")
    slow_engine.set()
    await driver.pilot.pause(0.1)
    assert len(session.game) == 0  # what was thought about meanwhile is not played
    assert "Paused, Black to move" in driver.words
    assert "a Continue" in shown(driver.app)[-1]
    for count in (1, 2, 3):
        await driver.press("g")
        await driver.wait(lambda count=count: len(session.game) == count)  # type: ignore[misc]
        await driver.pilot.pause(0.1)
        assert len(session.game) == count
        assert session.is_paused
    moves = session.game.moves
    await driver.press("u", "u")
    assert session.game.moves == moves[:1]
    assert "Took back" in driver.words
    await driver.press("r")
    assert session.game.moves == moves[:2]
    await driver.press("end")
    assert session.game.moves == moves
    await driver.press("home")
    assert len(session.game) == 0
    await driver.press("a")
    await driver.wait(lambda: session.is_over)


@driven(two_engines)
async def test_taking_back_pauses_two_engines(driver: Driver, slow_engine: threading.Event) -> None:
    slow_engine.set()
    await driver.wait(lambda: driver.session.is_over)
    count = len(driver.session.game)
    await driver.press("u")
    await driver.pilot.pause(0.1)
    assert len(driver.session.game) < count
    assert "Paused" in driver.words
    await driver.press("g", "u")  # a step that is given up again
    await driver.pilot.pause(0.1)
    assert driver.session.is_paused


@driven(two_engines)
async def test_a_step_pauses_two_engines_that_play(driver: Driver, slow_engine: threading.Event) -> None:
    await driver.press("g")
    slow_engine.set()
    await driver.wait(lambda: len(driver.session.game) == 1)
    await driver.pilot.pause(0.1)
    assert len(driver.session.game) == 1
    assert driver.session.is_paused


def test_a_game_against_the_engine_is_paused_with_its_clocks() -> None:
    seconds = [0.0]

    async def script(driver: Driver) -> None:
        session = driver.session
        await driver.press("a")
        seconds[0] += 100
        await driver.pilot.pause(0.2)
        assert not session.is_over
        await driver.press("tab", "enter")  # a move continues
        await driver.answered()
        assert not session.is_paused
        assert len(session.game) == 2

    drive(engine_plays_white(controls=TimeControl(60), now=lambda: seconds[0]), script)


def test_messages_are_whole_sentences() -> None:
    async def script(driver: Driver) -> None:
        while not driver.session.is_over:
            count = len(driver.session.game)
            await driver.press("g")
            await driver.wait(lambda count=count: len(driver.session.game) > count)  # type: ignore[misc]
            said = driver.words.splitlines()[1:]
            assert re.match(r"(Black|White) ([a-f][1-6]|has|skips)", said[0]), said

    sides = {color: Side.engine(1) for color in Color}
    drive(Session(parse_rules("othello,board=6x6"), sides=sides), script, size=(60, 20))


@pytest.mark.thorough
def test_leaving_while_the_engine_thinks_says_how(slow_engine: threading.Event) -> None:
    async def interrupted(key: str) -> bool | None:
        slow_engine.clear()
        app = app_of(engine_plays_white(level=30))
        async with app.run_test() as pilot:
            await pilot.press("tab", "enter")
            await pilot.press(key)
            slow_engine.set()
            await pilot.pause()
        return app.return_value

    assert asyncio.run(interrupted("q")) is False
    assert asyncio.run(interrupted("ctrl+c")) is True


@pytest.mark.parametrize("key", ["b", "n", "s", "i", "question_mark"])
def test_ctrl_c_leaves_from_every_box(key: str) -> None:
    async def interrupted() -> bool | None:
        app = app_of(Session())
        async with app.run_test() as pilot:
            await pilot.press(key)
            await pilot.press("ctrl+c")
            await pilot.pause()
        return app.return_value

    assert asyncio.run(interrupted()) is True


@driven(Session, theme="redgreen", size=(120, 40))
async def test_the_words_say_red_and_green_everywhere(driver: Driver) -> None:
    assert "Red to move" in driver.words
    text = "\n".join(shown(driver.app))
    assert "Green (human)" in text
    await driver.press("i")
    box = "\n".join(shown(driver.app))
    assert "Red" in box
    text += box
    await driver.press("escape", "w")
    text += "\n".join(shown(driver.app))
    await driver.press("escape", "b")
    text += "\n".join(shown(driver.app))
    assert not re.search(r"\b(Black|White)\b", text)


@driven(lambda: Session(parse_rules("othello,optional-skip")))
async def test_the_line_about_the_turn_says_that_the_ply_before_was_a_pass(driver: Driver) -> None:
    await driver.press("p")
    assert "White to move, after a pass" in driver.words


def test_a_bot_that_fails_pauses_the_game() -> None:
    class Failing:
        def choose(self, position: object, clock: object = None) -> str:
            raise ZeroDivisionError("oops")

    async def script(driver: Driver) -> None:
        await driver.click("f5")
        await driver.wait(lambda: driver.session.is_paused)
        assert "Bot: raised ZeroDivisionError: oops." in driver.words
        assert [str(ply.move) for ply in driver.session.game] == ["f5"]

    drive(Session(sides={Color.WHITE: Side.of(Failing(), name="bot")}), script)


@pytest.mark.thorough
def test_the_history_shows_after_a_game_and_is_analyzed_meanwhile(tmp_path: Path) -> None:
    history = History(tmp_path / "history.json")

    async def main() -> None:
        session = Session(sides={Color.BLACK: parse_side("human:Ada"), Color.WHITE: engine_side("auto")})
        keeper = HistoryKeeper(session, history)
        app = app_of(session, results=keeper)
        async with app.run_test(size=(80, 24)) as pilot:
            driver = Driver(app, pilot)
            assert "Black (Ada)" in driver.text("players")
            for _ in range(3):
                await driver.click(str(session.position.legal_moves[0]))
                await driver.answered()
            await driver.press("X", "y")
            assert "The next game is" in driver.words
            assert "H shows your history." in " ".join(driver.words.split())
            assert f"{driver.screen.look.names[0]} resigns. " in driver.words
            await driver.press("H")
            await driver.wait(lambda: history.games[0].losses is not None)
            for size in ((120, 40), (80, 24)):
                await pilot.resize_terminal(*size)
                await pilot.pause()
                screen = "\n".join(shown(app))
                for text in (
                    "Ada",
                    "1 game against engines",
                    "beginner-1",
                    "Mistakes:",
                    "Mean loss:",
                    "on auto:",
                ):
                    assert text in screen, screen
            await driver.press("escape")
            assert app.screen is driver.screen
            app.exit(False)

    asyncio.run(main())


def test_the_name_in_the_dialog_is_kept(tmp_path: Path) -> None:
    preferences = Preferences(tmp_path / "screen.json")
    preferences.keep("theme", "wood")

    async def main() -> None:
        session = engine_plays_white()
        app = app_of(session, preferences=preferences)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("n")
            await pilot.pause()
            line = app.screen.query_one("#name", Input)
            line.value = "Ada"
            await pilot.resize_terminal(120, 40)
            await pilot.press("f5")
            await pilot.pause()
            assert session.sides[Color.BLACK].name == "Ada"
            assert session.record().tags["Black"] == "Ada"
            app.exit(False)

    asyncio.run(main())
    assert preferences.name == "Ada"
    assert preferences.theme


@pytest.mark.parametrize("key", ["escape", "f5"])
def test_the_clock_stands_behind_the_dialog_of_a_new_game_only(key: str) -> None:
    seconds = [0.0]

    async def script(driver: Driver) -> None:
        session = driver.session
        assert session.clock is not None
        seconds[0] += 50  # nobody has moved yet
        await driver.press("tab", "enter")
        await driver.answered()
        seconds[0] += 20
        await driver.press("question_mark")
        seconds[0] += 20
        await driver.press("escape", "n")
        seconds[0] += 50
        await driver.pilot.pause(0.2)
        assert session.clock.time_left(Color.BLACK) == 20
        await driver.press(key)
        seconds[0] += 15
        assert not session.is_paused
        assert session.clock is not None
        assert session.clock.time_left(Color.BLACK) == (5 if key == "escape" else 60)

    drive(engine_plays_white(controls=TimeControl(60), now=lambda: seconds[0]), script)


@pytest.mark.parametrize("key", ["o", "b"])
@driven(Session)
async def test_a_game_in_progress_is_left_only_after_a_question(driver: Driver, key: str) -> None:
    await driver.press(key)  # nothing is lost yet
    assert isinstance(driver.app.screen, Editor if key == "b" else AskFile)
    await driver.press("escape", "tab", "enter")
    position = format_board(Position())
    for answer, plies in (("n", 1), ("y", 0)):
        await driver.press(key)
        if key == "b":
            await driver.press("s", "f")
        else:
            driver.app.screen.query_one(Input).value = position
            await driver.press("enter")
        assert isinstance(driver.app.screen, Confirm)
        await driver.press(answer)
        assert driver.app.screen is driver.screen
        assert len(driver.session.game) == plies


def holding_the_tiger() -> Session:
    session = engine_plays_white(level=1)
    session.hold = Repertoire.read("Tiger")
    return session


@driven(holding_the_tiger)
async def test_who_leaves_an_opening_to_hold_is_said(driver: Driver) -> None:
    await driver.click("f5")
    await driver.answered()
    assert "White d6, flips d5; Black to move." in driver.words
    await driver.click("c5")
    await driver.answered()
    assert "Black leaves the opening: c5 instead of c3." in driver.words
    assert re.search(r"White [a-h][1-8], flips ", driver.words)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (52, 14)])
def test_the_cursor_of_the_terminal_is_at_the_sentence_of_the_last_turn(size: tuple[int, int]) -> None:
    def line(driver: Driver) -> str:
        column, row = driver.app.cursor_position
        return shown(driver.app)[row][column:].rstrip()

    async def script(driver: Driver) -> None:
        assert line(driver) == "Black to move"
        await driver.click("f5")
        assert line(driver) == "Black f5, flips e5; White to move."
        await driver.press("colon")
        await driver.press("d", "6")
        assert not line(driver).startswith("Black f5")  # in the box it is at what is typed
        await driver.press("enter")
        assert "White d6, flips" in line(driver)

    drive(Session(), script, size=size)
