"""Certificates: they prove what the solver says, and nothing false gets through."""

from __future__ import annotations

import hashlib
import json
import random
import re
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from endings import SMALL_BOARDS, random_ending, random_endings
from reversi import Cancel, InputError, Move, Position, State, parse_rules
from reversi._core import alpha_beta
from reversi.rules import Objective
from reversi.solver import (
    Certificate,
    CertificateError,
    ProofStopped,
    Question,
    Solver,
    Statement,
    check_certificate,
    prove,
    read_certificate,
    solve,
    write_certificate,
)
from reversi.solver.proofs import Proved, collect
from reversi.solver.proofs.certificate import Bound, NoCertificateError, Relation, certificate_lines

SKIPPING = prove(Position(parse_rules("othello,board=4x4,optional-skip,full-board")), leaf_empties=6)
ENDING = prove(random_ending(13, 3), leaf_empties=8)


def written(certificate: Certificate) -> list[bytes]:
    return list(certificate_lines(certificate))


def checked(certificate: Certificate) -> None:
    """Write, read and check, all leaves."""
    check_certificate(read_certificate(written(certificate), "f"), name="f")


@pytest.mark.parametrize("text", SMALL_BOARDS)
def test_alpha_beta_finds_the_values_of_the_solver(text: str) -> None:
    rules, solver = parse_rules(text), Solver(1)
    for seed in range(25):
        position = random_ending(9, seed, rules)
        value = solver.solve(position).score.value
        assert alpha_beta(position, -100, 100)[0] == value
        for alpha in (value - 3, value - 1, value, value + 2):
            found = alpha_beta(position, alpha, alpha + 1)[0]
            assert (found > alpha) == (value > alpha)
            assert found <= value if found > alpha else found >= value


@pytest.mark.parametrize("text", SMALL_BOARDS)
def test_starts_are_proved(text: str) -> None:
    start = Position(parse_rules(text))
    certificate = prove(start, leaf_empties=8)
    assert certificate.lower == certificate.upper == solve(start).score.value
    assert read_certificate(written(certificate), "f") == certificate
    found = check_certificate(certificate)
    assert found.solved == found.leaves
    assert found.inner + found.leaves == len(certificate.statements)
    few = check_certificate(certificate, leaves=2)
    assert few.solved == 2
    assert check_certificate(certificate, solver=Solver(1)).solved == found.leaves


def test_who_wins_is_proved_alone() -> None:
    certificate = prove(random_ending(14, 5), Question(wld=True), leaf_empties=8)
    assert certificate.lower != certificate.upper
    assert certificate.lower > 0 or certificate.upper < 0
    checked(certificate)


def test_two_different_bounds_are_proved_in_one_certificate() -> None:
    position = random_ending(13, 3)
    value = solve(position).score.value
    certificate = collect(Proved(position, value - 2, value + 4), leaf_empties=8)
    assert (certificate.lower, certificate.upper) == (value - 2, value + 4)
    assert {goal.relation for goal in certificate.goals()} == set(Relation)
    checked(certificate)
    for forged in (replace(certificate, lower=value + 2), replace(certificate, upper=value - 2)):
        with pytest.raises(CertificateError, match="needs"):
            checked(forged)


def test_a_certificate_of_4x8_holds() -> None:
    certificate = prove(Position(parse_rules("othello,board=4x8")), leaf_empties=12)
    assert (certificate.lower, certificate.upper) == (32, 32)
    assert check_certificate(certificate).leaves > 100


def test_a_finished_game_has_a_certificate() -> None:
    over = Position.parse("X" * 62 + "-- X")
    checked(prove(over))


def test_a_proof_asks_about_positions_as_the_search_met_them(monkeypatch: pytest.MonkeyPatch) -> None:
    position = next(one for one in random_endings(13, 9) if one != one.canonical())
    asked, reaching = [], Solver.reaching

    def noted(solver: Solver, one: Position, value: int, *, cancel: Cancel | None = None) -> Move | None:
        asked.append(one)
        return reaching(solver, one, value, cancel=cancel)

    monkeypatch.setattr(Solver, "reaching", noted)
    certificate = prove(position, leaf_empties=9)
    checked(certificate)
    assert asked[0] == position
    after = {position}  # whatever play from the position leads to, without images
    for _ in range(5):
        after |= {one.play(move) for one in after for move in one.legal_moves}
    assert after.issuperset(asked)


def test_cancel_stops_a_proof() -> None:
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(ProofStopped):
        prove(random_ending(14, 1), cancel=cancel)
    with pytest.raises(ProofStopped):
        check_certificate(ENDING, cancel=cancel)


@pytest.mark.parametrize("solver", [None, Solver(1, 1)])
def test_cancel_stops_a_check_within_a_leaf(solver: Solver | None) -> None:
    start = Position()
    leaf = Statement(Bound(start, Relation.AT_LEAST, 0), leaf=True)
    cancel = Cancel()
    threading.Timer(0.2, cancel.cancel).start()
    with pytest.raises(ProofStopped):
        check_certificate(Certificate(start, 0, 64, (leaf,)), solver=solver, cancel=cancel)


def test_alpha_beta_raises_what_its_poll_raises() -> None:
    calls = []

    def poll() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        alpha_beta(Position(), -1, 0, poll)
    assert len(calls) == 3


# --- forgeries


def forged(certificate: Certificate, chance: random.Random) -> tuple[str, Certificate]:
    """One change that makes a statement false or leaves a gap."""
    statements = list(certificate.statements)
    at = chance.randrange(len(statements))
    old = statements[at]
    bound = old.bound
    up = 2 if bound.relation is Relation.AT_LEAST else -2
    kind = chance.choice(("bound", "move", "missing", "leaf", "relation", "claim", "rules", "discs", "extra"))
    if kind == "bound":  # the whole chain from the leaf up claims more
        return _raised(certificate)
    if kind == "move" and old.move is not None:
        others = [move for move in bound.position.legal_moves if move != old.move]
        if others:
            statements[at] = replace(old, move=chance.choice(others))
            if _still_true(certificate, statements, at):
                return forged(certificate, chance)
            return kind, replace(certificate, statements=tuple(statements))
    if kind == "leaf" and not old.leaf and bound.position.empties <= 10:
        statements[at] = Statement(replace(bound, value=_false(bound)), leaf=True)
        return kind, replace(certificate, statements=tuple(statements))
    if kind == "relation" and old.leaf:
        turned = Bound(bound.position, bound.relation.other, bound.value)
        statements[at] = Statement(turned, leaf=True)
        return kind, replace(certificate, statements=tuple(statements))
    if kind == "claim":
        more = replace(certificate, lower=certificate.lower + 2, upper=certificate.upper + 2)
        return kind, more
    if kind == "rules":
        rules = replace(bound.position.rules, objective=Objective.FEWEST)
        position = certificate.position.with_rules(rules)
        moved = [
            replace(one, bound=replace(one.bound, position=one.bound.position.with_rules(rules)))
            for one in statements
        ]
        return kind, replace(certificate, position=position, statements=tuple(moved))
    if kind == "discs":
        other = random_ending(bound.position.empties, chance.randrange(1000), bound.position.rules)
        statements[at] = replace(old, bound=replace(bound, position=other.canonical()), move=None, leaf=True)
        return kind, replace(certificate, statements=tuple(statements))
    if kind == "extra":
        far = random_ending(9, chance.randrange(1000), bound.position.rules).canonical()
        extra = Bound(far, bound.relation, 0)
        statements.append(Statement(replace(extra, value=_false(extra)), leaf=True))
        return kind, replace(certificate, statements=tuple(statements))
    if old.leaf and chance.random() < 0.5:
        statements[at] = Statement(replace(bound, value=_false(bound) + up), leaf=True)
        return "leaf bound", replace(certificate, statements=tuple(statements))
    del statements[at]
    return "missing", replace(certificate, statements=tuple(statements))


def _false(bound: Bound) -> int:
    """The next bound that the position does not keep."""
    value = alpha_beta(bound.position, -100, 100)[0]
    return value + 2 if bound.relation is Relation.AT_LEAST else value - 2


def _still_true(certificate: Certificate, statements: list[Statement], at: int) -> bool:
    """Whether the other move reaches the bound too, and its position is in the proof."""
    bound, move = statements[at].bound, statements[at].move
    assert move is not None
    after = bound.position.play(move).canonical()
    return any(
        one.bound.position == after and one.bound.relation is bound.relation.other
        for one in certificate.statements
    )


def _raised(certificate: Certificate) -> tuple[str, Certificate]:
    """A proof of a better value: every bound of one side says two discs more, and the claim, too."""
    moved = []
    for one in certificate.statements:
        same = one.bound.position.to_move is certificate.position.to_move
        moved.append(replace(one, bound=replace(one.bound, value=one.bound.value + (2 if same else -2))))
    more = replace(certificate, lower=certificate.lower + 2, upper=certificate.upper + 2, statements=tuple(moved))
    return "bound", more


@pytest.mark.thorough
def test_a_hundred_forgeries_are_found() -> None:
    chance, kinds = random.Random(1), set()
    for number in range(100):
        kind, forgery = forged(SKIPPING if number % 2 else ENDING, chance)
        kinds.add(kind)
        with pytest.raises(CertificateError, match=r"^f:\d+"):
            checked(forgery)
    assert len(kinds) >= 8


def test_a_changed_line_is_named() -> None:
    lines = written(ENDING)
    for number in (0, 5, len(lines) - 2):
        fields = json.loads(lines[number])
        key = next(name for name in ("lower", "at_least", "at_most") if name in fields)
        fields[key] += 2
        changed = [*lines[:number], json.dumps(fields).encode() + b"\n", *lines[number + 1 :]]
        with pytest.raises(CertificateError, match=rf"^f:{number + 1}: the hash does not fit"):
            read_certificate(changed, "f")


def test_a_file_that_is_cut_short_is_named() -> None:
    lines = written(ENDING)
    with pytest.raises(CertificateError, match="cut short: its last line is missing"):
        read_certificate(lines[:-1], "f")
    with pytest.raises(CertificateError, match="cut short: this line is not whole"):
        read_certificate([*lines[:3], lines[3][:20]], "f")
    with pytest.raises(NoCertificateError, match="empty"):
        read_certificate([], "f")
    with pytest.raises(CertificateError, match="the hash does not fit"):
        read_certificate([*lines[:4], *lines[5:]], "f")


def signed(*lines: str) -> list[bytes]:
    """The lines of a file with right hashes, whatever they say."""
    digest, found = "", []
    for line in lines:
        fields = json.loads(line)
        plain = json.dumps(fields, separators=(",", ":"), sort_keys=True)
        digest = hashlib.sha256(f"{digest}\n{plain}".encode()).hexdigest()
        found.append(json.dumps({**fields, "hash": digest}).encode() + b"\n")
    return found


FULL = "X" * 16 + " X"


def claim(position: str = FULL, rules: str = "othello,board=4x4", lower: str = "16", upper: str = "16") -> str:
    return f'{{"reversi_proof":1,"package":"","rules":"{rules}","p":"{position}","lower":{lower},"upper":{upper}}}'


LEAF = f'{{"p":"{FULL}","at_least":16,"leaf":true}}'


def test_a_file_by_hand_is_read() -> None:
    assert check_certificate(read_certificate(signed(claim(), LEAF, '{"end":1}'), "f")).solved == 1


@pytest.mark.parametrize("name", ["lower", "upper", "at_least", "end"])
@pytest.mark.parametrize(
    "value", ["16.9", '"16"', "1e30", "0.5", "true", "null", "Infinity", "NaN", "[1]", "16.0"]
)
def test_a_number_must_be_a_whole_number(name: str, value: str) -> None:
    lines = [claim(), LEAF, '{"end":1}']
    number = next(at for at, line in enumerate(lines) if f'"{name}":' in line)
    lines[number] = re.sub(rf'"{name}":\d+', f'"{name}":{value}', lines[number])
    wrong = rf"^f:{number + 1}: not a line of a proof: {name} must be a whole number, not "
    with pytest.raises(CertificateError, match=wrong):
        read_certificate(signed(*lines), "f")


@pytest.mark.parametrize("name", ["lower", "upper", "at_least"])
@pytest.mark.parametrize("value", [17, -17, 10**30, -(10**30)])
def test_a_bound_must_be_a_score_of_the_board(name: str, value: int) -> None:
    lines = [claim(), LEAF, '{"end":1}']
    number = next(at for at, line in enumerate(lines) if f'"{name}":' in line)
    lines[number] = lines[number].replace(f'"{name}":16', f'"{name}":{value}')
    with pytest.raises(CertificateError, match=rf"^f:{number + 1}: .*{name} must be from -16 to 16, not "):
        read_certificate(signed(*lines), "f")


def test_bounds_must_be_in_order() -> None:
    with pytest.raises(CertificateError, match=r"^f:1: .*lower must be at most upper, not 4 and 2"):
        read_certificate(signed(claim(lower="4", upper="2"), '{"end":0}'), "f")


@pytest.mark.parametrize("found", ["true", "1.0", '"1"', "Infinity"])
def test_the_format_must_be_its_number(found: str) -> None:
    head = claim().replace('"reversi_proof":1', f'"reversi_proof":{found}')
    with pytest.raises(NoCertificateError, match="this version reads format 1"):
        read_certificate(signed(head, '{"end":0}'), "f")


def test_a_state_must_exist_under_the_rules() -> None:
    board = "-----OX--XO----- X"
    for rules in ("othello,board=4x4", "adjacent,optional-skip,board=4x4"):
        with pytest.raises(CertificateError, match=r"^f:1: .*state ended does not exist under"):
            read_certificate(signed(claim(f"{board} ended", rules), '{"end":0}'), "f")
    with pytest.raises(CertificateError, match=r"^f:1: .*state after-pass does not exist under"):
        read_certificate(signed(claim(f"{board} --"), '{"end":0}'), "f")
    ended = read_certificate(signed(claim(f"{board} ended", "othello,optional-skip,board=4x4"), '{"end":0}'), "f")
    assert ended.position.state is State.ENDED


def test_the_kind_of_a_claim() -> None:
    position = Position(parse_rules("othello,board=4x4"))
    kinds = {
        bounds: Certificate(position, *bounds, ()).kind
        for bounds in ((2, 2), (2, 16), (-16, 2), (-2, 2), (-16, 16), (16, 16))
    }
    assert [str(kind) for kind in kinds.values()] == ["exact", "lower", "upper", "lower", "upper", "exact"]


@pytest.mark.parametrize(
    "line", [b"[]\n", b"\xff\n", b"{}\n", b'{"reversi_proof":2}\n', b"x" * 5000 + b"\n", b"[" * 3000 + b"\n"]
)
def test_other_files_are_refused(line: bytes) -> None:
    with pytest.raises(NoCertificateError, match=r"^f: (not a certificate|saved in format 2)"):
        read_certificate([line], "f")


@pytest.mark.parametrize(
    ("bounds", "wrong"),
    [
        ((-64, -10), r"lower must be a whole number, from -16 to 16, not -64"),
        ((-10, 99), r"upper must be a whole number, from -16 to 16, not 99"),
        ((-8, -10), r"lower must be at most upper, not -8 and -10"),
    ],
)
def test_bounds_that_no_value_has_are_refused_when_they_are_made(bounds: tuple[int, int], wrong: str) -> None:
    start = Position(parse_rules("othello,board=4x4"))
    with pytest.raises(InputError, match=wrong):
        Proved(start, *bounds)
    with pytest.raises(InputError, match=wrong):
        Certificate(start, *bounds, statements=())
    with pytest.raises(TypeError, match="lower must be a whole number"):
        Proved(start, -10.0, -10)  # type: ignore[arg-type]


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    start = Position(parse_rules("othello,board=4x4"))
    path = tmp_path / "proof.jsonl"
    for bounds in ((-16, 16), (-16, -10), (-10, 16), (-10, -10)):
        certificate = collect(Proved(start, *bounds))
        write_certificate(path, certificate)
        assert read_certificate(path) == certificate
    far = Statement(Bound(start.canonical(), Relation.AT_LEAST, 18), leaf=True)
    with pytest.raises(InputError, match="at_least must be a whole number, from -16 to 16, not 18"):
        write_certificate(path, Certificate(start, -10, -10, (far,)))
    assert read_certificate(path) == certificate
