# The questions a search answers, under whichever context the rules need. `depth` and `level` as in upper.pxi; a search
# to the end of the game without weights, and under other rules than the standard ones, is always exact.

cdef inline int value_of(Context* c, u64 p, u64 o, int state, int alpha, int beta, int depth, int level) noexcept nogil:
    cdef u64 empties = empty_squares(c, p, o)
    cdef Eval e
    cdef Eval* at = NULL
    cdef int n = rv_count(empties), value
    if Context is Standard:
        if c.s.weights != NULL:
            eval_set(&e, p, o)
            at = &e
        state = FRESH
    if depth >= n:
        depth = n
        if at == NULL:
            level = EXACT
    elif level == EXACT:
        level = EXACT - 1  # what is not searched to its end proves nothing
    value = upper_tree(c, at, p, o, alpha, beta, n, depth, level, order_parity(&ORDER, empties), state)
    if c.s.most_nodes and c.s.leaf.nodes > c.s.most_nodes:
        c.s.stop_seen = True  # the last squares do not look at the limit
    return value


cdef int value_at(Search* s, u64 p, u64 o, int state, int alpha, int beta, int depth, int level) noexcept nogil:
    """The value of any position within (alpha, beta), fail-soft."""
    if is_standard(s):
        return value_of(<Standard*>s, p, o, state, alpha, beta, depth, level)
    if s.leaf.flags & CAPTURE:
        return value_of(<Masked*>s, p, o, state, alpha, beta, depth, level)
    return value_of(<Free*>s, p, o, state, alpha, beta, depth, level)


cdef inline int pass_state(Search* s, int state) noexcept nogil:
    if is_standard(s):
        return state_after_pass(<Standard*>s, state)
    return state_after_pass(<Masked*>s, state)


cdef int child_value(Search* s, u64 p, u64 o, int state, int move, int alpha, int beta, int depth, int level) noexcept nogil:
    """The value of a legal move, from the mover's view."""
    cdef u64 flips
    if move == PASS_MOVE:
        return -value_at(s, o, p, pass_state(s, state), -beta, -alpha, depth, level)
    flips = rv_flips(p, o, move)
    visit(s, rv_count(s.leaf.mask & ~(p | o)))
    return -value_at(s, o ^ flips, p ^ flips ^ rv_bit(move), FRESH, -beta, -alpha, depth - 1, level)


cdef int root_value(Search* s, u64 p, u64 o, int state, int alpha, int beta, int depth, int level, int* moves,
                    int count) noexcept nogil:
    """The best of the given legal moves, in their order, within (alpha, beta); `s.best` is a move that reaches it.

    When the value of the position is sought exactly, `s.lower` and `s.upper` close in on it as it is proved. When the
    search is stopped they hold what was proved until then and the returned value means nothing.
    """
    cdef int i, value, best = LOST, low = alpha, held, held_value
    cdef bint proves = s.whole and level == EXACT and depth >= rv_count(s.leaf.mask & ~(p | o))
    for i in range(count):
        if i == 0:
            value = child_value(s, p, o, state, moves[i], low, beta, depth, level)
        else:
            value = child_value(s, p, o, state, moves[i], low, low + 1, depth, level)
            if low < value < beta and not s.stop_seen:
                held, held_value = s.best, s.best_value
                s.best, s.best_value = moves[i], value  # it is better, whether or not there is time to see by how much
                value = child_value(s, p, o, state, moves[i], value - 1, beta, depth, level)
                if value <= low and not s.stop_seen:  # searches that prune may contradict each other
                    s.best, s.best_value = held, held_value
        if s.stop_seen:
            return 0
        if value > best:
            best = value
            if value > low:
                low = value
                s.best = moves[i]
                s.best_value = value
                if proves and value > s.lower:
                    s.lower = value
                    s.proof = moves[i]
                if value >= beta:
                    return best
    if proves and best < s.upper:
        s.upper = best
    return best


cdef int recall(Search* s, u64 p, u64 o, int state) noexcept nogil:
    """The move that the table holds for the best, NO_MOVE when it knows none."""
    cdef Found found
    if look_up(s, ~p if state == AFTER_PASS else p, o, &found):
        return found.move
    return NO_MOVE


cdef int order_root(Search* s, u64 p, u64 o, int state, int depth, int* moves) noexcept nogil:
    """The legal moves of a game that is not over, promising ones first; their number.

    The deeper the search that they are for, the more the order may cost.
    """
    cdef Candidate list[64]
    cdef u64 placed
    cdef int count, i, n = rv_count(s.leaf.mask & ~(p | o)), parity = order_parity(&ORDER, s.leaf.mask & ~(p | o))
    cdef Found found
    cdef Eval e
    found.move = found.second = NO_MOVE
    look_up(s, ~p if state == AFTER_PASS else p, o, &found)
    if is_standard(s):
        placed = placements(<Standard*>s, p, o)
        if s.weights != NULL:
            eval_set(&e, p, o)
            list_moves(<Standard*>s, p, o, placed, found.move, list)
            sort_learned(<Standard*>s, &e, p, o, -64, n, sorting_depth(n, min(n, depth)), found.second, list,
                         rv_count(placed))
            count = rv_count(placed)
        else:
            count = collect(<Standard*>s, p, o, placed, n, parity, found.move, found.second, list)
    elif s.leaf.flags & CAPTURE:
        placed = placements(<Masked*>s, p, o)
        count = collect(<Masked*>s, p, o, placed, n, parity, found.move, found.second, list)
    else:
        placed = placements(<Free*>s, p, o)
        count = collect(<Free*>s, p, o, placed, n, parity, found.move, found.second, list)
    for i in range(count):
        bring_best(list, i, count)
        moves[i] = list[i].square
    if may_pass(<Masked*>s, count > 0, state):
        moves[count] = PASS_MOVE
        count += 1
    return count
