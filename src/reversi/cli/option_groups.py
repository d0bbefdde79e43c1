"""Options that belong together, declared once; and which options of a command exclude or need each other.

A group is a frozen dataclass: its fields are annotated as the parameters of a command are, and a command that has
it takes one parameter of its type. Its `TABLE`, if it has one, holds for each command that has the group.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Annotated, Any, TypeAlias, get_type_hints

import typer


@dataclass(frozen=True)
class Refusal:
    """Options that a command refuses.

    Options are called by their long names, as on the command line: ``--no-book`` is not ``--book``. ``--output -``
    is the option with this value, ``--output FILE`` with any other; ``--save is --html``: both name one file.

    Attributes:
        given: it refuses them where all of them are given,
        unless: unless one of these is given, too.
        why: what it says.
    """

    given: tuple[str, ...]
    unless: tuple[str, ...]
    why: str

    def applies(self, given: Collection[str]) -> bool:
        return all(name in given for name in self.given) and not any(name in given for name in self.unless)


Table: TypeAlias = tuple[Refusal, ...]


def excludes(option: str, *others: str, why: str = "") -> Table:
    """Return that an option goes with none of some others."""
    reason = why and f": {why}"
    return tuple(
        Refusal((option, other), (), f"{option} and {other} exclude each other{reason}; leave one of them out")
        for other in others
    )


def one_of(*options: str, why: str = "") -> Table:
    """Return that options exclude each other."""
    return sum((excludes(option, *options[at:], why=why) for at, option in enumerate(options, 1)), ())


def needs(option: str, *others: str) -> Table:
    """Return that an option has no effect without one of some others."""
    *some, last = others
    either = f"{', '.join(some)} or {last}" if some else last
    return (Refusal((option,), others, f"{option} needs {either}; give {'one of them' if some else 'it'} too"),)


def needs_name(option: str, *unless: str, why: str = "") -> Table:
    """Return that an option does not take ``-`` for a file, unless one of some others is given."""
    ways, reason = " or ".join(("the name of a file", *unless)), why and f"; {why}"
    return (Refusal((f"{option} -",), unless, f"{option} -: give {ways}{reason}"),)


def other_files(*options: str) -> Table:
    """Return that options name different files."""
    return tuple(
        Refusal((f"{one} is {other}",), (), f"{one} and {other} name the same file; give two files")
        for at, one in enumerate(options, 1)
        for other in options[at:]
    )


@dataclass(frozen=True)
class Flag:
    """An option without a value, called as its parameter is: ``all_moves: Annotated[bool, Flag("…")] = False``.

    Attributes:
        help: what it does.
    """

    help: str


def names_of(group: type[Any]) -> tuple[str, ...]:
    """Return the long names of the options of a group."""
    return tuple(f"--{field.name.replace('_', '-')}" for field in fields(group))


Gather: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]


def expanded(function: Callable[..., object]) -> tuple[inspect.Signature, Table, Gather]:
    """Return the parameters of a command with each group in its options, and the tables of its groups.

    Returns:
        The signature, the table, and a function that makes the arguments of the command from those options.
    """
    parameters: list[inspect.Parameter] = []
    groups: dict[str, type[Any]] = {}
    table: Table = ()
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        if is_dataclass(group := parameter.annotation) and isinstance(group, type):
            groups[parameter.name] = group
            table += getattr(group, "TABLE", ())
            parameters += _options(group)
        else:
            parameters.append(_option(parameter.name, parameter.default, parameter.annotation))

    def gather(values: dict[str, Any]) -> dict[str, Any]:
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        return values

    return inspect.Signature(parameters), table, gather


def _options(group: type[Any]) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        yield _option(field.name, default, hints[field.name])


def _option(name: str, default: Any, annotation: Any) -> inspect.Parameter:
    for flag in getattr(annotation, "__metadata__", ()):
        if isinstance(flag, Flag):
            annotation = Annotated[bool, typer.Option(f"--{name.replace('_', '-')}", help=flag.help)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
