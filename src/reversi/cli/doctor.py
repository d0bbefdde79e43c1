"""``reversi doctor``: check the installation."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from reversi.cli.cluster import Cluster
from reversi.cli.console import Exit, command, out, out_json
from reversi.cli.option_groups import Flag
from reversi.cli.status import Status
from reversi.selfcheck.doctor import Diagnosis, diagnose
from reversi.text.counting import counted

if TYPE_CHECKING:
    from reversi.selfcheck.cluster import ClusterDiagnosis, WorkerDiagnosis


@command
def doctor(
    cluster: Cluster,
    json: Annotated[bool, Flag("Write one JSON object.")] = False,
) -> None:
    """Check this installation and show what it finds on this machine.

    The command tests every build of the compiled code that this machine can run. With --cluster it checks the
    workers of a cluster instead: their versions, weights, builds, threads, memory and speed. The exit status is 1
    when a check fails.

    Example: reversi doctor

    Example: reversi doctor --cluster tls://10.0.0.1:8786
    """
    if cluster:
        _check_cluster(cluster, json=json)
        return
    diagnosis = diagnose(os.environ)
    if json:
        out_json({**asdict(diagnosis), "ok": diagnosis.is_sound})
    else:
        _write(diagnosis)
    if not diagnosis.is_sound:
        raise Exit(Status.FINDING)


def _check_cluster(cluster: Cluster, *, json: bool) -> None:
    with cluster.connection(check=False) as connection:
        assert connection is not None
        from reversi.selfcheck.cluster import diagnose_cluster

        diagnosis = diagnose_cluster(connection)
    if json:
        out_json(_cluster_fields(diagnosis))
    else:
        _write_cluster(diagnosis)
    if not diagnosis.is_sound:
        raise Exit(Status.FINDING)


def _cluster_fields(diagnosis: ClusterDiagnosis) -> dict[str, object]:
    workers = [{**asdict(worker), "ok": worker.is_sound} for worker in diagnosis.workers]
    return {**asdict(diagnosis), "workers": workers, "ok": diagnosis.is_sound}


def _write_cluster(diagnosis: ClusterDiagnosis) -> None:
    workers = diagnosis.workers
    threads = sum(worker.threads for worker in workers)
    hosts = {worker.host for worker in workers if worker.host}
    rows = [
        ("scheduler", diagnosis.scheduler),
        ("workers", f"{len(workers)} with {counted(threads, 'thread')} on {counted(len(hosts), 'machine')}"),
        *([("hash", f"up to {diagnosis.hash_mb:,} MB fit")] if diagnosis.hash_mb is not None else []),
    ]
    if not workers:
        rows[1] = ("workers", "WRONG: none; start one with 'dask worker ADDRESS'")
    for worker in workers:
        if worker.is_sound:
            rows.append((worker.address, f"ok: {_described(worker)}"))
        rows += [(worker.address, f"WRONG: {problem}") for problem in worker.problems]
        rows += [(worker.address, f"note: {hint}") for hint in worker.hints]
    rows += [("note", hint) for hint in diagnosis.hints]
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        out(f"{name:<{width}}  {value}")


def _described(worker: WorkerDiagnosis) -> str:
    memory = "unknown memory" if worker.memory_mb is None else f"{worker.memory_mb:,} MB"
    speed = (worker.nodes_per_s or 0) / 1e6
    return (
        f"{worker.host}, {counted(worker.threads, 'thread')} on {counted(worker.cpus or 0, 'CPU')}, {memory}, "
        f"{worker.isa}, {speed:.1f} million nodes a second"
    )


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
