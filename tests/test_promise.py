"""Every error is a `ReversiError` of one line; objects show themselves, and are values where values are meant."""

# mypy: disable-error-code="arg-type, call-arg, dict-item, list-item"

from __future__ import annotations

import asyncio
import dataclasses
import enum
import functools
import importlib
import inspect
import math
import pickle
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import reversi
import reversi.analysis.exercises
import reversi.explorer
import reversi.records.formats.wthor
import reversi.records.validation
from command_line import run_python
from files import new_file
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
    analyze,
    canonical_key,
    hint,
    open_records,
    parse_rules,
    search,
    solve,
)
from reversi.errors import TableSizeError
from reversi.games import Database, Order
from reversi.inputs import load_game
from reversi.openings import Book, default_book
from reversi.records.sources.finding import find_files
from reversi.records.sources.opening import open_source
from reversi.score import final_score
from reversi.solver.proofs import ProofStore, Prover
from reversi.solver.proofs.certificate import read_certificate

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
            (MissingFileError, reversi.games.DatabaseError),
            f"{MISSING}: does not exist; an import creates it",
        ),
        (
            lambda: read_certificate(b"abc", "name"),
            (ArgumentError, TypeError),
            "source must be a path, a binary file or its lines, not bytes",
        ),
        (
            lambda: list(Batch([Position()])),
            (ArgumentError,),
            "an item of the positions must be a tuple, not Position; a batch takes pairs of a key and a position",
        ),
        (
            lambda: list(Batch([(1, None)])),
            (ArgumentError,),
            "position must be a Position, not None; Position.parse reads text",
        ),
        (
            lambda: Square(4, 5),
            (ArgumentError,),
            "a Square is made from one name or index; Square.at takes a row and a column",
        ),
        (lambda: Random("x"), (ArgumentError,), "seed must be a whole number, not 'x'"),
        (lambda: Random().below(1.5), (ArgumentError,), "n must be a whole number, from 1 to 2147483647, not 1.5"),
        (
            lambda: Engine(level=3, time_s=1),
            (InputError,),
            "level and time_s are different limits; give one of them",
        ),
        (
            lambda: Engine(level=3, depth=3),
            (InputError,),
            "level and depth are different limits; give one of them",
        ),
        (lambda: hint(Position(), level=3, time_s=1), (InputError,), "level and time_s are different limits"),
        (
            lambda: Position().symmetry(1.5),
            (ArgumentError,),
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
            (ArgumentError,),
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
import reversi.analysis.exercises
import reversi.records.formats.wthor
from reversi import *
try:
    from reversi import arrays
except reversi.ReversiError as error:
    print(error)
"""
    done = run_python("-c", without, check=True)
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
    done = run_python(script, check=True)
    assert done.stdout == (
        "cannot start processes: they end at once; "
        "a script that starts processes needs: if __name__ == '__main__':\n"
    )
    assert done.stderr == ""


def test_a_database_opens_and_adds(tmp_path: Path) -> None:
    games = new_file(tmp_path / "games.pgn", "1. f5 d6 2. c3 *\n\n1. f5 f6 *\n")
    with Database(tmp_path / "games.duckdb", create=True) as database:
        done = database.add(games)
        assert (done.games, done.added) == (2, 2)
        with pytest.raises(MissingFileError):
            database.add(games, MISSING)
        with pytest.raises(ArgumentError, match=r"not list; add takes paths one by one, add\(\*paths\)"):
            database.add([games])
        assert database.info().games == 2


class Wrong:
    """A value that nothing takes."""


STREAMS = {"WthorGames", "read_wthor"}  # they take anything with a method `read`
CALLBACKS = {
    "AnalysisRun",
    "GtpServer",
    "JsonService",
    "NBoardServer",
    "XBoardServer",
    "serve",
    "SolveRun",
    "connect",
    "Pondering",
    "Processes",
    "Threads",
}
"""They call what they are given, or check it when they use it."""
ABSTRACT = {"ExternalEngine", "Workers"}


def reference() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the public functions, and the classes that do not only hold values, each once."""
    seen: set[int] = set()
    home = Path(reversi.__file__).parent
    for stub in sorted(home.rglob("__init__.pyi")):
        package = importlib.import_module(".".join(("reversi", *stub.parent.relative_to(home).parts)))
        for name in package.__all__:
            value = getattr(package, name)
            holds = isinstance(value, type) and (
                dataclasses.is_dataclass(value)
                or issubclass(value, BaseException | enum.Enum | tuple)
                or getattr(value, "_is_protocol", False)
            )
            is_alias = not inspect.isclass(value) and not inspect.isroutine(inspect.unwrap(value))
            if not holds and not is_alias and id(value) not in seen and name not in STREAMS | CALLBACKS | ABSTRACT:
                seen.add(id(value))
                yield f"{package.__name__}.{name}", value


def test_every_public_function_refuses_a_wrong_type_in_one_line() -> None:
    called = 0
    wrong_ones = []
    for name, call in reference():
        try:
            parameters = inspect.signature(call).parameters.values()
        except ValueError:  # compiled; `test_errors_are_of_the_package` calls them
            continue
        required = [each for each in parameters if each.default is each.empty]
        placed = [each for each in required if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
        named = {each.name: Wrong() for each in required if each.kind is each.KEYWORD_ONLY}
        if not placed:
            continue
        called += 1
        try:
            answer = call(*(Wrong() for _ in placed), **named)
            if isinstance(answer, Iterator):
                next(answer)
            elif inspect.iscoroutine(answer):
                asyncio.run(answer)
        except ReversiError as error:
            if "\n" in str(error) or "__" in str(error) or "has no attribute" in str(error):
                wrong_ones.append(f"{name}: {error}")
        except TypeError:
            continue
        except Exception as error:
            wrong_ones.append(f"{name}: {type(error).__name__}: {error}")
        else:
            wrong_ones.append(f"{name}: accepted")
    assert "\n".join(wrong_ones) == ""
    assert called > 110


@pytest.mark.parametrize(
    "read",
    [
        lambda path: next(open_records(path)),
        reversi.analysis.exercises.read_deck,
        reversi.evaluation.load_weights,
        lambda path: load_game(str(path)),
        reversi.match.read_openings,
        reversi.openings.read_xot,
        Book,
        Database,
        lambda path: open_source(str(path)),
        lambda path: next(reversi.records.formats.wthor.read_wthor_file(path)),
        reversi.records.formats.wthor.read_wthor_names,
        reversi.arrays.from_wthor,
    ],
)
def test_every_reader_names_a_missing_file(read: Callable[[Path], object]) -> None:
    with pytest.raises(MissingFileError, match="/no/such/file: ") as caught:
        read(Path(MISSING))
    assert isinstance(caught.value, FileNotFoundError)


def test_text_for_moves_says_what_the_moves_say() -> None:
    start, f5 = Position(), Square("f5")
    explain = reversi.engine.explain
    after = Position.from_moves("f5")
    assert start.legal_moves.index("F5") == start.legal_moves.index(f5)
    assert explain(after, "d6") == explain(after, Square("d6")) != explain(after, Square("f4"))
    better = explain(after, Square("f4"), better=Square("d6"), line=[Square("c3")])
    assert explain(after, "f4", better="d6", line="c3") == explain(after, "f4", better="d6", line=["c3"]) == better
    format_obf, entry = reversi.text.format_obf, reversi.text.ObfEntry
    assert format_obf(entry(start, (("f5", 0),))) == format_obf(entry(start, ((f5, 0),)))
    assert reversi.text.format_transcript(["F5", "d6"]) == "f5d6"
    assert reversi.text.format_diagram(start, ["f5"]) == reversi.text.format_diagram(start, [f5])
    opening_of_game = reversi.openings.opening_of_game
    assert opening_of_game("f5d6c3d3c4") == opening_of_game(start.parse_moves("f5d6c3d3c4")) is not None
    assert Game().play("f5", flips=["e5"]).hand_flips == (Square("e5"),)
    assert len(reversi.Session().play_line("f5d6c3")) == 3
    assert reversi.engine.Searcher(1).search(start, among=["f5"], depth=1).moves[0].move == f5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: reversi.engine.explain(Position(), "h7"), "h7 is not allowed"),
        (lambda: reversi.engine.explain(Position(), "f5", better="h1"), "h1 is not allowed"),
        (lambda: reversi.engine.explain(Position(), 5), "a move is a Move or its text, not int"),
        (lambda: Position().legal_moves.index("zz"), "'zz' is not a move"),
        (lambda: reversi.text.format_transcript("f5d6"), "moves must be several moves, not one text"),
        (lambda: Game().play("f5", flips="e5"), "flips must be several squares, not one text"),
        (lambda: Game().play(5), "a move is a Move or its text, not int"),
        (
            lambda: reversi.engine.Searcher(1).search(Position(), among="f5"),
            "among must be several moves, not one text",
        ),
        (
            lambda: reversi.match.MatchOpening(Position(), "f5d6"),
            "moves must be a tuple, not str; tuple(position.parse_moves(text)) reads text",
        ),
    ],
)
def test_a_wrong_move_is_refused_in_one_line(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ReversiError) as caught:
        call()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_one_text_is_not_a_list_of_paths() -> None:
    with pytest.raises(ArgumentError, match="put it into a list"):
        next(find_files(MISSING))


@functools.cache
def proof() -> reversi.solver.Certificate:
    return reversi.solver.prove(Position(parse_rules("othello,board=4x4")), leaf_empties=8)


ENDING = "OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX X"
PLAYED = "f5d6c3"
NUMBERS: dict[str, tuple[Callable[..., object], str]] = {
    "Batch": (
        lambda **given: list(Batch([(1, Position.parse(ENDING))], **given)),
        "hash_mb threads time_s total_time_s",
    ),
    "Engine": (Engine, "level time_s hash_mb threads depth"),
    "Session": (lambda **given: reversi.Session(hint_level=given["hint_level"]), "hint_level"),
    "Solver": (Solver, "hash_mb threads"),
    "analyze": (
        lambda **given: analyze(late_game(), **given),
        "level time_s exact_from threads hash_mb",
    ),
    "hint": (lambda **given: hint(Position.parse(ENDING), **given), "count level time_s threads"),
    "search": (
        lambda **given: search(Position.parse(ENDING), **given),
        "count depth confidence caution time_s hash_mb threads",
    ),
    "solve": (lambda **given: solve(Position.parse(ENDING), **given), "multi time_s hash_mb threads"),
    "Analyzer": (reversi.analysis.Analyzer, "level time_s exact_from threads hash_mb"),
    "Judge": (reversi.analysis.exercises.Judge, "level exact_from threads"),
    "from_game": (
        lambda **given: list(
            reversi.analysis.exercises.from_game(
                record(), reversi.analysis.exercises.Judge(level=1), empties=range(4, 5), **given
            )
        ),
        "margin count",
    ),
    "Searcher": (reversi.engine.Searcher, "hash_mb threads"),
    "explain": (lambda **given: reversi.engine.explain(Position(), Square("f5"), **given), "count"),
    "read_openings": (lambda **given: reversi.match.read_openings("examples/games.pgn", **given), "plies"),
    "open_engine": (lambda **given: reversi.protocols.open_engine("gtp:x", **given), "answer_s move_s"),
    "position_after": (lambda **given: reversi.records.position_after(record(), **given), "ply"),
    "Validation": (reversi.records.validation.Validation, "workers give_up"),
    "animation": (lambda **given: reversi.render.animation(Game().play_all(PLAYED), **given), "delay_ms last_ms"),
    "graph": (lambda **given: reversi.render.graph([0, 2], **given), "size first_ply current"),
    "svg": (lambda **given: reversi.render.svg(Position(), **given), "size ply"),
    "check_certificate": (lambda **given: reversi.solver.check_certificate(proof(), **given), "leaves"),
    "prove": (lambda **given: reversi.solver.prove(Position.parse(ENDING), **given), "leaf_empties"),
    "Prover": (
        lambda **given: Prover(Position.parse(ENDING), ProofStore(None, "othello", "x"), **given),
        "hash_mb frontier_empties",
    ),
    "Question": (reversi.Question, "multi"),
    "Position.perft": (Position().perft, "depth"),
    "Position.symmetry": (lambda **given: Position().symmetry(*given.values()), "k"),
    "Square.at": (lambda **given: Square.at(*given.values(), 1), "row"),
    "Random.below": (lambda **given: Random().below(*given.values()), "n"),
    "TimeControl": (lambda **given: reversi.TimeControl(**{"main_s": 60, **given}), "main_s increment_s"),
    "Game.undo": (lambda **given: Game().undo(*given.values()), "count"),
    "PositionArray.start": (lambda **given: reversi.arrays.PositionArray.start(*given.values()), "n"),
    "PositionArray.random_playouts": (
        lambda **given: reversi.arrays.PositionArray.start(1).random_playouts(**{"games": 1, **given}),
        "games",
    ),
    "OthelloVectorEnv": (lambda **given: reversi.envs.OthelloVectorEnv(*given.values()), "num_envs"),
}


def late_game() -> Game:
    """A game of one move that is solved at once, however many empty squares are to be exact."""
    game = Game(Position.parse(ENDING))
    game.play(next(iter(game.position.legal_moves)))
    return game


def record() -> reversi.Record:
    return next(open_records("examples/games.pgn"))


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_out_of_range_are_refused_in_one_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parent.parent)
    call, parameters = NUMBERS[name]
    wrong = []
    for parameter in parameters.split():
        for number in (-1, -(10**30), 10**30, math.nan, -math.inf, 1 << 64, "a"):
            try:
                call(**{parameter: number})
            except ReversiError as error:
                if "\n" in str(error) or "__" in str(error) or len(str(error)) > 300:
                    wrong.append(f"{parameter}={number!r}: {error}")
            except Exception as error:
                wrong.append(f"{parameter}={number!r}: {type(error).__name__}: {error}")
            else:
                if not _fits(parameter, number):
                    wrong.append(f"{parameter}={number!r}: accepted")
    assert not wrong


def _fits(parameter: str, number: object) -> bool:
    """Return whether a number is no mistake: more than a game has where it is a maximum, or a long time."""
    is_maximum = parameter in AT_MOST or parameter.endswith(("_s", "limit", "time"))
    return isinstance(number, int) and number > 0 and is_maximum


AT_MOST = {
    "at_least",
    "count",
    "depth",
    "exact_from",
    "first_ply",
    "frontier_empties",
    "give_up",
    "leaf_empties",
    "leaves",
    "margin",
    "multi",
    "plies",
}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: default_book().moves("f5"), "position must be a Position, not str; Position.parse reads text"),
        (
            lambda: reversi.match.Match(
                ["1", "2"], reversi.match.balanced_openings(), reversi.match.MatchSettings()
            ),
            "a player must be a Contestant, not str; parse_contestants reads texts",
        ),
        (
            lambda: reversi.Session(sides={reversi.Color.WHITE: 3}),
            "a side must be a Side, not int; Side.engine(level)",
        ),
        (
            lambda: reversi.Session().set_side(reversi.Color.WHITE, "human"),
            "a side must be a Side, not str; Side.engine(level)",
        ),
        (
            lambda: reversi.Session(controls="5:00+3"),
            "controls must be a TimeControl or a Mapping or None, not str",
        ),
        (
            lambda: reversi.game.GameClock("5:00+3"),
            "control must be a TimeControl or a Mapping, not str; parse_contr",
        ),
        (
            lambda: reversi.explorer.ExplorerTable(Position(), ()).sorted_by("games"),
            "column must be a Column, not str; Column.GAMES is one",
        ),
        (lambda: reversi.games.Selection(results={"won"}), "'won' is not a result; give one of black, "),
        (lambda: reversi.games.Selection(results="won"), "results must be a set or a frozenset, not str"),
        (
            lambda: reversi.games.Selection(years=2024),
            "years must be the first and the last, such as (2024, 2024), not 2024",
        ),
        (
            lambda: reversi.solver.SolveRun("file.obf"),
            "entries must be a function, not str; lambda: read_positions",
        ),
        (
            lambda: reversi.analysis.AnalysisRun("file.pgn"),
            "games must be a function that returns the games, not str",
        ),
        (lambda: reversi.arrays.from_records(record()), "records must be an Iterable, not Record; put one record"),
        (lambda: reversi.render.ReportGame(record="f5"), "record must be a Record, not str"),
        (
            lambda: reversi.render.ReportGame(record=reversi.Record(), analysis=3),
            "analysis must be a Mapping or None, not int; analyze(record) makes one",
        ),
        (lambda: reversi.match.Contestant("b", Engine(1)), "side must be a Side, not Engine; Side.of(player)"),
        (lambda: reversi.Side.of(3), "player must be a Player, not int"),
    ],
)
def test_likely_slips_are_told_the_right_call(
    call: Callable[[], object], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parent.parent)
    with pytest.raises(ReversiError) as caught:
        call()
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_database_is_asked_for_a_position(tmp_path: Path) -> None:
    with Database(tmp_path / "games.duckdb", create=True) as database:
        with pytest.raises(ArgumentError, match=r"not str; opening_named\(name\).position takes a name"):
            database.explore("Tiger")
        with pytest.raises(ArgumentError, match="selection must be a Selection, not str"):
            database.count("Tiger")
        with pytest.raises(ArgumentError, match="sort must be several words, not one text"):
            Order("score")


def test_a_report_takes_an_analysis() -> None:
    game = late_game()
    made, of = analyze(game, level=1), reversi.records.record_from_game(game)
    one, other = (reversi.render.ReportGame(record=of, analysis=each) for each in (made, made.fields()))
    assert reversi.render.html_report([one]) == reversi.render.html_report([other])


def test_paths_of_a_validation_are_paths_or_texts(tmp_path: Path) -> None:
    path = new_file(tmp_path / "a.pgn", "1. f5 d6 *\n")
    events = [
        [str(each) for each in reversi.records.validation.Validation().check([one])] for one in (path, str(path))
    ]
    assert events[0] == events[1] != []


def test_a_ply_prints_as_a_line() -> None:
    assert [str(ply) for ply in Game().play_all("f5d6")] == ["1. Black: f5", "2. White: d6"]


def test_a_warning_names_the_line_of_the_caller(tmp_path: Path) -> None:
    path = new_file(tmp_path / "a.csv", "Ann,Bob,f5d6c3\nAda,Ben,f5f6e6\n")
    with pytest.warns(UserWarning, match="a.csv") as warned:
        list(open_records(path))
    assert {each.filename for each in warned} == {__file__}
