"""Every error is a `ReversiError` of one line; objects show themselves, and are values where values are meant."""

# mypy: disable-error-code="arg-type, call-arg, list-item"

from __future__ import annotations

import pickle
import subprocess
import sys
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

import reversi
from reversi import (
    OTHELLO,
    ArgumentError,
    Batch,
    Engine,
    Game,
    InputError,
    MissingFileError,
    Position,
    Random,
    ReversiError,
    Rules,
    Solver,
    Square,
    canonical_key,
    final_score,
    hint,
    open_records,
    parse_rules,
)
from reversi.database import Database
from reversi.errors import TableSizeError
from reversi.inputs import load_game
from reversi.openings import Book, default_book
from reversi.solver.proofs import read_certificate

MISSING = "/no/such/file"


@pytest.mark.parametrize(
    ("call", "kinds", "message"),
    [
        (
            lambda: Solver(hash_mb=10**9),
            (TableSizeError, MemoryError),
            "not enough memory for a table of 1000000000 MB",
        ),
        (
            lambda: Position().perft(-1),
            (InputError, ValueError),
            "depth must be a whole number, from 0 to 2147483647, not -1",
        ),
        (lambda: next(open_records(MISSING)), (MissingFileError, FileNotFoundError), f"{MISSING}: no such file"),
        (lambda: load_game(MISSING), (MissingFileError,), f"{MISSING}: no such file"),
        (lambda: Book(MISSING), (MissingFileError,), f"{MISSING}: no such file"),
        (
            lambda: Database(MISSING),
            (MissingFileError, reversi.database.DatabaseError),
            f"{MISSING}: does not exist; an import creates it",
        ),
        (lambda: Database(5), (ArgumentError,), "path must be a str or a Path, not int"),
        (
            lambda: read_certificate(b"abc", "name"),
            (ArgumentError, TypeError),
            "lines must be a binary file or its lines, not bytes",
        ),
        (
            lambda: list(Batch([Position()])),
            (ArgumentError,),
            "an item of the positions must be a tuple, not Position; a batch takes pairs of a key and a position",
        ),
        (
            lambda: list(Batch([(1, None)])),
            (ArgumentError,),
            "position must be a Position, not NoneType; Position.parse reads text",
        ),
        (lambda: Batch(5), (ArgumentError,), "positions must be an Iterable, not int"),
        (
            lambda: Square(4, 5),
            (ArgumentError,),
            "a Square is made from one name or index; Square.at takes a row and a column",
        ),
        (lambda: Random("x"), (InputError,), "seed must be a whole number, not 'x'"),
        (lambda: Random().below(1.5), (InputError,), "n must be a whole number, from 1 to 2147483647, not 1.5"),
        (
            lambda: Engine(level=3, time_s=1),
            (InputError,),
            "level and time_s are different limits; give one of them",
        ),
        (
            lambda: Engine(depth=3, time_s=1),
            (InputError,),
            "time_s and depth are different limits; give one of them",
        ),
        (lambda: hint(Position(), level=3, time_s=1), (InputError,), "level and time_s are different limits"),
        (
            lambda: Position().symmetry(1.5),
            (InputError,),
            "the symmetry of a board of 8x8 must be a whole number, from 0 to 7, not 1.5",
        ),
        (lambda: Position.parse(5), (ArgumentError,), "text must be a str, not int"),
        (lambda: Position.from_discs("x", 0), (ArgumentError,), "black must be an int, not str"),
        (lambda: Position().random_playout(5), (ArgumentError,), "random must be a Random, not int"),
        (lambda: parse_rules(5), (ArgumentError,), "text must be a str, not int"),
        (
            lambda: canonical_key(5),
            (ArgumentError,),
            "position must be a Position, not int; Position.parse reads text",
        ),
        (
            lambda: canonical_key(Position(), -1),
            (InputError,),
            "salt must be a whole number, from 0 to 18446744073709551615, not -1",
        ),
        (
            lambda: final_score("a", 2, OTHELLO),
            (InputError,),
            "mine must be a whole number, from 0 to 64, not 'a'",
        ),
    ],
)
def test_errors_are_of_the_package(
    call: Callable[[], object], kinds: tuple[type[Exception], ...], message: str
) -> None:
    with pytest.raises(ReversiError) as caught:
        call()
    assert all(isinstance(caught.value, kind) for kind in kinds)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_missing_file_keeps_its_message_in_a_pickle() -> None:
    error = pickle.loads(pickle.dumps(MissingFileError("x: no such file")))
    assert (str(error), error.strerror) == ("x: no such file", "no such file")


def test_what_an_extra_provides_is_an_attribute() -> None:
    assert reversi.arrays.PositionArray.start(2).black.shape == (2,)
    without = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "numpy" else find(name, package)
import reversi
from reversi import *
try:
    reversi.arrays
except reversi.ReversiError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True, check=True)
    assert done.stdout == 'arrays of positions need NumPy: pip install "reversi-engine[numpy]"\n'


def test_objects_show_themselves() -> None:
    assert repr(Engine(level=3)) == "<Engine level=3 seed=0 threads=1>"
    assert repr(Engine(time_s=0.5, seed=7, exact=True)) == "<Engine time_s=0.5 seed=7 exact threads=1>"
    assert repr(Engine(depth=4)) == "<Engine depth=4 seed=0 threads=1>"
    assert repr(Solver(1, 2)) == "<Solver hash_mb=1 threads=2>"
    assert repr(default_book()) == f"<Book of {len(default_book())} positions under othello>"
    assert (repr(OTHELLO), repr(parse_rules("misere,board=6x6"))) == (
        "Rules('othello')",
        "Rules('othello,board=6x6,misere')",
    )
    assert repr(Rules(optional_skip=True)) == "Rules('othello,optional-skip')"


def test_a_weak_reference_to_a_position() -> None:
    position = Position()
    held = weakref.ref(position)
    assert held() is position
    del position
    assert held() is None


def test_games_are_equal_as_objects_and_their_records_as_values() -> None:
    one, other = Game().play_all("f5d6"), Game().play_all("f5d6")
    assert one != other
    assert one.position == other.position
    assert reversi.records.record_from_game(one) == reversi.records.record_from_game(other)


def test_a_script_without_a_guard_gets_one_message(tmp_path: Path) -> None:
    script = tmp_path / "match.py"
    script.write_text(
        "from reversi import ReversiError\n"
        "from reversi.match import Match, MatchSettings, balanced_openings, parse_contestants\n"
        "match = Match(parse_contestants(['1', '2']), balanced_openings(), MatchSettings(games=2))\n"
        "try:\n"
        "    match.run()\n"
        "except ReversiError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout == (
        "cannot start processes: they end at once; "
        "a script that starts processes needs: if __name__ == '__main__':\n"
    )
    assert done.stderr == ""


def test_a_database_opens_and_adds(tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_text("1. f5 d6 2. c3 *\n\n1. f5 f6 *\n")
    with Database(tmp_path / "games.duckdb", create=True) as database:
        done = database.add(games)
        assert (done.games, done.added) == (2, 2)
        with pytest.raises(MissingFileError):
            database.add([games, MISSING])
        assert database.info().games == 2
