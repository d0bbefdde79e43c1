"""Runs over an input: order, results files, continuing, checking, cancelling."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from endings import random_ending, random_endings
from files import new_file
from reversi import Cancel, InputError, Solver
from reversi.inputs.input import positions_in
from reversi.inputs.positions import PositionEntry
from reversi.solver import Question, ResultsError, SolvedEntry, SolveRun
from reversi.text import ObfEntry, format_board, format_obf

POSITIONS = random_endings(8, 6)
DEEP = random_ending(44, 1)
TEXT = "\n".join(format_board(position) for position in POSITIONS)


def scores(solved: Iterable[SolvedEntry]) -> list[tuple[int, int]]:
    return [(one.entry.index, one.solution.score.value) for one in solved]


def exact() -> list[tuple[int, int]]:
    solver = Solver(1)
    return [(index, solver.solve(position).score.value) for index, position in enumerate(POSITIONS, 1)]


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("threads", [1, 4])
def test_results_come_in_the_order_of_the_input(threads: int) -> None:
    mixed = [one for pair in zip(random_endings(13, 5), random_endings(5, 5), strict=True) for one in pair]
    text = "\n".join(format_board(position) for position in mixed)
    with SolveRun(lambda: positions_in(text), hash_mb=1, threads=threads) as run:
        assert [one.entry.index for one in run] == list(range(1, 11))
    assert (run.tally.solved, run.batch.answered, run.last_line) == (10, 10, 10)
    assert run.tally.nodes == run.batch.nodes > 0


def test_entries_without_a_position_are_reported_and_skipped() -> None:
    bad: list[PositionEntry] = []
    text = f"{format_board(POSITIONS[0])}\nXO-XO-X\n{format_board(POSITIONS[1])}"
    with SolveRun(lambda: positions_in(text), hash_mb=1, on_unreadable=bad.append) as run:
        assert [one.entry.index for one in run] == [1, 3]
    assert [(entry.index, entry.line) for entry in bad] == [(2, 2)]


def test_a_run_continues_the_file_of_an_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with SolveRun(lambda: positions_in(TEXT), hash_mb=1, threads=1, output=path) as run:
        iterator = iter(run)
        begun = scores([next(iterator), next(iterator)])
    before = path.read_text()
    held = len(lines(path))
    assert begun == exact()[:2]
    assert 2 <= held <= 6
    with SolveRun(lambda: positions_in(TEXT), hash_mb=1, output=path, resume=True) as run:
        assert (run.earlier.count, run.total) == (held, 6 - held)
        found = scores(run)
    assert found == exact()[held:]
    assert path.read_text().startswith(before)
    assert sorted((one["index"], one["score"]) for one in lines(path)) == exact()


def test_a_file_is_not_overwritten_unless_the_caller_says_so(tmp_path: Path) -> None:
    path = new_file(tmp_path / "results.jsonl", "kept\n")
    with pytest.raises(FileExistsError) as caught:
        SolveRun(lambda: positions_in(TEXT), hash_mb=1, output=path)
    assert caught.value.filename == str(path)
    with pytest.raises(ResultsError, match="not a result of reversi solve"):
        SolveRun(lambda: positions_in(TEXT), hash_mb=1, output=path, resume=True)
    assert path.read_text() == "kept\n"
    with SolveRun(lambda: positions_in(TEXT), hash_mb=1, output=path, overwrite=True) as run:
        assert scores(run) == exact()
    assert len(lines(path)) == 6


def test_deeply_nested_json_is_not_a_result(tmp_path: Path) -> None:
    path = new_file(tmp_path / "results.jsonl", "[" * 50_000 + "\n")
    with pytest.raises(ResultsError, match="not a result of reversi solve"):
        SolveRun(lambda: positions_in(TEXT), hash_mb=1, output=path, resume=True)


def test_wrong_arguments_leave_the_file_alone(tmp_path: Path) -> None:
    path = new_file(tmp_path / "results.jsonl", "kept\n")
    for arguments in ({"resume": True, "overwrite": True}, {"overwrite": True, "threads": 0}):
        with pytest.raises(InputError):
            SolveRun(lambda: positions_in(TEXT), output=path, **arguments)
    with pytest.raises(InputError, match="output"):
        SolveRun(lambda: positions_in(TEXT), resume=True)
    assert path.read_text() == "kept\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_names_the_file() -> None:
    with (
        pytest.raises(OSError, match="No space left") as caught,
        SolveRun(lambda: positions_in(TEXT), hash_mb=1, output="/dev/full") as run,
    ):
        list(run)
    assert caught.value.filename == "/dev/full"


def test_answers_are_compared_with_the_annotated_scores() -> None:
    values = dict(exact())
    text = "\n".join(
        [
            f"{format_obf(ObfEntry(POSITIONS[0], score=values[1]))}",
            f"{format_obf(ObfEntry(POSITIONS[1], score=values[2] + 2))}",
            format_board(POSITIONS[2]),
        ]
    )
    with SolveRun(lambda: positions_in(text), hash_mb=1, check=True) as run:
        found = [None if one.comparison is None else one.comparison.ok for one in run]
    assert found == [True, False, None]
    assert (run.tally.right, run.tally.wrong, run.tally.bare, run.tally.unproved) == (1, 1, 1, 0)


def test_a_cancel_gives_what_was_proved() -> None:
    cancel = Cancel()
    seen = threading.Event()

    def poll(run: SolveRun) -> None:
        if run.batch.under_way:
            seen.set()
            cancel.cancel()

    text = f"{format_board(POSITIONS[0])}\n{format_board(DEEP)}\n{TEXT}"
    with SolveRun(lambda: positions_in(text), hash_mb=1, threads=2, cancel=cancel, poll=poll) as run:
        found = list(run)
    assert seen.is_set()
    answers = {one.entry.index: one for one in found}
    assert answers[1].is_answered
    assert not answers[2].is_answered
    assert answers[2].solution.score.lower < answers[2].solution.score.upper
    assert [one.entry.index for one in found] == sorted(answers)


def test_a_run_that_is_left_before_its_end_has_a_time() -> None:
    with SolveRun(lambda: positions_in(TEXT), hash_mb=1) as run:
        for _ in run:
            break
    assert run.time_s > 0


def test_nothing_is_solved_after_a_cancel() -> None:
    cancel = Cancel()
    cancel.cancel()
    with SolveRun(lambda: positions_in(TEXT), hash_mb=1, cancel=cancel) as run:
        assert list(run) == []
    assert run.batch.skipped == 0


def test_the_total_time_counts_what_is_left() -> None:
    with SolveRun(lambda: positions_in(TEXT), hash_mb=1, total_time_s=0) as run:
        assert list(run) == []
    assert (run.batch.skipped, run.batch.cut_short) == (6, False)


def test_the_question_is_that_of_every_position() -> None:
    with SolveRun(lambda: positions_in(TEXT), Question(multi=2), hash_mb=1) as run:
        assert all(len(one.fields()["moves"]) == 2 for one in run)  # type: ignore[arg-type]
