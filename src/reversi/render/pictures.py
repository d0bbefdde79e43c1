"""The public names of `reversi.text.picture`."""

from reversi.text.picture.board import svg
from reversi.text.picture.options import Arrow, Options
from reversi.text.picture.scores import scored_moves
from reversi.text.picture.themes import THEMES, Theme

__all__ = ["THEMES", "Arrow", "Options", "Theme", "scored_moves", "svg"]
