"""The commands of the line dialogue of ``reversi play``: one table for the help, completion and the docs."""

from __future__ import annotations

from typing import Final

from reversi.cli.vocabulary import Vocabulary, Word

WORDS: Final = (
    Word("undo", "[N]", "take back your last move, or your last N moves", ("u",)),
    Word("redo", "[N]", "redo a turn that you took back, or N turns", ("r",)),
    Word("hint", "[N]", "show the N best moves (default 3)", ("h",)),
    Word("explain", "[MOVE]", "say why a move, or each of the best moves, is good or bad"),
    Word("analyze", "[LEVEL]", "analyze the game: what each side lost, turning points, mistakes", ("analyse",)),
    Word("mistakes", "", "list the mistakes of the game"),
    Word("retry", "[N]", "play again from mistake N, by default from the worst one"),
    Word("go", "", "let the engine play this move for you", ("g",)),
    Word("pause", "", "stop the clocks and the engines; go then plays one move at a time", ("wait",)),
    Word("continue", "", "let the clocks and the engines run again", ("c",)),
    Word("play", "MOVES", "play several moves for both sides, as in play f5d6", ("force",)),
    Word("flip", "SQUARES|all", "with --flipping manual: flip these discs, or flip them back", ("turn",)),
    Word("done", "", "with --flipping manual: finish your flips"),
    Word("moves", "", "list the legal moves"),
    Word("last", "", "say the last turn: the move, what it flips, and who is to move"),
    Word("count", "", "count the discs and the empty squares", ("discs",)),
    Word("read", "[PLACE]", "say the board in words: a row (4), a column (d), a square (d4), or every row"),
    Word("board", "", "show the board again", ("show", "b")),
    Word("clock", "", "show the clocks", ("time",)),
    Word("rules", "", "explain the rules of this game"),
    Word("new", "[RULES]", "begin another game", ("init", "i")),
    Word("opening", "NAME", "begin another game with a named opening"),
    Word("xot", "[SEED]", "begin another game with a random balanced opening"),
    Word("setboard", "BOARD", "begin another game from a board, a line of OBF or a transcript"),
    Word("mode", "[0-3]", "show or set who plays: you Black (0), White (1), neither (2) or both (3)", ("m",)),
    Word(
        "level",
        "[LEVEL]",
        "show or set the engine's level: a number, beginner-1, people-1400 and so on, or auto",
        ("l",),
    ),
    Word(
        "open",
        "FILE[#G][@P]|TEXT",
        "look at the G-th game of a file after ply P, or at a pasted game; continue plays it from there",
        ("load",),
    ),
    Word("save", "FILE", "save the game: in its place in the file, or after the games there", ("s",)),
    Word("record", "", "show the record of the game", ("pgn",)),
    Word("resign", "", "resign the game"),
    Word("help", "", "show this help", ("?",)),
    Word("quit", "", "leave; reversi play --resume continues an unfinished game", ("q", "exit")),
)
"""Every word, in the order of the help."""

VOCABULARY: Final = Vocabulary(
    WORDS,
    [("f5", "place a disc on f5"), ("--", "pass, or skip the turn where the rules allow it (p, skip, pass)")],
)
