"""The public names; the package loads them when they are first used."""

from .board import svg as svg
from .graphs import graph as graph
from .options import Arrow as Arrow
from .options import Options as Options
from .raster import animation as animation
from .raster import png as png
from .raster import svg_to_png as svg_to_png
from .scores import score_text as score_text
from .scores import scored_moves as scored_moves
from .texts import latex as latex
from .texts import markdown as markdown
from .texts import text as text
from .themes import THEMES as THEMES
from .themes import Theme as Theme
