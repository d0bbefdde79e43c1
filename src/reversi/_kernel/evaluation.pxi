# The learned evaluation of the standard game, for searches (evaluation.h has the patterns and the arithmetic).
#
#   Eval                                   the pattern indices of one position, 128 bytes, from its mover's view
#   eval_set(&e, p, o)                     from the board, ~40 ns
#   eval_play(&e, &child, square, flips)   after a placement; `child` is from the view of the one who moves then
#   eval_pass(&e, &child)                  after a pass
#   eval_value(&e, weights, n, m, t)       the value in 1/128 disc for the mover, when the numbers of placements of the
#                                          mover (m) and the opponent (t) are known; n empty squares
#   eval_score(s, &e, p, o, n)             the same, placements counted here; a finished game gives its score * 128
#   eval_exact_floor, eval_exact_ceiling   window bounds from 1/128 disc to discs
#
# `weights` is Search.weights, NULL when nothing is loaded, in which case none of eval_value and eval_score may be called.
# Values stay within +-EVAL_LIMIT (just under 64 discs); positions whose mover has to pass are evaluated like all others
# (they are among the training positions).

cdef extern from "_kernel/evaluation.h" nogil:
    enum:
        EVAL_PATTERNS "RV_EVAL_PATTERNS"
        EVAL_USED "RV_EVAL_USED"
        EVAL_LANES "RV_EVAL_LANES"
        EVAL_MOVES "RV_EVAL_MOVES"
        EVAL_STAGES "RV_EVAL_STAGES"
        EVAL_STAGE "RV_EVAL_STAGE"
        EVAL_MOBILITY "RV_EVAL_MOBILITY"
        EVAL_CONSTANT "RV_EVAL_CONSTANT"
        EVAL_DISC "RV_EVAL_DISC"
        EVAL_LIMIT "RV_EVAL_LIMIT"
        NET_WIDTH "RV_NET_WIDTH"
        WIDE_WIDTH "RV_WIDE_WIDTH"
        WIDE_UNITS "RV_WIDE_UNITS"
        WIDE_SECOND "RV_WIDE_SECOND"
        WEIGHTS_ALIGNMENT "RV_WEIGHTS_ALIGNMENT"
        PART_STAGES "RV_PART_STAGES"
        PART_NET "RV_PART_NET"
        PART_WIDE "RV_PART_WIDE"
        ALL_PARTS "RV_PARTS"

    ctypedef struct Eval "rv_eval_t":
        int16_t at[64]

    ctypedef struct Net "rv_net_t":
        pass

    ctypedef struct Wide "rv_wide_t":
        pass

    size_t rv_weights_size(int parts)
    size_t rv_weights_at(int parts, int part)
    const char* rv_weights_set(WeightsView* w, const void* at, int parts)

    ctypedef struct rv_eval_tables_t:
        uint8_t squares[64][10]
        uint8_t pattern[64]
        int first[14]
    rv_eval_tables_t rv_eval_tables
    const uint8_t rv_eval_squares[13][11]

    void eval_init "rv_eval_init"()
    int rv_eval_classes(int32_t* classes)
    int eval_stage "rv_eval_stage"(int n)
    void eval_set "rv_eval_set"(Eval* e, u64 p, u64 o)
    void eval_play "rv_eval_play"(const Eval* start, Eval* to, int square, u64 flips)
    void eval_pass "rv_eval_pass"(const Eval* start, Eval* to)
    int eval_value "rv_eval_value"(const Eval* e, const WeightsView* weights, int n, int mine, int theirs)


cdef inline int eval_score(Search* s, const Eval* e, u64 p, u64 o, int n) noexcept nogil:
    """The value of a position for its mover in 1/128 disc."""
    cdef int mine = rv_count(rv_captures(p, o)), theirs = rv_count(rv_captures(o, p))
    if mine == 0 and theirs == 0:
        return EVAL_DISC * score_final(<Standard*>s, p, o)
    return eval_value(e, s.weights, n, mine, theirs)


cdef inline int eval_exact_floor(int value) noexcept nogil:
    """The highest number of discs that is at most `value` (1/128 disc)."""
    return value >> 7


cdef inline int eval_exact_ceiling(int value) noexcept nogil:
    """The lowest number of discs that is at least `value` (1/128 disc)."""
    return (value + 127) >> 7


cdef int evaluate(Search* s, u64 p, u64 o) noexcept nogil:
    """The value of any position by the evaluation alone."""
    cdef Eval e
    eval_set(&e, p, o)
    return eval_score(s, &e, p, o, rv_count(~(p | o)))
