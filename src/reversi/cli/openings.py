"""``reversi openings``: the names of openings, and lists of openings to start games from."""

from __future__ import annotations

from typing import Annotated

import typer

from reversi.arguments import excerpt
from reversi.cli.console import StatusCollector, command, fail, out, out_json, read_bytes
from reversi.cli.inputs import PositionInput, noted, place_of
from reversi.cli.option_groups import Flag, needs
from reversi.cli.options import EncodingOption, argument, option
from reversi.cli.status import Status
from reversi.errors import InputError
from reversi.openings.names import (
    Named,
    Opening,
    OpeningError,
    named_openings,
    opening_named,
    opening_of_position,
)
from reversi.openings.starts import StartingLine, balanced_lines, draw_line, parse_xot
from reversi.records.facts import opening_of
from reversi.records.formats.registry import POSITIONS
from reversi.text.board_drawing import format_diagram
from reversi.text.boards import format_board
from reversi.text.decoding import decode_text

_Json = Annotated[bool, typer.Option("--json", help="Write one JSON object per line.")]
_List = Annotated[str, option("FILE", "Draw from FILE, with one transcript per line as in XOT.", "--list")]


def _fields(opening: Opening) -> dict[str, object]:
    return {
        "name": opening.name,
        "other_names": list(opening.other_names),
        "moves": opening.transcript,
        "board": format_board(opening.position),
    }


@command
def list_(
    text: Annotated[str, argument("TEXT", "List only openings with TEXT in a name or in the moves.")] = "",
    json: _Json = False,
) -> None:
    """List the named openings.

    Example: reversi openings list

    Example: reversi openings list rose
    """
    wanted = text.casefold()
    openings = [
        opening
        for opening in named_openings()
        if wanted in opening.transcript or any(wanted in name.casefold() for name in _names(opening))
    ]
    if not openings:
        fail(Status.BAD_DATA, f"{excerpt(text)} is not part of the name or the moves of an opening")
    width = max(len(opening.transcript) for opening in openings)
    for opening in openings:
        if json:
            out_json(_fields(opening))
        else:
            out(f"{opening.transcript:{width}}  {', '.join(_names(opening))}")


def _names(opening: Opening) -> tuple[str, ...]:
    return opening.name, *opening.other_names


@command
def show(
    name: Annotated[str, argument("NAME", "The opening's name; case, spaces and punctuation do not matter.")],
    json: Annotated[bool, Flag("Write one JSON object.")] = False,
) -> None:
    """Show an opening by its name.

    Example: reversi openings show tiger
    """
    try:
        opening = opening_named(name)
    except OpeningError as error:
        fail(Status.BAD_DATA, f"{error}; 'reversi openings list' lists them")
    if json:
        out_json(_fields(opening))
        return
    out(", ".join(_names(opening)))
    out(opening.transcript)
    position = opening.position
    out(format_diagram(position, position.legal_moves))
    out(f"{position.to_move} ({position.to_move.symbol}) to move")


@command
def name(
    positions: PositionInput,
    json: _Json = False,
) -> None:
    """Name the openings of games and positions.

    The last named position of a game counts. The order of the moves and the symmetry of the board do not matter.

    Example: reversi openings name f5d6c3d3c4f4c5b3

    Example: reversi openings name games.pgn#3
    """
    given, outcome = positions.given, StatusCollector(complete=json)
    if given.format in (None, POSITIONS):
        for entry, position in positions.positions(outcome):
            opening = opening_of_position(position)
            _write_name(entry.index, Named(opening, 0) if opening else None, json, of_game=False)
        outcome.finish()
        return
    for game in noted(given, given.entries(positions.rule_set)):
        plies = len(game.record.moves)
        if game.findings:
            outcome.add(Status.BAD_DATA, f"{place_of(given, game.line)}: {game.findings[0].message}")
        elif given.place.ply is not None and given.place.ply > plies:
            what = f"ply {given.place.ply} does not exist: the game has {plies} plies"
            outcome.add(Status.BAD_DATA, f"{place_of(given, game.line)}: {what}")
        else:
            named = opening_of(game.record, given.place.ply)
            _write_name(game.number, named, json, of_game=True)
    outcome.finish()


def _write_name(number: int, named: Named | None, json: bool, *, of_game: bool) -> None:
    if json:
        ply = named.ply if named and of_game else None
        out_json({"index": number, "ply": ply, **(_fields(named.opening) if named else {"name": None})})
    elif named is None:
        out("(no name)")
    else:
        after = f" after {named.ply} moves" if of_game else ""
        out(f"{', '.join(_names(named.opening))}{after}")


@command(*needs("--encoding", "--list FILE"))
def draw(
    seed: Annotated[
        int, argument("SEED", "The seed; the same seed draws the same opening.", min=0, max=2**64 - 1)
    ] = 0,
    from_list: _List = "",
    encoding: EncodingOption = "",
    every: Annotated[bool, typer.Option("--all", help="Write all openings of the list.")] = False,
    json: _Json = False,
) -> None:
    """Draw a random balanced opening, from the built-in list or a file.

    Example: reversi openings draw 7

    Example: reversi openings draw 7 --list xot.txt
    """
    lines = _lines(from_list, encoding)
    for line in lines if every else (draw_line(seed, lines),):
        if json:
            out_json({"moves": str(line), "board": format_board(line.position)})
        else:
            out(str(line))


def _lines(path: str, encoding: str) -> tuple[StartingLine, ...]:
    if not path:
        return balanced_lines()
    try:
        return parse_xot(decode_text(read_bytes(path), path, encoding))
    except InputError as error:
        fail(Status.BAD_DATA, error.naming(path))
