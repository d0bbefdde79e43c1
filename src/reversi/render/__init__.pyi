"""The public names; the package loads them when they are first used."""

from .board import svg as svg
from .graphs import graph as graph
from .options import Arrow as Arrow, Options as Options
from .raster import animation as animation, png as png
from .report.data import ReportGame as ReportGame
from .report.page import ReportTable as ReportTable, html_report as html_report
from .scores import scored_moves as scored_moves
from .texts import latex as latex, markdown as markdown, plain_text as plain_text
from .themes import THEMES as THEMES, Theme as Theme
