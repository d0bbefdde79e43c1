"""``reversi proof``: certificates that ``reversi prove`` writes, checked."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from reversi.cli.console import cancelled_by_signals, command, fail, out, out_json, reading, stdin_buffer
from reversi.cli.option_groups import Flag
from reversi.cli.options import argument, option
from reversi.cli.progress import ProgressLine
from reversi.cli.prove import bounds_text, claim_text
from reversi.cli.status import Status
from reversi.solver.proofs.certificate import CertificateError, NoCertificateError, ProofStopped, read_certificate
from reversi.solver.proofs.checking import check_certificate
from reversi.solver.solver import Solver
from reversi.text.position_json import position_fields
from reversi.work.cancel import Cancel


@command
def check(
    file: Annotated[str, argument("FILE", "A certificate; - is standard input.")],
    leaves: Annotated[str, option("all|N", "Solve all leaves again, or N of them chosen at random.")] = "all",
    solver: Annotated[
        str, option("plain|full", "Solve leaves by plain alpha-beta, or by the full solver, which is faster.")
    ] = "plain",
    json: Annotated[bool, Flag("Write one JSON object.")] = False,
) -> None:
    """Check a certificate: hashes, every move by the rules, and the leaves by plain alpha-beta.

    The plain solver has no table, evaluation, selective search or stability. The check stops at the first wrong
    line, with status 1.

    Example: reversi proof check position.proof

    Example: reversi proof check large.proof --leaves 1000
    """
    if leaves != "all" and not (leaves.isascii() and leaves.isdecimal() and len(leaves) < 10):
        fail(Status.USAGE, f"--leaves {leaves[:40]}: give all, or a number of leaves")
    if solver not in ("plain", "full"):
        fail(Status.USAGE, f"--solver {solver[:40]}: give plain or full")
    name = "standard input" if file == "-" else file
    line, cancel, began = ProgressLine(), Cancel(), time.perf_counter()

    def show(done: int, total: int) -> None:
        line.show(lambda: f"{done:,d}/{total:,d} leaves solved", done / max(1, total))

    try:
        with reading(file), stdin_buffer() if file == "-" else Path(file).open("rb") as stream:
            certificate = read_certificate(stream, name)
        with cancelled_by_signals(cancel):
            checked = check_certificate(
                certificate,
                leaves=None if leaves == "all" else int(leaves),
                solver=Solver() if solver == "full" else None,
                name=name,
                cancel=cancel,
                progress=show,
            )
    except CertificateError as error:
        fail(Status.BAD_DATA if isinstance(error, NoCertificateError) else Status.FINDING, str(error))
    except ProofStopped:
        fail(Status.INTERRUPTED, "")
    position, seconds = certificate.position, time.perf_counter() - began
    if json:
        out_json(
            {
                "file": file,
                **position_fields(position),
                "kind": str(certificate.kind),
                "lower": certificate.lower,
                "upper": certificate.upper,
                **asdict(checked),
                "not_checked": checked.not_checked,
                "solver": solver,
                "time_s": round(seconds, 6),
            }
        )
        return
    out(claim_text(position))
    out(f"{bounds_text(certificate.lower, certificate.upper)} for the side to move")
    solved = f"{checked.solved:,d} of {checked.leaves:,d} leaves solved again"
    out(f"{checked.inner:,d} inner statements checked, {solved}")
    if checked.not_checked:
        out("the other leaves were not checked")
