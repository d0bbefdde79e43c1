"""Options that select games, for commands on files and on databases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

import typer

from reversi.arguments import excerpt
from reversi.cli.console import err, fail, reason, refused
from reversi.cli.inputs import to_move_option
from reversi.cli.option_groups import Flag, Table, excludes, needs
from reversi.cli.options import ToMoveOption, option
from reversi.cli.status import Status
from reversi.errors import InputError, MissingFileError
from reversi.games.aliases import NO_ALIASES, AliasError, Aliases
from reversi.games.changes import Changes, Dates
from reversi.games.conditions import parse_selection
from reversi.games.selection import RESULTS, Selection, SelectionError
from reversi.games.sorting import SORTS, Order
from reversi.openings.names import OpeningError
from reversi.rules import Rules

_Texts = list[str] | None


AliasesOption = Annotated[
    str,
    option(
        "FILE",
        "Take names for one player by the lines of FILE, Alias = Name; below a line [events], for one event.",
        "--aliases",
    ),
]
OpeningTagsOption = Annotated[
    bool,
    typer.Option("--opening-tags", help="Add the tags Opening and OpeningCode: the name, and its moves."),
]


@dataclass(frozen=True)
class ChangesOptions:
    """What changes in games on their way."""

    aliases: AliasesOption = ""
    opening_tags: OpeningTagsOption = False
    dates: Annotated[
        Dates | None,
        typer.Option(
            help="Spell dates as 2004.05.28; one with two readings, such as 05.04.2004, stays as it is (keep), or"
            " has the day first (dmy) or the month (mdy)."
        ),
    ] = None

    def read(self, encoding: str) -> Changes:
        """Return the changes; end the command for a wrong file."""
        return Changes(aliases_of(self.aliases, encoding), self.opening_tags, self.dates)


def aliases_of(path: str, encoding: str, option: str = "--aliases: ") -> Aliases:
    """Return the aliases of a file, none for an empty name; end the command for a wrong one."""
    try:
        return Aliases.of(path, encoding) if path else NO_ALIASES
    except MissingFileError as error:
        fail(Status.NO_INPUT, f"{option}{error}")
    except AliasError as error:
        fail(Status.BAD_DATA, str(error))
    except InputError as error:
        fail(Status.BAD_DATA, f"{option}{error.naming(path)}")
    except OSError as error:
        fail(Status.NO_INPUT, f"{option}{path}: {reason(error)}")


def select(
    rules: Rules,
    *,
    to_move: str = "",
    aliases: Aliases = NO_ALIASES,
    outcome_changed: bool = False,
    **texts: _Texts,
) -> Selection:
    """Return the selection that options ask for, by their names; end the command for a wrong one."""
    player = texts.get("player")
    if player is not None and len(player) == 2 and player[0] == player[1]:
        err(f"reversi: --player {excerpt(player[0])} is given twice, which selects games between two such players")
    try:
        side = to_move_option(to_move)
        return parse_selection(texts, rules, to_move=side, aliases=aliases, outcome_changed=outcome_changed)
    except SelectionError as error:
        more = "; 'reversi openings list' lists them" if isinstance(error.__cause__, OpeningError) else ""
        option = f"--{error.source.replace('_', '-')}" if error.source else ""
        fail(Status.USAGE, f"{option}{str(error).removeprefix(error.source)}{more}")


@dataclass(frozen=True)
class GameOptions:
    """The conditions on games, those on openings and whole positions aside."""

    player: Annotated[
        _Texts,
        option(
            "NAME", "Select a player of either color by words of the name or their beginnings; two are a pairing."
        ),
    ] = None
    black: Annotated[_Texts, option("NAME", "Select Black by words of the name.")] = None
    white: Annotated[_Texts, option("NAME", "Select White by words of the name.")] = None
    event: Annotated[_Texts, option("NAME", "Select games by words of the event or their beginnings.")] = None
    tag: Annotated[
        _Texts, option("NAME=TEXT", "Select games whose tag NAME contains TEXT; NAME alone: games with that tag.")
    ] = None
    year: Annotated[_Texts, option("YEARS", "Select years: 1997, 1990-1999, 1990- or -1999.")] = None
    result: Annotated[_Texts, option("WORD", f"Select games by how they end: {', '.join(RESULTS)}.")] = None
    score: Annotated[
        _Texts, option("DISCS", "Select games by Black's lead at the end: 20, 10..20, 10.. or ..-4.")
    ] = None
    margin: Annotated[_Texts, option("DISCS", "Select games by the winner's lead: 2, 10..20, 40.. or ..2.")] = None
    theory: Annotated[_Texts, option("DISCS", "Select games by WTHOR's theoretical score, as Black's lead.")] = (
        None
    )
    theory_error: Annotated[
        _Texts, option("DISCS", "Select games whose score is this far from the theoretical score.")
    ] = None
    outcome_changed: Annotated[
        bool, Flag("Select games that end with another winner than by WTHOR's theoretical score.")
    ] = False
    moves_contain: Annotated[
        _Texts, option("MOVES", "Select games with these moves one after the other, or symmetric ones.")
    ] = None
    pattern: Annotated[
        _Texts,
        option(
            "CELLS",
            "Select games with these squares, or symmetric ones, in one position: 64 cells, a corner such as"
            " 'XX/XO', an edge such as '-XXXXXX-'; ? is any square.",
        ),
    ] = None
    aliases: AliasesOption = ""

    @property
    def one_player(self) -> str:
        """The player whose side is meant: the one of `--player`, empty without one and for a pairing."""
        return self.player[0] if self.player and len(self.player) == 1 else ""

    def read(self, rules: Rules, encoding: str = "") -> Selection:
        """Return the selection; end the command for a wrong one."""
        return select(rules, **vars(self) | {"aliases": aliases_of(self.aliases, encoding)})


@dataclass(frozen=True)
class SelectionOptions(GameOptions):
    """The conditions on games."""

    TABLE: ClassVar[Table] = needs("--to-move", "--position")

    opening: Annotated[
        _Texts, option("NAME|MOVES", "Select games that reach this opening, in any order of moves.")
    ] = None
    position: Annotated[
        _Texts, option("BOARD", "Select games that reach this position, or one symmetric to it.")
    ] = None
    to_move: ToMoveOption = ""


LimitOption = Annotated[
    int | None,
    option(
        "N",
        "List or write at most N; 0 is all.",
        min=0,
        show_default="20 for a list to read, all for files and --json",
    ),
]
_LISTED: Final = 20


def most_rows(limit: int | None, *, whole: bool) -> int | None:
    """Return how many rows to show, `None` for all.

    Args:
        limit: the value of `--limit`.
        whole: whether a program or a file gets the rows; people get the first ones unless there is a limit.
    """
    if limit is None:
        return None if whole else _LISTED
    return limit or None


def first_ones(shown: int, found: int) -> str:
    """Return what is said of a list that has only the first of what was found; "" for a whole one."""
    return f"; these are the first {shown} (--limit)" if shown < found else ""


@dataclass(frozen=True)
class OrderOptions:
    """In which order games come, and how many of them."""

    TABLE: ClassVar[Table] = excludes("--sort", "--twins", why="games of the same moves stay together")

    sort: Annotated[
        _Texts,
        option(
            "WORD",
            f"Sort the games: {', '.join(SORTS)}; several, the first counts most. :asc or :desc behind a word"
            " names the direction. Unknown ones come last.",
        ),
    ] = None
    limit: LimitOption = None
    twins: Annotated[
        bool, Flag("Select only games that match another game in moves and year, but not in names.")
    ] = False

    def read(self, *, whole: bool) -> Order:
        """Return the order, for people or for programs; end the command for a wrong word."""
        with refused("--sort"):
            return Order(tuple(self.sort or ()), most_rows(self.limit, whole=whole), self.twins)
