"""Files packed with gzip or zstd, unpacked while they are read, within the limit of plain files.

zstd is part of Python from 3.14 on; before, this needs the extra `zstd`: `pip install "reversi-engine[zstd]"`.
"""

from __future__ import annotations

import gzip
import io
import zlib
from typing import Any, BinaryIO, Final

from reversi.errors import InputError
from reversi.records.sources.decoding import MAX_BYTES

SUFFIXES: Final = (".gz", ".zst")
"""The suffixes of packed files."""

MISSING: Final = 'packed with zstd, which needs backports.zstd: pip install "reversi-engine[zstd]"'
"""The message of the error when the extra is not installed."""

_GZIP: Final = b"\x1f\x8b\x08"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"


def is_packed(head: bytes) -> bool:
    """Return whether a file that begins so is packed in a way that is unpacked here."""
    return head.startswith((_GZIP, _ZSTD))


def unpacked(stream: BinaryIO, head: bytes, name: str, problems: list[str]) -> BinaryIO:
    """Return the unpacked bytes of a stream; closing it closes the stream. One that is cut off ends there.

    Args:
        stream: the packed bytes, from their beginning.
        head: how they begin; see `is_packed`.
        name: what messages call the file.
        problems: collects that it is cut off, when that is met.

    Raises:
        InputError: the package that unpacks them is not installed. Reading raises it where the data is damaged, or
            more than `reversi.records.sources.decoding.MAX_BYTES` when it is unpacked.
    """
    if head.startswith(_GZIP):
        unpacking = gzip.GzipFile(fileobj=stream)
        return io.BufferedReader(_Unpacked(stream, unpacking, (zlib.error,), "gzip", name, problems))
    zstd = _load_zstd(name)
    return io.BufferedReader(_Unpacked(stream, zstd.ZstdFile(stream), (zstd.ZstdError,), "zstd", name, problems))


def _load_zstd(name: str) -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        try:
            from backports import zstd  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            raise InputError(MISSING, source=name) from None
    return zstd


class _Unpacked(io.RawIOBase):
    def __init__(
        self,
        stream: BinaryIO,
        unpacking: Any,
        errors: tuple[type[Exception], ...],
        packing: str,
        name: str,
        problems: list[str],
    ) -> None:
        self._stream = stream
        self._unpacking = unpacking
        self._errors: tuple[type[Exception], ...] = (*errors, gzip.BadGzipFile)
        self._packing = packing
        self._name = name
        self._problems = problems
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._stream.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = self._unpacking.seek(offset, whence)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._unpacking.read1(len(buffer))  # not read, which keeps nothing of what is cut off
        except EOFError:
            if not self._at:
                raise InputError(f"packed with {self._packing}, and cut off", source=self._name) from None
            cut = f"{self._name}: packed with {self._packing}, and cut off; what is there is read"
            if cut not in self._problems:
                self._problems.append(cut)
            return 0
        except self._errors:
            raise InputError(f"packed with {self._packing}, and damaged", source=self._name) from None
        self._at += len(data)
        if self._at > MAX_BYTES:
            raise InputError(f"more than {MAX_BYTES} bytes when it is unpacked; split it", source=self._name)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._unpacking.close()
            self._stream.close()
        super().close()
