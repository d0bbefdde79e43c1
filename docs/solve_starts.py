"""Solves start positions one after another, and proves each value with a certificate that is checked.

    python docs/solve_starts.py DIR

Results go to DIR/results.jsonl, certificates to DIR/certificates. Kill it at any moment: starts with a result are
skipped by the next run. docs/solved.jsonl has the results that docs/make_solved.py writes the page from:

    python docs/solve_starts.py DIR --collect

--all-leaves solves all leaves of the certificates again, where only some were. --estimate RULES solves positions
later in the game instead, and prints what they take.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import SystemRandom

from reversi import PASS, Cancel, Move, Position, Random, Rules, parse_rules
from reversi._core import Task
from reversi._system.files import atomic_stream, write_atomically
from reversi._version import __version__
from reversi.rules import BoardSize, Ending, Objective, Start
from reversi.solver import (
    Certificate,
    CertificateError,
    Checked,
    ProofStopped,
    Question,
    Solution,
    Solver,
    check_certificate,
    prove,
    read_certificate,
)
from reversi.solver.proofs.certificate import Relation, certificate_lines

DATA = Path(__file__).with_name("solved.jsonl")
FEW_LEAVES = 1000  # solved again where all are too many
LARGE_MB = 4096  # the table of large starts
PLAIN_EMPTIES = 18  # leaves with more have certificates of their own
QUICK_NODES = 50_000_000  # a start up to 32 squares that takes no more has all its best moves


@dataclass(frozen=True)
class Result:
    """The value of a start, or a bound of it, and what its proof took: nodes, seconds of CPU time of one thread.

    Attributes:
        rules: the rule set, which includes the board and the start.
        lower: the value for Black, who moves first, is at least this.
        upper: it is at most this.
        best: first moves that reach it.
        all_best: whether there are no others.
        nodes: positions that the value took.
        cpu_s: its time.
        hash_mb: the table.
        package: the version of the package.
        leaf_empties: the empty squares of the leaves of the certificate, at most.
        statements: the certificate's lines between the first and the last.
        leaves: the leaves among them.
        size: bytes of the certificate.
        sha256: of the certificate's file.
        prove_cpu_s: the time of the certificate, after that of the value.
        checked: the leaves that plain alpha-beta solved again; every other statement is checked.
        check_nodes: positions that this took.
        check_cpu_s: the time of the check.
    """

    rules: str
    lower: int
    upper: int
    best: tuple[str, ...]
    all_best: bool
    nodes: int
    cpu_s: float
    hash_mb: int
    package: str
    leaf_empties: int
    statements: int
    leaves: int
    size: int
    sha256: str
    prove_cpu_s: float
    checked: int
    check_nodes: int
    check_cpu_s: float

    @property
    def value(self) -> int:
        """The value; meaningless for a bound."""
        return self.lower

    @property
    def name(self) -> str:
        """What is proved, in words; for a value just the rule set."""
        if self.lower == self.upper:
            return self.rules
        return f"{self.rules}: " + (f"at most {self.upper:+d}" if self.best == () else f"at least {self.lower:+d}")

    @property
    def file(self) -> str:
        """The file of the certificate, in the folder of certificates."""
        if self.lower == self.upper:
            return f"{self.rules}.proof"
        return (
            f"{self.rules}," + (f"at-most{self.upper}" if self.best == () else f"at-least{self.lower}") + ".proof"
        )


def kinds(board: BoardSize) -> Iterator[Rules]:
    """One rule set of each kind of play on a board, empties to the winner."""
    for capture, ending, start, objective in itertools.product((True, False), (None, *Ending), Start, Objective):
        yield Rules(
            mandatory_capture=capture,
            adjacent_only=not capture,
            optional_skip=ending is not None,
            ending=ending or (Ending.NO_MOVES if capture else Ending.FULL_BOARD),
            board=board,
            start=start,
            objective=objective,
        )


def starts() -> Iterator[Rules]:
    """The starts in the order in which they are solved; each is followed by its twin that counts discs alone."""
    for rules in _wanted():
        yield rules
        if not fills_board(rules):
            yield replace(rules, empties_to_winner=False)


def _wanted() -> Iterator[Rules]:
    """The starts whose empty squares count, easy ones first."""
    boards = {name: parse_rules(f"othello,board={name}").board for name in BOARDS}
    yield from kinds(boards["4x4"])
    every = [rules for name in BOARDS[1:] for rules in kinds(boards[name]) if _distinct(rules)]
    small = [rules for rules in every if rules.board.cells == 24]
    yield from (rules for rules in small if rules.mandatory_capture)
    yield from (rules for rules in every if rules.board.cells == 32 and _is_othello(rules))
    yield from (rules for rules in every if rules.board.cells == 32 and _is_skippable(rules))
    yield from (rules for rules in every if rules.board.cells > 24 and is_skipped(rules))
    yield from (rules for rules in small if not rules.mandatory_capture and not rules.optional_skip)
    yield from (rules for rules in every if rules.board.cells == 36 and _is_othello(rules) and not rules.misere)
    yield from (rules for rules in small if not rules.mandatory_capture and rules.optional_skip)
    yield from (rules for rules in every if rules.board.cells == 36 and _is_othello(rules) and rules.misere)
    yield from (
        rules
        for rules in every
        if rules.board.cells == 32 and not rules.mandatory_capture and not rules.optional_skip
    )


BOARDS = ("4x4", "4x6", "6x4", "4x8", "8x4", "6x6", "6x8", "8x6", "8x8")


def _is_othello(rules: Rules) -> bool:
    return rules.mandatory_capture and not rules.optional_skip


def _is_skippable(rules: Rules) -> bool:
    return rules.mandatory_capture and rules.optional_skip and not rules.misere


def _distinct(rules: Rules) -> bool:
    """Whether the game is another one than that on the transposed board, which comes first."""
    return rules.start is Start.PARALLEL or rules.board.rows <= rules.board.columns


def is_skipped(rules: Rules) -> bool:
    """Whether skipping alone decides the game: captures are mandatory, skips optional, and few discs win."""
    return rules.mandatory_capture and rules.optional_skip and rules.misere


def fills_board(rules: Rules) -> bool:
    """Whether every game fills the board, so that there are no empty squares to give to anybody."""
    return not rules.mandatory_capture and not (rules.optional_skip and rules.ending is Ending.NO_MOVES)


def leaf_empties(rules: Rules) -> int:
    """The empty squares of leaves that plain alpha-beta solves in a moment; more where there would be too many."""
    cells = rules.board.cells
    if cells == 16 or rules.optional_skip:  # skips make the games longer than the empty squares
        return 6
    if not rules.mandatory_capture:
        return 12 if cells == 24 else 16
    return {24: 10, 32: 14, 36: PLAIN_EMPTIES}.get(cells, 28)


def solve_start(rules: Rules, folder: Path, limit_s: float | None = None) -> Result | None:
    """Solve a start, write its certificate into a folder and check it.

    ``None`` where the value takes more than ``limit_s`` seconds, or its proof ten times as many.
    """
    large = rules.board.cells > (32 if rules.mandatory_capture else 24) and not is_skipped(rules)
    hash_mb = LARGE_MB if large else 256
    solver = Solver(hash_mb)
    position, began = Position(rules), time.process_time()
    solution = solver.solve(position, time_s=limit_s)
    cpu_s = time.process_time() - began
    if not solution.is_exact:
        return None
    best, all_best = _mirrored(solution), False
    if solution.score.nodes <= QUICK_NODES and rules.board.cells <= 32:
        scored = solver.solve(position, all_moves=True, time_s=limit_s)
        if scored.is_exact and all(move.score.lower == move.score.upper for move in scored.moves):
            best, all_best = scored.best, True
    value = solution.score.value
    question = Question(window=(value, value))
    return certified(solver, hash_mb, solution, question, cpu_s, best, all_best, folder, limit_s)


def bound_start(
    rules: Rules, number: int, solver: Solver, folder: Path, limit_s: float | None = None
) -> Result | None:
    """Prove whether the value of a start is at least a number, write the certificate and check it.

    ``None`` where the answer takes more than ``limit_s`` seconds, or its proof ten times as many.
    """
    position, question, began = Position(rules), Question(at_least=number), time.process_time()
    solution = solver.ask(position, question, time_s=limit_s)
    cpu_s = time.process_time() - began
    if not question.is_answered(solution):
        return None
    best = _mirrored(solution) if solution.best else ()
    return certified(solver, LARGE_MB, solution, question, cpu_s, best, False, folder, limit_s)


def certified(
    solver: Solver,
    hash_mb: int,
    solution: Solution,
    question: Question,
    cpu_s: float,
    best: tuple[Move, ...],
    all_best: bool,
    folder: Path,
    limit_s: float | None = None,
) -> Result | None:
    """Write the certificate of a solution into a folder and check it; ``None`` after ten times ``limit_s``."""
    position, rules, score = solution.position, solution.position.rules, solution.score
    began, empties = time.process_time(), leaf_empties(rules)
    cancel, until = Cancel(), math.inf if limit_s is None else time.monotonic() + 10 * limit_s

    def watch(found: int, waiting: int) -> None:
        if time.monotonic() > until:
            cancel.cancel()

    try:
        certificate = prove(position, question, leaf_empties=empties, solver=solver, cancel=cancel, progress=watch)
    except ProofStopped:
        return None
    if (certificate.lower, certificate.upper) != (score.lower, score.upper):
        raise AssertionError(f"{rules}: proved {certificate.lower} to {certificate.upper}, not {score}")
    result = Result(
        rules=str(rules),
        lower=certificate.lower,
        upper=certificate.upper,
        best=tuple(map(str, best)),
        all_best=all_best,
        nodes=score.nodes,
        cpu_s=round(cpu_s, 2),
        hash_mb=hash_mb,
        package=__version__,
        leaf_empties=empties,
        statements=len(certificate.statements),
        leaves=sum(statement.leaf for statement in certificate.statements),
        size=0,
        sha256="",
        prove_cpu_s=0,
        checked=0,
        check_nodes=0,
        check_cpu_s=0,
    )
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / result.file
    with atomic_stream(path) as stream:
        stream.writelines(certificate_lines(certificate))
    data = path.read_bytes()
    result = replace(
        result,
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        prove_cpu_s=round(time.process_time() - began, 2),
    )
    whole = rules.board.cells <= (32 if rules.mandatory_capture else 24)
    return checked_again(result, folder, None if whole else FEW_LEAVES)


def checked_again(result: Result, folder: Path, leaves: int | None = None) -> Result:
    """A result whose certificate is checked now, with all leaves or some at random.

    Raises:
        CertificateError: the certificate does not prove the result.
    """
    path, began = folder / result.file, time.process_time()
    with path.open("rb") as stream:
        read = read_certificate(stream, path.name)
    claim = str(read.position.rules), read.lower, read.upper
    if claim != (result.rules, result.lower, result.upper) or read.position != Position(read.position.rules):
        raise CertificateError(f"{path.name}: another claim than {result.name}")
    if hashlib.sha256(path.read_bytes()).hexdigest() != result.sha256:
        raise CertificateError(f"{path.name}: another certificate than that of {result.name}")
    if result.leaf_empties <= PLAIN_EMPTIES:
        checked = check_certificate(read, leaves=leaves, name=path.name)
    else:
        checked = _checked_by_certificates(read, leaves, path.name)
    return replace(
        result,
        checked=checked.solved,
        check_nodes=checked.nodes,
        check_cpu_s=round(time.process_time() - began, 2),
    )


def _checked_by_certificates(certificate: Certificate, leaves: int | None, name: str) -> Checked:
    """Check a certificate whose leaves are too large for plain alpha-beta.

    Each leaf, or each of some at random, gets a certificate of its own, which is checked whole.

    Raises:
        CertificateError: the certificate does not prove its claim.
    """
    checked, solver, nodes = check_certificate(certificate, leaves=0, name=name), Solver(256), 0
    bounds = [statement.bound for statement in certificate.statements if statement.leaf]
    if leaves is not None and leaves < len(bounds):
        bounds = SystemRandom().sample(bounds, leaves)
    for bound in bounds:
        above = bound.relation is Relation.AT_MOST
        question = Question(at_least=bound.value + above)
        own = prove(bound.position, question, leaf_empties=PLAIN_EMPTIES, solver=solver)
        if own.upper > bound.value if above else own.lower < bound.value:
            raise CertificateError(f"{name}: {bound} is false")
        nodes += check_certificate(own, name=f"{name}: {bound}").nodes
    return replace(checked, solved=len(bounds), nodes=nodes)


def _mirrored(solution: Solution) -> tuple[Move, ...]:
    """The first move of the line, and those that lead to the same position up to symmetry."""
    after = solution.position.play(solution.best[0]).canonical()
    moves = solution.position.legal_moves
    return tuple(move for move in moves if solution.position.play(move).canonical() == after)


def estimate(rules: Rules, samples: int = 4, limit_s: float = 60) -> Iterator[str]:
    """Lines with the nodes of positions with ever more empty squares, and what they come to for the start."""
    taken: dict[int, float] = {}
    for empties in range(12, Position(rules).empties, 2):
        nodes = 0
        for seed in range(samples):
            solution = Solver(256).solve(_later(rules, empties, seed), time_s=limit_s)
            if not solution.is_exact:
                return
            nodes += solution.score.nodes
        taken[empties] = nodes / samples
        growth = (taken[empties] / taken[12]) ** (2 / max(1, empties - 12))
        start = taken[empties] * growth ** ((Position(rules).empties - empties) / 2)
        yield f"{empties} empties: {taken[empties]:,.0f} nodes; two more: {growth:.1f} times; start: {start:.1e}"


def _later(rules: Rules, empties: int, seed: int) -> Position:
    """A position with ``empties`` empty squares: three random moves, then moves that a shallow search prefers."""
    random, solver = Random(seed), Solver(16)
    while True:
        position, ply = Position(rules), 0
        while position.empties > empties and not position.is_over:
            moves = [move for move in position.legal_moves if move != PASS] or [PASS]
            move: Move = moves[random.below(len(moves))]
            if ply >= 3:
                with solver.shared.use(rules) as table:
                    task = Task(table, None, 1)
                    task.begin(position)
                    task.root(position, moves, -100, 100, 4, 0)
                    move = task.best or move
            position, ply = position.play(move), ply + 1
        if not position.is_over:
            return position


def read_results(path: Path) -> dict[str, Result]:
    """The results of a file by name; a line that a killed run left unfinished is ignored."""
    if not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]
    results = (Result(**{**row, "best": tuple(row["best"])}) for row in rows)
    return {result.name: result for result in results}


def write_results(path: Path, results: Iterable[Result]) -> None:
    """Write results whole, one JSON object per line."""
    write_atomically(path, "".join(json.dumps(asdict(result)) + "\n" for result in results))


def in_order(results: dict[str, Result]) -> list[Result]:
    """Values in the order of `starts`, then the best bounds of starts without a value."""
    values = [results[name] for name in map(str, starts()) if name in results]
    bounds = [result for result in results.values() if result.name != result.rules and result.rules not in results]
    lowest: dict[str, Result] = {}
    highest: dict[str, Result] = {}
    for bound in sorted(bounds, key=lambda bound: bound.upper - bound.lower, reverse=True):
        (lowest if bound.best else highest)[bound.rules] = bound
    both = {**lowest, **highest}
    return values + [side[name] for name in sorted(both) for side in (lowest, highest) if name in side]


def keep(result: Result, path: Path) -> None:
    """Print a result, and add it to a file."""
    print(json.dumps(asdict(result)), flush=True)
    write_results(path, {**read_results(path), result.name: result}.values())


def main() -> None:
    """Solve the starts without a result, or collect the results."""
    parser = argparse.ArgumentParser(description="Solve start positions and prove their values.")
    parser.add_argument("folder", metavar="DIR", type=Path, nargs="?", help="folder of results and certificates")
    parser.add_argument("--collect", action="store_true", help="copy the results into docs/solved.jsonl")
    parser.add_argument("--only", metavar="WORD", default="", help="solve only rule sets with this word")
    parser.add_argument(
        "--all-leaves", action="store_true", help="solve all leaves again of results where only some were"
    )
    parser.add_argument(
        "--limit-time",
        metavar="SECONDS",
        type=float,
        help="give up a start after this time, its proof after ten times that",
    )
    parser.add_argument("--estimate", metavar="RULES", help="estimate what a start takes")
    parser.add_argument(
        "--bounds",
        nargs="+",
        metavar="RULES NUMBER",
        help="prove instead whether the value is at least each number, by one table",
    )
    options = parser.parse_args()
    if options.estimate:
        for line in estimate(parse_rules(options.estimate)):
            print(line, flush=True)
        return
    if options.folder is None:
        parser.error("name the folder of results and certificates")
    results_file = options.folder / "results.jsonl"
    if options.collect:
        write_results(DATA, in_order({**read_results(DATA), **read_results(results_file)}))
        return
    if options.all_leaves:
        for name, result in read_results(results_file).items():
            if options.only in name and result.checked < result.leaves:
                keep(checked_again(result, options.folder / "certificates"), results_file)
        return
    if options.bounds:
        rules, solver = parse_rules(options.bounds[0]), Solver(LARGE_MB)
        for number in map(int, options.bounds[1:]):
            bound = bound_start(rules, number, solver, options.folder / "certificates", options.limit_time)
            if bound is None:
                print(f"{rules}: at least {number:+d} or not: open in the limit", flush=True)
                continue
            keep(bound, results_file)
        return
    for rules in starts():
        results = read_results(results_file)
        if options.only not in str(rules) or str(rules) in results:
            continue
        solved = solve_start(rules, options.folder / "certificates", options.limit_time)
        if solved is None:
            print(f"{rules}: not solved in the limit", flush=True)
            continue
        keep(solved, results_file)


if __name__ == "__main__":
    main()
