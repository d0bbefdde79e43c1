"""The words in docs/play.md are those of the program."""

from __future__ import annotations

from pathlib import Path

from doc_tables import words_table
from reversi.cli.play.play_vocabulary import VOCABULARY
from reversi.game.clocks import parse_controls
from reversi.person.lesson import parse_lesson
from reversi.session.saving import FINISHED_KEPT, UNFINISHED_KEPT

PAGE = (Path(__file__).parents[2] / "docs" / "play.md").read_text(encoding="utf-8")


def test_the_table_of_words() -> None:
    assert words_table(VOCABULARY) in PAGE


def test_the_time_controls() -> None:
    section = PAGE.partition("| `--clock` |")[2].partition("\n\n")[0]
    written = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
    assert len(written) >= 6
    for text in written:
        parse_controls(text)


def test_the_numbers() -> None:
    assert f"the latest {FINISHED_KEPT} finished and {UNFINISHED_KEPT} unfinished games" in " ".join(PAGE.split())


def test_the_lesson_of_a_coach() -> None:
    steps = parse_lesson(PAGE.partition('```text\n[Event "Corners"]')[2].partition("```")[0])
    assert [step.right for step in steps] == [("a1",), ("d6",)]
