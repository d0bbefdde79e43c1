"""PGN-like text as the registry knows it.

A text with a line that begins with a tag is PGN-like, and so are moves with comments, variations or a result,
unless most lines are games of their own.
"""

from __future__ import annotations

from typing import Final

import reversi._regex as re
from reversi.records.formats import pgn
from reversi.records.formats.format import TextFormat
from reversi.records.formats.json_objects import begins_json
from reversi.records.formats.pgn.syntax import begins_moves
from reversi.records.formats.source import TAG_LINE
from reversi.records.formats.transcript import HEAD, game_lines
from reversi.records.holding import FEATURES, capabilities
from reversi.records.record import format_record
from reversi.text.kinds import TextKind, text_kind

_RECORD_WORDS = re.compile(r"[{}()$]|(?:^|\s)(?:1/2-1/2|[0-9]{1,2}-[0-9]{1,2}|\*)\s*(?:$|\n\s*\n)")
_FIRST_TAG: Final = re.compile(r'\[[ \t]*(\w[\w+#=:.-]*)[ \t]+"')


def _recognize(text: str) -> bool:
    if TAG_LINE.search(text):
        return True
    kind = text_kind(text)
    if kind is None:  # see `is_guess`
        words = text[:HEAD].split(None, 1)
        brackets = bool(words) and words[0][0] in "{;[" and not begins_json(text[:HEAD])
        return brackets or (bool(words) and begins_moves(words[0][:50]))
    if kind is not TextKind.TRANSCRIPT:
        return False
    head = "\n".join(
        line.partition("%")[0] for line in text[:HEAD].splitlines() if not line.startswith(("%", "#"))
    )
    words = head.split(None, 1)
    if not words or not begins_moves(words[0][:50]) or not _RECORD_WORDS.search(head):
        return False
    games, lines = game_lines(head)
    return not 2 * games > lines > 1


def is_guess(text: str) -> bool:
    """Return whether a text that is recognized as PGN-like only looks so by its first word."""
    return text_kind(text) is None and TAG_LINE.search(text) is None


def _cut(text: str) -> re.Pattern[str] | None:
    """Return where PGN-like text may be cut: after an empty line, before the tag that the text begins with."""
    first = _FIRST_TAG.match(text)
    if first is None:
        return None
    return re.compile(rf'(?<=\n)\r?\n(?=\[[ \t]*{re.escape(first[1])}[ \t]+")')


FORMAT: Final = TextFormat(
    name="pgn",
    title="PGN-like text",
    suffixes=(".pgn",),
    holds=capabilities(*FEATURES),
    recognize=_recognize,
    read=lambda text, rules: pgn.read_records(text, rules=rules),
    write=lambda record, number: format_record(record),
    between="\n",
    cut=_cut,
)
