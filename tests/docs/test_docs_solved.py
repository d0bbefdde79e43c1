"""docs/solved.md holds what the solver finds, with certificates that hold."""

from __future__ import annotations

import hashlib
import re
import sys
from dataclasses import replace
from pathlib import Path

import make_solved
import pytest
import solve_starts
from _pytest.mark import ParameterSet

from reversi import PASS, Color, Position, Random, Rules, Square, parse_rules
from reversi.solver import Certificate, CertificateError, Statement
from reversi.solver.proofs.certificate import Bound, Relation, certificate_lines
from reversi.solver.solver import solve

PAGE = (Path(__file__).parents[2] / "docs" / "solved.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\| `(?P<rules>\S+)` \| (?P<value>\S*) \| (?P<discs>\S*) \| (?P<winner>\w+) \| (?P<best>.+?) \|"
)
RESULTS = solve_starts.read_results(solve_starts.DATA)
WINNERS = {-1: "White", 0: "draw", 1: "Black"}
QUICK_NODES, SLOW_NODES = 100_000, 200_000_000
TRANSPOSED = [
    "othello,board=6x4",
    "othello,board=6x4,misere",
    pytest.param("othello,board=8x4", marks=pytest.mark.slow),
    pytest.param("othello,board=8x4,misere", marks=pytest.mark.slow),
]


def rows() -> list[re.Match[str]]:
    return [match for line in PAGE.splitlines() if (match := ROW.match(line))]


def cases() -> list[ParameterSet]:
    """Every result that a test can find again; those that take longer than a moment are slow tests."""
    found = []
    for name, result in RESULTS.items():
        if result.nodes < SLOW_NODES:
            slow = [pytest.mark.slow] if result.nodes > QUICK_NODES else []
            found.append(pytest.param(parse_rules(result.rules), result, id=name, marks=slow))
    return found


def test_the_page_is_made_of_the_data() -> None:
    assert make_solved.page(RESULTS) == PAGE, "run python docs/make_solved.py > docs/solved.md"


def test_the_data_is_in_order_and_whole() -> None:
    assert list(RESULTS) == [result.name for result in solve_starts.in_order(RESULTS)]
    for result in RESULTS.values():
        assert str(parse_rules(result.rules)) == result.rules
        assert result.best or result.upper < parse_rules(result.rules).board.cells
        assert 0 < result.leaves < result.statements
        assert result.checked == result.leaves or result.checked >= solve_starts.FEW_LEAVES
        assert len(result.sha256) == 64


def test_the_page_has_every_kind_of_play_on_4x4() -> None:
    small = [parse_rules(row["rules"]) for row in rows() if "board=4x4" in row["rules"]]
    assert len(small) == 24  # (capture or not) x (no skip, two endings) x (two starts) x (two objectives)
    assert not any(one.same_play(other) for i, one in enumerate(small) for other in small[:i])


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["rules"])
def test_rows_show_the_results(row: re.Match[str]) -> None:
    result = RESULTS[row["rules"]]
    assert WINNERS[(result.value > 0) - (result.value < 0)] == row["winner"]
    assert " ".join(result.best) == row["best"].removesuffix(" …")
    discs = RESULTS.get(str(replace(parse_rules(row["rules"]), empties_to_winner=False)))
    if row["discs"] and discs:
        assert f"{discs.value:+d}" == row["discs"]
    if row["value"]:
        assert f"{result.value:+d}" == row["value"]


@pytest.mark.parametrize(("rules", "result"), cases())
def test_results_are_found_again(rules: Rules, result: solve_starts.Result) -> None:
    if result.name != result.rules:
        number = result.upper + 2 if not result.best else result.lower - 2
        bound = solve(Position(rules), window=(number, number)).score
        assert (bound.lower, bound.upper) == (result.lower, result.upper)
        return
    solution = solve(Position(rules), all_moves=result.all_best)
    assert solution.score.value == result.value
    if result.all_best:
        assert tuple(map(str, solution.best)) == result.best


@pytest.mark.parametrize("name", TRANSPOSED)
def test_a_transposed_board_has_the_same_value(name: str) -> None:
    rules = parse_rules(name)
    board = rules.board
    twin = replace(rules, board=type(board)(board.columns, board.rows))
    solution = solve(Position(rules), all_moves=True)
    assert solution.score.value == RESULTS[str(twin)].value
    transposed = {str(Square.at(move.column, move.row)) for move in solution.best if isinstance(move, Square)}
    assert transposed == set(RESULTS[str(twin)].best)


def test_a_start_is_solved_and_proved(tmp_path: Path) -> None:
    name = "othello,board=4x4,misere"
    found = solve_starts.solve_start(parse_rules(name), tmp_path)
    assert found is not None
    known = RESULTS[name]
    assert (found.value, found.best) == (known.value, known.best)
    assert found.statements > found.leaves == found.checked > 0
    assert (tmp_path / f"{name}.proof").stat().st_size == found.size


def test_all_leaves_of_a_certificate_are_solved_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = solve_starts.solve_start(parse_rules("othello,board=4x4"), tmp_path / "certificates")
    assert result is not None
    file = tmp_path / "results.jsonl"
    solve_starts.write_results(file, [replace(result, checked=1, check_nodes=0)])
    monkeypatch.setattr(sys, "argv", ["solve_starts", str(tmp_path), "--all-leaves"])
    solve_starts.main()
    (found,) = solve_starts.read_results(file).values()
    assert replace(found, check_cpu_s=result.check_cpu_s) == result
    for wrong in (replace(result, lower=-8, upper=-8), replace(result, sha256="0" * 64)):
        with pytest.raises(CertificateError, match="another"):
            solve_starts.checked_again(wrong, tmp_path / "certificates")


def test_large_leaves_have_certificates_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = parse_rules("othello,board=4x4")
    monkeypatch.setattr(solve_starts, "PLAIN_EMPTIES", 4)
    result = solve_starts.solve_start(rules, tmp_path)
    assert result is not None
    assert result.leaf_empties > solve_starts.PLAIN_EMPTIES
    assert 0 < result.checked == result.leaves
    start = Position(rules).canonical()
    for value, holds in ((-10, True), (-8, False)):
        leaf = Statement(Bound(start, Relation.AT_LEAST, value), leaf=True)
        data = b"".join(certificate_lines(Certificate(start, value, 16, (leaf,))))
        claim = replace(result, lower=value, upper=16, sha256=hashlib.sha256(data).hexdigest())
        (tmp_path / claim.file).write_bytes(data)
        if holds:
            assert solve_starts.checked_again(claim, tmp_path).checked == 1
        else:
            with pytest.raises(CertificateError, match="is false"):
                solve_starts.checked_again(claim, tmp_path)


def test_bounds_are_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "othello,board=4x4"
    monkeypatch.setattr(solve_starts, "LARGE_MB", 1)
    monkeypatch.setattr(sys, "argv", ["solve_starts", str(tmp_path), "--bounds", name, "4", "-2", "-12", "-10"])
    solve_starts.main()
    results = solve_starts.read_results(tmp_path / "results.jsonl")
    assert [(result.lower, result.upper) for result in results.values()] == [
        (-16, 2),
        (-16, -4),
        (-12, 16),
        (-10, 16),
    ]
    assert len(list((tmp_path / "certificates").iterdir())) == 4
    best = [result.name for result in solve_starts.in_order(results)]
    assert best == [f"{name}: at least -10", f"{name}: at most -4"]
    lines = list(make_solved.bounds({result.name: result for result in results.values()}))
    assert len(lines) == 6
    assert "| `othello,board=4x4` | at most +2 | " in lines[2]


def test_a_limit_leaves_a_start_open(tmp_path: Path) -> None:
    assert solve_starts.solve_start(parse_rules("othello,board=6x6"), tmp_path, 0.01) is None
    assert not list(tmp_path.iterdir())


def test_a_killed_run_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def solved(rules: Rules, folder: Path, limit_s: float | None) -> solve_starts.Result | None:
        asked.append(str(rules))
        return None if rules.misere else replace(RESULTS["othello,board=4x4"], rules=str(rules))

    monkeypatch.setattr(solve_starts, "solve_start", solved)
    monkeypatch.setattr(sys, "argv", ["solve_starts", str(tmp_path), "--only", "othello,board=4x4"])
    solve_starts.main()
    first = asked.copy()
    done = [name for name in first if "misere" not in name]
    file = tmp_path / "results.jsonl"
    assert list(solve_starts.read_results(file)) == done
    data = file.read_bytes()
    file.write_bytes(data[: data.rindex(b'"rules"') + 40])  # killed while it wrote
    asked.clear()
    solve_starts.main()
    assert asked == [name for name in first if "misere" in name or name == done[-1]]
    assert file.read_bytes() == data


@pytest.mark.parametrize("board", ["4x6", "6x6", "8x8"])
@pytest.mark.parametrize("start", ["", ",start=parallel"])
def test_a_side_that_always_skips_loses_all_its_discs(board: str, start: str) -> None:
    rules = parse_rules(f"adjacent,optional-skip,misere,board={board}{start}")
    for seed in range(5):
        position, random = Position(rules), Random(seed)
        while not position.is_over:
            skips = position.to_move is Color.BLACK
            assert (PASS in position.legal_moves) == skips
            position = position.play(PASS if skips else position.legal_moves.choice(random))
        assert position.count.black == 0
        assert solve(position).score.value == rules.board.cells
