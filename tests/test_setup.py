"""The build: which compiler makes the compiled modules, and with which flags."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
setuptools = pytest.importorskip("setuptools", reason="needs setuptools")
Build = pytest.importorskip("Cython.Build", reason="needs Cython")

pytestmark = pytest.mark.skipif(
    sys.platform in ("win32", "darwin") or not (ROOT / "setup.py").exists(),
    reason="needs the sources, and no own cc",
)


class StopError(Exception):
    """The modules would be compiled now."""


@pytest.fixture
def build(monkeypatch, tmp_path):
    """Call the build with a PATH of its own; return the compiler's commands and the flags of the modules."""
    for name in ("CC", "CFLAGS", "LDSHARED", "ARCHFLAGS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(ROOT)

    def program(name: str, words: str) -> None:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{words}\n")
        path.chmod(0o755)

    def call(**variables: str) -> tuple[list[str], list[str], list[list[str]]]:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        given: dict[str, object] = {}
        monkeypatch.setattr(setuptools, "setup", lambda **options: given.update(options))
        monkeypatch.setattr(Build, "cythonize", lambda extensions, **_: extensions)
        monkeypatch.setattr(sys, "path", list(sys.path))
        runpy.run_path(str(ROOT / "setup.py"))
        kind = given["cmdclass"]["build_ext"]  # type: ignore[index]
        extensions = given["ext_modules"]
        command = kind(setuptools.Distribution({"ext_modules": extensions}))

        def stop(self: object) -> None:
            raise StopError

        monkeypatch.setattr(kind.__mro__[1], "build_extensions", stop)
        with pytest.raises(StopError):
            command.ensure_finalized() or command.run()
        flags = [extension.extra_compile_args for extension in extensions]  # type: ignore[attr-defined]
        return command.compiler.compiler_so, command.compiler.linker_so, flags

    program("cc", "echo cc (GCC) 12.2.0")
    program("gcc", "echo gcc (GCC) 12.2.0")
    build = call
    build.program = program  # type: ignore[attr-defined]
    return build


def test_without_clang_the_default_compiler_compiles(build):
    compiler, _, flags = build()
    assert "clang" not in compiler[0]
    assert all({"-O3", "-g0", "-fno-strict-aliasing", "-Wno-maybe-uninitialized"} <= set(each) for each in flags)


def test_clang_compiles_where_it_can_and_gets_no_option_of_gcc(build):
    build.program("clang", "echo clang version 19.1.7")
    compiler, linker, flags = build()
    assert Path(compiler[0]).name == Path(linker[0]).name == "clang"
    assert "-shared" in linker
    assert not any("-Wno-maybe-uninitialized" in each for each in flags)


@pytest.mark.parametrize("words", ["exit 1", 'case "$*" in *-shared*) exit 1;; esac'])
def test_a_clang_that_cannot_make_an_extension_is_left_alone(build, words):
    build.program("clang", words)
    compiler, linker, flags = build()
    assert "clang" not in compiler[0] + linker[0]
    assert all("-Wno-maybe-uninitialized" in each for each in flags)


def test_a_chosen_compiler_wins(build):
    build.program("clang", "echo clang version 19.1.7")
    compiler, _, _ = build(CC="gcc -m64")
    assert compiler[:2] == ["gcc", "-m64"]


@pytest.mark.parametrize(
    ("given", "missing", "kept"),
    [
        ("-O2 -g", {"-O3", "-g0"}, set()),
        ("-Os", {"-O3"}, {"-g0"}),
        ("-ggdb3", {"-g0"}, {"-O3"}),
        ("-DRV_STATISTICS", set(), {"-O3", "-g0"}),
    ],
)
def test_flags_of_a_distribution_win(build, given, missing, kept):
    compiler, _, flags = build(CFLAGS=given)
    assert compiler[-len(given.split()) :] == given.split() or set(given.split()) <= set(compiler)
    for each in flags:
        assert not missing & set(each)
        assert kept <= set(each)
