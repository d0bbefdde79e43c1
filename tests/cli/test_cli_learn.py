"""``reversi learn`` line by line."""

from pathlib import Path

import pytest

from command_line import run_command
from reversi.person.lesson import first_lesson

STEPS = first_lesson()


def test_the_whole_lesson_by_its_solutions() -> None:
    lines = "".join(f"a1\n{'P' if step.solution.is_pass else step.solution}\n\n" for step in STEPS)
    done = run_command("learn", data=lines.encode()).ends(0)
    assert not done.stderr
    for number, step in enumerate(STEPS, 1):
        assert f"Step {number} of {len(STEPS)}: {step.title}\n{step.text}\n" in done.stdout
        assert step.praise.format(move=step.solution) in done.stdout
    assert done.stdout.count("X are Black's discs, O White's; dots mark your moves.") == 1
    assert "'reversi play' starts a game" in done.stdout


def test_wrong_moves_words_and_the_answer() -> None:
    done = run_command("learn", data=b"d4\nwhat\nback\nshow\nnext\nquit\n")
    assert "d4 is occupied; a disc goes on an empty square.\n" in done.stdout
    assert "'what' is not a move; type a square as in f5, " in done.stdout
    assert "That is a move." in done.stdout
    assert "Step 2 of 8" in done.stdout
    assert "Step 3 of 8" not in done.stdout


def test_a_lesson_to_listen_to() -> None:
    done = run_command("learn", "--quiet", data=b"moves\nread 4\nread k\ncount\nd3\n\nshow\nboard\nquit\n").ends(0)
    answers = done.stdout.split("next, back, or quit.\n", 1)[1].splitlines()
    assert answers[:8] == [
        "d3 c4 f5 e6",
        "Row 4: a to c empty, d White, e Black, f to h empty.",
        "'k' is not a row, a column or a square; write read 4, d or d4.",
        "Discs: Black 2, White 2. Empty: 60.",
        "Black d3, flips d4; White to move.",
        "That is a move. Every move must flip at least one disc.",
        "Enter goes on.",
        "",
    ]
    assert "Black e8, flips 7: e2 e3 e4 e5 e6 d7 e7; White to move." in answers
    assert done.stdout.count("a b c d e f g h") == 1  # as board asks
    lines = "".join(f"{'P' if step.solution.is_pass else step.solution}\n\n" for step in STEPS)
    done = run_command("learn", "--quiet", data=lines.encode()).ends(0, err="")
    assert "a b c d e f g h" not in done.stdout
    assert " has no placement and passes; " in done.stdout


LESSON = """[Event "Welcome"]

{Ten questions about corners follow.} *

[Event "White begins"]
[Board "---------------------------OX------XO--------------------------- O"]
[Wrong "{move} is legal, but it flips {flips}."]

{Find the quiet move.} 1... f4 {Good.} (1... e3 {So, too.}) (1... c5? {Not this one.} 2. c4) 2. f3 *
""" + "".join(
    f"""
[Event "Corner {number}"]
[Board "-OX{"-" * 61} X"]
[Praise "A corner is for good: it flips {{flips}}."]

{{Take the corner.}} 1. a1 *
"""
    for number in range(3, 11)
)


def test_a_lesson_of_ten_steps(tmp_path: Path) -> None:
    file = tmp_path / "lesson.pgn"
    file.write_text(LESSON, encoding="utf-8")
    state = ("--state", str(tmp_path / "state"))
    answers = "\na1\nc5\nd6\ne3\n\n" + "a1\n\n" * 8
    done = run_command("learn", str(file), *state, data=answers).ends(0, err="")
    assert [line for line in done.stdout.splitlines() if line.startswith("Step ")] == [
        f"Step {number} of 10: {title}"
        for number, title in enumerate(["Welcome", "White begins", *(f"Corner {at}" for at in range(3, 11))], 1)
    ]
    said = iter(done.stdout.splitlines())
    for line in (
        "Ten questions about corners follow.",
        "Enter goes on.",
        "Find the quiet move.",
        "a1 flips nothing: it has no black discs in a line between it and another white disc."
        " Look at the marked squares.",
        "Not this one. Then: c4.",
        "d6 is legal, but it flips 1.",
        "So, too.",
        "Enter goes on.",
    ):
        assert line in said, line
    assert done.stdout.count("A corner is for good: it flips 1.") == 8
    assert "That was the lesson." in done.stdout
    assert not (tmp_path / "state" / "screen.json").exists()


@pytest.mark.parametrize(
    ("text", "status", "why"),
    [
        (None, 66, "no such file"),
        (b"", 65, "there are no steps in it"),
        (b"\xff", 65, "byte 1 is no UTF-8 text"),
        (b'[Event "A"]\n\n1. a1 *\n', 65, "step 1: a1: flips nothing"),
        (b'[Event "A"]\n\n1. f5 *\n\n[Event "B"]\n\n1. f5? *\n', 65, "step 2: every answer is marked as wrong"),
        (b'[Event "A"]\n\n1. f5 {open', 65, "step 1: "),
    ],
)
def test_no_lesson(tmp_path: Path, text: bytes | None, status: int, why: str) -> None:
    file = tmp_path / "lesson.pgn"
    if text is not None:
        file.write_bytes(text)
    done = run_command("learn", str(file)).ends(status)
    assert done.stderr.startswith(f"reversi: {file}: {why}")
    assert done.stderr.count("\n") == 1
