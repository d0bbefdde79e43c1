"""All rule sets as a game of OpenSpiel, where OpenSpiel is installed (`pip install open_spiel`)::

    import pyspiel
    import reversi.openspiel
    game = pyspiel.load_game("reversi", {"rules": "adjacent,board=6x6"})

The parameter ``rules`` is a rule set as `parse_rules` reads it. An action is the number of a cell, row by row from
a1, or the number of cells for a pass. Black is player 0. A win is worth 1, a loss -1.
"""

from __future__ import annotations

from reversi.learning.openspiel import ReversiGame, ReversiState

__all__ = ["ReversiGame", "ReversiState"]
