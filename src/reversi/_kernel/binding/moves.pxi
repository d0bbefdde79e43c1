# Moves as Python sees them: squares, the pass, the legal moves of a position, and a random generator.

cdef int PASS_INDEX = 64
cdef frozenset PASS_TEXTS = frozenset(("--", "pa", "pass", "ps", "pp", "@@", "@@@@"))


cdef class Move:
    """A placement (`Square`) or a pass (`PASS`). Ordered a1, b1, … h8, pass. Prints as ``f5``, ``--``."""

    cdef readonly int index

    def __init__(self, *args):
        if type(self) is Move:
            raise ArgumentError("a move is a Square or PASS; Move.parse reads one")

    @property
    def is_pass(self):
        """Whether this is the pass."""
        return self.index == PASS_INDEX

    @staticmethod
    def parse(text):
        """Read a move, in upper or lower case and any spelling of the pass.

        Raises:
            InvalidMoveError: the text is not a move.
        """
        if not isinstance(text, str):
            check_type("text", text, str)
        cdef str word = text.strip().lower()
        cdef int column, row
        if len(word) == 2:
            column = ord(word[0]) - 97
            row = ord(word[1]) - 49
            if 0 <= column < 8 and 0 <= row < 8:
                return SQUARES[8 * row + column]
        if word in PASS_TEXTS:
            return PASS
        raise InvalidMoveError(f"{text!r} is not a move: give a square from a1 to h8, or -- for a pass", text)

    def symmetry(self, index, rules=OTHELLO):
        """Return the move under a symmetry of the board, as it is on the position of `Position.symmetry`.

        A pass stays a pass. Of the rules only the board counts.

        Raises:
            InvalidMoveError: the square is outside the board.
            InputError: ``index`` is not from 0 to 7 on a square board, or from 0 to 3 on another.
        """
        cdef u64 mask = rule_spec(rules)[0]
        cdef int which = symmetry_of(index, rules)
        if self.index == PASS_INDEX:
            return self
        if not rv_bit(self.index) & mask:
            raise InvalidMoveError(f"{self} is outside the {rules.board} board", str(self))
        return <object>MOVES[rv_first(transform(rv_bit(self.index), which, rules.board.rows, rules.board.columns))]

    def __richcmp__(self, other, int op):
        cdef int a, b
        if not isinstance(other, Move):
            return NotImplemented
        a = self.index
        b = (<Move>other).index
        if op == Py_EQ:
            return a == b
        if op == Py_NE:
            return a != b
        if op == Py_LT:
            return a < b
        if op == Py_LE:
            return a <= b
        if op == Py_GT:
            return a > b
        return a >= b

    def __hash__(self):
        return self.index

    def __repr__(self):
        return "PASS" if self.index == PASS_INDEX else f"Square({str(self)!r})"

    def __str__(self):
        if self.index == PASS_INDEX:
            return "--"
        return chr(97 + (self.index & 7)) + chr(49 + (self.index >> 3))

    def __reduce__(self):
        return _move_at, (self.index,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


@cython.final
cdef class Square(Move):
    """A square, made from its name (``Square("f5")``) or its index (``Square(37)``).

    Raises:
        InvalidMoveError: neither a name from a1 to h8 nor an index from 0 to 63.
    """

    def __cinit__(self, value=None, *more):
        cdef object index = value
        if more:
            raise ArgumentError("a Square is made from one name or index; Square.at takes a row and a column")
        if isinstance(value, str):
            move = Move.parse(value)
            if move.index == PASS_INDEX:
                raise InvalidMoveError(f"{value!r} is a pass, not a square", value)
            index = move.index
        elif isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 64:
            raise InvalidMoveError(f"{value!r} is not a square: give a name from a1 to h8 or an index from 0 to 63",
                                   str(value))
        self.index = index

    def __index__(self):
        return self.index

    @staticmethod
    def at(row, column):
        """Return the square in a row and a column, both from 0 to 7: ``Square.at(4, 5)`` is f5.

        Raises:
            InvalidMoveError: the row or the column is outside the board.
        """
        cdef object found
        try:
            found = 0 <= row < 8 and 0 <= column < 8 and SQUARES[8 * row + column]
        except TypeError:
            found = None
        if not found:
            raise InvalidMoveError(f"row and column must be 0 to 7, not {row} and {column}", f"{row},{column}")
        return found

    def shift(self, int rows=0, int columns=0):
        """Return the square ``rows`` further down and ``columns`` further right; ``None`` beyond the edge of 8x8."""
        cdef long long row = <long long>(self.index >> 3) + rows, column = <long long>(self.index & 7) + columns
        return SQUARES[8 * row + column] if 0 <= row < 8 and 0 <= column < 8 else None

    @property
    def row(self):
        """The row, from 0 at the top."""
        return self.index >> 3

    @property
    def column(self):
        """The column, from 0 at the left."""
        return self.index & 7

    @property
    def bit(self):
        """The set that has only this square."""
        return rv_bit(self.index)


@cython.final
cdef class Pass(Move):
    """The type of `PASS`."""

    def __cinit__(self):
        self.index = PASS_INDEX


cdef tuple _make_squares():
    # from indices: Square("f5") looks squares up in this tuple
    return tuple([Square(i) for i in range(64)])


SQUARES = _make_squares()
PASS = Pass()
cdef tuple MOVES = SQUARES + (PASS,)


def _move_at(int index):
    if not 0 <= index <= PASS_INDEX:  # nothing checks the index of a tuple here
        raise InvalidMoveError(f"no move has the number {index}", str(index))
    return MOVES[index]


def is_pass(move):
    """Return whether a move is the pass; type checkers then know which of the two classes it has."""
    if not isinstance(move, Move):
        check_type("move", move, Move, advice="Move.parse reads text")
    return (<Move>move).index == PASS_INDEX


cpdef Move as_move(move):
    """Return a move or what its text says.

    Raises:
        ArgumentError: it is neither.
        InvalidMoveError: the text is not a move.
    """
    if isinstance(move, Move):
        return move
    if isinstance(move, str):
        return Move.parse(move)
    raise ArgumentError(f"a move is a Move or its text, not {type(move).__name__}")


cdef inline int nth_bit(u64 bits, Py_ssize_t n) noexcept nogil:
    while n > 0:
        bits &= bits - 1
        n -= 1
    return rv_first(bits)


cdef inline object square_tuple(u64 bits):
    cdef list found = []
    while bits:
        found.append(<object>MOVES[rv_first(bits)])
        bits &= bits - 1
    return tuple(found)


@cython.final
@cython.freelist(32)
@cython.no_gc
cdef class _MoveIterator:
    cdef u64 bits
    cdef bint can_pass

    def __iter__(self):
        return self

    def __next__(self):
        cdef int i
        if self.bits:
            i = rv_first(self.bits)
            self.bits &= self.bits - 1
            return <object>MOVES[i]
        if self.can_pass:
            self.can_pass = False
            return <object>MOVES[64]
        raise StopIteration


@cython.final
@cython.freelist(32)
@cython.no_gc
cdef class LegalMoves:
    """The legal moves of a position: a lazy, countable sequence in a1, b1, … order, the pass last.

    It contains a move, its text and its index.
    """

    cdef readonly u64 placements
    cdef readonly bint can_pass

    def __init__(self, *args):
        raise ArgumentError("legal moves come from Position.legal_moves")

    def __len__(self):
        return rv_count(self.placements) + self.can_pass

    def __bool__(self):
        return self.placements != 0 or self.can_pass

    def __iter__(self):
        cdef _MoveIterator it = _MoveIterator.__new__(_MoveIterator)
        it.bits = self.placements
        it.can_pass = self.can_pass
        return it

    def __reversed__(self):
        return reversed(tuple(self))

    def __contains__(self, move):
        cdef int i
        if isinstance(move, str):
            try:
                move = Move.parse(move)
            except InvalidMoveError:
                return False
        if isinstance(move, Move):
            i = (<Move>move).index
        elif PyIndex_Check(move) and not isinstance(move, bool) and 0 <= move.__index__() <= PASS_INDEX:
            i = move.__index__()
        else:
            return False
        if i == PASS_INDEX:
            return self.can_pass
        return self.placements >> i & 1

    def __getitem__(self, index):
        cdef Py_ssize_t i, placed
        if isinstance(index, slice):
            return tuple(self)[index]
        try:
            i = index
        except OverflowError:
            raise IndexError("index out of range") from None
        placed = rv_count(self.placements)
        if i < 0:
            i += placed + self.can_pass
        if 0 <= i < placed:
            return <object>MOVES[nth_bit(self.placements, i)]
        if i == placed and self.can_pass:
            return PASS
        raise IndexError("index out of range")

    def index(self, move, start=0, stop=None):
        """Return the place of a move, from 0.

        Raises:
            ValueError: the move is not legal, or the text is not a move.
        """
        return tuple(self).index(as_move(move), start, len(self) if stop is None else stop)

    def count(self, move):
        """Return 1 if the move is legal, else 0."""
        return int(move in self)

    def __eq__(self, other):
        if type(other) is not LegalMoves:
            return NotImplemented
        return self.placements == (<LegalMoves>other).placements and self.can_pass == (<LegalMoves>other).can_pass

    def __hash__(self):
        return hash((self.placements, self.can_pass))

    def __repr__(self):
        return f"<LegalMoves {' '.join(map(str, self)) or 'none'}>"

    def __reduce__(self):
        return _legal_moves, (self.placements, self.can_pass)

    def choice(self, random):
        """Choose a move; all are equally likely.

        Raises:
            IndexError: the position has no legal move.
        """
        if not isinstance(random, Random):
            check_type("random", random, Random)
        cdef int placed = rv_count(self.placements), i
        if placed + self.can_pass == 0:
            raise IndexError("cannot choose from an empty list of moves")
        i = (<Random>random).draw(placed + self.can_pass)
        return PASS if i == placed else <object>MOVES[nth_bit(self.placements, i)]


Sequence.register(LegalMoves)


def _legal_moves(u64 bits, bint can_pass):
    cdef LegalMoves moves = LegalMoves.__new__(LegalMoves)
    moves.placements = bits
    moves.can_pass = can_pass
    return moves


@cython.final
cdef class Random:
    """A small reproducible generator for playouts and tie-breaks (SplitMix64); not for cryptography.

    Raises:
        ArgumentError: the seed is not a whole number.
    """

    cdef u64 state

    def __cinit__(self, seed=0):
        if not isinstance(seed, int):
            raise ArgumentError(f"seed must be a whole number, not {seed!r}")
        self.state = seed & 0xFFFFFFFFFFFFFFFF

    cdef inline u64 next(self) noexcept:
        cdef u64 x
        self.state += <u64>0x9E3779B97F4A7C15
        x = self.state
        x = (x ^ (x >> 30)) * <u64>0xBF58476D1CE4E5B9
        x = (x ^ (x >> 27)) * <u64>0x94D049BB133111EB
        return x ^ (x >> 31)

    cdef inline int draw(self, int n) noexcept:
        return <int>(((self.next() >> 32) * <u64>n) >> 32)

    def below(self, n):
        """Draw an integer from 0 to n - 1; all are equally likely up to 2**-32.

        Raises:
            ArgumentError: n is not a whole number.
            InputError: it is not from 1 to 2**31 - 1.
        """
        return self.draw(<int>whole("n", n, 1, 0x7FFFFFFF))

    def __reduce__(self):
        return Random, (self.state,)

    def __repr__(self):
        return f"Random({self.state})"
