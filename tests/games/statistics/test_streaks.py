"""The longest streaks of players, and whether anything orders their games."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from command_line import run_command
from reversi import Color, InputError
from reversi.games import Database, open_records, results_of, tables_of
from reversi.games.statistics.results import GameResult
from reversi.games.statistics.streaks import Streak, streaks_of

POINTS = {"1": Color.BLACK, "0": Color.WHITE, "=": None}


def played(result: str, date: str = "", round_: str = "", event: str = "Open") -> GameResult:
    year = int(date[:4]) if date else None
    full = date if len(date) > 4 else ""
    won = POINTS.get(result)
    return GameResult("Ada", "Bob", event, year, winner=won, decided=result in POINTS, round=round_, date=full)


def test_streaks_are_the_longest_runs() -> None:
    results = "110=11*101=1=0"
    games = [played(result, f"2004.05.{day:02}") for day, result in enumerate(results, 1)]
    random.Random(1).shuffle(games)
    found = streaks_of(games)
    ada, bob = found["Ada"], found["Bob"]
    assert ada is not None
    assert bob is not None
    assert ada.games == bob.games == len(results) - 1  # the game without a result is none of a streak
    assert ada.winning == Streak(3, "2004.05.05", "2004.05.08")
    assert ada.unbeaten == Streak(4, "2004.05.04", "2004.05.08")
    assert bob.winning == Streak(1, "2004.05.03", "2004.05.03")
    assert bob.unbeaten == Streak(2, "2004.05.03", "2004.05.04")
    lost = streaks_of([played("0", "2004")])["Ada"]
    assert lost is not None
    assert lost.winning == Streak()


@pytest.mark.parametrize(
    ("games", "known"),
    [
        ([("1", "2004"), ("1", "2005")], True),
        ([("1", "2004"), ("1", "2004")], False),
        ([("1", "2004", "1"), ("1", "2004", "2")], True),
        ([("1", "2004", "10"), ("1", "2004", "9")], True),
        ([("1", "2004", "2"), ("1", "2004", "2")], False),
        ([("1", "2004", "1"), ("1", "2004", "final")], False),
        ([("1", "2004", "1"), ("1", "2004", "2", "Cup")], False),
        ([("1", "", "1"), ("1", "", "2")], True),
        ([("1", "", "1", ""), ("1", "", "2", "")], False),  # of no event that is known
        ([("1", "", "1"), ("1", "2004", "2")], False),
        ([("1", "2004.05.01"), ("1", "2004.05.01")], False),
        ([("1", "2004.05.01", "2"), ("1", "2004.05.01", "1")], True),
        ([("1", "2004.05.01 10:00"), ("1", "2004.05.01 11:00")], True),
        ([("1", "2004.05.01 10:00"), ("1", "2004.05.01 10:00")], False),
        ([("1", "2004.05.01 10:00"), ("1", "2004.05.01")], False),
        ([("1", "2004"), ("1", "2004.05.01")], False),
        ([("1", "2003"), ("1", "2004.05.01")], True),
        ([("1", "2004"), ("*", "2004")], True),  # a game without a result is none
    ],
)
def test_what_orders_games(games: list[tuple[str, ...]], known: bool) -> None:
    for order in (games, games[::-1]):
        assert (streaks_of(played(*one) for one in order)["Ada"] is not None) is known


def test_the_table_is_that_of_files_and_databases(tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="the database needs DuckDB")
    texts = [
        f'[Event "Open"]\n[Date "2004.05.{day:02}"]\n[Time "{hour}:30:00"]\n[Black "Ada"]\n[White "{white}"]\n\n'
        f"1. f5 {'d6' if hour == 10 else 'f6'} {result}\n"
        for day, hour, white, result in [
            *((1, 11, "Bob", "0-1"), (1, 10, "Bob", "1-0"), (2, 10, "Cy", "1-0"), (3, 11, "Bob", "1-0")),
            *((4, 10, "Dee", "1-0"), (4, 10, "Eve", "1-0")),
        ]
    ]
    games, db = tmp_path / "games.pgn", tmp_path / "games.duckdb"
    games.write_text("\n".join(texts[:4]), encoding="utf-8")
    (table,) = tables_of(results_of(open_records(games)), "streaks")
    assert table.rows == (
        (
            "Ada",
            4,
            2,
            "2004.05.02 10:30:00",
            "2004.05.03 11:30:00",
            2,
            "2004.05.02 10:30:00",
            "2004.05.03 11:30:00",
        ),
        (
            "Bob",
            3,
            1,
            "2004.05.01 11:30:00",
            "2004.05.01 11:30:00",
            1,
            "2004.05.01 11:30:00",
            "2004.05.01 11:30:00",
        ),
        ("Cy", 1, 0, "", "", 0, "", ""),
    )
    assert table.title == "Streaks (3 of 3 players: dates or rounds order all their games)"
    run_command("db", "import", games, "--db", db).ends(0)
    with Database(db) as database:
        assert list(database.results()) == list(results_of(database.records()))
    of_files, of_database = (
        run_command("record", "stats", path, "--table", "streaks").stdout for path in (games, db)
    )
    assert of_files == of_database
    games.write_text("\n".join(texts), encoding="utf-8")
    (table,) = tables_of(results_of(open_records(games)), "streaks")
    assert sorted(str(row[0]) for row in table.rows) == ["Bob", "Cy", "Dee", "Eve"]  # Ada has two of one minute
    assert table.title.startswith("Streaks (4 of 5 players")
    done = run_command("record", "stats", games, "--table", "streaks", "--player", "bob").ends(0)
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == ["player", "Bob"]
    with pytest.raises(InputError, match="no player has this name"):
        tables_of(results_of(open_records(games)), "streaks", player="Nobody")
