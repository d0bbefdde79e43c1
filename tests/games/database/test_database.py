"""The database of games: imports, explorations, queries, and files of other kinds."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from children import Child
from files import new_file
from record_samples import RECORDS, random_record, seed_with_pass
from reversi import PASS, ArgumentError, Color, InputError, Position, Square, parse_rules
from reversi._core import canonical_key
from reversi.games import Database, DatabaseError, Imported, Order, Selection
from reversi.games.database.importing import KnownGame
from reversi.games.database.rows import IllegalGame
from reversi.games.database.versions import Group, Parts, Plan, Version, plan_of
from reversi.games.identity import Duplicates, Same, Why, details, identify
from reversi.openings.names import opening_named
from reversi.records import Code, Entry, Line, Node, Record, validate_record
from reversi.records.facts import facts_of, year_of
from reversi.records.formats.database.connection import Connection
from reversi.records.formats.database.file import DatabaseMemoryError, DatabaseUnavailableError, DatabaseWriteError
from reversi.records.record import Tags
from reversi.records.replay import positions

duckdb = pytest.importorskip("duckdb", reason="the database needs DuckDB")
pytest.importorskip("numpy", reason="the database needs NumPy")


def record(moves: str = "f5d6", result: str = "*", rules: str = "othello", **tags: str) -> Record:
    nodes = [Node(Square(moves[at : at + 2])) for at in range(0, len(moves), 2)]
    return Record(Tags(tags), Position(parse_rules(rules)), Line(nodes), result)


def entries(records: Iterable[Record]) -> Iterator[Entry]:
    return (Entry(number, 0, one) for number, one in enumerate(records, 1))


def add(path: Path, *records: Record, name: str = "games.pgn") -> Imported:
    with Database(path, create=True) as database, database.importing() as importing:
        return importing.add_source(name, entries(records))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.duckdb"


GAMES = [
    record("f5d6c3d3c4f4", "40-24", Black="Ada", White="Bob", Date="1997.05.01", Event="Open"),
    record("e6f4c3c4d3d6", "20-44", Black="Bob", White="Ada", Date="1998", Event="Open"),  # the same, turned
    record("f5d6c4d3c3b3", "32-32", Black="Cy", White="Ada", Date="1999", Event="Cup"),  # in another order
    record("f5d6c3d3c4", "*", Black="Dee", White="Cy"),
    record("f5f6e6f4e3", "1-0", Black="Ada", White="Müller, Anna", Date="1997"),
]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A database with these games, open for reading."""
    path = tmp_path_factory.mktemp("archive") / "games.duckdb"
    assert add(path, *GAMES) == Imported("games.pgn", 5, 5, 0)
    with Database(path) as database:
        yield database


def test_exploring(archive: Database) -> None:
    found = archive.explore(opening_named("Tiger").position)
    assert (found.games, found.opening) == (4, opening_named("Tiger"))
    f4, b3 = found.moves
    assert (str(f4.move), f4.games, f4.black, f4.draws, f4.white) == ("f4", 2, 1, 0, 1)
    score = (24 - 16) / 2  # White is to move
    assert (f4.score, f4.first, f4.last, f4.also, f4.opening) == (score, 1997, 1998, (), None)
    assert (str(b3.move), b3.games, b3.draws, b3.score) == ("b3", 1, 1, 0)
    assert b3.opening == opening_named("Aubrey")
    assert found.stopped is not None
    assert (found.stopped.move, found.stopped.games, found.stopped.score) == (None, 1, None)
    for index in range(8):
        position = opening_named("Tiger").position.symmetry(index)
        rotated = archive.explore(position).moves
        assert [tally.games for tally in rotated] == [2, 1]
        for tally in rotated:
            assert tally.move is not None
            assert archive.explore(position.play(tally.move)).games == tally.games


def test_moves_that_are_the_same_are_counted_together(archive: Database) -> None:
    (only,) = archive.explore(Position()).moves
    assert (str(only.move), [str(move) for move in only.also], only.games) == ("d3", ["c4", "f5", "e6"], 5)


def test_an_unknown_position(archive: Database) -> None:
    found = archive.explore(opening_named("Kung").position)
    assert (found.games, found.moves, found.stopped) == (0, (), None)
    assert archive.explore(Position(parse_rules("othello,misere"))).games == 0


@pytest.mark.thorough
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 500), min_size=1, max_size=12, unique=True), st.integers(0, 60))
def test_exploring_counts_what_the_games_say(
    tmp_path_factory: pytest.TempPathFactory, seeds: list[int], ply: int
) -> None:
    path = tmp_path_factory.mktemp("database") / "games.duckdb"
    games = [random_record(seed, plies=30 + seed % 40) for seed in seeds]
    add(path, *games)
    target = list(positions(games[0]))[min(ply, len(games[0].moves))]
    key = canonical_key(target)
    expected: Counter[int | None] = Counter()
    for game in games:
        nodes = [*game.line.nodes, None]
        for position, node in zip(positions(game), nodes, strict=True):
            if canonical_key(position) == key:
                after = None if node is None else canonical_key(node.played_on(position))
                expected[after] += 1
    with Database(path) as database:
        found = database.explore(target)
    counts = {
        canonical_key(target.play(tally.move)): tally.games for tally in found.moves if tally.move is not None
    }
    if found.stopped is not None:
        counts[None] = found.stopped.games  # type: ignore[index]
    assert counts == dict(expected)
    assert found.games == expected.total()


def test_passes_are_moves(path: Path) -> None:
    game = random_record(seed_with_pass())
    at = game.moves.index(PASS)
    add(path, game)
    with Database(path) as database:
        found = database.explore(list(positions(game))[at])
    assert [(tally.move, tally.games) for tally in found.moves] == [(PASS, 1)]


@pytest.mark.parametrize("rules", ["othello,board=6x6", "adjacent,optional-skip", "othello,misere"])
def test_other_rules(path: Path, rules: str) -> None:
    game = random_record(3, parse_rules(rules))
    add(path, game, random_record(3))
    with Database(path) as database:
        assert database.explore(Position(parse_rules(rules))).games == 1
        assert database.explore(Position()).games == 1
        last = list(positions(game))[-1]
        stopped = database.explore(last).stopped
        assert stopped is not None
        assert stopped.games == 1


def test_illegal_games_are_reported_without_positions(path: Path) -> None:
    game = random_record(seed_with_pass())
    at = game.moves.index(PASS)
    wrong = Record(Tags({"Black": "Ada"}), line=Line([node for node in game.line.nodes if node.move is not PASS]))
    small = [random_record(seed, parse_rules("othello,board=6x6")) for seed in range(3)]
    first = record("f6d6", Black="Bob")  # its first move is missing
    reported: list[IllegalGame] = []
    with Database(path, create=True) as database, database.importing() as importing:
        done = importing.add_source("x", entries([wrong, *small, first]), reported.append)
    assert done == Imported("x", 5, 5, 0, illegal=2)
    assert [(one.game, one.black, one.finding.ply, one.finding.code) for one in reported] == [
        (1, "Ada", at + 1, Code.PASS_REQUIRED),
        (5, "Bob", 1, Code.ILLEGAL_MOVE),
    ]
    for one, source in zip(reported, (wrong, first), strict=True):
        assert (one.finding,) == validate_record(source).findings
    with Database(path) as database:
        assert database.info().positions == sum(len(one.moves) + 1 for one in small)
        assert database.explore(Position()).games == 0
        assert list(database.records(Selection(results=frozenset({"illegal"})))) == [wrong, first]


def test_discs_flipped_by_hand(path: Path) -> None:
    game = Record(line=Line([Node(Square("f5"), flips=()), Node(Square("f4"), flips=())]))
    add(path, game)
    path_of = list(positions(game))
    with Database(path) as database:
        assert database.explore(path_of[1]).games == 1
        assert database.explore(Position().play("f5")).games == 0
        assert database.record(1) == game


# --- the same games again


def test_importing_again_adds_nothing(path: Path) -> None:
    add(path, *GAMES)
    assert add(path, *GAMES, name="again.pgn") == Imported("again.pgn", 5, 0, 5)
    more = record("f5d6c3", Black="Eve")
    assert add(path, GAMES[1], more, name="more.pgn") == Imported("more.pgn", 2, 1, 1)
    with Database(path) as database:
        info = database.info()
        assert (info.games, info.sources, info.players) == (6, 3, 6)
        assert (info.first, info.last) == (1997, 1999)
        assert database.explore(opening_named("Tiger").position).games == 4


def test_a_file_that_brings_nothing_new_stands_once(path: Path) -> None:
    sources = "select id, path, games from sources order by id"
    add(path, *GAMES)
    assert add(path, *GAMES).added == 0
    add(path, *GAMES[:2], name="part.pgn")
    add(path, *GAMES[:2], name="part.pgn")
    with Database(path) as database:
        assert database.rows(sources) == [(1, "games.pgn", 5), (2, "part.pgn", 0)]
    with Database(path, write=True) as database:
        assert database.remove_source(1).games == 3  # those that only this file has
        assert database.rows(sources) == [(2, "part.pgn", 2)]
    assert add(path, *GAMES[:2], name="part.pgn").added == 0
    assert add(path, *GAMES[:3], name="part.pgn").added == 1
    with Database(path) as database:
        assert database.rows(sources) == [(2, "part.pgn", 2), (3, "part.pgn", 1)]
    with Database(path, write=True) as database, database.importing() as importing:
        assert importing.add_source("part.pgn", entries(GAMES[:3])).added == 0
    assert importing.committed


def test_a_source_may_have_a_game_twice(path: Path) -> None:
    assert add(path, GAMES[0], GAMES[0]).added == 2
    assert add(path, GAMES[0]).added == 0
    assert add(path, GAMES[0], GAMES[0], GAMES[0]) == Imported("games.pgn", 3, 1, 2)


def test_sources_of_one_import_know_each_other(path: Path) -> None:
    with Database(path, create=True) as database, database.importing() as importing:
        assert importing.add_source("a", entries(GAMES[:3])).added == 3
        assert importing.add_source("b", entries(GAMES)) == Imported("b", 5, 2, 3)
    with Database(path) as database:
        sources = database.rows("select id, games from sources order by id")
    assert sources == [(1, 3), (2, 2)]


# --- transactions


def test_an_error_leaves_the_database_unchanged(path: Path) -> None:
    add(path, *GAMES)
    before = path.read_bytes()

    def broken() -> Iterator[Entry]:
        yield from entries([record("f5f4", Black="Eve")])
        raise KeyboardInterrupt

    with (
        pytest.raises(KeyboardInterrupt),
        Database(path, write=True) as database,
        database.importing() as importing,
    ):
        importing.add_source("x", broken())
    with Database(path) as database:
        assert database.info().games == 5
        assert database.explore(Position().play("f5").play("f4")).games == 0
    assert len(before) <= path.stat().st_size
    assert add(path, record("f5f4", Black="Eve")).added == 1


def test_a_new_database_without_games_is_removed(path: Path) -> None:
    def broken() -> Iterator[Entry]:
        yield from ()
        raise ValueError("no")

    database = Database(path, create=True)
    with pytest.raises(ValueError, match="no"), database, database.importing() as importing:
        importing.add_source("x", broken())
    assert not list(path.parent.iterdir())


def test_an_import_is_ended_once(path: Path) -> None:
    with Database(path, create=True) as database:
        importing = database.importing()
        importing.add_source("x", entries(GAMES))
        importing.commit()
        importing.commit()
        importing.rollback()
        assert database.info().games == 5
        second = database.importing()
        second.add_source("y", entries([record("f5f4")]))
        second.rollback()
        assert database.info().games == 5


def test_an_interrupt_after_the_commit_is_too_late(path: Path) -> None:
    with Database(path, create=True) as database:
        importing = database.importing()
        importing.add_source("x", entries(GAMES))
        database.rows("commit")
        importing.rollback()
        assert importing.committed
    with Database(path) as database:
        assert database.count() == 5


# --- queries


@pytest.mark.parametrize(
    ("selection", "found"),
    [
        (Selection(), [1, 5, 2, 3, 4]),
        (Selection(player="ada"), [1, 5, 2, 3]),
        (Selection(player=("ada", "nobody")), []),
        (Selection(player=("ada", "anna")), [5]),
        (Selection(player=("anna", "ada")), [5]),
        (Selection(black="ada"), [1, 5]),
        (Selection(black=("nobody", "ada")), [1, 5]),
        (Selection(event=("cup", "nothing")), [3]),
        (Selection(years=((1997, 1997), (1998, None))), [1, 5, 2, 3]),
        (
            Selection(positions=((opening_named("Tiger").position, opening_named("Aubrey").position),)),
            [1, 2, 3, 4],
        ),
        (Selection(white="anna MULLER"), [5]),
        (Selection(player="nobody"), []),
        (Selection(event="cup"), [3]),
        (Selection(years=(1998, None)), [2, 3]),
        (Selection(years=(1997, 1997)), [1, 5]),
        (Selection(results=frozenset({"draw", "white"})), [2, 3]),
        (Selection(results=frozenset({"undecided"})), [4]),
        (Selection(results=frozenset({"decided"})), [1, 5, 2, 3]),
        (Selection(results=frozenset({"finished", "illegal"})), []),
        (Selection(results=frozenset({"unfinished"})), [4]),
        (Selection(results=frozenset({"ended-early"})), [1, 5, 2, 3]),
        (Selection(positions=(opening_named("Tiger").position,)), [1, 2, 3, 4]),
        (Selection(positions=(opening_named("Tiger").position, opening_named("Aubrey").position)), [3]),
        (Selection(player="cy", years=(None, 1999)), [3]),
    ],
)
def test_selections(archive: Database, selection: Selection, found: list[int]) -> None:
    assert [number for number, game in enumerate(GAMES, 1) if selection.takes(game)] == sorted(found)
    games = list(archive.records(selection))
    assert games == [GAMES[number - 1] for number in sorted(found)]
    assert archive.count(selection) == len(found)
    by_year = list(archive.records(selection, Order(("year",))))
    assert by_year == sorted(games, key=lambda game: year_of(game) or 9999)
    assert list(archive.records(selection, Order(("year",), limit=2))) == by_year[:2]


def test_games_that_stop_ended_early_or_are_unfinished(path: Path) -> None:
    games = [
        record(result="*", Black="Ada"),
        record(result="0-1", Black="Bob"),
        record("f5d6c3", "what"),
        record("f5d6c3d3", "*", Event='["Termination","resignation"]', Termination=" Time Forfeit "),
        record("f5d6c4", "*", Event='["Termination","resignation"]', Termination="unterminated"),
        record("f5f6", "0-1"),
        record("e6f4e3f6g5d6e7f5c5", "13-0"),
    ]
    add(path, *games)
    with Database(path) as database:
        for word in ("finished", "ended-early", "unfinished", "illegal"):
            selection = Selection(results=frozenset({word}))
            assert list(database.records(selection)) == list(filter(selection.takes, games)), word
        ends = Counter((game.finished, game.ended_early) for game in database.results())
        assert ends == {(False, False): 3, (False, True): 3, (True, False): 1}


# --- records


@pytest.mark.thorough
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.lists(RECORDS, max_size=20))
def test_records_come_back_as_they_were(tmp_path_factory: pytest.TempPathFactory, records: list[Record]) -> None:
    path = tmp_path_factory.mktemp("database") / "games.duckdb"
    for number, one in enumerate(records, 1):  # two games without moves and players may be one
        one.tags["GameId"] = str(number)
    add(path, *records, GAMES[0])
    with Database(path) as database:
        for number, one in enumerate(records, 1):
            assert database.record(number) == one
        assert list(database.records()) == [*records, GAMES[0]]
        with pytest.raises(DatabaseError, match="game 999 does not exist"):
            database.record(999)


def test_records_are_read_without_a_node_for_each_turn(path: Path) -> None:
    """Then the compiled core replays them, as it does those of files."""
    add(path, record("f5d6c3d3c4"), record(""))
    with Database(path) as database:
        moves = [one.line.packed and one.line.packed.moves for one in database.records()]
        assert moves == [record("f5d6c3d3c4").line.numbers, b""]
        facts = [facts_of(one) for one in database.records()]
        assert [(one.plies, one.opening and one.opening.opening.name) for one in facts] == [
            (5, "Tiger"),
            (0, None),
        ]


def test_many_games_are_read_part_by_part(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    years = [1999, 1997, 1998, 1997, 1996]
    add(path, *(record("f5d6c3", Black=str(number), Date=str(year)) for number, year in enumerate(years)))
    monkeypatch.setattr("reversi.games.database.searching._PART", 2)
    with Database(path) as database:
        order = Order(("year", "event"))
        names = [game.black for game in database.records(order=order)]
        assert names == ["4", "1", "3", "2", "0"]
        assert [game.black for game in database.records(order=replace(order, limit=3))] == names[:3]
        assert list(database.records(Selection(player="nobody"))) == []


def test_a_start_of_its_own(path: Path) -> None:
    start = Position().play("f5").with_to_move(Color.BLACK)
    game = Record(Tags({"Black": "Ada"}), start, Line([Node(Square("c4"))]))
    add(path, game)
    with Database(path) as database:
        assert database.record(1) == game
        assert database.explore(start).games == 1


# --- files


def test_no_file(path: Path) -> None:
    with pytest.raises(DatabaseError, match="does not exist"):
        Database(path)


@pytest.mark.parametrize("content", [b"hello" * 1000, b"\0" * 20000, b""])
def test_no_database(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(DatabaseError) as error:
        Database(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)
    assert path.read_bytes() == content


@pytest.mark.parametrize("module", ["duckdb", "numpy"])
def test_without_the_extra(path: Path, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DatabaseUnavailableError, match=r"pip install .*reversi-engine\[db\]"):
        add(path, *GAMES)


def test_one_process_writes(path: Path) -> None:
    add(path, *GAMES)
    code = (
        "from reversi.games import Database\n"
        f"database = Database({str(path)!r}, write=True)\n"
        "print(flush=True)\n"
        "input()\n"
    )
    with Child([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(DatabaseError, match="in use by another process"):
            Database(path)
        other.communicate(b"\n", timeout=60)
    with Database(path) as database:
        assert database.info().games == 5


def test_another_database(path: Path) -> None:
    duckdb.connect(str(path)).execute("create table t(x integer)").close()
    with pytest.raises(DatabaseError, match="a DuckDB database without games"):
        Database(path, create=True)


@pytest.mark.parametrize(
    ("version", "way_out"),
    [
        (1, "; import the games again into a new file"),
        (3, "; import the games again into a new file"),
        (99, "; update the program, or import the games again into a new file"),
    ],
)
def test_another_layout(path: Path, version: int, way_out: str) -> None:
    add(path, *GAMES)
    duckdb.connect(str(path)).execute("update reversi_library set version = ?", [version]).close()
    before = path.read_bytes()
    for write in (False, True):
        with pytest.raises(DatabaseError) as caught:
            Database(path, write=write)
        assert str(caught.value) == f"{path}: saved in layout {version}; this version reads layout 7{way_out}"
    assert path.read_bytes() == before


def test_a_question_reaches_no_other_file(path: Path, tmp_path: Path) -> None:
    add(path, *GAMES)
    other = new_file(tmp_path / "other.csv", "a,b\n1,2\n")
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    for write in (False, True):
        with Database(path, write=write) as database:
            for question in (
                f"copy games to '{tmp_path / 'games.csv'}'",
                f"export database '{tmp_path / 'export'}'",
                f"attach '{tmp_path / 'new.duckdb'}'",
                f"select * from '{other}'",
                f"select * from read_csv('{other}')",
                "set enable_external_access = true",
                "set lock_configuration = false",
            ):
                with pytest.raises(DatabaseError) as error:
                    database.rows(question)
                assert "DuckDB fails" not in str(error.value)
            assert len(list(database.stream("select * from games"))) == len(GAMES)
    with Database(path) as database, pytest.raises(DatabaseError, match="open for reading only"):
        database.rows("delete from games")
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_file_that_duckdb_has_open_otherwise(path: Path) -> None:
    add(path, *GAMES)
    with (
        duckdb.connect(str(path)),
        pytest.raises(DatabaseError, match=r"already open in this program.*; close it"),
    ):
        Database(path)
    with (
        Database(path, write=True),
        pytest.raises(DatabaseError, match="already open in this program"),
    ):
        Database(path)


def test_the_memory_follows_that_of_the_machine(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(path, *GAMES)

    def limit(**how: Any) -> str:
        with Database(path, **how) as database:
            return str(database.rows("select current_setting('memory_limit')")[0][0])

    for usable, asked, changed in ((8192, "4.0 GiB", "1.0 GiB"), (600, "300.0 MiB", "256.0 MiB")):
        monkeypatch.setattr(
            "reversi.records.formats.database.opening.usable_memory_mb", lambda usable=usable: usable
        )
        assert (limit(), limit(write=True), limit(low_memory=True)) == (asked, changed, changed)
        assert limit(memory_mb=100) == limit(write=True, memory_mb=100) == "100.0 MiB"
    with pytest.raises(InputError, match=r"^memory_mb must be"):
        Database(path, memory_mb=0)


def test_memory_that_is_not_enough_is_an_error_of_its_own(path: Path) -> None:
    games = list(entries(random_record(seed) for seed in range(300)))
    with (
        Database(path, create=True, memory_mb=4) as database,
        pytest.raises(DatabaseMemoryError, match=r"games\.duckdb: 4\.0 MiB of memory is not enough") as refused,
        database.importing() as importing,
    ):
        importing.add_source("x", games)
    assert isinstance(refused.value, MemoryError)
    assert not path.exists()
    with Database(path, create=True) as database, database.importing() as importing:
        assert importing.add_source("x", games).games == 300


def test_duckdb_opens_no_file_that_a_database_has_open(path: Path) -> None:
    add(path, *GAMES)
    with Database(path), pytest.raises(duckdb.ConnectionException, match="different configuration"):
        duckdb.connect(str(path))
    duckdb.connect(str(path)).close()


def test_a_list_that_duckdb_would_read(path: Path) -> None:
    path.write_text("eOthello_game_id,winner,game_moves\n1,1,f5d6\n")
    for write in (False, True):
        with pytest.raises(DatabaseError, match=r"not a DuckDB database; give one"):
            Database(path, write=write)


# --- the same games under other names


def wthor(number: int, *, names: bool = True, event: bool = True, moves: str = "f5d6c3") -> Record:
    tags = {"WthorTournament": "7", "WthorBlack": str(number), "WthorWhite": "9", "WthorTheoretical": "32"}
    if names:
        tags |= {"Black": f"Player {number}", "White": "Kim"}
    if event:
        tags["Event"] = "Open"
    return record(moves, Date="1997.??.??", **tags)


def test_names_that_were_missing_are_filled_in(path: Path) -> None:
    bare = [wthor(1, names=False, event=False), wthor(2, names=False, event=False)]
    assert add(path, *bare) == Imported("games.pgn", 2, 2, 0)
    assert add(path, *bare) == Imported("games.pgn", 2, 0, 2)
    full = [wthor(1), wthor(2), wthor(3)]
    assert add(path, *full) == Imported("games.pgn", 3, 1, 2, named=2)
    with Database(path) as database:
        assert list(database.records()) == full
        games = database.records(Selection(player="kim", event="open"))
        assert [(game.black, game.white) for game in games] == [
            (f"Player {number}", "Kim") for number in (1, 2, 3)
        ]
    assert add(path, *full) == Imported("games.pgn", 3, 0, 3)
    assert add(path, *bare) == Imported("games.pgn", 2, 0, 2)
    assert add(path, wthor(1, names=False, moves="f5d6c4")).added == 1
    assert add(path, wthor(4, names=False)).added == 1


def test_events_and_names_come_one_by_one(path: Path) -> None:
    assert add(path, wthor(1, names=False, event=False)).added == 1
    assert add(path, wthor(1, event=False)) == Imported("games.pgn", 1, 0, 1, named=1)
    assert add(path, wthor(1)) == Imported("games.pgn", 1, 0, 1, named=1)
    with Database(path) as database:
        assert list(database.records(Selection(event="open"))) == [wthor(1)]


def test_names_of_games_that_a_source_has_twice(path: Path) -> None:
    bare = wthor(1, names=False, event=False)
    assert add(path, bare, bare).added == 2
    assert add(path, wthor(1), wthor(1), wthor(1)) == Imported("games.pgn", 3, 1, 2, named=2)
    with Database(path) as database:
        assert list(database.records()) == [wthor(1)] * 3


def test_a_whole_record_gets_its_names(path: Path) -> None:
    noted, full = wthor(1, names=False), wthor(1)
    for game in (noted, full):
        game.line.nodes[0].comments = ("well",)
    add(path, noted)
    assert add(path, wthor(1)).named == 1
    with Database(path) as database:
        (found,) = database.records(Selection(player="player"))
    assert dict(found.tags) == dict(full.tags)
    assert found.line == full.line


def test_spellings_of_names_are_one_game(path: Path) -> None:
    add(path, record("f5d6c3", Black="Oh Joung-Mok", White="O'Brien", Date="1997"))
    again = record("f5d6c3", Black="Oh Joungmok", White="O Brien", Date="1997")
    assert add(path, again) == Imported("games.pgn", 1, 0, 1)


def test_anagrams_are_different_names(path: Path) -> None:
    games = [record("f5d6c3", Black=name, White="Kim", Date="1997") for name in ("Zhou Chuan", "Zhuo Chuan")]
    with Database(path, create=True) as database, database.importing() as importing:
        assert importing.add_source("x", entries(games[:1])).added == 1
        assert importing.add_source("y", entries(games)) == Imported("y", 2, 1, 1)
    assert importing.twins == 1


def test_queries_compare_names_as_imports_do(path: Path) -> None:
    add(path, record("f5d6", Black="Oh Joung-Mok", White="O'Brien, Pat", Event="Saint-Étienne"))
    with Database(path) as database:
        for query in (
            Selection(player="joungmok"),
            Selection(black="joung mok oh"),
            Selection(white="obrien"),
            Selection(player=("O Brien", "JOUNG-MOK")),
            Selection(event="saintetienne"),
        ):
            assert database.count(query) == 1, query
        assert database.count(Selection(player="oungmok")) == 0


# --- the same game


def dates_after(path: Path, imports: Iterable[Iterable[Iterable[Record]]]) -> tuple[list[str], list[KnownGame]]:
    """Import files of games in some imports; return the dates of the games, and the games already there."""
    known: list[KnownGame] = []
    for files in imports:
        with Database(path, create=True) as database, database.importing() as importing:
            for number, games in enumerate(files):
                importing.add_source(f"{number}.pgn", entries(games), None, known.append)
    with Database(path) as database:
        return sorted(one.tags["Date"] for one in database.records()), known


@pytest.mark.thorough
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_game_without_a_date_is_no_bridge(path: Path, order: tuple[int, ...]) -> None:
    dates = ["????.??.??", "2004.01.05", "2004.11.28"]
    games = [record("f5d6c3", Black="Ada", White="Bob", Date=dates[number]) for number in order]
    ways = {
        "a file": [[games]],
        "files": [[[game] for game in games]],
        "imports": [[[game]] for game in games],
    }
    for name, imports in ways.items():
        file = path.with_name(f"{name}.duckdb")
        found, known = dates_after(file, imports)
        assert (found, len(known)) == (dates[1:], 1)
        assert known[0].why in (Why.LESS, Why.MORE, Why.SEVERAL)
        found, known = dates_after(file, imports)
        assert (found, len(known)) == (dates[1:], 3)
        with Database(file) as database:
            assert database.explore(Position()).games == 2
            assert database.info().positions == 2 * 4
            counted = "select source, count(*) from games group by source order by source"
            assert database.rows("select id, games from sources where games > 0") == database.rows(counted)


SAYINGS = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "GameId": st.sampled_from("12"),
            "Date": st.sampled_from(["2004", "2004.01", "2004.01.05", "2004.11.28", "2005"]),
            "Round": st.sampled_from("12"),
            "Event": st.sampled_from(["Open", "Cup"]),
        },
    ),
    min_size=1,
    max_size=6,
)


def versions(files: list[list[dict[str, str]]]) -> list[list[Version]]:
    """Return the versions of the games of files that have these tags."""
    made: list[list[Version]] = []
    for sayings in files:
        made.append([])
        for tags in sayings:
            said = details(Record(Tags(tags)))
            parts = Parts("", json.dumps(list(tags.items())), "othello", "", "", "*")
            made[-1].append(Version(said, parts))
    return made


def shown(plan: Plan) -> list[list[Parts]]:
    """Return what the versions of each game say, in an order."""
    return sorted([version.parts for version in told.versions] for told in plan.games.values())


@pytest.mark.thorough
@settings(max_examples=3 * settings().max_examples)
@given(st.lists(SAYINGS, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_games_depend_on_their_versions_alone(files: list[list[dict[str, str]]], chance: random.Random) -> None:
    """Not on the order of the files, nor on what was dropped before; importing again changes nothing."""
    whole = plan_of(Group(list(itertools.chain.from_iterable(versions(files)))))
    for _ in range(2):
        order = versions(files)
        chance.shuffle(order)
        group, ids, new = Group(), itertools.count(1), itertools.count(-1, -1)
        for made in (*order, order[0]):
            plan = plan_of(Group([*group.versions, *made], group.before))
            games = list(plan.games.values())
            assert {told.number for told in games} | set(plan.gone) >= set(group.before)
            group = Group()
            for told in games:
                told.number = told.number or next(ids)
                there = {
                    one: replace(one, number=number, game=told.number, stored=True)
                    for one, number in told.numbers(new).items()
                }
                assert [one.number > 0 for one in there.values()].count(True) == (len(told.versions) == 1)
                group.versions += there.values()
                group.before[told.number] = [there[one] for one in told.versions]
            assert len({one.number for one in group.versions}) == len(group.versions)
            assert not plan_of(group).changed
        assert shown(plan) == shown(whole)


@pytest.mark.thorough
@settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(SAYINGS, st.randoms(use_true_random=False))
def test_the_order_of_files_changes_no_game(
    tmp_path_factory: pytest.TempPathFactory, sayings: list[dict[str, str]], chance: random.Random
) -> None:
    folder = tmp_path_factory.mktemp("database")
    files = [[record("f5d6c3", Black="Ada", White="Bob", **tags)] * chance.choice((1, 1, 2)) for tags in sayings]
    found = []
    for number in range(2):
        at = chance.randrange(len(files))
        path = folder / f"{number}.duckdb"
        dates_after(path, [files[:at], files[at:], files[: at + 1]])
        with Database(path) as database:
            games = sorted(str(game.tags.pairs) for game in database.records())
            assert database.explore(Position()).games == len(games)
            assert database.info().positions == 4 * len(games)
        found.append(games)
        chance.shuffle(files)
    assert found[0] == found[1]


def test_games_are_those_that_dedupe_keeps() -> None:
    chance = random.Random(3)
    choices = {"GameId": ["", "1", "2"], "Date": ["", "2004", "2004.01.05", "2004.11.28"], "Round": ["", "1", "2"]}
    choices |= {"Event": ["", "Club A", "Club B"], "WthorTournament": ["", "", "7", "8"]}
    for _ in range(100):
        files = [[{name: chance.choice(values) for name, values in choices.items()}] for _ in range(6)]
        duplicates = Duplicates()
        for (tags,) in files:
            duplicates.add(identify(Record(Tags(tags))))
        plan = plan_of(Group(list(itertools.chain.from_iterable(versions(files)))))
        assert len(plan.games) == len(files) - len(duplicates.found(repr))


def test_a_game_comes_back_when_the_one_it_was_goes(path: Path) -> None:
    """The first two could be one game; the third is the first, and then the second differs."""
    who = {"Black": "Ada", "White": "Bob"}
    said = ({"GameId": "1"}, {"Round": "2"}, {"GameId": "1", "Round": "3"})
    games = [record("f5d6c3", **who, **tags) for tags in said]
    assert [add(path, game) for game in games] == [Imported("games.pgn", 1, new, 1 - new) for new in (1, 0, 1)]
    with Database(path, write=True) as database:
        tags = [(game.tags.get("GameId"), game.tags["Round"]) for game in database.records()]
        assert sorted(tags, key=str) == [("1", "3"), (None, "2")]
        assert database.explore(Position()).games == 2
        # each game belongs to the source that had it first
        assert database.rows("select id, games from sources order by id") == [(1, 1), (2, 1), (3, 0)]
        assert database.remove_source(3).games == 1  # they could be one game again
        assert [(game.tags["GameId"], game.tags["Round"]) for game in database.records()] == [("1", "2")]
        assert database.remove_source(1).games == 0
        (game,) = database.records()
        assert game == games[1]
        assert database.explore(Position()).games == 1


def test_versions_of_a_source_go_with_it(path: Path) -> None:
    games = [record("f5d6c3", Black="Ada", **tags) for tags in ({"GameId": "1"}, {"Round": "2"})]
    for game in games:
        add(path, game)
    with Database(path, write=True) as database:
        (game,) = database.records()
        assert (game.tags["GameId"], game.tags["Round"]) == ("1", "2")
        assert database.remove_source(1).games == 0
        assert list(database.records()) == [games[1]]
        assert database.rows("select id, games from sources") == [(2, 1)]
        assert database.remove_source(2).games == 1


def test_a_longer_record_is_kept_in_any_order(path: Path) -> None:
    plain, noted = (record("f5d6c3", "40-24", Black="Ada", White="Bob") for _ in range(2))
    noted.line.nodes[0].comments = ("well",)
    for order in ((plain, noted), (noted, plain)):
        file = path.with_name(f"{order[0] is plain}.duckdb")
        assert [add(file, game).added for game in (*order, *order)] == [1, 0, 0, 0]
        with Database(file) as database:
            assert list(database.records()) == [noted]


def test_games_of_wthor_made_pgn_are_all_known(path: Path) -> None:
    games = [wthor(number) for number in (1, 2, 2, 3)]
    add(path, *games, name="games.wtb")
    assert add(path, *games).added == 0
    foreign = [
        record("f5d6c3", Black=game.black, White=game.white, Date="1997", Event="Open d'Othello") for game in games
    ]
    for _ in range(2):
        assert add(path, *foreign) == Imported("games.pgn", 4, 0, 4)


def test_a_game_gets_the_details_that_it_lacks(path: Path) -> None:
    old = wthor(1)
    old.line.nodes[0].comments = ("well",)
    add(path, old)
    new = record("e6f4c3", Black="Player 1", White="Kim", Event="The Open", Date="1997.05.01", Round="3")
    assert add(path, new) == Imported("games.pgn", 1, 0, 1)
    with Database(path) as database:
        (found,) = database.records(Selection(player="kim"))
    assert dict(found.tags) == dict(old.tags) | {"Event": "The Open", "Date": "1997.05.01", "Round": "3"}
    assert found.line == old.line
    assert add(path, old).added == 0
    assert add(path, record("f5d6c3", Black="Player 1", White="Kim", Date="1997.05.02")).added == 1


FULL = random_record(1).line


def of_an_event(event: str, **tags: str) -> Record:
    return Record(Tags({"Black": "Ada", "White": "Bob", "Date": "1985", "Event": event, **tags}), line=FULL)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_spelling_of_an_event_makes_no_other_game(path: Path, order: tuple[int, ...]) -> None:
    """All that is known of a game meets in one row: the date of one file, the theoretical score of another."""
    games = [
        of_an_event("Championnat de France", Date="1985.05.01"),
        of_an_event("Championnat de France - 1985"),
        of_an_event("Coupe", WthorTournament="7", WthorBlack="1", WthorWhite="2", WthorTheoretical="41"),
    ]
    known: list[KnownGame] = []
    with Database(path, create=True) as database:
        for number in order:
            with database.importing() as importing:
                importing.add_source(f"{number}.pgn", entries([games[number]]), None, known.append)
        (found,) = database.records()
        assert (found.tags["Date"], found.tags["WthorTheoretical"]) == ("1985.05.01", "41")
        assert database.info().positions == len(FULL.nodes) + 1
    assert Why.EVENT in [one.why for one in known]
    assert add(path, *games) == Imported("games.pgn", 3, 0, 3)


def test_names_are_corrected_by_the_numbers_of_wthor(path: Path) -> None:
    def game(name: str, number: str, event: str = "Open") -> Record:
        one = of_an_event(event, WthorTournament="7", WthorBlack=number, WthorWhite="9")
        one.tags["Black"], one.tags["White"] = name, "Kim"
        return one

    foreign = of_an_event("Open", Round="3")
    foreign.tags["Black"], foreign.tags["White"] = "Tastte", "Kim"
    short = record("f5d6c3", Black="Ann", White="Bob", WthorTournament="1", WthorBlack="1", WthorWhite="2")
    other = record("f5d6c3", Black="Cy", White="Dee", WthorTournament="1", WthorBlack="1", WthorWhite="2")
    assert add(path, game("Tastte", "1"), short, name="1985.wtb").added == 2
    assert add(path, foreign).added == 0
    corrected = game("Tastet", "1", "Open de Paris")
    assert add(path, corrected, other, name="1985.wtb") == Imported("1985.wtb", 2, 1, 1, named=1)
    with Database(path) as database:
        (found,) = database.records(Selection(player="tastet"))
        assert (found.tags["Round"], found.tags["WthorBlack"]) == ("3", "1")
        assert sorted(name for (name,) in database.rows("select name from players")) == sorted(
            ["Tastet", "Kim", "Ann", "Bob", "Cy", "Dee"]
        )
        files = [file for (file,) in database.rows("select path from sources order by id")]
        assert files == ["1985.wtb", "games.pgn", "1985.wtb"]
    assert add(path, corrected, name="1985.wtb").known == 1


def test_a_database_compares_games_in_one_way(path: Path) -> None:
    games = [record("f5d6c3", Black="Ada", White="Bob", Event=event) for event in ("Open", "Cup", "Cup")]

    def imported(same: str | None) -> int:
        with (
            Database(path, create=True) as database,
            database.importing(None if same is None else Same.of(same)) as importing,
        ):
            return importing.add_source("games.pgn", entries(games)).added

    assert [imported("moves,players"), imported(None), imported("players,moves")] == [1, 0, 0]
    with pytest.raises(
        InputError, match=r"compares games by moves,players; to compare them by moves, import them"
    ):
        imported("moves")
    with pytest.raises(InputError, match=r"to compare them by all that is known, import them into a new file"):
        imported("")
    with Database(path) as database:
        assert database.info().games == 1


def test_a_year_that_was_not_read_before(path: Path) -> None:
    """The database has a game whose date an earlier version did not understand."""
    game = record("f5d6c3", Black="Ada", White="Bob", Date="01.05.2004")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reversi.games.identity.year_of", lambda record: None)
        patch.setattr("reversi.records.facts.year_of", lambda record: None)
        add(path, game)
    assert add(path, game) == Imported("games.pgn", 1, 0, 1)
    assert add(path, record("f5d6c3", Black="Ada", White="Bob", Date="02.05.2004")).added == 1
    full = record("f5d6c3", Black="Ada", White="Bob", Date="01.05.2004", Round="1")
    assert add(path, full).added == 0
    with Database(path) as database:
        assert [one.year for one in database.results()] == [2004, 2004]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_twins_are_those_of_the_definition(path: Path, seed: int) -> None:
    """Games with the moves and year of an earlier game and other names, over several imports."""
    chance = random.Random(seed)
    there: list[Record] = []
    with Database(path, create=True) as database:
        for number in range(4):
            games = [
                record(
                    chance.choice(["f5d6", "f5f4"]), Black=chance.choice("abc"), Date=chance.choice(["1997", "?"])
                )
                for _ in range(chance.randint(0, 8))
            ]
            with database.importing() as importing:
                importing.add_source(str(number), entries(games))
            now = [database.record(game) for (game,) in database.rows("select id from games order by id")]
            twins = sum(
                any(
                    (one.moves, one.tags["Date"]) == (game.moves, game.tags["Date"]) and one.black != game.black
                    for one in now[:at]
                )
                for at, game in enumerate(now)
                if at >= len(there)
            )
            assert importing.twins == twins
            there = now


def test_twins_are_counted_and_listed(path: Path) -> None:
    names = ["Ada", "Bob", "Ada", "Cy"]
    with Database(path, create=True) as database:
        with database.importing() as importing:
            importing.add_source("x", entries(record("f5d6c3", Black=name, Date="1997") for name in names))
            importing.add_source("y", entries([record("f5d6c3", Black="Ada", Date="1998"), GAMES[0]]))
        assert importing.twins == 3
        assert [game.black for game in database.records(order=Order(twins=True))] == names
        assert database.count(Selection(player="ada"), twins=True) == 2


def test_tables_missing(path: Path) -> None:
    add(path, *GAMES)
    duckdb.connect(str(path)).execute("drop table positions").close()
    with pytest.raises(DatabaseError, match="damaged"):
        Database(path)


def test_a_damaged_file(path: Path) -> None:
    add(path, *[random_record(seed) for seed in range(200)])
    data = bytearray(path.read_bytes())
    for at in range(len(data) // 3, len(data), 997):
        data[at] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(DatabaseError) as error, Database(path) as database:  # noqa: PT012
        database.explore(Position())
        list(database.records())
        database.info()
    assert "\n" not in str(error.value)


def test_a_damaged_record(path: Path) -> None:
    add(path, *GAMES)
    duckdb.connect(str(path)).execute("update games set tags = 'x' where id = 2").close()
    with Database(path) as database:
        with pytest.raises(DatabaseError, match="game 2 is damaged"):
            database.record(2)
        with pytest.raises(DatabaseError, match="game 2 is damaged"):
            list(database.records())
    duckdb.connect(str(path)).execute("update games set tags = '[]', moves = 'f5x9' where id = 2").close()
    with (
        Database(path) as database,
        pytest.raises(DatabaseError, match="game 2 is damaged: its moves end at 'f5x9'"),
    ):
        database.record(2)


def test_reading_does_not_write(archive: Database) -> None:
    with Database(archive.path) as other:
        assert other.info() == archive.info()
        with pytest.raises(DatabaseError):
            other.importing().add_source("x", entries(GAMES))


def test_tags_are_json(archive: Database) -> None:
    ((tags,),) = archive.rows("select tags from games where id = ?", [5])
    assert dict(json.loads(tags))["White"] == "Müller, Anna"


class AlarmError(Exception):
    """What the handler of a signal raises."""


ENDLESS = "select a.range from range(100000000) a, range(100000) b where a.range * b.range % 7 = 3 order by 1"
USES: dict[str, Callable[[Database], object]] = {
    "rows": lambda database: database.rows(ENDLESS),
    "many rows": lambda database: database.rows("select range from range(1000000000)"),
    "stream": lambda database: list(database.stream(ENDLESS)),
    "sql": lambda database: list(database.sql(ENDLESS).rows()[1]),
    "arrow": lambda database: database.sql(ENDLESS).to_arrow(),
    "table": lambda database: list(database.sql(ENDLESS).pieces("parquet")),
}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer that interrupts here")
@pytest.mark.parametrize("use", USES)
def test_a_signal_ends_what_duckdb_does(archive: Database, use: str) -> None:
    if use in ("arrow", "table"):
        pytest.importorskip("pyarrow", reason="tables need pyarrow")

    def interrupt(*_: object) -> None:
        raise AlarmError

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(AlarmError):
            USES[use](archive)
        assert archive.info().games == len(GAMES)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not [thread for thread in threading.enumerate() if thread.name == "reversi-duckdb"]


@pytest.mark.skipif(os.name == "nt", reason="a process cannot signal itself on this system")
@pytest.mark.parametrize(
    "call",
    [
        lambda connection: connection.add_function("f", int, ("varchar",), "int"),
        lambda connection: connection.register("t", {}),
        lambda connection: connection.statements("select 1"),
    ],
)
def test_a_signal_is_no_missing_package(call: Callable[[Connection], object]) -> None:
    """DuckDB imports packages when it first needs them, and takes what a handler raises then for their absence."""

    def interrupt(*_: object) -> None:
        raise AlarmError

    class Raw:
        def __getattr__(self, _: str) -> Callable[..., None]:
            return self.answer

        def interrupt(self) -> None: ...

        def answer(self, *_: object) -> None:
            try:
                os.kill(os.getpid(), signal.SIGALRM)
                time.sleep(0.05)
            except AlarmError:
                raise duckdb.InvalidInputException("'numpy' is required for this operation") from None

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(AlarmError):
            call(Connection(Raw()))  # type: ignore[arg-type]
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer that interrupts here")
def test_signals_that_raise_nothing_end_nothing(archive: Database) -> None:
    arrived: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _: arrived.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        while len(arrived) < 3:
            assert archive.rows("select sum(a.range) from range(1000000) a") == [(499999500000,)]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_database_in_another_thread(path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(add, path, *GAMES).result()
        with Database(path) as database:
            assert pool.submit(database.info).result().games == len(GAMES)


def test_names_of_sources_need_not_be_utf8(path: Path) -> None:
    assert add(path, GAMES[0], name="\udce9.pgn").added == 1
    with Database(path) as database:
        assert database.rows("select path from sources") == [("\\udce9.pgn",)]


def test_a_name_that_stands_for_memory_elsewhere_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.name == "nt":
        pytest.skip("no file can have that name here")
    monkeypatch.chdir(tmp_path)
    assert add(Path(":memory:"), GAMES[0]).added == 1
    assert (tmp_path / ":memory:").is_file()
    with Database(":memory:") as database:
        assert database.info().games == 1


def test_databases_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(DatabaseWriteError, match="cannot be opened"):
        Database(tmp_path / "nowhere" / "games.duckdb", create=True)
    with pytest.raises(DatabaseWriteError, match="only UTF-8 names"):
        Database(tmp_path / "\udce9.duckdb", create=True)
    assert not list(tmp_path.iterdir())


def test_more_positions_than_one_group_of_rows(path: Path) -> None:
    """Rows of tables in memory got lost past 122880 of them."""
    line = random_record(1)
    many = [
        Record(Tags({"Black": f"p{number}"}), line.start, line.line, line.result)
        for number in range(2 * 122880 // 60 + 100)
    ]
    plies = len(line.line.nodes) + 1
    assert add(path, *many).added == len(many)
    assert add(path, *many, name="again.pgn").added == 0
    with Database(path) as database:
        info = database.info()
        assert (info.games, info.positions) == (len(many), len(many) * plies)
        assert database.explore(line.start).games == len(many)


def test_rows_that_duckdb_loses_are_reported(path: Path) -> None:
    with Database(path, create=True) as database:
        importing = database.importing()
        importing.add_source("games.pgn", entries(GAMES))
        database.rows("delete from games where number = 3")
        with pytest.raises(DatabaseError, match="nothing is imported"):
            importing.commit()
        assert not importing.committed
    assert not path.exists()


TAGGED: list[dict[str, str]] = [
    {"Event": "Côte d'Azur", "Note": 'said "so"'},
    {"Event": "COTE", "Note": 'ends with ["', "A.B": "["},
    {"Event": '["Note","hidden"]', "A.B": '"],["Note","hidden"]'},
    {"Note": "back\\slash", "A.B": "\\"},
    {"Note": "ſtraße 😀", "Überschrift": "x"},
    {"Date": "1997.05.01"},
]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "tags",
    [
        (("Event", "cote"),),
        (("Event", ""),),
        (("Note", "hidden"),),
        (("Note", 'said "SO"'),),
        (("Note", '["'),),
        (("Note", "\\s"),),
        (("Note", "STRASSE"),),
        (("Note", ""),),
        (("AxB", ""),),
        (("A.B", ""),),
        (("A.B", "["), ("Event", "cote")),
        (("überschrift", ""),),
        (("Überschrift", ""),),
        (('No"te', ""),),
        (("Date", "1997"), ("Date", "????")),
        (("Result", "40"),),
        (("Rules", "mis"),),
        (("Rules", "oth"), ("Result", "*")),
        (("Board", "X"),),
        (("SetUp", "nothing"),),
    ],
)
def test_tags_in_a_database_are_those_of_files(
    path: Path, tags: tuple[tuple[str, str], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [record("f5d6c3"[: 2 + 2 * (n % 3)], Black=f"Ada {n}", **tags) for n, tags in enumerate(TAGGED)]
    games.append(Record(Tags([("Note", "first"), ("Note", "straße"), ("Black", "Eve")]), result="40-24"))
    games.append(record("f5", "40-24", "othello,misere", Note="so"))
    add(path, *games)
    with Database(path) as database:
        wanted = [game.black for game in games if Selection(tags=tags).takes(game)]
        found = [game.black for game in database.records(Selection(tags=tags))]
        assert sorted(found) == sorted(wanted)
        # each value is read once, not each game
        monkeypatch.setattr("reversi.games.database.searching.record_of", None)
        assert database.count(Selection(tags=tags)) == len(found)


def test_without_a_query_every_game_is_meant(tmp_path: Path) -> None:
    with Database(tmp_path / "games.duckdb", create=True) as database:
        database.add(Path(__file__).parents[3] / "examples" / "games.pgn")
        games = list(database.records())
        assert database.count() == len(games) == 5
        assert database.record(3) == games[2]
        with pytest.raises(ArgumentError, match=r"game must be an int, not Record"):
            database.record(games[2])  # type: ignore[arg-type]
