"""A wrong argument of a public call is refused: by Python, or by a `ReversiError` of one line."""

# mypy: disable-error-code="arg-type, call-arg"

from __future__ import annotations

import asyncio
import datetime
import functools
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("numpy", reason="some public classes need NumPy")
pytest.importorskip("duckdb", reason="some public classes need DuckDB")
pytest.importorskip("gymnasium", reason="some public classes need Gymnasium")
pytest.importorskip("pettingzoo", reason="some public classes need PettingZoo")

import reversi
import reversi.analysis.exercises
import reversi.explorer
import reversi.games
import reversi.records.formats.wthor
import reversi.records.validation
from reversi import (
    OTHELLO,
    Batch,
    Color,
    Engine,
    Game,
    Kind,
    Position,
    Question,
    Random,
    Record,
    ReversiError,
    Rules,
    Score,
    Session,
    Side,
    Solver,
    Square,
    TimeControl,
    analysis,
    analyze,
    arrays,
    canonical_key,
    engine,
    envs,
    evaluate,
    game,
    hint,
    inputs,
    match,
    open_records,
    openings,
    parse_rules,
    protocols,
    records,
    render,
    search,
    session,
    solve,
    solver,
    text,
    work,
)
from reversi.analysis import exercises
from reversi.solver import proofs

HOME = Path(__file__).parents[1]
ENDING = "OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX X"


class Wrong:
    """A value that nothing takes."""

    def __repr__(self) -> str:
        return "WRONG"


@functools.cache
def things() -> SimpleNamespace:
    """Good arguments."""
    position = Position.parse(ENDING)
    played = Game(position)
    played.play(next(iter(position.legal_moves)))
    record = next(open_records(HOME / "examples/games.pgn"))
    annotated = analysis.annotated(records.record_from_game(played), analyze(played, level=1))
    return SimpleNamespace(
        position=position,
        game=played,
        record=record,
        annotated=annotated,
        analysis=analyze(played, level=1),
        judge=exercises.Judge(1, 4),
        solution=solve(position, all_moves=True),
        certificate=solver.prove(Position(parse_rules("othello,board=4x4")), leaf_empties=8),
        entry=next(iter(records.read_games("1. f5 d6 *"))),
        results=list(reversi.games.results_of(open_records(HOME / "examples/games.pgn"))),
        players=match.parse_contestants(["1", "2"]),
        now=datetime.datetime.now(datetime.UTC),
    )


def no_progress(exercise: str) -> Any:
    raise AssertionError(exercise)


def calls(folder: Path) -> list[tuple[Callable[..., object], tuple[object, ...]]]:
    """Functions and constructors, each with good arguments for what it requires."""
    of = things()
    return [
        (Batch, ([(1, of.position)],)),
        (Engine, ()),
        (Game, ()),
        (Position.from_moves, ("f5",)),
        (Session, ()),
        (Solver, (1,)),
        (analysis.AnalysisRun, (lambda: [],)),
        (analysis.Analyzer, ()),
        (analysis.LossSummary, ()),
        (analysis.analysis_from_record, (of.annotated,)),
        (analyze, (of.game,)),
        (analysis.annotated, (records.record_from_game(of.game), of.analysis)),
        (exercises.Judge, ()),
        (exercises.ProgressFile, (folder / "progress.json",)),
        (exercises.add_to_deck, (folder / "deck.json", [])),
        (exercises.from_analysis, (of.analysis, of.judge)),
        (exercises.from_position, (of.position, of.judge)),
        (exercises.plan, ([], no_progress, of.now)),
        (exercises.next_due, ([], no_progress)),
        (exercises.write_deck, (folder / "other.json", [])),
        (arrays.PositionArray, ()),
        (arrays.from_records, ([of.record],)),
        (canonical_key, (of.position,)),
        (reversi.games.Database, (folder / "games.duckdb",)),
        (reversi.games.Selection, ()),
        (reversi.games.Games, (HOME / "examples/games.pgn",)),
        (engine.Searcher, (1,)),
        (engine.explain, (Position(), "f5")),
        (hint, (of.position,)),
        (envs.OthelloAEC, ()),
        (envs.OthelloEnv, ()),
        (envs.OthelloVectorEnv, (2,)),
        (envs.aec_env, ()),
        (evaluate, (Position(),)),
        (reversi.explorer.Explorer, ()),
        (game.GameClock, (TimeControl(60),)),
        (game.Supply, (3, 4)),
        (game.parse_controls, ("5:00",)),
        (inputs.load_game, (str(HOME / "examples/games.pgn#1"),)),
        (inputs.read_position, ("f5d6",)),
        (inputs.read_positions, ("f5d6",)),
        (match.Contestant, ("Ann", Side.engine(1))),
        (match.Match, (of.players, match.balanced_openings(), match.MatchSettings())),
        (match.MatchOpening, (Position(), ())),
        (match.Sprt, ()),
        (match.parse_contestants, (["1", "2"],)),
        (match.read_openings, (HOME / "examples/games.pgn",)),
        (open_records, (HOME / "examples/games.pgn",)),
        (openings.draw_line, (1,)),
        (openings.opening_of_game, ("f5",)),
        (openings.opening_of_position, (Position(),)),
        (openings.opening_named, ("Tiger",)),
        (parse_rules, ("othello",)),
        (proofs.ProofStore, (None, "othello", "x")),
        (proofs.Prover, (Solver(1),)),
        (protocols.AsyncEngine, ("gtp:engine",)),
        (protocols.open_engine, ("gtp:engine",)),
        (Question, ()),
        (Record, ()),
        (records.RecordedScore, (3, Kind.EXACT)),
        (records.capabilities, ("players",)),
        (records.complete_entry, (of.entry,)),
        (records.format_named, ("pgn",)),
        (records.format_record, (of.record,)),
        (records.format_records, ([of.record],)),
        (records.game_from_record, (of.record,)),
        (records.losses, (of.record, "pgn")),
        (records.parse_record, ("1. f5 *",)),
        (records.position_after, (of.record,)),
        (records.positions, (of.record,)),
        (records.read_games, ("1. f5 *",)),
        (records.read_wthor_file, (HOME / "examples/example.wtb",)),
        (records.recognize, ("1. f5 *",)),
        (records.record_from_game, (of.game,)),
        (reversi.records.validation.Validation, ()),
        (records.validate_entry, (of.entry,)),
        (records.validate_record, (of.record,)),
        (reversi.games.write_records, (folder / "games.pgn", [of.record])),
        (render.Options, ()),
        (render.animation, (of.game,)),
        (render.graph, ([1, 2],)),
        (render.html_report, ([of.record],)),
        (render.latex, (of.position,)),
        (render.markdown, (of.position,)),
        (render.plain_text, (of.position,)),
        (render.png, (of.position,)),
        (render.scored_moves, (of.solution.moves,)),
        (render.svg, (of.position,)),
        (Rules, ()),
        (search, (of.position,)),
        (session.SessionFolder, (folder / "games",)),
        (Side, ()),
        (solve, (of.position,)),
        (solver.SearchSettings, ()),
        (solver.SolveRun, (lambda: [],)),
        (solver.check_certificate, (of.certificate,)),
        (solver.prove, (of.position,)),
        (solver.write_certificate, (folder / "of.proof", of.certificate)),
        (reversi.games.events_of, (of.results,)),
        (reversi.games.next_rating, (reversi.games.PlayerRating(), [])),
        (reversi.games.openings_of, (of.results,)),
        (reversi.games.profile_of, (of.results, "greedy")),
        (reversi.games.ratings_of, (of.results,)),
        (reversi.games.results_of, ([of.record],)),
        (reversi.games.tables_of, (of.results, "players")),
        (text.format_board, (of.position,)),
        (text.format_diagram, (of.position,)),
        (text.format_obf, (text.ObfEntry(of.position),)),
        (text.format_transcript, ([Square("f5")],)),
        (text.parse_board, (ENDING,)),
        (text.parse_obf, (ENDING,)),
        (text.parse_transcript, ("f5", Position())),
        (TimeControl, (60,)),
    ]


CALLED = ("Callable", "Test", "Opponent", "IO")
"""What is called, or read, when it is needed; only then a wrong one is noticed."""
LATER = {
    "parse_record.ours",  # a flag
    "read_games.options",
    "read_games.notes",
    "check_certificate.name",
}


def problem_of(call: Callable[[], object]) -> str:
    """Return what is wrong with the answer to a wrong argument."""
    try:
        answer = call()
        if isinstance(answer, Iterator):
            next(answer, None)
        elif inspect.iscoroutine(answer):
            asyncio.run(answer)
    except ReversiError as error:
        message = str(error)
        if "\n" in message or "__" in message or "has no attribute" in message or len(message) > 300:
            return f"message {message}"
        return ""
    except TypeError:
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


def test_a_wrong_argument_is_refused_wherever_it_stands(tmp_path: Path) -> None:
    found, tried = [], 0
    for call, good in calls(tmp_path):
        for at, parameter in enumerate(inspect.signature(call).parameters.values()):
            annotation = str(parameter.annotation)
            place = f"{call.__name__}.{parameter.name}"
            if (
                parameter.kind is parameter.VAR_KEYWORD
                or annotation == "bool"  # everything has a truth
                or any(kind in annotation for kind in CALLED)
                or place in LATER
            ):
                continue
            placed, named = list(good), {}
            if at < len(placed):
                placed[at] = Wrong()
            elif parameter.kind is parameter.VAR_POSITIONAL:
                placed = [*placed[:at], Wrong()]
            else:
                named = {parameter.name: Wrong()}
            tried += 1
            if problem := problem_of(functools.partial(call, *placed, **named)):
                found.append(f"{place}: {problem}")
    assert "\n".join(found) == ""
    assert tried > 300


def objects(folder: Path) -> list[object]:
    """An object of each class whose methods take something."""
    of = things()
    games = reversi.games.Database(folder / "games.duckdb", create=True)
    aec, env, vector = envs.OthelloAEC(), envs.OthelloEnv(), envs.OthelloVectorEnv(2)
    for environment in (aec, env, vector):
        environment.reset(seed=1)
    return [
        of.position,
        Square("f5"),
        Random(1),
        OTHELLO,
        of.solution,
        of.solution.score,
        Solver(1),
        Engine(1),
        Batch([(1, of.position)]),
        Game(),
        Session(),
        game.Supply(3, 4),
        TimeControl(60),
        game.GameClock(TimeControl(60)),
        of.analysis,
        analysis.Analyzer(),
        analysis.LossSummary(),
        of.judge,
        arrays.PositionArray.start(2),
        games,
        reversi.games.Games(HOME / "examples/games.pgn"),
        engine.Searcher(1),
        env,
        aec,
        vector,
        reversi.explorer.Explorer(),
        reversi.explorer.ExplorerTable(Position(), ()),
        openings.default_book(),
        match.Match(of.players, match.balanced_openings(), match.MatchSettings(games=2)),
        match.Sprt(),
        proofs.Prover(Solver(1)),
        records.format_named("pgn").holds,
        records.RecordedScore(3, Kind.EXACT),
        reversi.records.validation.Validation(),
        solver.SolveRun(lambda: []),
        session.SessionFolder(folder / "games"),
        protocols.Thinker(),
        Question(),
        of.results[0],
        reversi.games.events_of(of.results)[0],
        reversi.games.tables_of(of.results, "players")[0],
        exercises.from_position(Position.parse(ENDING), of.judge),
    ]


TAKES_ANYTHING = {
    "Game.undo",  # counts, in test_promise
    "Score.stated",  # the searches make scores by it
    "Score.exact",
    "Session.save_failure",  # any function may be a keeper
    "Session.restore",  # what SessionFolder has checked
    "Analysis.fields",  # the place of the game, as it is to be shown
    "Question.bounds",
    "Question.count",
    "OthelloAEC.reset",  # takes the arguments of PettingZoo and needs none
    "OthelloAEC.agent_iter",
    "OthelloVectorEnv.reset",
    "OthelloEnv.reset",  # Gymnasium checks the seed
    "Square.shift",  # compiled: whole numbers
}
INHERITED = ("get_wrapper_attr", "has_wrapper_attr", "set_wrapper_attr")  # of Gymnasium


def test_every_method_refuses_a_wrong_argument_in_one_line(tmp_path: Path) -> None:
    found, tried = [], 0
    for thing in objects(tmp_path):
        for name in dir(type(thing)):
            static = inspect.getattr_static(type(thing), name)
            if name.startswith("_") or name in INHERITED or not callable(getattr(static, "__func__", static)):
                continue
            place = f"{type(thing).__name__}.{name}"
            try:
                parameters = inspect.signature(getattr(thing, name)).parameters.values()
            except ValueError:  # pragma: no cover - a slot of a compiled class
                continue
            taken = [each for each in parameters if each.kind is not each.VAR_KEYWORD]
            required = [each for each in taken if each.default is each.empty]
            if place in TAKES_ANYTHING or inspect.isclass(static) or not taken:
                continue
            if required:
                placed = [Wrong() for each in required if each.kind is not each.KEYWORD_ONLY]
                named = {each.name: Wrong() for each in required if each.kind is each.KEYWORD_ONLY}
                attempts = [functools.partial(getattr(thing, name), *placed, **named)]
            else:
                attempts = [
                    functools.partial(getattr(thing, name), **{each.name: Wrong()})
                    for each in taken
                    if each.annotation != "bool" and not any(kind in str(each.annotation) for kind in CALLED)
                ]
            for attempt in attempts:
                tried += 1
                if problem := problem_of(attempt):
                    found.append(f"{place}: {problem}")
    assert "\n".join(found) == ""
    assert tried > 150


@pytest.mark.parametrize(
    "call",
    [
        lambda: Score.exact(4, Color.BLACK).pov("white"),
        lambda: things().solution.value_for("white"),
        lambda: game.Supply(3, 4).of("black"),
        lambda: things().results[0].points("black"),
        lambda: game.GameClock(TimeControl(60)).time_left("black"),
    ],
)
def test_the_name_of_a_color_is_no_color(call: Callable[[], object]) -> None:
    """Else it would be White, whatever it says."""
    with pytest.raises(ReversiError, match=r"must be a Color, not str; give Color\.BLACK or Color\.WHITE"):
        call()


def test_what_was_closed_says_so(tmp_path: Path) -> None:
    games = reversi.games.Database(tmp_path / "games.duckdb", create=True)
    begun = games.results()
    games.close()
    for call in (games.info, lambda: games.add(HOME / "examples/games.pgn"), lambda: next(begun)):
        with pytest.raises(reversi.games.DatabaseError, match=r"games\.duckdb: the database was closed$"):
            call()
    prover = proofs.Prover(Solver(1))
    prover.close()
    with pytest.raises(proofs.StoreError, match=r"^the store: was closed$"):
        prover.prove(things().position)


def test_an_environment_begins_with_a_reset() -> None:
    env = envs.OthelloAEC()
    with pytest.raises(ReversiError, match="no game has begun; call reset"):
        env.step(19)
    with pytest.raises(ReversiError, match="an agent is black_0 or white_0, not 'nobody'"):
        env.observe("nobody")


def test_connecting_checks_its_arguments() -> None:
    for arguments, message in (
        ((Wrong(),), "address must be a str, not Wrong"),
        (("local", Wrong()), "tls must be a Tls or None, not Wrong"),
    ):
        with pytest.raises(ReversiError, match=message), work.connect(*arguments):
            pass
