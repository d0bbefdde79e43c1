"""The public names; the package loads them when they are first used."""

from .game import Counts as Counts, ValidationSummary as ValidationSummary
from .validation import (
    FileDone as FileDone,
    GameFinding as GameFinding,
    StoppedEarly as StoppedEarly,
    Validation as Validation,
)
