"""The players of a match, as users name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import reversi._regex as re
from reversi.arguments import check_type, excerpt
from reversi.errors import InputError
from reversi.session.players import Side, parse_side

_STRENGTH = re.compile(r"(?:[0-9.]+[sn]?|(?:beginner|people|club)-\S*)(?:\s+book=.*)?", re.IGNORECASE)
_NAMED = re.compile(r"([\w.+-]{1,40})=(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Contestant:
    """A player of a match.

    Attributes:
        name: the name in records and reports.
        side: who plays.
    """

    name: str
    side: Side

    def __post_init__(self) -> None:
        check_type("name", self.name, str)
        check_type("side", self.side, Side, advice="Side.of(player) makes one of a player object")


def parse_contestant(text: str, engines: Mapping[str, str] | None = None) -> Contestant:
    """Read a player of a match.

    ``7`` or ``beginner-1`` is a level, ``2s`` a time per move, ``9000n`` positions per move; ``gtp:COMMAND``,
    ``nboard:COMMAND`` and ``python:MODULE:CLASS`` are other programs; ``NAME=`` before any of them names it, and
    ``book=FILE`` after a level, a time or positions is an opening book.

    Args:
        text: the text.
        engines: engines that may be named, with their texts.

    Raises:
        InputError: the text is not such a player.
    """
    text = text.strip()
    named = engines or {}
    if text in named:
        return replace(parse_contestant(named[text]), name=text)
    if (match := _NAMED.fullmatch(text)) and ":" not in match[1]:
        return replace(parse_contestant(match[2], engines), name=match[1])
    side = _side(text, named)
    name = str(side).removeprefix("engine ")
    if side.program:
        kind, _, rest = side.program.partition(":")
        words = rest.split()
        name = rest.rpartition(":")[2] if kind == "python" else re.split(r"[/\\]", words[0])[-1]
    return Contestant(name, side)


def _side(text: str, named: Mapping[str, str]) -> Side:
    if _STRENGTH.fullmatch(text):
        text = f"engine:{text}"
    try:
        side = parse_side(text)
    except InputError as error:
        if ":" in text:
            raise
        names = f"; engines with a name: {', '.join(sorted(named))}" if named else ""
        raise InputError(
            f"{excerpt(text)} is not a player; write a level (7, beginner-1 or people-1400), a time per move (2s),"
            f" positions per move (9000n), gtp:COMMAND, nboard:COMMAND, or python:MODULE:CLASS{names}"
        ) from error
    if not side.is_engine:
        raise InputError(f"{excerpt(text)}: people do not play matches; use 'reversi play'")
    return side


def parse_contestants(texts: Iterable[str], engines: Mapping[str, str] | None = None) -> tuple[Contestant, ...]:
    """Read the players of a match; players of the same name get numbers.

    Raises:
        InputError: a text is not a player, or there are fewer than two.
    """
    contestants = [parse_contestant(text, engines) for text in texts]
    if len(contestants) < 2:
        raise InputError("a match needs two players or more")
    seen: dict[str, int] = {}
    named = []
    for each in contestants:
        seen[each.name] = seen.get(each.name, 0) + 1
        number = seen[each.name]
        named.append(each if number == 1 else replace(each, name=f"{each.name} ({number})"))
    return tuple(named)
