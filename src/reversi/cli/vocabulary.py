"""The commands of a line dialogue as one table: for its help, completion, and the documentation."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from reversi.arguments import excerpt


class Word(NamedTuple):
    """A command of a dialogue.

    Attributes:
        name: the word.
        arguments: its arguments, as the help shows them.
        meaning: its effect.
        short: other words for it.
    """

    name: str
    arguments: str
    meaning: str
    short: tuple[str, ...] = ()


class Vocabulary:
    """The commands of a dialogue.

    Args:
        words: the commands, in the order of the help.
        moves: what moves do, as rows of the help: what to type, and its effect.
    """

    def __init__(self, words: Iterable[Word], moves: Sequence[tuple[str, str]]) -> None:
        self.words: Final = tuple(words)
        self._moves = moves
        self._by_name = {name: word for word in self.words for name in (word.name, *word.short)}

    def find(self, text: str) -> Word | None:
        """Return the command with this name, in any case, or `None`."""
        return self._by_name.get(text.lower())

    def suggestion(self, text: str) -> str | None:
        """Return the command name that a mistyped word resembles most, or `None`."""
        close = difflib.get_close_matches(text.lower(), [name for name in self._by_name if len(name) > 1], n=1)
        return close[0] if close else None

    def not_understood(self, line: str, way_out: str) -> str:
        """Return what to say of a line that is neither a move nor a command."""
        close = self.suggestion(line.split(maxsplit=1)[0][:40])
        hint = f"did you mean {close!r}?" if close else way_out
        return f"{excerpt(line)} is neither a move nor a command; {hint}"

    def help_text(self) -> str:
        """Return the help: moves first, then every command."""
        rows = [*self._moves, *((f"{word.name} {word.arguments}".strip(), _meaning(word)) for word in self.words)]
        width = max(len(left) for left, _ in rows)
        return "\n".join(f"{left:{width}}  {right}" for left, right in rows)


def _meaning(word: Word) -> str:
    return f"{word.meaning} ({', '.join(word.short)})" if word.short else word.meaning
