"""``reversi learn`` line by line."""

from command_line import run_command
from reversi.person.lesson import STEPS


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
