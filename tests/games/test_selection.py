"""Choosing games, telling the same ones, and dividing them among files."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from record_samples import RECORDS, random_record
from reversi import Position, Square, parse_rules
from reversi.errors import InputError
from reversi.games import Pattern, parse_selection
from reversi.games.identity import (
    Duplicate,
    Duplicates,
    Same,
    Twins,
    Why,
    details,
    identify,
    moves_identity,
)
from reversi.games.selection import (
    Selection,
    SelectionError,
    parse_discs,
    parse_tag,
    parse_years,
    reaches,
)
from reversi.games.splitting import SplitBy, SplitError, Splitter, file_stem
from reversi.records import Entry, Line, Node, Record
from reversi.records.formats.pgn.reader import read_records
from reversi.records.formats.wthor.header import WthorKind
from reversi.records.formats.wthor.names import NameTable
from reversi.records.formats.wthor.reader import read_wthor
from reversi.records.formats.wthor.wthor_format import FORMAT as WTHOR
from reversi.records.record import Tags, format_record
from reversi.records.replay import positions

OF_START = [index for index in range(8) if Position().symmetry(index) == Position()]


def record(moves: str = "f5d6", result: str = "*", **tags: str) -> Record:
    return Record(
        Tags(tags), line=Line([Node(Square(moves[at : at + 2])) for at in range(0, len(moves), 2)]), result=result
    )


def turned(game: Record, index: int) -> Record:
    """A game under a symmetry of the board."""
    nodes = []
    for node in game.line.nodes:
        move = node.move.symmetry(index, game.rules)
        flips = node.flips and tuple(square.symmetry(index, game.rules) for square in node.flips)
        nodes.append(Node(move, flips=flips))
    return Record(game.tags, game.start.symmetry(index), Line(nodes), game.result)


# --- selections


def test_a_selection_from_texts() -> None:
    asked = parse_selection(
        {"player": ["ada", "bob"], "year": ["1997-", "1990"], "result": ["draw"], "tag": ["A=b"]}
    )
    assert asked == Selection(
        player=("ada", "bob"),
        years=((1997, None), (1990, 1990)),
        results=frozenset({"draw"}),
        tags=(("A", "b"),),
    )
    assert parse_selection({"opening": ["Tiger"]}).takes(record("f5d6c3d3c4"))
    assert parse_selection({"position": ["f5d6"], "black": None}).takes(record("f5d6"))
    with pytest.raises(SelectionError, match=r"^opening: ply 2 ") as caught:
        parse_selection({"opening": ["Tiger", "f5f5"]})
    assert caught.value.source == "opening"
    with pytest.raises(SelectionError, match=r"^opening: .*no opening"):
        parse_selection({"opening": ["nothing of this name"]})
    with pytest.raises(SelectionError, match="'years' is not a condition; give one of tag, player,"):
        parse_selection({"years": ["1997"]})


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("1997", (1997, 1997)),
        ("1990-1999", (1990, 1999)),
        ("1990..1999", (1990, 1999)),
        ("1990-", (1990, None)),
        ("-1999", (None, 1999)),
    ],
)
def test_years(text: str, years: tuple[int | None, int | None]) -> None:
    assert parse_years(text) == years


@pytest.mark.parametrize("text", ["", "-", "97", "1999-1990", "19901999", "1990-99", "then"])
def test_wrong_years(text: str) -> None:
    with pytest.raises(SelectionError, match="year"):
        parse_years(text)


def test_tags() -> None:
    assert parse_tag("Event=Open = 1") == ("Event", "Open = 1")
    assert parse_tag("Event") == ("Event", "")
    with pytest.raises(SelectionError, match="NAME=VALUE"):
        parse_tag("=x")


@pytest.mark.parametrize(
    ("selection", "takes"),
    [
        (Selection(), True),
        (Selection(player="müller"), True),
        (Selection(player="anna mull"), True),
        (Selection(player="anna smith"), False),
        (Selection(player=("bob", "anna")), True),
        (Selection(player=("anna", "bob")), True),
        (Selection(player=("anna", "anna")), False),
        (Selection(player=("bob", "smith")), False),
        (Selection(black="bob"), False),
        (Selection(black=("bob", "anna")), True),
        (Selection(white=("carl", "smith")), False),
        (Selection(years=((1990, 1991), (1997, 1997))), True),
        (Selection(years=((1990, 1991), (1998, None))), False),
        (Selection(tags=(("Event", "nothing"), ("Event", "cambridge"))), True),
        (Selection(tags=(("Event", "cambridge"), ("Round", "nothing"))), False),
        (Selection(white="BOB"), True),
        (Selection(years=(1990, 1999)), True),
        (Selection(years=(1998, None)), False),
        (Selection(years=(None, 1996)), False),
        (Selection(tags=(("Event", "cambridge"),)), True),
        (Selection(tags=(("Round", ""),)), True),
        (Selection(tags=(("Annotator", ""),)), False),
        (Selection(tags=(("Result", "40"),)), True),
        (Selection(tags=(("Rules", "misere"),)), False),
        (Selection(tags=(("Board", "OX------XO"),)), True),
        (Selection(tags=(("Board", "to move"),)), False),
        (Selection(results=frozenset({"black"})), True),
        (Selection(results=frozenset({"white", "draw"})), False),
        (Selection(results=frozenset({"ended-early"})), True),
        (Selection(results=frozenset({"unfinished"})), False),
        (Selection(results=frozenset({"finished"})), False),
        (Selection(player="bob", years=(1997, 1997), results=frozenset({"decided"})), True),
    ],
)
def test_conditions(selection: Selection, takes: bool) -> None:
    game = record("f5d6", "40-24", Black="Müller, Anna", White="Bob", Date="1997.05.05", Event="Cambridge Open")
    assert selection.takes(game) is takes


def test_an_unknown_year_is_in_no_years() -> None:
    assert not Selection(years=(None, 2100)).takes(record())


def test_an_unknown_result_word_is_refused() -> None:
    with pytest.raises(SelectionError, match="finished"):
        Selection(results=frozenset({"won"}))
    with pytest.raises(SelectionError, match="a game has two players, not 3"):
        Selection(player=("a", "b", "c"))


@given(st.integers(0, 1000), st.integers(0, 60), st.integers(0, 7))
def test_a_game_reaches_its_own_positions_and_their_images(seed: int, ply: int, index: int) -> None:
    game = random_record(seed)
    path = list(positions(game))
    position = path[min(ply, len(path) - 1)]
    assert reaches(game, position)
    assert Selection(positions=(position.symmetry(index), Position())).takes(game)
    other = Position(parse_rules("adjacent,misere"))  # not the rules of this game
    assert not Selection(positions=(position, other)).takes(game)
    assert Selection(positions=((position, other),)).takes(game)
    assert not Selection(positions=((other,), position)).takes(game)
    other = position.with_to_move(position.to_move.opponent)
    assert reaches(game, other) == any(other.canonical() == one.canonical() for one in path)


def test_other_rules_are_other_positions() -> None:
    game = random_record(1)
    assert not reaches(game, Position(parse_rules("othello,misere")))
    assert not reaches(record("f5a1f4"), Position().play("f5").play("f4"))


def test_entries_are_chosen_in_order() -> None:
    entries = [Entry(number, number, record(Black=name)) for number, name in enumerate("ABA", 1)]
    assert [entry.number for entry in Selection(black="a").of(entries)] == [1, 3]


# --- numbers, moves and parts of a board


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("20", (20, 20)),
        ("-20", (-20, -20)),
        ("+4..10", (4, 10)),
        ("10-20", (10, 20)),
        ("-20..-10", (-20, -10)),
        ("40..", (40, None)),
        ("40-", (40, None)),
        ("..-4", (None, -4)),
    ],
)
def test_discs(text: str, span: tuple[int | None, int | None]) -> None:
    assert parse_discs("score", text) == span


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("score", "", "'' is not a number of discs; write 20"),
        ("score", "many", "'many' is not a number of discs; write 20"),
        ("score", "20..10", "the first comes after the last; write 20"),
        ("margin", "-4", "it is never negative; write 20"),
        ("theory_error", "..-4", "it is never negative; write 20"),
    ],
)
def test_wrong_discs(name: str, text: str, why: str) -> None:
    with pytest.raises(SelectionError, match=f"^{name}: {why}") as caught:
        parse_selection({name: [text]})
    assert caught.value.source == name


@pytest.mark.parametrize(
    ("selection", "takes"),
    [
        (Selection(score=(12, 12)), True),
        (Selection(score=((None, -1), (11, 13))), True),
        (Selection(score=(None, 11)), False),
        (Selection(margin=(12, None)), True),
        (Selection(theory=(-6, -6)), True),
        (Selection(theory=(0, None)), False),
        (Selection(theory_error=(18, 18)), True),
        (Selection(theory_error=(None, 17)), False),
        (Selection(outcome_changed=True), True),
        (Selection(outcome_changed=True, results=frozenset({"white"})), False),
    ],
)
def test_scores(selection: Selection, takes: bool) -> None:
    assert selection.takes(record("f5d6", "38-26", WthorTheoretical="29", WthorDepth="24")) is takes


@pytest.mark.parametrize("result", ["*", "1-0", "38-26"])
def test_what_is_unknown_is_in_no_span(result: str) -> None:
    game = record("f5d6", result)
    assert Selection(score=(None, 64)).takes(game) is (result == "38-26")
    assert not Selection(theory=(None, None), theory_error=(0, None)).takes(game)
    assert not Selection(outcome_changed=True).takes(game)
    with_theory = record("f5d6", result, WthorTheoretical="32")
    assert Selection(theory=(0, 0)).takes(with_theory)
    assert Selection(outcome_changed=True).takes(with_theory) is (result != "*")


@given(st.integers(0, 1000), st.integers(0, 50), st.integers(1, 6), st.integers(0, 7))
def test_a_game_has_its_own_moves_and_their_images(seed: int, ply: int, count: int, index: int) -> None:
    game = random_record(seed)
    index %= 8 if game.rules.board.rows == game.rules.board.columns else 4
    moves = [str(move) for move in turned(game, index).moves]
    part = "".join(moves[ply : ply + count])
    if part:
        assert Selection(moves_contain=part).takes(game)
    if placed := "".join([move for move in moves if move != "--"][ply : ply + count]):
        assert Selection(moves_contain=("a1a1", placed)).takes(game)


def test_moves_in_another_order_are_others() -> None:
    game = record("f5d6c3d3c4f4")
    assert Selection(moves_contain="D6 C3").takes(game)
    assert Selection(moves_contain="f4c3").takes(game)  # mirrored
    assert not Selection(moves_contain="f5c3").takes(game)
    assert not Selection(moves_contain="c3d6").takes(game)
    with pytest.raises(SelectionError, match=r"^moves_contain: 'x9' is not a move; write moves such as f5f6e6"):
        Selection(moves_contain="f5x9")
    with pytest.raises(SelectionError, match=r"^moves_contain: ', ' has no moves"):
        Selection(moves_contain=", ")


@given(st.integers(0, 1000), st.integers(0, 60), st.integers(0, 7), st.integers(0, 2**64 - 1), st.data())
def test_a_game_has_parts_of_its_own_positions_and_their_images(
    seed: int, ply: int, index: int, shown: int, data: st.DataObject
) -> None:
    game = random_record(seed)
    path = list(positions(game))
    board = game.rules.board
    position = path[min(ply, len(path) - 1)].symmetry(index % (8 if board.rows == board.columns else 4))
    rows, columns = data.draw(st.integers(1, board.rows)), data.draw(st.integers(1, board.columns))
    cells = [
        [
            "?" if shown >> (8 * row + column) & 1 else position.cells[row * board.columns + column]
            for column in range(columns)
        ]
        for row in range(rows)
    ]
    pattern = Pattern("/".join(map("".join, cells)))
    assert Selection(patterns=(pattern,)).takes(game)
    listed = Record(game.tags, game.start, Line([*game.line.nodes, Node(Square("a1"))]), game.result)
    if not listed.line.lists_flips and Selection(results=frozenset({"illegal"})).takes(listed):
        assert not Selection(patterns=(pattern,)).takes(listed)


def test_patterns() -> None:
    game = record("f5d6c3d3c4")
    assert not Selection(patterns=(Pattern("X"),)).takes(game)
    assert Selection(patterns=(Pattern("???/???/??X"),)).takes(game)
    assert not Selection(patterns=(Pattern("???/???/??X"), Pattern("XO"))).takes(game)
    assert Selection(patterns=((Pattern("XO"), Pattern("????????/????????/??XX????")),)).takes(game)
    assert Pattern("xo" * 32).text == "/".join(["XOXOXOXO"] * 8)
    assert Pattern(" * B\n w . ").text == "XX/O-"
    for wrong in ("", "XY", "X" * 9, "X" * 65, "XX/X", "/".join("X" * 9)):
        with pytest.raises(InputError, match="is not a pattern: write rows of one length"):
            Pattern(wrong)
    with pytest.raises(SelectionError, match=r"^pattern: 'z' is not a pattern"):
        parse_selection({"pattern": ["z"]})


# --- the same game


@given(st.integers(0, 1000), st.sampled_from(OF_START))
def test_a_rotated_game_is_the_same(seed: int, index: int) -> None:
    game = random_record(seed)
    assert moves_identity(turned(game, index)) == moves_identity(game)
    assert identify(turned(game, index)) == identify(game)


@given(RECORDS, st.integers(0, 7))
def test_any_record_has_an_identity(game: Record, index: int) -> None:
    board = game.rules.board
    count = 8 if board.rows == board.columns else 4
    inside = [square for node in game.line.nodes for square in (node.move, *(node.flips or ()))]
    if all(not isinstance(one, Square) or (one.row < board.rows and one.column < board.columns) for one in inside):
        assert moves_identity(turned(game, index % count)) == moves_identity(game)


def test_what_makes_games_differ() -> None:
    game = record("f5d6c3", Black="Ada", White="Bob", Date="1997")
    same = [
        record("f5d6c3", Black="ADA", White="Bob.", Date="1997.05.01", Event="x"),
        record("e6f4c3", Black="Ada", White="Bob", Date="1997"),
    ]
    other = [
        record("f5d6c3", Black="Bob", White="Ada", Date="1997"),
        record("f5d6c3d3", Black="Ada", White="Bob", Date="1997"),
        record("f5d6c5", Black="Ada", White="Bob", Date="1997"),
    ]
    assert {identify(one).game for one in same} == {identify(game).game}
    assert len({identify(one).game for one in (game, *other)}) == 4
    assert moves_identity(other[0]) == moves_identity(game)
    misere = Record(start=Position(parse_rules("othello,misere")), line=game.line)
    assert moves_identity(misere) != moves_identity(game)
    by_hand = Record(line=Line([Node(Square("f5"), flips=())]))
    assert moves_identity(by_hand) != moves_identity(record("f5"))


def test_spellings_of_a_name_are_one_player() -> None:
    games = [
        record("f5d6", Black=name, White="Bob", Date="1997")
        for name in ("Oh Joung-Mok", "JOUNGMOK, Oh", "Zhou Chuan", "Zhuo Chuan")
    ]
    assert identify(games[0]) == identify(games[1])
    assert identify(games[2]) != identify(games[3])


def test_twins_are_counted() -> None:
    twins = Twins()
    names = ["Ada", "Bob", "Cy", "?"]
    assert [twins.add(identify(record("f5d6", Black=name, Date="1997"))) for name in names] == [False, *[True] * 3]
    assert not twins.add(identify(record("f5d6", Black="Dee", Date="1998")))
    other_event = record("e6f4c3", Black="Ada", Date="1997")
    assert not twins.add(identify(other_event))
    assert not twins.add(identify(other_event))  # not other names
    assert twins.count == 3


def left_out(games: list[Record], same: str = "") -> dict[int, Duplicate]:
    duplicates = Duplicates()
    for game in games:
        duplicates.add(identify(game, same=Same.of(same)))
    return duplicates.found(lambda number: format_record(games[number]))


def test_each_game_once() -> None:
    games = [record("f5d6"), record("e6f4"), record("f5d6", Black="Ada")]
    assert left_out(games) == {0: Duplicate(1, Why.REPEATS)}  # the first in the order of their texts stays
    assert set(left_out(games, "moves")) == {0, 1}  # the longest


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_game_without_a_date_is_no_bridge(order: tuple[int, ...]) -> None:
    dates = ["????.??.??", "2004.01.05", "2004.11.28"]
    games = [record("f5d6c3", Black="Ada", White="Bob", Date=dates[number]) for number in order]
    ((number, (kept, why)),) = left_out(games).items()
    assert (order[number], order[kept], why) == (0, 1, Why.SEVERAL)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"Date": "2004.01.05"}, {"Date": "2004.11.28"}),
        ({"Date": "05.01.2004"}, {"Date": "28.11.2004"}),
        ({"Date": "2004.01.??"}, {"Date": "2004.11.28"}),
        ({"GameId": "1"}, {"GameId": "2"}),
        ({"Event": "Club A", "Date": "2004"}, {"Event": "Club B", "Date": "2004"}),
        ({"Round": "1"}, {"Round": "2"}),
        ({"WthorTournament": "7", "Event": "Paris"}, {"WthorTournament": "8", "Event": "Rome"}),
        ({"WthorTournament": "7"}, {"WthorTournament": "8"}),
    ],
)
def test_what_is_known_about_both_and_differs_makes_two_games(one: dict[str, str], other: dict[str, str]) -> None:
    games = [record("f5d6c3", Black="Ada", White="Bob", **tags) for tags in (one, other)]
    assert left_out(games) == {}
    assert set(left_out([*games, *games])) == {2, 3}


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ({"Date": "2004.01.05"}, {"Date": "2004.1.5"}, Why.REPEATS),
        ({"Date": "2004.01.05"}, {"Date": "20040105"}, Why.REPEATS),
        ({"Event": "Saint-Étienne"}, {"Event": "saint etienne"}, Why.REPEATS),
        ({"Round": "1"}, {"Round": "Round 01"}, Why.REPEATS),
        ({"Date": "2004.01.05"}, {"Date": "2004.??.??"}, Why.LESS),
        ({"Date": "2004", "GameId": "1"}, {"Date": "c. 2004"}, Why.OTHER),
        ({"GameId": "1"}, {"Round": "-", "Event": "?"}, Why.LESS),
        ({"GameId": "1"}, {"Date": "2004"}, Why.OTHER),
        (
            {"WthorTournament": "7", "Event": "Championnat de Paris", "Date": "2004"},
            {"Event": "Paris Open", "Date": "2004.01.05"},
            Why.OTHER,
        ),
    ],
)
def test_what_only_one_says_does_not(one: dict[str, str], other: dict[str, str], why: Why) -> None:
    games = [record("f5d6c3", Black="Ada", White="Bob", **tags) for tags in (one, other)]
    for both in (games, games[::-1]):
        ((number, found),) = left_out(both).items()
        assert (found.kept, found.why) == (1 - number, why)


SURE = {"Black": "Ada", "White": "Bob", "Date": "2004"}


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ({"Event": "Open de France"}, {"Event": "Open de France - 2004"}, Why.REPEATS),
        ({"Event": "Open de France (2004)"}, {"Event": "Open de France 3rd"}, Why.REPEATS),
        ({"Event": "Open de France"}, {"Event": "Cup"}, Why.EVENT),
        ({"Event": "Open de France", "Round": "3"}, {}, Why.LESS),
        ({"Round": "3", "Date": "2004.01.05"}, {"Round": "Round 3"}, Why.LESS),
        ({"Date": "2004.01.??"}, {"Date": "2004.11.28"}, Why.LESS),
        ({"Time": "14:00"}, {"Time": "15:00"}, Why.REPEATS),
        ({"WthorTournament": "7"}, {"WthorTournament": "8"}, Why.REPEATS),
        ({"Date": "2004.01.05"}, {"Date": "2004.11.28"}, None),
        ({"Date": "2004"}, {"Date": "2005"}, None),
        ({"Round": "1"}, {"Round": "2"}, None),
        ({"GameId": "1"}, {"GameId": "2"}, None),
    ],
)
@pytest.mark.parametrize("plies", [20, 60])
def test_moves_and_players_are_enough(
    one: dict[str, str], other: dict[str, str], why: Why | None, plies: int
) -> None:
    """In games with both players and 20 placements or an end, only the year, date, round or id can differ."""
    line = random_record(1).line.nodes[:plies]
    games = [Record(Tags(SURE | tags), line=Line(line)) for tags in (one, other)]
    for both in (games, games[::-1]):
        assert [found.why for found in left_out(both).values()] == ([why] if why else [])
    nameless = [Record(Tags(SURE | tags | {"White": "?"}), line=Line(line)) for tags in (one, other)]
    short = [Record(Tags(SURE | tags), line=Line(line[:19])) for tags in (one, other)]
    for careful in (nameless, short):
        differs = why in (None, Why.EVENT) or "Time" in one or "WthorTournament" in one
        assert len(left_out(careful)) == (0 if differs or "11.28" in str(other) or "3rd" in str(other) else 1)


@pytest.mark.parametrize(
    ("same", "left"),
    [
        ("moves", [0, 0, 0, 0]),
        ("moves,players", [0, 0, 0]),
        ("players,moves,year", [0, 0]),
        ("moves, players, year, event", [0]),
        ("moves,round", [0, 0]),
    ],
)
def test_what_is_compared_can_be_chosen(same: str, left: list[int]) -> None:
    tags = [
        SURE | {"Event": "Open", "Round": "1"},
        SURE | {"Event": "Open 2004", "Round": "2"},
        SURE | {"Event": "Cup", "Round": "1"},
        SURE | {"Date": "2005", "Round": "3"},
        SURE | {"White": "Cy", "Round": "1"},
    ]
    games = [record("f5d6c3", **one) for one in tags]
    assert len(left_out(games, same)) == len(left)
    with pytest.raises(InputError, match=r"no 'colour' to compare; choose from moves, players"):
        Same.of("moves,colour")
    with pytest.raises(InputError, match="add moves"):
        Same.of("players")


_DETAILS = st.fixed_dictionaries(
    {},
    optional={
        "Date": st.sampled_from(["2004", "2005", "2004.01", "2004.01.05", "2004.11.28"]),
        "GameId": st.sampled_from("12"),
        "Round": st.sampled_from("12"),
        "Event": st.sampled_from("AB"),
    },
)


@given(st.lists(_DETAILS, max_size=8), st.randoms())
def test_games_that_differ_are_never_one_in_any_order(tags: list[dict[str, str]], chance: random.Random) -> None:
    games = [record("f5d6c3", Black="Ada", White="Bob", **one) for one in tags]
    found = left_out(games)
    same: dict[int, list[dict[str, str]]] = {}
    for number, game in enumerate(games):
        kept = found[number].kept if number in found else number
        assert kept not in found
        values = {name: value for name, _, value in (one.partition(" ") for one in details(game))}
        same.setdefault(kept, []).append(values)
    for known in same.values():
        for one, other in itertools.combinations(known, 2):
            assert all(other.get(name, value) == value for name, value in one.items())
    mixed = chance.sample(games, len(games))
    again = left_out(mixed)
    assert Counter(format_record(one) for number, one in enumerate(mixed) if number not in again) == Counter(
        format_record(one) for number, one in enumerate(games) if number not in found
    )


# --- splitting


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ("", "unknown"),
        ("1997", "1997"),
        ("Müller / Anna?", "Muller_Anna"),
        ("Łódź Ødegård", "Lodz_Odegard"),
        ("../../etc/passwd", "etc_passwd"),
        ("NUL", "NUL_"),
        ("...", "unknown"),
        ("-rf", "rf"),
        ("--_.-x-y-", "x-y-"),
        ("---", "unknown"),
        ("x" * 300, "x" * 100),
    ],
)
def test_names_of_files(text: str, stem: str) -> None:
    assert file_stem(text) == stem


def games_in(folder: Path) -> dict[str, list[Record]]:
    return {
        path.name: [entry.record for entry in read_records(path.read_text(encoding="utf-8"))]
        for path in sorted(folder.iterdir())
    }


def test_by_year(tmp_path: Path) -> None:
    games = [record(Date=date) for date in ("1997", "1998", "????", "1997.02.03")]
    with Splitter(tmp_path / "new" / "folder", SplitBy.YEAR) as splitter:
        for game in games:
            splitter.add(game)
    found = games_in(tmp_path / "new" / "folder")
    assert found == {"1997.pgn": [games[0], games[3]], "1998.pgn": [games[1]], "unknown.pgn": [games[2]]}


@pytest.mark.parametrize(
    ("by", "names"),
    [
        (SplitBy.BLACK, {"Ada.pgn", "Bob.pgn"}),
        (SplitBy.WHITE, {"Bob.pgn", "unknown.pgn"}),
        (SplitBy.EVENT, {"Open.pgn", "unknown.pgn"}),
        (SplitBy.OPENING, {"Tiger.pgn", "unknown.pgn"}),
        (SplitBy.RULES, {"othello.pgn"}),
    ],
)
def test_by_others(tmp_path: Path, by: SplitBy, names: set[str]) -> None:
    other = record("f5d6", Black="Bob")
    other.line.nodes[1].flips = ()  # by hand, and so no opening
    with Splitter(tmp_path, by) as splitter:
        splitter.add(record("f5d6c3d3c4", Black="Ada", White="Bob", Event="Open"))
        splitter.add(other)
    assert set(games_in(tmp_path)) == names


def test_a_file_gets_a_number_of_games(tmp_path: Path) -> None:
    games = [random_record(seed) for seed in range(5)]
    splitter = Splitter(tmp_path, every=2)
    for game in games:
        splitter.add(game)
    splitter.finish()
    assert splitter.files == {tmp_path / f"{part:04}.pgn": count for part, count in ((1, 2), (2, 2), (3, 1))}
    assert [game for part in games_in(tmp_path).values() for game in part] == games


def test_wthor_by_year_has_shared_names(tmp_path: Path) -> None:
    games = [record(Date=date, Black=name) for date, name in (("1997", "Ada"), ("1998", "Bob"), ("1997", "Bob"))]
    names = (NameTable(WthorKind.PLAYERS, ()), NameTable(WthorKind.TOURNAMENTS, ()))
    with Splitter(tmp_path, SplitBy.YEAR, to=WTHOR, names=names) as splitter:
        for game in games:
            splitter.add(game)
    assert splitter.files == {tmp_path / "WTH_1997.wtb": 2, tmp_path / "WTH_1998.wtb": 1}
    assert splitter.names is not None
    players = splitter.names[0].names
    for year, black in (("1997", ["Ada", "Bob"]), ("1998", ["Bob"])):
        read = [entry.record for entry in read_wthor((tmp_path / f"WTH_{year}.wtb").read_bytes(), players)]
        assert [game.black for game in read] == black
        assert {game.tags["Date"] for game in read} == {f"{year}.??.??"}


def test_an_error_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> None:
        with Splitter(tmp_path, every=1) as splitter:
            splitter.add(record())
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert not list(tmp_path.iterdir())


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "0001.pgn").write_text("mine")
    with pytest.raises(SplitError, match="already exists"), Splitter(tmp_path) as splitter:
        splitter.add(record())
    assert (tmp_path / "0001.pgn").read_text() == "mine"
    with Splitter(tmp_path, replace=True) as splitter:
        splitter.add(record())
    assert list(games_in(tmp_path)) == ["0001.pgn"]
    with pytest.raises(SplitError, match="at least 1"):
        Splitter(tmp_path, every=0)


def test_capitals_make_no_two_files(tmp_path: Path) -> None:
    with Splitter(tmp_path, SplitBy.BLACK) as splitter:
        splitter.add(record(Black="ada"))
        splitter.add(record(Black="ADA"))
    assert len(games_in(tmp_path)) == 1
