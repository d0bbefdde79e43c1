"""Options that select games, for commands on files and on databases."""

from __future__ import annotations

from typing import Annotated

import typer

from reversi._core import Position
from reversi.cli.console import err, fail, reason
from reversi.cli.inputs import to_move_option
from reversi.cli.status import Status
from reversi.errors import InputError, MissingFileError
from reversi.games.aliases import NO_ALIASES, AliasError, Aliases
from reversi.games.selection import RESULTS, Selection, SelectionError, parse_tag, parse_years
from reversi.games.sorting import SORTS, check_sorts
from reversi.inputs.input import MissingInputError, only_position, resolve
from reversi.openings.names import OpeningError, opening_named
from reversi.rules import Rules
from reversi.text.decoding import excerpt

_Texts = list[str] | None
PlayerOption = Annotated[
    _Texts,
    typer.Option(
        metavar="NAME",
        help="Select a player of either color by words of the name or their beginnings;"
        " give it twice for a pairing.",
    ),
]
BlackOption = Annotated[_Texts, typer.Option(metavar="NAME", help="Select Black by words of the name.")]
WhiteOption = Annotated[_Texts, typer.Option(metavar="NAME", help="Select White by words of the name.")]
EventOption = Annotated[
    _Texts, typer.Option(metavar="NAME", help="Select games by words of the event or their beginnings.")
]
TagOption = Annotated[
    _Texts,
    typer.Option(
        metavar="NAME=TEXT",
        help="Select games whose tag NAME contains TEXT; NAME alone selects games with that tag.",
    ),
]
SortOption = Annotated[
    _Texts,
    typer.Option(
        "--sort",
        metavar="WORD",
        help=f"Sort the games: {', '.join(SORTS)}; several, the first counts most. Unknown ones come last.",
    ),
]
YearOption = Annotated[
    _Texts, typer.Option(metavar="YEARS", help="Select years: 1997, 1990-1999, 1990- or -1999.")
]
OpeningOption = Annotated[
    _Texts, typer.Option(metavar="NAME|MOVES", help="Select games that reach this opening, in any order of moves.")
]
ResultOption = Annotated[
    _Texts, typer.Option(metavar="WORD", help=f"Select games by how they end: {', '.join(RESULTS)}.")
]
PositionOption = Annotated[
    _Texts, typer.Option(metavar="BOARD", help="Select games that reach this position, or one symmetric to it.")
]


AliasesOption = Annotated[
    str,
    typer.Option(
        "--aliases",
        metavar="FILE",
        help="Take names for one player by the lines of FILE: Alias = Name.",
    ),
]
OpeningTagsOption = Annotated[
    bool,
    typer.Option("--opening-tags", help="Add the tags Opening and OpeningCode: the name, and its moves."),
]


def aliases_of(path: str) -> Aliases:
    """Return the aliases of a file, none for an empty name; end the command for a wrong one."""
    try:
        return Aliases.of(path) if path else NO_ALIASES
    except MissingFileError as error:
        fail(Status.NO_INPUT, f"--aliases: {error}")
    except AliasError as error:
        fail(Status.BAD_DATA, str(error))
    except InputError as error:
        fail(Status.BAD_DATA, f"--aliases: {error.naming(path)}")
    except OSError as error:
        fail(Status.NO_INPUT, f"--aliases: {path}: {reason(error)}")


def select(
    rules: Rules,
    *,
    tags: list[str] | None = None,
    player: _Texts = None,
    black: _Texts = None,
    white: _Texts = None,
    event: _Texts = None,
    year: _Texts = None,
    result: _Texts = None,
    opening: _Texts = None,
    position: _Texts = None,
    to_move: str = "",
    aliases: Aliases = NO_ALIASES,
) -> Selection:
    """Return the selection that options ask for; end the command for a wrong one."""
    if to_move and not position:
        fail(Status.USAGE, "--to-move is for --position; give it too")
    positions = _positions(rules, opening, position, to_move)
    if player is not None and len(player) == 2 and player[0] == player[1]:
        err(f"reversi: --player {excerpt(player[0])} is given twice, which selects games between two such players")
    try:
        return Selection(
            tags=tuple(map(parse_tag, tags or ())),
            player=tuple(player or ()),
            black=tuple(black or ()),
            white=tuple(white or ()),
            event=tuple(event or ()),
            years=tuple(map(parse_years, year or ())) or (None, None),
            results=frozenset(result or ()),
            positions=positions,
            aliases=aliases,
        )
    except SelectionError as error:
        fail(Status.USAGE, str(error))


def sorts_of(words: _Texts) -> tuple[str, ...]:
    """Return what games are sorted by; end the command for another word."""
    try:
        check_sorts(words or ())
    except SelectionError as error:
        fail(Status.USAGE, f"--sort: {error}")
    return tuple(words or ())


def _positions(rules: Rules, openings: _Texts, boards: _Texts, to_move: str) -> tuple[tuple[Position, ...], ...]:
    """Return the positions that ``--opening`` and ``--position`` name, alternatives each."""
    groups = (
        tuple(position for name in openings or () for position in _opening(name, rules)),
        tuple(_position(text, rules, to_move) for text in boards or ()),
    )
    return tuple(group for group in groups if group)


def _opening(text: str, rules: Rules) -> tuple[Position, ...]:
    """Return the positions that a name has, whatever the rules, or the one after some moves."""
    try:
        return opening_named(text).positions
    except OpeningError as error:
        try:
            return (only_position(resolve(text), rules),)
        except MissingInputError:
            fail(Status.USAGE, f"--opening: {error}; 'reversi openings list' lists them")
        except (InputError, OSError) as wrong:
            fail(Status.USAGE, f"--opening: {wrong}")


def _position(text: str, rules: Rules, to_move: str) -> Position:
    try:
        return only_position(resolve(text), rules, to_move_option(to_move))
    except (InputError, OSError) as error:
        fail(Status.USAGE, f"--position: {error}")
