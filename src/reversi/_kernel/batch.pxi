# Many positions at once: legal moves, moves, random games and values, without a Python object for each.

cdef extern from "_kernel/batch.h" nogil:
    enum:
        BLOCK "RV_BLOCK"
    void rv_batch_sides(const u64* black, const u64* white, const uint8_t* to_move, int n, u64* p, u64* o)
    void rv_batch_placements(int flags, u64 mask, const u64* p, const u64* o, int n, u64* out)
    void rv_batch_init()
    int rv_nth(u64 bits, int n)
    void rv_batch_expand(const u64* bits, Py_ssize_t n, int rows, int columns, int size, u64 one, Py_ssize_t first,
                         Py_ssize_t position, Py_ssize_t cell, void* out)


cdef void many_legal(Search* s, const Batch* b, u64* placements, uint8_t* can_pass) noexcept nogil:
    """Write the placements of every position and, unless NULL, whether it allows a pass."""
    cdef Py_ssize_t at = 0, i
    cdef int n, flags = s.leaf.flags
    cdef u64 mask = s.leaf.mask
    cdef u64 p[BLOCK]
    cdef u64 o[BLOCK]
    while at < b.count:
        n = <int>min(<Py_ssize_t>BLOCK, b.count - at)
        rv_batch_sides(b.black + at, b.white + at, b.to_move + at, n, p, o)
        rv_batch_placements(flags, mask, p, o, n, placements + at)
        if rv_last_state(flags) == ENDED:
            for i in range(n):
                if b.state[at + i] == ENDED:
                    placements[at + i] = 0
        if can_pass != NULL:
            for i in range(n):
                can_pass[at + i] = rv_may_pass(flags, mask, b.state[at + i], p[i], o[i], placements[at + i])
        at += n


cdef Py_ssize_t many_play(Search* s, const Batch* b, const uint8_t* moves, u64* black, u64* white, uint8_t* to_move,
                           uint8_t* state) noexcept nogil:
    """Play one move in every position; return the number of the first illegal move, -1 if there is none.

    The outputs may be the inputs. Positions before an illegal move are written.
    """
    cdef Py_ssize_t i
    cdef u64 p, o, flips, placed, mask = s.leaf.mask
    cdef int square, st, flags = s.leaf.flags
    for i in range(b.count):
        square = moves[i]
        st = b.state[i]
        p = b.white[i] if b.to_move[i] else b.black[i]
        o = b.black[i] if b.to_move[i] else b.white[i]
        if square < 64:
            if not rv_may_place(flags, mask, st, p, o, square, &flips):
                return i
            o ^= flips
            p ^= flips | rv_bit(square)
            st = FRESH
        else:
            if square > 64 or not rv_legal(flags, mask, st, p, o, &placed):
                return i
            st = rv_after_pass(flags, st)
        black[i] = p if not b.to_move[i] else o
        white[i] = o if not b.to_move[i] else p
        to_move[i] = not b.to_move[i]
        state[i] = <uint8_t>st
    return -1


cdef inline u64 spread(u64 x) noexcept nogil:
    """The finishing step of SplitMix64 (Steele, Lea and Flood 2014)."""
    x = (x ^ x >> 30) * <u64>0xbf58476d1ce4e5b9
    x = (x ^ x >> 27) * <u64>0x94d049bb133111eb
    return x ^ x >> 31


cdef enum:
    GAMES = 64  # that run side by side: the processor works on one while another waits


cdef struct Playing:
    # random games side by side
    u64 p[GAMES]
    u64 o[GAMES]
    u64 moves[GAMES]
    u64 seed[GAMES]
    Py_ssize_t number[GAMES]
    int sign[GAMES]
    int state[GAMES]


cdef inline void move_game(Playing* g, int to, int source) noexcept nogil:
    g.p[to] = g.p[source]
    g.o[to] = g.o[source]
    g.moves[to] = g.moves[source]
    g.seed[to] = g.seed[source]
    g.number[to] = g.number[source]
    g.sign[to] = g.sign[source]
    g.state[to] = g.state[source]


cdef void random_games(Context* c, const Batch* b, int games, u64 seed, int8_t* out) noexcept nogil:
    cdef Playing g
    cdef Py_ssize_t next = 0, total = b.count * games, at
    cdef int n = 0, i, k, count, square
    cdef u64 flips, p, o
    cdef bint can_pass
    while True:
        while n < GAMES and next < total:
            at = next // games
            g.p[n] = b.white[at] if b.to_move[at] else b.black[at]
            g.o[n] = b.black[at] if b.to_move[at] else b.white[at]
            g.state[n] = b.state[at]
            g.seed[n] = seed + <u64>next
            g.number[n] = next
            g.sign[n] = 1
            n += 1
            next += 1
        if n == 0:
            return
        rv_batch_placements(flags_of(c), mask_of(c), g.p, g.o, n, g.moves)
        i = 0
        while i < n:
            p = g.p[i]
            o = g.o[i]
            can_pass = False
            if g.moves[i] == 0 or (Context is not Standard and g.state[i] == ENDED):
                if g.state[i] == ENDED or placements(c, o, p) == 0:
                    out[g.number[i]] = <int8_t>(g.sign[i] * score_final(c, p, o))
                    n -= 1
                    move_game(&g, i, n)
                    continue
                can_pass = True
            elif Context is not Standard:
                can_pass = may_pass(c, True, g.state[i])
            count = rv_count(g.moves[i])
            g.seed[i] += <u64>0x9e3779b97f4a7c15
            k = <int>(((spread(g.seed[i]) >> 32) * <u64>(count + can_pass)) >> 32)
            g.sign[i] = -g.sign[i]
            if k == count:
                g.state[i] = state_after_pass(c, g.state[i])
                g.p[i] = o
                g.o[i] = p
            else:
                square = rv_nth(g.moves[i], k)
                flips = rv_flips(p, o, square)
                g.p[i] = o ^ flips
                g.o[i] = p ^ flips ^ rv_bit(square)
                g.state[i] = FRESH
            i += 1


cdef void many_random_games(Search* s, const Batch* b, int games, u64 seed, int8_t* out) noexcept nogil:
    """Play `games` random games from every position, to its score for the mover.

    Game k of position i has the moves of Position.random_playout with Random(seed + i * games + k).
    """
    if is_standard(s):
        random_games(<Standard*>s, b, games, seed, out)
    elif s.leaf.flags & CAPTURE:
        random_games(<Masked*>s, b, games, seed, out)
    else:
        random_games(<Free*>s, b, games, seed, out)


cdef void many_evaluate(Search* s, const Batch* b, int16_t* out) noexcept nogil:
    """Write the evaluation of every position for its mover, in 1/128 disc, without a search."""
    cdef Py_ssize_t i
    for i in range(b.count):
        out[i] = <int16_t>evaluate(s, b.white[i] if b.to_move[i] else b.black[i],
                                   b.black[i] if b.to_move[i] else b.white[i])


cdef Py_ssize_t many_solve(Search* s, const Batch* b, int8_t* out) noexcept nogil:
    """Write the exact value of every position for its mover; return how many there are before a stop."""
    cdef Py_ssize_t i
    for i in range(b.count):
        out[i] = <int8_t>value_at(s, b.white[i] if b.to_move[i] else b.black[i],
                                  b.black[i] if b.to_move[i] else b.white[i], b.state[i], -64, 64, 64, EXACT)
        if s.stop_seen:
            return i
    return b.count
