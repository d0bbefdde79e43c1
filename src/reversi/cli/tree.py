"""Groups of commands, and what every command checks of its arguments before it begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NoReturn, Protocol, runtime_checkable

import typer
from typer.core import TyperCommand, TyperGroup

import reversi._regex as re
from reversi.arguments import excerpt
from reversi.cli.console import err
from reversi.cli.option_groups import Table
from reversi.cli.status import Status

_OPTION: Final = re.compile(r"-[A-Za-z]|--[a-z][a-z-]*(?:=.*)?")


@runtime_checkable
class UsageError(Protocol):
    """The error that Typer raises for wrong arguments; its class is not public.

    Attributes:
        ctx: where in the command line; ``None`` while unknown.
    """

    ctx: typer.Context | None

    def format_message(self) -> str: ...


class Commands(typer.Typer):
    """A group of commands that take each option once, unless it takes several values.

    Args:
        default: the command that the group runs when none is named: without arguments, with an option, or with a
            file; without it the group then shows its help.
    """

    def __init__(self, *, default: str = "", **options: Any) -> None:
        group = type("_Group", (_Group,), {"default": default})
        super().__init__(cls=group, no_args_is_help=not default, rich_markup_mode=None, **options)

    def add(self, name: str, function: Any) -> None:
        """Add a command, which `reversi.cli.console.command` made."""
        self.command(name, cls=type("_Command", (_Command,), {"table": function.table}))(function)


class _Group(TyperGroup):
    """A group whose help shows its examples first."""

    default = ""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if self.default and not ctx.resilient_parsing and self._is_for_default(ctx, args):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def _is_for_default(self, ctx: Any, args: list[str]) -> bool:
        """Return whether arguments name a file or begin with an option, in place of a command."""
        if not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names):
            return True
        return args[0] not in self.commands and Path(args[0]).suffix != ""

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        from reversi.cli.help_text import write_text

        write_text(self.help, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        from reversi.cli.help_text import write_commands

        write_commands(self, ctx, formatter)


class _Command(TyperCommand):
    """A command that names the argument that is one too many; its help shows examples first."""

    table: Table = ()

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        from reversi.cli.help_text import write_text

        write_text(self.help, formatter)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        from reversi.cli.help_text import usage

        return usage(super().collect_usage_pieces(ctx))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        from reversi.cli.help_text import write_options

        write_options(self, ctx, formatter)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            if not ctx.resilient_parsing:  # as it is while the shell completes a line
                self._check(ctx, args)
            return super().parse_args(ctx, args)
        except Exception as error:
            if isinstance(error, UsageError) and error.ctx is None:
                error.ctx = ctx
            raise

    def _check(self, ctx: Any, args: list[str]) -> None:
        values, unexpected, order = self.make_parser(ctx).parse_args(args=list(args))
        for option, times in Counter(order).items():
            if times > 1 and option.param_type_name == "option" and not option.multiple:
                ctx.fail(f"{_spelling(option)} is given {_times(times)}; give it once")
        if unexpected:
            ctx.fail(_too_many(self.get_params(ctx), args, unexpected[0]))
        for option in order:
            value = values.get(str(option.name)) if option.param_type_name == "option" else None
            for text in value if isinstance(value, list) else (value,):
                if isinstance(text, str) and _OPTION.fullmatch(text):
                    name = _spelling(option)
                    _refuse(f"{name} needs a value, but {text} is an option; write ./{text} for a file")
        given = set(_given(values, order))
        for refusal in self.table:
            if refusal.applies(given):
                _refuse(refusal.why)


def _refuse(why: str) -> NoReturn:
    err(f"reversi: {why}")
    raise typer.Exit(Status.USAGE)


def _given(values: dict[str, Any], order: list[Any]) -> Iterator[str]:
    """Yield the options of a command line, as the tables of the commands name them.

    An empty text is none where it is the default.
    """
    files: dict[str, Path] = {}
    for option in order:
        value = values.get(option.name)
        if option.param_type_name != "option" or value == "" == option.default:
            continue
        names = option.secondary_opts if option.is_flag and not value else option.opts
        name = next(name for name in names if name.startswith("--"))
        yield name
        if value:
            yield f"{name} {'-' if value == '-' else 'FILE'}"
        if option.metavar == "FILE" and value != "-":
            from reversi._system.paths import real_path

            file = real_path(str(value))
            for other, known in files.items():
                if known == file:
                    yield from (f"{other} is {name}", f"{name} is {other}")
            files[name] = file


def _spelling(option: Any) -> str:
    return " or ".join(name for name in (*option.opts, *option.secondary_opts) if name.startswith("--"))


def _times(number: int) -> str:
    return "twice" if number == 2 else f"{number} times"


def _too_many(parameters: list[Any], args: list[str], word: str) -> str:
    """Return the message about an argument for which there is no place."""
    before = next((parameter for parameter, two in pairwise(args) if two == word), "")
    for option in parameters:
        if before in (*option.opts, *option.secondary_opts) and option.param_type_name == "option":
            return f"unexpected argument {excerpt(word)}: {before} takes no value"
    takes = " ".join(
        parameter.metavar or parameter.name.upper()
        for parameter in parameters
        if parameter.param_type_name == "argument"
    )
    expected = f"only {takes} is expected" if takes else "only options are expected"
    return f"unexpected argument {excerpt(word)}: {expected}"
