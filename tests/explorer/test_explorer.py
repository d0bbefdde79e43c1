"""The explorer: its values are those of hints, its counts those of the database, and it stops at once."""

from __future__ import annotations

import math
import sys
import threading
from pathlib import Path

import pytest

from explorer_samples import make_database, positions, whole_game
from patience import SOON_S
from reversi import Color, Game, Kind, Move, MoveValue, Position, Random, Rules, Square, parse_rules
from reversi.engine import Engine, EngineCancelled
from reversi.errors import InputError
from reversi.explorer import Column, Explorer, ExplorerRow, ExplorerTable
from reversi.explorer.trial import Trial
from reversi.games import Games
from reversi.games.exploring import ply_at
from reversi.games.repertoire import Repertoire
from reversi.openings import default_book
from reversi.openings.names import opening_named
from reversi.people import move_chances
from reversi.records import parse_record
from reversi.records.facts import year_of
from reversi.solver import MoveScore
from reversi.text.boards import parse_board
from reversi.work import Cancel

LEVEL = 8
ENDLESS = "select count(*) from range(1000000) a, range(1000000) b"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_database(tmp_path_factory.mktemp("explorer"))


def scores(table: ExplorerTable) -> dict[Move, tuple[int, Kind, int, tuple[Move, ...]]]:
    values = {row.move: row.value for row in table.rows if row.value is not None}
    return {
        move: (value.score.value, value.score.kind, value.score.depth, value.pv) for move, value in values.items()
    }


def test_files_are_an_archive_too(path: Path) -> None:
    tiger = opening_named("Tiger").position
    with Explorer(Games(path), level=0) as explorer, Explorer(Games(path.parent / "games.pgn"), level=0) as other:
        assert explorer.explore(tiger) == other.explore(tiger)
        assert explorer.games(tiger) == other.games(tiger)


@pytest.mark.parametrize("at", range(10))
def test_values_counts_and_the_book_are_those_of_the_other_commands(at: int, path: Path) -> None:
    from reversi.games import Database

    position = positions()[at]
    with Explorer(Games(path), level=LEVEL, book=default_book()) as explorer:
        table, shown = followed(explorer, position)
        assert scores(explorer.explore(position)) == scores(table)
    assert [one.last for one in shown] == [False] * (len(shown) - 1) + [True]
    assert shown[-1] == table
    assert {row.move for row in table.rows} == set(position.legal_moves)
    hints = Engine(LEVEL).hint(position, 64)
    assert scores(table) == {
        scored.move: (scored.score.value, scored.score.kind, scored.score.depth, scored.pv) for scored in hints
    }
    with Database(path) as database:
        found = database.explore(position)
    assert table.exploration == found
    counted = {move: tally.games for tally in found.moves if tally.move for move in (tally.move, *tally.also)}
    assert {row.move: row.games for row in table.rows if row.games} == counted
    booked = {choice.move: choice for choice in default_book().moves(position)}
    assert {row.move: row.book for row in table.rows if row.book is not None} == booked


def followed(explorer: Explorer, position: Position) -> tuple[ExplorerTable, list[ExplorerTable]]:
    """Return the table of a position, and all that came before it, itself the last one."""
    shown: list[ExplorerTable] = []
    return explorer.explore(position, progress=shown.append), shown


def test_better_tables_follow(path: Path) -> None:
    with Explorer(Games(path), level=14, book=default_book()) as explorer:
        _, tables = followed(explorer, opening_named("Tiger").position)
    assert [table.basis is not None for table in tables[:3]] == [False, False, True]
    assert [table.exploration is not None for table in tables[:3]] == [False, True, True]
    assert str(tables[0].opening) == "Tiger"
    assert all(any(row.book is not None for row in table.rows) for table in tables)
    assert [table.last for table in tables] == [False] * (len(tables) - 1) + [True]


def reached(tables: list[ExplorerTable]) -> list[tuple[int, int | None]]:
    """Return the depths and confidences of tables, each once."""
    found: list[tuple[int, int | None]] = []
    for table in tables:
        if table.basis is not None and (score := table.basis) and (score.depth, score.confidence) not in found:
            assert {row.value.score.depth for row in table.rows if row.value is not None} == {score.depth}
            found.append((score.depth, score.confidence))
    return found


def moved(plies: int) -> Position:
    """Return a position after random moves."""
    position, random = Position(), Random(3)
    for _ in range(plies):
        position = position.play(position.legal_moves.choice(random))
    return position


def test_each_depth_that_the_engine_completes_is_shown() -> None:
    with Explorer(level=14, book=default_book()) as explorer:
        _, tables = followed(explorer, opening_named("Tiger").position)
        assert reached(tables) == [(depth, None) for depth in range(2, 15, 2)]
        assert {len([row for row in table.rows if row.value is not None]) for table in tables[1:]} == {6}
        endgame = moved(42)
        table, tables = followed(explorer, endgame)
    depths = [depth for depth, _ in reached(tables)]
    assert len(depths) > 3
    assert depths == sorted(depths)
    assert table.basis is not None
    assert (table.basis.kind, depths[-1]) == (Kind.EXACT, endgame.empties)


def test_a_move_that_ends_the_game_does_not_make_a_table_exact() -> None:
    position = parse_board("-" * 10 + "OX" + "-" * 3 + "O" + "-" * 48 + " X")
    exact, other = (
        MoveScore(move, score, (move,))
        for move, score in zip(
            (Square("a1"), Square("d2")),
            (
                MoveValue(64, Kind.EXACT, 64, 64, Color.BLACK, depth=4),
                MoveValue(2, Kind.HEURISTIC, -64, 64, Color.BLACK, depth=4),
            ),
            strict=True,
        )
    )
    rows = tuple(ExplorerRow(each.move, Color.BLACK, each) for each in (exact, other))
    assert ExplorerTable(position, rows).basis == other.score
    assert ExplorerTable(position, rows[:1]).basis == exact.score
    assert ExplorerTable(position, ()).basis is None


def test_a_finished_game_has_no_moves() -> None:
    with Explorer(level=LEVEL, book=default_book()) as explorer:
        table, shown = followed(explorer, whole_game().position)
    assert shown == [table]
    assert (table.rows, table.last) == ((), True)


def test_the_moves_of_a_repertoire() -> None:
    """Whatever the orientation of the board, and with the moves that are the same by a symmetry."""
    mine = Repertoire([parse_record("1. f5 d6 {mine} 2. c3 *")])
    for moves, marked in (("", {"f5", "d3", "c4", "e6"}), ("c4", {"e3"}), ("c4 e3", {"f6"}), ("f5 f4", set())):
        with Explorer(level=0, repertoire=mine) as explorer:
            table = explorer.explore(Position.from_moves(moves))
        found = {str(row.move): row.repertoire for row in table.rows if row.repertoire is not None}
        assert set(found) == marked
        assert all(choice.comment == ("mine" if moves == "c4" else "") for choice in found.values())


def test_people_of_a_rating_are_a_column() -> None:
    position = opening_named("Tiger").position
    with Explorer(level=0, people=1400) as explorer:
        table = explorer.explore(position)
        assert {row.move: row.people for row in table.rows} == move_chances(position, 1400)
        assert str(table.sorted_by(Column.PEOPLE)[0].move) == "f4"
        assert explorer.explore(whole_game().position).rows == ()
        with pytest.raises(InputError, match="the standard game, not adjacent"):
            explorer.explore(Position(parse_rules("adjacent")))
    with pytest.raises(InputError, match="finite"):
        Explorer(people=math.nan)


@pytest.mark.parametrize("rules", ["adjacent,optional-skip", "othello,board=6x6"])
def test_any_rules(rules: str) -> None:
    position = Position(parse_rules(rules))
    with Explorer(level=4) as explorer:
        table = explorer.explore(position)
    assert {row.move for row in table.rows} == set(position.legal_moves)
    assert all(row.value is not None and row.book is None for row in table.rows)


def test_rows_are_sorted_by_a_column(path: Path) -> None:
    with Explorer(Games(path), level=LEVEL, book=default_book()) as explorer:
        table = explorer.explore(opening_named("Tiger").position)
    for column in Column:
        assert sorted(map(str, (row.move for row in table.sorted_by(column)))) == sorted(
            str(row.move) for row in table.rows
        )
    assert [str(row.move) for row in table.sorted_by(Column.GAMES)][:2] == ["f4", "b3"]
    values = [row.value.score.value for row in table.sorted_by(Column.VALUE) if row.value]
    assert values == sorted(values, reverse=True)
    turned = table.sorted_by(Column.VALUE, reverse=True)
    assert [row.value.score.value for row in turned if row.value] == values[::-1]
    moves = [row.move for row in table.sorted_by(Column.MOVE)]
    assert moves == sorted(moves)
    years = [row.tally.last for row in table.sorted_by(Column.YEARS) if row.tally is not None]
    assert years == sorted(years, key=lambda year: -(year or 0))
    assert table.sorted_by(Column.SCORE)[-1].score is None  # those without games come last


def test_points_and_scores_are_the_movers(path: Path) -> None:
    with Explorer(Games(path), level=0) as explorer:
        table = explorer.explore(Position())
        after = explorer.explore(Position().play("f5"))
    row = next(row for row in table.rows if str(row.move) == "f5")
    assert row.tally is not None
    decided = row.tally.black + row.tally.draws + row.tally.white
    assert decided == 1
    winner = whole_game().outcome
    assert winner is not None
    assert row.points == (100 if winner.winner is Color.BLACK else 0)
    white = next(each for each in after.rows if each.score is not None)
    assert row.score is not None
    assert white.score == -row.score
    assert table.basis is None


def test_conditions_select_the_games(path: Path) -> None:
    from reversi.games import Selection

    with Explorer(Games(path), level=0) as explorer:
        everyone = explorer.explore(Position()).exploration
        explorer.selection = Selection(player="Cy", years=(1992, 1995))
        some = explorer.explore(Position()).exploration
        listed = explorer.games(Position())
    assert everyone is not None
    assert some is not None
    assert (everyone.games, some.games) == (6, 2)
    assert [(game.black, game.white, year_of(game)) for game in listed] == [
        ("Ada", "Cy", 1992),
        ("Ada", "Cy", 1995),
    ]


def test_games_through_a_position(path: Path) -> None:
    with Explorer(Games(path)) as explorer:
        tiger = opening_named("Tiger").position
        games = explorer.games(tiger)
        assert [year_of(game) for game in games] == [1991, 1992, 1993, 1995]
        assert explorer.games(tiger, limit=2) == games[:2]
    assert games[0].moves == Game().play_all("f5d6c3d3c4f4").moves
    assert games[2].moves == Game().play_all("e6f4c3c4d3d6").moves
    assert [ply_at(game, tiger) for game in games] == [5] * 4
    assert ply_at(games[0], Position().play("f5").play("f4")) == 0


def test_without_a_database_the_other_columns_remain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = tmp_path / "games.duckdb"
    with Explorer(Games(missing), level=4, book=default_book()) as explorer:
        table = explorer.explore(Position())
    assert "reversi db import" in table.problem
    assert str(missing) in table.problem
    assert all(row.value is not None and row.book is not None for row in table.rows)
    with Explorer(level=4, book=default_book()) as explorer:
        assert "reversi db import" in explorer.explore(Position()).problem
    missing.write_text("no database")
    with Explorer(Games(missing), level=4, book=default_book()) as explorer:
        assert explorer.explore(Position()).problem.startswith(f"{missing}: ")


def test_without_duckdb_it_tells_how_to_get_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with Explorer(Games(path), level=4) as explorer:
        table = explorer.explore(Position())
    assert "pip install" in table.problem
    assert table.rows[0].value is not None


def test_a_cancel_stops_the_engine(path: Path) -> None:
    cancel = Cancel()
    with Explorer(Games(path), level=60) as explorer:
        seen = threading.Event()
        ended = threading.Event()

        def look() -> None:
            try:
                explorer.explore(
                    opening_named("Tiger").position,
                    cancel=cancel,
                    progress=lambda table: seen.set() if table.basis is not None else None,
                )
            except EngineCancelled:
                ended.set()

        thread = threading.Thread(target=look)
        thread.start()
        assert seen.wait(SOON_S)
        cancel.cancel()
        thread.join(SOON_S)
        assert ended.is_set()
        with pytest.raises(EngineCancelled):
            explorer.explore(Position(), cancel=cancel)


def test_a_cancel_stops_the_database(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from reversi.games import Database, DatabaseError

    begun, cancelled = threading.Event(), threading.Event()

    def slow(database: Database, *arguments: object) -> None:
        begun.set()
        database.rows(ENDLESS)

    monkeypatch.setattr("reversi.games.games.counts_in", slow)
    cancel = Cancel()

    def look() -> None:
        with pytest.raises(EngineCancelled):
            explorer.explore(Position(), cancel=cancel)
        cancelled.set()

    with Explorer(Games(path)) as explorer:
        thread = threading.Thread(target=look)
        thread.start()
        assert begun.wait(SOON_S)
        while not cancelled.wait(0.05):  # an interrupt before the statement begins has no effect
            cancel.cancel()
        thread.join(SOON_S)
    with Database(path) as database:
        threading.Timer(0.2, database.interrupt).start()
        with pytest.raises(DatabaseError, match="interrupted"):
            database.rows(ENDLESS)


# --- trial lines


def played(moves: str, rules: Rules | None = None) -> Game:
    return Game(rules or parse_rules("othello")).play_all(moves)


def test_a_trial_does_not_touch_the_game() -> None:
    game = played("f5d6c3d3c4")
    trial = Trial(game)
    trial.play("f4")
    trial.play("c5")
    assert [str(move) for move in trial.line] == ["f4", "c5"]
    assert trial.common == 5
    assert len(game) == 5
    assert trial.back()
    assert trial.back()
    assert trial.back()
    assert (trial.line, len(trial.game)) == ((), 4)
    trial.home()
    assert (trial.line, len(trial.game)) == ((), 5)
    assert trial.position == game.position


def test_a_trial_steps_through_the_game_and_beyond_what_was_taken_back() -> None:
    game = played("f5d6c3d3c4")
    game.undo(2)
    trial = Trial(game)
    assert trial.forward()
    assert trial.forward()
    assert not trial.forward()
    assert (trial.line, len(trial.game)) == ((), 5)
    assert [trial.back() for _ in range(6)] == [True] * 5 + [False]
    trial.play("f5")  # as in the game
    assert trial.line == ()
    assert trial.forward()
    assert trial.forward()
    assert trial.game.moves == played("f5d6c3").moves
    trial.play("g5")
    trial.back()
    assert trial.forward()
    assert str(trial.game.moves[-1]) == "g5"
    assert len(trial.game) - trial.common == 1


def test_a_trial_plays_forced_passes_and_leaves_a_resigned_game() -> None:
    game = whole_game()
    before = min(ply.number for ply in game if ply.is_pass) - 2
    game.undo(len(game) - before)
    moves = game.copy()
    moves.redo(2)
    game.resign(game.to_move)
    trial = Trial(game)
    trial.play(moves.moves[-2])
    assert trial.game.moves == moves.moves
    assert game.is_over
