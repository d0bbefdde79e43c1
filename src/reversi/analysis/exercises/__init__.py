"""Exercises from positions and games, decks of them, and progress by spaced repetition.

    >>> from reversi.analysis.exercises import Judge, from_position
    >>> from reversi.text import parse_board
    >>> board = "OOOOOOO-XXXXX---OXOOX--X-OOXOXXXOOOXXXXXOOOOXOXXOXOOOXXX-X-O-OXX O"
    >>> exercise = from_position(parse_board(board), Judge())
    >>> str(exercise.answers[0]), exercise.difficulty
    ('a8', 1222)

`reversi train` asks exercises again when they are due, which needs the extra `train`.
"""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
