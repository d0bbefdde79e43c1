"""Paths that may not exist, or that the system does not show.

Before Python 3.14 the methods of `pathlib.Path` raise where a folder is closed, a name is too long or a link leads
to itself. These functions do not.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Final

STANDARD_INPUT: Final = "-"
"""The path that stands for standard input."""
_NOT_THERE: Final = {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL}
"""What the system says of a name that no file has."""


def source_name(path: str) -> str:
    """Return what a message calls a file, or standard input."""
    return "standard input" if path == STANDARD_INPUT else path


def exists(path: str | Path) -> bool:
    """Return whether something has the name; false where nobody can say."""
    return os.path.exists(path)  # noqa: PTH110


def may_exist(path: str | Path) -> bool:
    """Return whether something has the name, or may have it: in a closed folder, or behind a link to itself.

    Opening it says what is wrong.
    """
    try:
        os.stat(path)  # noqa: PTH116 - a text may be no path
    except OSError as error:
        return error.errno not in _NOT_THERE
    except ValueError:  # characters that no name has
        return False
    return True


def is_file(path: str | Path) -> bool:
    """Return whether a regular file has the name, or a link to one; false where nobody can say."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: str | Path) -> bool:
    """Return whether a folder has the name, or a link to one; false where nobody can say."""
    return os.path.isdir(path)  # noqa: PTH112


def is_link(path: str | Path) -> bool:
    """Return whether a link has the name, even one that leads nowhere; false where nobody can say."""
    return os.path.islink(path)  # noqa: PTH114


def real_path(path: str | Path) -> Path:
    """Return the one path of a file that several names may lead to; links are followed as far as possible."""
    return Path(os.path.realpath(path))


def expanded(path: str | Path) -> Path:
    """Return a path with the home folder for ``~``; as it is where that user has none."""
    return Path(os.path.expanduser(path))  # noqa: PTH111
