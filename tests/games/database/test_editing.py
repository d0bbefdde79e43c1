"""Changes of a database: sources removed, players renamed and merged; all of it or nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reversi.errors import InputError
from reversi.games import Database, DatabaseError, Imported, Selection
from reversi.games.aliases import Aliases
from reversi.games.database.editing import Aliased
from reversi.records import Entry, Record, format_record, parse_record

pytest.importorskip("duckdb", reason="the database needs DuckDB")
pytest.importorskip("numpy", reason="the database needs NumPy")


def game(black: str, white: str, moves: str = "1. f5 d6 2. c3", year: int = 1997) -> Record:
    return parse_record(f'[Black "{black}"]\n[White "{white}"]\n[Date "{year}"]\n\n{moves} 40-24\n')


COMMENTED = "1. f5 f6 {a comment} 2. e6"
FILES = {
    "one.pgn": [game("Oh, Joung-Mok", "Ada"), game("Ada", "Bob", COMMENTED), game("Bob", "Cy")],
    "two.pgn": [game("Oh J.", "Ada"), game("Oh J.", "Dee", COMMENTED), game("Bob", "Oh J.", "1. f5 f4")],
}


def add(database: Database, name: str, records: list[Record]) -> Imported:
    with database.importing() as importing:
        return importing.add_source(name, entries(records))


def entries(records: list[Record]) -> Iterator[Entry]:
    return (Entry(number, 0, one) for number, one in enumerate(records, 1))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Database(tmp_path / "games.duckdb", create=True) as database:
        for name, records in FILES.items():
            add(database, name, records)
    return tmp_path / "games.duckdb"


def content(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    tables = {"sources": "exclude (imported)", "players": "", "games": "", "positions": ""}
    return {
        table: sorted(database.rows(f"select * {but} from {table}"), key=repr) for table, but in tables.items()
    }


def test_a_source_is_removed(path: Path) -> None:
    with Database(path, write=True) as database:
        before = content(database)
        tried = database.remove_source(2, dry_run=True)
        assert content(database) == before
        assert database.remove_source(2) == tried
        assert (tried.path, tried.games, tried.positions, tried.players) == ("two.pgn", 3, 4 + 4 + 3, 2)
    with Database(path.with_name("other.duckdb"), create=True) as other:
        add(other, "one.pgn", FILES["one.pgn"])
        with Database(path) as database:
            assert content(database) == content(other)


def test_what_was_removed_can_be_imported_again(path: Path) -> None:
    with Database(path, write=True) as database:
        database.remove_source(1)
        assert add(database, "one.pgn", FILES["one.pgn"]).added == 3
        assert database.info().games == 6


def test_games_that_a_later_file_parts_go_with_their_file(tmp_path: Path) -> None:
    one = [tagged(game("A", "X"), Date="2004.06.06"), tagged(game("A", "X"), Date="2004", Round="2")]
    other = tagged(game("A", "X"), Date="2004.01.05", Round="2")
    with Database(tmp_path / "games.duckdb", create=True) as database:
        assert add(database, "one", one).added == 1  # they may be one game
        assert database.remove_source(1).games == 1
        assert database.rows("select count(*) from claims") == [(0,)]
        assert add(database, "one", one).added == 1
        add(database, "other", [other])  # the second of them: they are two
        database.remove_source(1)
        assert [(record.tags["Date"], record.tags["Round"]) for record in database.records()] == [
            ("2004.01.05", "2")
        ]


def test_files_of_one_name_replace_earlier_files_only(tmp_path: Path) -> None:
    files = [tmp_path / year / "games.pgn" for year in ("2001", "2002", "2003")]
    for file, black in zip(files, ("Ada", "Bob", "Cy"), strict=True):
        file.parent.mkdir()
        file.write_text(format_record(game(black, "Dee")))
    with Database(tmp_path / "games.duckdb", create=True) as database:
        done = database.add(*files, replace=True)
        assert (done.added, done.known, done.gone) == (3, 0, 0)
        assert database.rows("select path from sources order by id") == [(str(file),) for file in files]
        done = database.add(*files, replace=True)
        assert (done.added, done.known, done.gone) == (0, 3, 0)
        assert database.info().games == 3


def test_a_file_whose_name_is_no_text_replaces_its_earlier_version(tmp_path: Path) -> None:
    with Database(tmp_path / "games.duckdb", create=True) as database, database.importing() as importing:
        importing.add_source("n\udce9.pgn", entries([game("Ada", "Bob")]))
    with Database(tmp_path / "games.duckdb", write=True) as database:
        with database.importing() as importing:
            earlier = importing.earlier("n\udce9.pgn")
            importing.add_source("n\udce9.pgn", entries([game("Bob", "Cy")]), replace=earlier)
        assert [one.black for one in database.records()] == ["Bob"]


def test_a_replaced_game_counts_apart_from_another_one_with_its_moves_and_players(tmp_path: Path) -> None:
    with Database(tmp_path / "games.duckdb", create=True) as database:
        for month in ("04", "06"):
            add(
                database,
                month,
                [parse_record(format_record(game("Ada", "Bob")).replace("1997", f"1997.{month}.05"))],
            )
        with database.importing() as importing:
            done = importing.add_source("04", entries([game("Cy", "Dee")]), replace=importing.earlier("04"))
        assert (done.added, done.known, done.gone) == (1, 0, 1)
        assert database.info().games == 2


def test_a_player_is_renamed(path: Path) -> None:
    with Database(path, write=True) as database:
        before = content(database)
        tried = database.rename_player("Ada", "Ada Lovelace", dry_run=True)
        assert content(database) == before
        assert database.rename_player("Ada", "Ada Lovelace") == tried
        assert (tried.names, tried.name, tried.games, tried.repeated) == (("Ada",), "Ada Lovelace", 3, 0)
        records = list(database.records(Selection(player="lovelace")))
        assert sorted((one.black, one.white) for one in records) == [
            ("Ada Lovelace", "Bob"),
            ("Oh J.", "Ada Lovelace"),
            ("Oh, Joung-Mok", "Ada Lovelace"),
        ]
        assert any(node.comments for one in records for node in one.line.nodes)
        assert database.count(Selection(player="ada")) == 3
        # the games are known under the new names, and the old ones stand for these
        assert add(database, "three.pgn", [game("Ada Lovelace", "Bob", COMMENTED)]).added == 0
        assert add(database, "four.pgn", [game("Ada", "Bob", COMMENTED)]).added == 0
        assert database.aliases().pairs == (("Ada", "Ada Lovelace"),)


def test_what_was_renamed_stays_so(path: Path) -> None:
    """A later import of an old name brings no player back, whatever became of the names since."""
    new = parse_record('[Black "oh, j."]\n[White "Ann"]\n[Date "2001"]\n\n1. f5 f4 40-24\n')
    with Database(path, write=True) as database:
        database.merge_players("Oh, Joung-Mok", ["Oh J."])
        database.rename_player("Oh, Joung-Mok", "Joung-Mok Oh of Korea")
        assert database.aliases().pairs == (
            ("Oh J.", "Joung-Mok Oh of Korea"),
            ("Oh, Joung-Mok", "Joung-Mok Oh of Korea"),
        )
        assert add(database, "two.pgn", FILES["two.pgn"]).added == 0
        assert add(database, "new.pgn", [new]).added == 1
        assert database.count(Selection(player="korea")) == 4
        assert [name for (name,) in database.rows("select name from players where name like '%J.%'")] == []
        database.rename_player("Joung-Mok Oh of Korea", "Oh J.")  # back: it stands for no other any more
        assert database.aliases().name_of("Oh J.") == "Oh J."
        assert database.aliases().name_of("Oh, Joung-Mok") == "Oh J."
        database.apply_aliases(Aliases([("Cy", "Cyrus")], [("Cup", "Open")]))
        assert add(database, "cy.pgn", [tagged(game("Cy", "Eve"), Event="Cup")]).added == 1
        assert database.count(Selection(player="cyrus", event="open")) == 1
        before = database.aliases().pairs
        database.rename_player("Eve", "Eva", dry_run=True)
        assert database.aliases().pairs == before


def test_names_of_one_player_are_merged(path: Path) -> None:
    with Database(path, write=True) as database:
        before = content(database)
        tried = database.merge_players("Oh, Joung-Mok", ["Oh J."], dry_run=True)
        assert content(database) == before
        assert database.merge_players("Oh, Joung-Mok", ["Oh J."]) == tried
        assert (tried.games, tried.repeated) == (3, 1)
        info = database.info()
        assert (info.games, info.positions, info.players) == (5, 4 * 4 + 3, 5)
        assert database.rows("select games from sources order by id") == [(3,), (2,)]
        assert database.count(Selection(player="oh joungmok")) == 3
        # nothing is left that another import of the same games would add
        renamed = [game("Oh, Joung-Mok", "Ada"), game("Oh, Joung-Mok", "Dee", COMMENTED)]
        assert add(database, "again.pgn", renamed).added == 0


def test_aliases_rename_players_and_events(tmp_path: Path) -> None:
    games = [game("Oh J.", "Ada"), game("Oh, Joung-Mok", "Ada"), game("Dee", "Bob")]
    for one, event in zip(games, ("Open", "Meisterschaft", "Meisterschaft"), strict=True):
        one.tags["Event"] = event
    aliases = Aliases([("oh j", "Oh, Joung-Mok")], [("Meisterschaft", "Open")])
    with Database(tmp_path / "games.duckdb", create=True) as database:
        for number, one in enumerate(games):
            add(database, f"{number}.pgn", [one])
        before = content(database)
        tried = database.apply_aliases(aliases, dry_run=True)
        assert content(database) == before
        assert database.apply_aliases(aliases) == tried == Aliased(1, 1, 3, 1)
        assert {(one.black, one.tags["Event"]) for one in database.records()} == {
            ("Oh, Joung-Mok", "Open"),
            ("Dee", "Open"),
        }
        assert database.apply_aliases(aliases) == Aliased(0, 0, 0, 0)
        assert database.count(Selection(event="meister", aliases=aliases)) == 2
        assert [one.event for one in database.results(Selection(aliases=aliases))] == ["Open"] * 2


def test_games_that_one_file_repeats_stay(tmp_path: Path) -> None:
    with Database(tmp_path / "games.duckdb", create=True) as database:
        add(database, "one.pgn", [game("A", "B"), game("A", "B"), game("C", "B")])
        add(database, "two.pgn", [game("D", "B")])
        done = database.merge_players("A", ["C", "D"])
        assert (done.games, done.repeated) == (2, 1)  # the one of the other file
        assert database.rows("select source, copy from games order by id") == [(1, 1), (1, 2), (1, 3)]
        assert add(database, "again.pgn", [game("A", "B")] * 4).added == 1


def test_games_of_different_dates_stay(tmp_path: Path) -> None:
    with Database(tmp_path / "games.duckdb", create=True) as database:
        for number, date in enumerate(("1997.01.05", "1997.11.28", "1997.01.05")):
            one = game("A" if number < 2 else "C", "B")
            one.tags["Date"] = date
            add(database, f"{number}.pgn", [one])
        assert database.rename_player("B", "Bob").repeated == 0
        assert database.merge_players("A", ["C"]).repeated == 1
        assert [one.tags["Date"] for one in database.records()] == ["1997.01.05", "1997.11.28"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda database: database.remove_source(7), "source 7 does not exist"),
        (lambda database: database.rename_player("Eve", "Ada"), "player 'Eve' does not exist"),
        (lambda database: database.rename_player("Ada", "Bob"), "player 'Bob' exists"),
        (lambda database: database.rename_player("Ada", " "), "the new name is empty"),
        (lambda database: database.merge_players("Ada", ["Eve"]), "player 'Eve' does not exist"),
        (lambda database: database.merge_players("Ada", ["Bob", "Ada"]), "player 'Ada' has that name already"),
    ],
)
def test_wrong_changes(path: Path, change: Any, why: str) -> None:
    with Database(path, write=True) as database:
        before = content(database)
        with pytest.raises(InputError) as caught:
            change(database)
        assert str(caught.value) == why
        assert content(database) == before
    with Database(path) as database, pytest.raises(DatabaseError, match="for reading only"):
        database.remove_source(1)


def test_an_error_on_the_way_changes_nothing(path: Path) -> None:
    with Database(path, write=True) as database:
        database.rows("update games set tags = '[' where id = (select max(id) from games)")
        before = content(database)
        with pytest.raises(DatabaseError, match="is damaged"):
            database.merge_players("Ada", ["Bob", "Oh J."])
        assert content(database) == before


def tagged(record: Record, **tags: str) -> Record:
    record.tags.update(tags)
    return record


LONG = "c4c5b6d3c2a7d6e7d7e3b5d2f7b1b7c6e6e8d1a8c7a4"


def random_game(chance: random.Random) -> Record:
    """Return one of few games, of which different things are known."""
    tags = {"Black": chance.choice(["A", "A", ""]), "White": "X"}
    known = {
        "Date": ["1997", "1997.01.05", "1998", "1997.02.07"],
        "Round": ["1", "2"],
        "Event": ["Open", "Cup", "Open 1997"],
        "GameId": ["7", "8"],
        "Site": ["here", "there"],
    }
    tags |= {name: chance.choice(values) for name, values in known.items() if chance.random() < 0.4}
    moves = [LONG[at : at + 2] for at in range(0, len(LONG), 2)]
    if chance.random() < 0.5:
        moves = ["f5", "d6", "c3"]
    moves[1:1] = chance.choice([[], [], ["{well}"], ["{so so}"]])
    result = chance.choice(["40-24", "40-24", "*", "1-0"])
    return parse_record(
        "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + " ".join([*moves, result])
    )


def what_it_has(database: Database) -> list[object]:
    sources = database.rows("select path from games g join sources s on s.id = source order by g.id")
    return [
        sorted((path, format_record(record)) for (path,), record in zip(sources, database.records(), strict=True)),
        sorted(database.rows("select games, path from sources")),
        sorted(database.rows("select name from players")),
        sorted(database.rows("select key, ply, move, count(*) from positions group by all")),
        database.rows("select count(*) from claims"),
        database.rows("select count(*) from positions where game not in (select id from games)"),
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(24))
def test_a_database_has_what_its_files_say_as_if_no_other_had_come(seed: int, tmp_path: Path) -> None:
    """Whatever was imported, replaced and removed before, in any order."""
    chance = random.Random(seed)
    files: dict[str, list[Record]] = {}
    with Database(tmp_path / "games.duckdb", create=True) as database:
        for step in range(6):
            name, change = f"{step}.pgn", chance.choice(["add", "add", "replace", "remove"])
            if change != "add" and files:
                name = chance.choice(list(files))
                stay = [one for one in files.pop(name) if chance.random() < 0.7]
                if change == "remove":
                    ((number,),) = database.rows("select id from sources where path = ?", [name])
                    database.remove_source(number)
                    continue
                files[name] = [*stay, random_game(chance)]
            else:
                files[name] = [random_game(chance) for _ in range(chance.randrange(1, 6))]
            with database.importing() as importing:
                importing.add_source(name, entries(files[name]), replace=importing.earlier(name))
        with Database(tmp_path / "rest.duckdb", create=True) as rest:
            for name, records in files.items():
                add(rest, name, records)
            assert what_it_has(database) == what_it_has(rest)
        for (source,) in database.rows("select id from sources"):
            database.remove_source(source)
        for table in ("games", "positions", "versions", "claims", "players"):
            assert database.rows(f"select count(*) from {table}") == [(0,)]


def test_a_file_replaces_what_it_brought(tmp_path: Path) -> None:
    old = [tagged(game("A", "X"), Round="1"), game("B", "X"), game("C", "X")]
    new = [tagged(game("A", "X"), Round="2"), game("B", "X"), game("D", "X")]
    with Database(tmp_path / "games.duckdb", create=True) as database:
        add(database, "other.pgn", [game("C", "X")])
        add(database, "old/year.pgn", old)
        with database.importing() as importing:
            assert importing.earlier("new/year.pgn") == {2: "old/year.pgn"}
            done = importing.add_source("new/year.pgn", entries(new), replace=importing.earlier("new/year.pgn"))
        assert (done.games, done.added, done.known, done.gone) == (3, 1, 2, 0)
        assert sorted((one.black, one.tags["Round"]) for one in database.records()) == [
            ("A", "2"),
            ("B", "?"),
            ("C", "?"),
            ("D", "?"),
        ]
        assert database.rows("select id, path, games from sources order by id") == [
            (1, "other.pgn", 1),
            (3, "new/year.pgn", 3),
        ]
        with database.importing() as importing:  # nothing comes in place of a file without games
            assert importing.add_source("new/year.pgn", entries([]), replace=[3]).gone == 0
        assert database.info().games == 4
        with database.importing() as importing:
            done = importing.add_source("new/year.pgn", entries(new[:1]), replace=[3])
        assert (done.added, done.known, done.gone) == (0, 1, 2)
        add(database, "x/other.pgn", [game("E", "X")])
        with pytest.raises(InputError, match=r"^y/other.pgn can replace other.pgn or x/other.pgn; remove"):
            database.importing().earlier("y/other.pgn")
