"""The page about clusters: its options exist, and its files are what Dask and its relatives take."""

from __future__ import annotations

import argparse
import inspect
import re
import runpy
import stat
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from command_line import run_command, run_process, run_program
from dask_processes import dask_cluster
from reversi.work import Tls, connect

DOCS = Path(__file__).parents[2] / "docs"
CRD = "operator/deployment/helm/dask-kubernetes-operator/crds/daskcluster.yaml"
WORKER = (
    "--nthreads 1 --memory-limit 1.86GiB --nworkers 16 --nanny --death-timeout 60 --memory-limit 0 --no-dashboard"
)


@pytest.fixture
def certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the files of ``tls.py``, whose settings Dask has read."""
    pytest.importorskip("distributed")
    import dask

    folder = tmp_path / "dask"
    monkeypatch.setenv("DASK_CONFIG", str(folder))
    run_program(DOCS / "cluster" / "tls.py", folder).ends(0, out="", err="")
    with dask.config.set({}):
        dask.config.update(dask.config.config, dask.config.collect([str(folder)], env={}))
        yield folder
        dask.config.refresh()


@pytest.mark.thorough
def test_certificates_keep_strangers_out(certificates: Path) -> None:
    assert stat.S_IMODE((certificates / "key.pem").stat().st_mode) == 0o600
    with dask_cluster(certificates, None, tls=True) as address:
        with connect(address) as connection:
            assert connection.threads == 1
        files = Tls(*(str(certificates / name) for name in ("cert.pem", "cert.pem", "key.pem")))
        with connect(address, files) as connection:
            assert connection.threads == 1
        for stranger in (address.replace("tls", "tcp"), address):
            nowhere = {"DASK_CONFIG": str(certificates / "no")}
            run_process("doctor", "--cluster", stranger, environment=nowhere).ends(2, out="")


def test_the_compose_file_has_a_scheduler_and_two_workers() -> None:
    yaml = pytest.importorskip("yaml")
    found = yaml.safe_load((DOCS / "cluster" / "compose.yml").read_text(encoding="utf-8"))
    services = found["services"]
    assert set(found) == {"services", "networks"}
    for service in services.values():
        assert set(service) <= {"image", "command", "networks", "volumes", "ports", "depends_on", "deploy"}
        assert service["volumes"] == ["./tls:/etc/dask:ro"]
        assert set(service["networks"]) <= set(found["networks"])
        assert set(service.get("depends_on", ())) <= set(services)
    assert services["worker"]["deploy"]["replicas"] == 2
    assert all(port.startswith("127.0.0.1:") for port in services["scheduler"]["ports"])


@pytest.mark.parametrize(
    ("system", "lines"),
    [
        ("slurm", ["#SBATCH -n 1", "#SBATCH --cpus-per-task=16", "#SBATCH --mem=30G", "#SBATCH -t 12:00:00"]),
        ("sge", ["#$ -pe smp 16", "#$ -l h_rt=12:00:00", "#$ -cwd"]),
    ],
)
def test_the_jobs_of_a_batch_system(system: str, lines: list[str], certificates: Path) -> None:
    pytest.importorskip("dask_jobqueue")
    done = run_program(DOCS / "cluster" / "batch.py", system, "--show").ends(0, err="")
    script = done.stdout.strip().splitlines()
    assert script[0].startswith("#!")
    assert set(lines) <= set(script)
    assert script[-2] == "source ~/reversi/bin/activate"
    assert script[-1].startswith("python -m distributed.cli.dask_worker tls://")
    assert WORKER in script[-1]
    for option, name in (("ca-file", "cert"), ("cert", "cert"), ("key", "key")):
        assert f"--tls-{option} {certificates / name}.pem" in script[-1]
    from distributed.cli.dask_worker import main

    words = script[-1].split()
    parsed = main.make_context("worker", words[words.index("distributed.cli.dask_worker") + 1 :])
    assert (parsed.params["n_workers"], parsed.params["nthreads"], parsed.params["memory_limit"]) == ("16", 1, "0")


def test_the_processes_that_ssh_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    from distributed import Nanny
    from distributed.deploy import ssh

    monkeypatch.setattr(ssh, "SpecCluster", lambda workers, scheduler, **_: (scheduler, workers))
    program = runpy.run_path(str(DOCS / "cluster" / "ssh.py"))
    options = argparse.Namespace(machines=["one", "two"], processes=16, python="~/reversi/bin/python")
    scheduler, workers = program["make_cluster"](options)
    assert scheduler["options"]["address"] == "one"
    assert scheduler["options"]["kwargs"] == {"protocol": "tls://", "port": 8786, "dashboard": False}
    assert [worker["options"]["address"] for worker in workers.values()] == ["one", "two"]
    for worker in workers.values():
        assert worker["options"]["remote_python"] == "~/reversi/bin/python"
        settings = dict(worker["options"]["kwargs"])
        assert settings.pop("n_workers") == 16
        assert settings == {"nthreads": 1, "memory_limit": "0"}
        assert set(settings) <= set(inspect.signature(Nanny).parameters)  # which the other side makes of them


def test_the_options_of_dask_ssh_exist() -> None:
    pytest.importorskip("distributed")
    from distributed.cli.dask_ssh import main

    page = (DOCS / "cluster.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^ *dask ssh (.*)$", page, re.MULTILINE)
    parsed = main.make_context("ssh", line.split())
    assert parsed.params["hostnames"] == ("first", "second", "third")
    assert (parsed.params["n_workers"], parsed.params["nthreads"], parsed.params["memory_limit"]) == (16, 1, "0")


def test_the_manifest_for_kubernetes() -> None:
    yaml, jsonschema = pytest.importorskip("yaml"), pytest.importorskip("jsonschema")
    if (package := find_spec("dask_kubernetes")) is None or package.origin is None:
        pytest.skip("needs dask-kubernetes")
    definition = yaml.safe_load((Path(package.origin).parent / CRD).read_text("utf-8"))
    manifest = yaml.safe_load((DOCS / "cluster" / "kubernetes.yml").read_text(encoding="utf-8"))
    names, version = definition["spec"]["names"], definition["spec"]["versions"][0]
    assert manifest["apiVersion"] == f"{definition['spec']['group']}/{version['name']}"
    assert manifest["kind"] == names["kind"]
    schema = version["schema"]["openAPIV3Schema"]
    jsonschema.Draft4Validator(schema).validate(manifest)
    assert list(_unknown(schema["properties"]["spec"], manifest["spec"], "spec")) == []
    for part in ("worker", "scheduler"):
        (container,) = manifest["spec"][part]["spec"]["containers"]
        assert container["args"][:2] == ["dask", part]
        assert container["volumeMounts"] == [{"name": "tls", "mountPath": "/etc/dask", "readOnly": True}]
        assert container["resources"]["requests"] == container["resources"]["limits"]
    assert manifest["spec"]["scheduler"]["service"]["selector"] == {
        "dask.org/cluster-name": manifest["metadata"]["name"],
        "dask.org/component": "scheduler",
    }


def _unknown(schema: dict[str, Any], value: object, place: str) -> Iterator[str]:
    """Fields that the schema does not have: Kubernetes drops them."""
    if isinstance(value, dict) and "properties" in schema:
        for name, item in value.items():
            if name not in schema["properties"]:
                yield f"{place}.{name}"
            else:
                yield from _unknown(schema["properties"][name], item, f"{place}.{name}")
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _unknown(schema.get("items", {}), item, f"{place}[{number}]")


@pytest.mark.parametrize("command", ["solve", "prove", "analyze", "match", "doctor"])
def test_the_options_of_the_page_exist(command: str) -> None:
    page = (DOCS / "cluster.md").read_text(encoding="utf-8")
    known = run_command(command, "--help").stdout
    lines = re.findall(rf"reversi {command} .*", page)
    used = {option for line in lines for option in re.findall(r"--[a-z-]+", line)}
    assert "--cluster" in used
    for option in {*used, "--tls-ca", "--tls-cert", "--tls-key"}:
        assert option in known
