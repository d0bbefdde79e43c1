# Many positions at once as Python sees them: functions on buffers, for reversi.arrays. They run without the interpreter
# lock, so that threads may share the work.

@cython.final
@cython.auto_pickle(False)
cdef class Boards:
    """Buffers of many positions under one rule set, open for use by the functions below.

    Args:
        rules: the rule set.
        black, white: the discs, 64-bit words.
        to_move: 0 Black, 1 White, 8-bit numbers.
        state: 0 fresh, 1 after a pass, 2 ended by two passes, 8-bit numbers.

    Raises:
        ValueError: the buffers do not have the same number of positions.
    """

    cdef _Buffers held
    cdef Batch b
    cdef Search s
    cdef object rules

    def __cinit__(self, rules, black, white, to_move, state):
        mask, self.s.leaf.flags = rule_spec(rules)
        self.rules = rules
        self.s.leaf.mask = mask
        self.s.leaf.cells = rv_count(self.s.leaf.mask)
        self.s.leaf.rows = rules.board.rows
        self.s.leaf.columns = rules.board.columns
        self.s.stop = &NEVER
        self.held = _Buffers()
        self.b.count = self.held.take(black, 8, -1, False, "black").len // 8
        self.b.black = <const u64*>self.held.views[0].buf
        self.b.white = <const u64*>self.held.take(white, 8, self.b.count, False, "white").buf
        self.b.to_move = <const uint8_t*>self.held.take(to_move, 1, self.b.count, False, "to_move").buf
        self.b.state = <const uint8_t*>self.held.take(state, 1, self.b.count, False, "state").buf

    def __len__(self):
        return self.b.count

    def first_wrong(self):
        """Return the number of the first position that the rules cannot have, from 0; -1 if there is none."""
        cdef Py_ssize_t i
        cdef u64 mask = self.s.leaf.mask
        cdef int most = rv_last_state(self.s.leaf.flags)
        with nogil:
            for i in range(self.b.count):
                if (self.b.black[i] & self.b.white[i] or (self.b.black[i] | self.b.white[i]) & ~mask
                        or self.b.to_move[i] > 1 or self.b.state[i] > most):
                    break
            else:
                i = -1
        return i

    def legal(self, placements, can_pass=None):
        """Write the placements (64-bit words) and, unless ``None``, whether a pass is legal (8-bit numbers)."""
        cdef _Buffers held = _Buffers()
        cdef u64* placed = <u64*>held.take(placements, 8, self.b.count, True, "placements").buf
        cdef uint8_t* passes = NULL
        if can_pass is not None:
            passes = <uint8_t*>held.take(can_pass, 1, self.b.count, True, "can_pass").buf
        with nogil:
            kernel.many_legal(&self.s, &self.b, placed, passes)

    def play(self, moves, black, white, to_move, state):
        """Play one move in each position and write the next positions; return the number of an illegal one, or -1.

        ``moves`` are 8-bit numbers of squares, 64 a pass. The outputs may be the inputs.
        """
        cdef _Buffers held = _Buffers()
        cdef Py_buffer* views = held.views
        cdef Py_ssize_t wrong
        held.take(moves, 1, self.b.count, False, "moves")
        held.take(black, 8, self.b.count, True, "black")
        held.take(white, 8, self.b.count, True, "white")
        held.take(to_move, 1, self.b.count, True, "to_move")
        held.take(state, 1, self.b.count, True, "state")
        with nogil:
            wrong = kernel.many_play(&self.s, &self.b, <const uint8_t*>views[0].buf, <u64*>views[1].buf,
                                      <u64*>views[2].buf, <uint8_t*>views[3].buf, <uint8_t*>views[4].buf)
        return wrong

    def random_games(self, int games, u64 seed, out):
        """Write the scores of ``games`` random games from each position, for its mover, as 8-bit numbers.

        Game k of position i plays the moves of ``Position.random_playout(Random(seed + i * games + k))``.

        Raises:
            ValueError: ``games`` is negative, or ``out`` has another size.
        """
        cdef _Buffers held = _Buffers()
        cdef Py_buffer* view
        if games < 0 or (games and self.b.count > PY_SSIZE_T_MAX // games):
            raise ValueError(f"no buffer holds {games} games for each position")
        view = held.take(out, 1, self.b.count * games, True, "out")
        with nogil:
            kernel.many_random_games(&self.s, &self.b, games, seed, <int8_t*>view.buf)

    def evaluate(self, Weights weights not None, out):
        """Write the evaluation of each standard position for its mover, in 1/128 disc, as 16-bit numbers.

        Raises:
            InputError: the rules are not the standard ones.
        """
        cdef _Buffers held = _Buffers()
        cdef Py_buffer* view
        _check_standard(Position(self.rules))
        view = held.take(out, 2, self.b.count, True, "out")
        self.s.weights = &weights.found
        with nogil:
            kernel.many_evaluate(&self.s, &self.b, <int16_t*>view.buf)

    def solve(self, Task task not None, out):
        """Write the exact value of each position for its mover, as 8-bit numbers.

        Return how many it has solved: fewer than all after `Task.cancel`.
        """
        cdef _Buffers held = _Buffers()
        cdef Py_buffer* view
        cdef Py_ssize_t solved
        task.setup(Position(self.rules))
        view = held.take(out, 1, self.b.count, True, "out")
        with nogil:
            solved = kernel.many_solve(&task.s, &self.b, <int8_t*>view.buf)
        return solved

    def symmetry(self, index, black, white):
        """Write the discs of each position under a symmetry of the board (see `Position.symmetry`).

        Raises:
            InputError: the board does not have that symmetry.
        """
        cdef _Buffers held = _Buffers()
        cdef Py_ssize_t i
        cdef int rows = self.s.leaf.rows, columns = self.s.leaf.columns
        cdef int which = symmetry_of(index, self.rules)
        cdef u64* to_black = <u64*>held.take(black, 8, self.b.count, True, "black").buf
        cdef u64* to_white = <u64*>held.take(white, 8, self.b.count, True, "white").buf
        with nogil:
            for i in range(self.b.count):
                to_black[i] = transform(self.b.black[i], which, rows, columns)
                to_white[i] = transform(self.b.white[i], which, rows, columns)

    def canonical(self, black, white, keys=None, u64 salt=0):
        """Write the discs of each `Position.canonical` and, unless ``None``, each `canonical_key` (64-bit words)."""
        cdef _Buffers held = _Buffers()
        cdef int rows = self.s.leaf.rows, columns = self.s.leaf.columns
        cdef Py_ssize_t i
        cdef u64 p, o
        cdef u64* to_black = <u64*>held.take(black, 8, self.b.count, True, "black").buf
        cdef u64* to_white = <u64*>held.take(white, 8, self.b.count, True, "white").buf
        cdef u64* to_keys = NULL
        if keys is not None:
            to_keys = <u64*>held.take(keys, 8, self.b.count, True, "keys").buf
        with nogil:
            for i in range(self.b.count):
                p = self.b.white[i] if self.b.to_move[i] else self.b.black[i]
                o = self.b.black[i] if self.b.to_move[i] else self.b.white[i]
                _least(&p, &o, rows, columns)
                if to_keys != NULL:
                    to_keys[i] = _key(p, o, salt * 8 + <u64>(2 * self.b.state[i] + self.b.to_move[i]))
                to_black[i] = o if self.b.to_move[i] else p
                to_white[i] = p if self.b.to_move[i] else o


def expand_bits(bits, int rows, int columns, out, int size, u64 one, Py_ssize_t first, Py_ssize_t position,
                Py_ssize_t cell):
    """Write an element for each cell of each set of squares: ``one`` where the square is in the set, else 0.

    Args:
        bits: sets of squares, 64-bit words.
        rows, columns: the board.
        out: a writable buffer of elements of ``size`` bytes: 1, 2, 4 or 8.
        size: the bytes of an element.
        one: the bits of the element that stands for 1.
        first, position, cell: cell c of set i goes to element ``first + i * position + c * cell``.

    Raises:
        ValueError: an element would lie outside the buffer.
    """
    cdef _Buffers held = _Buffers()
    cdef Py_buffer* vbits
    cdef Py_buffer* vout
    cdef Py_ssize_t count, room, cells = rows * columns
    if size not in (1, 2, 4, 8) or rows not in (4, 6, 8) or columns not in (4, 6, 8):
        raise ValueError("an element has 1, 2, 4 or 8 bytes, and a board 4, 6 or 8 rows and columns")
    vbits = held.take(bits, 8, -1, False, "bits")
    vout = held.take(out, size, -1, True, "out")
    count = vbits.len // 8
    # by division, because a sum of products may overflow: what is left behind the first cell, then behind a set
    room = vout.len // size - 1 - max(first, 0)
    if first < 0 or position < 0 or cell < 0 or (count and (
            room < 0 or cell > room // (cells - 1)
            or (count > 1 and position > (room - (cells - 1) * cell) // (count - 1)))):
        raise ValueError("out: too small for the positions")
    with nogil:
        kernel.many_expand(<const u64*>vbits.buf, count, rows, columns, size, one, first, position, cell, vout.buf)
