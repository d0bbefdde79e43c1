"""Choosing games: by tags, players, years, results and scores, and by moves and positions that they have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import reversi._regex as re
from reversi._core import Position, canonical_key
from reversi.arguments import check_type, excerpt
from reversi.color import Color
from reversi.errors import ArgumentError, InputError
from reversi.games.aliases import NO_ALIASES, Aliases
from reversi.games.names import folded
from reversi.games.patterns import Pattern, contains_moves
from reversi.records.entry import Entry
from reversi.records.facts import GameFacts, Theory, facts_of, known, theory_of, winner_by, year_of
from reversi.records.record import DERIVED_TAGS, Record
from reversi.records.replay import legal_positions
from reversi.rules import Rules
from reversi.text import format_board
from reversi.text.transcripts import read_transcript_moves

Words: TypeAlias = str | tuple[str, ...]
"""Words of a name, or several alternatives of such words."""

Span: TypeAlias = tuple[int | None, int | None]
"""The first number and the last, ``None`` for no limit on that side."""

Spans: TypeAlias = Span | tuple[Span, ...]
"""A span, or several of which one must fit."""

RESULTS = ("black", "white", "draw", "decided", "undecided", "finished", "ended-early", "unfinished", "illegal")
"""The words for how a game ended that a selection takes."""

NUMBERS = ("score", "margin", "theory", "theory_error")
"""The numbers of a game that a selection takes spans of; `numbers_of` returns them."""

_YEARS: Final = re.compile(r"([0-9]{4})?(-|\.\.|–)?([0-9]{4})?")
_DISCS: Final = re.compile(r"([+-]?[0-9]{1,2})?(-|\.\.|–)?([+-]?[0-9]{1,2})?")


class SelectionError(InputError):
    """A condition on games that cannot be understood."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which games are wanted: those that meet every condition. It selects games of files and of a database.

    Attributes:
        tags: names of tags and what each must contain, capitals and accents aside; empty: the game has the tag. Of
            several texts for one name, one must fit.
        player: words of the name of either player, as text; of a tuple of two, games between such players.
        black: words of the name of who has Black, or alternatives.
        white: words of the name of who has White, or alternatives.
        event: words of the event, or alternatives.
        years: the first year and the last, ``None`` for no limit on that side; or several such spans.
        results: how the game ended, one of which must fit: ``black``, ``white``, ``draw`` (who won), ``decided``,
            ``undecided``, ``finished``, ``ended-early``, ``unfinished``, ``illegal``.
        positions: positions that the game must reach, up to symmetry and under the same rules, all of them; of a
            tuple of positions, one. A game with an illegal move reaches none.
        score: Black's lead in discs at the end, as `years`; a game without it is in no span.
        margin: the winner's lead.
        theory: Black's lead by best play from the position that WTHOR gives a theoretical score for.
        theory_error: by how many discs the score differs from that.
        outcome_changed: whether the game must end with another winner than by WTHOR's theoretical score.
        moves_contain: moves that the game has one after the other, as text, or alternatives; up to symmetry.
            Passes of the game count only if the text has one.
        patterns: parts of a board that positions of the game must have, all of them; of a tuple of patterns, one.
            A game with an illegal move has none.
        aliases: other names that players and events have, too.
    """

    tags: tuple[tuple[str, str], ...] = ()
    player: Words = ""
    black: Words = ""
    white: Words = ""
    event: Words = ""
    years: Spans = (None, None)
    results: frozenset[str] = frozenset()
    positions: tuple[Position | tuple[Position, ...], ...] = ()
    score: Spans = (None, None)
    margin: Spans = (None, None)
    theory: Spans = (None, None)
    theory_error: Spans = (None, None)
    outcome_changed: bool = False
    moves_contain: Words = ""
    patterns: tuple[Pattern | tuple[Pattern, ...], ...] = ()
    aliases: Aliases = NO_ALIASES
    _keys: tuple[dict[Rules, list[tuple[int, int]]], ...] = field(
        init=False, repr=False, compare=False, default=()
    )
    _moves: tuple[bytes, ...] = field(init=False, repr=False, compare=False, default=())

    def __post_init__(self) -> None:
        for name in ("player", "black", "white", "event", "moves_contain"):
            check_type(name, getattr(self, name), str, tuple)
        check_type("tags", self.tags, tuple)
        check_type("positions", self.positions, tuple, advice="one position and a comma make a tuple")
        check_type("aliases", self.aliases, Aliases)
        check_type("patterns", self.patterns, tuple, advice="one pattern and a comma make a tuple")
        check_type("outcome_changed", self.outcome_changed, bool)
        check_type("results", self.results, set, frozenset, advice='frozenset({"black"}) is one')
        for word in self.results:
            if word not in RESULTS:
                raise SelectionError(f"{excerpt(word)} is not a result; give one of {', '.join(RESULTS)}")
        for name in ("years", *NUMBERS):
            _check_spans(name, getattr(self, name))
        seats(self.player)
        groups = (group if isinstance(group, tuple) else (group,) for group in self.positions)
        object.__setattr__(self, "_keys", tuple(map(_by_rules, groups)))
        object.__setattr__(
            self, "_moves", tuple(map(_numbers_of_moves, filter(None, alternatives(self.moves_contain))))
        )

    def takes(self, record: Record) -> bool:
        """Return whether a game meets every condition."""
        has_player, has_event = self.aliases.has_words, self.aliases.events.has_words
        return (
            has_tags(record, self.tags)
            and any(has_player(record.black, words) for words in alternatives(self.black))
            and any(has_player(record.white, words) for words in alternatives(self.white))
            and any(has_event(known(record.tags["Event"]), words) for words in alternatives(self.event))
            and any(
                has_player(record.black, black) and has_player(record.white, white)
                for black, white in seats(self.player)
            )
            and in_spans(self.years, year_of(record))
            and self._has_numbers(record)
            and self.has_play(record)
            and all(
                any(passed(record, record.rules, *wanted) for wanted in group.get(record.rules, ()))
                for group in self._keys
            )
            and not ((self._keys or self.patterns) and not facts_of(record).legal)
            and (not self.results or not self.results.isdisjoint(_words(record)))
        )

    def of(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Return the games that meet every condition, in order."""
        return (entry for entry in entries if self.takes(entry.record))

    @property
    def asks_for_play(self) -> bool:
        """Whether it asks for moves or patterns, which only the moves of a game show."""
        return bool(self._moves or self.patterns)

    def has_play(self, record: Record) -> bool:
        """Return whether a game has the moves and the patterns."""
        return (not self._moves or any(contains_moves(record, moves) for moves in self._moves)) and all(
            any(pattern.is_in(record) for pattern in (group if isinstance(group, tuple) else (group,)))
            for group in self.patterns
        )

    def _has_numbers(self, record: Record) -> bool:
        asked = [name for name in NUMBERS if (None, None) not in spans(getattr(self, name))]
        if not asked and not self.outcome_changed:
            return True
        facts, theory = facts_of(record), theory_of(record.tags)
        numbers = numbers_of(facts, theory)
        return all(in_spans(getattr(self, name), numbers[name]) for name in asked) and not (
            self.outcome_changed
            and (theory is None or not facts.decided or facts.winner is winner_by(theory.score))
        )


def numbers_of(facts: GameFacts, theory: Theory | None) -> dict[str, int | None]:
    """Return the `NUMBERS` of a game, ``None`` for one that is unknown."""
    score, best = facts.score, None if theory is None else theory.score
    return {
        "score": score,
        "margin": None if score is None else abs(score),
        "theory": best,
        "theory_error": None if score is None or best is None else abs(score - best),
    }


def in_spans(wanted: Spans, number: int | None) -> bool:
    """Return whether a number is in one of some spans; an unknown one is only where there is no limit."""
    return (None, None) in spans(wanted) or (
        number is not None
        and any(
            (first is None or number >= first) and (last is None or number <= last)
            for first, last in spans(wanted)
        )
    )


def alternatives(words: Words) -> tuple[str, ...]:
    """Words of a name as alternatives; empty ones, which every name has, where there are none."""
    return (words,) if isinstance(words, str) else words or ("",)


def seats(player: Words) -> tuple[tuple[str, str], ...]:
    """Return the alternatives that the names of Black and White must match, for one player or for a pairing.

    Raises:
        SelectionError: there are more than two players.
    """
    match alternatives(player):
        case (one,):
            return (one, ""), ("", one)
        case (one, other):
            return (one, other), (other, one)
        case more:
            raise SelectionError(f"a game has two players, not {len(more)}")


def _check_spans(name: str, wanted: object) -> None:
    several = (
        wanted if isinstance(wanted, tuple) and any(isinstance(span, tuple) for span in wanted) else (wanted,)
    )
    for span in several:
        if not (
            isinstance(span, tuple)
            and len(span) in (0, 2)
            and all(limit is None or (isinstance(limit, int) and not isinstance(limit, bool)) for limit in span)
        ):
            example = "(2024, 2024)" if name == "years" else "(10, None)"
            raise ArgumentError(f"{name} must be the first and the last, such as {example}, not {excerpt(span)}")


def _numbers_of_moves(text: str) -> bytes:
    moves, strange = read_transcript_moves(text)
    if strange is not None or not moves:
        what = f"{excerpt(strange.text)} is not a move" if strange is not None else f"{excerpt(text)} has no moves"
        raise SelectionError(f"{what}; write moves such as f5f6e6", source="moves_contain")
    return moves


def spans(wanted: Spans) -> tuple[Span, ...]:
    """Return the spans of which one must fit."""
    several = tuple(span for span in wanted if isinstance(span, tuple))
    if several:
        return several
    first, last = wanted or (None, None)
    assert not isinstance(first, tuple)
    assert not isinstance(last, tuple)
    return ((first, last),)


def has_tags(record: Record, tags: Iterable[tuple[str, str]]) -> bool:
    """Return whether a game has all tags, each with one of the texts that are given for it; see `Selection`."""
    tags = tuple(tags)
    return all(
        any(_has(record, name, value) for tag, value in tags if tag == name) for name in {name for name, _ in tags}
    )


def _has(record: Record, name: str, value: str) -> bool:
    if name in DERIVED_TAGS:
        own = {"Result": record.result, "Rules": str(record.rules)}.get(name, format_board(record.start))
        return tag_fits(own, value)
    return any(tag == name and tag_fits(text, value) for tag, text in record.tags.pairs)


def tag_fits(text: str, wanted: str) -> bool:
    """Return whether the value of a tag contains a text, capitals and accents aside."""
    return folded(wanted) in folded(text)


def _words(record: Record) -> set[str]:
    facts = facts_of(record)
    words = {"decided" if facts.decided else "undecided"}
    if facts.decided:
        words.add({Color.BLACK: "black", Color.WHITE: "white", None: "draw"}[facts.winner])
    early = "ended-early" if facts.ended_early else "unfinished"
    words.add("illegal" if not facts.legal else "finished" if facts.finished else early)
    return words


def reaches(record: Record, position: Position) -> bool:
    """Return whether a game reaches a position, up to symmetry, by its allowed moves and under the same rules."""
    return passed(record, position.rules, position.empties, canonical_key(position)) is not None


def _by_rules(positions: Iterable[Position]) -> dict[Rules, list[tuple[int, int]]]:
    """Return the empty squares and the key of each position, by rules."""
    keys: dict[Rules, list[tuple[int, int]]] = {}
    for position in positions:
        keys.setdefault(position.rules, []).append((position.empties, canonical_key(position)))
    return keys


def passed(record: Record, rules: Rules, empties: int, key: int) -> tuple[int, Position] | None:
    """Return where a game passes a position: after how many allowed turns, and the position as the game has it.

    Args:
        record: the game.
        rules: the rules of the position.
        empties: its empty squares.
        key: its key up to symmetry.
    """
    if record.rules != rules:
        return None
    for ply, now in enumerate(legal_positions(record.line.nodes, record.start)):
        if now.empties <= empties:
            if now.empties < empties:
                return None
            if canonical_key(now) == key:
                return ply, now
    return None


def parse_years(text: str) -> tuple[int | None, int | None]:
    """Return the years that ``1997``, ``1990-1999``, ``1990-`` or ``-1999`` name.

    Raises:
        SelectionError: the text has none of these forms, or the span is empty.
    """
    try:
        return _span(_YEARS, text)
    except ValueError as error:
        why = f"{error}; " if str(error) else ""
        raise SelectionError(
            f"{excerpt(text)} are not years; {why}write 1997, 1990-1999, 1990- or -1999"
        ) from None


def parse_discs(name: str, text: str) -> Span:
    """Return the numbers of discs that ``20``, ``10..20``, ``10..`` or ``..-4`` names.

    Args:
        name: which of `NUMBERS` they are.
        text: the text.

    Raises:
        SelectionError: the text has none of these forms, the span is empty, or a number cannot be negative.
    """
    try:
        first, last = _span(_DISCS, text)
        if name in ("margin", "theory_error") and min(first or 0, last or 0) < 0:
            raise ValueError("it is never negative")
    except ValueError as error:
        what = str(error) or f"{excerpt(text)} is not a number of discs"
        raise SelectionError(f"{what}; write 20, 10..20, 10.. or ..4", source=name) from None
    return first, last


def _span(form: re.Pattern[str], text: str) -> Span:
    match = form.fullmatch(text.strip())
    if match is None or not (match[1] or match[3]) or (match[1] and match[3] and not match[2]):
        raise ValueError
    first = int(match[1]) if match[1] else None
    last = int(match[3]) if match[3] else None
    if not match[2]:
        first = last = first if last is None else last
    if first is not None and last is not None and first > last:
        raise ValueError("the first comes after the last")
    return first, last


def parse_tag(text: str) -> tuple[str, str]:
    """Return the tag and the value of ``NAME=VALUE``; of ``NAME`` alone, an empty one.

    Raises:
        SelectionError: the name is empty.
    """
    name, _, value = text.partition("=")
    if not name.strip():
        raise SelectionError(f"{excerpt(text)} names no tag: write NAME=VALUE, as in Event=Cambridge")
    return name.strip(), value.strip()


EVERY_GAME: Final = Selection()
"""Without a condition."""
