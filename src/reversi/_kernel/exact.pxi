# Exact search above the last squares: null-window and principal-variation search with the table.

# The borders were chosen by node counts and time on hard-20 and FFO #20 to #48 (benchmarks/solver-log.md).
cdef enum:
    NEAR_TO = 11       # up to this number, positions are remembered in the near table
    ETC_FROM = 10      # from this number on, children are looked up before they are searched
    ETC_FREE = 9       # the same under free placement
    STOP_FROM = 10     # from this number on, the stop flag is looked at

cdef inline int stability_threshold(int n) noexcept nogil:
    """Above this alpha, with n empty squares, stable discs are worth counting."""
    return 3 * n - 14 if n < 24 else 64


cdef inline int last_squares(Context* c) noexcept nogil:
    if Context is Free:
        return LAST_FREE
    else:
        return LAST


cdef inline int few_squares(Context* c) noexcept nogil:
    if Context is Free:
        return FEW_FREE
    else:
        return FEW


cdef inline int etc_from(Context* c) noexcept nogil:
    if Context is Free:
        return ETC_FREE
    else:
        return ETC_FROM


cdef inline int stability_bound(Context* c, u64 p, u64 o, int alpha, int n) noexcept nogil:
    """An upper bound of the value from discs that never turn again, or above alpha when it is not worth counting.

    The edge tables' placements need not capture, so they hold for free placement too.
    """
    cdef u64 firm
    if Context is Standard:
        # no more discs are stable than there are
        if alpha >= stability_threshold(n) and 64 - 2 * rv_count(o) <= alpha:
            return 64 - 2 * rv_count(rv_stable(o, p))
    else:
        if alpha >= stability_threshold(n) - 64 + c.s.leaf.cells:
            # under misère the mover's own stable discs are what hurts
            if c.s.leaf.flags & MISERE:
                firm = stable_discs(c, p, o)
            else:
                firm = stable_discs(c, o, p)
            return c.s.leaf.cells - 2 * rv_count(firm)
    return 127


cdef inline u64 stable_discs(Context* c, u64 p, u64 o) noexcept nogil:
    if Context is Standard:
        return rv_stable(p, o)
    else:
        if c.s.leaf.mask == ~<u64>0:
            return rv_stable(p, o)
        return rv_stable_small(p, o, c.s.leaf.rows, c.s.leaf.columns)


cdef inline u64 stable_edges(Context* c, u64 p, u64 o) noexcept nogil:
    if Context is Standard:
        return rv_stable_edges(p, o)
    else:
        return rv_stable_edges_small(p, o, c.s.leaf.rows, c.s.leaf.columns)


cdef inline bint is_near(Context* c, int n) noexcept nogil:
    """Whether a position with n empty squares is remembered in the thread's own table."""
    if Context is Standard:
        return n <= NEAR_TO and c.s.near_table != NULL
    else:
        return False


cdef inline bint look_up_for(Context* c, u64 p, u64 o, int n, Found* found) noexcept nogil:
    """look_up or look_near, whichever has positions with n empty squares."""
    return look_near(&c.s, p, o, found) if is_near(c, n) else look_up(&c.s, p, o, found)


cdef inline int exact_search(Context* c, u64 p, u64 o, int alpha, int beta, int n, int parity, bint passed) noexcept nogil:
    """The value of a position within (alpha, beta), fail-soft. Meaningless once stop_seen is set."""
    return exact_moves(c, p, o, placements(c, p, o), alpha, beta, n, parity)


cdef int exact_moves(Context* c, u64 p, u64 o, u64 moves, int alpha, int beta, int n, int parity) noexcept nogil:
    """search, when the placements are known."""
    cdef u64 before, began, mine, theirs
    cdef Candidate* move
    cdef Found found
    cdef Found child
    cdef Known* known
    cdef Candidate list[64]
    cdef int count, i, value, best = LOST, best_move = NO_MOVE, bound, low = alpha, hash_move = NO_MOVE, second = NO_MOVE
    if n <= few_squares(c) and beta == alpha + 1:
        return leaf(c, p, o, moves, alpha, n, parity)
    if n == 0:
        return score_final(c, p, o)
    stat_enter(STAT_END, n)
    if n >= STOP_FROM and stopped(&c.s):
        return 0
    if beta == alpha + 1:
        bound = stability_bound(c, p, o, alpha, n)
        if bound <= alpha:
            return bound
    if moves == 0:
        moves = placements(c, o, p)
        if moves == 0:
            return score_final(c, p, o)
        return -exact_moves(c, o, p, moves, -beta, -alpha, n, parity)
    if look_up_for(c, p, o, n, &found):
        if found.level == EXACT:  # selective values answer nothing here
            if found.lower >= beta or found.lower == found.upper:
                return found.lower
            if found.upper <= alpha:
                return found.upper
            if found.lower > alpha:
                alpha = found.lower
            if found.upper < beta:
                beta = found.upper
        hash_move = found.move
        second = found.second
        low = alpha
    before = c.s.leaf.nodes
    count = collect(c, p, o, moves, n, parity, hash_move, second, list)
    if n - 1 <= few_squares(c) and c.s.leaf.known != NULL:
        for i in range(count):
            known = leaf_known(&c.s.leaf, o ^ list[i].flips, p ^ list[i].flips ^ rv_bit(list[i].square))
            if known.first == o ^ list[i].flips and known.second == p ^ list[i].flips ^ rv_bit(list[i].square):
                if -known.upper >= beta:
                    return -known.upper
    elif n >= etc_from(c):
        for i in range(count):
            if look_up_for(c, o ^ list[i].flips, p ^ list[i].flips ^ rv_bit(list[i].square), n - 1, &child):
                if -child.upper >= beta and child.level == EXACT:
                    return -child.upper
    for i in range(count):
        move = take_best(list, count)
        mine = p ^ move.flips ^ rv_bit(move.square)
        theirs = o ^ move.flips
        began = c.s.leaf.nodes
        visit(&c.s, n)
        if i == 0 or beta == low + 1:
            value = -exact_moves(c, theirs, mine, move.replies, -beta, -low, n - 1, parity ^ 1 << ORDER.quadrant[move.square])
        else:
            value = -exact_moves(c, theirs, mine, move.replies, -low - 1, -low, n - 1, parity ^ 1 << ORDER.quadrant[move.square])
            if low < value < beta:
                value = -exact_moves(c, theirs, mine, move.replies, -beta, -value + 1, n - 1,
                                      parity ^ 1 << ORDER.quadrant[move.square])
        stat_back(STAT_END, n)
        if c.s.stop_seen:
            return 0
        if value > best:
            best = value
            best_move = move.square
            if value > low:
                low = value
                if value >= beta:
                    stat_cut(STAT_END, n, i, began - before, c.s.leaf.nodes - before)
                    break
    if is_near(c, n):
        remember_near(&c.s, p, o, alpha, beta, best, best_move, n)
    else:
        remember(&c.s, p, o, alpha, beta, best, best_move, cost_of(c.s.leaf.nodes - before), n, EXACT)
    return best


cdef inline int leaf(Context* c, u64 p, u64 o, u64 moves, int alpha, int n, int parity) noexcept nogil:
    """A null window with at most FEW empty squares."""
    if Context is Free:
        if n >= 2 and not c.s.leaf.flags & MISERE:
            return few_free(&c.s.leaf, p, o, alpha, n)
    if n > last_squares(c):
        if Context is Standard:
            return few_whole(&c.s.leaf, p, o, moves, alpha, n, parity)
        else:
            if Context is Masked:
                if not c.s.leaf.flags & (MISERE | DISCS_ONLY):
                    return few_board(&c.s.leaf, p, o, moves, alpha, n)
            return sorted_few(c, p, o, moves, alpha, n, parity)
    if n >= 2:
        stat_enter(STAT_END, n)
        return last_few(c, p, o, alpha, empty_squares(c, p, o), n, parity, False)
    if n == 1:
        return last_1(flags_of(c), c.s.leaf.cells, p, o, rv_first(empty_squares(c, p, o)))
    return score_final(c, p, o)


cdef inline void note_known(Known* known, u64 p, u64 o, int lower, int upper) noexcept nogil:
    """Remember a position with few empty squares, where there is a table."""
    if known != NULL:
        known.first = p
        known.second = o
        known.lower = lower
        known.upper = upper


cdef int sorted_few(Context* c, u64 p, u64 o, u64 moves, int alpha, int n, int parity) noexcept nogil:
    """A null window above alpha with few empty squares: moves sorted by the replies they leave.

    The standard rules and those like them on other boards have their own in leaves.h.
    """
    cdef u64 flips[FEW + 1]
    cdef u64 replies[FEW + 1]
    cdef int squares[FEW + 1]
    cdef int keys[FEW + 1]
    cdef u64 mine, theirs
    cdef u64 before = c.s.leaf.nodes, began
    cdef Known* known = NULL
    cdef int count, square, i, j, k, key, value, best
    stat_enter(STAT_END, n)
    best = stability_bound(c, p, o, alpha, n)
    if best <= alpha:
        return best
    if moves == 0:
        moves = placements(c, o, p)
        if moves == 0:
            return score_final(c, p, o)
        return -sorted_few(c, o, p, moves, -alpha - 1, n, parity)
    if c.s.leaf.known != NULL:
        known = leaf_known(&c.s.leaf, p, o)
        if known.first == p and known.second == o:
            if known.lower > alpha:
                return known.lower
            if known.upper <= alpha:
                return known.upper
    count = expand(c, p, o, moves, flips, replies)
    for i in range(count):
        square = rv_first(moves)
        moves &= moves - 1
        squares[i] = square
        keys[i] = few_key(c, p, o, flips[i], replies[i], square, parity, i)
    best = LOST
    n -= 1
    for k in range(count):
        key = keys[0]
        for j in range(1, count):
            key = keys[j] if keys[j] > key else key
        i = few_number(key)
        keys[i] = TAKEN
        square = squares[i]
        mine = p ^ flips[i] ^ rv_bit(square)
        theirs = o ^ flips[i]
        began = c.s.leaf.nodes
        c.s.leaf.nodes += 1
        if n <= last_squares(c):
            stat_enter(STAT_END, n)
            value = -last_few(c, theirs, mine, -alpha - 1, empty_squares(c, theirs, mine), n, parity ^ 1 << ORDER.quadrant[square], False)
        else:
            value = -sorted_few(c, theirs, mine, replies[i], -alpha - 1, n, parity ^ 1 << ORDER.quadrant[square])
        stat_back(STAT_END, n + 1)
        if value > best:
            best = value
            if value > alpha:
                stat_cut(STAT_END, n + 1, k, began - before, c.s.leaf.nodes - before)
                note_known(known, p, o, value, 127)
                return value
    note_known(known, p, o, -127, best)
    return best


cdef int exact_skips(Context* c, u64 p, u64 o, int alpha, int beta, int n, int state) noexcept nogil:
    """The general search, for rules with optional skips. A position after a pass has its own table entry."""
    cdef u64 moves, before, key
    cdef Found found
    cdef Candidate list[64]
    cdef int count, i, value, best = LOST, best_move = NO_MOVE, hash_move = NO_MOVE, second = NO_MOVE, low
    cdef bint skip
    if state == ENDED:
        return score_final(c, p, o)
    if n >= 6 and stopped(&c.s):
        return 0
    moves = placements(c, p, o)
    if moves == 0:
        if placements(c, o, p) == 0:
            return score_final(c, p, o)
        return -exact_skips(c, o, p, -beta, -alpha, n, state_after_pass(c, state))
    key = ~p if state == AFTER_PASS else p
    if n >= 3 and look_up(&c.s, key, o, &found):
        if found.level == EXACT:  # what a search of limited depth left answers nothing here
            if found.lower >= beta or found.lower == found.upper:
                return found.lower
            if found.upper <= alpha:
                return found.upper
            if found.lower > alpha:
                alpha = found.lower
            if found.upper < beta:
                beta = found.upper
        hash_move = found.move
        second = found.second
    low = alpha
    before = c.s.leaf.nodes
    skip = may_pass(c, True, state)
    if skip and (n < 3 or hash_move == PASS_MOVE or (c.s.leaf.flags & MISERE and hash_move == NO_MOVE)):
        best = -exact_skips(c, o, p, -beta, -low, n, state_after_pass(c, state))
        best_move = PASS_MOVE
        skip = False
        if best > low:
            low = best
    if low < beta:
        count = collect(c, p, o, moves, n, order_parity(&ORDER, c.s.leaf.mask & ~(p | o)), hash_move, second, list)
        for i in range(count):
            bring_best(list, i, count)
            visit(&c.s, n)
            value = -exact_skips(c, o ^ list[i].flips, p ^ list[i].flips ^ rv_bit(list[i].square), -beta, -low, n - 1,
                                  FRESH)
            if value > best:
                best = value
                best_move = list[i].square
                if value > low:
                    low = value
                    if value >= beta:
                        break
    if skip and low < beta:
        value = -exact_skips(c, o, p, -beta, -low, n, state_after_pass(c, state))
        if value > best:
            best = value
            best_move = PASS_MOVE
    if c.s.stop_seen:
        return 0
    if n >= 3:
        remember(&c.s, key, o, alpha, beta, best, best_move, cost_of(c.s.leaf.nodes - before), n, EXACT)
    return best
