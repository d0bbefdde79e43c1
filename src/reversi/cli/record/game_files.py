"""What the commands on records share: files of games, their forms, and counts in words."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

from reversi.records.formats.format import Format, TextFormat
from reversi.records.formats.registry import format_named, known_formats, text_format_named


class SourceFormat(enum.Enum):
    """The text formats, by name, for ``--from``. A format that is not text always shows itself."""

    _ignore_ = ["format_"]  # noqa: RUF012 - the enum takes it away
    for format_ in known_formats():
        if isinstance(format_, TextFormat):
            vars()[format_.name] = format_.name

    @property
    def format(self) -> TextFormat:
        return text_format_named(self.value)


class TargetFormat(enum.Enum):
    """The formats, by name, for ``--to``."""

    _ignore_ = ["format_"]  # noqa: RUF012 - the enum takes it away
    for format_ in known_formats():
        vars()[format_.name] = format_.name

    @property
    def format(self) -> Format:
        return format_named(self.value)


FormatOption = Annotated[
    SourceFormat | None,
    typer.Option("--from", show_default="from the content", help="Read the text in this format."),
]


def text_format(format_: SourceFormat | None) -> TextFormat | None:
    """Return the format that ``--from`` names, ``None`` when it is not given."""
    return None if format_ is None else format_.format
