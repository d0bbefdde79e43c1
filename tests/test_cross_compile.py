"""The program that compiles the C for other systems finds what they refuse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("ziglang", reason="needs ziglang")
pytest.importorskip("Cython", reason="needs Cython")
pytest.importorskip("setuptools", reason="needs setuptools")

import cross_compile

SETUP = """
from Cython.Build import cythonize
from setuptools import Extension, setup

setup(ext_modules=cythonize([Extension("planted", ["planted.pyx"], extra_compile_args=[])]))
"""
SOURCE = """
cdef struct Planted_{field}:
    int {field}

cdef Planted_{field} made_{field}
made_{field}.{field} = 1
"""
FIELDS = ("near", "far", "small", "IN", "OUT", "ERROR")


@pytest.fixture
def project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(cross_compile, "ROOT", tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "setup.py").write_text(SETUP, encoding="utf-8")
    return tmp_path


@pytest.mark.thorough
def test_fields_that_windows_defines_are_found(project, capfd):
    (project / "planted.pyx").write_text("".join(SOURCE.format(field=field) for field in FIELDS), encoding="utf-8")
    assert cross_compile.main(["x86_64-windows", "arm64-windows", "arm64-linux"]) == 1
    *windows, linux = re.split(r"^(?=\S+: planted: )", capfd.readouterr().out, flags=re.MULTILINE)[1:]
    assert linux.startswith("arm64-linux: planted: ok")
    assert len(windows) == 2
    for said in windows:
        assert all(f"| int {field};" in re.sub(" +", " ", said) for field in FIELDS), said


@pytest.mark.thorough
def test_other_names_compile_everywhere(project, capfd):
    (project / "planted.pyx").write_text(SOURCE.format(field="near_table"), encoding="utf-8")
    assert cross_compile.main([]) == 0
    assert capfd.readouterr().out.count("planted: ok") == len(cross_compile.SYSTEMS)


def test_a_system_that_is_not_there_is_named(capsys):
    with pytest.raises(SystemExit):
        cross_compile.main(["x86_64-amiga"])
    assert "no such system: x86_64-amiga" in capsys.readouterr().err
