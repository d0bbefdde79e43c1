# The kernel's declarations: bit operations, the search state, and the three compiled contexts.
#
# A context decides at compile time what a placement is:
#   Standard  8x8, a placement captures, no skips, most discs win, empties to the winner
#   Masked    a placement captures, on any board, with run-time skip and scoring
#   Free      a placement need not capture, on any board, with run-time adjacency, skip and scoring

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef uint64_t u64

cdef extern from "_kernel/bits/bits.h" nogil:
    int rv_first(u64 x)
    int rv_last(u64 x)
    int rv_count(u64 x)
    int rv_count_moves(u64 x)
    u64 rv_bit(int square)
    void rv_prefetch(const void *at)
    u64 rv_captures(u64 p, u64 o)
    u64 rv_neighbours(u64 x)
    u64 rv_flips(u64 p, u64 o, int square)
    void rv_expand(u64 p, u64 o, int a, int b, u64* flips, u64* replies)
    int rv_last_flips(u64 p, int square)
    u64 rv_stable(u64 p, u64 o)
    u64 rv_stable_small(u64 p, u64 o, int rows, int columns)
    u64 rv_stable_edges(u64 p, u64 o)
    u64 rv_stable_edges_small(u64 p, u64 o, int rows, int columns)
    u64 rv_hash(u64 p, u64 o)
    void rv_init()

    ctypedef struct rv_tables_t:
        u64 around[64]
    rv_tables_t rv_tables

cdef extern from "_kernel/statistics.h" nogil:
    enum:
        STAT_END "RV_STAT_END"
        STAT_DEEP "RV_STAT_DEEP"
        STAT_SORT "RV_STAT_SORT"
    void stat_enter "rv_stat_enter"(int kind, int n)
    void stat_back "rv_stat_back"(int kind, int n)
    void stat_cut "rv_stat_cut"(int kind, int n, int i, u64 wasted, u64 nodes)

cdef extern from "_kernel/leaves.h" nogil:
    enum:
        KNOWN "RV_KNOWN"

    ctypedef struct Known "rv_known_t":
        u64 first
        u64 second
        int8_t lower
        int8_t upper
        uint8_t move

    ctypedef struct Leaf "rv_leaf_t":
        u64 nodes
        Known* known
        u64 mask
        int cells
        int rows
        int columns
        int adjacent

    ctypedef struct LeafTables "rv_leaf_tables_t":
        u64 odd[16]
        u64 corners
        uint8_t quadrant[64]
        uint8_t key[16][64]
    LeafTables leaf_tables "rv_leaf_tables"
    const LeafTables* leaf_tables_of "rv_leaf_tables_of"(const Leaf* leaf)
    int leaf_parity "rv_leaf_parity"(const Leaf* leaf, u64 squares)
    void leaf_init "rv_leaf_init"()
    Known* leaf_known "rv_leaf_known"(const Leaf* leaf, u64 p, u64 o)
    int few_whole "rv_few_whole"(Leaf* leaf, u64 p, u64 o, u64 moves, int alpha, int n, int parity)
    int few_board "rv_few_board"(Leaf* leaf, u64 p, u64 o, u64 moves, int alpha, int n)

cdef extern from "_kernel/free.h" nogil:
    int few_free "rv_free"(Leaf* leaf, u64 p, u64 o, int alpha, int n)

# flags of a rule set
cdef enum:
    CAPTURE = 1      # a placement must flip
    ADJACENT = 2     # a placement must touch a disc
    SKIP = 4         # a pass is allowed beside placements
    FULL = 8         # directly after a pass, no skip
    MISERE = 16      # the fewest discs win
    DISCS_ONLY = 32  # empty squares count for nobody

# what a position remembers of the plies before it
cdef enum:
    FRESH = 0
    AFTER_PASS = 1
    ENDED = 2

cdef struct Entry:
    # One table entry: the full position, scrambled with the data so that a torn write is never believed.
    u64 first
    u64 second
    u64 data

cdef struct Candidate:
    u64 flips
    u64 replies  # the opponent's placements after it, where they are known
    int square
    int key

cdef struct Search:
    # One searching thread's state.
    Leaf leaf           # the board and the nodes
    int flags
    int stop_seen
    Entry* table
    u64 clusters        # power of two
    Entry* near         # this thread's own small table (table.pxi), NULL for none
    int generation
    int16_t* weights    # the evaluation's, NULL when not loaded
    volatile int* stop  # set from outside to end the search
    void* pool          # the threads that may help (parallel.pxi), NULL for none
    void* split         # the innermost shared node this thread searches below
    # what the root has proved so far
    int lower
    int upper
    int proof           # a move that reaches lower, -1 for none yet
    int best            # the best move of the root search that runs, proved or likely, -1 for none yet
    int best_value      # what the root search that runs has found for it

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


cdef inline u64 placements(Context* c, u64 p, u64 o) noexcept nogil:
    """The squares where the mover may put a disc."""
    if Context is Standard:
        return rv_captures(p, o)
    elif Context is Masked:
        return rv_captures(p, o) & c.s.leaf.mask
    else:
        if c.s.flags & ADJACENT:
            return rv_neighbours(p | o) & c.s.leaf.mask & ~(p | o)
        return c.s.leaf.mask & ~(p | o)


cdef inline u64 empty_squares(Context* c, u64 p, u64 o) noexcept nogil:
    if Context is Standard:
        return ~(p | o)
    else:
        return c.s.leaf.mask & ~(p | o)


cdef inline int score_discs(Context* c, int mine, int theirs) noexcept nogil:
    """The score of a finished game for the player with `mine` discs."""
    cdef int difference = mine - theirs
    if Context is Standard:
        return difference + (64 - mine - theirs if difference > 0 else mine + theirs - 64 if difference < 0 else 0)
    else:
        if not c.s.flags & DISCS_ONLY and difference != 0:
            if difference > 0:
                difference += c.s.leaf.cells - mine - theirs
            else:
                difference -= c.s.leaf.cells - mine - theirs
        return -difference if c.s.flags & MISERE else difference


cdef inline int score_final(Context* c, u64 p, u64 o) noexcept nogil:
    return score_discs(c, rv_count(p), rv_count(o))


cdef inline bint may_pass(Context* c, bint has_placement, int state) noexcept nogil:
    """Whether the mover may pass, in a game that is not over."""
    if Context is Standard:
        return not has_placement
    else:
        if not has_placement:
            return True
        return c.s.flags & SKIP and not (c.s.flags & FULL and state == AFTER_PASS)


cdef inline int state_after_pass(Context* c, int state) noexcept nogil:
    if Context is Standard:
        return FRESH
    else:
        if not c.s.flags & SKIP:
            return FRESH
        if state == AFTER_PASS and not c.s.flags & FULL:
            return ENDED
        return AFTER_PASS


cdef inline void visit(Search* s, int n) noexcept nogil:
    """Count the position that a placement on one of n empty squares leads to: a full board is only valued."""
    s.leaf.nodes += n > 1


cdef inline bint is_standard(Search* s) noexcept nogil:
    return s.leaf.mask == ~<u64>0 and s.flags & (CAPTURE | SKIP | MISERE | DISCS_ONLY) == CAPTURE


ctypedef bint (*Stopper)() noexcept nogil  # whether what runs is to end

cdef struct Batch:
    # Many positions, one array for each part.
    Py_ssize_t count
    const u64* black
    const u64* white
    const uint8_t* to_move  # 0 Black, 1 White
    const uint8_t* state

# One instruction-set level's entry points, called once per question.
cdef struct Kernel:
    size_t search_size  # of the Search struct it was compiled with: builds of different sources must not meet
    u64 (*captures)(u64 p, u64 o) noexcept nogil
    u64 (*flips)(u64 p, u64 o, int square) noexcept nogil
    u64 (*count_leaves)(Search* s, u64 p, u64 o, int state, int depth, bint count_passes, Stopper stops) noexcept nogil
    int (*value_at)(Search* s, u64 p, u64 o, int state, int alpha, int beta, int depth, int level) noexcept nogil
    int (*child_value)(Search* s, u64 p, u64 o, int state, int move, int alpha, int beta, int depth, int level) noexcept nogil
    int (*root_value)(Search* s, u64 p, u64 o, int state, int alpha, int beta, int depth, int level, int* moves, int count) noexcept nogil
    void (*help)(Search* s, void* pool) noexcept nogil
    int (*order_root)(Search* s, u64 p, u64 o, int state, int depth, int* moves) noexcept nogil
    int (*recall)(Search* s, u64 p, u64 o, int state) noexcept nogil
    int (*evaluate)(Search* s, u64 p, u64 o) noexcept nogil
    int (*midgame_value)(Search* s, u64 p, u64 o, int alpha, int beta, int depth) noexcept nogil
    int (*child_scores)(Search* s, u64 p, u64 o, int* squares, int* values) noexcept nogil
    int (*play_on)(Search* s, u64* p, u64* o, int until, int tail, int random_share, int noise, u64* seed) noexcept nogil
    void (*many_legal)(Search* s, const Batch* b, u64* placements, uint8_t* can_pass) noexcept nogil
    Py_ssize_t (*many_play)(Search* s, const Batch* b, const uint8_t* moves, u64* black, u64* white, uint8_t* to_move, uint8_t* state) noexcept nogil
    void (*many_random_games)(Search* s, const Batch* b, int games, u64 seed, int8_t* out) noexcept nogil
    void (*many_evaluate)(Search* s, const Batch* b, int16_t* out) noexcept nogil
    Py_ssize_t (*many_solve)(Search* s, const Batch* b, int8_t* out) noexcept nogil
    void (*many_expand)(const u64* bits, Py_ssize_t n, int rows, int columns, int size, u64 one, Py_ssize_t first, Py_ssize_t position, Py_ssize_t cell, void* out) noexcept nogil
