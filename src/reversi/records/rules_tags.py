"""The tags that say how a game starts, read and written: Rules, SetUp and Board, and the FEN of other programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reversi._core import Position
from reversi.errors import InputError
from reversi.rules import OTHELLO, Rules, parse_rules
from reversi.text.boards import format_board, parse_board
from reversi.text.fen import parse_fen


def rules_tags(start: Position) -> Iterator[tuple[str, str]]:
    """Yield the tags of a start position; a game of Othello from its usual start needs none."""
    if start.rules != OTHELLO:
        yield "Rules", str(start.rules)
    if start != Position(start.rules):
        yield "SetUp", "1"
        yield "Board", format_board(start)


def start_of(tags: Mapping[str, str], rules: Rules) -> Position:
    """Return the start position that a game's tags say it has.

    Args:
        tags: the tags of the file.
        rules: the rules where no tag names them.

    Raises:
        RulesError: the Rules tag cannot be understood.
        BoardError: the Board tag or the FEN tag cannot be understood.
        SideToMoveError: the Board tag does not say who is to move.
    """
    if "Rules" in tags:
        rules = parse_rules(tags["Rules"])
    if "Board" in tags:
        return parse_board(tags["Board"], rules)
    if "FEN" in tags:
        return parse_fen(tags["FEN"], rules)
    return Position(rules)


def plain_tags(tags: Mapping[str, str]) -> frozenset[str]:
    """Return those of the tags Rules and Board that say nothing of the start of a foreign game: they mean
    something else.

    A Board that cannot be understood does where the SetUp tag says that there is a position, and no FEN gives it.
    """
    sets_up = tags.get("SetUp", "").strip() == "1" and "FEN" not in tags
    return frozenset(name for name in not_understood(tags) if name == "Rules" or not sets_up)


def not_understood(tags: Mapping[str, str]) -> set[str]:
    """Return those of the tags Rules and Board that name no rule set and no position of this program."""
    wrong: set[str] = set()
    rules = OTHELLO
    try:
        if "Rules" in tags:
            rules = parse_rules(tags["Rules"])
    except InputError:
        wrong.add("Rules")
    try:
        if "Board" in tags:
            parse_board(tags["Board"], rules)
    except InputError:
        wrong.add("Board")
    return wrong
