"""``reversi record filter``: the games that meet some conditions."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from reversi._core import Position
from reversi.cli.console import StatusCollector, command, err, fail, rules_option
from reversi.cli.options import GameRulesOption, ToMoveOption
from reversi.cli.outputs import ForceOption, Inputs
from reversi.cli.pasted import to_move_option
from reversi.cli.record.files import FormOption
from reversi.cli.record.output import GamesWriter, OutputOption, ToOption
from reversi.cli.record.streams import PathsArgument, WorkersOption, games_of
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.openings.names import OpeningError, opening_named
from reversi.records.collection.selection import RESULTS, Selection, SelectionError, parse_tag, parse_years
from reversi.records.collection.texts import selected_texts
from reversi.records.collection.workers import each_made
from reversi.records.places import MissingInputError, only_position, resolve
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


@command
def filter_games(
    paths: PathsArgument,
    output: OutputOption = "-",
    to: ToOption = None,
    force: ForceOption = False,
    tag: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=TEXT",
            help="Select games whose tag NAME contains TEXT; NAME alone selects games with that tag.",
        ),
    ] = None,
    player: PlayerOption = None,
    black: BlackOption = None,
    white: WhiteOption = None,
    year: YearOption = None,
    opening: OpeningOption = None,
    result: ResultOption = None,
    position: PositionOption = None,
    to_move: ToMoveOption = "",
    form: FormOption = None,
    rules: GameRulesOption = "othello",
    workers: WorkersOption = 0,
) -> None:
    """Write the games that meet every condition.

    A repeated option selects games that fit any of its values; --player twice selects games between two players.
    Tags of different names must all fit.

    Example: reversi record filter archive/ --player "tastet" --year 1990-1999 --opening Tiger -o tiger.pgn

    Example: reversi record filter games.pgn --result draw --tag Event=Cambridge

    Example: reversi record filter games.pgn --position "f5d6c3d3c4"
    """
    rule_set = rules_option(rules)
    selection = select(
        rule_set,
        tags=tag,
        player=player,
        black=black,
        white=white,
        year=year,
        results=result,
        positions=positions_of(rule_set, opening, position, to_move),
    )
    outcome = StatusCollector()
    games = games_of(paths, rule_set, outcome, form)
    writer = GamesWriter(output, to, outcome, Inputs(*paths), force=force)
    if writer.takes_texts:
        writer.write_texts(each_made(games, partial(selected_texts, selection), workers))
    else:
        writer.write(selection.of(games), lambda: games.at)
    writer.report(games.count)
    outcome.finish()


def select(
    rules: Rules,
    *,
    tags: list[str] | None = None,
    player: _Texts = None,
    black: _Texts = None,
    white: _Texts = None,
    year: _Texts = None,
    results: _Texts = None,
    positions: tuple[tuple[Position, ...], ...] = (),
) -> Selection:
    """Return the selection that options ask for; end the command for a wrong one."""
    if player is not None and len(player) == 2 and player[0] == player[1]:
        err(f"reversi: --player {excerpt(player[0])} is given twice, which selects games between two such players")
    try:
        return Selection(
            tags=tuple(map(parse_tag, tags or ())),
            player=tuple(player or ()),
            black=tuple(black or ()),
            white=tuple(white or ()),
            years=tuple(map(parse_years, year or ())) or (None, None),
            results=frozenset(results or ()),
            positions=positions,
        )
    except SelectionError as error:
        fail(Status.USAGE, str(error))


def positions_of(
    rules: Rules, openings: list[str] | None, boards: list[str] | None, to_move: str
) -> tuple[tuple[Position, ...], ...]:
    """Return the positions that ``--opening`` and ``--position`` name, alternatives each; a wrong one is wrong
    usage.
    """
    groups = (
        tuple(_opening(name, rules) for name in openings or ()),
        tuple(_position(text, rules, to_move) for text in boards or ()),
    )
    return tuple(group for group in groups if group)


def _opening(text: str, rules: Rules) -> Position:
    try:
        return opening_named(text).position.with_rules(rules)
    except OpeningError as error:
        try:
            return only_position(resolve(text), rules)
        except MissingInputError:
            fail(Status.USAGE, f"--opening: {error}; 'reversi openings list' lists them")
        except (InputError, OSError) as wrong:
            fail(Status.USAGE, f"--opening: {wrong}")


def _position(text: str, rules: Rules, to_move: str) -> Position:
    try:
        return only_position(resolve(text), rules, to_move_option(to_move))
    except (InputError, OSError) as error:
        fail(Status.USAGE, f"--position: {error}")
