"""``reversi prove``: the value of a position with its proof."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from reversi.cli.console import StatusCollector, cancelled_by_signals, command, fail, out, out_json, rules_option
from reversi.cli.options import InputArgument, RulesOption, ToMoveOption
from reversi.cli.outputs import ForceOption, Inputs, check_output, write_pieces
from reversi.cli.pasted import entries, read_input, to_move_option
from reversi.cli.progress import ProgressLine
from reversi.cli.status import Status
from reversi.cli.tree import Commands
from reversi.errors import TableSizeError
from reversi.score import format_score


def register(app: Commands) -> None:
    """Add the command to ``app``."""
    app.command("prove")(_prove)


@command
def _prove(
    text: InputArgument,
    proof: Annotated[str, typer.Option("--proof", metavar="FILE", help="Write the certificate to FILE.")] = "",
    wld: Annotated[bool, typer.Option("--wld", help="Prove only who wins; this is smaller.")] = False,
    leaf_empties: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=60, help="Let the solver alone prove positions with N empty squares."
        ),
    ] = 10,
    rules: RulesOption = "othello",
    to_move: ToMoveOption = "",
    force: ForceOption = False,
    threads: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=1024, show_default="usable CPUs", help="Use N threads for the run."),
    ] = None,
    hash_mb: Annotated[
        int, typer.Option("--hash", metavar="MB", min=1, help="Use a hash table of MB megabytes.")
    ] = 256,
    json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False,
) -> None:
    """Solve one position, and write a certificate of its value that others can check.

    The certificate has a line for every position of the strategy: a move, all moves, or a leaf. 'reversi proof
    check' checks it without the solver.

    Example: reversi prove position.txt --proof position.proof

    Example: reversi prove position.txt --wld --proof position.proof --leaf-empties 12
    """
    from reversi._system.limits import check_memory, usable_cpus
    from reversi.solver.proofs.certificate import ProofStopped, write_certificate
    from reversi.solver.proofs.making import prove
    from reversi.solver.question import Question
    from reversi.solver.solver import Solver
    from reversi.solver.stopping import Cancel

    rule_set, side = rules_option(rules), to_move_option(to_move)
    if not proof:
        fail(Status.USAGE, "name the file of the certificate with --proof; - is standard output")
    pasted = read_input(text)
    check_output(proof, Inputs(pasted.path), force=force)
    found = list(entries(pasted, rule_set, side))
    if len(found) != 1:
        what = "no position" if not found else f"{len(found)} positions"
        fail(Status.BAD_DATA, f"{pasted.name or 'the text'} contains {what}; prove takes one")
    (entry,) = found
    if entry.position is None:
        fail(Status.BAD_DATA, f"{pasted.place(entry.line)}: {entry.error}")
    line, cancel, began = ProgressLine(), Cancel(), time.perf_counter()

    def show(done: int, waiting: int) -> None:
        line.show(lambda: f"{done:,d} statements, {waiting:,d} positions wait")

    try:
        check_memory(hash_mb)
        solver = Solver(hash_mb, usable_cpus() if threads is None else threads)
        with cancelled_by_signals(cancel):
            certificate = prove(
                entry.position,
                Question(wld=wld),
                leaf_empties=leaf_empties,
                solver=solver,
                cancel=cancel,
                progress=show,
            )
    except (TableSizeError, MemoryError) as error:
        fail(Status.USAGE, f"--hash {hash_mb}: {error or 'not enough memory'}")
    except ProofStopped:
        line.clear()
        fail(Status.INTERRUPTED, "")
    line.clear()
    write_pieces(proof, write_certificate(certificate))
    leaves = sum(statement.leaf for statement in certificate.statements)
    seconds = time.perf_counter() - began
    bounds = (certificate.lower, certificate.upper)
    if proof == "-":
        pass
    elif json:
        fields = {
            "proof": proof,
            "lower": bounds[0],
            "upper": bounds[1],
            "statements": len(certificate.statements),
        }
        out_json({**fields, "leaves": leaves, "time_s": round(seconds, 6)})
    else:
        out(f"{bounds_text(*bounds)}: {len(certificate.statements):,d} statements, {leaves:,d} of them leaves")
    StatusCollector().finish()


def bounds_text(lower: int, upper: int) -> str:
    """Return what bounds say about a value, for the side to move."""
    if lower == upper:
        return f"{format_score(lower)} exact"
    return f"{format_score(lower)} to {format_score(upper)}"
