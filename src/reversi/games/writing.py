"""Writing games to a file, in the format that its name or the caller names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from reversi._system.files import atomic_stream
from reversi.arguments import FilePath, check_type
from reversi.errors import InputError
from reversi.records.formats.registry import format_named, known_formats, target_format
from reversi.records.record import Record

_NAMES = (".JOU", ".TRN")  # of players and of tournaments, beside games of WTHOR


def write_records(path: FilePath, records: Iterable[Record], format_: str | None = None) -> Counter[str]:
    """Write games to a file, in place of what it holds; completely or not at all.

        >>> import tempfile, pathlib
        >>> from reversi import open_records
        >>> from reversi.games import write_records
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "games.ggf")
        ...     lost = write_records(file, open_records("examples/games.ggf"))
        ...     len(list(open_records(file))), dict(lost)
        (3, {})

    Args:
        path: the file. Of games in WTHOR the names are written beside it, with the suffixes ``.JOU`` and ``.TRN``.
        records: the games.
        format_: the name of the format, as ``ggf``; by default that of the suffix.

    Returns:
        What the games have that the file does not hold, with the number of games; see `losses`.

    Raises:
        InputError: the suffix or the name stands for no format, or there are no games.
        RecordError: the format cannot hold a game.
        OSError: the file cannot be written.
    """
    path = Path(path)
    form = target_format(path.suffix) if format_ is None else format_named(format_)
    if form is None:
        known = ", ".join(each.name for each in known_formats())
        raise InputError(f"{path}: the suffix names no format; give one of {known}")
    writer = form.writer()
    empty = True
    with atomic_stream(path) as stream:
        for record in records:
            empty = False
            check_type("an item of the records", record, Record)
            stream.write(writer.add(record))
        if empty:
            raise InputError(f"{path}: there are no games to write")
        stream.write(writer.finish())
        for names, suffix in zip(writer.names or (), _NAMES, strict=False):
            with atomic_stream(path.with_suffix(suffix)) as beside:
                beside.write(names.pack())
    return writer.lost
