"""What ``reversi doctor`` looks at."""

from __future__ import annotations

import importlib.metadata
import os
from dataclasses import replace
from email.message import Message
from pathlib import Path

import pytest

from files import new_file
from reversi import __version__
from reversi._core import ISA, USABLE_ISAS
from reversi._system.limits import usable_cpus
from reversi.evaluation.weights import WeightsError
from reversi.selfcheck import doctor as module
from reversi.selfcheck.doctor import BuildAnswer, Diagnosis, compare_builds, diagnose


@pytest.fixture(scope="module")
def found() -> Diagnosis:
    return diagnose(os.environ)


def test_this_installation_is_sound(found: Diagnosis) -> None:
    assert found.is_sound, found.checks
    assert [check.name for check in found.checks] == [
        *(f"compiled code for {isa}" for isa in USABLE_ISAS),
        "builds agree",
        "evaluation weights",
    ]
    assert all(check.ok for check in found.checks)


def test_what_is_known_of_the_machine(found: Diagnosis) -> None:
    assert found.version == __version__
    assert found.isa == ISA
    assert [isa for isa, state in found.isas.items() if state == "usable"] == list(USABLE_ISAS)
    assert set(found.isas.values()) <= {"usable", "not built", "not supported"}
    assert found.threads == usable_cpus()
    assert found.memory_mb is None or found.memory_mb > 100
    assert found.python.startswith("CPython 3.")
    assert len(found.weights) == 12


def test_whether_the_build_was_forced() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "REVERSI_ISA"}
    assert not diagnose(environment).forced
    assert diagnose({**environment, "REVERSI_ISA": ISA}).forced


def test_packages_on_the_path_stay_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "somewhere_else.py").write_text("")
    monkeypatch.setattr(module, "_ASK", f"import somewhere_else\n{module._ASK}")
    assert not diagnose(os.environ).is_sound
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    assert diagnose({**os.environ, "PYTHONPATH": os.pathsep.join(paths)}).is_sound


RIGHT = BuildAnswer("x86-64-v3", leaves=390216, score=-4, kind="exact", nodes=1000, evaluation=-3.5)


def test_right_answers_that_agree() -> None:
    checks = compare_builds([RIGHT, replace(RIGHT, isa="portable")])
    assert [(check.name, check.ok) for check in checks] == [
        ("compiled code for x86-64-v3", True),
        ("compiled code for portable", True),
        ("builds agree", True),
    ]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (replace(RIGHT, leaves=390215), "perft 8 is 390215"),
        (replace(RIGHT, score=-3), "the endgame is -3 exact"),
        (replace(RIGHT, kind="selective"), "the endgame is -4 selective"),
        (replace(RIGHT, nodes=1001), "different numbers of nodes: "),
        (replace(RIGHT, evaluation=None), "different evaluations: "),
        (BuildAnswer("portable", error="exit status -4"), "exit status -4"),
    ],
)
def test_a_build_that_answers_wrongly_is_found(wrong: BuildAnswer, message: str) -> None:
    found = [check.message for check in compare_builds([RIGHT, wrong]) if check.ok is False]
    assert len(found) == 1
    assert message in found[0]


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for the interpreter is a shell script")
def test_a_build_that_crashes_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The interpreter is replaced by one that fails as a crash at import does."""
    broken = new_file(tmp_path / "python", '#!/bin/sh\necho "SystemError: broken" >&2\nexit 1\n')
    broken.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(broken))
    found = diagnose(os.environ)
    assert [check.message for check in found.checks if check.ok is False] == [
        "exit status 1: SystemError: broken"
    ] * len(USABLE_ISAS)
    assert [check.ok for check in found.checks if check.name == "builds agree"] == [None]


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for the interpreter is a shell script")
def test_another_build_that_runs_instead_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    deaf = new_file(tmp_path / "python", '#!/bin/sh\necho \'{"isa": "another", "leaves": 390216}\'\n')
    deaf.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(deaf))
    found = diagnose(os.environ)
    assert [check.message for check in found.checks if check.ok is False] == [
        "the build another ran instead"
    ] * len(USABLE_ISAS)


def test_no_interpreter_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/no/such/python")
    found = diagnose(os.environ)
    assert not found.is_sound
    assert "cannot run" in found.checks[0].message


def test_missing_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise WeightsError("evaluation/standard.weights: cannot be read")

    monkeypatch.setattr(module, "check_default_weights", missing)
    found = diagnose(os.environ)
    assert (found.is_sound, found.weights) == (False, "")
    assert found.checks[-1].message == "evaluation/standard.weights: cannot be read"


def test_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fake(importlib.metadata.Distribution):
        @property
        def metadata(self) -> Message:  # type: ignore[override]
            message = Message()
            for name in ("dev", "numpy", "play", "test", "tui"):
                message["Provides-Extra"] = name
            return message

        @property
        def requires(self) -> list[str]:
            return [
                "typer>=0.26",
                'pytest>=8.3; extra == "test"',
                "no-such-package[x]>=1; python_version > '3' and extra == 'tui'",
                'pytest ; extra == "tui"',
                'reversi-engine[numpy,tui] ; extra == "play"',
                'pytest>=8.3; extra == "numpy"',
                'no-such-tool; extra == "dev"',
            ]

        def read_text(self, filename: str) -> None:
            return None

        def locate_file(self, path: object) -> None:  # type: ignore[override]
            return None

    real = importlib.metadata.distribution
    monkeypatch.setattr(
        importlib.metadata, "distribution", lambda name: Fake() if name == module.DISTRIBUTION else real(name)
    )
    assert diagnose(os.environ).extras == {
        "numpy": [],
        "play": ["no-such-package"],
        "tui": ["no-such-package"],
    }

    def nothing(_: str) -> None:
        raise importlib.metadata.PackageNotFoundError

    monkeypatch.setattr(importlib.metadata, "distribution", nothing)
    assert diagnose(os.environ).extras is None
