# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: embedsignature=False, autotestdict=False
"""The compiled core: squares, moves, positions, and the kernel behind them.

Squares are ``8*row + column`` on every board: a1 = 0, b1 = 1, h1 = 7, a2 = 8, h8 = 63. A set of squares is an
``int`` with those bits. `reversi.rules` names the rules; ``_kernel/rules.h`` alone decides what is legal.

Where to look, in ``_kernel/binding/``: ``position.pxi`` has positions;
``moves.pxi`` squares and moves as values; ``table.pxi`` and ``task.pxi`` the solver's table and questions;
``arrays.pxi`` many positions at once; ``forest.pxi`` the trees of `reversi.puct`; ``isa.pxi`` the choice of the kernel.
"""

import enum
import os
from collections.abc import Iterable, Sequence

cimport cython
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset
from cpython.pycapsule cimport PyCapsule_GetPointer
from cpython.object cimport Py_EQ, Py_GE, Py_GT, Py_LE, Py_LT, Py_NE

from reversi.arguments import check_count, check_type
from reversi.color import Color
from reversi.errors import (
    ArgumentError,
    BoardError,
    BusyError,
    IllegalMoveError,
    InputError,
    InstructionSetError,
    InvalidMoveError,
    ResourceError,
    TableSizeError,
)
from reversi.rules import OTHELLO, BoardSize, Ending, Objective, Rules, Start
from reversi.score import Result

include "_kernel/kernel.pxi"
include "_kernel/binding/isa.pxi"

cdef object BLACK = Color.BLACK
cdef object WHITE = Color.WHITE


class State(enum.Enum):
    """What a position remembers of the plies before it; always ``FRESH`` under rules without optional skips.

    Attributes:
        FRESH: the last ply was not a pass.
        AFTER_PASS: the last ply was a pass.
        ENDED: two passes in a row ended the game.
    """

    FRESH = "fresh"
    AFTER_PASS = "after-pass"
    ENDED = "ended"


cdef tuple STATES = (State.FRESH, State.AFTER_PASS, State.ENDED)

include "_kernel/binding/numbers.pxi"
include "_kernel/binding/moves.pxi"
include "_kernel/binding/symmetry.pxi"
include "_kernel/binding/position.pxi"
include "_kernel/binding/table.pxi"
include "_kernel/binding/evaluation.pxi"
include "_kernel/binding/canonical.pxi"
include "_kernel/binding/alpha_beta.pxi"

include "_kernel/binding/task.pxi"
include "_kernel/binding/replay.pxi"
include "_kernel/binding/move_text.pxi"
include "_kernel/binding/arrays.pxi"
include "_kernel/binding/forest.pxi"
