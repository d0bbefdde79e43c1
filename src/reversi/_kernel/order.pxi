# The order of moves: which move is tried first, at every number of empty squares.
#
#   empty squares   to the end of the game                                       where
#   2 to 4          squares of odd quadrants first                               rv_order_odd, order_three (order.h)
#   5 to 10         the fewest replies, then odd quadrants and good squares      RV_ORDER_KEY (order.h), few_key
#   11 to 13        replies, frontier, edges, squares                            collect
#   14 and more     the learned evaluation, after a search of a few placements   sort_learned
#                   or beside replies, frontier and edges                        glance
#                   without weights the best reply to each move, from 15 on      collect, best_reply
#
# From 11 on, the moves that were best in an earlier search come first. A window wider than one disc is sorted as with 11
# squares. Where a placement need not capture, discs that stay come first (free_key, RV_ORDER_FREE_KEY). A search of
# limited depth sorts by the evaluation after each move (midgame_key), with one placement left by replies (reply_key).

cdef extern from "_kernel/order.h" nogil:
    ctypedef struct Order "rv_order_t":
        u64 odd[16]
        u64 corners
        uint8_t quadrant[64]
        uint8_t key[16][64]
    Order ORDER "rv_order"
    void order_init "rv_order_init"()
    const Order* order_of "rv_order_of"(int rows, int columns)
    int order_parity "rv_order_parity"(const Order* order, u64 squares)
    u64 order_odd "rv_order_odd"(const Order* order, u64 squares, int parity)
    void order_three "rv_order_three"(const Order* order, u64 squares, int parity, int* a, int* b, int* c)

cdef enum:
    LAST = 4           # up to this number of empty squares: odd quadrants first, nothing else
    LAST_FREE = 5      # the same under free placement
    FEW = 10           # up to this number: sorted by replies
    FEW_FREE = 7
    GLANCE_FROM = 15   # from this number on, moves are sorted by the best reply to them
    GLANCE_MISERE = 12 # the same under misère
    # in the order of moves, in 1/128 disc (chosen by the nodes of 40 positions of hard-20 and FFO #45 to #48)
    SORT_REPLY = 250     # what a reply of the opponent's costs a move that a search has valued
    GLANCE_REPLY = 450   # the same where the evaluation alone has
    GLANCE_FRONTIER = 50 # what an empty square beside the mover's discs costs there
    GLANCE_EDGE = 40     # what a disc stable on its edge is worth there
    GLANCE_FEW = 1500    # a move that is this much worse by these terms alone comes last, without an evaluation
    GLANCE_LAST = 1 << 20
    HOPELESS = 3         # this many discs below alpha by the evaluation: moves are sorted without a search
    MIDGAME_REPLY = 40   # what an opponent's reply costs in a search of limited depth

# keys of candidates
cdef enum:
    HASH_KEY = 1 << 22     # the best move of an earlier search
    SECOND_KEY = 1 << 21   # the one before it
    TAKEN = -(1 << 30)

cdef u64 CORNERS = 0x8100000000000081


cdef inline int count_moves(Context* c, u64 squares) noexcept nogil:
    """Squares, corners counted twice."""
    if Context is Standard:
        return rv_count_moves(squares)
    else:
        return rv_count(squares) + rv_count(squares & order_of(c.s.leaf.rows, c.s.leaf.columns).corners)


cdef inline int glance_from(Context* c) noexcept nogil:
    if Context is Standard:
        return GLANCE_FROM
    else:
        return GLANCE_MISERE if c.s.leaf.flags & MISERE else GLANCE_FROM


cdef inline int balance(u64 p, u64 o, u64 squares) noexcept nogil:
    return rv_count(p & squares) - rv_count(o & squares)


cdef inline int free_key(Context* c, u64 mine, u64 theirs, u64 flips, bint whole) noexcept nogil:
    """The key of a free placement: every empty square is a reply, so what counts are discs that stay."""
    cdef int key = rv_count(flips)
    if whole:
        key += 24 * rv_count(stable_discs(c, mine, theirs))
    else:
        key += 24 * rv_count(stable_edges(c, mine, theirs))
    return -key if c.s.leaf.flags & MISERE else key


cdef inline int worth(Context* c, u64 p, u64 o) noexcept nogil:
    """A rough value for sorting: mobility, potential mobility, stable edge discs."""
    cdef u64 empty = empty_squares(c, p, o), corners = CORNERS, mine, theirs
    if Context is not Standard:
        corners = order_of(c.s.leaf.rows, c.s.leaf.columns).corners
        if c.s.leaf.flags & MISERE:  # corners, and moves to them, are a burden
            mine = placements(c, p, o)
            theirs = placements(c, o, p)
            return (16 * balance(mine, theirs, ~<u64>0) - 10 * balance(mine, theirs, corners)
                    + 10 * balance(rv_neighbours(o), rv_neighbours(p), empty)
                    - 10 * balance(stable_edges(c, p, o), stable_edges(c, o, p), ~<u64>0)
                    - 38 * balance(p, o, corners) - 4 * balance(p, o, ~<u64>0))
    return (16 * (count_moves(c, placements(c, p, o)) - count_moves(c, placements(c, o, p)))
            + 6 * (rv_count(rv_neighbours(o) & empty) - rv_count(rv_neighbours(p) & empty))
            + (8 if Context is Standard else 24) * (rv_count(stable_edges(c, p, o)) - rv_count(stable_edges(c, o, p)))
            + 8 * (rv_count(p & corners) - rv_count(o & corners)))


cdef int best_reply(Context* c, u64 p, u64 o, u64 moves) noexcept nogil:
    """The highest worth after one of the moves, for the player who makes it."""
    cdef u64 flips
    cdef int square, value, best = -(1 << 20)
    if moves == 0:
        return worth(c, p, o)
    while moves:
        square = rv_first(moves)
        moves &= moves - 1
        flips = rv_flips(p, o, square)
        c.s.leaf.nodes += 1
        value = -worth(c, o ^ flips, p ^ flips ^ rv_bit(square))
        if value > best:
            best = value
    return best


cdef inline int expand(Context* c, u64 p, u64 o, u64 moves, u64* flips, u64* replies) noexcept nogil:
    """For each of the moves, from the lowest square on, what it turns and the replies it leaves; their number.

    One more of each may be written than there are moves.
    """
    cdef int count = 0, one, other
    if Context is Standard:
        while moves:
            one = rv_first(moves)
            moves &= moves - 1
            other = rv_first(moves) if moves else one
            rv_expand(p, o, one, other, flips + count, replies + count)
            count += 2 if moves else 1
            moves &= moves - 1
    else:
        while moves:
            one = rv_first(moves)
            moves &= moves - 1
            flips[count] = rv_flips(p, o, one)
            replies[count] = placements(c, o ^ flips[count], p ^ flips[count] ^ rv_bit(one))
            count += 1
    return count


cdef inline int few_key(Context* c, u64 p, u64 o, u64 flips, u64 replies, int square, int parity, int i) noexcept nogil:
    """The key of the i-th move with few empty squares, where leaves.h has none; few_number finds i again."""
    cdef int key = ORDER.key[parity][square]
    if Context is Free:
        key += free_key(c, p ^ flips ^ rv_bit(square), o ^ flips, flips, False)
    else:
        if c.s.leaf.flags & MISERE:
            key -= 3 * ORDER.key[0][square] + 16 * rv_count(replies)
        else:
            key -= 16 * rv_count_moves(replies)
    return key * 16 - i


cdef inline int few_number(int key) noexcept nogil:
    return -key & 15


cdef inline int collect(Context* c, u64 p, u64 o, u64 moves, int n, int parity, int hash_move, int second_move,
                        Candidate* list) noexcept nogil:
    """Fill the list with the placements in `moves` and their keys; the number of them."""
    cdef u64 flips[65]
    cdef u64 replies[65]
    cdef int count = expand(c, p, o, moves, flips, replies), i, square, key
    cdef u64 mine, theirs, odd
    cdef const Order* tables = &ORDER
    if Context is Standard:
        odd = tables.odd[parity]
    else:
        tables = order_of(c.s.leaf.rows, c.s.leaf.columns)
        odd = tables.odd[leaf_parity(&c.s.leaf, empty_squares(c, p, o))]
    for i in range(count):
        square = rv_first(moves)
        moves &= moves - 1
        mine = p ^ flips[i] ^ rv_bit(square)
        theirs = o ^ flips[i]
        if n > FEW + 1 and not is_near(c, n - 1):
            rv_prefetch(cluster_of(&c.s, theirs, mine))
        list[i].square = square
        list[i].flips = flips[i]
        list[i].replies = replies[i]
        if square == hash_move:
            key = HASH_KEY
        elif square == second_move:
            key = SECOND_KEY
        else:
            if Context is Free:
                key = tables.key[0][square] + free_key(c, mine, theirs, flips[i], True)
            elif n >= glance_from(c):
                c.s.leaf.nodes += 1
                key = -best_reply(c, theirs, mine, replies[i])
            else:
                key = 2 * tables.key[0][square] + (3 if Context is Standard else 24) * rv_count(stable_edges(c, mine, theirs))
                if c.s.leaf.flags & MISERE:
                    key = -key - 32 * rv_count(replies[i])
                else:
                    key -= 32 * count_moves(c, replies[i])
                key -= 6 * rv_count(rv_neighbours(mine) & empty_squares(c, mine, theirs))
            if odd >> square & 1:
                key += 8
        list[i].key = key_at(key, i)
    return count


cdef inline int key_at(int key, int i) noexcept nogil:
    """The key of the i-th candidate: no two are equal, and among equals the first comes first."""
    return key * 64 + 63 - i


cdef inline Candidate* take_best(Candidate* list, int count) noexcept nogil:
    """The candidate with the highest key that was not taken before."""
    cdef int i, key = list[0].key
    for i in range(1, count):
        key = list[i].key if list[i].key > key else key
    i = 63 - (key & 63)
    list[i].key = TAKEN
    return list + i


cdef inline void bring_best(Candidate* list, int at, int count) noexcept nogil:
    """Swap the candidate with the highest key of those from `at` on to `at`."""
    cdef int i, best = at
    cdef Candidate held
    for i in range(at + 1, count):
        if list[i].key > list[best].key:
            best = i
    if best != at:
        held = list[at]
        list[at] = list[best]
        list[best] = held


cdef inline int sorting_depth(int n, int depth) noexcept nogil:
    """How deep the search looks that sorts a node's moves."""
    cdef int look = (depth - 16) // 3 if depth == n else (depth - 7) // 3
    return 0 if look < 0 else 6 if look > 6 else look


cdef inline void list_moves(Standard* c, u64 p, u64 o, u64 moves, int first, Candidate* list) noexcept nogil:
    """Fill the list with the placements, `first` first where it is one of them, and fetch their table entries."""
    cdef u64 flips
    cdef int count = 0, square
    if first < 64 and moves >> first & 1:
        moves ^= rv_bit(first)
        flips = rv_flips(p, o, first)
        list[0].square = first
        list[0].flips = flips
        list[0].key = HASH_KEY
        rv_prefetch(cluster_of(&c.s, o ^ flips, p ^ flips ^ rv_bit(first)))
        count = 1
    while moves:
        square = rv_first(moves)
        moves &= moves - 1
        flips = rv_flips(p, o, square)
        list[count].square = square
        list[count].flips = flips
        list[count].key = 0
        rv_prefetch(cluster_of(&c.s, o ^ flips, p ^ flips ^ rv_bit(square)))
        count += 1


cdef void sort_learned(Standard* c, Eval* e, u64 p, u64 o, int alpha, int n, int look, int second, Candidate* list,
                       int count) noexcept nogil:
    """Fill in the keys of a list, from the evaluation of what follows or a search `look` deep."""
    cdef Eval child
    cdef u64 mine, theirs, replies
    cdef int i, key
    if look > 0 and rounded(eval_score(&c.s, e, p, o, n)) < alpha - HOPELESS:
        look = 0
    if look == 0:
        glance(c, e, p, o, n, second, list, count)
        return
    for i in range(count):
        if list[i].key == HASH_KEY:
            continue
        if list[i].square == second:
            list[i].key = SECOND_KEY
            continue
        mine = p ^ list[i].flips ^ rv_bit(list[i].square)
        theirs = o ^ list[i].flips
        replies = rv_captures(theirs, mine)
        eval_play(e, &child, list[i].square, list[i].flips)
        visit(&c.s, n)
        key = -midgame(c, &child, theirs, mine, MIDGAME_LOST, -MIDGAME_LOST, n - 1, look, False)
        stat_back(STAT_DEEP, n)
        list[i].key = key - SORT_REPLY * rv_count_moves(replies)


cdef void glance(Standard* c, Eval* e, u64 p, u64 o, int n, int second, Candidate* list, int count) noexcept nogil:
    """Fill in the keys of a list from the evaluation alone, beside replies, frontier and edges.

    Only moves that are not much worse by these cheap terms are evaluated; the others come last.
    """
    cdef Eval child
    cdef u64 mine, theirs
    cdef int i, key, least = -(1 << 30)
    for i in range(count):
        if list[i].key == HASH_KEY:
            continue
        mine = p ^ list[i].flips ^ rv_bit(list[i].square)
        theirs = o ^ list[i].flips
        list[i].replies = rv_captures(theirs, mine)
        list[i].key = (GLANCE_EDGE * rv_count(rv_stable_edges(mine, theirs))
                       - GLANCE_FRONTIER * rv_count(rv_neighbours(mine) & ~(mine | theirs))
                       - GLANCE_REPLY * rv_count_moves(list[i].replies))
        least = max(least, list[i].key)
    least -= GLANCE_FEW
    for i in range(count):
        if list[i].key == HASH_KEY:
            continue
        if list[i].square == second:
            list[i].key = SECOND_KEY
        elif list[i].key < least:
            list[i].key -= GLANCE_LAST
        else:
            mine = p ^ list[i].flips ^ rv_bit(list[i].square)
            theirs = o ^ list[i].flips
            key = rv_count(rv_captures(mine, theirs))
            if key == 0 and list[i].replies == 0:
                list[i].key -= EVAL_DISC * score_final(c, theirs, mine)
            else:
                eval_play(e, &child, list[i].square, list[i].flips)
                list[i].key -= eval_value(&child, c.s.weights, n - 1, rv_count(list[i].replies), key)


cdef inline int reply_key(u64 replies, int i) noexcept nogil:
    """The key of the i-th move where one placement is left and the evaluation of each is the value."""
    return key_at(-rv_count_moves(replies), i)


cdef inline int midgame_key(int value, int replies) noexcept nogil:
    """The key of a move in a search of limited depth, from the evaluation after it and the number of replies."""
    return value - MIDGAME_REPLY * replies
