"""docs/training.md says what the program does."""

from __future__ import annotations

import re
from pathlib import Path

from doc_tables import words_table
from reversi.analysis.exercises import ExerciseTheme, Judge, from_position
from reversi.analysis.exercises.deck import DECK_VERSION, exercise_fields
from reversi.analysis.exercises.judge import EXACT_FROM
from reversi.analysis.exercises.making import MARGIN, MIN_LOSS
from reversi.analysis.exercises.progress import PROGRESS_VERSION
from reversi.analysis.exercises.ratings import CLASSES, chance_of, class_of
from reversi.cli.train.train_vocabulary import VOCABULARY
from reversi.text import parse_board

PAGE = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
TEXT = " ".join(PAGE.split())


def test_the_table_of_words() -> None:
    assert words_table(VOCABULARY) in PAGE


def test_the_formats() -> None:
    board = "OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX O"
    exercise = from_position(parse_board(board), Judge())
    assert exercise is not None
    for field in exercise_fields(exercise):
        assert f"`{field}`" in PAGE
    assert f"| `reversi exercises` | the version of the format, {DECK_VERSION} |" in PAGE
    assert f"| `reversi training` | the version of the format, {PROGRESS_VERSION} |" in PAGE


def test_the_numbers() -> None:
    assert f"`--gap` discs ({MARGIN})" in TEXT
    assert f"`--min-loss` discs ({MIN_LOSS})" in TEXT
    assert f"exact with {EXACT_FROM} empty squares or fewer" in TEXT


def test_the_classes_of_difficulty_and_the_themes() -> None:
    bounds = re.findall(r"\| \d \| (\d+) to (\d+) \| in (\d+) to (\d+) \|", PAGE)
    assert len(bounds) == len(CLASSES)
    for number, (low, high, least, most) in zip(CLASSES, bounds, strict=True):
        assert class_of(int(low)) == class_of(int(high)) == number
        assert class_of(int(low) - 1) == number - 1
        assert class_of(int(high) + 1) == number + 1
        assert round(100 * chance_of(int(low))) == int(most)
        assert round(100 * chance_of(int(high))) == int(least)
    assert re.findall(r"^\| `([a-z-]+)` \| (?:is|lets|has)", PAGE, re.MULTILINE) == [
        str(theme) for theme in ExerciseTheme
    ]
