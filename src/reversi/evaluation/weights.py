"""The learned evaluation of the standard game: what a position is worth without searching.

The weights come with the package, in one file that is read when they are first needed.

>>> from reversi import Position, parse_rules
>>> from reversi.evaluation import evaluate
>>> round(evaluate(Position(parse_rules("othello"))).discs)
3

The file: 8 bytes ``REVERSI`` and a line feed; then little-endian the version (2 bytes), the number of stages (2),
of weights per stage (4), the unit of the weights in 1/128 disc (2), 2 bytes 0, the size of what follows unpacked
(4) and packed (4), the SHA-256 of what follows (32); then the weights, packed with zlib, as
`reversi._core.Weights` takes them. In version 2 a net follows them (``_kernel/evaluation_net.h``).
"""

from __future__ import annotations

import hashlib
import os
import struct
import threading
import zlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from reversi._core import Position, Weights, evaluation_layout, net_size
from reversi.arguments import TEXT_TO_POSITION, check_type
from reversi.errors import ReversiError

__all__ = [
    "FILE_NAME",
    "Evaluation",
    "WeightsError",
    "default_weights",
    "evaluate",
    "read_weights",
    "weights_version",
]

FILE_NAME = "standard.weights"
FORMAT = 1  # linear weights alone
NET_FORMAT = 2  # linear weights and a net
_MAGIC = b"REVERSI\n"
_HEADER = struct.Struct("<8sHHIHHII32s")


class WeightsError(ReversiError):
    """The evaluation's weights cannot be read: the file is missing, damaged or of another version."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the evaluation says, from the mover's view.

    Attributes:
        discs: the expected final difference in discs; a guess, except in a finished game.
    """

    discs: float


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The content of a weights file, as `reversi._core.Weights` takes it.

    Attributes:
        plain: the byte planes of the linear weights.
        step: their unit in 1/128 disc.
        net: the net, if there is one.
    """

    plain: bytes
    step: int
    net: bytes | None


def pack_weights(plain: bytes, step: int, net: bytes | None = None) -> bytes:
    """Return the content of a weights file (see `Unpacked`)."""
    everything = plain + (net or b"")
    packed = zlib.compress(everything, 9)
    stages, classes, _, _ = evaluation_layout()
    version = FORMAT if net is None else NET_FORMAT
    digest = hashlib.sha256(packed).digest()
    return _HEADER.pack(_MAGIC, version, stages, classes, step, 0, len(everything), len(packed), digest) + packed


def unpack_weights(
    data: bytes, name: str, remedy: str = "export it anew with this version's training"
) -> Unpacked:
    """Return what the content of a weights file holds.

    Args:
        data: the content.
        name: what errors call the file.
        remedy: what errors advise.

    Raises:
        WeightsError: it is damaged, or of a version that this package does not read.
    """
    if len(data) < _HEADER.size or data[:8] != _MAGIC:
        raise WeightsError(f"{name}: not a file of evaluation weights")
    _, version, stages, classes, step, _, size, packed_size, digest = _HEADER.unpack_from(data)
    packed = data[_HEADER.size :]
    if version not in (FORMAT, NET_FORMAT) or (stages, classes) != evaluation_layout()[:2]:
        raise WeightsError(f"{name}: evaluation weights of another version; {remedy}")
    linear = 2 * stages * classes
    if (
        len(packed) != packed_size
        or hashlib.sha256(packed).digest() != digest
        or size != linear + (net_size() if version == NET_FORMAT else 0)
        or not step
    ):
        raise WeightsError(f"{name}: damaged (wrong size or checksum); {remedy}")
    try:
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(packed, size)
    except zlib.error:
        plain = b""
    if len(plain) != size:
        raise WeightsError(f"{name}: damaged (cannot be unpacked); {remedy}")
    return Unpacked(plain[:linear], step, plain[linear:] if version == NET_FORMAT else None)


def read_weights(data: bytes, name: str, remedy: str = "export it anew with this version's training") -> Weights:
    """Return the weights of a weights file's content; the arguments and errors are those of `unpack_weights`."""
    unpacked = unpack_weights(data, name, remedy)
    try:
        return Weights(unpacked.plain, unpacked.step, unpacked.net)
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
    """Return the weights that come with the package, read once.

    Raises:
        WeightsError: the file is missing, damaged or of another version.
    """
    global _default  # noqa: PLW0603 - read once, kept
    if _default is None:
        with _lock:
            if _default is None:
                _default = read_weights(_content(), f"evaluation/{FILE_NAME}", "reinstall the package")
    return _default


def weights_version(data: bytes | None = None) -> str:
    """Return the first 12 hexadecimal digits of a weights file's checksum: of the package's, or of the given
    content.

    Raises:
        WeightsError: the file is missing or too short.
    """
    name = f"evaluation/{FILE_NAME}" if data is None else "the given content"
    if data is None:
        data = _content()
    if len(data) < _HEADER.size:
        raise WeightsError(f"{name}: not a file of evaluation weights")
    return data[_HEADER.size - 32 : _HEADER.size].hex()[:12]


def _content() -> bytes:
    try:
        return files("reversi.evaluation").joinpath(FILE_NAME).read_bytes()
    except OSError as error:
        raise WeightsError(
            f"evaluation/{FILE_NAME}: cannot be read ({error.strerror}); reinstall the package"
        ) from None


def load_weights(path: Path) -> Weights:
    """Weights from a file of one's own.

    Raises:
        WeightsError: it cannot be read, is damaged, or of another version.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WeightsError(f"{path}: cannot be read ({error.strerror})") from None
    return read_weights(data, str(path))


def evaluate(position: Position, weights: Weights | None = None) -> Evaluation:
    """Return the value of a position of the standard game for its mover, by the evaluation alone.

    Raises:
        InputError: the position is not one of the standard game.
        WeightsError: the weights cannot be read.
    """
    check_type("position", position, Position, advice=TEXT_TO_POSITION)
    return Evaluation((weights or default_weights()).evaluate(position) / 128)
