"""The HTML report: what is in its data, what it lets in from files, and how large it is."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from typing import Any

import pytest

from random_games import random_game
from report_samples import HOSTILE, LOSSES, RULES, handled, replayed, sample, turns_of
from reversi import Game, InputError, Position, Square, parse_rules
from reversi.records import Line, Node, Record
from reversi.records.from_game import record_from_game
from reversi.render import ReportGame, html_report

BASIC = html_report([Game()])


def data_of(page: str) -> Any:
    """The data in a page, as a browser finds it."""
    begin = page.index('id="data">') + len('id="data">')
    return json.loads(page[begin : page.index("</script>", begin)])


def only(*games: ReportGame | Record | Game) -> Any:
    """The data of the one game of a report."""
    (game,) = data_of(html_report(games))["games"]
    return game


class Tags(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


# --- positions


@pytest.mark.parametrize("rules", RULES)
def test_the_data_replays_to_every_position(rules: str) -> None:
    game, given = sample(rules, 3)
    found = only(given)
    board, play = found["board"], " ".join(turn["play"] for turn in found["turns"])
    expected = [position.cells for position in (game.start, *(ply.after for ply in game))]
    assert replayed(board, found["to_move"], found["columns"], play) == expected
    assert (found["rows"], found["columns"]) == game.start.rules.board


@pytest.mark.parametrize("rules", RULES)
def test_the_best_lines_replay_too(rules: str) -> None:
    game, given = sample(rules, 4)
    tried = 0
    for turn, judged, ply in zip(only(given)["turns"], turns_of(given), game, strict=True):
        if judged["forced"]:
            assert "lines" not in turn
            continue
        position, expected = ply.before, [ply.before.cells]
        for move in judged["pv"]:
            position = position.play(move)
            expected.append(position.cells)
        (line,) = turn["lines"]
        columns = game.start.rules.board.columns
        assert replayed(expected[0], ply.before.to_move.symbol, columns, line["play"]) == expected
        tried += 1
    assert tried


def test_passes_are_turns() -> None:
    game = next(
        game for game in (random_game("othello", seed) for seed in range(50)) if any(p.is_pass for p in game)
    )
    at = next(number for number, ply in enumerate(game) if ply.is_pass)
    found = only(game)
    assert found["turns"][at]["play"] == "--:"
    assert len(found["turns"]) == len(game)
    assert found["turns"][at + 1]["play"].startswith(str(game[at + 1].move))


def test_discs_flipped_by_hand() -> None:
    game = Game()
    game.play("f5", flips=[])
    game.play("d6", flips=[Square("d5"), Square("e4")])
    turns = only(game)["turns"]
    assert [turn["play"] for turn in turns] == ["f5:", "d6:e4d5"]
    assert turns[0]["notes"] == ["Flipped by hand: none"]
    assert turns[1]["notes"] == ["Flipped by hand: e4 d5"]


def test_another_start() -> None:
    start = Position().play("f5")
    found = only(record_from_game(Game(start), {}))
    assert (found["board"], found["to_move"], found["turns"]) == (start.cells, "O", [])


def test_a_game_up_to_its_illegal_move() -> None:
    record = Record(line=Line([Node(Square("f5")), Node(Square("a1")), Node(Square("d6"))]))
    found = only(ReportGame(record=record, trouble="ply 2: a1 flips nothing", ply=9))
    assert (len(found["turns"]), found["trouble"], found["ply"]) == (1, "ply 2: a1 flips nothing", 1)


# --- values


def test_leads_are_from_blacks_view() -> None:
    game, given = sample()
    found, judged = only(given), turns_of(given)
    assert found["lead"] == judged[0]["best_score"]
    signs = [1 if ply.before.to_move.symbol == "X" else -1 for ply in game]
    expected = [sign * turn["score"] for sign, turn in zip(signs, judged, strict=True)]
    assert [turn["lead"] for turn in found["turns"]] == expected
    assert 0 in expected  # an even position has a lead, too


def test_verdicts() -> None:
    found = only(sample()[1])["turns"]
    for ply, (loss, sign) in LOSSES.items():
        turn = found[ply - 1]
        assert (turn["loss"], turn.get("sign"), turn.get("mistake", False)) == (loss, sign, sign is not None)
    assert found[2]["verdict"] == "Inaccuracy, loses 4 discs."
    assert found[5]["verdict"] == "Mistake, loses 8 discs."
    assert found[8]["verdict"] == "Blunder, loses 14 discs, a win becomes a loss."
    assert found[11]["verdict"] == "2 discs less than the best move."
    assert found[0]["verdict"] == "A best move."
    assert found[2]["value"].split()[1:] == ["heuristic,", "even"]


def test_players() -> None:
    rows = only(sample()[1])["sides"]
    assert ["Mean loss in discs", "1.25", "1.25"] in rows
    assert ["Blunders ??", "1", "1"] in rows
    worst = next(row for row in rows if row[0] == "Worst move")
    assert re.fullmatch(r"[a-h][1-8] \(ply 9, -14\)", worst[1])
    assert worst[2] == "–"


def test_a_player_without_a_choice() -> None:
    _, given = sample()
    assert given.fields is not None
    idle: dict[str, Any] = {"moves": 0, "mean_loss": 0.0, "best_share": 1.0, "worst_ply": None, "signs": {}}
    analysis = {**given.fields, "sides": {"X": idle, "O": idle}}
    rows = {row[0]: row[1:] for row in only(ReportGame(record=given.record, analysis=analysis))["sides"]}
    assert rows["Moves judged"] == ["0", "0"]
    assert rows["Mean loss in discs"] == rows["Best moves"] == rows["Worst move"] == ["–", "–"]


@pytest.mark.parametrize(("ply", "words"), [(9, "at ply 9: "), (0, "from the start"), (None, None)])
def test_when_the_game_was_decided(ply: int | None, words: str | None) -> None:
    game, given = sample()
    assert given.fields is not None
    found = only(ReportGame(record=given.record, analysis={**given.fields, "decided": ply}))
    decided = dict(found["analysis"]).get("Decided")
    assert decided == (f"{words}{game[8].move}" if ply else words)


def test_a_record_without_analysis_shows_what_it_notes() -> None:
    found = only(handled())
    assert found["comments"] == ["Before the game."]
    assert [turn.get("lead") for turn in found["turns"]] == [0, 4, None, None]
    first, second, third, _ = found["turns"]
    assert first["comments"] == ["the usual"]
    assert first["notes"] == ["Value in the record: +0 heuristic", "Clock 0:05:00"]
    assert (second["sign"], second["mistake"]) == ("?", True)
    assert third["comments"] == ["forgot to flip"]
    assert third["play"] == "c3:"


def test_variations_are_lines() -> None:
    found = only(handled())
    lines = found["turns"][1]["lines"]
    assert [line["name"] for line in lines] == ["Variation 1", "Variation 2"]
    assert [[turn.partition(":")[0] for turn in line["play"].split()] for line in lines] == [
        ["f6", "e6", "f4"],
        ["f6", "d3"],
    ]
    assert lines[0]["value"] == "+2 selective 91%"
    assert lines[0]["comments"] == ["f6: the other way"]
    assert "d3: deeper" in lines[1]["comments"]
    assert "lines" not in found["turns"][2]  # one that begins with an illegal move cannot be played


def test_more_variations_than_a_page_shows_are_counted() -> None:
    others = tuple(Line([Node(Square("d3"))], (f"line {number}",)) for number in range(25))
    found = only(Record(line=Line([Node(Square("f5"), variations=others)])))
    lines = found["turns"][0]["lines"]
    assert len(lines) == 20
    assert lines[-1]["comments"] == ["line 19", "The record has 5 more variations here."]


def test_an_incomplete_analysis() -> None:
    game, given = sample()
    assert given.fields is not None
    analysis = {**given.fields, "turns": turns_of(given)[30:], "complete": False}
    turns = only(ReportGame(record=given.record, analysis=analysis))["turns"]
    assert len(turns) == len(game)
    assert "verdict" not in turns[29]
    assert "verdict" in turns[30]


# --- what comes from files


def test_hostile_texts_stay_texts() -> None:
    record = handled()
    record.tags["Black"] = record.tags["Event"] = HOSTILE
    record.line.comments = (HOSTILE,)
    given = ReportGame(record=record, source=HOSTILE, trouble=HOSTILE)
    page = html_report([given], title=HOSTILE)
    assert page.isascii()
    assert page.count("<script") == page.count("</script>") == BASIC.count("<script") == 2
    assert "<img" not in page
    found = data_of(page)
    assert (found["title"], found["games"][0]["source"]) == (HOSTILE, HOSTILE)
    assert [tag for tag, _ in Tags(page).found] == [tag for tag, _ in Tags(BASIC).found]
    raw = page[page.index('id="data">') + 10 :].partition("</script>")[0]
    assert not set("<>&\u2028\u2029") & set(raw)


def test_a_placeholder_in_a_name_is_a_name() -> None:
    record = handled()
    record.tags["Black"] = "{{program}}"
    page = html_report([record])
    assert len(page) < 2 * len(BASIC)
    assert data_of(page)["games"][0]["black"] == "{{program}}"


def test_characters_that_no_text_has() -> None:
    record = handled()
    record.tags["Black"] = "a\ud800b"  # a record makes it a blank
    assert data_of(html_report([record], title="\ud800\x00"))["title"] == "\ud800\x00"


def test_the_page_allows_nothing_from_outside() -> None:
    attributes = Tags(BASIC).found
    policy = next(
        str(it["content"]) for tag, it in attributes if it.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for name, element in (("style-src", "style"), ("script-src", "script")):
        text = re.findall(rf"<{element}>(.*?)</{element}>", BASIC, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text[0].encode()).digest()).decode()
        assert (len(text), rules[name]) == (1, f"'sha256-{digest}'")
    addresses = [it.get(key) for _, it in attributes for key in ("src", "href", "action") if key in it]
    assert addresses == ["data:,"]
    assert not re.search(r"https?:(?!//www\.w3\.org/2000/svg)", BASIC)


# --- the page


def test_the_parts_are_small_plain_and_of_one_line_end() -> None:
    folder = files("reversi.render.report")
    texts = [
        folder.joinpath(name).read_text(encoding="utf-8") for name in ("page.html", "report.css", "report.js")
    ]
    assert sum(map(len, texts[1:])) < 40_000
    assert all(text.isascii() and "\r" not in text for text in texts)
    assert "innerHTML" not in texts[2]
    assert max(len(line) for text in texts[1:] for line in text.splitlines()) <= 120


def test_one_game_is_small() -> None:
    longest = max((sample("othello", seed) for seed in range(5)), key=lambda it: len(it[0]))
    game, given = longest
    for turn, ply in zip(turns_of(given), game, strict=True):
        position, line = ply.before, []
        while not position.is_over:  # a line to the end from every turn: more than any analysis gives
            line.append(str(position.legal_moves[0]))
            position = position.play(line[-1])
        turn["pv"] = line
    assert len(html_report([given])) < 120_000


def test_the_same_games_give_the_same_page() -> None:
    assert html_report([sample()[1]]) == html_report([sample()[1]])


def test_titles() -> None:
    one = sample()[1]
    assert f"<title>Ada &#8211; Bob {one.record.result}</title>" in html_report([one])
    assert "<title>2 games</title>" in html_report([one, one])
    assert "<title>Black &#8211; White</title>" in BASIC
    assert "<title>a &amp; b\\u202e</title>" in html_report([one], title="a & b\u202e")


@pytest.mark.parametrize(
    ("games", "message"),
    [
        ([], "a report needs at least one game"),
        ([Game()] * 1001, "a report has at most 1,000 games; select fewer"),
        ([Position()], "a report is of Game, Record or ReportGame values, not of Position"),
    ],
)
def test_what_is_no_report(games: list[Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        html_report(games)
    assert str(caught.value) == message


def test_rules_are_named() -> None:
    assert ["Rules", "adjacent"] in only(sample("adjacent", 1)[1])["tags"]
    assert "Rules" not in dict(only(sample()[1])["tags"])
    assert only(Game(parse_rules("othello,board=4x4")))["columns"] == 4
