"""`reversi train`: making exercises, solving them at a prompt and through a pseudo-terminal, and the progress."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from importlib.util import find_spec
from itertools import count as count_up
from pathlib import Path
from typing import Any

import pytest

from children import Child
from command_line import ENVIRONMENT, run_command, run_python
from command_tree import ENDGAME, EXERCISE, GAME
from files import new_file
from random_games import random_game
from reversi import Color, InputError
from reversi.analysis import analyze
from reversi.analysis.exercises import (
    Exercise,
    Judge,
    ProgressFile,
    Rating,
    from_position,
    read_deck,
)
from reversi.analysis.exercises.deck import standard_deck
from reversi.analysis.exercises.drill import Drill, Queue
from reversi.analysis.exercises.making import from_mistake
from reversi.analysis.exercises.planning import Exercises
from reversi.analysis.exercises.progress import ExerciseProgress
from reversi.analysis.exercises.ratings import CLASSES
from reversi.analysis.exercises.themes import is_only_move
from reversi.records import format_record
from reversi.records.from_game import record_from_game
from reversi.text import parse_board

needs_fsrs = pytest.mark.skipif(find_spec("fsrs") is None, reason="fsrs is not installed")
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
BEGIN = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)


@pytest.fixture(scope="module")
def five(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A deck of five exercises, made by the command from ten random games."""
    folder = tmp_path_factory.mktemp("five")
    text = ""
    for seed in range(10):
        text += format_record(record_from_game(random_game("othello", seed))) + "\n"
    (folder / "games.pgn").write_text(text)
    deck = folder / "deck.json"
    done = run_command(
        "train", "make", folder / "games.pgn", *BEST, "--empties", "6-9", "--count", "5", "-o", deck
    ).ends(0, out="")
    assert done.stderr.startswith("reversi: 5 exercises from ")
    return deck


BEST = ["--best-moves", "--difficulty", "0-"]


def answers_to(deck: Path, folder: Path, kinds: str) -> list[str]:
    """Answers to the exercises that a first session asks: r is right, h right after a hint, w wrong."""
    from reversi.analysis.exercises.schedule import Schedule

    progress, minutes, given = ProgressFile(folder / "other.json"), count_up(), []
    course = Exercises(read_deck(deck), progress, BEGIN)
    drill = Drill(course, progress, Schedule(), now=lambda: BEGIN + next(minutes) * datetime.timedelta(minutes=1))
    for kind in kinds:
        assert drill.next()
        assert isinstance(drill.card, Exercise)
        if kind == "h":
            drill.hint()
        move = drill.card.moves[-1 if kind == "w" else 0].move
        drill.answer(move)
        given.append(str(move))
    return given


def stats(deck: Path, state: Path) -> dict[str, Any]:
    done = run_command("train", "stats", deck, "--state", state, "--json").ends(0)
    return json.loads(done.stdout)  # type: ignore[no-any-return]


# --- making


def test_a_position_with_one_best_move(tmp_path: Path) -> None:
    (tmp_path / "suite.obf").write_text(f"{EXERCISE}; % mine\n{ENDGAME}; f3:+0\n")
    done = run_command("train", "make", tmp_path / "suite.obf", "--state", tmp_path).ends(0, out="")
    assert done.stderr == "reversi: 1 exercise from 2 positions, 1 of them new; 'reversi train' asks them\n"
    again = run_command("train", "make", tmp_path / "suite.obf", "--state", tmp_path)
    assert again.stderr == "reversi: 1 exercise from 2 positions, 0 of them new; 'reversi train' asks them\n"
    place = f"{tmp_path}/suite.obf#1"
    (exercise,) = read_deck(tmp_path / "training" / "exercises.json")
    assert exercise.position == parse_board(EXERCISE)
    done = run_command("train", "list", "--state", tmp_path)
    assert done.stdout.split() == [exercise.id, str(exercise.difficulty), str(exercise.theme), "-", "new", place]


@pytest.fixture(scope="module")
def mistakes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game on a small board, with an analysis."""
    folder = tmp_path_factory.mktemp("mistakes")
    record = record_from_game(random_game("othello,board=6x6", 1))
    record.tags["Black"], record.tags["White"] = "Ada Lovelace", "Bob"
    (folder / "games.pgn").write_text(format_record(record))
    fields = analyze(record, level=4, exact_from=14).fields(file="my.pgn", game=7)
    line = json.dumps(fields, separators=(",", ":"), ensure_ascii=False)
    (folder / "a.jsonl").write_text(f"{line}\n{{broken\n")
    return folder


def test_the_mistakes_of_a_game(mistakes: Path, tmp_path: Path) -> None:
    options = ["--level", "4"]
    done = run_command("train", "make", mistakes / "games.pgn", *options, "-o", tmp_path / "all.json").ends(0)
    found = read_deck(tmp_path / "all.json")
    assert done.stderr == f"reversi: {len(found)} exercises from 1 game\n"
    assert all(one.played is not None and one.played not in one.answers for one in found)
    assert {one.position.to_move for one in found} == set(Color)
    assert all(one.origin.black == "Ada Lovelace" for one in found)
    done = run_command(
        "train", "make", mistakes / "games.pgn", *options, "-o", tmp_path / "ada.json", "--player", "ada"
    )
    black = [one.id for one in found if one.position.to_move is Color.BLACK]
    assert [one.id for one in read_deck(tmp_path / "ada.json")] == black
    run_command(
        "train", "make", mistakes / "games.pgn", *options, "-o", tmp_path / "eve.json", "--player", "eve"
    ).ends(0, err="reversi: 0 exercises from 0 games; nothing is written\n")
    assert not (tmp_path / "eve.json").exists()
    place = f"{mistakes / 'games.pgn'}#1@{found[0].origin.ply}"
    done = run_command("train", "make", place, *options, "-o", tmp_path / "part.json")
    assert [one.origin.ply for one in read_deck(tmp_path / "part.json")] == [found[0].origin.ply]


@pytest.mark.parametrize("how", ["file", "standard input"])
def test_an_analysis_needs_no_search_of_the_game(how: str, mistakes: Path, tmp_path: Path) -> None:
    source = mistakes / "a.jsonl"
    deck = tmp_path / "deck.json"
    if how == "file":
        done = run_command("train", "make", source, "--level", "4", "-o", deck)
    else:
        done = run_command("train", "make", "-", "--level", "4", "-o", deck, data=source.read_bytes())
    name = source if how == "file" else "standard input"
    assert done.returncode == 65
    assert done.stderr.splitlines()[0] == f"reversi: {name}:2: not a line of JSON; left out"
    found = read_deck(deck)
    assert found
    assert {(one.origin.file, one.origin.game, one.origin.white) for one in found} == {("my.pgn", 7, "Bob")}


def test_difficulty_theme_and_count_limit_the_exercises(five: Path, tmp_path: Path) -> None:
    games, deck = five.parent / "games.pgn", tmp_path / "d.json"
    every: list[str | Path] = ["train", "make", games, "--best-moves", "--empties", "6-9", "--per-game", "0"]
    usual = run_command(*every, "-o", deck).ends(0)
    found = read_deck(deck)
    assert found
    assert all(one.difficulty_class in CLASSES for one in found)
    assert re.fullmatch(rf"reversi: {len(found)} exercises from 10 games \(\d+ trivial left out\)\n", usual.stderr)
    done = run_command(*every, "--difficulty", "0-", "-o", deck, "--force").ends(0)
    assert "left out" not in done.stderr
    all_of_them = read_deck(deck)
    theme = all_of_them[0].theme
    run_command(*every, "--difficulty", "0", "--theme", theme.value, "-o", deck, "--force").ends(0)
    wanted = [one.id for one in all_of_them if one.difficulty_class == 0 and one.theme is theme]
    assert [one.id for one in read_deck(deck)] == wanted
    run_command(*every, "--difficulty", "0-", "--only-moves", "-o", deck, "--force").ends(0)
    assert [one.id for one in read_deck(deck)] == [
        one.id for one in all_of_them if is_only_move(one.position, one.moves)
    ]
    run_command(*every, "--difficulty", "0-", "--count", "6", "--even", "-o", deck, "--force").ends(0)
    kinds = Counter(one.theme for one in read_deck(deck) if one.difficulty_class == 0)
    assert kinds.total() <= 6
    assert max(kinds.values()) - min(kinds.values()) <= 1
    first, *others = [one.difficulty_class for one in read_deck(five)]
    done = run_command("train", "list", five, "--difficulty", str(first), "--state", tmp_path, "--json")
    listed = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(listed) == 1 + others.count(first)
    assert {"id", "board", "moves", "answers", "right", "due"} <= set(listed[0])


@pytest.mark.parametrize("span", ["x", "", "-", "8-3", "3 8"])
def test_a_wrong_span_is_one_line(span: str, tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(GAME)
    done = run_command("train", "make", tmp_path / "games.pgn", *BEST, f"--empties={span}", "-o", "-")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("reversi: --empties ")


def test_missing_and_damaged_files(tmp_path: Path) -> None:
    run_command("train", "make", tmp_path / "none.pgn", "-o", "-").ends(66)
    for command in ("list", "stats"):
        done = run_command("train", command, tmp_path / "none.json", "--state", tmp_path)
        assert (done.returncode, done.stderr) == (66, f"reversi: {tmp_path}/none.json: no such file\n")
        run_command("train", command, "--state", tmp_path).ends(66, says="'reversi train make FILE' makes them")
    (tmp_path / "games.pgn").write_text(GAME)
    done = run_command("train", "list", tmp_path / "games.pgn", "--state", tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (65, 1)
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "progress.json").write_text("?")
    done = run_command("train", "stats", tmp_path / "none.json", "--state", tmp_path)
    assert done.returncode in (65, 66)
    assert (tmp_path / "training" / "progress.json").read_text() == "?"


def test_a_deck_in_place_of_a_command(five: Path, tmp_path: Path) -> None:
    run_command("train", "nonsense").ends(2, out="", says="no such command 'nonsense'")
    done = run_command("train", "--help")
    assert "make" in done.stdout
    if find_spec("fsrs") is None:
        return
    placed: list[list[str | Path]] = [
        [five, "--state", tmp_path],
        ["--state", tmp_path, five],
    ]
    for arguments in placed:
        run_command("train", *arguments, data="quit\n").ends(0, prints="Exercise 1 of 5")


def test_without_the_library(five: Path, tmp_path: Path) -> None:
    (tmp_path / "fsrs.py").write_text("raise ImportError\n")
    program = (
        "import sys, importlib.util as util\n"
        "find = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'fsrs' else find(name, *rest)\n"
        "from reversi.cli import main\n"
        "main()\n"
    )
    done = run_python("-c", program, "train", "play", str(five), "--state", str(tmp_path), env=ENVIRONMENT)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "reversi: training needs fsrs: pip install 'reversi-engine[train]'\n"


# --- solving, line by line


def conversation(
    exercises: list[Exercise],
    answers: list[str],
    folder: Path,
    now: datetime.datetime = BEGIN,
    *,
    quiet: bool = False,
    prompts: list[str] | None = None,
) -> tuple[list[str], ProgressFile, list[str]]:
    """Answer exercises with lines; what was said, the progress, and the warnings."""
    pytest.importorskip("fsrs")
    from reversi.analysis.exercises.schedule import Schedule
    from reversi.cli.train.dialogue import Training

    said: list[str] = []
    warnings: list[str] = []
    lines = iter(answers)
    progress = ProgressFile(folder / "progress.json")
    drill = Drill(Queue(exercises), progress, Schedule(), now=lambda: now)

    def read(prompt: str) -> str | None:
        if prompts is not None:
            prompts.append(prompt)
        return next(lines, None)

    Training(drill, read=read, say=said.append, warn=warnings.append, quiet=quiet).run()
    return said, progress, warnings


@pytest.fixture(scope="module")
def exercise() -> Exercise:
    made = from_position(parse_board(EXERCISE), Judge())
    assert made is not None
    return made


def test_a_right_answer(exercise: Exercise, tmp_path: Path) -> None:
    best, second = exercise.moves[0], exercise.moves[1]
    said, progress, _ = conversation([exercise], [str(best.move).upper()], tmp_path)
    text = "\n".join(said)
    assert "Exercise 1 of 1: difficulty 1 of 5." in text
    assert "White to move: find the best move." in text
    assert "\nRight.\n" in text
    assert f"{best.move}  {best.score.value:+d} exact" in text
    assert re.search(r"^    [+-] ", text, re.MULTILINE)
    assert f"The next best move, {second.move}, loses {exercise.loss(second.move)} discs" in text
    assert said[-1].startswith("1 of 1 exercise right. Your exercise rating: 1")
    known = progress.of(exercise.id)
    assert [(one.rating, one.answer, one.hints) for one in known.reviews] == [(Rating.GOOD, str(best.move), 0)]
    assert known.due is not None
    assert known.due > BEGIN


def test_a_wrong_answer_brings_the_exercise_back(exercise: Exercise, tmp_path: Path) -> None:
    best, worst = exercise.moves[0].move, exercise.moves[-1].move
    said, progress, _ = conversation([exercise], [str(worst), str(best)], tmp_path)
    text = "\n".join(said)
    assert f"Wrong: {worst} loses {exercise.loss(worst)} discs" in text
    assert f"Solution:\n{best}" in text
    assert "Exercise 1 of 1, again" in text
    assert said[-1].startswith("0 of 1 exercise right. Your exercise rating: 1")
    assert [one.rating for one in progress.of(exercise.id).reviews] == [Rating.AGAIN, Rating.GOOD]
    said, _, _ = conversation([exercise], [str(worst), str(worst), str(worst)], tmp_path)
    assert sum("Exercise 1 of 1" in line for line in said) == 2


def test_hints_grow_and_make_the_answer_hard(exercise: Exercise, tmp_path: Path) -> None:
    best = str(exercise.moves[0].move)
    said, progress, _ = conversation([exercise], ["hint", "h", "HINT", "hint", best], tmp_path)
    hints = said[said.index(next(line for line in said if "White to move:" in line)) + 1 :]
    assert hints[0] == f"The best move is worth {exercise.score.value:+d} exact, Black wins."
    assert hints[1].startswith("The best move: ")
    assert not re.search(r"\b[a-h][1-8]\b", hints[0] + hints[1])
    assert hints[2].startswith("It is one of: ")
    assert best in hints[2]
    assert 2 <= len(re.findall(r"\b[a-h][1-8]\b", hints[2])) < len(exercise.moves)
    assert [(one.rating, one.hints) for one in progress.of(exercise.id).reviews] == [(Rating.HARD, 4)]
    assert said[-1].startswith("1 of 1 exercise right. Your exercise rating: 1")


def test_other_lines(exercise: Exercise, tmp_path: Path) -> None:
    lines = ["", "# a comment", "xx", "hnt", "a1", "--", "moves", "board", "help", "?", "skip"]
    said, progress, _ = conversation([exercise], lines, tmp_path)
    text = "\n".join(said)
    assert "'xx' is neither a move nor a command; type a square as in f5, hint, skip or help" in text
    assert "did you mean 'hint'?" in text
    assert "a1: the square is occupied; legal: " in text
    assert "--: " in text
    assert " ".join(map(str, exercise.position.legal_moves)) in said
    assert text.count("White to move: find the best move.") == 2
    assert "leave; every answer is saved" in text
    assert said[-1] == "No exercise was answered."
    assert progress.progress == {}


def test_exercises_to_listen_to(exercise: Exercise, tmp_path: Path) -> None:
    lines = ["read a1", "READ", "read z", "count", "moves", "solution", "quit"]
    prompts: list[str] = []
    said, _, _ = conversation([exercise], lines, tmp_path, quiet=True, prompts=prompts)
    assert prompts[0] == "White: "
    assert said[2].startswith("a1: ")
    assert said[3].startswith("Row 1: ")
    assert said[3].count("\n") == 7
    assert said[4] == "'z' is not a row, a column or a square; write read 4, d or d4."
    assert said[5].startswith("Discs: Black ")
    assert said[6] == " ".join(map(str, exercise.position.legal_moves))
    text = "\n".join(said)
    assert "a b c d e f g h" not in text
    assert re.search(r"^    (good|bad): \w", text, re.MULTILINE)
    assert not re.search(r"^ *[+-] ", text, re.MULTILINE)
    said, _, _ = conversation([exercise], ["board"], tmp_path, quiet=True)
    assert "a b c d e f g h" in "\n".join(said)


def test_the_solution_counts_as_wrong(exercise: Exercise, tmp_path: Path) -> None:
    said, progress, _ = conversation([exercise], ["solution", "quit"], tmp_path)
    assert "Solution:" in said
    assert [(one.rating, one.answer) for one in progress.of(exercise.id).reviews] == [(Rating.AGAIN, "?")]


def test_a_mistake_names_the_move_that_was_played(exercise: Exercise, tmp_path: Path) -> None:
    played = exercise.moves[-1].move
    mistake = from_mistake(exercise.position, played, Judge())
    assert mistake is not None
    assert mistake.played == played
    said, _, _ = conversation([mistake], [str(mistake.answers[0])], tmp_path)
    text = "\n".join(said)
    assert f"{played} was played; find a better move." in text
    assert f"{played} was played and loses {mistake.loss(played)} discs" in text


def test_an_answer_that_cannot_be_saved(
    exercise: Exercise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: ProgressFile, *arguments: object) -> ExerciseProgress:
        raise InputError("damaged")

    monkeypatch.setattr(ProgressFile, "add", broken)
    said, _, warnings = conversation([exercise], [str(exercise.answers[0])], tmp_path)
    assert warnings == [f"{tmp_path / 'progress.json'}: cannot save the answer: damaged"]
    assert "Right." in said


def test_an_answer_that_could_not_be_saved_is_saved_at_the_end(exercise: Exercise, tmp_path: Path) -> None:
    pytest.importorskip("fsrs")
    from reversi.analysis.exercises.schedule import Schedule
    from reversi.cli.train.dialogue import Training

    progress = ProgressFile(tmp_path / "progress.json")
    warnings: list[str] = []

    def warn(text: str) -> None:
        warnings.append(text)
        progress.path.unlink()  # whatever was wrong is put right

    progress.path.write_text("broken")
    training = Training(
        Drill(Queue([exercise]), progress, Schedule()),
        read=lambda prompt: str(exercise.answers[0]),
        say=lambda text: None,
        warn=warn,
    )
    training.run()
    assert len(warnings) == 1
    assert [one.rating for one in ProgressFile(progress.path).of(exercise.id).reviews] == [Rating.GOOD]


def test_intervals_in_words() -> None:
    from reversi.analysis.exercises.drill import interval_text

    minute = datetime.timedelta(minutes=1)
    cases = {-1: "now", 0: "now", 1: "in 1 minute", 10: "in 10 minutes", 180: "in 3 hours", 3000: "in 2 days"}
    assert {at: interval_text(at * minute) for at in cases} == cases


@needs_fsrs
def test_exercises_come_back_when_they_are_due(five: Path, tmp_path: Path) -> None:
    best = answers_to(five, tmp_path, "rrrrr")
    done = run_command("train", "play", five, "--state", tmp_path, data="\n".join(best) + "\n").ends(0, err="")
    assert done.stdout.count("Right.") == 5
    assert re.search(r"5 of 5 exercises right. Your exercise rating: \d+ .*\n$", done.stdout)
    done = run_command("train", "play", five, "--state", tmp_path).ends(0, err="")
    assert re.fullmatch(r"No exercise is due: the next one in \d+ minutes; --all asks .*\n", done.stdout)
    done = run_command("train", "play", five, "--state", tmp_path, "--all", data="quit\n")
    assert "Exercise 1 of 5" in done.stdout
    path = tmp_path / "training" / "progress.json"
    progress = json.loads(path.read_text())
    for known in progress["exercises"].values():
        known["due"] = "2026-01-01T00:00:00Z"
    path.write_text(json.dumps(progress))
    assert stats(five, tmp_path)["due"] == 5
    done = run_command("train", five, "--state", tmp_path, "-n", "2", data="quit\n")
    assert "Exercise 1 of 2" in done.stdout


@needs_fsrs
def test_stats(five: Path, tmp_path: Path) -> None:
    done = run_command("train", "stats", five, "--state", tmp_path)
    assert done.stdout.startswith("5 exercises: 5 new, 0 due, 0 later\n0 answers, 0 right\n")
    answers = [*answers_to(five, tmp_path, "rw"), "quit"]
    assert run_command("train", "play", five, "--state", tmp_path, data="\n".join(answers)).returncode == 0
    found = stats(five, tmp_path)
    assert (found["exercises"], found["new"], found["later"], found["answers"], found["right"]) == (5, 3, 2, 2, 1)
    assert sum(group["answers"] for group in found["difficulties"].values()) == 2
    assert sum(group["exercises"] for group in found["themes"].values()) == 5
    assert found["rating"]["answers"] == 2
    assert datetime.datetime.fromisoformat(found["next_due"]).tzinfo is not None
    done = run_command("train", "stats", five, "--state", tmp_path)
    assert done.stdout.startswith("5 exercises: 3 new, 0 due, 2 later\n2 answers, 1 right (50 %)\nNext due: in ")


# --- the built-in deck


@needs_fsrs
def test_the_first_day(five: Path, tmp_path: Path) -> None:
    """Without exercises of one's own built-in ones are asked; the rating and the level follow the answers."""
    from reversi.analysis.exercises.schedule import Schedule

    known = {one.id: one for one in standard_deck()}
    progress = ProgressFile(tmp_path / "progress.json")
    course = Exercises(known.values(), progress, BEGIN, count=10)
    drill, asked = Drill(course, progress, Schedule(), now=lambda: BEGIN), []
    while drill.next():
        assert isinstance(drill.card, Exercise)
        asked.append(drill.card)
        drill.answer(drill.card.answers[0])
    assert len({one.id for one in asked}) == 10
    hard = [one.difficulty or 0 for one in asked]
    assert hard[0] < 1500 < hard[3] < hard[-1]
    assert drill.summary.startswith("10 of 10 exercises right. Your exercise rating: 2")

    run_command("train", "list", "--state", tmp_path).ends(66, says="'reversi train' asks built-in ones")
    first = str(asked[0].answers[0])
    done = run_command("train", "--state", tmp_path, data=f"{first}\nsolution\nquit\n").ends(0, err="")
    assert "Exercise 1 of 10: difficulty 2 of 5, built-in.\n" in done.stdout
    assert re.search(r"Theme: [a-z-]+\. \d\d % of people find it\.\n", done.stdout)
    assert re.search(r"\n1 of 2 exercises right\. Your exercise rating: \d+ \(\d+ to \d+\)\.\n$", done.stdout)
    listed = run_command("train", "list", "--state", tmp_path).ends(0).stdout.splitlines()
    assert [line.split()[0] for line in listed if asked[0].id in line] == [asked[0].id]
    assert len(listed) == 2
    done = run_command("train", "stats", "--state", tmp_path, "--json").ends(0)
    assert json.loads(done.stdout)["rating"]["answers"] == 2
    run_command("train", "stats", "--state", tmp_path).ends(0, prints="Your exercise rating: ")
    own = tmp_path / "training" / "exercises.json"
    own.write_bytes(five.read_bytes())
    run_command("train", "--state", tmp_path, data="quit\n").ends(0, prints="Exercise 1 of 5: ")
    run_command("train", "--difficulty", "7", "--state", tmp_path).ends(2, says="the last class is 6, hopeless")
    hopeless = run_command("train", "--difficulty", "6", "--state", tmp_path)
    hopeless.ends(0, out="No exercise has this difficulty and theme.\n")
    run_command(
        "train", "play", "standard", "--theme", "draw", "-n", "3", "--state", tmp_path, data="quit\n"
    ).ends(0, prints="Exercise 1 of 3: ")


# --- openings

MINE = """[Repertoire "Black"]

1. f5 d6 2. c3 {mine} d3 (2... g5 3. c6) 3. c4 *
"""


@needs_fsrs
def test_openings_are_asked_and_come_back_when_they_are_due(tmp_path: Path) -> None:
    mine = new_file(tmp_path / "mine.pgn", MINE)
    command: list[str | Path] = ["train", "openings", mine, "--state", tmp_path, "--seed", "1"]
    done = run_command(*command, data="hint\nc3\nc6\nsolution\nmoves\n").ends(0, err="")
    assert done.stdout.startswith("Your 4 positions: 2 to learn, 2 easy.\n\nMove 1 of 4: line 1, P")
    assert "\nMove 1 of 4: line 1, Perpendicular, new, f5 d6.\n" in done.stdout
    assert "\nMove 3 of 4: line 2, new.\n" in done.stdout  # an easy one
    assert "Black to move: d6 was played; find your move.\nYour move: " in done.stdout
    assert "Right.\nc3   -1 book, White ahead  mine\n" in done.stdout
    assert done.stdout.endswith("2 of 3 moves right.\n")
    found = stats(mine, tmp_path)
    assert [found[name] for name in ("exercises", "new", "later", "answers", "right")] == [4, 1, 3, 3, 2]
    assert (found["themes"]["opening"]["exercises"], found["difficulties"]) == (4, {})
    assert (
        "Difficulty"
        not in run_command("train", "stats", mine, "--state", tmp_path).ends(0, prints="\nTheme ").stdout
    )
    listed = run_command("train", "list", mine, "--state", tmp_path).ends(0).stdout.splitlines()
    assert re.fullmatch(r"[0-9a-f]{16}     -  opening +1/1  in \d minutes   f5 d6", listed[1])
    fields = [
        json.loads(line)
        for line in run_command("train", "list", mine, "--state", tmp_path, "--json").stdout.splitlines()
    ]
    assert [(one["theme"], one["line"], one["moves"]) for one in fields[:2]] == [
        ("opening", [], ["f5"]),
        ("opening", ["f5", "d6"], ["c3"]),
    ]
    assert stats(Path(f"{mine}#1"), tmp_path)["exercises"] == 4
    for part, status, says in (("#0", 2, "games count from 1"), ("#7", 65, "mine.pgn: game 7 does not exist")):
        run_command("train", "list", f"{mine}{part}", "--state", tmp_path).ends(status, out="", says=says)
    path = tmp_path / "training" / "progress.json"
    progress = json.loads(path.read_text())
    for known in progress["exercises"].values():
        known["due"] = "2199-01-01T00:00:00Z"
    path.write_text(json.dumps(progress))
    (new,) = [one["moves"][0] for one in fields if not one["answers"]]
    run_command(*command, data=new).ends(0, prints="Move 1 of 1: line 1")
    done = run_command(*command).ends(0)
    assert re.fullmatch(r"No move is due: the next one .*; --all asks moves before they are due.\n", done.stdout)
    run_command(*command, "--all", "--count", "2", data="quit\n").ends(0, prints="Move 1 of 2")


@needs_fsrs
@pytest.mark.parametrize(
    ("text", "options", "status", "says"),
    [
        (
            MINE.replace("[", ";"),
            [],
            65,
            "mine.pgn: it does not say whose moves it teaches; give --color black or",
        ),
        (MINE, ["--color", "blue"], 2, "--color 'blue': give black or white"),
        (MINE.replace("d6", "a1"), [], 65, "mine.pgn:3: game 1: ply 2: a1 is not allowed: flips nothing"),
        (MINE, ["--color", "white"], 65, "it is a repertoire for Black, not for White"),
        ("", [], 65, "mine.pgn"),
        ('[Repertoire "White"]\n\n1. f5 *\n', [], 65, "mine.pgn: White has no move in it"),
    ],
)
def test_a_repertoire_that_cannot_be_asked(
    text: str, options: list[str], status: int, says: str, tmp_path: Path
) -> None:
    mine = new_file(tmp_path / "mine.pgn", text)
    done = run_command("train", "openings", mine, "--state", tmp_path, *options).ends(status, out="", says=says)
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "training").exists()


@needs_fsrs
def test_a_name_or_moves_are_a_repertoire_and_a_deck_is_none(five: Path, tmp_path: Path) -> None:
    for given in ("Tiger", "f5d6c3d3c4"):
        done = run_command(
            "train", "openings", given, "--color", "black", "--state", tmp_path, data="c3\nc4\nf5\n"
        )
        done.ends(0, err="", prints="3 of 3 moves right." if given == "Tiger" else "No move is due")
    run_command("train", "openings", tmp_path / "none.pgn", "--state", tmp_path).ends(66)
    run_command("train", "openings", five, "--color", "black", "--state", tmp_path).ends(65)
    mine = new_file(tmp_path / "mine.pgn", MINE)
    done = run_command("train", mine, "--state", tmp_path).ends(
        65, says="'reversi train openings' asks a repertoire"
    )


# --- at a terminal


class Prompt:
    """A training in a pseudo-terminal."""

    def __init__(self, *arguments: str | Path) -> None:
        import pty

        self.text = ""
        self._main, terminal = pty.openpty()
        environment = {**ENVIRONMENT, "TERM": "dumb"}
        self.process = Child(
            [sys.executable, "-m", "reversi", "train", *map(str, arguments)],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=environment,
            start_new_session=True,
        )
        os.close(terminal)

    def __enter__(self) -> Prompt:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._main)

    def wait(self, wanted: str) -> str:
        """Wait for a text, and return everything up to its end since the last one."""
        deadline = time.monotonic() + 60
        while wanted not in self.text:
            assert time.monotonic() < deadline, self.text
            ready, _, _ = select.select([self._main], [], [], 1.0)
            if ready:
                try:
                    data = os.read(self._main, 4096)
                except OSError:  # the program has ended
                    data = b""
                assert data, self.text
                self.text += data.decode("utf-8", "replace").replace("\r\n", "\n")
        before, _, self.text = self.text.partition(wanted)
        return before + wanted

    def type(self, line: str) -> None:
        os.write(self._main, f"{line}\n".encode())


@pytest.mark.thorough
@posix
@needs_fsrs
def test_a_session_of_five_at_a_terminal(five: Path, tmp_path: Path) -> None:
    answers = answers_to(five, tmp_path, "rrhwrr")
    with Prompt("play", five, "--state", tmp_path) as prompt:
        for number in range(5):
            assert " to move: find the " in prompt.wait("> ")
            if number == 2:
                prompt.type("hint")
                assert "The best move is worth" in prompt.wait("> ")
            prompt.type(answers[number])
            prompt.wait("Wrong: " if number == 3 else "Right.")
            prompt.wait("Next time: ")
        assert "Exercise 4 of 5, again" in prompt.wait("> ")
        prompt.type(answers[5])
        prompt.wait("4 of 5 exercises right.")
        assert prompt.process.wait(60) == 0
    found = stats(five, tmp_path)
    assert (found["new"], found["answers"], found["right"]) == (0, 6, 5)


@pytest.mark.thorough
@posix
@needs_fsrs
def test_answers_survive_a_killed_program(five: Path, tmp_path: Path) -> None:
    best = answers_to(five, tmp_path, "rrrrr")
    with Prompt("play", five, "--state", tmp_path) as prompt:
        for number in range(3):
            prompt.wait("> ")
            prompt.type(best[number])
            prompt.wait("Right.")  # it is saved before this is said
        prompt.process.send_signal(signal.SIGKILL)
        assert prompt.process.wait(60) == -signal.SIGKILL
    found = stats(five, tmp_path)
    assert (found["new"], found["answers"], found["right"]) == (2, 3, 3)
    with Prompt("play", five, "--state", tmp_path) as prompt:
        for number in range(3, 5):
            assert "Exercise" in prompt.wait("> ")
            prompt.type(best[number])
            prompt.wait("Right.")
        prompt.wait("2 of 2 exercises right.")
        assert prompt.process.wait(60) == 0
    assert stats(five, tmp_path)["answers"] == 5


@pytest.mark.thorough
@posix
@needs_fsrs
def test_ctrl_c_and_ctrl_d_leave(five: Path, tmp_path: Path) -> None:
    with Prompt("play", five, "--state", tmp_path) as prompt:
        prompt.wait("> ")
        os.write(prompt._main, b"\x04")
        prompt.wait("No exercise was answered.")
        assert prompt.process.wait(60) == 0
    with Prompt("play", five, "--state", tmp_path) as prompt:
        prompt.wait("> ")
        # one that comes just before readline waits is not noticed until the next: press again, as a person does
        for _ in range(12):
            prompt.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                prompt.process.wait(5)
                break
        assert prompt.process.returncode == 130


def test_a_game_with_an_illegal_move_is_left_out_of_exercises(tmp_path: Path) -> None:
    games = new_file(tmp_path / "games.txt", "f5d6a1\nf5d6c3d3c4\n")
    done = run_command("train", "make", games, "--level", "1", "-o", tmp_path / "deck.json").ends(1)
    assert done.stderr.splitlines() == [
        f"{games}:game 1 (?–?):ply 3: a1: flips nothing; legal: c3 c4 c5 c6 c7 [illegal-move]; left out",
        "reversi: 0 exercises from 1 game; nothing is written",
    ]
