"""New games, files, the position editor and the other boxes of the full-screen board."""

from __future__ import annotations

from functools import partial
from itertools import product
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the extra tui is not installed")

from textual import events
from textual.containers import VerticalScroll
from textual.widgets import Input, Static

from books import write_book
from files import new_file
from reversi import Color, Game, Position, Square, parse_rules
from reversi.game.clocks import TimeControl
from reversi.openings import default_book
from reversi.openings.names import opening_named
from reversi.records import format_record, parse_record
from reversi.records.formats.pgn.reader import read_records
from reversi.session.players import Side
from reversi.session.saving import SessionFolder
from reversi.session.session import Flipping, Session
from reversi.tui.dialogs import AskText, Reading
from reversi.tui.editor import Editor
from reversi.tui.fields import Choice, PasteLine
from reversi.tui.keys import BOARD_KEYS, EDITOR_KEYS, MANUAL_KEYS
from reversi.tui.new_game import NewGame
from screen_driver import Driver, drive, driven, engine_plays_white, shown

pytestmark = pytest.mark.thorough  # each test starts an application


def failure(driver: Driver) -> str:
    return str(driver.app.screen.query_one(".failure", Static).render())


async def fill(driver: Driver, field: str, text: str) -> None:
    """Write into a line of the dialog that is open."""
    widget = driver.app.screen.query_one(f"#{field}", Input)
    widget.focus()
    widget.value = text[:-1]
    await driver.pilot.pause()
    await driver.press("end", text[-1])


async def choose(driver: Driver, field: str, value: str) -> None:
    """Take an option with the arrow keys."""
    widget = driver.app.screen.query_one(f"#{field}", Choice)
    widget.focus()
    for _ in range(20):
        if widget.value == value:
            return
        await driver.press("right")
    raise AssertionError(f"{field} has no {value}")


@driven(engine_plays_white)
async def test_a_new_game_with_everything(driver: Driver) -> None:
    await driver.press("n")
    assert isinstance(driver.app.screen, NewGame)
    await choose(driver, "preset", "othello,board=6x6")
    assert driver.app.screen.query_one("#rules", Input).value == "othello,board=6x6"
    assert "6 rows, 6 columns" in "\n".join(shown(driver.app))
    await fill(driver, "rules", "othello,board=4x4,misere")
    assert driver.app.screen.query_one("#preset", Choice).value == "own"
    assert "fewest" in "\n".join(shown(driver.app))
    await choose(driver, "black", "")
    await choose(driver, "white", "yes")
    await fill(driver, "strength", "3")
    await fill(driver, "clock", "2:00+1")
    await choose(driver, "theme", "redgreen")
    await choose(driver, "takebacks", "")
    await driver.press("f5")
    assert driver.app.screen is driver.screen
    session = driver.session
    assert str(session.rules) == "othello,board=4x4,misere"
    assert session.sides[Color.BLACK].level == 3
    assert not session.sides[Color.WHITE].is_engine
    assert session.clock is not None
    assert str(session.clock.controls[Color.WHITE]) == "2:00+1"
    assert not session.takebacks
    assert session.flipping is Flipping.AUTOMATIC
    assert driver.screen.look.name == "redgreen"
    await driver.answered()
    assert len(session.game) == 1


@driven(engine_plays_white)
async def test_a_new_game_by_enter_keeps_the_choices(driver: Driver) -> None:
    await driver.press("tab", "enter")
    await driver.answered()
    await driver.press("n", "enter")
    assert driver.app.screen is driver.screen
    assert len(driver.session.game) == 0
    assert driver.session.sides[Color.WHITE].level == 1
    assert driver.session.clock is None


@driven(Session)
async def test_what_is_wrong_is_said_and_can_be_changed(driver: Driver) -> None:
    await driver.press("tab", "enter")
    for field, text, why in (
        ("rules", "chess", "chess"),
        (
            "strength",
            "99",
            "level must be 1 to 60, beginner-1 to beginner-7, people-1100 to people-1700, or club-1 to club-3",
        ),
        ("strength", "strong", "write a level"),
        ("clock", "soon", "soon"),
        ("opening", "Nobody's opening", "Nobody"),
        ("opening", "missing/file.pgn", "no such file"),
        ("opening", "f5f5", "f5"),
        ("book", "standard, missing.book", "missing.book: no such file"),
    ):
        await driver.press("n")
        await fill(driver, field, text)
        await driver.press("f5")
        assert isinstance(driver.app.screen, NewGame)
        assert why in failure(driver)
        await driver.press("escape")
        assert driver.app.screen is driver.screen
        assert len(driver.session.game) == 1


@pytest.mark.parametrize(
    ("text", "plies"), [("Tiger", len(opening_named("Tiger").moves)), ("balanced 3", 8), ("f5 d6 c3", 3)]
)
def test_openings(text: str, plies: int) -> None:
    async def script(driver: Driver) -> None:
        await driver.press("n")
        await fill(driver, "opening", text)
        await driver.press("f5")
        assert len(driver.session.game) == plies, driver.words

    session = Session(tags={"Date": "1999.12.31"})
    drive(session, script)
    assert session.tags["Date"] > "1999.12.31"
    assert session.state.from_start is (text != "f5 d6 c3")
    assert session.tags.get("Opening") == ("Tiger" if text == "Tiger" else None)
    if text == "Tiger":
        assert session.game.moves == opening_named("Tiger").moves


def test_a_new_game_with_a_book(tmp_path: Path) -> None:
    path = tmp_path / "my own.book"
    write_book(path, {})

    async def script(driver: Driver) -> None:
        await driver.press("n")
        assert driver.app.screen.query_one("#book", Input).value == "standard"
        await fill(driver, "book", f"{path}, standard")
        await driver.press("f5")
        assert driver.session.book is not None
        assert driver.session.book.names == (str(path), "standard")
        await driver.press("n")
        await fill(driver, "rules", "othello,misere")  # where the book says nothing: it stays for the next game
        await driver.press("f5")
        assert driver.session.book.names == (str(path), "standard")
        assert str(driver.session.rules) == "othello,misere"
        await driver.press("n")
        await fill(driver, "book", f"{path}")
        await driver.press("f5")
        assert "a book for othello, not for othello,misere" in failure(driver)
        driver.app.screen.query_one("#book", Input).value = ""
        await driver.press("f5")
        assert driver.app.screen is driver.screen
        assert driver.session.book is None

    session = Session()
    session.book = default_book()
    drive(session, script)


def test_what_a_file_notes_about_an_opening_stays_there(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"
    path.write_text('[Black "Ann"]\n\n1. f5 {[%clk 0:00:03] Odd.} d6 {[%clk 0:00:04]} 2. c3 *\n', encoding="utf-8")

    async def script(driver: Driver) -> None:
        await driver.press("n")
        await fill(driver, "opening", f"{path}@2")
        await fill(driver, "clock", "5:00")
        await driver.press("f5")
        assert len(driver.session.game) == 2

    session = Session()
    drive(session, script)
    assert session.clock is not None
    assert session.clock.state(Color.WHITE).main_s == 300
    text = format_record(session.record())
    assert not any(word in text for word in ("Odd", "clk", "Ann", "c3"))


@driven(Session)
async def test_an_opening_of_other_rules_is_refused(driver: Driver) -> None:
    await driver.press("n")
    await fill(driver, "rules", "othello,start=parallel")
    await fill(driver, "opening", "Tiger")
    await driver.press("f5")
    assert "Tiger" in failure(driver)
    assert "othello,start=parallel" in failure(driver)


@driven(Session)
async def test_what_is_typed_into_a_field_goes_to_its_end(driver: Driver) -> None:
    await driver.press("n", "tab")
    field = driver.app.screen.focused
    assert field is driver.app.screen.query_one("#rules", Input)
    await driver.press(*",misere")
    assert field.value == "othello,misere"
    for preset in ("othello,board=6x6", "adjacent"):
        await choose(driver, "preset", preset)
        await driver.press("tab", *",misere")
        assert field.value == f"{preset},misere"


@driven(Session)
async def test_manual_flipping_from_the_dialog(driver: Driver) -> None:
    await driver.press("n")
    await choose(driver, "manual", "yes")
    await choose(driver, "white", "yes")
    await driver.press("f5")
    assert driver.session.flipping is Flipping.MANUAL
    await driver.click("d3")
    assert driver.session.flips_pending


# --- files


def test_saving_and_opening(tmp_path: Path) -> None:
    path = tmp_path / "game.pgn"

    async def save(driver: Driver) -> None:
        for _ in range(3):
            await driver.press("tab", "enter")
        await driver.press("s")
        assert isinstance(driver.app.screen, AskText)
        await fill(driver, "text", str(path))
        await driver.press("enter")
        assert driver.app.screen is driver.screen
        assert "Saved" in driver.words
        await driver.press("s")  # the name stands there
        await driver.press("enter")
        assert "Saved" in driver.words
        assert path.read_text(encoding="utf-8").count("[Event") == 1

    first = Session()
    drive(first, save)
    record = parse_record(path.read_text(encoding="utf-8"))
    assert record.moves == first.game.moves
    assert record.result == "*"

    async def load(driver: Driver) -> None:
        await driver.press("o")
        await fill(driver, "text", f"{path}#1@2")
        await driver.press("enter")
        assert driver.app.screen is driver.screen
        assert driver.session.game.moves == first.game.moves[:2]
        assert driver.session.game.can_redo == 1
        assert "ply 2 of 3" in driver.words
        await driver.press("r")
        assert driver.session.game.moves == first.game.moves

    drive(Session(), load)


RECORD = """\
[Event "Final"]
[Black "Ann Archer"]
[White "Ben Baker"]

1. f5 d6 2. c3 d3 3. c4 *
"""


def test_an_opened_game_waits_for_its_reader(tmp_path: Path) -> None:
    path = new_file(tmp_path / "final.pgn", RECORD)
    kept = tmp_path / "games"

    async def script(driver: Driver) -> None:
        session = driver.session
        await driver.press("o")
        await fill(driver, "text", f"{path}#1@3")
        await driver.press("enter")
        await driver.pilot.pause(0.1)
        assert len(session.game) == 3  # it is the engine's turn
        assert "Recorded game, ply 3 of 5" in driver.words
        assert "Black: Ann Archer" in driver.text("players")
        assert "White: Ben Baker" in driver.text("players")
        for key, count in (("u", 2), ("u", 1), ("r", 2), ("r", 3), ("r", 4), ("home", 0), ("end", 5), ("u", 4)):
            await driver.press(key)
            await driver.pilot.pause(0.05)
            assert len(session.game) == count
        for keys in (["enter"], ["g"], ["p"], ["X"], ["tab", "enter"]):
            await driver.press(*keys)
            assert driver.app.screen is driver.screen
            assert len(session.game) == 4
            assert "a continues" in driver.words
        assert "Black: Ann Archer" in driver.text("players")
        assert not list(kept.glob("*"))
        await driver.press("u", "a")
        await driver.answered()
        assert [str(move) for move in session.game.moves[:3]] == ["f5", "d6", "c3"]
        assert len(session.game) == 4
        assert "level 1" in driver.text("players")

    drive(engine_plays_white(keepers=[SessionFolder(kept)]), script)


def test_an_opened_game_is_saved_whole(tmp_path: Path) -> None:
    path = new_file(tmp_path / "final.pgn", f"{RECORD}\n{RECORD.replace('c4 *', '(3. e3 {Odd.}) c4 $1 *')}")
    before = path.read_bytes()

    async def script(driver: Driver) -> None:
        await driver.press("o")
        await fill(driver, "text", f"{path}#2")
        await driver.press("enter", "home", "s")
        await fill(driver, "text", str(tmp_path / "one.pgn"))
        await driver.press("enter", "s")
        assert "one.pgn" in driver.app.screen.query_one(Input).value
        await fill(driver, "text", str(path))
        await driver.press("enter")
        assert "game 2" in driver.words

    drive(Session(), script)
    (saved,) = read_records((tmp_path / "one.pgn").read_text(encoding="utf-8"))
    _, second = read_records(path.read_text(encoding="utf-8"))
    assert saved.record == second.record == list(read_records(before.decode()))[1].record
    assert path.read_bytes().startswith(RECORD.encode())


def test_looking_at_a_game_leaves_nothing_to_resume(tmp_path: Path) -> None:
    path = new_file(tmp_path / "final.pgn", RECORD)

    async def script(driver: Driver) -> None:
        await driver.press("o")
        await fill(driver, "text", str(path))
        await driver.press("enter", "u", "u", "r")
        assert len(driver.session.game) == 4

    sessions = SessionFolder(tmp_path / "games")
    drive(engine_plays_white(keepers=[sessions]), script)
    sessions.close()  # one that is still played is not offered
    assert not list(sessions.folder.glob("*"))


@driven(Session)
async def test_a_file_that_cannot_be_written_or_read(driver: Driver, tmp_path: Path) -> None:
    await driver.press("tab", "enter", "s")
    await fill(driver, "text", str(tmp_path / "no" / "game.pgn"))
    await driver.press("enter")
    assert "cannot write" in failure(driver)
    await driver.press("escape", "o", "y")
    await fill(driver, "text", str(tmp_path / "missing.pgn"))
    await driver.press("enter")
    assert "no such file" in failure(driver)
    (tmp_path / "bad.pgn").write_text('[Black "x"]\n\n1. a1 *\n')
    await fill(driver, "text", str(tmp_path / "bad.pgn"))
    await driver.press("enter")
    assert failure(driver) == "ply 1 (Black): a1 is not allowed: flips nothing"
    await driver.press("escape")
    assert len(driver.session.game) == 1


@driven(Session)
async def test_pasted_boards_of_many_lines_and_moves(driver: Driver) -> None:
    lines = ["--------"] * 3 + ["---OX---", "---XO---"] + ["--------"] * 3
    await driver.press("o")
    line = driver.app.screen.query_one(PasteLine)
    line.post_message(events.Paste("\n".join([*lines, "White to move"])))
    await driver.pilot.pause()
    await driver.press("enter")
    assert driver.app.screen is driver.screen, failure(driver)
    assert driver.session.to_move is Color.WHITE
    await driver.press("o")
    await fill(driver, "text", "F5 d6 C3")
    await driver.press("enter")
    assert [str(move) for move in driver.session.game.moves] == ["f5", "d6", "c3"]


@driven(Session)
async def test_nothing_pasted_is_sent_to_the_terminal_as_a_command(driver: Driver) -> None:
    await driver.press("o")
    line = driver.app.screen.query_one(PasteLine)
    line.post_message(events.Paste("\x1b]0;title\x07 no game \x1b[2J"))
    await driver.pilot.pause()
    await driver.press("enter")
    assert "no such file" in failure(driver)
    assert "\x1b" not in "".join(shown(driver.app))
    assert "\x07" not in "".join(shown(driver.app))
    await driver.press("escape")
    driver.screen.note("a\x1b[31mb")
    assert "\x1b" not in driver.words


# --- the editor


@driven(Session)
async def test_setting_up_a_position(driver: Driver) -> None:
    await driver.press("b")
    editor = driver.app.screen
    assert isinstance(editor, Editor)
    await driver.press("c", "f")
    assert isinstance(driver.app.screen, Editor)  # an empty board is not played
    assert "Cannot play from here" in "\n".join(shown(driver.app))
    await driver.press("x", "o", "o", "full_stop", "t", "t")
    await driver.press("f")
    assert driver.app.screen is driver.screen
    position = driver.session.position
    assert (position.black, position.white) == (0b1, 0b110)
    await driver.click("d1")
    assert driver.session.is_over


@driven(Session)
async def test_the_editor_by_mouse_and_back(driver: Driver) -> None:
    await driver.press("b")
    editor = driver.app.screen
    board = editor.query_one("#board")
    layout = driver.screen.board.layout_now
    at = layout.center_of(Square("a1").index)
    for expected in ("Black 3, White 2", "Black 2, White 3", "Black 2, White 2"):
        await driver.pilot.click(board, offset=at)
        await driver.pilot.pause()
        assert expected in "\n".join(shown(driver.app))
    await driver.press("t")
    assert "White to move" in "\n".join(shown(driver.app))
    await driver.press("escape")
    assert driver.app.screen is driver.screen
    assert driver.session.position == Position()


@driven(Session)
async def test_the_editor_takes_a_pasted_position(driver: Driver) -> None:
    await driver.press("b", "v")
    await fill(driver, "text", "f5d6c3")
    await driver.press("enter")
    assert isinstance(driver.app.screen, Editor)
    await driver.press("f")
    game = Game()
    game.play_all(["f5", "d6", "c3"])
    assert driver.session.position == game.position
    assert len(driver.session.game) == 0


# --- what is read


def words_read(driver: Driver) -> str:
    """What the box beside the board shows, in one line."""
    region = driver.app.screen.query_one(VerticalScroll).region
    return " ".join(" ".join(line[region.x : region.right] for line in shown(driver.app)).split())


@driven(Session, size=(100, 160))
async def test_the_help_names_every_key(driver: Driver) -> None:
    await driver.press("question_mark")
    assert isinstance(driver.app.screen, Reading)
    text = words_read(driver)
    for key in (*BOARD_KEYS, *MANUAL_KEYS):
        assert key.meaning in text
    await driver.press("q")
    assert driver.app.screen is driver.screen


@driven(Session)
async def test_the_help_scrolls_on_a_small_terminal(driver: Driver) -> None:
    await driver.press("f1")
    assert MANUAL_KEYS[-1].meaning not in words_read(driver)
    await driver.press(*["pagedown"] * 20)
    assert MANUAL_KEYS[-1].meaning in words_read(driver)


@driven(Session)
async def test_what_is_read_leaves_the_board_visible(driver: Driver) -> None:
    for key, size in product(("w", "i", "question_mark"), ((80, 24), (120, 40), (56, 16))):
        await driver.pilot.resize_terminal(*size)
        await driver.pilot.pause()
        width, height = driver.screen.board.layout_now.size
        before = shown(driver.app)
        await driver.press(key)
        assert isinstance(driver.app.screen, Reading)
        for smaller in ((size[0] + 10, size[1]), size):  # it follows the terminal
            await driver.pilot.resize_terminal(*smaller)
            await driver.pilot.pause()
        during = shown(driver.app)
        assert [line[:width] for line in during[1:height]] == [line[:width] for line in before[1:height]]
        assert during != before
        await driver.press("escape")


@driven(Session)
async def test_wrapped_rows_stay_in_their_column(driver: Driver) -> None:
    await driver.press("question_mark")
    for size in ((80, 24), (120, 40), (60, 20), (80, 24)):
        await driver.pilot.resize_terminal(*size)
        await driver.pilot.pause()
        left = min(driver.screen.board.layout_now.size[0], size[0] - 24)
        inside = [line[left:].partition("│")[2].rpartition("│")[0] for line in shown(driver.app)]
        keys = [line for line in inside if line.strip() and "(Esc" not in line]
        meaning = max(len(key.shown) for key in (*BOARD_KEYS, *MANUAL_KEYS)) + 2
        rows = [line[1:] for line in keys]
        if 2 * meaning <= len(rows[0].rstrip()) + 2:
            assert any(not row[:meaning].strip() for row in rows) or size[0] >= 120  # some row is wrapped
            assert all(row[meaning - 2 : meaning].strip() == "" for row in rows[:8])


@driven(Session)
async def test_every_key_has_an_action(driver: Driver) -> None:
    for key in (*BOARD_KEYS, *MANUAL_KEYS, *EDITOR_KEYS):
        for _, action in key.bound:
            name = action.partition("(")[0]
            owner = driver.app if name.startswith("app.") else Editor if key in EDITOR_KEYS else driver.screen
            assert hasattr(owner, f"action_{name.removeprefix('app.')}")


@driven(lambda: Session(parse_rules("adjacent,optional-skip")))
async def test_the_rules_in_words(driver: Driver) -> None:
    await driver.press("i")
    text = words_read(driver)
    assert "adjacent,optional-skip" in text
    assert "next to a disc, capturing or not" in text
    await driver.press("escape")


@driven(Session)
async def test_the_bar_can_be_clicked(driver: Driver) -> None:
    bar = shown(driver.app)[-1]
    await driver.pilot.click("#keys", offset=(bar.index("New"), 0))
    await driver.pilot.pause()
    assert isinstance(driver.app.screen, NewGame)
    await driver.press("escape")
    assert driver.app.screen is driver.screen


def send_together(driver: Driver, *keys: str) -> None:
    """Send keys as a terminal does that delivers several at once: all are there before one is handled."""
    for key in keys:
        driver.app.post_message(events.Key(key, key if len(key) == 1 else None))


def stands(field: Input, text: str) -> bool:
    return field.value == text


@driven(Session)
async def test_keys_that_arrive_together_keep_their_order(driver: Driver) -> None:
    await driver.press("s")
    field = driver.app.screen.query_one(Input)
    for keys, then in (
        (("a", "b", "c", "d", "backspace", "X"), "abcX"),
        (("a", "b", "left", "X", "delete", "Y"), "aXY"),
        (("a", "b", "home", "X", "end", "Y"), "XabY"),
        (("a", "b", "ctrl+u", "X"), "X"),
    ):
        field.value = ""
        send_together(driver, *keys)
        await driver.wait(partial(stands, field, then))


@driven(lambda: engine_plays_white(level=1))
async def test_keys_that_arrive_together_go_where_the_one_before_leads(driver: Driver) -> None:
    """Down leads to the next field, F5 begins the game, n opens the next dialog, and Escape closes it."""
    await driver.press("n")
    field = driver.app.screen.query_one("#strength", Input)
    field.focus()
    await driver.pilot.pause()
    send_together(driver, "end", *["backspace"] * 4, "3", "down", "5", "f5", "n", "escape", "p", "i")
    await driver.wait(lambda: isinstance(driver.app.screen, Reading))
    assert driver.session.games == 1
    assert driver.session.sides[Color.WHITE] == Side.engine(3)
    assert driver.session.clock is not None
    assert driver.session.clock.controls[Color.BLACK] == TimeControl(300)


@driven(Session)
async def test_the_key_that_opened_a_text_closes_it(driver: Driver) -> None:
    for key in ("question_mark", "f1", "w", "i"):
        await driver.press(key)
        assert isinstance(driver.app.screen, Reading)
        await driver.press(key)
        assert driver.app.screen is driver.screen


@driven(Session, size=(60, 20))
async def test_a_narrow_editor_says_how_to_finish(driver: Driver) -> None:
    await driver.press("b")
    assert "f Play" in shown(driver.app)[-1]
    assert "Esc Back" in shown(driver.app)[-1]
