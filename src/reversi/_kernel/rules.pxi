# The rules (rules.h) for the search, in three compiled contexts. A context knows at compile time what a placement is:
#   Standard  8x8, a placement captures, no skips, most discs win, empties to the winner
#   Masked    a placement captures, on any board, with run-time skip and scoring
#   Free      a placement need not capture, on any board, with run-time adjacency, skip and scoring

cdef extern from "_kernel/rules.h" nogil:
    enum:
        CAPTURE "RV_CAPTURE"
        ADJACENT "RV_ADJACENT"
        SKIP "RV_SKIP"
        FULL "RV_FULL"
        MISERE "RV_MISERE"
        DISCS_ONLY "RV_DISCS_ONLY"
    enum:
        FRESH "RV_FRESH"
        AFTER_PASS "RV_AFTER_PASS"
        ENDED "RV_ENDED"
    bint rv_is_standard(int flags, u64 mask)
    u64 rv_placements(int flags, u64 mask, u64 p, u64 o)
    bint rv_can_place(int flags, u64 p, u64 o, int square, u64* flips)
    bint rv_is_placement(int flags, u64 mask, u64 p, u64 o, int square, u64 flips)
    bint rv_may_place(int flags, u64 mask, int state, u64 p, u64 o, int square, u64* flips)
    bint rv_may_skip(int flags, int state)
    bint rv_may_pass(int flags, u64 mask, int state, u64 p, u64 o, u64 placements)
    int rv_after_pass(int flags, int state)
    int rv_last_state(int flags)
    bint rv_legal(int flags, u64 mask, int state, u64 p, u64 o, u64* placements)
    bint rv_is_over(int flags, u64 mask, int state, u64 p, u64 o)
    int rv_score(int flags, int difference, int empty)

ctypedef struct Standard:
    Search s

ctypedef struct Masked:
    Search s

ctypedef struct Free:
    Search s

ctypedef fused Context:
    Standard
    Masked
    Free


cdef inline bint is_standard(Search* s) noexcept nogil:
    return rv_is_standard(s.leaf.flags, s.leaf.mask)


cdef inline int flags_of(Context* c) noexcept nogil:
    if Context is Standard:
        return CAPTURE | ADJACENT
    elif Context is Masked:
        return c.s.leaf.flags | CAPTURE
    else:
        return c.s.leaf.flags & ~CAPTURE


cdef inline u64 mask_of(Context* c) noexcept nogil:
    return ~<u64>0 if Context is Standard else c.s.leaf.mask


cdef inline u64 placements(Context* c, u64 p, u64 o) noexcept nogil:
    """The squares where the mover may put a disc."""
    return rv_placements(flags_of(c), mask_of(c), p, o)


cdef inline u64 empty_squares(Context* c, u64 p, u64 o) noexcept nogil:
    return mask_of(c) & ~(p | o)


cdef inline int score_final(Context* c, u64 p, u64 o) noexcept nogil:
    """The score of a finished game."""
    cdef int mine = rv_count(p), theirs = rv_count(o), cells = 64 if Context is Standard else c.s.leaf.cells
    return rv_score(flags_of(c), mine - theirs, cells - mine - theirs)


cdef inline bint may_pass(Context* c, bint has_placement, int state) noexcept nogil:
    """Whether the mover may pass, in a game that is not over."""
    return not has_placement or rv_may_skip(flags_of(c), state)


cdef inline int state_after_pass(Context* c, int state) noexcept nogil:
    return rv_after_pass(flags_of(c), state)
