# The last squares where no C header has them (leaves.h, free_leaves.h): no table, no move list. Values are fail-soft, from the
# mover's view.
#
# `n` counts the empty squares; `parity` has a bit per quadrant, set where the number of empty squares is odd.
# Under rules with optional skips exact.pxi has the general search.

cdef int last_few(Context* c, u64 p, u64 o, int alpha, u64 empties, int n, int parity, bint passed) noexcept nogil:
    """Two or more empty squares, a null window above alpha, squares of odd quadrants first."""
    cdef u64 flips, these, those
    cdef int value, best = LOST, square, first, second, third
    if n == 2:
        return last_2(&c.s.leaf, p, o, alpha, rv_first(empties), rv_last(empties))
    if n == 3:
        order_three(&ORDER, empties, parity, &first, &second, &third)
        return last_3(&c.s.leaf, p, o, alpha, first, second, third)
    these = order_odd(&ORDER, empties, parity)
    those = empties ^ these
    while these:
        square = rv_first(these)
        these &= these - 1
        if rv_can_place(flags_of(c), p, o, square, &flips):
            c.s.leaf.nodes += 1
            value = -last_few(c, o ^ flips, p ^ flips ^ rv_bit(square), -alpha - 1, empties ^ rv_bit(square), n - 1,
                              parity ^ 1 << ORDER.quadrant[square], False)
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
