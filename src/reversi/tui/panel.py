"""The side of the board, as lines of cells: players, moves and tips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from reversi._core import Move
from reversi.color import Color
from reversi.game.game import Game
from reversi.game.ply import Ply
from reversi.score import Kind, score_text, short_score
from reversi.session.sentences import shows_supply
from reversi.session.session import Session
from reversi.solver.solution import MoveScore
from reversi.text.widths import cut, filled, width_of
from reversi.tui.board_drawing import Cell, CellLines
from reversi.tui.sentences import printable
from reversi.tui.themes import BoardTheme

_PEOPLE: Final = 7
"""Characters of how many people play a move."""


def player_lines(session: Session, theme: BoardTheme, width: int) -> CellLines:
    """Return a line per player: name, discs, clock; where it is shown, a second one with the supply."""
    count, supply = session.position.count, session.game.supply
    clocks = {color: "" if session.clock is None else f" {session.clock.text(color)}" for color in Color}
    clock_width = max(map(len, clocks.values()))
    lines: CellLines = []
    for color, discs, handed in (
        (Color.BLACK, count.black, supply.handed_to_black),
        (Color.WHITE, count.white, supply.handed_to_white),
    ):
        turn = not session.is_over and session.to_move is color
        pointer = theme.pointer if turn else " "
        symbol = theme.symbol_of(color)
        room = max(width - 3 - clock_width - bool(clock_width) - 6, 1)
        who = _who(session, color, theme, room)
        running = turn and session.clock is not None
        lines.append(
            [
                Cell(f"{pointer} ", theme.accent, bold=True),
                _disc_cell(symbol, color, theme),
                Cell(f" {filled(who, room)}", bold=turn),
                Cell(f"{discs:>3}{' ' if clock_width else ''}", bold=True),
                Cell(f"{clocks[color]:>{clock_width}}", bold=running, reverse=running),
            ]
        )
        if shows_supply(session.game):
            taken = f", received {handed}" if handed else ""
            lines.append([Cell(f"      supply {supply.of(color)}{taken}"[:width], dim=True)])
    return lines


def _who(session: Session, color: Color, theme: BoardTheme, room: int) -> str:
    """Return the side and its player, in as many words as fit: the level goes last.

    In an opened record that nobody has continued the player is the one of the record.
    """
    name, side = theme.name_of(color), str(session.sides[color])
    if recorded := session.state.names.get(str(color)):
        text = printable(f"{name}: {recorded}")
        return cut(text, room, "...")
    short = side.removeprefix("engine ")
    texts = (f"{name} ({side})", f"{name} ({short})", f"{name} {short}", f"{name[0]} {short}")
    return next((text for text in texts if width_of(text) <= room), cut(texts[-1], room))


def _disc_cell(symbol: str, color: Color, theme: BoardTheme) -> Cell:
    if theme.colorless:
        return Cell(f" {symbol} ", bold=True)
    return Cell(f" {symbol} ", theme.disc_of(color), theme.squares[0])


def move_lines(game: Game, width: int) -> list[str]:
    """Return the moves, numbered by pairs of turns, several on a line where they fit.

    ``+`` marks a disc that was handed over, ``*`` a ply with other flips than the rules make.
    """
    slots: list[str] = [] if game.start.to_move is Color.BLACK else [""]
    slots += [_move_text(ply) for ply in game]
    numbered = [
        f"{at // 2 + 1:>2}. {slots[at] or '...':<4} {slots[at + 1] if at + 1 < len(slots) else '':<4}"
        for at in range(0, len(slots), 2)
    ]
    columns = max(1, (width + 2) // 16)
    return [
        "  ".join(f"{text:<14}" for text in numbered[at : at + columns]).rstrip()
        for at in range(0, len(numbered), columns)
    ]


def _move_text(ply: Ply) -> str:
    wrong = ply.hand_flips is not None and ply.hand_flips != ply.before.flips(ply.move)
    return f"{ply.move}{'+' if ply.handed_over else ''}{'*' if wrong else ''}"


def tip_lines(
    choices: Sequence[MoveScore],
    to_move: Color,
    theme: BoardTheme,
    width: int,
    people: Mapping[Move, float] = MappingProxyType({}),
) -> CellLines:
    """Return one line per move: its score, how many people play it, and the expected line where they fit.

    Where the whole scores do not fit, ``~`` says that a value is not exact.
    """
    scores = [score_text(choice.score, name_of=theme.name_of) for choice in choices]
    room = width - 4 - (_PEOPLE if people else 0)
    if max(map(width_of, scores), default=0) > room:
        leaders = [text.rpartition(", ")[2] for text in scores]
        values = [short_score(choice.score) for choice in choices]
        most = max(map(len, values))
        scores = [f"{value:>{most}} {leader}" for value, leader in zip(values, leaders, strict=True)]
        if max(map(width_of, scores)) > room:
            scores = values
    texts = [f"{choice.move!s:3} {text}" for choice, text in zip(choices, scores, strict=True)]
    widest = max(map(width_of, texts), default=0)
    if people and widest + _PEOPLE <= width:
        texts = [
            f"{filled(text, widest)}{100 * people[choice.move]:{_PEOPLE - 2}.0f} %"
            for choice, text in zip(choices, texts, strict=True)
        ]
        widest += _PEOPLE
    lines: CellLines = []
    for choice, said in zip(choices, texts, strict=True):
        text = filled(said, widest)
        room = max(width - widest - 1, 0) // 3  # the moves that fit whole
        line = " ".join(str(move) for move in choice.pv[1 : 1 + room])
        lines.append([Cell(cut(text, width), bold=not lines), Cell(f"  {line}" if line else "", dim=True)])
    return lines


def tip_heading(
    choices: Sequence[MoveScore], to_move: Color, theme: BoardTheme, *, last: bool, people: bool = False
) -> str:
    """Return the heading of the tips: the player, the depth of the search, ``...`` while a deeper one runs.

    Args:
        people: whether the tips say how many people play each move.
    """
    depths = {choice.score.depth for choice in choices if choice.score.kind is Kind.HEURISTIC}
    depth = f", depth {min(depths)}" if depths else ""
    level = "; people at your level" if people else ""
    return f"Tips for {theme.name_of(to_move)}{depth}{level}{'' if last else ' ...'}"
