"""The package as another machine may have it: of another version, or without some of its files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import reversi

WEIGHTS = "evaluation/standard.weights"


def other_package(folder: Path, *, version: str = "", without: Iterable[str] = ()) -> Path:
    """Make a folder for ``PYTHONPATH`` with this package: links to its files, but for what is changed.

    Args:
        folder: where to make it.
        version: another version.
        without: paths of files below the package that are left out.
    """
    source = Path(reversi.__file__).parent
    left_out = {source / name for name in without}
    version_file = source / "_version.py"
    _link(source, folder / "reversi", left_out | ({version_file} if version else set()))
    if version:
        (folder / "reversi" / "_version.py").write_text(f'__version__ = "{version}"\n')
    return folder


def _link(source: Path, target: Path, left_out: set[Path]) -> None:
    target.mkdir(parents=True)
    for path in source.iterdir():
        if path.is_dir() and any(path in other.parents for other in left_out):
            _link(path, target / path.name, left_out)
        elif path not in left_out:
            (target / path.name).symlink_to(path)
