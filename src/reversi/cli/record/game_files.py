"""The options that name a format of games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from reversi.arguments import excerpt
from reversi.records.formats.format import Format, TextFormat
from reversi.records.formats.registry import FORMATS, known_formats


def format_option(
    names: Iterable[str],
    help: str,  # noqa: A002 - Typer's name
    show_default: str,
    *,
    kind: type[Format] = Format,
    others: Iterable[str] = (),
) -> Any:
    """Return an option that names a format, for `Annotated`.

    The help lists the formats of this package. Those of others are looked up for another name only: it takes time.

    Args:
        names: the names of the option.
        help: what it does.
        show_default: what the help calls its absence.
        kind: which formats it takes.
        others: what else it takes.
    """
    listed = tuple(dict.fromkeys((*(one.name for one in FORMATS if isinstance(one, kind)), *others)))

    def known(incomplete: str = "") -> list[str]:
        added = (one.name for one in known_formats() if isinstance(one, kind))
        return [name for name in dict.fromkeys((*listed, *added)) if name.startswith(incomplete)]

    def check(name: str) -> str:
        if name and name not in listed and name not in known():
            raise typer.BadParameter(f"{excerpt(name)} is not one of {', '.join(known())}")
        return name

    return typer.Option(
        *names,
        metavar="|".join(listed),
        callback=check,
        autocompletion=known,
        help=help,
        show_default=show_default,
    )


FormatOption = Annotated[
    str, format_option(("--from",), "Read the text in this format.", "from the content", kind=TextFormat)
]
