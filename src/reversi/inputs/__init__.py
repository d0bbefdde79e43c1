"""What a person gives: a board, moves, a game, a file, ``FILE#3@20`` or standard input; and what is in it.

`resolve` finds out what a text stands for and returns an `Input`, which gives its games or its positions.
`read_positions` reads the positions of a text, one entry at a time, with the error in the place of a bad one.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
