# Counting the leaves of the game tree.

cdef enum:
    ASK_EVERY = 1 << 17  # nodes above the last ply between two questions whether to stop: 10 to 80 ms

cdef inline bint perft_stopped(Search* s, Stopper stops) noexcept nogil:
    """Count a node; whether the caller wants no answer any more."""
    s.leaf.nodes += 1
    if s.leaf.nodes % ASK_EVERY == 0 and stops():
        s.stop_seen = 1
    return s.stop_seen


cdef u64 perft(Context* c, u64 p, u64 o, int state, int depth, bint count_passes, Stopper stops) noexcept nogil:
    """Leaves at `depth` plies below a position; a finished game is one leaf at every depth.

    Meaningless once stop_seen is set.
    """
    cdef u64 moves, flips, leaves = 0
    cdef int square
    if depth == 0 or state == ENDED:
        return 1
    if depth > 1 and perft_stopped(&c.s, stops):
        return 0
    moves = placements(c, p, o)
    if moves == 0:
        if placements(c, o, p) == 0:
            return 1
        return perft(c, o, p, state_after_pass(c, state), depth - 1 if count_passes else depth, count_passes,
                     stops)
    if Context is not Standard:
        if may_pass(c, True, state):
            leaves = perft(c, o, p, state_after_pass(c, state), depth - 1 if count_passes else depth, count_passes,
                           stops)
    if depth == 1:
        return leaves + <u64>rv_count(moves)
    while moves:
        square = rv_first(moves)
        moves &= moves - 1
        flips = rv_flips(p, o, square)
        leaves += perft(c, o ^ flips, p ^ flips ^ rv_bit(square), FRESH, depth - 1, count_passes, stops)
        if c.s.stop_seen:
            return 0
    return leaves


cdef u64 count_leaves(Search* s, u64 p, u64 o, int state, int depth, bint count_passes,
                      Stopper stops) noexcept nogil:
    """Leaves below a position. `stops` is asked now and then; once it says so, stop_seen is set."""
    s.leaf.nodes = 0
    s.stop_seen = 0
    if is_standard(s):
        return perft(<Standard*>s, p, o, state, depth, count_passes, stops)
    if s.leaf.flags & CAPTURE:
        return perft(<Masked*>s, p, o, state, depth, count_passes, stops)
    return perft(<Free*>s, p, o, state, depth, count_passes, stops)
