"""Analysis of whole games: the value of each move, the best moves, the discs lost, and what was a mistake.

>>> from reversi import Game
>>> from reversi.analysis import analyze
>>> game = Game()
>>> _ = game.play_all(["f5", "f6"])
>>> analysis = analyze(game, level=4)
>>> [(turn.ply, str(turn.move), turn.loss >= 0) for turn in analysis.turns]
[(1, 'f5', True), (2, 'f6', True)]
"""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
