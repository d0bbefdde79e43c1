"""Options that belong together, declared once; and which options of a command exclude or need each other.

A group is a frozen dataclass: its fields are annotated as the parameters of a command are, and a command that has
it takes one parameter of its type. Its `TABLE`, if it has one, holds for each command that has the group.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Any, TypeAlias, get_type_hints


@dataclass(frozen=True)
class Excludes:
    """An option that goes with none of some others.

    Options are called by their long names, as on the command line: ``--no-book`` is not ``--book``. ``--output -``
    is the option with this value, ``--output FILE`` with any other.

    Attributes:
        option: the option.
        others: the options that it excludes.
        why: why, if that is not plain.
    """

    option: str
    others: tuple[str, ...]
    why: str = ""

    def refusals(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield which options a command refuses together, and what it says."""
        why = self.why and f": {self.why}"
        for other in self.others:
            yield (self.option, other), f"{self.option} and {other} exclude each other{why}; leave one of them out"

    def refusal(self, given: Collection[str]) -> str:
        """Return why options are refused; empty when they are not."""
        return next((text for both, text in self.refusals() if all(name in given for name in both)), "")


@dataclass(frozen=True)
class Needs:
    """An option that has no effect without one of some others, which are named as in `Excludes`.

    Attributes:
        option: the option.
        others: the options of which one is needed.
    """

    option: str
    others: tuple[str, ...]

    def refusals(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield which options a command refuses alone, and what it says."""
        *some, last = self.others
        either = f"{', '.join(some)} or {last}" if some else last
        yield (self.option,), f"{self.option} needs {either}; give {'one of them' if some else 'it'} too"

    def refusal(self, given: Collection[str]) -> str:
        """Return why options are refused; empty when they are not."""
        ((_, text),) = self.refusals()
        return text if self.option in given and not any(other in given for other in self.others) else ""


Table: TypeAlias = tuple[Excludes | Needs, ...]


def excludes(option: str, *others: str, why: str = "") -> Excludes:
    return Excludes(option, others, why)


def needs(option: str, *others: str) -> Needs:
    return Needs(option, others)


def one_of(*options: str, why: str = "") -> Table:
    """Return a table of options that exclude each other."""
    return tuple(Excludes(option, options[number:], why) for number, option in enumerate(options[:-1], 1))


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
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))

    def gather(values: dict[str, Any]) -> dict[str, Any]:
        for name, group in groups.items():
            values[name] = group(**{field.name: values.pop(field.name) for field in fields(group)})
        return values

    return inspect.Signature(parameters), table, gather


def _options(group: type[Any]) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        yield inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[field.name]
        )
