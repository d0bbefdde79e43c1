"""A database is a file of games like any other: the same archive, asked in both, gives the same answers."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from record_samples import random_record
from reversi import Position, RecordError
from reversi.games import Aliases, Database, Games, Order, Pattern, Selection, open_records, write_records
from reversi.games.files import Report
from reversi.games.selection import RESULTS
from reversi.games.sorting import SORTS
from reversi.inputs.input import resolve
from reversi.openings import opening_named
from reversi.records import Record, Tags, parse_record
from reversi.records.sources.opening import open_source
from reversi.records.validation import GameFinding, Validation

pytest.importorskip("duckdb", reason="the database needs DuckDB")
pytest.importorskip("numpy", reason="the database needs NumPy")

NAMES = ("Ada", "Bob", "Cy", "Di")


def archive() -> list[Record]:
    """Games of every kind: whole, stopped, under other rules, with notes, with an illegal move."""
    games = [random_record(seed) for seed in range(40)]
    games += [
        parse_record("1. f5 d6 2. c3 {a note} d3 3. c4 40-24"),
        parse_record("1. f5 f6 2. e6 f4 *"),
        parse_record("1. f5 f6 2. a1 *"),
        parse_record('[Termination "resignation"]\n\n1. f5 d6 1-0'),
        *(random_record(seed) for seed in range(40, 43)),
        parse_record("1. f5 d6 2. c3 d3 3. c4 40-24"),  # a twin, seven years on
    ]
    for number, game in enumerate(games):
        black, white = NAMES[number % 4], NAMES[(number // 4 + 1) % 4]
        tags = [
            ("Event", f"Cup {number % 3}"),
            ("Round", ("?", "1", 'Final \\ "A"')[number % 3]),
            ("Date", f"{1990 + number % 7}.01.{number % 28 + 1:02}"),
        ]
        game.tags = Tags([*tags, ("Black", black), ("White", white), *_others(game)])
    return games


def _others(game: Record) -> list[tuple[str, str]]:
    kept = [(name, value) for name, value in game.tags.pairs if name == "Termination"]
    return [*kept, *([("WthorTheoretical", "35"), ("WthorDepth", "24")] if len(game.line.nodes) % 3 else [])]


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The archive as a file and as a database."""
    folder = tmp_path_factory.mktemp("archive")
    file, database = folder / "games.pgn", folder / "games.duckdb"
    games = archive()
    write_records(file, games)
    with Database(database, create=True) as made:
        assert made.add(file).added == len(games)
    return file, database


def test_a_database_is_read_as_a_file(paths: tuple[Path, Path]) -> None:
    file, database = paths
    games = list(open_records(file))
    assert list(open_records(database)) == games
    both = list(open_records(database.parent))
    assert both == games * 2


def test_a_database_has_places(paths: tuple[Path, Path]) -> None:
    file, database = paths
    for place in ("#3", "#3@4"):
        assert resolve(f"{database}{place}").game() == resolve(f"{file}{place}").game()


def test_a_database_is_validated(paths: tuple[Path, Path]) -> None:
    found = [
        [
            (event.game, event.finding.ply, event.finding.message)
            for event in events
            if isinstance(event, GameFinding)
        ]
        for events in (Validation(workers=2).check([str(path)]) for path in paths)
    ]
    assert found[0] == found[1] != []


def test_a_damaged_database_says_so(paths: tuple[Path, Path], tmp_path: Path) -> None:
    damaged = tmp_path / "games.duckdb"
    data = paths[1].read_bytes()
    damaged.write_bytes(data[:6000])
    with pytest.raises(RecordError, match=rf"^{damaged}: "):
        list(open_records(damaged))
    with pytest.raises(RecordError, match="a database is a file; give its name"):
        list(open_source("-", io.BytesIO(data)).entries())


TIGER = opening_named("Tiger").position
QUESTIONS = [
    Selection(),
    Selection(player="ada"),
    Selection(player=("ada", "bob")),
    Selection(black=("ada", "di"), years=((1990, 1992), (1995, None))),
    Selection(white="cy", event=("cup 1", "cup 2")),
    Selection(tags=(("Event", "1"), ("Termination", ""))),
    Selection(tags=(("Result", "*"), ("Rules", "othello"))),
    Selection(positions=(TIGER,)),
    Selection(positions=((Position().play("f5"), TIGER), Position())),
    Selection(positions=(Position().play("f5").play("f6"),)),
    *(Selection(results=frozenset({word})) for word in RESULTS),
    Selection(score=((10, None), (None, -30))),
    Selection(margin=(1, 16)),
    Selection(theory=(-4, 20)),
    Selection(theory_error=(3, None)),
    Selection(outcome_changed=True),
    Selection(moves_contain=("f5f6e6", "c3d3c4")),
    Selection(moves_contain="--"),
    Selection(patterns=(Pattern("XX/X?"), Pattern("O"))),
    Selection(patterns=((Pattern("?" * 55 + "X" * 9), Pattern("OOOO")),), white=("ada", "cy")),
]


@pytest.mark.thorough
@pytest.mark.parametrize("selection", QUESTIONS)
def test_the_same_archive_gives_the_same_answers(paths: tuple[Path, Path], selection: Selection) -> None:
    file, database = map(Games, paths)
    assert file.count(selection) == database.count(selection) == len(list(file.select(selection))) > 0
    assert list(file.select(selection)) == list(database.select(selection))
    assert list(file.results(selection)) == list(database.results(selection))
    for position in (Position(), Position().play("f5"), Position().play("f5").play("f6"), TIGER):
        assert file.explore(position, selection) == database.explore(position, selection)


@pytest.mark.parametrize(
    "order",
    [
        *(Order((word,)) for word in SORTS),
        *(Order((f"{word}:{way}", "plies")) for word in SORTS for way in ("asc", "desc")),
        Order(("event", "score"), limit=5),
        Order(twins=True),
    ],
    ids=repr,
)
def test_the_same_archive_has_the_same_orders(paths: tuple[Path, Path], order: Order) -> None:
    for selection in (Selection(), Selection(player="ada"), Selection(aliases=Aliases([("Ada", "Zoe")]))):
        file, database = (list(Games(path).select(selection, order)) for path in paths)
        assert file == database != []
        both = list(Games(*paths).select(selection, order))
        assert len(both) == min(2 * len(file), order.limit or 100) or order.twins
        assert both[0] == file[0]


def test_files_and_databases_together(paths: tuple[Path, Path], tmp_path: Path) -> None:
    both, one = Games(*paths), Games(paths[0])
    ada = Selection(player="ada")
    assert both.count(ada) == 2 * one.count(ada)
    twice, once = both.explore(Position()), one.explore(Position())
    assert (twice.games, len(twice.moves)) == (2 * once.games, len(once.moves))
    assert [tally.score for tally in twice.moves] == [tally.score for tally in once.moves]
    both.write(tmp_path / "both.pgn", ada)
    assert Games(tmp_path / "both.pgn").count() == both.count(ada)
    reports: list[Report] = []
    assert Games(*paths, tmp_path / "missing.pgn", report=reports.append).count() == both.count()
    assert list(map(str, reports)) == [f"{tmp_path / 'missing.pgn'}: no such file"]
