"""Progress: every answer is in the file, and comes back when it is due."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from children import Child
from files import new_file
from reversi import InputError, ResourceError
from reversi.analysis.exercises import Judge, ProgressFile, Rating, from_position, next_due, plan
from reversi.analysis.exercises.progress import ExerciseProgress, Review, parse_progress, progress_text
from reversi.analysis.exercises.schedule import Schedule
from reversi.text import parse_board

BEGIN = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC)
MINUTE, DAY = datetime.timedelta(minutes=1), datetime.timedelta(days=1)


def later(reviews: Sequence[Review]) -> datetime.datetime:
    return reviews[-1].at + len(reviews) * DAY


def review(minutes: int, rating: Rating = Rating.GOOD, answer: str = "f5") -> Review:
    return Review(BEGIN + minutes * MINUTE, rating, answer)


def test_answers_are_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "progress.json"
    file = ProgressFile(path)
    assert file.add("a", review(0), later).due == BEGIN + DAY
    assert file.add("b", review(1, Rating.AGAIN), later).right == 0
    assert file.add("a", review(2, Rating.HARD), later).due == BEGIN + 2 * MINUTE + 2 * DAY
    again = ProgressFile(path)
    assert again.progress == file.progress
    assert again.of("a").reviews == [review(0), review(2, Rating.HARD)]
    assert again.of("c") == ExerciseProgress()
    assert parse_progress(progress_text(again.progress)) == again.progress


def test_two_trainings_keep_each_others_answers(tmp_path: Path) -> None:
    one, two = ProgressFile(tmp_path / "p.json"), ProgressFile(tmp_path / "p.json")
    for minute in range(6):
        (one, two)[minute % 2].add("ab"[minute // 3], review(minute), later)
    found = ProgressFile(tmp_path / "p.json")
    assert [len(found.of(name).reviews) for name in "ab"] == [3, 3]


def test_a_file_that_somebody_changes_is_read_again(tmp_path: Path) -> None:
    file = ProgressFile(tmp_path / "p.json")
    file.add("a", review(0), later)
    other = ProgressFile(file.path)
    other.add("a", review(1, Rating.AGAIN), later)
    changed = file.path.read_text().replace('"answer": "f5"', '"answer": "d3"', 1)
    file.path.write_text(changed)
    assert [one.answer for one in file.add("b", review(2), later).reviews] == ["f5"]
    assert [one.answer for one in ProgressFile(file.path).of("a").reviews] == ["d3", "f5"]
    file.path.unlink()
    file.add("c", review(3), later)
    assert set(ProgressFile(file.path).progress) == {"c"}


def test_processes_keep_each_others_answers(tmp_path: Path) -> None:
    program = (
        "import sys, datetime\n"
        "from pathlib import Path\n"
        "from reversi.analysis.exercises.progress import ProgressFile, Review, Rating\n"
        "file = ProgressFile(Path(sys.argv[1]))\n"
        "for at in range(10):\n"
        "    now = datetime.datetime.now(datetime.UTC)\n"
        "    file.add('x', Review(now, Rating.GOOD, sys.argv[2]), lambda reviews: now)\n"
    )
    path = tmp_path / "p.json"
    running = [Child([sys.executable, "-c", program, str(path), name]) for name in ("a1", "b1")]
    assert [process.wait(60) for process in running] == [0, 0]
    answers = [one.answer for one in ProgressFile(path).of("x").reviews]
    assert (answers.count("a1"), answers.count("b1")) == (10, 10)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not a file of training progress"),
        ("{}", "not a file of training progress"),
        ('{"reversi training": 9, "exercises": {}}', "saved in format 9; this version reads format 1"),
        (
            '{"reversi training": 1, "exercises": {"a": {}}}',
            r"damaged: 'reviews' of 'a' of 'exercises' is missing; move it away to begin anew$",
        ),
        (
            '{"reversi training": 1, "exercises": {"a": {"due": "2026-01-01", "reviews": []}}}',
            r"'due' of 'a' of 'exercises' has a wrong value: \"2026-01-01\"",
        ),
    ],
)
def test_other_files_are_refused_and_stay(text: str, why: str, tmp_path: Path) -> None:
    path = new_file(tmp_path / "p.json", text)
    with pytest.raises(InputError, match=why):
        ProgressFile(path)
    assert path.read_text() == text


def test_an_answer_that_cannot_be_written_is_written_later(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    file = ProgressFile(path)
    file.add("a", review(0), later)
    good = path.read_bytes()
    path.write_text("broken")
    with pytest.raises(InputError):
        file.add("b", review(1), later)
    assert path.read_text() == "broken"
    assert file.pending == 1
    assert file.of("b").due == BEGIN + MINUTE + DAY
    path.write_bytes(good)
    file.add("a", review(2), later)
    assert file.pending == 0
    found = ProgressFile(path)
    assert [len(found.of(name).reviews) for name in "ab"] == [2, 1]


def test_a_folder_that_cannot_be_written(tmp_path: Path, close: Callable[[Path, int], None]) -> None:
    (tmp_path / "no").mkdir()
    close(tmp_path / "no", 0o500)
    with pytest.raises(OSError, match="denied"):
        ProgressFile(tmp_path / "no" / "p.json").add("a", review(0), later)


def test_due_ones_come_first_and_then_new_ones_at_the_level() -> None:
    judge = Judge()
    boards = [
        "OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX O",
        "OOOOOO--XOOOO---XXOOOO--XXXOO--OXXXXXOXOXXXXXXXOXXXXXXXOXXXXXXXO X",
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
    ]
    exercises = [one for board in boards if (one := from_position(parse_board(board), judge, margin=1))]
    assert len(exercises) == 3
    by_level = sorted(exercises, key=lambda one: one.difficulty or 0)
    easy = by_level[0].difficulty
    assert easy is not None
    known: dict[str, ExerciseProgress] = {}

    def of(name: str) -> ExerciseProgress:
        return known.get(name, ExerciseProgress())

    assert plan(exercises, of, BEGIN, rating=easy) == by_level
    assert plan(exercises, of, BEGIN, rating=3000) == by_level[::-1]
    assert plan(exercises, of, BEGIN, rating=easy, count=1) == by_level[:1]
    assert next_due(exercises, of) is None
    first, second, third = by_level
    known[third.id] = ExerciseProgress([review(0)], BEGIN + DAY)
    known[second.id] = ExerciseProgress([review(0)], BEGIN + 2 * DAY)
    assert plan(exercises, of, BEGIN) == [first]
    assert plan(exercises, of, BEGIN, everything=True) == [first, third, second]
    assert plan(exercises, of, BEGIN + 3 * DAY) == [third, second, first]
    assert next_due(exercises, of) == BEGIN + DAY
    known[second.id].reviews.append(review(1, Rating.AGAIN))
    assert plan(exercises, of, BEGIN + 3 * DAY) == [second, third, first]


def test_the_schedule() -> None:
    pytest.importorskip("fsrs")
    schedule = Schedule()
    wrong = schedule.due([review(0, Rating.AGAIN)])
    right = schedule.due([review(0)])
    assert BEGIN < wrong < right
    reviews = [review(0)]
    intervals = []
    for _ in range(6):
        due = schedule.due(reviews)
        intervals.append(due - reviews[-1].at)
        reviews.append(Review(due, Rating.GOOD, "f5"))
    assert intervals == sorted(intervals)
    assert intervals[-1] > 30 * DAY
    assert schedule.due(reviews) == Schedule().due(reviews)
    hard = [*reviews[:-1], Review(reviews[-1].at, Rating.HARD, "f5")]
    assert schedule.due(hard) < schedule.due(reviews)
    with pytest.raises(ValueError, match="without answers"):
        schedule.due([])


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reversi.analysis.exercises.schedule.find_spec", lambda name: None)
    with pytest.raises(ResourceError, match=r"pip install 'reversi-engine\[train\]'"):
        Schedule()
