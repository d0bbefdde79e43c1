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
    EXACT = 7  # the level of proved values; those below are selective, see upper.pxi

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


cdef inline void unpack(u64 data, Found* found) noexcept nogil:
    found.lower = <int8_t>(data & 255)
    found.upper = <int8_t>(data >> 8 & 255)
    found.move = <int>(data >> 16 & 255)
    found.second = <int>(data >> 24 & 255)
    found.depth = <int>(data >> 48 & 255)
    found.level = <int>(data >> 56)


cdef inline bint look_up(Search* s, u64 p, u64 o, Found* found) noexcept nogil:
    """Fill `found` when the position is in the table."""
    cdef Entry* e = cluster_of(s, p, o)
    cdef u64 data
    cdef int i
    for i in range(CLUSTER):
        data = e[i].data
        if (e[i].first ^ data) == p and (e[i].second ^ data) == o and data != 0:
            unpack(data, found)
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
    return rv_last(nodes | 1)


# The near table: a small one for each thread, for the many positions with few empty squares. It stays in the core's
# own cache, where the large one costs a trip to memory; the latter keeps more of what is worth more. Pairs of entries,
# the newer one first. Exact values of the standard game only, so nothing in it is ever wrong.

cdef enum:
    NEAR_PAIRS = 1 << 12  # a power of two; 64 bytes each

cdef struct Pair:
    Entry newer
    Entry older
    u64 unused[2]  # a pair fills one line of the cache

cdef struct Near:
    # What a thread remembers for itself.
    Pair pairs[NEAR_PAIRS]
    Known known[KNOWN]  # for the leaves (leaves.h)


cdef inline Pair* pair_of(Search* s, u64 p, u64 o) noexcept nogil:
    return <Pair*>s.near_table + (rv_hash(p, o) & (NEAR_PAIRS - 1))


cdef inline bint look_near(Search* s, u64 p, u64 o, Found* found) noexcept nogil:
    """look_up in the near table."""
    cdef Pair* pair = pair_of(s, p, o)
    if pair.newer.first == p and pair.newer.second == o and pair.newer.data != 0:
        unpack(pair.newer.data, found)
        return True
    if pair.older.first == p and pair.older.second == o and pair.older.data != 0:
        unpack(pair.older.data, found)
        return True
    return False


cdef inline void remember_near(Search* s, u64 p, u64 o, int alpha, int beta, int value, int move, int n) noexcept nogil:
    """remember in the near table, what was searched to the end."""
    cdef Pair* pair = pair_of(s, p, o)
    cdef Found found
    cdef int lower = value if value > alpha else -127, upper = value if value < beta else 127, second = NO_MOVE
    if look_near(s, p, o, &found):
        if found.lower > lower:
            lower = found.lower
        if found.upper < upper:
            upper = found.upper
        if value <= alpha and found.move != NO_MOVE:
            move = found.move
        elif found.move != move:
            second = found.move
    if pair.newer.first != p or pair.newer.second != o:
        pair.older = pair.newer
    pair.newer.first = p
    pair.newer.second = o
    pair.newer.data = pack(lower, upper, move, second, 0, 0, n, EXACT)
