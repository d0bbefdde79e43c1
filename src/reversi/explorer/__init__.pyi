"""The public names; the package loads them when they are first used."""

from .explorer import Explorer as Explorer
from .table import Column as Column, ExplorerRow as ExplorerRow, ExplorerTable as ExplorerTable
