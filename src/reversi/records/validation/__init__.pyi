"""The public names; the package loads them when they are first used."""

from .game import (
    Summary as Summary,
    Verdict as Verdict,
    move_finding as move_finding,
    result_finding as result_finding,
    validate_entry as validate_entry,
    validate_record as validate_record,
)
from .validation import (
    Event as Event,
    FileDone as FileDone,
    GameFinding as GameFinding,
    Unfinished as Unfinished,
    Validation as Validation,
)
