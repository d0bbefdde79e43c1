"""The page about clusters: its options exist, and its compose file is one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from command_line import run_command

DOCS = Path(__file__).parents[2] / "docs"


def test_the_compose_file_has_a_scheduler_and_two_workers() -> None:
    yaml = pytest.importorskip("yaml")
    found = yaml.safe_load((DOCS / "cluster" / "compose.yml").read_text(encoding="utf-8"))
    services = found["services"]
    assert set(found) == {"services", "networks"}
    for service in services.values():
        assert set(service) <= {"image", "command", "networks", "ports", "depends_on", "deploy"}
        assert set(service["networks"]) <= set(found["networks"])
        assert set(service.get("depends_on", ())) <= set(services)
    assert services["worker"]["deploy"]["replicas"] == 2
    assert all(port.startswith("127.0.0.1:") for port in services["scheduler"]["ports"])


@pytest.mark.parametrize("command", ["solve", "prove", "analyze", "match"])
def test_the_options_of_the_page_exist(command: str) -> None:
    page = (DOCS / "cluster.md").read_text(encoding="utf-8")
    known = run_command(command, "--help").stdout
    lines = re.findall(rf"reversi {command} .*", page)
    used = {option for line in lines for option in re.findall(r"--[a-z-]+", line)}
    assert "--cluster" in used
    for option in {*used, "--tls-ca", "--tls-cert", "--tls-key"}:
        assert option in known
