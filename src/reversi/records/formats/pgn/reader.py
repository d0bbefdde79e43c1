"""Reading PGN-like text: this project's format and the dialects of other programs, one game at a time.

Reading judges the writing, not the play: whether moves are legal is for `reversi.records.validation.game`.
Syntax errors of a game are reported with it, with line and column, and the next game is always found
again: it begins at the next line that begins with a tag.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

import reversi._regex as re
from reversi._core import Position
from reversi.arguments import check_type, excerpt
from reversi.errors import InputError, RecordError, RulesError
from reversi.records.dialects import complete_entry, is_ours
from reversi.records.entry import Entry
from reversi.records.findings import Code
from reversi.records.formats.pgn.movetext import Movetext, remarks
from reversi.records.formats.pgn.syntax import (
    BEGUN_TAG,
    COMMON_TAGS,
    LOOSE_TAG,
    RESULT_TAG,
    TAG,
    TYPED_TAG,
    begins_moves,
)
from reversi.records.formats.source import Source
from reversi.records.limits import MAX_FINDINGS, MAX_PARTS
from reversi.records.notes import clean, clean_comments
from reversi.records.outcome import Outcome
from reversi.records.record import DERIVED_TAGS, Record, Tags, is_result, read_spelling
from reversi.records.rules_tags import plain_tags, start_of
from reversi.rules import OTHELLO, Rules

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_START: Final = Position()
_UNREAD: Final = Record()
_OTHER_STARTS: Final = frozenset(DERIVED_TAGS) - {"Result"}
_ESCAPED = re.compile(r'\\(["\\])')


def read_records(text: str, *, rules: Rules = OTHELLO, ours: bool | None = None) -> Iterator[Entry]:
    """Yield the games of a PGN-like text, one at a time.

    Args:
        text: the whole text.
        rules: the rules of foreign games that name none; those in this project's format are ``othello`` then.
        ours: whether the games are in this project's own format; found from the tags of each game when not given.
            In foreign games missing forced passes are inserted and results become disc counts: see
            `reversi.records.dialects`.

    Raises:
        RecordError: there is text, but no game in it.
    """
    check_type("text", text, str)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    reader = _Reader(Source(text), rules, ours)
    while (entry := reader.next_game()) is not None:
        yield entry


def parse_record(text: str, *, rules: Rules = OTHELLO, ours: bool | None = None) -> Record:
    """Return the one game of a text.

    Args:
        text: the whole text.
        rules: the rules of a game without the tag Rules.
        ours: whether the game is in the own format; by default its tags say so.

    Raises:
        RecordError: the text has no games or several, or the game is malformed. Line and column say where.
    """
    check_type("text", text, str)
    entries = read_records(text, rules=rules, ours=ours)
    entry = next(entries, None)
    if entry is None:
        raise RecordError("an empty text contains no games")
    if entry.findings:
        first = entry.findings[0]
        line, column = first.line or 0, first.column or 0
        raise RecordError(f"line {line}, column {column}: {first.message}", line, column)
    if (second := next(entries, None)) is not None:
        raise RecordError(f"line {second.line}: a second game where one was expected", second.line, 1)
    return entry.record


class _Tag(NamedTuple):
    name: str
    value: str
    at: int


class _Head(NamedTuple):
    """What stands before the moves of a game.

    Attributes:
        result: the value of the Result tag, ``None`` without one.
        at: where that tag is, or where the tags begin that it is one of.
        tags: whether there is any tag.
    """

    result: str | None
    at: int
    tags: bool = True


class _Shape(NamedTuple):
    """What the names of tags say.

    Attributes:
        ours: whether they are those of this project's format.
        names: the names in the order of a record.
        unknown: the values of those that are missing.
        pick: takes the values of the names from the values that there are, with those after them.
        result: which of the values is the result, -1 for none.
    """

    ours: bool
    names: tuple[str, ...]
    unknown: tuple[str, ...]
    pick: Callable[[Sequence[str]], tuple[str, ...]]
    result: int


@lru_cache(256)
def _shape(around: tuple[str, ...]) -> _Shape | None:
    """Return what the names of tags say; ``None`` where one is repeated, or their values are about the start.

    Args:
        around: what stands before and after the values: a name in each, and in the last none.
    """
    names = [text.strip(" \t\n[]") for text in around[:-1]]
    if len(set(names)) < len(names) or _OTHER_STARTS.intersection(names):
        return None
    kept = [name for name in names if name != "Result"]
    pairs = Tags([(name, "") for name in kept]).pairs
    missing = [name for name, _ in pairs if name not in kept]
    given = [*names, *missing]
    return _Shape(
        is_ours([(name, "") for name in names]),
        tuple(name for name, _ in pairs),
        tuple(value for name, value in pairs if name in missing),
        itemgetter(*(given.index(name) for name, _ in pairs)),
        names.index("Result") if "Result" in names else -1,
    )


class _Reader:
    """Where reading stands in a text."""

    def __init__(self, source: Source, rules: Rules, ours: bool | None) -> None:
        self._source = source
        self._text = source.text
        self._rules = rules
        self._start = Position(rules)
        self._ours = ours
        self._at = 0
        self._number = 0

    def next_game(self) -> Entry | None:
        """Return the next game, or ``None`` at the end of the text."""
        comments: list[str] = []
        if not self._text.startswith("[", self._at):
            self._at, comments = remarks(self._source, self._at)
            if self._at == len(self._text):
                return None
        self._number += 1
        begin = self._at
        entry = Entry(self._number, self._source.line_at(begin), _UNREAD)
        head = (None if comments else self._common_head(entry)) or self._head(entry, comments)
        moves = Movetext(self._source, entry.record.line)
        if comments:
            moves.line.comments = clean_comments(comments)
        self._at = moves.read(self._at)
        self._result(entry, moves, head)
        entry.findings += moves.findings
        if not (head.tags or moves.line.moves or moves.result):
            self._nothing(entry, begin)
        if not entry.ours and not any(finding.code is Code.BAD_TAG for finding in entry.findings):
            complete_entry(entry)
        return entry

    def _common_head(self, entry: Entry) -> _Head | None:
        """Read the tags of a game in the common form; ``None`` for any other."""
        match = COMMON_TAGS.match(self._text, self._at)
        if match is None:
            return None
        written = match[0]
        parts = written.split('"')
        shape = _shape(tuple(parts[::2]))
        if shape is None:
            return None
        begin, self._at = self._at, match.end()
        entry.ours = shape.ours if self._ours is None else self._ours
        values = parts[1::2]
        if not written.isascii():
            values = [clean(value) for value in values]
        tags = Tags.arranged(shape.names, shape.pick((*values, *shape.unknown)))
        entry.record = Record(tags, _START if entry.ours else self._start)
        return _Head(values[shape.result], begin) if shape.result >= 0 else _Head(None, -1)

    def _head(self, entry: Entry, comments: list[str]) -> _Head:
        """Read tags in any form, and what stands before them."""
        self._prologue(entry)
        tags = self._tags(entry, comments)
        entry.ours = is_ours([(tag.name, tag.value) for tag in tags]) if self._ours is None else self._ours
        self._make_record(entry, tags)
        result = next((tag for tag in tags if tag.name == "Result"), None)
        return _Head(None, -1, bool(tags)) if result is None else _Head(result.value, result.at)

    def _nothing(self, entry: Entry, begin: int) -> None:
        """Refuse a text that has nothing of a game, and a game that is nothing but numbers."""
        first = entry.findings[0].code if entry.findings else None
        if first is Code.TRUNCATED and self._text[begin] == "[":
            return  # a file that ends inside its first tag
        if not entry.findings:
            word = excerpt(self._text[begin : begin + 20].split(None, 1)[0])
            entry.findings.append(self._source.finding(Code.SYNTAX, f"{word} is not a move", begin))
        if self._number == 1 and self._at == len(self._text):
            finding = entry.findings[0]
            line, column = finding.line or 0, finding.column or 0
            message = f"line {line}, column {column}: {finding.message}; the text contains no games"
            raise RecordError(message, line, column)

    def _prologue(self, entry: Entry) -> None:
        """Skip what stands before the first game and belongs to none."""
        words = self._text[self._at : self._at + 50].split(None, 1)
        if words[0][0] == "[" or begins_moves(words[0]):
            return
        begin = self._source.next_tag_line(self._at)
        message = f"{excerpt(words[0])} is neither a tag nor a move"
        if begin == len(self._text):
            raise RecordError(f"line {entry.line}: {message}; the text contains no games", entry.line, 1)
        entry.findings.append(self._source.finding(Code.SYNTAX, message, self._at))
        self._at = begin

    def _tags(self, entry: Entry, comments: list[str]) -> list[_Tag]:
        """Return the tags from here on. Comments among them are added to ``comments``."""
        text = self._text
        tags: list[_Tag] = []
        end = self._at
        while True:
            at, between = remarks(self._source, end)
            if text.startswith("[", at):
                match = next(filter(None, (tag.match(text, at) for tag in (TAG, TYPED_TAG, LOOSE_TAG))), None)
                begins = match is not None and (match[1] == tags[0].name if tags else bool(entry.findings))
                if begins and _BLANK_LINE.search(text, end, at):
                    break  # the next game already: this one has no moves, or nothing but a broken tag
                comments += between
                if match is not None:
                    value = _ESCAPED.sub(r"\1", match[2]) if "\\" in match[2] else match[2]
                    tags.append(_Tag(match[1], clean(value), at))
                    end = match.end()
                else:
                    end = self._broken_tag(entry, at)
                if len(tags) + len(comments) >= MAX_PARTS or len(entry.findings) >= MAX_FINDINGS:
                    end = self._too_much(entry, end)
                    break
            else:
                comments += between
                end = at
                break
        self._at = end
        return tags

    def _too_much(self, entry: Entry, at: int) -> int:
        """Give up a game with too many tags, or lines that begin like one; return where the next begins."""
        begin = self._source.skip_blanks(at)
        if begin == len(self._text):
            return at
        message = f"more than {MAX_PARTS} tags and comments, or {MAX_FINDINGS} that are none, before the moves"
        entry.findings.append(self._source.finding(Code.SYNTAX, message, begin))
        return self._source.next_tag_line(begin)

    def _broken_tag(self, entry: Entry, at: int) -> int:
        """Report what is wrong with a line that begins like a tag; return where it ends."""
        line_end = self._text.find("\n", at)
        begun = BEGUN_TAG.match(self._text, at)
        if begun is not None and begun.end() == len(self._text):
            entry.findings.append(self._source.finding(Code.TRUNCATED, "the file ends inside a tag", at))
            return len(self._text)
        line_end = len(self._text) if line_end < 0 else line_end
        shown = excerpt(self._text[at : min(line_end, at + 60)])
        entry.findings.append(self._source.finding(Code.SYNTAX, f'{shown} is not a tag: [Name "value"]', at))
        return line_end

    def _make_record(self, entry: Entry, tags: list[_Tag]) -> None:
        values = {tag.name: tag for tag in reversed(tags)}
        texts = {name: tag.value for name, tag in values.items()}
        plain = frozenset[str]() if entry.ours else plain_tags(texts)
        kept = Tags(
            (f"{tag.name}-" if tag.name in plain else tag.name, tag.value)
            for tag in tags
            if tag.name not in DERIVED_TAGS or tag.name in plain
        )
        texts = {name: value for name, value in texts.items() if name not in plain}
        try:
            start = start_of(texts, OTHELLO if entry.ours else self._rules)
            entry.record = Record(kept, start)
        except InputError as error:
            blamed = ("Rules",) if isinstance(error, RulesError) else ("Board", "FEN")
            name = next(name for name in blamed if name in texts)
            entry.record = Record(kept, Position())
            entry.findings.append(self._source.finding(Code.BAD_TAG, f"{name}: {error}", values[name].at))

    def _result(self, entry: Entry, moves: Movetext, head: _Head) -> None:
        """Settle the result that the tag and the end of the moves give, and whether there must be one."""
        token, at = moves.result, moves.result_at
        value = None if head.result is None else read_spelling(head.result)
        if token is not None:
            entry.result_line = self._source.line_at(at)
        elif value is not None:
            tag = RESULT_TAG.search(self._text, head.at)
            entry.result_line = self._source.line_at(tag.start() if tag else head.at)
        entry.record.result = token or "*" if value is None else value
        if token is None:
            self._no_result(entry, moves)
        elif value is None or token == value:
            return
        elif not is_result(value):
            entry.record.result = value if token == "*" else token
        elif agreed := _agreed(value, token, entry):
            entry.record.result = agreed
        elif value.startswith(token) and at + len(token) == len(self._text):
            entry.findings.append(self._source.finding(Code.TRUNCATED, f"the file ends inside {value}", at))
        else:
            message = f"the Result tag says {value}, the moves end with {token}"
            entry.findings.append(self._source.finding(Code.RESULT_MISMATCH, message, at))

    def _no_result(self, entry: Entry, moves: Movetext) -> None:
        if moves.findings or any(finding.code is Code.TRUNCATED for finding in entry.findings):
            return
        end = self._at
        while end > 1 and self._text[end - 1].isspace():
            end -= 1
        if moves.empty and self._at == len(self._text):
            message = "the file ends after the tags, before any move or result"
        elif entry.ours:
            message = "the game ends without a result"
        else:
            return
        entry.findings.append(self._source.finding(Code.TRUNCATED, message, end - 1))


def _agreed(tag: str, token: str, entry: Entry) -> str | None:
    """Return the fuller of two results that do not contradict each other, ``None`` where they do."""
    if "*" in (tag, token):
        return None if entry.ours else tag if token == "*" else token
    both = [Outcome(text, entry.record.rules) for text in (tag, token)]
    word, discs = sorted(both, key=lambda one: not one.names_winner)
    if not word.names_winner or discs.names_winner or word.winner is not discs.winner:
        return None
    return discs.text
