# The search of the upper tree: the learned evaluation sorts, selective levels prune, idle threads help.
#
# `depth` counts placements; with depth == n the game is searched to its end, and below UPPER_FROM the exact search of
# exact.pxi takes over. With depth < n leaves are evaluated: by the learned evaluation where there is one (the standard
# game with weights), else by the plain one. Values are discs.
# `level` is EXACT or the number of a margin: below EXACT a shallow search may prune (ProbCut).

from libc.math cimport exp, sqrt

cdef enum:
    UPPER_FROM = 14       # from this number of empty squares on
    SPLIT_FROM = 8       # from this depth on, a node may be shared; every one whose search goes to the end of the game
    PROBCUT_FROM = 4     # from this depth on, a selective level may prune

# The margins of the selective levels, in standard deviations (see error_of), and EXACT. Chosen by the nodes of the
# whole solve: these levels prepare proofs, and no percentage is claimed for them.
cdef double* MARGIN = [0.72, 0.98, 1.3, 1.56, 1.76, 2.15, 99.0, 99.0]


# The level of the pass that goes before the proof of a null window, by the number of empty squares; from PASS_FROM on.
cdef enum:
    PASS_FROM = 16

cdef inline int pass_level(int n) noexcept nogil:
    return 0 if n < 19 else 2 if n < 22 else 4 if n < 26 else 5


cdef float ERRORS[64][64]  # [empty squares][depth], see error_of


cdef inline int shallow_depth(int depth) noexcept nogil:
    """How deep the search looks that may prune one of `depth`: about half as deep, and as even or odd."""
    cdef int shallow = 2 * (depth // 4) + (depth & 1)
    return shallow - 2 if shallow >= depth else shallow


cdef double error_of(int n, int depth, int shallow) noexcept:
    """The standard deviation, in discs, of the value at `depth` around the value at `shallow`, with n empty squares.

    The formulas are fitted by `python -m training probcut`; training/README.md has what they were fitted to.
    """
    if depth == n:
        return exp(0.578 - 0.1297 * n + 0.0492 * shallow + 0.887 * sqrt(n - shallow))
    return exp(1.7389 - 0.0239 * n + 0.0376 * depth - 0.1287 * shallow + 0.1061 * sqrt(depth - shallow))


cdef void init_errors() noexcept:
    cdef int n, depth
    for n in range(64):
        for depth in range(1, n + 1):
            ERRORS[n][depth] = error_of(n, depth, max(shallow_depth(depth), 0))


cdef inline int rounded(int value) noexcept nogil:
    """1/128 disc to discs."""
    return (value + 64) >> 7


cdef inline bint prune(Standard* c, Eval* e, u64 p, u64 o, int alpha, int n, int depth, int level, int parity,
                       int* value) noexcept nogil:
    """Whether a shallow search says with the level's margin that a null window above alpha fails, and how."""
    cdef int shallow = shallow_depth(depth), margin, bound
    margin = <int>(MARGIN[level] * ERRORS[n][depth] + 0.5)
    bound = alpha + 1 + margin
    if bound <= 64:
        if upper_tree(c, e, p, o, bound - 1, bound, n, shallow, level, parity, FRESH) >= bound and not c.s.stop_seen:
            value[0] = alpha + 1
            return True
    bound = alpha - margin
    if bound >= -64 and not c.s.stop_seen:
        if upper_tree(c, e, p, o, bound, bound + 1, n, shallow, level, parity, FRESH) <= bound and not c.s.stop_seen:
            value[0] = alpha
            return True
    return False


cdef int best_child(Standard* c, Eval* e, u64 p, u64 o, u64 moves, int beta, int n) noexcept nogil:
    """The value at depth 1, up to beta: the best evaluation of what follows. Cheaper than asking the table."""
    cdef u64 flips[65]
    cdef u64 replies[65]
    cdef int squares[65]
    cdef int keys[65]
    cdef Eval child
    cdef u64 mine, theirs
    cdef int count = expand(c, p, o, moves, flips, replies), i, j, k, key, mobility, value, best = LOST
    for i in range(count):
        squares[i] = rv_first(moves)
        moves &= moves - 1
        keys[i] = reply_key(replies[i], i)
    for k in range(count):
        key = keys[0]
        for j in range(1, count):
            key = keys[j] if keys[j] > key else key
        i = 63 - (key & 63)
        keys[i] = TAKEN
        mine = p ^ flips[i] ^ rv_bit(squares[i])
        theirs = o ^ flips[i]
        visit(&c.s, n)
        mobility = rv_count(rv_captures(mine, theirs))
        if mobility == 0 and replies[i] == 0:
            value = -score_final(c, theirs, mine)
        else:
            eval_play(e, &child, squares[i], flips[i])
            value = -rounded(eval_value(&child, c.s.weights, n - 1, rv_count(replies[i]), mobility))
        if value > best:
            best = value
            if value >= beta:
                return value
    return best


cdef inline bint expects_all(Standard* c, Eval* e, u64 p, u64 o, int alpha, int n, const Found* found) noexcept nogil:
    """Whether all moves will probably fail in a null window above alpha, by an earlier pass or by the evaluation."""
    if found.depth >= n:
        if found.upper <= alpha:
            return True
        if found.lower > alpha:
            return False
    return rounded(eval_score(&c.s, e, p, o, n)) <= alpha - HOPELESS


cdef int upper_tree(Context* c, Eval* e, u64 p, u64 o, int alpha, int beta, int n, int depth, int level, int parity,
              int state) noexcept nogil:
    """The value of a position within (alpha, beta), fail-soft. Meaningless once stop_seen is set.

    `e` holds the evaluation's indices, NULL where there is none. `state` is that of the rules with optional skips;
    without them it is AFTER_PASS after a forced pass and says nothing.
    """
    cdef u64 moves, before, began, key_p
    cdef Found found
    cdef Found child
    cdef Candidate list[64]
    cdef Eval next_eval
    cdef Eval* next_e = NULL
    cdef Split split
    cdef int count, i, value, best = LOST, best_move = NO_MOVE, low, square
    cdef int alone = 1  # moves that are searched before the others are sorted, and before threads share those
    cdef bint skips = False
    if depth == n and n < UPPER_FROM:
        if Context is not Standard:
            if c.s.leaf.flags & SKIP:
                return exact_skips(c, p, o, alpha, beta, n, state)
        return exact_search(c, p, o, alpha, beta, n, parity, state == AFTER_PASS)
    if Context is Standard:
        if depth <= 0 and e != NULL:
            return rounded(eval_score(&c.s, e, p, o, n))
    stat_enter(STAT_DEEP, n)
    if stopped(&c.s):
        return 0
    if Context is not Standard:
        skips = c.s.leaf.flags & SKIP
        if skips and state == ENDED:
            return score_final(c, p, o)
    moves = placements(c, p, o)
    if moves == 0 and placements(c, o, p) == 0:
        return score_final(c, p, o)
    if depth <= 0:
        return plain_value(c, p, o, n)
    if moves == 0:
        if Context is Standard:
            if e != NULL:
                eval_pass(e, &next_eval)
                next_e = &next_eval
        return -upper_tree(c, next_e, o, p, -beta, -alpha, n, depth, level, parity,
                     state_after_pass(c, state) if skips else AFTER_PASS)
    if beta == alpha + 1 and not skips:
        value = stability_bound(c, p, o, alpha, n)
        if value <= alpha:
            return value
    if Context is Standard:
        if depth == 1 and depth < n and e != NULL:
            return best_child(c, e, p, o, moves, beta, n)
    key_p = ~p if skips and state == AFTER_PASS else p
    found.move = found.second = NO_MOVE
    found.depth = -1
    if look_up(&c.s, key_p, o, &found):
        if found.depth >= depth and found.level >= level:
            if found.lower >= beta or found.lower >= found.upper:  # selective bounds may cross
                return found.lower
            if found.upper <= alpha:
                return found.upper
            if found.lower > alpha:
                alpha = found.lower
            if found.upper < beta:
                beta = found.upper
    if Context is Standard:
        if level < EXACT and depth >= PROBCUT_FROM and beta == alpha + 1 and e != NULL:
            if prune(c, e, p, o, alpha, n, depth, level, parity, &value):
                return value
            stat_back(STAT_DEEP, n)
            if c.s.stop_seen:
                return 0
    before = c.s.leaf.nodes
    if Context is Standard:
        # a position that the passes over the whole tree have pruned away gets a pass of its own: it finds the move to try
        if level == EXACT and n >= PASS_FROM and depth == n and beta == alpha + 1 and e != NULL:
            i = pass_level(n)
            if found.move == NO_MOVE or found.depth < n or found.level < i:
                upper_tree(c, e, p, o, alpha, beta, n, depth, i, parity, state)
                stat_back(STAT_DEEP, n)
                if c.s.stop_seen:
                    return 0
                look_up(&c.s, key_p, o, &found)
    low = alpha
    if skips and may_pass(c, True, state):
        # a skip needs no sorting: it is one move, tried first where it was best before, else last
        if found.move == PASS_MOVE or (c.s.leaf.flags & MISERE and found.move == NO_MOVE):
            best = -upper_tree(c, NULL, o, p, -beta, -low, n, depth, level, parity, state_after_pass(c, state))
            best_move = PASS_MOVE
            skips = False
            if best > low:
                low = best
    else:
        skips = False
    if Context is Standard:
        if e != NULL:
            count = rv_count(moves)
            list_moves(c, p, o, moves, found.move, list)
        else:
            count = collect(c, p, o, moves, n if depth > 4 else min(n, GLANCE_FROM - 1), parity, found.move,
                            found.second, list)
    else:
        count = collect(c, p, o, moves, n if depth > 4 else min(n, GLANCE_FROM - 1), parity, found.move, found.second,
                        list)
    for i in range(count if depth > 1 else 0):
        if look_up(&c.s, o ^ list[i].flips, p ^ list[i].flips ^ rv_bit(list[i].square), &child):
            if child.depth >= depth - 1 and child.level >= level and -child.upper >= beta:
                return -child.upper
    if Context is Standard:
        # the move that was best before is searched before the others are sorted
        if e != NULL and count > 1 and list[0].key != HASH_KEY:
            sort_learned(c, e, p, o, low, n, sorting_depth(n, depth), found.second, list, count)
            if c.s.stop_seen:
                return 0
    if Context is Standard:
        # idle threads need not wait for the first move where all will probably fail
        if c.s.pool != NULL and (<Pool*>c.s.pool).idle > 0 and depth == n and beta == alpha + 1 and e != NULL and count > 1:
            alone = not expects_all(c, e, p, o, alpha, n, &found)
    i = 0
    while i < count and low < beta:
        if Context is Standard:
            if i == alone and count > 2 and e != NULL and list[0].key == HASH_KEY:
                # it failed, or will: probably all do
                sort_learned(c, e, p, o, low, n, 0 if beta == alpha + 1 else sorting_depth(n, depth), found.second, list + 1,
                             count - 1)
                if c.s.stop_seen:
                    return 0
        if i >= alone and c.s.pool != NULL and (<Pool*>c.s.pool).idle > 0 and (depth == n or depth >= SPLIT_FROM):
            split.p = p
            split.o = o
            if e != NULL:
                split.e = e[0]
            split.low = low
            split.beta = beta
            split.n = n
            split.depth = depth
            split.level = level
            split.parity = parity
            split.state = state
            split.list = list
            split.count = count
            split.next = i
            split.best = best
            split.best_move = best_move
            split.helpers = 0
            split.cut = False
            share_node(c, &split)
            if c.s.stop_seen:
                return 0
            best = split.best
            best_move = split.best_move
            low = split.low
            break
        bring_best(list, i, count)
        square = list[i].square
        began = c.s.leaf.nodes
        if Context is Standard:
            if e != NULL:
                eval_play(e, &next_eval, square, list[i].flips)
                next_e = &next_eval
        visit(&c.s, n)
        if best == LOST or beta == low + 1:
            value = -upper_tree(c, next_e, o ^ list[i].flips, p ^ list[i].flips ^ rv_bit(square), -beta, -low, n - 1,
                          depth - 1, level, parity ^ 1 << ORDER.quadrant[square], FRESH)
        else:
            value = -upper_tree(c, next_e, o ^ list[i].flips, p ^ list[i].flips ^ rv_bit(square), -low - 1, -low, n - 1,
                          depth - 1, level, parity ^ 1 << ORDER.quadrant[square], FRESH)
            if low < value < beta and not c.s.stop_seen:
                value = -upper_tree(c, next_e, o ^ list[i].flips, p ^ list[i].flips ^ rv_bit(square), -beta, -value + 1,
                              n - 1, depth - 1, level, parity ^ 1 << ORDER.quadrant[square], FRESH)
        stat_back(STAT_DEEP, n)
        if c.s.stop_seen:
            return 0
        if value > best:
            best = value
            best_move = square
            if value > low:
                low = value
                if value >= beta:
                    stat_cut(STAT_DEEP, n, i, began - before, c.s.leaf.nodes - before)
        i += 1
    if skips and low < beta:
        value = -upper_tree(c, NULL, o, p, -beta, -low, n, depth, level, parity, state_after_pass(c, state))
        if value > best:
            best = value
            best_move = PASS_MOVE
        if c.s.stop_seen:
            return 0
    remember(&c.s, key_p, o, alpha, beta, best, best_move, cost_of(c.s.leaf.nodes - before), depth, level)
    return best
