# The depth-limited search with the learned evaluation, for the standard game. Values are in 1/128 disc.

cdef enum:
    MIDGAME_LOST = -127 * 128  # below every value

cdef struct Branch:
    # A placement and what it leads to, seen by the one who moves then.
    u64 p
    u64 o
    int square
    int key
    Eval e


cdef int midgame(Standard* c, const Eval* e, u64 p, u64 o, int alpha, int beta, int n, int depth, bint passed) noexcept nogil:
    """The value within (alpha, beta), fail-soft, looking `depth` placements ahead; exact when the game ends by then."""
    cdef Branch list[64]  # set-up positions have more placements than games reach
    cdef Branch* branch
    cdef Eval child
    cdef u64 moves, flips, empties = ~(p | o), mine, theirs
    cdef int count = 0, i, j, value, best = MIDGAME_LOST, square, low, high, replies, low_now = alpha
    cdef int order[64]
    if n <= depth:
        low = eval_exact_floor(alpha)
        high = eval_exact_ceiling(beta)
        if low < -65:
            low = -65
        if high > 65:
            high = 65
        return EVAL_DISC * exact_search(c, p, o, low, high, n, order_parity(&ORDER, empties), passed)
    stat_enter(STAT_SORT, n)
    if depth <= 0:
        return eval_score(&c.s, e, p, o, n)
    if depth >= 4 and stopped(&c.s):
        return 0
    moves = placements(c, p, o)
    if moves == 0:
        if passed or placements(c, o, p) == 0:
            return EVAL_DISC * score_final(c, p, o)
        eval_pass(e, &child)
        return -midgame(c, &child, o, p, -beta, -alpha, n, depth, True)
    if depth == 1:
        while moves:
            square = rv_first(moves)
            moves &= moves - 1
            flips = rv_flips(p, o, square)
            visit(&c.s, n)
            eval_play(e, &child, square, flips)
            value = -eval_score(&c.s, &child, o ^ flips, p ^ flips ^ rv_bit(square), n - 1)
            if value > best:
                best = value
                if value >= beta:
                    return value
        return best
    while moves:
        square = rv_first(moves)
        moves &= moves - 1
        flips = rv_flips(p, o, square)
        branch = &list[count]
        branch.square = square
        branch.p = o ^ flips
        branch.o = p ^ flips ^ rv_bit(square)
        eval_play(e, &branch.e, square, flips)
        mine = rv_captures(branch.p, branch.o)
        theirs = rv_captures(branch.o, branch.p)
        replies = rv_count(mine)
        branch.key = midgame_key(-eval_value(&branch.e, c.s.weights, n - 1, replies, rv_count(theirs)), replies)
        i = count
        while i > 0 and list[order[i - 1]].key < branch.key:
            order[i] = order[i - 1]
            i -= 1
        order[i] = count
        count += 1
    for i in range(count):
        branch = &list[order[i]]
        visit(&c.s, n)
        if i == 0 or beta == low_now + 1:
            value = -midgame(c, &branch.e, branch.p, branch.o, -beta, -low_now, n - 1, depth - 1, False)
        else:
            value = -midgame(c, &branch.e, branch.p, branch.o, -low_now - 1, -low_now, n - 1, depth - 1, False)
            if low_now < value < beta:
                value = -midgame(c, &branch.e, branch.p, branch.o, -beta, -value, n - 1, depth - 1, False)
        stat_back(STAT_SORT, n)
        if c.s.stop_seen:
            return 0
        if value > best:
            best = value
            if value > low_now:
                low_now = value
                if value >= beta:
                    break
    return best


cdef int midgame_value(Search* s, u64 p, u64 o, int alpha, int beta, int depth) noexcept nogil:
    """The value of any position of the standard game within (alpha, beta), in 1/128 disc; `stop_seen` makes it void."""
    cdef Eval e
    eval_set(&e, p, o)
    return midgame(<Standard*>s, &e, p, o, alpha, beta, rv_count(~(p | o)), depth, False)


cdef int child_scores(Search* s, u64 p, u64 o, int* squares, int* values) noexcept nogil:
    """Every placement with the evaluation of what follows, from the mover's view; their number."""
    cdef Eval e, child
    cdef u64 moves = rv_captures(p, o), flips
    cdef int count = 0, square, n = rv_count(~(p | o))
    eval_set(&e, p, o)
    while moves:
        square = rv_first(moves)
        moves &= moves - 1
        flips = rv_flips(p, o, square)
        eval_play(&e, &child, square, flips)
        squares[count] = square
        values[count] = -eval_score(s, &child, o ^ flips, p ^ flips ^ rv_bit(square), n - 1)
        count += 1
    return count


# --- positions to learn from ---

cdef inline u64 draw(u64* state) noexcept nogil:
    """The next number of an xorshift64* generator."""
    cdef u64 x = state[0]
    x ^= x >> 12
    x ^= x << 25
    x ^= x >> 27
    state[0] = x
    return x * <u64>0x2545f4914f6cdd1d


cdef inline int draw_below(u64* state, int n) noexcept nogil:
    return <int>((draw(state) >> 32) * <u64>n >> 32)


cdef int play_on(Search* s, u64* p, u64* o, int until, int tail, int random_share, int noise, u64* seed) noexcept nogil:
    """Play until `until` squares are empty: the last `tail` placements at random, of those before `random_share` in
    1024 at random, the others the best after one placement (by the evaluation, by mobility without weights) give or
    take `noise` in 1/128 disc. Whether that many empty squares were reached with the game going on."""
    cdef u64 moves, flips, mine, theirs
    cdef int n, count, i, value, best, square, chosen, m
    cdef Eval e, child
    while True:
        n = rv_count(~(p[0] | o[0]))
        moves = rv_captures(p[0], o[0])
        if moves == 0:
            if rv_captures(o[0], p[0]) == 0:
                return False
            if n <= until:
                return True
            mine = p[0]
            p[0] = o[0]
            o[0] = mine
            continue
        if n <= until:
            return True
        count = rv_count(moves)
        chosen = -1
        if n - until <= tail or draw_below(seed, 1024) < random_share:
            i = draw_below(seed, count)
            while i > 0:
                moves &= moves - 1
                i -= 1
            chosen = rv_first(moves)
        else:
            if s.weights != NULL:
                eval_set(&e, p[0], o[0])
            best = -1 << 30
            while moves:
                square = rv_first(moves)
                moves &= moves - 1
                flips = rv_flips(p[0], o[0], square)
                mine = p[0] ^ flips ^ rv_bit(square)
                theirs = o[0] ^ flips
                if s.weights != NULL:
                    eval_play(&e, &child, square, flips)
                    value = -eval_score(s, &child, theirs, mine, n - 1)
                else:
                    m = rv_count(rv_captures(mine, theirs)) - rv_count(rv_captures(theirs, mine))
                    value = 128 * (m + 8 * rv_count(mine & CORNERS) - rv_count(rv_neighbours(mine) & ~(mine | theirs)) // 2)
                value += draw_below(seed, 2 * noise + 1) - noise
                if value > best:
                    best = value
                    chosen = square
        flips = rv_flips(p[0], o[0], chosen)
        mine = p[0] ^ flips ^ rv_bit(chosen)
        p[0] = o[0] ^ flips
        o[0] = mine
