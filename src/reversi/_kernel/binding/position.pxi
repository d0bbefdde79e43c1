# Positions as Python sees them.

cdef dict RULE_SPECS = {}


cdef tuple rule_spec(rules):
    """Return (mask, flags) of a rule set."""
    spec = RULE_SPECS.get(rules)
    if spec is None:
        if not isinstance(rules, Rules):
            advice = "parse_rules reads rules, Position.parse reads positions"
            raise ArgumentError(f"rules must be a Rules value, not {type(rules).__name__}; {advice}")
        row = (1 << rules.board.columns) - 1
        mask = sum(row << 8 * r for r in range(rules.board.rows))
        flags = (
            CAPTURE * rules.mandatory_capture
            | ADJACENT * rules.adjacent_only
            | SKIP * rules.optional_skip
            | FULL * (rules.ending is Ending.FULL_BOARD)
            | MISERE * (rules.objective is Objective.FEWEST)
            | DISCS_ONLY * (not rules.empties_to_winner)
        )
        if len(RULE_SPECS) > 1000:
            RULE_SPECS.clear()
        RULE_SPECS[rules] = spec = (mask, flags)
    return spec


cdef extern from *:
    """
    static int rv_pending(void) { return PyErr_Occurred() == NULL ? 0 : -1; }
    """
    int PyErr_CheckSignals()  # its error stays pending until rv_pending raises it
    int rv_pending() except -1


cdef bint signal_raised() noexcept with gil:
    """Run the handlers of pending signals; return whether one raised an error."""
    return PyErr_CheckSignals() != 0


@cython.final
@cython.freelist(256)
@cython.no_gc
cdef class Position:
    """The discs, the side to move and the state under a rule set. Immutable, hashable, picklable.

    ``Position(rules)`` is the start of a game, `from_discs` sets up any other position, and `play` returns the next
    one.
    """

    cdef readonly object rules
    cdef u64 p
    cdef u64 o
    cdef u64 mask
    cdef int flags
    cdef bint white_to_move
    cdef int st
    cdef object __weakref__

    def __init__(self, rules=OTHELLO):
        cdef int r, c
        if self.rules is not None:
            raise ArgumentError("a position cannot be changed")
        self.mask, self.flags = rule_spec(rules)
        r = 8 * (rules.board.rows // 2 - 1)
        c = rules.board.columns // 2 - 1
        if rules.start is Start.DIAGONAL:
            self.p = rv_bit(r + c + 1) | rv_bit(r + 8 + c)
            self.o = rv_bit(r + c) | rv_bit(r + 8 + c + 1)
        else:
            self.p = rv_bit(r + 8 + c) | rv_bit(r + 8 + c + 1)
            self.o = rv_bit(r + c) | rv_bit(r + c + 1)
        self.rules = rules

    @staticmethod
    def from_discs(black, white, to_move=BLACK, rules=OTHELLO, state=State.FRESH):
        """Set up a position from the sets of black and white discs.

        Raises:
            BoardError: discs overlap or lie outside the board, or the rules do not have the state.
            ArgumentError: an argument has a wrong type.
        """
        if not isinstance(black, int) or not isinstance(white, int):
            check_type("black", black, int)
            check_type("white", white, int)
        cdef Position self = Position.__new__(Position)
        cdef u64 b, w
        self.mask, self.flags = rule_spec(rules)
        if not 0 <= black < 1 << 64 or not 0 <= white < 1 << 64 or (black | white) & ~self.mask:
            raise BoardError(f"a disc lies outside the {rules.board} board")
        b, w = black, white
        if b & w:
            raise BoardError(f"{MOVES[rv_first(b & w)]} holds two discs")
        if state not in STATES:
            raise BoardError(f"the state is a State, not {state!r}")
        if state is not State.FRESH and not rules.optional_skip:
            raise BoardError(f"state {state.value} does not exist under {rules}: a skip is never optional there")
        if state is State.ENDED and rules.ending is not Ending.NO_MOVES:
            raise BoardError(f"state {state.value} does not exist under {rules}: two passes do not end the game there")
        if not isinstance(to_move, Color):
            raise ArgumentError(f"the side to move is a Color, not {type(to_move).__name__}")
        self.rules = rules
        self.white_to_move = to_move is WHITE
        self.p, self.o = (w, b) if self.white_to_move else (b, w)
        self.st = STATES.index(state)
        return self

    @staticmethod
    def parse(text, rules=OTHELLO, to_move=None):
        """Read the one position of a text: a board on one line or many, a line of OBF, GGF, a transcript.

        Args:
            text: the text; `reversi.inputs` lists the forms.
            rules: the rule set.
            to_move: the side to move, where the text does not show it.

        Raises:
            InputError: the text has no position, or more than one, or it is malformed; an `IllegalMoveError`,
                `InvalidMoveError` or `BoardError` where that is what is wrong.
        """
        from reversi.inputs.input import parse_position  # above the core, as `text` and `render` below: tests/test_house.py

        check_type("text", text, str)
        rule_spec(rules)
        if to_move is not None:
            check_type("to_move", to_move, Color)
        return parse_position(text, rules, to_move)

    @staticmethod
    def from_moves(moves, rules=OTHELLO):
        """Play moves from the start of a game and return the last position.

        Args:
            moves: a transcript such as ``"f5d6c3"``, or moves or their texts.
            rules: the rule set.

        Raises:
            InvalidMoveError: a text is not a move.
            IllegalMoveError: a move is illegal.
        """
        check_type("moves", moves, Iterable)
        position = Position(rules)
        for move in position.parse_moves(moves) if isinstance(moves, str) else moves:
            position = position.play(move)
        return position

    def parse_moves(self, text):
        """Read a transcript that begins here, such as ``"f5d6c3"``; infer the forced passes that it leaves out.

        Raises:
            InvalidMoveError: a word is not a move; the message names the ply, from 1, and the word.
            IllegalMoveError: a move is illegal; the message names the ply, the move and the position.
            InputError: the text is too long for a game.
        """
        from reversi.text.transcripts import parse_transcript

        check_type("text", text, str)
        return parse_transcript(text, self)

    cdef inline Position bare(self):
        # the same rules, everything else to be filled in
        cdef Position other = Position.__new__(Position)
        other.rules = self.rules
        other.mask = self.mask
        other.flags = self.flags
        return other

    cdef inline void legal(self, u64* moves, bint* can_pass) noexcept:
        can_pass[0] = kernel.legal(self.flags, self.mask, self.st, self.p, self.o, moves)

    @property
    def to_move(self):
        """The color of the side to move (in a finished game, of the side whose turn it would be)."""
        return WHITE if self.white_to_move else BLACK

    @property
    def state(self):
        """``FRESH``, ``AFTER_PASS`` or ``ENDED`` (by two passes)."""
        return STATES[self.st]

    @property
    def black(self):
        """The set of black discs."""
        return self.o if self.white_to_move else self.p

    @property
    def white(self):
        """The set of white discs."""
        return self.p if self.white_to_move else self.o

    @property
    def player(self):
        """The set of discs of the side to move."""
        return self.p

    @property
    def opponent(self):
        """The set of discs of the other side."""
        return self.o

    @property
    def empty(self):
        """The set of empty squares of the board."""
        return self.mask & ~(self.p | self.o)

    @property
    def empties(self):
        """The number of empty squares of the board."""
        return rv_count(self.mask & ~(self.p | self.o))

    @property
    def legal_moves(self):
        """The legal moves as a lazy sequence; empty when the game is over."""
        cdef LegalMoves moves = LegalMoves.__new__(LegalMoves)
        cdef u64 placed
        cdef bint can_pass
        self.legal(&placed, &can_pass)
        moves.placements = placed
        moves.can_pass = can_pass
        return moves

    @property
    def is_over(self):
        """Whether the game is over: two passes ended it, or neither side has a placement."""
        return kernel.is_over(self.flags, self.mask, self.st, self.p, self.o)

    @property
    def count(self):
        """The disc count, scored as if the game ended here."""
        cdef int mine = rv_count(self.p), theirs = rv_count(self.o)
        return Result(theirs, mine, self.rules) if self.white_to_move else Result(mine, theirs, self.rules)

    @property
    def score(self):
        """What the disc count scores for the side to move, in discs, by the rules.

        Above zero the side to move wins, under misère too. In a finished game it is the score of the game; before
        its end, what it would be if the game ended here. `result` and `count` have Black's view.
        """
        cdef int mine = rv_count(self.p), theirs = rv_count(self.o)
        return rv_score(self.flags, mine - theirs, rv_count(self.mask) - mine - theirs)

    @property
    def result(self):
        """The result of a finished game, ``None`` before its end."""
        return self.count if self.is_over else None

    def is_legal(self, move):
        """Return whether a move, given as a `Move` or its text, is legal here.

        Raises:
            InvalidMoveError: the text is not a move.
        """
        return self.allows(as_move(move))

    cdef bint allows(self, Move move):
        cdef u64 placed
        cdef bint can_pass
        self.legal(&placed, &can_pass)
        return can_pass if move.index == PASS_INDEX else bool(placed >> move.index & 1)

    def play(self, move):
        """Return the position after a move, given as a `Move` or its text.

        Raises:
            InvalidMoveError: the text is not a move.
            IllegalMoveError: the position does not allow the move.
        """
        cdef Position after
        cdef int square
        cdef u64 flips, p = self.p, o = self.o
        cdef u64 placed
        cdef bint can_pass
        if type(move) is not Square:
            move = as_move(move)
        square = (<Move>move).index
        if square == PASS_INDEX:
            self.legal(&placed, &can_pass)
            if not can_pass:
                raise self.illegal(move)
            after = self.bare()
            after.p = o
            after.o = p
            after.st = rv_after_pass(self.flags, self.st)
        else:
            if not kernel.may_place(self.flags, self.mask, self.st, p, o, square, &flips):
                raise self.illegal(move)
            after = self.bare()
            after.p = o ^ flips
            after.o = p ^ flips ^ rv_bit(square)
        after.white_to_move = not self.white_to_move
        return after

    cdef object illegal(self, Move move):
        if self.is_over:
            why = "the game is over"
        elif move.index == PASS_INDEX:
            why = ("a skip is not allowed directly after a pass" if self.flags & SKIP
                   else "a pass is not allowed while there is a placement")
        elif not self.mask >> move.index & 1:
            why = f"outside the {self.rules.board} board"
        elif (self.p | self.o) >> move.index & 1:
            why = "the square is occupied"
        elif self.flags & CAPTURE:
            why = "flips nothing"
        else:
            why = "touches no disc"
        return IllegalMoveError(f"{move} is not allowed in {self.line()}: {why}", str(move), why)

    def flips(self, move):
        """Return the squares of the discs that a placement flips, in square order; none for a pass.

        Raises:
            InvalidMoveError: the text is not a move.
            IllegalMoveError: the position does not allow the move.
        """
        move = as_move(move)
        if not self.allows(move):
            raise self.illegal(move)
        if (<Move>move).index == PASS_INDEX:
            return ()
        return square_tuple(kernel.flips(self.p, self.o, (<Move>move).index))

    def with_to_move(self, to_move):
        """Return the same discs with another side to move, in the state ``FRESH``."""
        return Position.from_discs(self.black, self.white, to_move, self.rules)

    def with_state(self, state):
        """Return the same position in another state.

        Raises:
            BoardError: the rules do not have the state.
        """
        return Position.from_discs(self.black, self.white, self.to_move, self.rules, state)

    def with_rules(self, rules):
        """Return the same discs and side under other rules; a state that they do not have becomes ``FRESH``.

        Raises:
            BoardError: a disc lies outside the other board.
        """
        keeps = self.st <= rv_last_state(rule_spec(rules)[1])
        return Position.from_discs(self.black, self.white, self.to_move, rules, STATES[self.st] if keeps else STATES[0])

    def symmetry(self, index):
        """Return the position under a symmetry of the board.

        Bit 0 of ``index`` mirrors the columns, bit 1 the rows, and bit 2 then transposes (square boards only); 0 is
        the position itself.

        Raises:
            InputError: ``index`` is not from 0 to 7 on a square board, or from 0 to 3 on another.
        """
        cdef Position other
        cdef int rows = self.rules.board.rows, columns = self.rules.board.columns
        cdef int which = symmetry_of(index, self.rules)
        other = self.bare()
        other.p = transform(self.p, which, rows, columns)
        other.o = transform(self.o, which, rows, columns)
        other.white_to_move = self.white_to_move
        other.st = self.st
        return other

    def symmetries(self):
        """Return the position under each symmetry of the board: 8 on square boards, 4 on others, with repetitions."""
        return tuple([self.symmetry(i) for i in range(8 if self.rules.board.rows == self.rules.board.columns else 4)])

    def canonical(self):
        """Return the representative of the symmetric positions: the one with the least pair of disc sets."""
        cdef Position best = self, other
        cdef int i, n = 8 if self.rules.board.rows == self.rules.board.columns else 4
        for i in range(1, n):
            other = self.symmetry(i)
            if other.p < best.p or (other.p == best.p and other.o < best.o):
                best = other
        return best

    def perft(self, depth, *, bint count_passes=True):
        """Count the leaves ``depth`` plies below. A finished game counts one leaf at every deeper depth.

        With ``count_passes`` false, a pass takes no ply. Ctrl-C ends the count: it handles signals.

        Raises:
            ArgumentError: ``depth`` is not a whole number.
            InputError: it is not from 0 to 2**31 - 1.
        """
        cdef Search s
        cdef u64 leaves
        cdef int plies = <int>whole("depth", depth, 0, 0x7FFFFFFF)
        s.leaf.mask = self.mask
        s.leaf.flags = self.flags
        with nogil:
            leaves = kernel.count_leaves(&s, self.p, self.o, self.st, plies, count_passes, signal_raised)
        if s.stop_seen:
            rv_pending()
        return leaves

    def random_playout(self, random):
        """Play equally likely random moves to the end of the game and return the last position."""
        if not isinstance(random, Random):
            check_type("random", random, Random)
        cdef Position now = self.bare()
        cdef u64 placed, flips, p
        cdef bint can_pass
        cdef int i, n, square
        now.p, now.o, now.st, now.white_to_move = self.p, self.o, self.st, self.white_to_move
        while True:
            now.legal(&placed, &can_pass)
            n = rv_count(placed)
            if n + can_pass == 0:
                return now
            i = (<Random>random).draw(n + can_pass)
            p = now.p
            if i == n:
                now.p = now.o
                now.o = p
                now.st = rv_after_pass(now.flags, now.st)
            else:
                square = nth_bit(placed, i)
                flips = kernel.flips(p, now.o, square)
                now.p = now.o ^ flips
                now.o = p ^ flips ^ rv_bit(square)
                now.st = FRESH
            now.white_to_move = not now.white_to_move

    def __getitem__(self, square):
        cdef u64 bit
        if type(square) is not Square:
            if not isinstance(square, (str, int)):
                raise ArgumentError("index a position with a Square, its name or its index")
            square = Square(square)
        bit = rv_bit((<Square>square).index)
        if self.p & bit:
            return self.to_move
        if self.o & bit:
            return self.to_move.opponent
        return None

    def __richcmp__(self, other, int op):
        cdef Position that
        cdef bint same
        if op != Py_EQ and op != Py_NE or type(other) is not Position:
            return NotImplemented
        that = <Position>other
        same = (self.p == that.p and self.o == that.o and self.st == that.st
                and self.white_to_move == that.white_to_move
                and (self.rules is that.rules or self.rules == that.rules))
        return same if op == Py_EQ else not same

    def __hash__(self):
        cdef u64 h = rv_hash(self.p, self.o) + <u64>(3 * self.st + self.white_to_move)
        return <Py_hash_t>(h >> 2)

    @property
    def cells(self):
        """The cells as text, row by row: ``X`` Black, ``O`` White, ``-`` empty."""
        cdef char cells[64]
        cdef u64 black = self.black, white = self.white
        cdef int rows = self.rules.board.rows, columns = self.rules.board.columns
        cdef int row, column, square, count = 0
        for row in range(rows):
            for column in range(columns):
                square = 8 * row + column
                cells[count] = b"X" if black >> square & 1 else b"O" if white >> square & 1 else b"-"
                count += 1
        return cells[:count].decode("ascii")

    cdef str line(self):
        cdef str state = " --" if self.st == AFTER_PASS else " ended" if self.st == ENDED else ""
        return f"{self.cells} {'O' if self.white_to_move else 'X'}{state}"

    def __str__(self):
        """The board on many lines with coordinates; below it the side to move, or the result of a finished game."""
        from reversi.text.board_drawing import format_diagram

        board = format_diagram(self)
        if self.is_over:
            return f"{board}\ngame over: {self.count}"
        return f"{board}\n{self.to_move} to move{', after a pass' if self.st == AFTER_PASS else ''}"

    def __repr__(self):
        return f"<Position {self.line()!r} under {self.rules}>"

    def _repr_svg_(self):
        """The board as SVG, which notebooks show."""
        from reversi.text.picture.board import svg

        return svg(self)

    def __reduce__(self):
        return Position.from_discs, (self.black, self.white, self.to_move, self.rules, STATES[self.st])

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self
