"""The public names; the package loads them when they are first used."""

from .explorer import Explorer as Explorer
from .repertoires import (
    ExpectedMove as ExpectedMove,
    OpeningAdviser as OpeningAdviser,
    ProblemKind as ProblemKind,
    RepertoireProblem as RepertoireProblem,
    RepertoireSize as RepertoireSize,
    reached as reached,
)
from .table import Column as Column, ExplorerRow as ExplorerRow, ExplorerTable as ExplorerTable
