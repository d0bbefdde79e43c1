"""The commands of a training at the prompt."""

from __future__ import annotations

from typing import Final

from reversi.cli.vocabulary import Vocabulary, Word

VOCABULARY: Final = Vocabulary(
    [
        Word("hint", "", "give a hint, then a stronger one; a right answer after hints comes back sooner", ("h",)),
        Word("solution", "", "show the solution; the exercise counts as not solved", ("s", "give-up")),
        Word("skip", "", "leave the exercise out; it does not count", ("n", "next")),
        Word("moves", "", "list the legal moves"),
        Word("count", "", "count the discs and the empty squares"),
        Word("read", "[PLACE]", "say the board in words: a row (4), a column (d), a square (d4), or every row"),
        Word("board", "", "show the board again", ("b", "show")),
        Word("help", "", "show this help", ("?",)),
        Word("quit", "", "leave; every answer is saved", ("q", "exit")),
    ],
    [("f5", "answer with the move f5"), ("--", "answer with a pass, where the rules allow a skip")],
)
