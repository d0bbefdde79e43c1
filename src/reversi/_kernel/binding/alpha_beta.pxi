# Values by plain alpha-beta, to check the answers of the kernel: no table, no evaluation, no selective search, no
# stable discs, and none of the kernel's code beside the rules (legal placements and flips).

cdef extern from *:
    """
    static int rv_stopped(PyObject *poll) {
        if (PyErr_CheckSignals()) return 1;
        if (poll == Py_None) return 0;
        PyObject *done = PyObject_CallNoArgs(poll);
        Py_XDECREF(done);
        return done == NULL;
    }
    """
    bint rv_stopped(object poll)  # its error stays pending until rv_pending raises it


cdef struct AlphaBeta:
    u64 mask
    int flags
    int cells
    u64 nodes
    void* poll
    bint stopped


cdef bint ab_stopped(void* poll) noexcept with gil:
    """Run the handlers of pending signals, then ``poll``; return whether one raised an error."""
    return rv_stopped(<object>poll)


cdef inline u64 ab_moves(AlphaBeta* g, u64 p, u64 o) noexcept nogil:
    if g.flags & CAPTURE:
        return kernel.captures(p, o) & g.mask
    if g.flags & ADJACENT:
        return rv_neighbours(p | o) & g.mask & ~(p | o)
    return g.mask & ~(p | o)


cdef int ab_final(AlphaBeta* g, u64 p, u64 o) noexcept nogil:
    cdef int mine = rv_count(p), theirs = rv_count(o), difference = mine - theirs
    if difference and not g.flags & DISCS_ONLY:
        difference += g.cells - mine - theirs if difference > 0 else mine + theirs - g.cells
    return -difference if g.flags & MISERE else difference


cdef int ab_search(AlphaBeta* g, u64 p, u64 o, int st, int alpha, int beta) noexcept nogil:
    """Fail-soft value for the mover; meaningless once g.stopped is set."""
    cdef u64 moves
    cdef u64 flips[64]
    cdef int squares[64]
    cdef int keys[64]
    cdef int count = 0, best = -100, value, i, j, square, after
    if g.stopped:
        return 0
    g.nodes += 1
    if g.nodes & 0x3FFFF == 0 and ab_stopped(g.poll):
        g.stopped = True
        return 0
    if st == ENDED:
        return ab_final(g, p, o)
    moves = ab_moves(g, p, o)
    after = FRESH
    if g.flags & SKIP:
        after = ENDED if st == AFTER_PASS and not g.flags & FULL else AFTER_PASS
    if moves == 0:
        if ab_moves(g, o, p) == 0:
            return ab_final(g, p, o)
        return -ab_search(g, o, p, after, -beta, -alpha)
    while moves:
        square = rv_first(moves)
        moves &= moves - 1
        flips[square] = kernel.flips(p, o, square)
        keys[count] = rv_count(ab_moves(g, o ^ flips[square], p ^ flips[square] ^ rv_bit(square)))
        squares[count] = square
        count += 1
    for i in range(count):
        for j in range(i + 1, count):  # the fewest replies first
            if keys[j] < keys[i]:
                keys[i], keys[j] = keys[j], keys[i]
                squares[i], squares[j] = squares[j], squares[i]
        square = squares[i]
        value = -ab_search(g, o ^ flips[square], p ^ flips[square] ^ rv_bit(square), FRESH, -beta,
                              -(alpha if alpha > best else best))
        if value > best:
            best = value
            if best >= beta:
                return best
    if g.flags & SKIP and not (g.flags & FULL and st == AFTER_PASS):
        value = -ab_search(g, o, p, after, -beta, -(alpha if alpha > best else best))
        if value > best:
            best = value
    return best


def alpha_beta(Position position not None, int alpha, int beta, poll=None):
    """Return the value of a position by plain alpha-beta, and the number of positions visited.

    Nothing beside the rules is shared with the solver. The value is exact between ``alpha`` and ``beta``; at most
    ``alpha`` it is an upper bound, and at least ``beta`` a lower bound. Ctrl-C ends the search: it handles signals.
    ``poll`` is called several times a second, and ends the search by raising an error.
    """
    cdef AlphaBeta g
    cdef int value
    check_window(alpha, beta)
    g.mask, g.flags, g.cells = position.mask, position.flags, rv_count(position.mask)
    g.nodes, g.poll, g.stopped = 0, <void*>poll, False
    with nogil:
        value = ab_search(&g, position.p, position.o, position.st, alpha, beta)
    if g.stopped:
        rv_pending()
    return value, g.nodes
