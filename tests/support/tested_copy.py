"""Which copy of the package the tests meet: it must be the one that they stand beside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src" / "reversi"

_INSTALLED = "py", "pyi", "typed", "book", "css", "html", "js", "txt", "weights"
_WAY_OUT = "install these files with: python -m pip install -e '.[test]'"
_BUILD = "compile them with: python setup.py -q build_ext --inplace"


def wrong_copy(package: Path, sources: Path = SOURCES) -> str:
    """Return why tests of one folder would say nothing about ``sources``; empty where they do, or without sources.

    Args:
        package: the folder that ``import reversi`` finds.
        sources: the folder that stands beside the tests.
    """
    if not sources.is_dir():
        return ""
    if not package.samefile(sources):
        for path in _files(sources, *_INSTALLED):
            name = path.relative_to(sources)
            other = package / name
            if not other.is_file() or other.read_bytes() != path.read_bytes():
                return f"the tests would meet {package}, where {name} is another one than here; {_WAY_OUT}"
        return ""
    built = {path.name.split(".")[0]: path.stat().st_mtime for path in _files(package, "so", "pyd")}
    built.setdefault("_core", 0.0)
    newer = [
        path
        for path in _files(sources, "pyx", "pxi", "h")
        if any(path.stat().st_mtime > time for name, time in built.items() if _is_part(path, name))
    ]
    return f"{newer[0].relative_to(sources)} is newer than the compiled modules; {_BUILD}" if newer else ""


def _files(folder: Path, *endings: str) -> Iterator[Path]:
    return (path for ending in endings for path in sorted(folder.rglob(f"*.{ending}")))


def _is_part(source: Path, module: str) -> bool:
    """Return whether a compiled module may have a source: only the core has what Python sees."""
    if source.suffix == ".pyx":
        return source.stem == module
    return module == "_core" or source.parent.name != "binding"
