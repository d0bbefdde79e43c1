"""The HTML report in a real browser: clicks, keys, sizes, colors, screen readers, and that it asks for nothing."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browser import running_browser
from random_games import random_game
from report_samples import HOSTILE, LOSSES, RULES, handled, sample, turns_of
from reversi import Game
from reversi.analysis import analyze
from reversi.games import PlayerRating
from reversi.records.from_game import record_from_game
from reversi.render import ReportGame, ReportTable, html_report

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CELLS = (
    "[...document.querySelectorAll('.cell')].map(cell => cell.classList.contains('X') ? 'X'"
    " : cell.classList.contains('O') ? 'O' : '-').join('')"
)
MISTAKES = [ply for ply, (_, sign) in LOSSES.items() if sign]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as started:
        yield started


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(has_touch=True)
    yield made
    made.close()


class Opened:
    """A report in the browser, with everything that the page complains of or asks for."""

    def __init__(self, page: Page, path: Path, fragment: str = "") -> None:
        self.page = page
        self.troubles: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.troubles.append(message.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("dialog", lambda dialog: self.troubles.append(dialog.message))
        page.on("request", lambda request: self.requests.append(request.url))
        page.route(
            "**/*",
            lambda route: (
                route.continue_() if route.request.url.partition("#")[0] == path.as_uri() else route.abort()
            ),
        )
        page.goto(path.as_uri() + fragment)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def click(self, selector: str) -> None:
        self.page.click(selector)

    @property
    def cells(self) -> str:
        """The discs on the board."""
        return str(self.page.evaluate(CELLS))

    @property
    def count(self) -> str:
        return self.page.inner_text("#count")

    @property
    def status(self) -> str:
        return str(self.page.text_content("#status"))

    def marked(self, name: str) -> list[str]:
        """The squares with a mark."""
        texts = self.page.locator(f".cell.{name} .sr").all_text_contents()
        return [text[:2] for text in texts]


@pytest.fixture
def opened(context: BrowserContext, tmp_path: Path) -> Iterator[Any]:
    """Opens a report of games; at the end nothing may have gone wrong in the page, and nothing have left it."""
    pages: list[Opened] = []

    def open_report(
        *games: ReportGame, title: str = "", size: tuple[int, int] = (1100, 900), at: str = "#0", **media: Any
    ) -> Opened:
        path = tmp_path / f"report{len(pages)}.html"
        path.write_text(html_report(games, title=title), encoding="ascii")
        page = context.new_page()
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(**media)
        pages.append(Opened(page, path, at))
        return pages[-1]

    yield open_report
    for report in pages:
        assert report.troubles == []
        assert len(report.requests) == 1, report.requests
        report.page.close()


# --- stepping through


@pytest.mark.parametrize("rules", RULES)
def test_the_board_after_every_ply(opened: Any, rules: str) -> None:
    game, given = sample(rules, 2)
    report = opened(given)
    positions = [game.start, *(ply.after for ply in game)]
    step = f"document.querySelector('#next').click(); shown.push({CELLS})"
    shown = report.page.evaluate(f"() => {{ const shown = [{CELLS}]; {(step + ';') * len(game)} return shown; }}")
    assert shown == [position.cells for position in positions]


def test_keys_step(opened: Any) -> None:
    game, given = sample("othello,board=4x8", 2)
    report = opened(given)
    positions = [game.start, *(ply.after for ply in game)]
    for number, position in enumerate(positions):
        assert (report.cells, report.count) == (position.cells, f"{number} / {len(game)}")
        report.press("ArrowRight")
    assert report.count == f"{len(game)} / {len(game)}"  # it stays at the end
    report.press("ArrowLeft")
    assert report.cells == positions[-2].cells
    report.press("Home")
    assert report.cells == positions[0].cells
    report.press("End")
    assert report.cells == positions[-1].cells


def test_buttons_step(opened: Any) -> None:
    game, given = sample()
    report = opened(given)
    assert report.page.is_disabled("#back")
    for selector, count in (("#next", 1), ("#next", 2), ("#back", 1), ("#last", len(game)), ("#first", 0)):
        report.click(selector)
        assert report.count == f"{count} / {len(game)}"
    report.click("#last")
    assert report.page.is_disabled("#next")
    assert report.page.is_disabled("#last")


def test_a_click_on_a_move_shows_it(opened: Any) -> None:
    game, given = sample()
    report = opened(given)
    report.click("#moves li:nth-child(7) button")
    assert report.cells == game[6].after.cells
    assert report.page.get_attribute("#moves li:nth-child(7) button", "aria-current") == "step"
    assert report.marked("last") == [str(game[6].move)]
    assert sorted(report.marked("flip")) == sorted(map(str, game[6].flips))


def test_arrows_move_the_focus_along_the_moves(opened: Any) -> None:
    report = opened(sample()[1])
    report.click("#moves li:nth-child(7) button")
    report.press("ArrowRight")
    focus = "document.activeElement.parentElement === document.querySelector('#moves li:nth-child(8)')"
    assert report.page.evaluate(focus)
    assert report.page.locator("#moves [tabindex='0']").count() == 1  # one stop of the tab key, not sixty


def test_a_click_on_the_graph_shows_that_ply(opened: Any) -> None:
    game, given = sample()
    report = opened(given)
    box = report.page.locator("#graph").bounding_box()
    left, right = box["x"] + 34, box["x"] + box["width"] - 8
    for ply in (0, 10, len(game) // 2, len(game)):
        report.page.mouse.click(left + (right - left) * ply / len(game), box["y"] + 50)
        assert report.count == f"{ply} / {len(game)}"
    report.page.mouse.down()
    report.page.mouse.move(left - 100, box["y"] + 60)  # beyond the edge is the start
    report.page.mouse.up()
    report.page.mouse.move(right, box["y"] + 50)  # a button that is up does nothing
    assert report.count == f"0 / {len(game)}"


def test_the_graph_is_a_slider(opened: Any) -> None:
    game, given = sample()
    report = opened(given)
    report.page.focus("#graph")
    report.press("PageUp", "ArrowUp", "ArrowDown", "ArrowUp")
    graph = report.page.locator("#graph")
    assert (graph.get_attribute("aria-valuenow"), graph.get_attribute("aria-valuemax")) == ("11", str(len(game)))
    assert graph.get_attribute("aria-valuetext") == report.status
    report.press("PageDown")
    assert report.count.startswith("1 /")
    points = report.page.locator("#graph .curve").first.get_attribute("d")
    assert points.count("L") == len(game)  # the start, and every ply


def test_what_is_under_the_board(opened: Any) -> None:
    game, given = sample()
    report = opened(given)
    report.press("Home", *["ArrowRight"] * 9)
    move = game[8].move
    assert report.page.inner_text("#turn-title") == f"9. Black {move} ??"
    assert "Blunder, loses 14 discs, a win becomes a loss." in report.page.inner_text("#turn")
    assert report.status.startswith(f"Ply 9 of {len(game)}: Black {move}. Blunder, loses 14 discs")


@pytest.mark.parametrize("rules", ["othello,board=4x4", "adjacent,optional-skip,board=4x4"])
def test_a_real_analysis(opened: Any, rules: str) -> None:
    record = record_from_game(random_game(rules, 2))
    analysis = analyze(record, level=2)
    report = opened(ReportGame(record=record, analysis=analysis.fields()))
    assert report.page.locator("#mistakes button").count() == len(analysis.mistakes)
    for turn in analysis.turns:
        report.press("ArrowRight")
        assert report.cells == turn.after.cells
        squares = [str(move) for move in turn.best if not move.is_pass]
        assert report.marked("best") == [square for square in squares if square != str(turn.move)]


# --- lines


def test_the_best_line_is_playable(opened: Any) -> None:
    game, given = sample()
    line = turns_of(given)[8]["pv"]
    report = opened(given)
    report.press(*["ArrowRight"] * 9)
    assert report.marked("best") == [line[0]]
    position = game[8].before
    for number, move in enumerate(line, 1):
        report.page.locator("#turn .line button").nth(number - 1).click()
        position = position.play(move)
        assert (report.cells, report.count) == (position.cells, f"Best line {number}/{len(line)}")
        current = report.page.locator("#turn .line [aria-current]").all_text_contents()
        assert current == [move]
    report.press("ArrowRight")
    assert report.count == f"Best line {len(line)}/{len(line)}"
    report.press("ArrowLeft")
    assert report.count == f"Best line {len(line) - 1}/{len(line)}"
    report.press("Escape")
    assert report.cells == game[8].after.cells
    assert report.count == f"9 / {len(game)}"


def test_a_line_begins_with_a_click_on_the_board(opened: Any) -> None:
    game, given = sample()
    line = turns_of(given)[8]["pv"]
    report = opened(given)
    report.press(*["ArrowRight"] * 9)
    report.click(".cell.best")
    assert report.cells == game[8].before.play(line[0]).cells
    report.press("ArrowRight")
    assert report.count.startswith("Best line 2/")
    report.press("ArrowLeft", "ArrowLeft")  # before its first move is the game
    assert report.count == f"9 / {len(game)}"
    report.page.click(".cell >> nth=27")  # a square without a line: nothing happens
    assert report.count == f"9 / {len(game)}"


def test_the_focus_stays_on_the_line(opened: Any) -> None:
    report = opened(sample()[1])
    report.press(*["ArrowRight"] * 9)
    report.page.locator("#turn .line button").nth(2).focus()
    report.press("Enter")
    assert report.page.evaluate("document.activeElement.getAttribute('aria-current')") == "step"
    report.page.get_by_role("button", name="Back to the game").click()
    assert report.count.startswith("9 /")


def test_variations_and_notes_of_a_record(opened: Any) -> None:
    report = opened(ReportGame(record=handled()))
    assert "Before the game." in report.page.inner_text("#turn")
    report.press("ArrowRight", "ArrowRight")
    text = report.page.inner_text("#turn")
    assert "Value in the record: -4 exact" in text
    assert "Variation 1 (+2 selective 91%):" in text
    report.page.get_by_role("button", name="Variation 2, move 2: d3").click()
    assert report.count == "Variation 2 2/2"
    assert report.cells == Game().start.play("f5").play("f6").play("d3").cells
    report.press("Escape", "ArrowRight")
    assert "Flipped by hand: none" in report.page.inner_text("#turn")
    assert report.cells[8 * 3 + 3] == "O"  # d4, which c3 forgot to flip


# --- mistakes


def test_mistakes_are_listed(opened: Any) -> None:
    game, given = sample()
    report = opened(given)
    texts = report.page.locator("#mistakes button").all_text_contents()
    best = turns_of(given)[8]["best"][0]
    assert len(texts) == len(MISTAKES)
    assert texts[2] == f"9 Black {game[8].move} ?? loses 14, best {best}"
    report.page.locator("#mistakes button").nth(1).click()
    assert report.count.startswith(f"{MISTAKES[1]} /")
    assert report.page.locator("#mistakes [aria-current]").count() == 1


def test_mistakes_one_after_the_other(opened: Any) -> None:
    report = opened(sample()[1])
    for ply in [*MISTAKES, MISTAKES[-1]]:
        report.click("#mistake")
        assert report.count.startswith(f"{ply} /")
    for ply in [*MISTAKES[-2::-1], MISTAKES[0]]:
        report.press("Shift+ArrowLeft")
        assert report.count.startswith(f"{ply} /")
    report.press("Shift+ArrowRight")
    assert report.count.startswith(f"{MISTAKES[1]} /")


def test_a_game_without_analysis(opened: Any) -> None:
    game = Game()
    game.play_all(["f5", "d6", "c3"])
    report = opened(ReportGame(record=record_from_game(game)))
    assert report.page.inner_text("#no-mistakes") == "No move is marked as a mistake."
    for selector in ("#mistake", "#graph", "#sides", "#list"):
        assert not report.page.is_visible(selector)
    report.press("Shift+ArrowRight")
    assert report.count == "0 / 3"
    report.press("End")
    assert report.cells == game.position.cells


def test_an_empty_game_and_its_trouble(opened: Any) -> None:
    report = opened(ReportGame(record=record_from_game(Game()), trouble="ply 1: a1: flips nothing"))
    report.press("ArrowRight", "End", "ArrowLeft")
    assert report.count == "0 / 0"
    assert report.page.inner_text("#trouble") == "ply 1: a1: flips nothing"


# --- several games


def test_several_games_have_a_list(opened: Any) -> None:
    games = [sample(rules, seed, Black=f"Black {seed}") for seed, rules in enumerate(RULES)]
    report = opened(*(given for _, given in games))
    buttons = report.page.locator("#games button")
    assert buttons.count() == len(games)
    texts = buttons.all_text_contents()
    assert texts[0] == f"1 Black 0 – Bob {games[0][1].record.result}, 3 mistakes"
    for number, (game, _) in enumerate(games):
        buttons.nth(number).click()
        assert report.page.inner_text("#game-title").startswith(f"Black {number} – Bob")
        report.press("Home")
        assert report.cells == game.start.cells
        report.press("End")
        assert report.cells == game.position.cells
        assert report.page.locator("#games [aria-current]").count() == 1
        assert report.page.locator(".cell").count() == game.start.rules.board.cells


def test_a_report_begins_at_its_ply(opened: Any) -> None:
    game, given = sample()
    report = opened(ReportGame(record=given.record, ply=20), at="")
    assert report.cells == game[19].after.cells


def test_an_analyzed_game_begins_at_its_decisive_moment(opened: Any) -> None:
    game, given = sample()
    report = opened(given, at="")
    assert report.count == f"9 / {len(game)}"
    assert report.cells == game[8].after.cells
    assert "The decisive moment." in report.page.inner_text("#turn")


# --- addresses


def test_an_address_names_a_ply(opened: Any) -> None:
    game, given = sample()
    report = opened(given, at="#37")
    assert report.cells == game[36].after.cells
    assert report.page.get_attribute("#link", "href") == "#37"
    assert report.page.inner_text("#link") == "Link to ply 37"
    report.page.evaluate("location.hash = '#12'")
    report.page.wait_for_function("document.querySelector('#count').textContent.startsWith('12 /')")
    assert report.cells == game[11].after.cells


@pytest.mark.parametrize("fragment", ["#", "#x", "#-1", "#3.4.5", "#12345", "#<b>"])
def test_an_address_that_names_nothing_is_as_none(opened: Any, fragment: str) -> None:
    report = opened(sample()[1], at=fragment)
    assert report.count.startswith("9 /")


def test_back_and_forward_go_along_the_jumps(opened: Any) -> None:
    game, given = sample()
    report = opened(given, at="#37")
    report.press("ArrowRight", "ArrowRight")  # steps are no jumps
    report.click("#moves li:nth-child(7) button")
    report.click("#mistakes button >> nth=2")
    counts = []
    for way in ("go_back", "go_back", "go_forward", "go_forward"):
        getattr(report.page, way)()
        report.page.wait_for_timeout(50)
        counts.append(report.count)
    assert counts == [f"{ply} / {len(game)}" for ply in (7, 39, 7, 9)]
    assert report.page.evaluate("location.hash") == "#9"


def test_an_address_names_a_game(opened: Any) -> None:
    games = [sample(seed=seed) for seed in (1, 2, 3)]
    report = opened(*(given for _, given in games), at="#2.20")
    assert report.cells == games[1][0][19].after.cells
    report.page.locator("#games button").nth(2).click()
    assert report.page.evaluate("location.hash") == "#3.9"
    report.page.go_back()
    report.page.wait_for_function("document.querySelector('#count').textContent.startsWith('20 /')")
    assert report.page.locator("#games button").nth(1).get_attribute("aria-current") == "true"


# --- all moves


def test_a_report_with_all_moves_begins_before_the_decisive_one(opened: Any) -> None:
    game, given = sample(all_moves=True)
    report = opened(given, at="")
    assert report.count == f"Before 9 / {len(game)}"
    assert report.cells == game[8].before.cells
    legal = [str(move) for move in game[8].before.legal_moves]
    assert report.marked("try") == legal
    assert report.marked("played") == [str(game[8].move)]
    assert report.marked("best") == turns_of(given)[8]["best"]
    assert report.page.locator(".cell.try .value").all_text_contents() == [
        f"~{scored['score']:+d}" for scored in turns_of(given)[8]["moves"]
    ]


def test_any_move_can_be_tapped(opened: Any) -> None:
    game, given = sample(all_moves=True)
    report = opened(given, at="", size=(375, 740))
    for scored in turns_of(given)[8]["moves"]:
        report.page.locator(".cell.try", has_text=f"{scored['move']}, ").tap()
        assert report.cells == game[8].before.play(scored["move"]).cells
        text = report.page.inner_text("#trial")
        assert text.startswith(f"{scored['move']}: {scored['score']:+d} heuristic")
        loss = turns_of(given)[8]["best_score"] - scored["score"]
        assert ("A best move." if loss == 0 else f"Loses {loss} disc") in text
        assert text.endswith(f"Answer: {scored['pv'][1]}.")
        assert report.status.endswith(text)
        report.press("ArrowRight")
        assert report.cells == game[8].before.play(scored["move"]).play(scored["pv"][1]).cells
        report.press("ArrowLeft", "ArrowLeft")
        assert report.count.startswith("Before 9 /")
    report.press("Escape")
    assert report.count == f"9 / {len(game)}"


def test_all_moves_by_the_keyboard(opened: Any) -> None:
    game, given = sample(all_moves=True)
    report = opened(given, at="#9")
    report.press("b")
    assert report.cells == game[8].before.cells
    report.press("ArrowRight")
    assert report.count == f"9 / {len(game)}"
    scored = turns_of(given)[8]["moves"][0]
    report.page.get_by_role("button", name=f"Trial {scored['move']}:").focus()
    report.press("Enter")
    assert report.page.evaluate("document.activeElement.getAttribute('aria-current')") == "true"
    assert report.cells == game[8].before.play(scored["move"]).cells
    report.press("b")
    assert report.count.startswith("Before 9 /")
    report.press("ArrowLeft")
    assert report.count == f"8 / {len(game)}"


def test_a_report_without_all_moves_has_none(opened: Any) -> None:
    report = opened(sample()[1], at="#9")
    report.press("b")
    assert report.count.startswith("9 /")
    assert report.page.locator("#turn .choice").count() == 0


def test_reasons_and_the_opening(opened: Any) -> None:
    game = Game().play_all("f5d6c3d3c4f4")
    record = record_from_game(game, {})
    fields: dict[str, Any] = analyze(record, level=3, exact_from=0).fields()
    best = next(str(move) for move in game[5].before.legal_moves if str(move) != "f4")
    fields["turns"][5] |= {"sign": "?", "judgement": "mistake", "best": [best], "loss": 6}
    report = opened(ReportGame(record=record, analysis=fields), at="#6")
    assert report.page.inner_text("#opening") == "Opening: Tiger (ply 5)"
    texts = report.page.locator(".reasons li").all_text_contents()
    assert texts
    assert all("For: " in text or "Against: " in text for text in texts)


def test_the_losses_add_up(opened: Any) -> None:
    game, given = sample()
    report = opened(given)
    lost = {"X": 0, "O": 0}
    for turn in turns_of(given):
        lost[turn["mover"]] += turn["loss"]
    words = f"Discs lost: Black {lost['X']}, White {lost['O']}"
    assert report.page.get_attribute("#losses", "aria-label") == words
    points = report.page.locator("#losses .lost.X").get_attribute("d")
    assert points.count("L") == len(game)
    box = report.page.locator("#losses").bounding_box()
    report.page.mouse.click(box["x"] + box["width"] - 8, box["y"] + 50)
    assert report.count == f"{len(game)} / {len(game)}"


# --- rows


@pytest.mark.parametrize("width", [1280, 768, 375])
def test_no_row_is_cut(opened: Any, width: int) -> None:
    games = [sample(seed=seed, Black="Ada " * (1 + seed), White=f"Bob {seed}")[1] for seed in range(9)]
    report = opened(*games, size=(width, 900), reduced_motion="reduce")
    cut = """() => {
        const box = document.querySelector('#games').getBoundingClientRect();
        return [...document.querySelectorAll('#games button')].map(row => row.getBoundingClientRect())
            .filter(row => row.bottom > box.top + 1 && row.top < box.bottom - 1)
            .filter(row => row.top < box.top - 1 || row.bottom > box.bottom + 1).length;
    }"""
    assert report.page.evaluate(cut) == 0
    for at in (7, 3, 8, 0):
        report.page.evaluate(f"document.querySelectorAll('#games button')[{at}].click()")
        report.page.wait_for_timeout(50)
        assert report.page.evaluate(cut) == 0
    for name in ("moves", "mistakes"):  # these show all their rows
        assert report.page.evaluate(f"(e => e.scrollHeight <= e.clientHeight)(document.querySelector('#{name}'))")


def test_a_print_has_every_row_and_light_colors(opened: Any) -> None:
    report = opened(*(sample(seed=seed)[1] for seed in range(9)), color_scheme="dark")
    report.page.emulate_media(media="print", color_scheme="dark")
    assert report.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(247, 246, 242)"
    for name in ("games", "moves", "mistakes"):
        assert report.page.evaluate(f"(e => e.scrollHeight <= e.clientHeight)(document.querySelector('#{name}'))")
    for selector in ("#moves li", "#sides tr", "#board .rank"):
        rule = f"getComputedStyle(document.querySelector('{selector}')).breakInside"
        assert report.page.evaluate(rule) == "avoid"


# --- tables


def test_tables_above_the_games(opened: Any, tmp_path: Path, context: BrowserContext) -> None:
    path = tmp_path / "tables.html"
    rows = [("player", "points"), ("A <b>", "3"), ("B", "1")]
    path.write_text(html_report([], title="Match", tables=[ReportTable("Players", rows, ["A note."])]))
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.get_by_role("heading", name="Players").count() == 1
    assert page.get_by_role("rowheader").all_text_contents() == ["A <b>", "B"]
    assert page.get_by_text("A note.").count() == 1
    assert not page.is_visible("#report")
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 900), (768, 1000), (375, 740)])
def test_a_page_of_tables(context: BrowserContext, tmp_path: Path, scheme: Any, size: tuple[int, int]) -> None:
    """As the pages of statistics: a table in words, one of figures, and a crosstable wider than the screen."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="this needs axe-playwright-python")
    names = [f"Player {number} Surname" for number in range(34)]
    tables = [
        ReportTable("Overview", [("", "games"), ("Black won", "3438"), ("draws", "415")]),
        ReportTable(
            "Openings", [("opening", "games", "Black", "lead"), ("Tiger", "12", "5", "-0.9")], ["… and 3 more"]
        ),
        ReportTable(
            "Crosstable", [("player", *map(str, range(34)), "points"), *((n, *["½"] * 35) for n in names)]
        ),
    ]
    path = tmp_path / "tables.html"
    path.write_text(html_report([], title="7681 games in games.duckdb", tables=tables), encoding="ascii")
    page = context.new_page()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.get_by_role("main").get_by_role("table").count() == 3
    assert not page.get_by_text("Keys:").is_visible()
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.close()


def test_a_wide_table_has_parts_that_fit_on_paper(context: BrowserContext, tmp_path: Path) -> None:
    names = [f"Player {number} Surname-Name" for number in range(74)]
    rows = [("player", *map(str, range(74)), "points"), *((name, *["1½/2"] * 74, "11½") for name in names)]
    path = tmp_path / "tables.html"
    path.write_text(html_report([], title="Cup", tables=[ReportTable("Crosstable", rows)]), encoding="ascii")
    page = context.new_page()
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 with the margins of Chromium
    page.goto(path.as_uri())
    page.emulate_media(media="print")
    boxes = [table.bounding_box() for table in page.get_by_role("table").all()]
    assert len(boxes) == 4
    for box in boxes:
        assert box is not None
        assert box["x"] + box["width"] <= 718
    assert sum(len(table.get_by_role("columnheader").all()) for table in page.get_by_role("table").all()) == 75 + 4
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_of_a_player(context: BrowserContext, tmp_path: Path, scheme: Any) -> None:
    """A graph of ratings, tables whose rows a reader opens; all on one screen and one sheet."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="this needs axe-playwright-python")
    curve = {year: PlayerRating(1500 + 10 * (year % 7), 60) for year in range(1990, 2020)}
    rows = [("opening", *("games", "wins", "rate")), *(("Tiger", "12", "5", "50.0 %") for _ in range(40))]
    numbers = [("year", "rating", "from"), *((str(year), "1500", "1400") for year in curve)]
    tables = [
        ReportTable("Ratings", numbers, curves={"Ada <b>": curve}),
        *(ReportTable(f"Openings {number}", rows, first=5) for number in range(5)),
    ]
    path = tmp_path / "player.html"
    path.write_text(html_report([], title="Ada", tables=tables), encoding="ascii")
    page = context.new_page()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollHeight") <= 900
    assert page.get_by_role("img", name="Ratings by year: Ada <b>").count() == 1
    assert len(page.get_by_role("row").all()) == 5 * 6
    page.get_by_text("35 more").first.click()
    assert len(page.get_by_role("row").all()) == 5 * 6 + 36
    page.get_by_text("The numbers").click()
    assert len(page.get_by_role("row").all()) == 5 * 6 + 36 + 31
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.close()


# --- looks


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(opened: Any, scheme: str) -> None:
    report = opened(sample()[1], color_scheme=scheme)
    ground = "getComputedStyle(document.body).backgroundColor"
    colors = {"light": "rgb(247, 246, 242)", "dark": "rgb(18, 23, 22)"}
    other = {"light": "dark", "dark": "light"}[scheme]
    assert report.page.evaluate(ground) == colors[scheme]
    assert report.page.get_attribute("#theme", "aria-pressed") == str(scheme == "dark").lower()
    report.click("#theme")
    assert report.page.evaluate(ground) == colors[other]
    assert report.page.get_attribute("#theme", "aria-pressed") == str(other == "dark").lower()
    report.click("#theme")
    assert report.page.evaluate(ground) == colors[scheme]


@pytest.mark.parametrize("width", [320, 375, 768])
def test_a_narrow_screen_needs_no_sideways_scrolling(opened: Any, width: int) -> None:
    long = sample(Black="A" * 80, White="Łucja " * 12, Event="x" * 200)[1]
    report = opened(long, sample("othello,board=4x8", 1)[1], size=(width, 640))
    for _ in range(2):
        report.press(*["ArrowRight"] * 9)
        assert report.page.evaluate("document.documentElement.scrollWidth") <= width
        box = report.page.locator("#board").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        report.page.locator("#games button").nth(1).click()
    targets = report.page.locator("button:visible").all()
    assert all(min(target.bounding_box()["height"], target.bounding_box()["width"]) >= 24 for target in targets)


def test_a_touch_on_the_graph(opened: Any) -> None:
    game, given = sample()
    report = opened(given, size=(375, 640))
    report.page.locator("#graph").scroll_into_view_if_needed()
    box = report.page.locator("#graph").bounding_box()
    report.page.touchscreen.tap(box["x"] + box["width"] - 8, box["y"] + 40)
    assert report.count == f"{len(game)} / {len(game)}"


def test_the_graph_fits_after_a_change_of_width(opened: Any) -> None:
    game, given = sample()
    report = opened(given)
    report.page.set_viewport_size({"width": 400, "height": 800})
    width = report.page.evaluate("document.querySelector('#graph').clientWidth")
    assert width < 400
    report.page.locator(f"#graph svg[viewBox^='0 0 {width} ']").wait_for()
    report.press("End")
    assert report.count == f"{len(game)} / {len(game)}"


# --- screen readers


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 900), (768, 1000), (375, 740)])
def test_axe_finds_nothing(opened: Any, scheme: str, size: tuple[int, int]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="this needs axe-playwright-python")
    report = opened(
        sample(all_moves=True)[1],
        sample("adjacent", 2)[1],
        size=size,
        at="",
        color_scheme=scheme,
        reduced_motion="reduce",
    )
    for keys in ((), ["Home", *["ArrowRight"] * 9]):
        report.press(*keys)
        if keys:
            report.page.locator("#turn .line button").nth(1).click()
        found = axe.Axe().run(report.page)
        assert found.violations_count == 0, found.generate_report()


def test_the_board_in_words(opened: Any) -> None:
    game, given = sample()
    report = opened(given)
    report.press("ArrowRight")
    assert report.page.get_by_role("table", name="Board").count() == 1
    assert report.page.get_by_role("row").count() >= 9
    move, flipped = game[0].move, game[0].flips[0]
    cells = report.page.locator(".cell .sr").all_text_contents()
    assert cells[0] == "a1, empty"
    assert f"{move}, Black, last move" in cells
    assert f"{flipped}, Black, flipped" in cells
    assert report.page.get_by_role("status").text_content() == report.status
    assert report.page.get_by_role("button", name=f"1 Black {move}").count() == 1


def test_everything_is_in_reach_of_the_keyboard(opened: Any) -> None:
    report = opened(sample()[1], sample()[1])
    reached = set()
    for _ in range(60):
        report.press("Tab")
        reached.add(report.page.evaluate("document.activeElement.closest('[id]')?.id"))
    assert {"theme", "games", "next", "last", "graph", "mistake", "mistakes", "moves"} <= reached


# --- what comes from files


def test_hostile_names_do_no_harm(opened: Any) -> None:
    record = handled()
    for name in ("Black", "White", "Event", "Result"):
        if name != "Result":
            record.tags[name] = HOSTILE
    record.line.comments = (HOSTILE,)
    record.line.nodes[0].comments = (HOSTILE,)
    given = ReportGame(record=record, source=HOSTILE, trouble=HOSTILE)
    report = opened(given, given, title=HOSTILE)
    report.press("ArrowRight", "ArrowRight")
    assert report.page.title() != "owned"
    assert report.page.locator("img").count() == 0
    assert report.page.locator("script").count() == 2
    assert HOSTILE.replace("\u2028", " ").replace("\u2029", " ")[:60] in report.page.inner_text("#trouble")
    assert report.page.text_content("#trouble") == HOSTILE


def test_the_policy_stops_what_gets_in(browser: Browser, tmp_path: Path) -> None:
    """Even if a text became an element: nothing runs, and nothing is asked for."""
    path = tmp_path / "report.html"
    foreign = "<script>document.title = 'owned'</script><img src='http://127.0.0.1:9/x' onerror='alert(1)'>"
    path.write_text(html_report([sample()[1]]).replace("<noscript>", f"{foreign}<noscript>"), encoding="ascii")
    page = browser.new_page()
    sent: list[str] = []
    page.on("requestfinished", lambda request: sent.append(request.url))
    page.on("dialog", lambda dialog: sent.append(dialog.message))
    page.goto(path.as_uri() + "#0")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#count").startswith("1 /")
    assert page.title() != "owned"
    assert sent == [path.as_uri()]
    page.context.close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_a_server_is_asked_for_the_page_alone(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(html_report([sample()[1]]), encoding="ascii")
    _Quiet.asked = []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_address[1]}/report.html", wait_until="networkidle")
        page.keyboard.press("End")
        page.context.close()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert _Quiet.asked == ["/report.html"]
