# The last squares: no table, no move list. All values are exact and fail-soft, from the mover's view.
#
# `n` counts the empty squares; `parity` has a bit per quadrant, set where the number of empty squares is odd.
# Under rules with optional skips these functions are not used (search.pxi has the general search), nor where C headers
# have the last squares (leaves.h, free.h).

cdef u64 QUADRANTS[16]     # squares of the quadrants named by the index's bits
cdef uint8_t QUADRANT[64]  # the bit of a square's quadrant


cdef void init_quadrants() noexcept:
    cdef int square, i
    cdef u64 squares
    for square in range(64):
        QUADRANT[square] = 1 << ((square >> 5) * 2 + (square >> 2 & 1))
    for i in range(16):
        squares = 0
        for square in range(64):
            if QUADRANT[square] & i:
                squares |= rv_bit(square)
        QUADRANTS[i] = squares


cdef inline int parity_of(u64 empties) noexcept nogil:
    cdef int parity = 0, q
    for q in range(4):
        if rv_count(empties & QUADRANTS[1 << q]) & 1:
            parity |= 1 << q
    return parity


cdef inline bint can_place(Context* c, u64 p, u64 o, int square, u64* flips) noexcept nogil:
    """Whether the mover may place on an empty square; the flips are filled in."""
    if Context is Free:
        if c.s.flags & ADJACENT and rv_tables.around[square] & (p | o) == 0:
            return False
        flips[0] = rv_flips(p, o, square)
        return True
    else:
        if rv_tables.around[square] & o == 0:
            return False
        flips[0] = rv_flips(p, o, square)
        return flips[0] != 0


cdef inline bint can_place_last(Context* c, u64 p, u64 o, int square, u64* flips) noexcept nogil:
    """can_place with at most three empty squares: a corner has three neighbours, so each touches a disc."""
    if Context is Free:
        flips[0] = rv_flips(p, o, square)
        return True
    else:
        return can_place(c, p, o, square, flips)


cdef inline int last_1(Context* c, u64 p, u64 o, int square) noexcept nogil:
    """One empty square. A disc supports at most one disc's difference there, so no discs are turned, only counted."""
    cdef int mine = rv_count(p), turned = rv_last_flips(p, square)
    if Context is Standard:
        if turned:
            return 2 * mine + 2 + turned - 64
        turned = rv_last_flips(o, square)
        if turned:
            return 2 * mine - 64 - turned
        return 2 * mine - 62 if mine >= 32 else 2 * mine - 64
    elif Context is Masked:
        if turned:
            return score_discs(c, mine + 1 + (turned >> 1), c.s.leaf.cells - mine - 1 - (turned >> 1))
        turned = rv_last_flips(o, square)
        if turned:
            return score_discs(c, mine - (turned >> 1), c.s.leaf.cells - mine + (turned >> 1))
        return score_discs(c, mine, c.s.leaf.cells - 1 - mine)
    else:
        return score_discs(c, mine + 1 + (turned >> 1), c.s.leaf.cells - mine - 1 - (turned >> 1))


cdef int last_2(Context* c, u64 p, u64 o, int alpha, int first, int second) noexcept nogil:
    """Two empty squares."""
    cdef u64 flips
    cdef int value, best = LOST
    if can_place_last(c, p, o, first, &flips):
        c.s.leaf.nodes += 1
        best = -last_1(c, o ^ flips, p ^ flips ^ rv_bit(first), second)
        if best > alpha:
            return best
    if can_place_last(c, p, o, second, &flips):
        c.s.leaf.nodes += 1
        value = -last_1(c, o ^ flips, p ^ flips ^ rv_bit(second), first)
        return value if value > best else best
    if best != LOST:
        return best
    if Context is not Free:
        # a pass: the other side, which wants little
        if can_place_last(c, o, p, first, &flips):
            c.s.leaf.nodes += 1
            best = last_1(c, p ^ flips, o ^ flips ^ rv_bit(first), second)
            if best <= alpha:
                return best
        if can_place_last(c, o, p, second, &flips):
            c.s.leaf.nodes += 1
            value = last_1(c, p ^ flips, o ^ flips ^ rv_bit(second), first)
            return value if best == LOST or value < best else best
        if best != LOST:
            return best
    return score_final(c, p, o)


cdef int last_3(Context* c, u64 p, u64 o, int alpha, int first, int second, int third, bint passed) noexcept nogil:
    """Three empty squares, in the order in which they are tried."""
    cdef u64 flips
    cdef int value, best = LOST
    if can_place_last(c, p, o, first, &flips):
        c.s.leaf.nodes += 1
        best = -last_2(c, o ^ flips, p ^ flips ^ rv_bit(first), -alpha - 1, second, third)
        if best > alpha:
            return best
    if can_place_last(c, p, o, second, &flips):
        c.s.leaf.nodes += 1
        value = -last_2(c, o ^ flips, p ^ flips ^ rv_bit(second), -alpha - 1, first, third)
        if value > alpha:
            return value
        if value > best:
            best = value
    if can_place_last(c, p, o, third, &flips):
        c.s.leaf.nodes += 1
        value = -last_2(c, o ^ flips, p ^ flips ^ rv_bit(third), -alpha - 1, first, second)
        if value > best:
            best = value
    if best != LOST:
        return best
    if Context is not Free:
        if not passed:
            return -last_3(c, o, p, -alpha - 1, first, second, third, True)
    return score_final(c, p, o)


cdef int last_few(Context* c, u64 p, u64 o, int alpha, u64 empties, int n, int parity, bint passed) noexcept nogil:
    """Two or more empty squares, a null window above alpha, squares of odd quadrants first."""
    cdef u64 flips, these, those
    cdef int value, best = LOST, square
    if n == 2:
        square = rv_first(empties)
        return last_2(c, p, o, alpha, square, rv_first(empties & (empties - 1)))
    these = empties & QUADRANTS[parity]
    those = empties ^ these
    if n == 3:
        if those == 0 or these == 0:
            square = rv_first(empties)
            empties &= empties - 1
            return last_3(c, p, o, alpha, square, rv_first(empties), rv_first(empties & (empties - 1)), passed)
        # one square alone in its quadrant, two in another
        return last_3(c, p, o, alpha, rv_first(these), rv_first(those), rv_first(those & (those - 1)), passed)
    if these == 0:
        these = those
        those = 0
    while these:
        square = rv_first(these)
        these &= these - 1
        if can_place(c, p, o, square, &flips):
            c.s.leaf.nodes += 1
            value = -last_few(c, o ^ flips, p ^ flips ^ rv_bit(square), -alpha - 1, empties ^ rv_bit(square), n - 1,
                              parity ^ QUADRANT[square], False)
            if value > best:
                best = value
                if value > alpha:
                    return value
        if these == 0:
            these = those
            those = 0
    if best != LOST:
        return best
    if Context is not Free:
        if not passed:
            return -last_few(c, o, p, -alpha - 1, empties, n, parity, True)
    return score_final(c, p, o)
