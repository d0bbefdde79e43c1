# A plain evaluation for the rule sets that the learned one does not know, and for searches without weights.
#
# Where a placement must capture, moves are the currency: mobility, corners and stable edges count first, and discs come
# in towards the end. These weights come near to a regression on the values of 3,500 positions on 6x6 with 10 to 17
# empty squares, and were then chosen by the nodes of solves with 20 and 22. Where a placement need not capture, every
# square will be filled by somebody, and discs that can hardly be flipped again (corners, edges) and the count itself
# matter.
#
# Under misère moves are good, too, but corners and what is stable is a burden, and squares beside an empty corner are
# no worse than others: a regression on the values of 1,500 positions on 6x6 with 9 to 16 empty squares, which leaves
# 4.3 discs of 7.9. Where a placement need not capture, misère is the sign of the other objective.

cdef enum:
    PLAIN_CORNER = 600       # all in hundredths of a disc, per feature of the mover's less the opponent's
    PLAIN_X = -500
    PLAIN_C = -500
    PLAIN_EDGE = 400         # discs that no placement on their edge can flip
    PLAIN_MOBILITY = 250
    PLAIN_DISCS = -50
    PLAIN_MISERE_CORNER = -380
    PLAIN_MISERE_X = -30
    PLAIN_MISERE_C = 110
    PLAIN_MISERE_EDGE = -100
    PLAIN_MISERE_MOBILITY = 160
    PLAIN_MISERE_DISCS = -10
    PLAIN_FREE_CORNER = 500
    PLAIN_FREE_X = -200
    PLAIN_FREE_C = -60
    PLAIN_FREE_EDGE = 60
    PLAIN_FREE_FRONTIER = -15
    PLAIN_FREE_DISCS = 40


cdef int plain_value(Context* c, u64 p, u64 o, int n) noexcept nogil:
    """What an unfinished position looks worth to its mover, in discs."""
    cdef int last_row = 8 * (c.s.leaf.rows - 1), last = c.s.leaf.columns - 1, up, right, i
    cdef int good, firm, owned = 0, late, filled, whole, share, value
    cdef u64 corner, x, sides, taken = p | o, edges
    cdef u64 empty = empty_squares(c, p, o)
    for i in range(4):
        up = last_row if i & 1 else 0
        right = last if i & 2 else 0
        corner = rv_bit(up + right)
        x = rv_bit((last_row - 8 if i & 1 else 8) + (last - 1 if i & 2 else 1))
        sides = rv_bit((last_row - 8 if i & 1 else 8) + right) | rv_bit(up + (last - 1 if i & 2 else 1))
        if Context is Free:
            if corner & taken:
                owned += PLAIN_FREE_CORNER * balance(p, o, corner)
            else:  # what lies beside a corner matters while the corner is empty
                owned += PLAIN_FREE_X * balance(p, o, x) + PLAIN_FREE_C * balance(p, o, sides)
        elif c.s.leaf.flags & MISERE:
            if corner & taken:
                owned += PLAIN_MISERE_CORNER * balance(p, o, corner)
            else:
                owned += PLAIN_MISERE_X * balance(p, o, x) + PLAIN_MISERE_C * balance(p, o, sides)
        elif corner & taken:
            owned += PLAIN_CORNER * balance(p, o, corner)
        else:
            owned += PLAIN_X * balance(p, o, x) + PLAIN_C * balance(p, o, sides)
    late = balance(p, o, ~<u64>0)
    if Context is Free:
        good = rv_count(rv_neighbours(o) & empty) - rv_count(rv_neighbours(p) & empty)
        edges = <u64>0xff | <u64>0xff << last_row | <u64>0x0101010101010101 | <u64>0x0101010101010101 << last
        owned += PLAIN_FREE_EDGE * balance(p, o, edges & c.s.leaf.mask) + PLAIN_FREE_DISCS * late
        good *= PLAIN_FREE_FRONTIER
        if c.s.leaf.flags & MISERE:
            owned = -owned
    else:
        firm = rv_count(stable_edges(c, p, o)) - rv_count(stable_edges(c, o, p))
        good = rv_count(placements(c, p, o)) - rv_count(placements(c, o, p))
        if c.s.leaf.flags & MISERE:
            owned += PLAIN_MISERE_DISCS * late + PLAIN_MISERE_EDGE * firm
            good *= PLAIN_MISERE_MOBILITY
        else:
            owned += PLAIN_DISCS * late + PLAIN_EDGE * firm
            good *= PLAIN_MOBILITY
    late *= -100 if c.s.leaf.flags & MISERE else 100
    # from the shape of the position to the plain count, the later the faster
    filled = c.s.leaf.cells - n
    whole = c.s.leaf.cells * c.s.leaf.cells
    share = filled * filled
    value = ((good + owned) * (whole - share) + late * share) // (100 * whole)
    return c.s.leaf.cells if value > c.s.leaf.cells else -c.s.leaf.cells if value < -c.s.leaf.cells else value
