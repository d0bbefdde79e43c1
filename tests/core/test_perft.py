"""Perft: every checked value of the specification, from the library and from the command line."""

from __future__ import annotations

import json
import os
import sys

import pytest

from command_line import run_command, run_process
from reversi import OTHELLO, PASS, Position, Rules, parse_rules
from reversi._core import USABLE_ISAS

# Leaves at depth 1, 2, 3, ...; a pass is a ply, a finished game counts one leaf at every deeper depth.
OTHELLO_LEAVES = (
    4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800, 1939886636, 18429641748,
)  # fmt: skip
LEAVES = {
    "othello": OTHELLO_LEAVES,
    "othello,board=6x6": (4, 12, 56, 244, 1364, 7604, 47740, 308716, 2114912),
    "othello,board=4x4": (4, 12, 44, 128, 424, 1256, 3624, 9116, 20044, 36540, 50704, 57436),
    "othello,start=parallel": (4, 14, 68, 292, 1690, 9696, 64794, 450012),
    "adjacent": (12, 176, 3008, 57876, 1223480),
    "adjacent,optional-skip": (13, 200, 3548, 70436),
    "adjacent,mandatory-capture": OTHELLO_LEAVES,
    "adjacent,mandatory-capture,optional-skip": (5, 20, 96, 448, 2584),
    "othello,optional-skip": (5, 21, 101, 469, 2673),
    "othello,optional-capture,full-board": (60, 3540, 205320),
}
# With "a pass is no ply" the counts differ from depth 9 on.
OTHELLO_WITHOUT_PASSES = (*OTHELLO_LEAVES[:8], 3005320, 24571420, 212260880)

QUICK = 30_000_000  # leaves counted within a fraction of a second
LONG = 3_000_000_000  # leaves that take minutes where a processor is old


def _marks(leaves: int) -> list[pytest.MarkDecorator]:
    return ([pytest.mark.slow] if leaves > QUICK else []) + ([pytest.mark.timeout(3600)] if leaves > LONG else [])


def _cases() -> list[object]:
    return [
        pytest.param(text, depth, leaves, marks=_marks(leaves), id=f"{text}-{depth}")
        for text, table in LEAVES.items()
        for depth, leaves in enumerate(table, 1)
    ]


@pytest.mark.parametrize(("text", "depth", "leaves"), _cases())
def test_leaves(text, depth, leaves):
    assert Position(parse_rules(text)).perft(depth) == leaves


@pytest.mark.parametrize(
    ("depth", "leaves"),
    [pytest.param(d, n, marks=_marks(n)) for d, n in enumerate(OTHELLO_WITHOUT_PASSES, 1)],
)
def test_leaves_when_a_pass_is_no_ply(depth, leaves):
    assert Position().perft(depth, count_passes=False) == leaves


@pytest.mark.parametrize("text", LEAVES)
def test_depth_zero_is_one_leaf(text):
    assert Position(parse_rules(text)).perft(0) == 1
    assert Position(parse_rules(text)).perft(0, count_passes=False) == 1


@pytest.mark.parametrize("text", LEAVES)
def test_a_position_counts_what_its_moves_count(text):
    position = Position(parse_rules(text))
    for _ in range(3):
        assert position.perft(3) == sum(position.play(move).perft(2) for move in position.legal_moves)
        position = position.play(position.legal_moves[0])


def test_a_finished_game_is_one_leaf_at_every_depth():
    over = Position.from_discs(1, 0)
    ended = Position(parse_rules("optional-skip")).play("--").play("--")
    for depth in (0, 1, 2, 60):
        assert over.perft(depth) == over.perft(depth, count_passes=False) == 1
        assert ended.perft(depth) == ended.perft(depth, count_passes=False) == 1


def test_a_forced_pass_takes_a_ply_or_none():
    stuck = Position.from_discs(1 << 0 | 1 << 16, 1 << 1).with_to_move(Position().play("d3").to_move)
    assert list(stuck.legal_moves) == [PASS]
    after = stuck.play("--")
    for depth in (1, 2, 3):
        assert stuck.perft(depth) == after.perft(depth - 1)
        assert stuck.perft(depth, count_passes=False) == after.perft(depth, count_passes=False)


def test_the_smallest_board_runs_out():
    """After twelve placements and the passes between them every game of 4x4 is over; there are 60,060 games."""
    start = Position(parse_rules("board=4x4"))
    assert start.perft(24) == start.perft(40) == start.perft(12, count_passes=False) == 60_060


def test_scoring_does_not_change_the_tree():
    for words in ("misere", "discs-only", "misere,discs-only"):
        assert Position(parse_rules(words)).perft(6) == OTHELLO_LEAVES[5]
    assert Position(Rules(adjacent_only=True)).perft(6) == OTHELLO_LEAVES[5]


# ---- the command


def test_command_counts_one_depth():
    done = run_command("perft", "9", "--json").ends(0, err="")
    (line,) = done.stdout.splitlines()
    answer = json.loads(line)
    assert list(answer) == ["rules", "depth", "leaves", "time_s"]
    assert answer.pop("time_s") >= 0
    assert answer == {"rules": "othello", "depth": 9, "leaves": 3005288}


@pytest.mark.parametrize("isa", USABLE_ISAS)
def test_command_counts_alike_on_every_instruction_set(isa):
    path = os.pathsep.join(path for path in sys.path if path)
    environment = {"PYTHONPATH": path, "REVERSI_ISA": isa}
    for text in ("othello", "adjacent,optional-skip", "othello,board=4x4"):
        depth = "8" if "board" in text else "4"
        done = run_process("perft", depth, "--each", "--json", "--rules", text, environment=environment).ends(0)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert [answer["depth"] for answer in answers] == list(range(1, len(answers) + 1))
        assert tuple(answer["leaves"] for answer in answers) == LEAVES[text][: len(answers)]
        assert {answer["rules"] for answer in answers} == {text}


def test_command_writes_the_rules_in_their_one_order():
    done = run_command("perft", "3", "--json", "--rules", "Optional-Skip,mandatory-capture,ADJACENT")
    assert json.loads(done.stdout)["rules"] == "adjacent,mandatory-capture,optional-skip"
    assert json.loads(done.stdout)["leaves"] == 96


def test_command_can_leave_passes_out():
    done = run_command("perft", "9", "--json", "--no-count-passes")
    assert json.loads(done.stdout)["leaves"] == 3005320


def test_command_as_text():
    done = run_command("perft", "3", "--each").ends(0)
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [["1", "4"], ["2", "12"], ["3", "56"]]
    assert run_command("perft", "0").stdout.split()[:2] == ["0", "1"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["-1"], "-1"),
        (["many"], "depth"),
        ([], "depth"),
        (["3", "--rules", "chess"], "unknown word 'chess'"),
        (["3", "--rules", "board=5x5"], "4, 6 or 8"),
    ],
)
def test_command_refuses(arguments, says):
    done = run_command("perft", *arguments).ends(2, out="")
    assert says in done.stderr.replace("DEPTH", "depth")
    assert "Traceback" not in done.stderr


def test_othello_is_the_default():
    assert Position().perft(5) == Position(OTHELLO).perft(5) == OTHELLO_LEAVES[4]
