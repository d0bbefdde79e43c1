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
    found = diagnose(os.environ)
    if json:
        out_json(_fields(found))
    else:
        _write(found)
    if not found.is_sound:
        raise Exit(Status.FINDING)


def _fields(found: Diagnosis) -> dict[str, object]:
    return {
        "version": found.version,
        "path": found.path,
        "python": found.python,
        "platform": found.platform,
        "cpu": found.cpu,
        "isas": found.isas,
        "isa": found.isa,
        "forced": found.forced,
        "threads": found.threads,
        "memory_mb": found.memory_mb,
        "weights": found.weights,
        "extras": found.extras,
        "checks": [{"name": check.name, "ok": check.ok, "message": check.message} for check in found.checks],
        "ok": found.is_sound,
    }


def _write(found: Diagnosis) -> None:
    why = "selected by REVERSI_ISA" if found.forced else "the best usable one"
    memory = "unknown" if found.memory_mb is None else f"{found.memory_mb} MB"
    rows = [
        ("reversi", f"{found.version} in {found.path}"),
        ("Python", found.python),
        ("platform", found.platform),
        ("processor", found.cpu or "unknown"),
        ("builds", ", ".join(f"{isa} {state}" for isa, state in found.isas.items())),
        ("build used", f"{found.isa}: {why}"),
        ("threads", str(found.threads)),
        ("memory", memory),
        *_extra_rows(found.extras),
    ]
    width = max(len(check.name) for check in found.checks)
    for name, value in rows:
        out(f"{name:<{width}}  {value}")
    for check in found.checks:
        verdict = {True: "ok", False: "WRONG", None: "not checked"}[check.ok]
        out(f"{check.name:<{width}}  {verdict}: {check.message}")


def _extra_rows(extras: dict[str, list[str]] | None) -> list[tuple[str, str]]:
    if extras is None:
        return [("extras", "unknown: the package is on the path, not installed")]
    return [
        (f"extra {name}", "installed" if not missing else f"missing {', '.join(missing)}")
        for name, missing in extras.items()
    ]
