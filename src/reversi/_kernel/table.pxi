# The transposition table: clusters of four entries, each holding the whole position, shared without locks.
#
# Entry data, from the lowest byte: lower bound, upper bound (signed), move, second move, cost, generation, depth,
# level. A bound holds for a search of that depth (in placements; the number of empty squares when the game was
# searched to its end) and level (of caution, EXACT for proofs); it answers questions that ask no more of both.

cdef enum:
    LOST = -127  # below every score
    CLUSTER = 4
    PASS_MOVE = 64
    NO_MOVE = 65
    EXACT = 7  # the level of proved values; those below are selective, see deep.pxi

cdef struct Found:
    int lower
    int upper
    int move
    int second
    int depth
    int level


cdef inline u64 pack(int lower, int upper, int move, int second, int cost, int generation, int depth, int level) noexcept nogil:
    return (<u64><uint8_t>lower | <u64><uint8_t>upper << 8 | <u64><uint8_t>move << 16 | <u64><uint8_t>second << 24
            | <u64><uint8_t>cost << 32 | <u64><uint8_t>generation << 40 | <u64><uint8_t>depth << 48
            | <u64><uint8_t>level << 56)


cdef inline Entry* cluster_of(Search* s, u64 p, u64 o) noexcept nogil:
    return s.table + CLUSTER * (rv_hash(p, o) & (s.clusters - 1))


cdef inline bint look_up(Search* s, u64 p, u64 o, Found* found) noexcept nogil:
    """Fill `found` when the position is in the table."""
    cdef Entry* e = cluster_of(s, p, o)
    cdef u64 data
    cdef int i
    for i in range(CLUSTER):
        data = e[i].data
        if (e[i].first ^ data) == p and (e[i].second ^ data) == o and data != 0:
            found.lower = <int8_t>(data & 255)
            found.upper = <int8_t>(data >> 8 & 255)
            found.move = <int>(data >> 16 & 255)
            found.second = <int>(data >> 24 & 255)
            found.depth = <int>(data >> 48 & 255)
            found.level = <int>(data >> 56)
            return True
    return False


cdef inline void remember(Search* s, u64 p, u64 o, int alpha, int beta, int value, int move, int cost, int depth,
                          int level) noexcept nogil:
    """Note that a search with the window (alpha, beta) returned `value` (fail-soft), best by `move`."""
    cdef Entry* e = cluster_of(s, p, o)
    cdef Entry* worst = e
    cdef u64 data
    cdef int i, rank, least = 1 << 30, lower, upper, second = NO_MOVE, first, its_depth, its_level
    if value == LOST:
        return  # no move was searched
    lower = value if value > alpha else -127
    upper = value if value < beta else 127
    for i in range(CLUSTER):
        data = e[i].data
        if (e[i].first ^ data) == p and (e[i].second ^ data) == o:
            its_depth = <int>(data >> 48 & 255)
            its_level = <int>(data >> 56)
            if its_depth == depth and its_level == level:
                if <int8_t>(data & 255) > lower:
                    lower = <int8_t>(data & 255)
                if <int8_t>(data >> 8 & 255) < upper:
                    upper = <int8_t>(data >> 8 & 255)
            elif its_depth >= depth and its_level >= level:
                return  # it knows better
            first = <int>(data >> 16 & 255)
            second = <int>(data >> 24 & 255)
            if value <= alpha and first != NO_MOVE:
                # every move failed: which came nearest says little, what was good before says more
                move = first
            elif first != move:
                second = first
            worst = e + i
            break
        rank = <int>(data >> 32 & 255)
        if <int>(data >> 40 & 255) != s.generation:
            rank -= 256
        if rank < least:
            least = rank
            worst = e + i
    data = pack(lower, upper, move, second, cost, s.generation, depth, level)
    worst.data = data
    worst.first = p ^ data
    worst.second = o ^ data


cdef inline int cost_of(u64 nodes) noexcept nogil:
    """How much work an entry saves: the binary logarithm of its nodes."""
    cdef int cost = 0
    while nodes > 1:
        nodes >>= 1
        cost += 1
    return cost
