"""Files of results: written line by line, continued without repeating or losing one, refused when not ours."""

from __future__ import annotations

import json
import math
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from endings import random_ending, random_endings
from files import new_file
from reversi import Position, Solution, Solver, State, parse_rules, solve
from reversi.solver.annotations import Comparison
from reversi.solver.question import Question
from reversi.solver.results import Earlier, ResultsFile, solution_fields
from reversi.work.results_file import ResultsError

POSITIONS = random_endings(6, 8)
INPUTS = list(enumerate(POSITIONS, 1))
EXACT = Question()
SOLVER = Solver(1)
SKIPS = Position(parse_rules("othello,board=4x4,optional-skip")).play("b1").play("--")

DOCUMENTED = [
    "index",
    "line",
    "board",
    "to_move",
    "after_pass",
    "rules",
    "empties",
    "score",
    "kind",
    "lower",
    "upper",
]
DOCUMENTED += ["depth", "confidence", "best", "pv", "nodes", "time_s", "threads", "isa"]


def solved(position: Position, question: Question = EXACT, limit: float | None = None) -> Solution:
    return SOLVER.solve(
        position,
        all_moves=question.all_moves,
        multi=question.multi,
        wld=question.wld,
        window=question.window,
        time_s=limit,
    )


def fields_of(
    index: int, position: Position, question: Question = EXACT, check: Comparison | None = None
) -> dict[str, Any]:
    answer = solution_fields(solved(position, question), question, threads=1, check=check)
    return {"index": index, "line": 10 + index, **answer}


def cut_short(index: int, position: Position, upper: int = 64) -> dict[str, Any]:
    """The line of a position that a limit stopped."""
    fields = fields_of(index, position)
    return {**fields, "score": -64, "kind": "lower", "lower": -64, "upper": upper, "pv": [], "best": []}


def written(path: Path, *lines: dict[str, Any], tail: bytes = b"") -> Path:
    path.write_bytes(b"".join(json.dumps(one, separators=(",", ":")).encode() + b"\n" for one in lines) + tail)
    return path


def read(path: Path) -> list[dict[str, Any]]:
    content = path.read_bytes()
    assert content.endswith(b"\n") or not content
    return [json.loads(line) for line in content.splitlines()]


def resumed(path: Path, question: Question = EXACT, checked: bool = False, inputs: Any = INPUTS) -> ResultsFile:
    return ResultsFile(path, question, checked=checked, resume=True, inputs=inputs)


# --- the fields of a line


def test_the_documented_fields_in_their_order() -> None:
    fields = fields_of(3, POSITIONS[0])
    assert list(fields) == DOCUMENTED
    assert (fields["index"], fields["line"], fields["threads"]) == (3, 13, 1)
    assert fields["kind"] == "exact"
    assert fields["lower"] == fields["score"] == fields["upper"]
    assert fields["best"] == fields["pv"][:1]


def test_fields_of_other_questions() -> None:
    every = fields_of(1, POSITIONS[0], Question(all_moves=True), Comparison(4, False, "wrong"))
    assert list(every) == [*DOCUMENTED, "moves", "expected", "ok"]
    assert len(every["moves"]) == len(POSITIONS[0].legal_moves)
    assert all(list(move) == ["move", "score", "kind", "pv"] for move in every["moves"])
    assert (every["expected"], every["ok"]) == (4, False)
    assert list(fields_of(1, POSITIONS[0], Question(multi=2))) == [*DOCUMENTED, "multi", "moves"]
    assert len(fields_of(1, POSITIONS[0], Question(multi=2))["moves"]) == 2
    assert fields_of(1, POSITIONS[0], Question(window=(-2, 2)))["window"] == [-2, 2]
    assert fields_of(1, POSITIONS[0], Question(wld=True))["wld"] is True


def test_a_move_that_is_not_proved_has_a_field_of_its_own() -> None:
    position = random_ending(8, 1)
    value = solve(position).score.value
    question = Question(window=(value + 2, value + 6))
    solution = solve(position, window=question.window)
    fields = solution_fields(solution, question, threads=1)
    assert fields["best"] == fields["pv"] == []
    assert fields["likely"] == str(solution.likely)
    assert solution.likely in position.legal_moves


def test_after_a_pass_and_finished() -> None:
    assert fields_of(1, SKIPS)["after_pass"] is True
    over = fields_of(1, Position.from_discs(1, 0), Question(all_moves=True))
    assert (over["best"], over["pv"], over["moves"], over["kind"], over["score"]) == ([], [], [], "exact", 64)


# --- writing


def test_lines_are_in_the_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with ResultsFile(path, EXACT) as file:
        for count, (index, position) in enumerate(INPUTS, 1):
            file.write(fields_of(index, position))
            assert len(read(path)) == count
    assert [line["index"] for line in read(path)] == [index for index, _ in INPUTS]


def test_a_file_with_content_is_refused_without_resume(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", fields_of(1, POSITIONS[0]))
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        ResultsFile(path, EXACT)
    assert path.read_bytes() == before
    path.write_bytes(b"")
    with ResultsFile(path, EXACT) as file:
        file.write(fields_of(1, POSITIONS[0]))
    assert len(read(path)) == 1


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"."):
        ResultsFile(tmp_path, EXACT)
    with pytest.raises(FileNotFoundError):
        ResultsFile(tmp_path / "none" / "r.jsonl", EXACT)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk() -> None:
    file = ResultsFile(Path("/dev/full"), EXACT)
    with pytest.raises(OSError, match="No space"):
        file.write(fields_of(1, POSITIONS[0]))


@pytest.mark.skipif(sys.platform == "win32", reason="files are locked on Unix only")
def test_two_runs_do_not_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with ResultsFile(path, EXACT) as file:
        file.write(fields_of(1, POSITIONS[0]))
        with pytest.raises(BlockingIOError, match="another run"):
            resumed(path)
        file.write(fields_of(2, POSITIONS[1]))
    assert resumed(path).done == {1, 2}


def test_the_file_is_locked_by_the_projects_own_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def held(descriptor: int) -> bool:
        asked.append(os.fstat(descriptor).st_ino)
        return False

    monkeypatch.setattr("reversi.work.results_file.lock_descriptor", held)
    path = tmp_path / "r.jsonl"
    with pytest.raises(BlockingIOError, match="another run"):
        ResultsFile(path, EXACT)
    assert asked == [path.stat().st_ino]


# --- continuing


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", fields_of(5, POSITIONS[4]), fields_of(2, POSITIONS[1]))
    with resumed(path) as file:
        assert file.done == {2, 5}
        assert file.earlier == Earlier(2, 0, 0, 2)
        file.write(fields_of(1, POSITIONS[0]))
    assert [line["index"] for line in read(path)] == [5, 2, 1]


def test_a_file_that_is_not_there_is_begun(tmp_path: Path) -> None:
    with resumed(tmp_path / "r.jsonl") as file:
        assert (file.done, file.earlier) == (set(), Earlier())
        file.write(fields_of(1, POSITIONS[0]))
    assert len(read(tmp_path / "r.jsonl")) == 1


@pytest.fixture(scope="module")
def lines() -> list[dict[str, Any]]:
    """A line for each input, of the same length in each run: a search takes another time whenever it runs."""
    return [{**fields_of(index, position), "time_s": 0.01} for index, position in INPUTS]


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_run_killed_anywhere_is_continued(
    tmp_path: Path, lines: list[dict[str, Any]], data: st.DataObject
) -> None:
    path = written(tmp_path / "r.jsonl", *data.draw(st.permutations(lines)))
    whole = path.read_bytes()
    content = whole[: data.draw(st.integers(0, len(whole)))]
    path.write_bytes(content)
    with resumed(path) as file:
        assert len(file.done) == content.count(b"\n")
        assert path.read_bytes() == content[: content.rfind(b"\n") + 1]
        for line in lines:
            if line["index"] not in file.done:
                file.write(line)
    assert sorted(line["index"] for line in read(path)) == list(range(1, 9))


def test_duplicates_have_a_line_each(tmp_path: Path) -> None:
    inputs = list(enumerate([POSITIONS[0], POSITIONS[1], POSITIONS[0], POSITIONS[0]], 1))
    path = written(tmp_path / "r.jsonl", fields_of(3, POSITIONS[0]))
    with resumed(path, inputs=inputs) as file:
        assert file.done == {3}
        for index in (1, 2):
            file.write(fields_of(index, inputs[index - 1][1]))
    assert resumed(path, inputs=inputs).done == {1, 2, 3}


def test_lines_are_known_by_their_position_when_the_input_has_shifted(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", fields_of(1, POSITIONS[0]), fields_of(2, POSITIONS[1]))
    shifted = list(enumerate([POSITIONS[7], *POSITIONS[:3]], 1))
    assert resumed(path, inputs=shifted).done == {2, 3}


def test_what_was_cut_short_is_replaced_when_there_is_better(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", cut_short(1, POSITIONS[0]), fields_of(2, POSITIONS[1]))
    with resumed(path) as file:
        assert file.done == {2}
        assert file.earlier.count == 1
        assert len(read(path)) == 2  # kept until there is something better
        file.write(fields_of(1, POSITIONS[0]))
    lines = read(path)
    assert [(line["index"], line["kind"]) for line in lines] == [(2, "exact"), (1, "exact")]


@pytest.mark.skipif(os.name == "nt", reason="an open file keeps its name there")
def test_tidying_up_leaves_a_file_alone_that_took_the_name(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", cut_short(1, POSITIONS[0]))
    with resumed(path) as file:
        file.write(fields_of(1, POSITIONS[0]))
        path.rename(tmp_path / "moved.jsonl")
        path.write_text("theirs")
    assert path.read_text() == "theirs"
    assert len(read(tmp_path / "moved.jsonl")) == 2


def test_what_was_cut_short_twice_is_there_once(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", cut_short(1, POSITIONS[0], 40))
    with resumed(path) as file:
        assert file.done == set()
        file.write(cut_short(1, POSITIONS[0], 30))
    assert [line["upper"] for line in read(path)] == [30]
    # killed before it could tidy up
    path = written(
        path, cut_short(1, POSITIONS[0], 40), cut_short(1, POSITIONS[0], 30), fields_of(2, POSITIONS[1])
    )
    with resumed(path) as file:
        assert read(path)[0]["upper"] == 30
        assert len(read(path)) == 2
        file.write(fields_of(3, POSITIONS[2]))
    assert [line["index"] for line in read(path)] == [1, 2, 3]
    path = written(path, cut_short(1, POSITIONS[0], 40), fields_of(1, POSITIONS[0]))
    assert resumed(path).done == {1}
    assert [line["kind"] for line in read(path)] == ["exact"]


def test_checked_results_are_counted(tmp_path: Path) -> None:
    checks = [Comparison(0, True), Comparison(2, False, "differs"), Comparison(None, None), Comparison(0, True)]
    lines = [fields_of(i, POSITIONS[i - 1], EXACT, check) for i, check in enumerate(checks, 1)]
    path = written(tmp_path / "r.jsonl", *lines)
    assert resumed(path, checked=True).earlier == Earlier(4, 2, 1, 1)


@pytest.mark.parametrize(
    "question",
    [Question(all_moves=True), Question(multi=2), Question(wld=True), Question(window=(-2, 2))],
    ids=str,
)
def test_every_question_is_continued(tmp_path: Path, question: Question) -> None:
    path = written(tmp_path / "r.jsonl", *(fields_of(i, pos, question) for i, pos in INPUTS[:5]))
    assert resumed(path, question).done == {1, 2, 3, 4, 5}


def test_positions_after_a_pass_and_finished_ones_are_continued(tmp_path: Path) -> None:
    inputs = [(1, SKIPS), (2, SKIPS.play(SKIPS.legal_moves[0])), (3, Position.from_discs(1, 0))]
    for question in (EXACT, Question(all_moves=True), Question(multi=3)):
        path = written(tmp_path / "r.jsonl", *(fields_of(i, pos, question) for i, pos in inputs))
        assert resumed(path, question, inputs=inputs).done == {1, 2, 3}


def test_a_game_that_two_passes_ended_is_another_position(tmp_path: Path) -> None:
    open_ = Position(SKIPS.rules)
    ended = open_.with_state(State.ENDED)
    path = written(tmp_path / "r.jsonl", fields_of(1, ended))
    with pytest.raises(ResultsError, match="position is not in the input: -----OX--XO----- X ended by two passes"):
        resumed(path, inputs=[(1, open_)])
    assert resumed(path, inputs=[(1, open_), (2, ended)]).done == {2}
    fields = read(path)[0]
    assert (fields["after_pass"], fields["ended"], fields["best"]) == (False, True, [])
    assert "ended" not in fields_of(1, open_)


def test_a_line_with_too_few_moves_is_not_done(tmp_path: Path) -> None:
    line = fields_of(1, POSITIONS[0], Question(multi=2))
    path = written(tmp_path / "r.jsonl", {**line, "moves": line["moves"][:1]})
    assert resumed(path, Question(multi=2)).done == set()


# --- what cannot be continued


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (fields_of(1, POSITIONS[0], Question(all_moves=True)), "another question: the score of every move, not"),
        (fields_of(1, POSITIONS[0], Question(multi=2)), "another question: the 2 best moves"),
        (fields_of(1, POSITIONS[0], Question(wld=True)), "another question: win, loss or draw"),
        (fields_of(1, POSITIONS[0], Question(window=(-2, 2))), "another question: values from -2 to 2"),
        (
            fields_of(1, POSITIONS[0], EXACT, Comparison(0, True)),
            "is compared with annotated scores; continue it with --check \\(check=True\\)",
        ),
        (fields_of(1, random_endings(7, 1)[0]), "position is not in the input"),
        (fields_of(1, POSITIONS[0].with_rules(parse_rules("othello,misere"))), "not in the input.*misere"),
        (fields_of(1, POSITIONS[0].with_to_move(POSITIONS[0].to_move.opponent)), "not in the input"),
        ({"index": 1}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "kind": "sure"}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "lower": "x"}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "window": 3}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "board": ["X"]}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "index": None}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "index": math.inf}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "score": math.inf}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "score": 99}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "score": 1.5}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "lower": 64, "upper": -64}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "upper": 65}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "best": ["z9"]}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "best": ["d4"]}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "nodes": 10**400}, "not a result"),
        ({**fields_of(1, POSITIONS[0]), "time_s": math.nan}, "not a result"),
    ],
)
def test_a_line_of_something_else(tmp_path: Path, line: dict[str, Any], message: str) -> None:
    path = written(
        tmp_path / "r.jsonl", fields_of(2, POSITIONS[1]), line, fields_of(3, POSITIONS[2]), tail=b'{"in'
    )
    before = path.read_bytes()
    with pytest.raises(ResultsError, match=message) as caught:
        resumed(path)
    assert str(caught.value).startswith(f"{path}:2: ")
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [b"hello", b"hello\n", b"[1, 2]\n", b"\xff\xfe\n", b"\n", b'{"index":1}', b"{}\n", b'"', b"123\n", b"null\n"],
)
def test_other_files_are_left_alone(tmp_path: Path, content: bytes) -> None:
    path = new_file(tmp_path / "notes.txt", content)
    if content == b'{"index":1}':  # what a killed run leaves
        assert resumed(path).done == set()
        assert path.read_bytes() == b""
        return
    with pytest.raises(ResultsError, match=r"notes\.txt:1: not a result"):
        resumed(path)
    assert path.read_bytes() == content


def test_more_results_than_positions(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", fields_of(1, POSITIONS[0]), fields_of(1, POSITIONS[0]))
    with pytest.raises(ResultsError, match=r"r\.jsonl:2: more results of a position than the input has"):
        resumed(path)
    assert len(read(path)) == 2


def test_a_very_long_line_is_not_ours(tmp_path: Path) -> None:
    path = new_file(tmp_path / "r.jsonl", b'{"index":' + b"1" * (3 << 20))
    with pytest.raises(ResultsError, match="not a result"):
        resumed(path)
    assert path.stat().st_size > 3 << 20


@pytest.mark.skipif(os.name == "nt", reason="permissions of Unix")
def test_permissions_and_links_are_kept_when_lines_are_removed(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", cut_short(1, POSITIONS[0]), fields_of(1, POSITIONS[0]))
    path.chmod(0o640)
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    resumed(link).close()
    assert link.is_symlink()
    assert len(read(path)) == 1
    assert path.stat().st_mode & 0o777 == 0o640
