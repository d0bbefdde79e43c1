"""``reversi position``: show positions, and convert them between text forms."""

from __future__ import annotations

import enum
from collections.abc import Callable
from itertools import chain, islice
from typing import Annotated, NamedTuple

import typer

from reversi._core import Position
from reversi.cli.console import StatusCollector, command, out, out_json
from reversi.cli.inputs import PositionInput
from reversi.cli.option_groups import Flag
from reversi.inputs.positions import PositionEntry
from reversi.score import format_score
from reversi.text.board_drawing import format_diagram
from reversi.text.boards import format_board, pass_words, rules_lines, state_mark
from reversi.text.obf import ObfEntry, format_obf
from reversi.text.position_json import position_summary


class Form(enum.Enum):
    BOARD = "board"
    OBF = "obf"
    DIAGRAM = "diagram"
    JSON = "json"


@command
def show(
    positions: PositionInput,
    json: Annotated[bool, Flag("Write one JSON object per line.")] = False,
) -> None:
    """Show positions: the board, the side to move, the legal moves and the discs.

    Example: reversi position show f5d6c3

    Example: reversi position show suite.obf --json
    """
    _write(positions, _JSON if json else _PICTURE, complete=json)


@command
def convert(
    positions: PositionInput,
    to: Annotated[Form, typer.Option(help="Write this text form.")],
) -> None:
    """Write positions in another text form.

    Example: reversi position convert f5d6c3 --to board

    Example: reversi position convert boards.txt --to obf
    """
    _write(positions, _FORMS[to])


def _write(positions: PositionInput, format_: _Form, *, complete: bool = False) -> None:
    """Write each position of an input in a form; the bad ones to standard error, with their places."""
    outcome = StatusCollector(complete=complete)
    entries = positions.positions(outcome)
    first_two = list(islice(entries, 2))
    for number, (entry, position) in enumerate(chain(first_two, entries)):
        if format_.on_lines and number:
            out()
        format_.write(entry, position, len(first_two) > 1)
    outcome.finish()


def _write_picture(entry: PositionEntry, position: Position, numbered: bool) -> None:
    lines = [f"Position {entry.index} (line {entry.line})"] if numbered else []
    if entry.comment:
        lines.append(entry.comment)
    lines += [format_diagram(position, position.legal_moves), _turn(position)]
    if not position.is_over:
        lines.append(f"Discs {position.count.discs} (Black-White), {position.empties} empty")
    lines += rules_lines(position)
    if entry.annotated:
        scores = ", ".join(f"{move} {format_score(score)}" for move, score in entry.annotated)
        lines.append(f"Scores as given: {scores}")
    out("\n".join(lines))


def _turn(position: Position) -> str:
    if position.is_over:
        return f"Game over{pass_words(position)}: {position.count}, {position.empties} empty"
    legal = position.legal_moves
    what = " ".join(map(str, legal)) if legal.placements else "must pass"
    return f"{position.to_move} ({position.to_move.symbol}) to move{pass_words(position)}: {what}"


def _write_json(entry: PositionEntry, position: Position, _numbered: bool) -> None:
    fields = {"index": entry.index, "line": entry.line, **position_summary(position)}
    if entry.annotated:
        fields["annotated"] = [{"move": str(move), "score": score} for move, score in entry.annotated]
    if entry.comment:
        fields["comment"] = entry.comment
    out_json(fields)


def _write_board(_entry: PositionEntry, position: Position, _numbered: bool) -> None:
    out(format_board(position))


def _write_obf(entry: PositionEntry, position: Position, _numbered: bool) -> None:
    out(format_obf(ObfEntry(position, entry.annotated, entry.score, entry.comment)))


def _write_diagram(entry: PositionEntry, position: Position, _numbered: bool) -> None:
    if entry.comment:
        out(f"% {entry.comment}")
    out(format_diagram(position))
    out("\n".join([f"{position.to_move} to move{state_mark(position)}", *rules_lines(position)]))


class _Form(NamedTuple):
    write: Callable[[PositionEntry, Position, bool], None]
    on_lines: bool  # several lines each, so that a blank one goes between two


_PICTURE = _Form(_write_picture, True)
_JSON = _Form(_write_json, False)
_FORMS = {
    Form.BOARD: _Form(_write_board, False),
    Form.OBF: _Form(_write_obf, False),
    Form.DIAGRAM: _Form(_write_diagram, True),
    Form.JSON: _JSON,
}
