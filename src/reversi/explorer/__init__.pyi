"""The public names; the package loads them when they are first used."""

from .explorer import Explorer as Explorer
from .filter import GameFilter as GameFilter
from .table import Column as Column, ExplorerRow as ExplorerRow, ExplorerTable as ExplorerTable
from .trial import Trial as Trial
