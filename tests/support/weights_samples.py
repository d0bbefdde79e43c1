"""Weights files of versions 1 and 2, which this version still reads."""

from __future__ import annotations

import hashlib
import struct
import zlib

from reversi._core import evaluation_layout

HEADER = struct.Struct("<8sHHIHHII32s")


def earlier(plain: bytes, step: int, net: bytes | None = None) -> bytes:
    """Return the content of such a file: version 1 without a net, version 2 with one."""
    everything = plain + (net or b"")
    packed = zlib.compress(everything, 1)
    stages, classes, _, _ = evaluation_layout()
    version = 1 if net is None else 2
    digest = hashlib.sha256(packed).digest()
    sizes = (len(everything), len(packed))
    return HEADER.pack(b"REVERSI\n", version, stages, classes, step, 0, *sizes, digest) + packed
