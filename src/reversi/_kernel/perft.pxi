# Counting the leaves of the game tree.

cdef u64 perft(Context* c, u64 p, u64 o, int state, int depth, bint count_passes) noexcept nogil:
    """Leaves at `depth` plies below a position; a finished game is one leaf at every depth."""
    cdef u64 moves, flips, leaves = 0
    cdef int square
    if depth == 0 or state == ENDED:
        return 1
    moves = placements(c, p, o)
    if moves == 0:
        if placements(c, o, p) == 0:
            return 1
        return perft(c, o, p, state_after_pass(c, state), depth - 1 if count_passes else depth, count_passes)
    if Context is not Standard:
        if may_pass(c, True, state):
            leaves = perft(c, o, p, state_after_pass(c, state), depth - 1 if count_passes else depth, count_passes)
    if depth == 1:
        return leaves + <u64>rv_count(moves)
    while moves:
        square = rv_first(moves)
        moves &= moves - 1
        flips = rv_flips(p, o, square)
        leaves += perft(c, o ^ flips, p ^ flips ^ rv_bit(square), FRESH, depth - 1, count_passes)
    return leaves


cdef u64 count_leaves(Search* s, u64 p, u64 o, int state, int depth, bint count_passes) noexcept nogil:
    if is_standard(s):
        return perft(<Standard*>s, p, o, state, depth, count_passes)
    if s.flags & CAPTURE:
        return perft(<Masked*>s, p, o, state, depth, count_passes)
    return perft(<Free*>s, p, o, state, depth, count_passes)
