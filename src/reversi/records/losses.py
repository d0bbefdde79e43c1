"""What of a record each format cannot hold: the capabilities of the formats, as data.

A record is read, whatever its format, into one model; the formats that are written hold more or less of it.
:func:`losses` names what a format leaves out of a given record. What a format cannot have at all (another board,
discs turned by hand) its writer refuses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeAlias

from reversi._core import PASS, Position
from reversi.records.counts import board_result
from reversi.records.dialects import fits
from reversi.records.formats.eothello import is_identity, winner_of
from reversi.records.formats.ggf.writer import ggf_keeps_result, ggf_keeps_tag
from reversi.records.formats.obf import obf_score
from reversi.records.formats.transcript import passes_follow
from reversi.records.formats.wthor.writer import wthor_losses
from reversi.records.record import Line, Node, Record, Tags
from reversi.rules import OTHELLO
from reversi.score import Kind, format_score

__all__ = ["CAPABILITIES", "FEATURES", "Capabilities", "losses", "lost_tags"]

Test: TypeAlias = Callable[[Record], bool]
"""Whether a record has something."""

TagTest: TypeAlias = Callable[[Record, str, str, int], bool]
"""Whether a tag of a record, given by its name, its value and how many times the name comes, is kept."""

_BARE: Final = Tags()


def _known_tags(record: Record, *but: str) -> list[tuple[str, str]]:
    """The tags of a record that say something, apart from those of some names."""
    return [(name, value) for name, value in record.tags.pairs if name not in but and value != _BARE.get(name)]


def _nodes(line: Line) -> Iterator[Node]:
    """The turns of a line and of its variations."""
    for node in line.nodes:
        yield node
        for variation in node.variations:
            yield from _nodes(variation)


def _commented(line: Line) -> bool:
    return bool(line.comments) or any(
        bool(node.comments) or any(map(_commented, node.variations)) for node in line.nodes
    )


def _any_node(test: Callable[[Node], bool]) -> Test:
    return lambda record: any(map(test, _nodes(record.line)))


FEATURES: Final[Mapping[str, Test]] = MappingProxyType(
    {
        "players": lambda record: (record.black, record.white) != (_BARE["Black"], _BARE["White"]),
        "other tags": lambda record: bool(_known_tags(record, "Black", "White")),
        "results": lambda record: record.result != "*",
        "rules": lambda record: record.rules != OTHELLO,
        "starts": lambda record: record.start != Position(record.rules),
        "passes": lambda record: PASS in record.moves and passes_follow(record),
        "comments": lambda record: _commented(record.line),
        "glyphs": _any_node(lambda node: bool(node.nags)),
        "clocks": _any_node(lambda node: node.clock is not None),
        "times of turns": _any_node(lambda node: node.elapsed is not None),
        "evaluations": _any_node(lambda node: node.evaluation is not None),
        "variations": _any_node(lambda node: bool(node.variations)),
    }
)
"""What a record may have beside its moves, as words for people, each with the test for it."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a format holds of a record.

    Attributes:
        name: the format in words.
        holds: the features that it holds, of those in :data:`FEATURES`.
        partly: what it holds of some features, each with the test for what is lost of them.
        keeps_tag: whether it keeps a tag of a record that is no player, given by its name, its value and how many
            times the name comes; not asked where the format holds all of them.
    """

    name: str
    holds: frozenset[str]
    partly: Mapping[str, Test] = field(default_factory=dict)
    keeps_tag: TagTest = lambda *_: False


def _has_bracket(record: Record) -> bool:
    texts = (*record.line.comments, *(text for node in record.line.nodes for text in node.comments))
    return any("]" in text for text in texts)


def _ggf_players(record: Record) -> bool:
    return any("]" in record.tags[name] or not record.tags[name] for name in ("Black", "White"))


def _eothello_results(record: Record) -> bool:
    """Whether the result says more than the winner and the board."""
    on_board, winner = board_result(record), winner_of(record)
    if on_board is None or (winner is not None and not fits(winner, on_board)):
        return record.result != winner
    return record.result != on_board.discs


def _eothello_keeps(record: Record, name: str, value: str, times: int) -> bool:
    return name == "GameId" and times == 1 and is_identity(value)


def _obf_results(record: Record) -> bool:
    on_board = board_result(record)
    return record.result != ("*" if on_board is None else on_board.discs)


def _obf_keeps(record: Record, name: str, value: str, times: int) -> bool:
    if name != "Score" or times > 1:
        return False
    score = obf_score(record)
    return score is not None and value == format_score(score)


def _obf_comments(record: Record) -> bool:
    comments = record.line.comments
    joined = " ".join(" ".join(comments).split())
    return comments != ((joined,) if joined else ()) or _commented(Line(record.line.nodes))


def _kinds(*held: Kind) -> Test:
    return _any_node(lambda node: node.evaluation is not None and node.evaluation.kind not in held)


_EVERYTHING: Final = frozenset(FEATURES)

CAPABILITIES: Final[Mapping[str, Capabilities]] = MappingProxyType(
    {
        "pgn": Capabilities("PGN-like text", _EVERYTHING),
        "sgf": Capabilities("SGF", _EVERYTHING),
        "ggf": Capabilities(
            "GGF",
            frozenset(("rules", "starts", "passes", "times of turns", "evaluations")),
            {
                "players": _ggf_players,
                "other tags": lambda record: bool(lost_tags(record, "ggf")),
                "results": lambda record: not ggf_keeps_result(record),
                "comments": _has_bracket,
                "kinds of evaluations": _kinds(Kind.HEURISTIC),
            },
            ggf_keeps_tag,
        ),
        "transcript": Capabilities("a transcript", frozenset(("starts",))),
        "eothello": Capabilities(
            "a list of eOthello",
            frozenset(("rules", "starts")),
            {"other tags": lambda record: bool(lost_tags(record, "eothello")), "results": _eothello_results},
            _eothello_keeps,
        ),
        "obf": Capabilities(
            "OBF",
            frozenset(("starts", "passes", "evaluations", "variations")),
            {
                "other tags": lambda record: bool(lost_tags(record, "obf")),
                "results": _obf_results,
                "comments": _obf_comments,
                "kinds of evaluations": _kinds(Kind.EXACT),
            },
            _obf_keeps,
        ),
    }
)
"""The formats that are written as text, by the names of :class:`reversi.records.TextFormat`."""


def losses(record: Record, form: str) -> list[str]:
    """What of a record a format does not hold, as words for people.

    Args:
        record: the record.
        form: the name of the format, one of :data:`CAPABILITIES`, or ``wthor``.
    """
    if form == "wthor":
        return wthor_losses(record)
    format_ = CAPABILITIES[form]
    lost = []
    for what, has in {**FEATURES, **format_.partly}.items():
        if what not in format_.holds and format_.partly.get(what, has)(record):
            lost.append(what)
    return lost


def lost_tags(record: Record, form: str) -> list[str]:
    """The names of the tags of a record, other than the players, that a format does not hold.

    Args:
        record: the record.
        form: the name of the format, one of :data:`CAPABILITIES`.
    """
    format_ = CAPABILITIES[form]
    if "other tags" in format_.holds:
        return []
    times = Counter(name for name, _ in record.tags.pairs)
    known = _known_tags(record, "Black", "White")
    return list(
        dict.fromkeys(name for name, value in known if not format_.keeps_tag(record, name, value, times[name]))
    )
