"""What ``reversi doctor`` looks at."""

from __future__ import annotations

import importlib.metadata
import os
from email.message import Message

import pytest

from reversi import __version__
from reversi import diagnosis as module
from reversi._core import ISA, USABLE_ISAS
from reversi.diagnosis import Diagnosis, diagnose
from reversi.evaluation import WeightsError
from reversi.resources import usable_cpus


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


ODD_ONE = f"(7 if ISA == {USABLE_ISAS[0]!r} else 8)"


@pytest.mark.parametrize(
    ("part", "instead", "message"),
    [
        ("Position().perft(8)", "390215", "perft 8 is 390215"),
        ("score.value", "-3", "the endgame is -3 exact"),
        ("score.nodes", ODD_ONE, "different numbers of nodes: "),
        (" guess]", f"{ODD_ONE}]", "different evaluations: "),
        ("[ISA", "['another'", "another ran instead"),
    ],
)
def test_a_build_that_answers_wrongly_is_found(
    monkeypatch: pytest.MonkeyPatch, part: str, instead: str, message: str
) -> None:
    if instead.startswith(ODD_ONE) and len(USABLE_ISAS) == 1:
        pytest.skip("this machine has one build")
    assert module._PROBE.count(part) == 1
    monkeypatch.setattr(module, "_PROBE", module._PROBE.replace(part, instead))
    found = diagnose(os.environ)
    assert not found.is_sound
    wrong = [check.message for check in found.checks if check.ok is False]
    assert wrong
    assert all(message in one for one in wrong), wrong


def test_a_build_that_crashes_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PROBE", "raise SystemError('broken')")
    found = diagnose(os.environ)
    assert [check.message for check in found.checks if check.ok is False] == [
        "exit status 1: SystemError: broken"
    ] * len(USABLE_ISAS)
    assert [check.ok for check in found.checks if check.name == "builds agree"] == [None]


def test_no_interpreter_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/no/such/python")
    found = diagnose(os.environ)
    assert not found.is_sound
    assert "cannot be asked" in found.checks[0].message


def test_missing_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise WeightsError("weights/standard.weights: cannot be read")

    monkeypatch.setattr(module, "default_weights", missing)
    found = diagnose(os.environ)
    assert (found.is_sound, found.weights) == (False, "")
    assert found.checks[-1].message == "weights/standard.weights: cannot be read"


def test_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fake(importlib.metadata.Distribution):
        @property
        def metadata(self) -> Message:  # type: ignore[override]
            message = Message()
            message["Provides-Extra"] = "test"
            message["Provides-Extra"] = "tui"
            return message

        @property
        def requires(self) -> list[str]:
            return [
                "typer>=0.26",
                'pytest>=8.3; extra == "test"',
                "no-such-package[x]>=1; python_version > '3' and extra == 'tui'",
                'pytest ; extra == "tui"',
            ]

        def read_text(self, filename: str) -> None:
            return None

        def locate_file(self, path: object) -> None:  # type: ignore[override]
            return None

    real = importlib.metadata.distribution
    monkeypatch.setattr(
        importlib.metadata, "distribution", lambda name: Fake() if name == module.DISTRIBUTION else real(name)
    )
    assert diagnose(os.environ).extras == {"test": [], "tui": ["no-such-package"]}

    def nothing(_: str) -> None:
        raise importlib.metadata.PackageNotFoundError

    monkeypatch.setattr(importlib.metadata, "distribution", nothing)
    assert diagnose(os.environ).extras is None
