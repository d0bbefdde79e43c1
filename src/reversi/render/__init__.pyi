"""The public names; the package loads them when they are first used."""

from .graphs import graph as graph
from .pictures import (
    THEMES as THEMES,
    Arrow as Arrow,
    Options as Options,
    Theme as Theme,
    scored_moves as scored_moves,
    svg as svg,
)
from .raster import animation as animation, png as png
from .report.data import ReportGame as ReportGame
from .report.page import ReportTable as ReportTable, html_report as html_report
from .texts import latex as latex, markdown as markdown, plain_text as plain_text
