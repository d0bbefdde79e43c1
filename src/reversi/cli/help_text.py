"""The help of commands: examples before the explanation, and values by their names instead of their types."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any, Final

import reversi._regex as re

_WHOLE: Final = 1000  # characters of a sentence
_EXAMPLE: Final = "Example: "
_TYPE: Final = re.compile(r"<([^ >]+)(?: range)?>")  # a type, or the words to choose from
_NAMES: Final = {"int": "N", "float": "NUMBER", "str": "TEXT", "list[str]": "TEXT"}
_NOTES: Final = re.compile(r"  \[([^\]]*)\]$")
_DEFAULT: Final = re.compile(r"default: (?:\((\d+)\)|(\d+)\.0)(?=;|$)")  # Typer's parentheses are for words
_RANGE: Final = re.compile(r"(-?[\d.]+)<=x<=(-?[\d.]+)")
_NEEDLESS: Final = ("required", "x>=0", "x>=1")  # the usage line says the first, common sense the others


def write_text(text: str | None, formatter: Any) -> None:
    """Write a docstring: its first paragraph, the examples, then the others."""
    paragraphs = [" ".join(part.split()) for part in inspect.cleandoc(text or "").split("\n\n")]
    examples = [part.removeprefix(_EXAMPLE) for part in paragraphs if part.startswith(_EXAMPLE)]
    first, *others = [part for part in paragraphs if not part.startswith(_EXAMPLE)]
    _write_paragraph(first, formatter)
    if examples:
        with formatter.section("Examples"):
            for example in examples:
                formatter.write(f"  {example}\n")  # whole: to be copied
    for part in others:
        _write_paragraph(part, formatter)


def _write_paragraph(text: str, formatter: Any) -> None:
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(text)


def usage(pieces: Iterable[str]) -> list[str]:
    """Return the pieces of the usage line without Typer's braces around arguments."""
    return [re.sub(r"[{}]", "", piece) for piece in pieces]


def write_commands(group: Any, context: Any, formatter: Any) -> None:
    """Write the commands of a group, each with the whole first sentence of its help."""
    with formatter.section("Commands"):
        names = group.list_commands(context)
        formatter.write_dl([(name, group.get_command(context, name).get_short_help_str(_WHOLE)) for name in names])


def write_options(command: Any, context: Any, formatter: Any) -> None:
    for kind in ("argument", "option"):
        params = [param for param in command.get_params(context) if param.param_type_name == kind]
        rows = [_row(kind, *record) for param in params if (record := param.get_help_record(context)) is not None]
        if rows:
            with formatter.section(f"{kind.capitalize()}s"):
                formatter.write_dl(rows)


def _row(kind: str, name: str, text: str) -> tuple[str, str]:
    name = _TYPE.sub(lambda match: _NAMES.get(match[1], match[1]) if kind == "option" else "", name).rstrip()
    notes = _NOTES.search(text)
    if notes is None:
        return name, text
    noted = _DEFAULT.sub(lambda match: f"default: {match[1] or match[2]}", notes[1])
    kept = [_RANGE.sub(r"\1 to \2", note) for note in noted.split("; ") if note not in _NEEDLESS]
    return name, text[: notes.start()] + (f"  [{'; '.join(kept)}]" if kept else "")
