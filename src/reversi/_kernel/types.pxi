# The kernel's declarations: bit operations, the last squares, the search state, the entry points.

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
        int flags

    Known* leaf_known "rv_leaf_known"(const Leaf* leaf, u64 p, u64 o)
    int leaf_parity "rv_leaf_parity"(const Leaf* leaf, u64 squares)
    int last_1 "rv_last_1"(int flags, int cells, u64 p, u64 o, int square)
    int last_2 "rv_last_2_any"(Leaf* leaf, u64 p, u64 o, int alpha, int a, int b)
    int last_3 "rv_last_3_any"(Leaf* leaf, u64 p, u64 o, int alpha, int a, int b, int c)
    int few_whole "rv_few_whole"(Leaf* leaf, u64 p, u64 o, u64 moves, int alpha, int n, int parity)
    int few_board "rv_few_board"(Leaf* leaf, u64 p, u64 o, u64 moves, int alpha, int n)

cdef extern from "_kernel/free_leaves.h" nogil:
    int few_free "rv_free"(Leaf* leaf, u64 p, u64 o, int alpha, int n)

cdef extern from "_kernel/evaluation.h" nogil:
    ctypedef struct WeightsView "rv_weights_t":
        const int16_t* stages

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
    int stop_seen
    Entry* table
    u64 clusters        # power of two
    Entry* near_table   # this thread's own small table (table.pxi), NULL for none
    int generation
    const WeightsView* weights  # the evaluation's, NULL when not loaded
    volatile int* stop  # set from outside to end the search
    u64 most_nodes      # the search that visits more is void, and ends soon; 0 for no limit
    void* pool          # the threads that may help (parallel.pxi), NULL for none
    void* split         # the innermost shared node this thread searches below
    # what the root has proved of the position so far
    bint whole          # whether the moves that the root searches are all of the position, or stand for all
    int lower
    int upper
    int proof           # a move that reaches lower, -1 for none yet
    int best            # the best move of the root search that runs, proved or likely, -1 for none yet
    int best_value      # what the root search that runs has found for it


cdef inline void visit(Search* s, int n) noexcept nogil:
    """Count the position that a placement on one of n empty squares leads to: a full board is only valued."""
    s.leaf.nodes += n > 1


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
    bint (*legal)(int flags, u64 mask, int state, u64 p, u64 o, u64* placements) noexcept nogil
    bint (*may_place)(int flags, u64 mask, int state, u64 p, u64 o, int square, u64* flips) noexcept nogil
    bint (*is_over)(int flags, u64 mask, int state, u64 p, u64 o) noexcept nogil
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
