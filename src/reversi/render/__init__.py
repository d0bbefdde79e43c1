"""Pictures of positions and games: SVG, PNG, animations, graphs, and boards as text, Markdown and LaTeX.

    >>> from reversi import Game, render
    >>> game = Game().play_all("f5d6c3")
    >>> picture = render.svg(game, theme="wood", legal_moves=True)
    >>> print(render.plain_text(game), end="")
      a b c d e f g h
    1 - - - - - - - -
    2 - - - - - - - -
    3 - - X - - - - -
    4 - - - X X - - -
    5 - - - O X X - -
    6 - - - O - - - -
    7 - - - - - - - -
    8 - - - - - - - -
    White to move
    % Last move: c3

SVG and text need nothing beside this package. PNG, GIF and APNG need the extra ``plot``.
"""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
