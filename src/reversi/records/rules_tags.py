"""The tags that say how a game starts, read and written: Rules, SetUp and Board, and the FEN of other programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reversi._core import Position
from reversi.color import Color
from reversi.errors import InputError, RecordError
from reversi.rules import OTHELLO, Rules, parse_rules
from reversi.text.boards import format_board, parse_board


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
        BoardError: the Board tag cannot be understood.
        SideToMoveError: the Board tag does not say who is to move.
        RecordError: the FEN tag cannot be understood.
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


def parse_fen(text: str, rules: Rules = OTHELLO) -> Position:
    """Return the position of a FEN as Edax writes it: row 8 first, ``p`` black, ``P`` white, then ``b`` or ``w``.

    Raises:
        RecordError: not such a FEN, or one of another board than that of the rules.
    """
    rows, _, rest = text.strip().partition(" ")
    side = rest.strip()[:1]
    ranks = rows.split("/")
    if len(ranks) != rules.board.rows or side not in ("b", "w"):
        raise RecordError(f"{text[:100]!a} is not a FEN of a {rules.board} board; write the rows, then b or w")
    black = white = 0
    for row, rank in zip(reversed(range(rules.board.rows)), ranks, strict=True):
        column = 0
        for character in rank:
            if character in "pP" and column < rules.board.columns:
                bit = 1 << (8 * row + column)
                black |= bit if character == "p" else 0
                white |= bit if character == "P" else 0
                column += 1
            elif character in "12345678":
                column += int(character)
            else:
                column = -1
                break
        if column != rules.board.columns:
            raise RecordError(f"{text[:100]!a} is not a FEN of a {rules.board} board: {rank!a} is not a row")
    return Position.from_discs(black, white, Color.BLACK if side == "b" else Color.WHITE, rules)
