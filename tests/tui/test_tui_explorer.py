"""The explorer on the full screen, driven without a terminal."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from textual.widgets import Input

from explorer_samples import make_database, whole_game
from reversi import Color, Game, Move, Position, Session, Side, Square
from reversi.engine import Engine
from reversi.explorer import Column
from reversi.game.clocks import TimeControl
from reversi.games.repertoire import Repertoire
from reversi.openings import default_book
from reversi.openings.names import opening_named
from reversi.people import move_chances
from reversi.person.history_keeper import HistoryKeeper
from reversi.records import format_record, parse_record, record_from_game
from reversi.solver import MoveScore
from reversi.tui.analysis_screen import AnalysisScreen
from reversi.tui.dialogs import Reading
from reversi.tui.editor import Editor
from reversi.tui.explorer_screen import ExplorerScreen
from reversi.tui.game_list import AskFilter, GameList
from reversi.tui.keys import EXPLORER_KEYS
from reversi.tui.peek_screen import PeekScreen
from reversi.tui.widgets import Lines
from screen_driver import Driver, drive, driven, resized, shown

pytestmark = pytest.mark.thorough  # each test starts an application

TIGER = "f5d6c3d3c4"
SIZES = ((80, 24), (120, 40), (56, 16), (80, 24))


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_database(tmp_path_factory.mktemp("explorer"))


def tiger(**more: object) -> Session:
    session = Session(Game().play_all(TIGER), hint_level=8, **more)  # type: ignore[arg-type]
    session.book = default_book()
    return session


def explorer(driver: Driver) -> ExplorerScreen:
    screen = driver.app.screen
    assert isinstance(screen, ExplorerScreen)
    return screen


async def looked(driver: Driver) -> ExplorerScreen:
    """Wait for the last table of the position."""
    screen = explorer(driver)
    await driver.wait(lambda: screen.table is not None and screen.table.last)
    return screen


async def opened(driver: Driver) -> ExplorerScreen:
    await driver.press("slash")
    return await looked(driver)


def table(driver: Driver) -> list[list[str]]:
    return [line.removeprefix("▶").split() for line in lines(driver, "table")[1:]]


def lines(driver: Driver, name: str) -> list[str]:
    return explorer(driver).query_one(f"#{name}", Lines).text.splitlines()


@driven(tiger)
async def test_the_table_beside_the_board(driver: Driver, database: Path) -> None:
    hints = Engine(8).hint(opening_named("Tiger").position, 64)
    screen = await opened(driver)
    assert screen.table is not None
    assert lines(driver, "table")[0].split() == ["move", "value", "book", "games", "points", "score", "years"]
    assert lines(driver, "title") == [" Explore – Tiger opening – after ply 5"]
    rows = table(driver)
    assert [row[0] for row in rows] == [str(row.move) for row in screen.table.sorted_by(Column.VALUE)]
    assert {row[0]: row[1] for row in rows} == {str(hint.move): f"~{hint.score.value:+d}" for hint in hints}
    book = default_book().moves(opening_named("Tiger").position)
    assert {row[0]: row[2] for row in rows if row[0] != "g6"} == {
        str(choice.move): f"~{choice.score.value:+d}" for choice in book
    }
    f4 = next(row for row in rows if row[0] == "f4")
    assert f4[3] == "3"
    assert f4[-1] == "91-95"
    assert lines(driver, "words")[0] == "Values heuristic depth 8; 4 games"
    assert "heuristic depth 8" in lines(driver, "details")[1]
    before = table(driver)
    await resized(driver.pilot)
    assert table(driver) == before
    assert any("~" in line and "▗" in line for line in shown(driver.app))  # values on the board
    await driver.press("escape")
    assert driver.app.screen is driver.screen


@driven(tiger)
async def test_a_trial_line_does_not_touch_the_game(driver: Driver, database: Path) -> None:
    saved = format_record(driver.session.record())
    screen = await opened(driver)
    first = screen.rows[0].move
    await driver.press("enter")
    await looked(driver)
    assert screen.trial.line == (first,)
    assert f"trial {first}" in lines(driver, "title")[0]
    await resized(driver.pilot, (120, 40), (80, 24))
    second = screen.rows[1].move
    await driver.press("down", "space")
    await looked(driver)
    assert screen.trial.line == (first, second)
    await driver.press("left", "left", "left")
    assert screen.trial.line == ()
    assert len(screen.trial.game) == 4
    await driver.press("right")
    assert (screen.trial.line, len(screen.trial.game)) == ((), 5)
    x, y = screen.board.layout_now.center_of(Square("f4").index)
    assert await driver.pilot.click("#board", offset=(x, y))
    await driver.pilot.pause()
    assert [str(move) for move in screen.trial.line] == ["f4"]
    await driver.press("home")
    assert (screen.trial.line, len(screen.trial.game)) == ((), 5)
    assert await driver.pilot.click("#board", offset=screen.board.layout_now.center_of(0))
    assert "a1" in "\n".join(lines(driver, "words"))  # not a legal move
    await driver.press("slash")
    assert driver.app.screen is driver.screen
    assert driver.session.game.moves == Game().play_all(TIGER).moves
    assert format_record(driver.session.record()) == saved


@driven(tiger)
async def test_rows_and_headings_can_be_clicked(driver: Driver, database: Path) -> None:
    screen = await opened(driver)
    for size in ((80, 24), (120, 40)):
        await driver.pilot.resize_terminal(*size)
        await driver.pilot.pause()
        heading = lines(driver, "table")[0]
        for column in (Column.GAMES, Column.BOOK, Column.YEARS, Column.MOVE):
            assert await driver.pilot.click("#table", offset=(heading.index(str(column)), 0))
            await driver.pilot.pause()
            assert screen.column is column
            assert [row[0] for row in table(driver)] == [
                str(row.move)
                for row in screen.table.sorted_by(column)  # type: ignore[union-attr]
            ]
    await driver.press("o", "o", "O")
    assert screen.column is Column.BOOK
    chosen = screen.rows[2].move
    assert await driver.pilot.click("#table", offset=(3, 3))
    await driver.pilot.pause()
    assert screen.trial.line == (chosen,)


@driven(tiger)
async def test_a_line_is_kept_as_a_variation(driver: Driver, database: Path) -> None:
    screen = await opened(driver)
    await driver.press("v")
    assert "No move was tried" in lines(driver, "words")[1]
    await driver.press("left", "left")
    await looked(driver)
    await driver.press("end")
    x, y = screen.board.layout_now.center_of(Square("g5").index)
    await driver.pilot.click("#board", offset=(x, y))
    await looked(driver)
    await driver.press("v")
    assert "The line is kept" in lines(driver, "words")[1]
    await driver.press("v")
    assert "kept already" in lines(driver, "words")[1]
    await resized(driver.pilot)
    await driver.press("escape")
    assert "(2... g5)" in format_record(driver.session.record())
    assert driver.session.game.moves == Game().play_all(TIGER).moves


@driven(tiger)
async def test_a_filter_of_players_and_years(driver: Driver, database: Path) -> None:
    screen = await opened(driver)
    await driver.press("f")
    ask = driver.app.screen
    assert isinstance(ask, AskFilter)
    await driver.press(*"cy")
    ask.query_one("#year", Input).value = "nonsense"
    await driver.press("enter")
    assert driver.app.screen is ask
    assert any("nonsense" in line for line in shown(driver.app))
    ask.query_one("#year", Input).value = "1990-1993"
    await resized(driver.pilot)
    await driver.press("enter")
    await looked(driver)
    assert lines(driver, "words")[0].endswith("; 1 game; only player cy, year 1990-1993")
    assert screen.table is not None
    assert screen.table.exploration is not None
    assert screen.table.exploration.games == 1
    await driver.press("f", "escape")
    assert driver.app.screen is screen


def test_the_games_that_passed_here(database: Path) -> None:
    async def script(driver: Driver) -> None:
        screen = await opened(driver)
        await driver.wait(lambda: screen.table is not None and screen.table.exploration is not None)
        screen._list_games([record_from_game(driver.session.game)], driver.session.position)  # as of too many
        await driver.pilot.pause()
        assert "4 games that passed here; the first 1" in "\n".join(shown(driver.app))
        await driver.press("escape", "g")
        await driver.wait(lambda: isinstance(driver.app.screen, GameList))
        await resized(driver.pilot)
        text = "\n".join(shown(driver.app))
        assert "4 games that passed here" in text
        assert "1991        *  Bob - Ada" in text
        await driver.press(*"ada cy")
        assert sum(" - " in line for line in shown(driver.app)) == 2
        await driver.press("down", "enter")
        assert driver.app.screen is driver.screen
        assert driver.session.state.names == {"Black": "Ada", "White": "Cy"}
        assert driver.session.position == opening_named("Tiger").position
        assert driver.session.game.can_redo == 3
        assert driver.session.is_replay

    session = Session()
    session.load(record_from_game(Game().play_all(TIGER)))
    drive(session, script, database=database)


@driven(tiger)
async def test_a_game_of_the_database_stands_beside_one_in_progress(driver: Driver, database: Path) -> None:
    driver.session.play("f4")
    await opened(driver)
    await driver.press("left")
    await looked(driver)
    await driver.press("g")
    await driver.wait(lambda: isinstance(driver.app.screen, GameList))
    await driver.press("enter")
    assert isinstance(driver.app.screen, PeekScreen)
    await driver.press("escape")
    assert driver.session.game.moves == Game().play_all(TIGER + "f4").moves
    assert not driver.session.is_replay


def test_without_a_database_the_panel_tells_how_to_get_one(tmp_path: Path) -> None:
    async def script(driver: Driver) -> None:
        screen = await opened(driver)
        assert lines(driver, "table")[0].split() == ["move", "value", "book"]
        for size in ((80, 24), (120, 40), (60, 20)):
            await resized(driver.pilot, size)
            said = " ".join(lines(driver, "details"))
            assert "no database: 'reversi db import PATH...' makes a database of your game files" in said
        await driver.press("g")
        await driver.wait(lambda: bool(screen._note) and "Looking" not in screen._note)
        assert screen.table is not None
        assert screen._note.casefold().rstrip(".") == screen.table.problem.casefold()

    drive(tiger(), script)
    drive(tiger(), script, database=tmp_path / "no.duckdb")


@pytest.mark.parametrize("name", ["no.duckdb", f"{'long' * 60}.duckdb"])
def test_where_a_database_that_somebody_named_is_missing_the_panel_names_it(name: str) -> None:
    async def script(driver: Driver) -> None:
        screen = await opened(driver)
        for size in ((80, 24), (120, 40), (60, 20)):
            await resized(driver.pilot, size)
            said = " ".join(lines(driver, "details"))
            assert name[:9] in said
            assert "no such file; 'reversi db import PATH...' makes a database of your game files" in said
            assert len(lines(driver, "details")) <= screen.query_one("#details", Lines).size.height

    drive(tiger(), script, database=Path(name), database_named=True)


def test_without_duckdb_the_panel_tells_how_to_get_it(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)

    async def script(driver: Driver) -> None:
        await opened(driver)
        assert "pip install" in " ".join(lines(driver, "details"))
        assert len(table(driver)) == 6

    drive(tiger(), script, database=database)


def test_the_moves_of_a_repertoire_are_marked() -> None:
    mine = Repertoire([parse_record("1. f5 d6 2. c3 d3 3. c4 b3 {the sharp one} *")])

    async def script(driver: Driver) -> None:
        screen = await opened(driver)
        assert [row[0] for row in table(driver) if "*" in row[0]] == ["b3*"]
        while screen.rows[screen.at].move != Move.parse("b3"):
            await driver.press("down")
        assert "* in the repertoire: the sharp one" in lines(driver, "details")
        await resized(driver.pilot)

    drive(tiger(), script, repertoire=mine)


def test_people_at_the_persons_level_are_a_column() -> None:
    session = tiger(sides={Color.WHITE: Side.engine("people-1400")})
    keeper = HistoryKeeper(session, None)

    async def script(driver: Driver) -> None:
        screen = await opened(driver)
        assert "people" in lines(driver, "table")[0]
        chances = move_chances(screen.trial.position, 1400)
        assert {row.move: row.people for row in screen.rows} == chances
        best = max(chances, key=lambda move: chances[move])
        assert f"{100 * chances[best]:.0f} %" in next(line for line in lines(driver, "table") if str(best) in line)
        await resized(driver.pilot)

    drive(session, script, results=keeper)


@driven(tiger)
async def test_the_engine_looks_deeper(driver: Driver) -> None:
    screen = await opened(driver)
    await driver.press("d")
    assert screen.rows[0].value is not None  # the values stay until better ones come
    shown: list[str] = []

    def deep() -> bool:
        shown.append(lines(driver, "words")[0])
        return screen.table is not None and screen.table.last

    await driver.wait(deep)
    depths = [int(text.partition("depth ")[2].split("…")[0].split(";")[0]) for text in shown]
    assert depths == sorted(depths)  # never less deep than before
    assert depths[-1] == 12


@driven(lambda: Session(whole_game(), hint_level=8))
async def test_the_end_of_a_game(driver: Driver) -> None:
    screen = await opened(driver)
    assert "The game is over" in lines(driver, "table")[0]
    await driver.press("enter", "down")
    await driver.press("left")
    await looked(driver)
    assert screen.rows[0].value is not None
    assert "exact" in lines(driver, "words")[0]
    await driver.press("question_mark")
    assert isinstance(driver.app.screen, Reading)
    await driver.press("escape", "escape")


@driven(lambda: tiger(controls=TimeControl(300)), size=(100, 30))
async def test_a_timed_game_has_no_explorer_and_no_tips(driver: Driver) -> None:
    for key in ("slash", "t", "e", "w", "g"):
        await driver.press(key)
        assert driver.app.screen is driver.screen
        assert "off in a game with a clock" in driver.words
    assert not driver.screen.tips_wanted
    assert not driver.screen.graph_wanted
    await driver.press("X", "y")
    await opened(driver)
    assert "Help" not in driver.session.record().tags


@driven(lambda: tiger(controls=TimeControl(300), help_allowed=True))
async def test_a_timed_game_with_help_says_so_in_its_record(driver: Driver, database: Path) -> None:
    await opened(driver)
    await driver.press("escape")
    assert driver.session.record().tags["Help"] == "explorer"
    await driver.press("t")
    assert driver.session.record().tags["Help"] == "explorer, hints"


@driven(tiger)
async def test_a_new_timed_game_begins_without_tips(driver: Driver) -> None:
    await driver.press("t")
    assert driver.screen.tips_wanted
    driver.session.new_game(controls=TimeControl(300))
    driver.screen.update()
    assert not driver.screen.tips_wanted


def test_the_explorer_of_the_editor_and_of_an_analysis(database: Path) -> None:
    async def script(driver: Driver) -> None:
        await driver.press("b", "slash")
        screen = await looked(driver)
        assert screen.trial.position == driver.session.position
        assert not any(key.action == "keep" for key in EXPLORER_KEYS if f"{key.label}" in shown(driver.app)[-1])
        await driver.press("escape")
        assert isinstance(driver.app.screen, Editor)
        await driver.press("c", "slash")
        assert isinstance(driver.app.screen, Editor)
        assert "Cannot explore from here" in "\n".join(shown(driver.app))
        await driver.press("escape")

    drive(tiger(), script, database=database)

    async def of_analysis(driver: Driver) -> None:
        await driver.press("a")
        analysis = driver.app.screen
        assert isinstance(analysis, AnalysisScreen)
        await driver.press("home", "right", "right", "slash")
        screen = await looked(driver)
        assert screen.trial.position == whole_game().positions[2]
        await driver.press("escape")
        assert driver.app.screen is analysis

    drive(Session(whole_game(), hint_level=4), of_analysis, database=database)


def test_the_engine_of_the_game_moves_behind_the_explorer(monkeypatch: pytest.MonkeyPatch) -> None:
    looking = threading.Event()

    def choose(self: Engine, position: Position, *args: object, **more: object) -> MoveScore:
        assert looking.wait(60)
        return chosen(self, position, *args, **more)  # type: ignore[arg-type]

    chosen = Engine.choose
    monkeypatch.setattr(Engine, "choose", choose)

    async def script(driver: Driver) -> None:
        await driver.press("slash")
        assert explorer(driver).trial.game
        looking.set()
        await driver.answered()
        assert len(driver.session.game) == 6
        assert len(explorer(driver).trial.game) == 5
        await driver.press("escape")
        assert "White f4, flips" in driver.words

    drive(tiger(sides={Color.WHITE: Side.engine(4)}), script)


@pytest.mark.slow
def test_a_thousand_positions_leave_no_threads_and_no_memory(database: Path) -> None:
    statm = Path("/proc/self/statm")
    if not statm.exists():
        pytest.skip("the memory of a process is read from /proc")

    def memory_mb() -> float:
        return int(statm.read_text().split()[1]) * 4096 / 2**20

    async def script(driver: Driver) -> None:
        await driver.press("slash")
        screen = explorer(driver)
        before = (0, 0.0)
        for number in range(1100):
            if number == 100:  # whatever is loaded once is there now
                before = (threading.active_count(), memory_mb())
            await driver.wait(lambda: screen.table is not None)
            if screen.trial.line:
                screen.action_step(-1)
            else:
                screen.action_play()
        await looked(driver)
        threads, memory = threading.active_count(), memory_mb()
        assert threads <= before[0]
        assert memory < before[1] + 16
        await driver.press("escape")
        await driver.wait(lambda: not any(thread.name == "reversi-thinker" for thread in threading.enumerate()))

    drive(tiger(), script, database=database)
