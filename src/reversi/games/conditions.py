"""Conditions on games as a person writes them, each a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from reversi._core import Position
from reversi.arguments import check_type, excerpt
from reversi.color import Color
from reversi.errors import InputError, ReversiError
from reversi.games.aliases import NO_ALIASES, Aliases
from reversi.games.patterns import Pattern
from reversi.games.selection import NUMBERS, Selection, SelectionError, parse_discs, parse_tag, parse_years
from reversi.inputs.input import MissingInputError, only_position, resolve
from reversi.openings.names import OpeningError, opening_named
from reversi.rules import OTHELLO, Rules

_CONDITIONS: Final = (
    *("tag", "player", "black", "white", "event", "year", "result", "opening", "position"),
    *NUMBERS,
    *("moves_contain", "pattern"),
)


def parse_selection(
    texts: Mapping[str, Iterable[str] | None],
    rules: Rules = OTHELLO,
    *,
    to_move: Color | None = None,
    aliases: Aliases = NO_ALIASES,
    outcome_changed: bool = False,
) -> Selection:
    """Return the selection that texts ask for. A game must meet every condition, with one of its texts.

    >>> parse_selection({"player": ["ada"], "year": ["1997-"]}).years
    ((1997, None),)

    Args:
        texts: the texts of each condition, by its name: ``tag`` has ``NAME=TEXT``; ``player``, ``black``,
            ``white`` and ``event`` words of the name, ``player`` twice for a pairing; ``year``
            ``1997`` or ``1990-1999``; ``result`` how games end; ``opening`` a name or moves;
            ``position`` a board or moves; ``score``, ``margin``, ``theory`` and ``theory_error`` discs as in
            ``20`` or ``10..``; ``moves_contain`` moves; ``pattern`` a `Pattern`.
        rules: the rules of openings and positions.
        to_move: the side to move in positions that do not say it.
        aliases: other names that players and events have, too.
        outcome_changed: as in `Selection`.

    Raises:
        SelectionError: it is another name, or a text cannot be understood; where it is no position, the source is
            the condition.
    """
    check_type("texts", texts, Mapping, advice='{"player": ["ada"]} is one')
    for name in texts:
        if name not in _CONDITIONS:
            raise SelectionError(f"{excerpt(name)} is not a condition; give one of {', '.join(_CONDITIONS)}")
    given = {name: tuple(texts.get(name) or ()) for name in _CONDITIONS}
    groups = (
        tuple(position for text in given["opening"] for position in _opening(text, rules)),
        tuple(_position("position", text, rules, to_move) for text in given["position"]),
    )
    return Selection(
        tags=tuple(map(parse_tag, given["tag"])),
        player=given["player"] or "",
        black=given["black"] or "",
        white=given["white"] or "",
        event=given["event"] or "",
        years=tuple(map(parse_years, given["year"])) or (None, None),
        results=frozenset(given["result"]),
        positions=tuple(group for group in groups if group),
        moves_contain=given["moves_contain"] or "",
        patterns=(tuple(map(_pattern, given["pattern"])),) if given["pattern"] else (),
        outcome_changed=outcome_changed,
        aliases=aliases,
        **{name: tuple(parse_discs(name, text) for text in given[name]) or (None, None) for name in NUMBERS},
    )


def _opening(text: str, rules: Rules) -> tuple[Position, ...]:
    """Return the positions that a name has, whatever the rules, or the one after some moves."""
    try:
        return opening_named(text).positions
    except OpeningError as error:
        try:
            return (_position("opening", text, rules, None),)
        except SelectionError as wrong:
            if isinstance(wrong.__cause__, MissingInputError):
                raise SelectionError(str(error), source="opening") from error
            raise


def _pattern(text: str) -> Pattern:
    try:
        return Pattern(text)
    except InputError as error:
        raise SelectionError(str(error), source="pattern") from error


def _position(condition: str, text: str, rules: Rules, to_move: Color | None) -> Position:
    try:
        return only_position(resolve(text), rules, to_move)
    except (ReversiError, OSError) as error:
        raise SelectionError(str(error), source=condition) from error
