"""Standings and crosstables of events, by arithmetic that can be done by hand."""

from __future__ import annotations

import itertools
import random

import pytest

from reversi import ArgumentError, Color
from reversi.games import Event, GameResult, TieBreak, events_of, tables_of


def game(black: str, white: str, score: int, event: str = "Open", year: int | None = 1997) -> GameResult:
    winner = None if not score else Color.BLACK if score > 0 else Color.WHITE
    return GameResult(black, white, event, year, score=score, winner=winner, decided=True)


def places(event: Event, *tie_breaks: TieBreak) -> list[tuple[int, str]]:
    return [(line.place, line.player) for line in event.standings(tie_breaks)]


def test_a_round_of_three() -> None:
    (event,) = events_of([game("Ada", "Bob", 2), game("Bob", "Cy", 20), game("Cy", "Ada", 4)])
    ada, bob, cy = sorted(event.standings(), key=lambda line: line.player)
    assert [line.points for line in (ada, bob, cy)] == [1, 1, 1]
    # discs 33+30, 31+42, 22+34; the opponents of each have two points
    assert [line.brightwell for line in (ada, bob, cy)] == [63 + 12, 73 + 12, 56 + 12]
    assert [line.lead for line in (ada, bob, cy)] == [-2, 18, -16]
    assert places(event) == [(1, "Ada"), (1, "Bob"), (1, "Cy")]
    assert places(event, TieBreak.BRIGHTWELL) == [(1, "Bob"), (2, "Ada"), (3, "Cy")]
    assert places(event, TieBreak.DISCS) == [(1, "Bob"), (2, "Ada"), (3, "Cy")]


def test_direct_encounter_needs_that_all_met_equally_often() -> None:
    games = [game("Ada", "Bob", 2), game("Bob", "Cy", 60), game("Dan", "Ada", 30), game("Dan", "Cy", 30)]
    (event,) = events_of(games)
    assert places(event, TieBreak.DISCS) == [(1, "Dan"), (2, "Bob"), (3, "Ada"), (4, "Cy")]
    assert places(event, TieBreak.DIRECT) == [(1, "Dan"), (2, "Ada"), (3, "Bob"), (4, "Cy")]
    direct = {line.player: line.direct for line in event.standings([TieBreak.DIRECT])}
    assert direct == {"Dan": None, "Ada": 1, "Bob": 0, "Cy": None}
    # Cy, too, has a point now, and did not meet Ada
    (event,) = events_of([*games, game("Cy", "Eve", 2)])
    tied = [line for line in event.standings([TieBreak.DIRECT]) if line.points == 1]
    assert {(line.place, line.direct) for line in tied} == {(2, None)}
    # two meetings of one pair, one of another
    again = [game("Ada", "Bob", 2), game("Bob", "Ada", 2), game("Bob", "Cy", 0), game("Cy", "Ada", 0)]
    (event,) = events_of([*again, game("Cy", "Dan", 0)])
    assert [(line.place, line.direct) for line in event.standings([TieBreak.DIRECT])] == [(1, None)] * 3 + [
        (4, None)
    ]


def test_games_without_result_score_or_player() -> None:
    games = [
        GameResult("Ada", "Bob", "Open", 1997),
        GameResult("Ada", "Bob", "Open", 1997, winner=Color.WHITE, decided=True),
        game("", "Ada", -10),
    ]
    (event,) = events_of(games)
    ada, bob = event.standings()
    assert (ada.player, ada.games, ada.points, ada.lead) == ("Ada", 3, 1, 10)
    assert (bob.games, bob.points, bob.brightwell) == (2, 1, 32 + 6)  # half the squares where no score is known
    assert ada.brightwell == 32 + 6 + 37  # nothing is known of the other opponent
    met = event.meetings()["Ada", "Bob"]
    assert (met.games, met.decided, met.points, met.lead) == (2, 1, 0, 0)
    assert event.players == ("Ada", "Bob")


def test_other_boards_and_weights() -> None:
    (event,) = events_of([GameResult("Ada", "Bob", score=36, winner=Color.BLACK, decided=True, squares=36)])
    assert [line.brightwell for line in event.standings()] == [36, 6]
    assert [line.brightwell for line in event.standings(brightwell=10)] == [36, 10]


def test_an_event_is_a_name_and_a_year() -> None:
    games = [
        game("A", "B", 2, "Open", None),
        game("A", "B", 2, "Club"),
        game("A", "B", 2),
        game("A", "B", 2, year=1996),
    ]
    assert [str(event) for event in events_of(games)] == ["Open 1996", "Club 1997", "Open 1997", "Open"]
    assert [
        str(event) for event in events_of([game("A", "B", 2, "", 1996), game("A", "B", 2, "Open 1996", 1996)])
    ] == [
        "(no event) 1996",
        "Open 1996",
    ]


def test_wrong_arguments() -> None:
    (event,) = events_of([game("A", "B", 2)])
    with pytest.raises(ArgumentError):
        event.standings(["discs"])  # type: ignore[list-item]
    with pytest.raises(ArgumentError):
        events_of(["A"])  # type: ignore[list-item]


def test_standings_agree_with_a_plain_count() -> None:
    chance = random.Random(29)
    names = [f"P{number}" for number in range(7)]
    for _ in range(40):
        pairs = chance.choices(list(itertools.permutations(names, 2)), k=chance.randrange(1, 30))
        rows = [(black, white, 2 * chance.randrange(-20, 21)) for black, white in pairs]
        (event,) = events_of([game(*row) for row in rows])
        points = {
            name: sum((s > 0) + (s == 0) / 2 for b, _, s in rows if b == name)
            + sum((s < 0) + (s == 0) / 2 for _, w, s in rows if w == name)
            for name in {name for row in rows for name in row[:2]}
        }
        for line in event.standings():
            name = line.player
            discs = [32 + s // 2 for b, _, s in rows if b == name] + [32 - s // 2 for _, w, s in rows if w == name]
            opponents = [w for b, w, _ in rows if b == name] + [b for b, w, _ in rows if w == name]
            assert line.points == points[name]
            assert line.brightwell == sum(discs) + 6 * sum(points[opponent] for opponent in opponents)
            assert line.lead == 2 * sum(discs) - 64 * len(discs)
        order = [(-line.points, -line.brightwell, -line.lead) for line in event.standings()]
        assert order == sorted(order)


def test_the_crosstable_has_the_meetings() -> None:
    games = [game("Ada", "Bob", 2), game("Bob", "Ada", 0), game("Bob", "Cy", 20)]
    (table,) = tables_of(games, "crosstable")
    assert table.shown is not None
    cells = {row[1]: row[2:6] for row in table.shown.cells()}
    # Bob: 31 + 32 + 42 discs, 6 * (1.5 + 1.5 + 0); Ada: 33 + 32 discs, 6 * (1.5 + 1.5)
    assert cells == {
        "Bob": [".", "½/2", "1/1", "1½"],
        "Ada": ["1½/2", ".", "", "1½"],
        "Cy": ["0/1", "", ".", "0"],
    }
    assert [row[1] for row in table.shown.rows] == ["Bob", "Ada", "Cy"]
    assert table.rows == (  # a row for each pairing, from the view of each player
        ("Bob", 1, "Ada", 2, 2, 0.5, -2),
        ("Bob", 1, "Cy", 3, 1, 1.0, 20),
        ("Ada", 2, "Bob", 1, 2, 1.5, 2),
        ("Cy", 3, "Bob", 1, 1, 0.0, -20),
    )
    assert table.text() == table.shown.text()
    assert table.text(28).splitlines() == [
        "Open 1997",
        "   player  1     2    3",
        "1  Bob     .     ½/2  1/1",
        "2  Ada     1½/2  .",
        "3  Cy      0/1        .",
        "",
        "   player  points  games",
        "1  Bob         1½      3",
        "2  Ada         1½      2",
        "3  Cy           0      1",
        "",
        "   player  Brightwell  discs",
        "1  Bob            123    +18",
        "2  Ada             83     +2",
        "3  Cy              31    -20",
    ]
    assert table.text(200) == table.text()
    assert max(map(len, table.text(1).splitlines()[1:])) == len("1  Bob            123")  # a column at a time
    first = table.first(1)
    assert (first.rows, first.rest) == (table.rows[:2], 2)
    assert first.shown is not None
    assert len(first.shown.rows) == 1
    undecided = GameResult("Ada", "Bob", "Open", 1997)
    (table,) = tables_of([undecided], "crosstable")
    assert table.shown is not None
    assert [row[2:4] for row in table.shown.cells()] == [[".", "*"], ["*", "."]]
    assert [row[5] for row in table.rows] == [None, None]
