"""Conditions on the games of a database as a person writes them, one line of text each."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from reversi._core import Position
from reversi.errors import ReversiError
from reversi.games.database.searching import GameQuery
from reversi.games.selection import Selection, SelectionError, parse_years
from reversi.inputs.input import only_position, resolve
from reversi.openings.names import OpeningError, opening_named
from reversi.rules import OTHELLO, Rules


@dataclass(frozen=True, slots=True)
class GameFilter:
    """The conditions of ``reversi db games`` as texts; an empty one asks for nothing.

    Attributes:
        player: words of the name of either player; two names with a slash between them for a pairing.
        black: words of the name of the player who has Black.
        white: words of the name of the player who has White.
        event: words of the event.
        years: ``1997``, ``1990-1999``, ``1990-`` or ``-1999``.
        result: one of `reversi.games.selection.RESULTS`.
        opening: the name of an opening, moves or a board that the games reach.
    """

    player: str = ""
    black: str = ""
    white: str = ""
    event: str = ""
    years: str = ""
    result: str = ""
    opening: str = ""

    def __str__(self) -> str:
        parts = ((each.name, getattr(self, each.name).strip()) for each in fields(self))
        return ", ".join(f"{name} {text}" for name, text in parts if text)

    def query(self, rules: Rules = OTHELLO) -> GameQuery:
        """Return the conditions as a query.

        Args:
            rules: the rules of the opening.

        Raises:
            InputError: a text cannot be understood; the message names it.
        """
        asked = Selection(
            player=tuple(name.strip() for name in self.player.split("/") if name.strip()),
            years=parse_years(self.years.strip()) if self.years.strip() else (None, None),
            results=frozenset([self.result.strip()] if self.result.strip() else ()),
        )
        query = GameQuery(
            asked.player, self.black.strip(), self.white.strip(), self.event.strip(), asked.years, asked.results
        )
        opening = self.opening.strip()
        return replace(query, positions=(_reached(opening, rules),)) if opening else query


def _reached(text: str, rules: Rules) -> Position:
    try:
        return opening_named(text).position.with_rules(rules)
    except OpeningError as error:
        try:
            return only_position(resolve(text), rules)
        except (ReversiError, OSError):
            raise SelectionError(f"opening: {error}") from None
