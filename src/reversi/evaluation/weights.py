"""The learned evaluation of the standard game: what a position is worth without searching.

The weights come with the package, in one file that is mapped into memory when they are first needed. It has
them in the form in which they are used, and processes share it.

>>> from reversi import Position, parse_rules
>>> from reversi.evaluation import evaluate
>>> round(evaluate(Position(parse_rules("othello"))).discs)
0

The file, version 4: a header of 64 bytes, then what `reversi._core.Weights` takes (``_kernel/evaluation.h`` and
``_kernel/evaluation_net.h``). All numbers are little-endian. The header has 8 bytes ``REVERSI`` and a line
feed, the version (2 bytes), the number of stages (2) and of weights in a stage (4), the alignment of what
follows, 64 (4), its size (8), its SHA-256 (32), and its parts (4): the sum of 1 for the stages' weights, 2 for the
narrow net, 4 for the wide net. Header and size are checked on every load. Files that a user names are checked to
the last byte; ``reversi doctor`` checks the file of the package in the same way.
"""

from __future__ import annotations

import mmap
import os
import struct
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from types import NoneType

from reversi._core import WEIGHTS_LAYOUT, Position, Weights, expand_weights, weights_size
from reversi.arguments import TEXT_TO_POSITION, FilePath, check_type, open_file
from reversi.errors import MissingFileError, ReversiError

FILE_NAME = "standard.weights"
FORMAT = 4
HEADER_SIZE = 64
_MAGIC = b"REVERSI\n"
_HEADER = struct.Struct("<8sHHIIQ32sI")
_STAGES, _STAGE, _ALIGNMENT = WEIGHTS_LAYOUT
_ALL_PARTS = 7
_PACKAGE_FILE = Path(__file__).with_name(FILE_NAME)
_REMEDY = "export it anew with this version's training"
_REINSTALL = "reinstall the package"


class WeightsError(ReversiError):
    """The evaluation's weights cannot be read: the file is missing, damaged or of another version."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the evaluation says, from the mover's view.

    Attributes:
        discs: the expected final difference in discs; a guess, except in a finished game.
    """

    discs: float


def pack_weights(plain: bytes | None, step: int, net: bytes | None = None, wide: bytes | None = None) -> bytes:
    """Return the content of a weights file; the arguments are those of `reversi._core.expand_weights`.

    Raises:
        ValueError: the numbers have another size than the evaluation's, the step is out of range, a net could
            overflow, or nothing values some numbers of empty squares.
    """
    body, parts = expand_weights(plain, step, net, wide)
    digest = _digest(body)
    return _HEADER.pack(_MAGIC, FORMAT, _STAGES, _STAGE, _ALIGNMENT, len(body), digest, parts) + body


def read_weights(data: bytes, name: str, remedy: str = _REMEDY) -> Weights:
    """Return the weights of a weights file's content, checked to the last byte.

    Args:
        data: the content.
        name: what errors call the file.
        remedy: what errors advise.

    Raises:
        WeightsError: it is damaged, or of a version that this package does not read.
    """
    digest, parts = _check_header(data[:HEADER_SIZE], len(data), name, remedy)
    body = memoryview(data)[HEADER_SIZE:]
    if _digest(body) != digest:
        raise WeightsError(f"{name}: damaged (wrong checksum); {remedy}")
    return _weights(body, parts, name, remedy)


def _digest(body: bytes | memoryview) -> bytes:
    import hashlib  # which takes longer to load than all else here

    return hashlib.sha256(body).digest()


def _check_header(header: bytes, size: int, name: str, remedy: str) -> tuple[bytes, int]:
    """Check the header and the size of a file; return the checksum that the header states, and the parts."""
    if header[:8] != _MAGIC:
        raise WeightsError(f"{name}: not a file of evaluation weights")
    if len(header) < HEADER_SIZE:
        raise WeightsError(f"{name}: damaged ({size:,} bytes are too few); {remedy}")
    _, version, *layout, body, digest, parts = _HEADER.unpack(header)
    known = version == FORMAT and layout == [_STAGES, _STAGE, _ALIGNMENT] and 0 < parts <= _ALL_PARTS
    if not known or body != weights_size(parts):
        raise WeightsError(f"{name}: evaluation weights of another version; {remedy}")
    if size != HEADER_SIZE + body:
        raise WeightsError(f"{name}: damaged ({size:,} bytes, not {HEADER_SIZE + body:,}); {remedy}")
    if sys.byteorder != "little":
        raise WeightsError(f"{name}: the numbers are little-endian, this machine's are not")
    return bytes(digest), parts


def _weights(body: memoryview, parts: int, name: str, remedy: str) -> Weights:
    try:
        return Weights(body, parts)
    except ValueError as error:
        raise WeightsError(f"{name}: damaged ({error}); {remedy}") from None


_lock = threading.Lock()
_default: Weights | None = None


def _after_fork() -> None:
    """In the child the thread that held the lock does not exist."""
    global _lock  # noqa: PLW0603 - a lock that nobody can release
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def default_weights() -> Weights:
    """Return the weights that come with the package, mapped into memory once.

    Raises:
        WeightsError: the file is missing, short or of another version.
    """
    global _default  # noqa: PLW0603 - mapped once, kept
    if _default is None:
        with _lock:
            if _default is None:
                _default = _mapped()
    return _default


def _mapped() -> Weights:
    name = f"evaluation/{FILE_NAME}"
    try:
        with _PACKAGE_FILE.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            _, parts = _check_header(file.read(HEADER_SIZE), size, name, _REINSTALL)
            mapped = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:  # a ValueError: it became shorter
        raise WeightsError(f"{name}: cannot be read ({_why(error)}); {_REINSTALL}") from None
    return _weights(memoryview(mapped)[HEADER_SIZE:], parts, name, _REINSTALL)


def check_default_weights() -> None:
    """Check the package's weights to the last byte.

    Raises:
        WeightsError: the file is missing, damaged or of another version.
    """
    name = f"evaluation/{FILE_NAME}"
    try:
        data = _PACKAGE_FILE.read_bytes()
    except OSError as error:
        raise WeightsError(f"{name}: cannot be read ({_why(error)}); {_REINSTALL}") from None
    read_weights(data, name, _REINSTALL)


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def weights_version(data: bytes | None = None) -> str:
    """Return the first 12 hexadecimal digits of a weights file's checksum: of the package's, or of the given
    content.

    Raises:
        WeightsError: the file is missing or too short.
    """
    name = f"evaluation/{FILE_NAME}" if data is None else "the given content"
    if data is None:
        try:
            with _PACKAGE_FILE.open("rb") as file:
                data = file.read(HEADER_SIZE)
        except OSError as error:
            raise WeightsError(f"{name}: cannot be read ({_why(error)}); {_REINSTALL}") from None
    if len(data) < HEADER_SIZE:
        raise WeightsError(f"{name}: not a file of evaluation weights")
    digest: bytes = _HEADER.unpack_from(data)[-2]
    return digest.hex()[:12]


def load_weights(path: FilePath) -> Weights:
    """Weights from a file of one's own, checked to the last byte.

    Raises:
        WeightsError: it cannot be read, is damaged, or of another version.
    """
    path = Path(path)
    try:
        with open_file(path) as file:
            data = file.read()
    except MissingFileError:
        raise
    except OSError as error:
        raise WeightsError(f"{path}: cannot be read ({_why(error)})") from None
    return read_weights(data, str(path))


def evaluate(position: Position, weights: Weights | None = None) -> Evaluation:
    """Return the value of a position of the standard game for its mover, by the evaluation alone.

    Raises:
        InputError: the position is not one of the standard game.
        WeightsError: the weights cannot be read.
    """
    check_type("position", position, Position, advice=TEXT_TO_POSITION)
    check_type("weights", weights, Weights, NoneType)
    return Evaluation((weights or default_weights()).evaluate(position) / 128)
