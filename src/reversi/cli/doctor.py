"""``reversi doctor``: check the installation."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from reversi.cli.console import Exit, command, out, out_json
from reversi.cli.status import Status
from reversi.cli.tree import Commands
from reversi.selfcheck.doctor import Diagnosis, diagnose


def register(app: Commands) -> None:
    """Add the command to ``app``."""
    app.command("doctor")(_doctor)


@command
def _doctor(json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False) -> None:
    """Check this installation and show what it finds on this machine.

    The command tests every build of the compiled code that this machine can run. The exit status is 1 when a
    check fails.

    Example: reversi doctor
    """
    diagnosis = diagnose(os.environ)
    if json:
        out_json(_fields(diagnosis))
    else:
        _write(diagnosis)
    if not diagnosis.is_sound:
        raise Exit(Status.FINDING)


def _fields(diagnosis: Diagnosis) -> dict[str, object]:
    return {
        "version": diagnosis.version,
        "path": diagnosis.path,
        "python": diagnosis.python,
        "platform": diagnosis.platform,
        "cpu": diagnosis.cpu,
        "isas": diagnosis.isas,
        "isa": diagnosis.isa,
        "forced": diagnosis.forced,
        "compiler": diagnosis.compiler,
        "threads": diagnosis.threads,
        "memory_mb": diagnosis.memory_mb,
        "weights": diagnosis.weights,
        "extras": diagnosis.extras,
        "checks": [{"name": check.name, "ok": check.ok, "message": check.message} for check in diagnosis.checks],
        "ok": diagnosis.is_sound,
    }


def _write(diagnosis: Diagnosis) -> None:
    why = "selected by REVERSI_ISA" if diagnosis.forced else "the best usable one"
    memory = "unknown" if diagnosis.memory_mb is None else f"{diagnosis.memory_mb} MB"
    rows = [
        ("reversi", f"{diagnosis.version} in {diagnosis.path}"),
        ("Python", diagnosis.python),
        ("platform", diagnosis.platform),
        ("processor", diagnosis.cpu or "unknown"),
        ("builds", ", ".join(f"{isa} {state}" for isa, state in diagnosis.isas.items())),
        ("build used", f"{diagnosis.isa}: {why}"),
        ("compiler", diagnosis.compiler),
        ("threads", str(diagnosis.threads)),
        ("memory", memory),
        *_extra_rows(diagnosis.extras),
    ]
    width = max(len(check.name) for check in diagnosis.checks)
    for name, value in rows:
        out(f"{name:<{width}}  {value}")
    for check in diagnosis.checks:
        verdict = {True: "ok", False: "WRONG", None: "not checked"}[check.ok]
        out(f"{check.name:<{width}}  {verdict}: {check.message}")


def _extra_rows(extras: dict[str, list[str]] | None) -> list[tuple[str, str]]:
    if extras is None:
        return [("extras", "unknown: the package is on the path, not installed")]
    return [
        (f"extra {name}", "installed" if not missing else f"missing {', '.join(missing)}")
        for name, missing in extras.items()
    ]
