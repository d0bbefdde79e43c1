# Threads: young brothers wait. After the first move of a node, the others may be searched by idle threads; so may the
# first where all will probably fail.
#
# A node that is shared is a Split on its owner's stack; while it lies in the pool's list of open splits, idle threads
# join it and take moves from it one at a time. The owner takes moves too, and then waits until its helpers have left;
# while it waits it may help them (a split that descends from its own). A Split, like the pool, is read and written
# under the pool's mutex, apart from `cut`, which searching threads poll.

cdef extern from "_kernel/threads.h" nogil:
    ctypedef struct rv_mutex_t:
        pass
    ctypedef struct rv_cond_t:
        pass
    void rv_mutex_init(rv_mutex_t* m)
    void rv_mutex_end(rv_mutex_t* m)
    void rv_lock(rv_mutex_t* m)
    void rv_unlock(rv_mutex_t* m)
    void rv_cond_init(rv_cond_t* c)
    void rv_cond_end(rv_cond_t* c)
    void rv_wait(rv_cond_t* c, rv_mutex_t* m)
    void rv_wake_all(rv_cond_t* c)

cdef enum:
    OPEN_SPLITS = 256

cdef struct Split:
    Split* parent
    u64 p
    u64 o
    Eval e
    int low             # the best value known, or alpha
    int beta
    int n
    int depth
    int level
    int parity
    int state
    Candidate* list
    int count
    int next            # the first move not taken yet
    int best
    int best_move
    int helpers
    volatile int cut    # beta is reached: all who search below may stop

cdef struct Pool:
    rv_mutex_t mutex
    rv_cond_t change
    Split* open[OPEN_SPLITS]
    int count
    volatile int idle   # threads waiting for work
    int quit
    u64 splits          # how many nodes were shared


cdef inline bint stopped(Search* s) noexcept nogil:
    """Whether this thread's search is void: ended from outside or by its limit, or below a split that is cut."""
    cdef Split* split
    if s.most_nodes and s.leaf.nodes > s.most_nodes:
        s.stop[0] = True
    if s.stop[0]:
        s.stop_seen = True
    else:
        split = <Split*>s.split
        while split != NULL:
            if split.cut:
                s.stop_seen = True
                break
            split = split.parent
    return s.stop_seen


cdef inline bint still_void(Search* s) noexcept nogil:
    """stop_seen anew, after the split that caused it was left."""
    s.stop_seen = False
    return stopped(s)


cdef inline bint descends(Split* split, Split* ancestor) noexcept nogil:
    while split != NULL:
        if split == ancestor:
            return True
        split = split.parent
    return False


cdef inline Split* find_open(Pool* pool, Split* ancestor) noexcept nogil:
    """The open split with the most work left, below `ancestor` when one is given; the mutex is held."""
    cdef Split* best = NULL
    cdef int i
    for i in range(pool.count):
        if pool.open[i].next < pool.open[i].count and not pool.open[i].cut:
            if (best == NULL or pool.open[i].n > best.n) and (ancestor == NULL or descends(pool.open[i], ancestor)):
                best = pool.open[i]
    return best


cdef inline void close_split(Pool* pool, Split* split) noexcept nogil:
    cdef int i
    for i in range(pool.count):
        if pool.open[i] == split:
            pool.count -= 1
            pool.open[i] = pool.open[pool.count]
            return


cdef void take_moves(Context* c, Pool* pool, Split* split) noexcept nogil:
    """Search moves of a split until none is left; the mutex is held before and after, not meanwhile."""
    cdef Candidate* move
    cdef Eval child
    cdef Eval* e = NULL
    cdef int low, value
    while split.next < split.count and not split.cut:
        bring_best(split.list, split.next, split.count)
        move = split.list + split.next
        split.next += 1
        low = split.low
        rv_unlock(&pool.mutex)
        if Context is Standard:
            if c.s.weights != NULL:
                eval_play(&split.e, &child, move.square, move.flips)
                e = &child
        visit(&c.s, split.n)
        value = -upper_tree(c, e, split.o ^ move.flips, split.p ^ move.flips ^ rv_bit(move.square), -low - 1, -low,
                      split.n - 1, split.depth - 1, split.level, split.parity ^ 1 << ORDER.quadrant[move.square], FRESH)
        if low < value < split.beta and not c.s.stop_seen:
            value = -upper_tree(c, e, split.o ^ move.flips, split.p ^ move.flips ^ rv_bit(move.square), -split.beta,
                          -value + 1, split.n - 1, split.depth - 1, split.level,
                          split.parity ^ 1 << ORDER.quadrant[move.square], FRESH)
        rv_lock(&pool.mutex)
        if c.s.stop_seen:
            return
        if value > split.best:
            split.best = value
            split.best_move = move.square
            if value > split.low:
                split.low = value
                if value >= split.beta:
                    split.cut = True


cdef void join_split(Context* c, Pool* pool, Split* split) noexcept nogil:
    """Help with a split; the mutex is held before and after."""
    cdef void* own = c.s.split
    split.helpers += 1
    c.s.split = split
    take_moves(c, pool, split)
    c.s.split = own
    split.helpers -= 1
    still_void(&c.s)
    if split.helpers == 0:
        rv_wake_all(&pool.change)


cdef void share_node(Context* c, Split* split) noexcept nogil:
    """Search the moves of a node together with whoever is idle. Void when stop_seen is set afterwards."""
    cdef Pool* pool = <Pool*>c.s.pool
    cdef Split* other
    split.parent = <Split*>c.s.split
    c.s.split = split
    rv_lock(&pool.mutex)
    if pool.count < OPEN_SPLITS:
        pool.open[pool.count] = split
        pool.count += 1
        pool.splits += 1
        rv_wake_all(&pool.change)
    take_moves(c, pool, split)
    if c.s.stop_seen and not split.cut:
        split.cut = True  # what helpers do here is void as well
    while split.helpers > 0:
        other = find_open(pool, split)
        if other != NULL and other != split and not c.s.stop_seen:
            join_split(c, pool, other)
        else:
            pool.idle += 1
            rv_wait(&pool.change, &pool.mutex)
            pool.idle -= 1
    close_split(pool, split)
    rv_unlock(&pool.mutex)
    c.s.split = split.parent
    still_void(&c.s)


cdef void help(Search* s, void* opaque) noexcept nogil:
    """The life of a helping thread: join open splits until the pool quits."""
    cdef Pool* pool = <Pool*>opaque
    cdef Split* split
    rv_lock(&pool.mutex)
    while not pool.quit:
        split = find_open(pool, NULL)
        if split != NULL:
            if is_standard(s):
                join_split(<Standard*>s, pool, split)
            elif s.leaf.flags & CAPTURE:
                join_split(<Masked*>s, pool, split)
            else:
                join_split(<Free*>s, pool, split)
        else:
            pool.idle += 1
            rv_wait(&pool.change, &pool.mutex)
            pool.idle -= 1
    rv_unlock(&pool.mutex)
