"""docs/training.md says what the program does."""

from __future__ import annotations

from pathlib import Path

from reversi.analysis.exercises import Judge, from_position
from reversi.analysis.exercises.deck import DECK_VERSION, exercise_fields
from reversi.analysis.exercises.grading import DEEPEST, EXACT_FROM
from reversi.analysis.exercises.making import MARGIN, MIN_LOSS
from reversi.analysis.exercises.progress import PROGRESS_VERSION
from reversi.cli.train.train_vocabulary import VOCABULARY
from reversi.text import parse_board

PAGE = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
TEXT = " ".join(PAGE.split())


def test_the_table_of_words() -> None:
    assert VOCABULARY.markdown_table() in PAGE


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
    assert f"a search of {DEEPEST} plies" in TEXT
