"""What a person gives: a board, moves, a game, a file, ``FILE#3@20`` or standard input; and what is in it.

`resolve` finds out what a text stands for and returns an `Input`, which gives its games or its positions.
`positions_in` reads the positions of a text, one entry at a time, with the error in the place of a bad one.
"""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
