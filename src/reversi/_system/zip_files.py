"""Zip files that are read as folders: ``a.zip/x.pgn`` names a file in one. Nothing is unpacked to the disk."""

from __future__ import annotations

import fnmatch
import functools
import io
import os
import stat
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

import reversi._regex as re
from reversi._system.paths import is_file
from reversi.arguments import MAX_FILE, FilePath, open_file
from reversi.errors import InputError, MissingFileError

if TYPE_CHECKING:
    import zipfile

SUFFIX: Final = ".zip"
"""How the name of a zip ends that is read as a folder; case does not count."""

ZIP: Final = b"PK\x03\x04"
"""How a zip begins."""

_EMPTY: Final = b"PK\x05\x06"
INSIDE: Final = re.compile(rf"{re.escape(SUFFIX)}[/{re.escape(os.sep)}]", re.IGNORECASE)
"""Where a path leads into a zip, unless that is the name of a folder."""

_STORED, _DEFLATED = 0, 8
_METHODS: Final = (_STORED, _DEFLATED, 12, 14)  # and bzip2, LZMA
_ENCRYPTED, _STREAMED = 1, 8  # flags; the sizes of a streamed file come after it
_LOCAL: Final = struct.Struct(
    "<4s2xHH4xIIIHH"
)  # flags, method, sum, sizes packed and unpacked, those of two fields
_AFTER: Final = 28  # bytes after a streamed file in which the next one begins
_PART: Final = 1 << 16
_MOST: Final = 1 << 30
_HEAD: Final = struct.Struct("<4s22xHH")  # of a file: how it begins, and the bytes of two fields after it


class _Directory(NamedTuple):
    """The files in a zip by name; names of several files, of which the last one is meant; what is wrong."""

    infos: dict[str, zipfile.ZipInfo]
    twice: set[str]
    wrong: str


def is_zip(path: FilePath) -> bool:
    """Return whether a path names a zip that is read as a folder: its name ends in `SUFFIX`, and it begins so."""
    text = os.fspath(path)
    if not text.lower().endswith(SUFFIX) or not is_file(text):
        return False
    try:
        with open_file(text) as stream:
            return stream.read(len(ZIP)) in (ZIP, _EMPTY)
    except OSError:
        return False  # reading it says why


def place_in_zip(path: FilePath) -> tuple[str, str] | None:
    """Return the zip and the name in it that a path leads to, ``None`` for any other path.

    The name is empty for the zip itself, and need not be that of a file.
    """
    text = os.fspath(path)
    for match in INSIDE.finditer(text):
        if is_zip(file := text[: match.end() - 1]):
            return file, text[match.end() :].replace(os.sep, "/").strip("/")
    return (text, "") if is_zip(text) else None


def zipped_size(path: FilePath) -> int | None:
    """Return how many bytes a file in a zip has when it is unpacked, ``None`` for any other path."""
    try:
        place = place_in_zip(path)
        info = None if place is None else _directory(place[0]).infos.get(place[1])
    except (InputError, OSError):
        return None
    return None if info is None else info.file_size


def zipped_names(file: str, inside: str = "") -> Iterator[tuple[str, str]]:
    """Yield the names of files in a zip, each with what is wrong with it; nothing for most.

    Names that begin with a dot are skipped. The files of a folder come before those of the folders in it.

    Args:
        file: the zip.
        inside: a file or a folder in it, or a pattern of such; empty for all files.

    Raises:
        InputError: it is damaged.
        OSError: it cannot be read.
    """
    infos, twice, _ = _directory(file)
    wanted = inside.split("/") if inside else []
    for name in sorted(infos, key=lambda name: (name.split("/")[:-1], name)):
        parts = name.split("/")
        if any(part.startswith(".") and part != ".." for part in parts) or not (
            parts[: len(wanted)] == wanted or _fits(wanted, parts)
        ):
            continue
        if ".." in parts or "" in parts:
            yield name, "a name that leads out of the zip"
        elif stat.S_ISLNK(infos[name].external_attr >> 16):
            yield name, "a link, not a file"
        else:
            yield name, "twice in the zip; rename one" if name in twice else ""


def damage_of_zip(file: str) -> str:
    """Return what is wrong with a zip of which some files can be read; empty for a whole one."""
    return _directory(file).wrong


def files_beside(path: Path) -> list[Path]:
    """Return the files in the folder that a file is in, also in a zip, by name; none where it cannot be read."""
    place = place_in_zip(path)
    try:
        if place is None:
            return sorted(path.parent.iterdir())
        file, inside = place
        folder = inside.rpartition("/")[0]
        return [Path(file, name) for name, _ in zipped_names(file, folder) if name.rpartition("/")[0] == folder]
    except (InputError, OSError):
        return []


def _fits(wanted: list[str], parts: list[str]) -> bool:
    """Return whether a pattern names a file, or a folder above it."""
    if not wanted:
        return True
    first, *rest = wanted
    if first == "**":
        return any(_fits(rest, parts[at:]) for at in range(len(parts) + 1))
    return bool(parts) and fnmatch.fnmatch(parts[0], first) and _fits(rest, parts[1:])


def open_path(path: FilePath, most: int = MAX_FILE) -> BinaryIO:
    """Open a file to read its bytes, as `open_file` does; a path may lead into a zip.

    Args:
        path: the file.
        most: how many bytes a file in a zip may have when it is unpacked.

    Raises:
        InputError: a zip is damaged, or the file in it is, or is encrypted, too large, or packed in a way that is
            not read. Reading raises it, too.
        MissingFileError: the file does not exist.
        OSError: it cannot be opened.
    """
    place = place_in_zip(path)
    if place is None:
        return open_file(path)
    name, (file, inside) = os.fspath(path), place
    info = _directory(file).infos.get(inside)
    if info is None:
        for first, _ in zipped_names(file, inside):
            raise InputError(f"a folder, not a file; name a file in it, such as {file}/{first}", source=name)
        if not inside:
            raise InputError("no file in this zip", source=name)
        raise MissingFileError(f"{name}: no such file")
    if info.flag_bits & _ENCRYPTED:
        raise InputError("encrypted; unpack it with its password", source=name)
    if info.compress_type not in _METHODS:
        raise InputError("packed in a way that is not read; unpack it", source=name)
    if info.file_size > most:
        raise InputError(f"more than {most} bytes when it is unpacked; split it", source=name)
    from zipfile import BadZipFile, ZipExtFile

    stream = open_file(file)
    try:
        stream.seek(info.header_offset)
        begin, *fields = _HEAD.unpack(stream.read(_HEAD.size))
        if begin != ZIP:
            raise BadZipFile
        stream.seek(sum(fields), os.SEEK_CUR)
        return io.BufferedReader(_Zipped(ZipExtFile(stream, "r", info, close_fileobj=True), name))
    except _damages():
        stream.close()
        raise InputError("damaged in the zip", source=name) from None


def _damages() -> tuple[type[Exception], ...]:
    """Return what the standard library raises where a zip is damaged; OSError is that of bzip2."""
    from lzma import LZMAError
    from zipfile import BadZipFile

    return BadZipFile, zlib.error, LZMAError, EOFError, OSError, ValueError, NotImplementedError, struct.error


def _directory(file: str) -> _Directory:
    status = os.stat(file)  # noqa: PTH116
    return _read_directory(file, status.st_mtime_ns, status.st_size, status.st_ino)


@functools.lru_cache(maxsize=2)
def _read_directory(file: str, time: int, size: int, number: int) -> _Directory:
    """Return the files of a zip. Each file is opened by what is kept here: a zip may have thousands."""
    import zipfile

    wrong = ""
    with open_file(file) as stream:
        try:
            try:
                found = zipfile.ZipFile(stream, metadata_encoding="utf-8").infolist()
            except UnicodeDecodeError:
                found = zipfile.ZipFile(stream).infolist()
        except _damages():
            wrong = "a zip that is cut off or damaged"
            found = list(_whole_files(stream, size))
            if not found:
                raise InputError(wrong, source=file) from None
            wrong += "; the whole files before the damage are read"
    infos: dict[str, zipfile.ZipInfo] = {}
    twice = set()
    for info in found:
        if not info.filename.endswith("/"):
            if info.filename in infos:
                twice.add(info.filename)
            infos[info.filename] = info
    if sum(info.compress_size for info in found) > size:
        raise InputError("a zip that is damaged: its files have more bytes than it has", source=file)
    return _Directory(infos, twice, wrong)


def _whole_files(stream: BinaryIO, size: int) -> Iterator[zipfile.ZipInfo]:
    """Yield the files from the beginning of a zip without a directory, up to the first that is not whole."""
    from zipfile import ZipInfo

    at = 0
    while len(head := _read_at(stream, at, _LOCAL.size)) == _LOCAL.size and head.startswith(ZIP):
        _, flags, method, crc, packed, whole, *lengths = _LOCAL.unpack(head)
        info_at, name, begin = at, stream.read(lengths[0]), at + _LOCAL.size + sum(lengths)
        if flags & _STREAMED:
            sizes = _inflated(stream, begin) if method == _DEFLATED else None
            if sizes is None:
                return
            crc, packed, whole = sizes
            after = _read_at(stream, begin + packed, _AFTER)
            if after.startswith(b"PK\x07\x08"):
                crc = int.from_bytes(after[4:8], "little")
            begins = [after.find(sign) for sign in (ZIP, b"PK\x01\x02") if sign in after]
            at = begin + packed + min(begins, default=len(after))
        else:
            at = begin + packed
        if begin + packed > size:
            return
        try:
            info = ZipInfo(name.decode())
        except UnicodeDecodeError:
            info = ZipInfo(name.decode("cp437"))
        info.header_offset, info.flag_bits, info.compress_type = info_at, flags, method
        info.CRC, info.compress_size, info.file_size = crc, packed, whole
        yield info


def _read_at(stream: BinaryIO, at: int, count: int) -> bytes:
    stream.seek(at)
    return stream.read(count)


def _inflated(stream: BinaryIO, begin: int) -> tuple[int, int, int] | None:
    """Return the sum of a deflated file, and its bytes packed and unpacked; ``None`` if it is not whole."""
    stream.seek(begin)
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    crc = whole = 0
    try:
        while not unpacking.eof and whole <= _MOST:
            data = unpacking.unconsumed_tail or stream.read(_PART)
            part = unpacking.decompress(data, _PART)
            if not (data or part):
                return None
            crc, whole = zlib.crc32(part, crc), whole + len(part)
    except zlib.error:
        return None
    return (crc, stream.tell() - begin - len(unpacking.unused_data), whole) if unpacking.eof else None


class _Zipped(io.RawIOBase):
    """A file in a zip, whose damage is an error that names it."""

    def __init__(self, stream: zipfile.ZipExtFile, name: str) -> None:
        self._stream = stream
        self._name = name

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            data = self._stream.read1(len(buffer))
        except _damages():
            raise InputError("damaged in the zip", source=self._name) from None
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()
