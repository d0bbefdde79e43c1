"""What analyses have found: nothing is searched twice, whatever was killed, damaged or full in between."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from children import Child
from patience import SOON_S
from random_games import random_game
from reversi import Analysis, Analyzer, Cancel, Game, Position, analyze, parse_rules
from reversi.analysis.exercises.judge import Judge
from reversi.analysis.exercises.making import from_analysis
from reversi.analysis.store import AnalysisStore
from reversi.engine.search import Estimate, Searcher
from reversi.solver.solution import Solution
from reversi.solver.solver import Solver
from reversi.text.boards import parse_board

START = Position()
LEVEL = 6


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is searched and solved from now on."""
    asked: list[str] = []
    search, ask = Searcher.search, Solver.ask

    def counted_search(self: Searcher, position: Position, **options: object) -> Estimate:
        asked.append(f"search {position}")
        return search(self, position, **options)  # type: ignore[arg-type]

    def counted_ask(self: Solver, position: Position, *arguments: object, **options: object) -> Solution:
        asked.append(f"solve {position}")
        return ask(self, position, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Searcher, "search", counted_search)
    monkeypatch.setattr(Solver, "ask", counted_ask)
    return asked


def mirrored(game: Game, index: int) -> Game:
    """The same game on the board as a symmetry shows it."""
    images = game.start.symmetries()
    index %= len(images)
    other = Game(images[index])
    for move in game.moves:
        other.play(move.symmetry(index, game.rules))
    return other


def judgements(analysis: Analysis) -> list[tuple[object, ...]]:
    return [(turn.ply, turn.loss, turn.judgement, turn.score.kind, len(turn.best)) for turn in analysis.turns]


@pytest.mark.parametrize("rules", ["othello", "othello,board=6x6", "adjacent,board=4x6,optional-skip"])
@pytest.mark.parametrize("every", [False, True])
def test_what_is_known_is_not_searched_again(rules: str, every: bool, tmp_path: Path, searches: list[str]) -> None:
    game, path = random_game(rules, 5), tmp_path / "analyses.txt"
    plain = analyze(game, level=3, exact_from=10, all_moves=every)
    first = analyze(game, level=3, exact_from=10, store=AnalysisStore(path), all_moves=every)
    assert first.fields() == plain.fields()
    searches.clear()
    cancel = Cancel()
    cancel.cancel()  # whatever is not known stops the analysis
    for other in (game, mirrored(game, 3), mirrored(game, -2)):
        again = analyze(other, level=3, exact_from=10, store=AnalysisStore(path), cancel=cancel, all_moves=every)
        assert again.complete
        assert judgements(again) == judgements(plain)
        if other is game:
            assert again.fields() == plain.fields()
            assert [turn.score.nodes for turn in again.turns] == [turn.score.nodes for turn in first.turns]
    assert searches == []


def test_a_level_never_answers_for_another(searches: list[str]) -> None:
    game, store = random_game("othello", 5), AnalysisStore()
    analyze(game, level=2, exact_from=10, store=store)
    searches.clear()
    other = analyze(game, level=4, exact_from=10, store=store)
    assert other.fields() == analyze(game, level=4, exact_from=10).fields()
    assert any(each.startswith("search") for each in searches)
    for _ in range(2):
        searches.clear()
        analyze(game, time_s=0.001, exact_from=10, store=store)
    assert {each.split()[0] for each in searches} == {"search"}  # a time is no level; what is exact is exact


def test_other_weights_are_another_question(monkeypatch: pytest.MonkeyPatch) -> None:
    store = AnalysisStore()
    store.put(START, "search 3", {"grade": 1})
    plain = Position(parse_rules("othello,board=6x6"))
    store.put(plain, "search 3", {"grade": 2})
    monkeypatch.setattr("reversi.analysis.store._digest", lambda: "other")
    assert store.get(START, "search 3") is None
    assert store.get(plain, "search 3") == {"grade": 2}


@pytest.mark.parametrize("first", [(), (9, 3, 12, 1)])
@pytest.mark.parametrize("threads", [1, 3])
def test_the_order_of_the_searches_changes_nothing_but_when_they_are_known(
    threads: int, first: Sequence[int]
) -> None:
    game = random_game("othello", 5)
    known: list[int] = []
    analyzer = Analyzer(level=2, exact_from=8, threads=threads)
    found = analyzer.analyze(game, first=first, progress=lambda turn: known.append(turn.ply))
    plain = analyze(game, level=2, exact_from=8)
    assert judgements(found) == judgements(plain)
    assert sorted(known) == list(range(1, len(game) + 1))
    searched = [ply for ply in known if ply in first]
    if threads == 1 and first:
        assert searched == list(first)
    if threads == 1:
        assert found.fields() == plain.fields()


def test_a_cancel_ends_searches_that_run_ahead() -> None:
    game, cancel = random_game("othello", 5), Cancel()
    threads = threading.active_count()
    known: list[int] = []

    def progress(turn: object) -> None:
        known.append(1)
        if len(known) == 20:
            cancel.cancel()

    found = Analyzer(level=8, exact_from=8, threads=2).analyze(game, cancel=cancel, first=[4], progress=progress)
    assert not found.complete
    assert threading.active_count() == threads


def test_exercises_are_not_judged_again(searches: list[str]) -> None:
    game, store = random_game("othello", 5), AnalysisStore()
    analysis = analyze(game, level=3, exact_from=10, store=store)
    made = []
    for _ in range(2):
        judge = Judge(3, exact_from=10)
        judge.store = store
        made.append(list(from_analysis(analysis, judge)))
        if len(made) == 1:
            assert made[0]
            searches.clear()
    assert searches == []
    assert [(each.id, each.difficulty, each.moves) for each in made[0]] == [
        (each.id, each.difficulty, each.moves) for each in made[1]
    ]


# --- the file


def entries(path: Path, count: int, begin: int = 0) -> None:
    store = AnalysisStore(path)
    for number in range(begin, begin + count):
        store.put(START, f"grade {number}", {"grade": number})


def held(path: Path, most: int = 1000) -> list[int]:
    store = AnalysisStore(path)
    return [number for number in range(most) if store.get(START, f"grade {number}") == {"grade": number}]


def cut(data: bytes) -> bytes:
    return data[:-7]


def flipped(data: bytes) -> bytes:
    return data.replace(b'"grade":3', b'"grade":4')


def binary(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[:3], b"\0\xff" * 50, *lines[4:]])


@pytest.mark.parametrize(("damage", "lost"), [(cut, 9), (flipped, 3), (binary, 3), (lambda data: b"{" + data, 0)])
def test_a_damaged_line_is_no_finding(damage: Callable[[bytes], bytes], lost: int, tmp_path: Path) -> None:
    path = tmp_path / "analyses.txt"
    entries(path, 10)
    path.write_bytes(damage(path.read_bytes()))
    whole = [number for number in range(10) if number != lost and not (damage is binary and number == lost + 1)]
    assert held(path) == whole
    entries(path, 2, begin=20)  # after half a line, too
    assert held(path) == [*whole, 20, 21]


def test_the_file_has_a_limit_and_keeps_what_is_new(tmp_path: Path) -> None:
    path = tmp_path / "analyses.txt"
    store = AnalysisStore(path, limit=10_000)
    for number in range(400):
        store.put(START, f"grade {number}", {"grade": number})
        assert path.stat().st_size <= 10_000
    left = held(path)
    assert left == list(range(left[0], 400))
    assert len(left) * 60 > 2000
    assert store.get(START, "grade 0") == {"grade": 0}  # of this run


def test_programs_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "analyses.txt"
    threads = [threading.Thread(target=entries, args=(path, 50, 50 * at)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert held(path) == list(range(200))
    assert [each.name for each in path.parent.iterdir()] == ["analyses.txt"]


def test_a_file_that_cannot_be_written_stops_no_analysis(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, not a folder", encoding="utf-8")
    store = AnalysisStore(tmp_path / "taken" / "analyses.txt")
    game = random_game("othello", 5)
    assert analyze(game, level=1, exact_from=8, store=store).complete
    assert "taken" in store.failure
    assert store.get(START, "grade 3") is None


ANALYZE = """
import sys
from pathlib import Path
from reversi import Game, analyze
from reversi.analysis.store import AnalysisStore
game = Game()
game.play_all(sys.argv[2].split())

def progress(turn):
    if turn.ply == 20:
        print("killed here", flush=True)
        sys.stdin.read()

analyze(game, level=4, exact_from=12, store=AnalysisStore(Path(sys.argv[1])), progress=progress)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no such signal")
def test_a_killed_analysis_loses_nothing_that_it_has_found(tmp_path: Path, searches: list[str]) -> None:
    path, game = tmp_path / "analyses.txt", random_game("othello", 5)
    text = " ".join(map(str, game.moves))
    command = [sys.executable, "-c", ANALYZE, str(path), text]
    with Child(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"killed here\n"
        process.kill()
        assert process.wait(SOON_S) == -signal.SIGKILL
    with path.open("ab") as stream:
        stream.write(b"0123abcd half a li")  # as a kill in the middle of a line leaves it
    found = analyze(game, level=4, exact_from=12, store=AnalysisStore(path))
    searched = [each for each in searches if each.startswith("search")]
    assert {each for each in searches if each.startswith("solve")} == set()
    assert 0 < len(searched) <= 2 * 19  # a doubtful turn is searched twice
    assert found.fields() == analyze(game, level=4, exact_from=12).fields()
    searches.clear()
    assert analyze(game, level=4, exact_from=12, store=AnalysisStore(path)).fields() == found.fields()
    assert searches == []


def test_symmetric_positions_share_a_solution(searches: list[str]) -> None:
    store = AnalysisStore()
    position = parse_board("OOOOOOO-OOOOXXXXOOOOXXXXOOOOXXXXOOOOXXXXOOOOXXX-OOOXXX--XXXXX--- X")
    solver = Solver(1)

    def solved(at: Position) -> Solution:
        return store.solution(at, "solve all", Solution.from_json, lambda: solver.solve(at, all_moves=True))

    first = solved(position)
    for image in position.symmetries():
        found = solved(image)
        assert found.position == image
        assert {scored.score.value for scored in found.moves} == {scored.score.value for scored in first.moves}
        alone = Solver(1).solve(image, all_moves=True)
        assert found.best == alone.best
        assert {(each.move, each.score.value) for each in found.moves} == {
            (each.move, each.score.value) for each in alone.moves
        }
    assert searches[0] == f"solve {position}"
    assert replace(first, position=position) == first
