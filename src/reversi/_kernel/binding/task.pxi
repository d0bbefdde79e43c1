# A running question as Python sees it.

EXACT_LEVEL = EXACT


cdef int check_depth(int depth, int level=EXACT) except -1:
    if depth < 0:
        raise ValueError(f"depth must be 0 or more, not {depth}")
    if not 0 <= level <= EXACT:
        raise ValueError(f"level must be 0 to {EXACT}, not {level}")
    return 0


@cython.auto_pickle(False)
cdef class Task:
    """A question to the solver. Its methods run without the interpreter lock; `cancel` ends them.

    With ``threads`` above 1, ``threads - 1`` other threads must call `help`, each with its own number from 0; they
    return after `dismiss`.

    Another thread may read ``lower``, ``upper``, ``best`` and ``nodes`` while the task runs. ``depth`` is in
    placements. ``level`` sets how cautiously a selective search prunes; `EXACT_LEVEL` is for proofs. Without weights,
    and under rules other than the standard ones, a plain evaluation replaces the learned one, and nothing is pruned
    selectively. A question that takes the task beyond ``most_nodes`` (0: no limit) is void, as if cancelled: with one
    thread exactly; with several, somebody must look at ``is_spent`` to end it in time.
    """

    cdef Search s
    cdef int stop
    cdef Pool pool
    cdef Search* helpers
    cdef void* memory
    cdef Near* near_tables  # each thread's own tables
    cdef readonly int threads
    cdef Table table
    cdef Weights weights

    def __cinit__(self, Table table not None, Weights weights=None, int threads=1, u64 most_nodes=0):
        if not 1 <= threads <= 4096:
            raise ValueError("a task needs 1 to 4096 threads")
        self.table = table
        self.weights = weights
        self.threads = threads
        self.s.stop = &self.stop
        self.s.most_nodes = most_nodes
        self.s.best = self.s.proof = -1
        rv_mutex_init(&self.pool.mutex)
        rv_cond_init(&self.pool.change)
        self.memory = calloc(<size_t>threads * sizeof(Near) + sizeof(Pair), 1)
        if self.memory == NULL:
            raise TableSizeError("not enough memory for the threads")
        self.near_tables = <Near*>((<size_t>self.memory + sizeof(Pair) - 1) & ~(sizeof(Pair) - 1))
        self.s.near_table = <Entry*>self.near_tables.pairs
        self.s.leaf.known = self.near_tables.known
        if threads > 1:
            self.helpers = <Search*>calloc(threads - 1, sizeof(Search))
            if self.helpers == NULL:
                raise TableSizeError("not enough memory for the threads")

    def __dealloc__(self):
        free(self.helpers)
        free(self.memory)
        rv_cond_end(&self.pool.change)
        rv_mutex_end(&self.pool.mutex)

    cdef int setup(self, Position position) except -1:
        cdef int i
        cdef u64 nodes
        self.table.prepare(position.rules)
        if self.s.leaf.mask != 0 and (self.s.leaf.mask != position.mask or self.s.leaf.flags != position.flags):
            memset(self.near_tables, 0, <size_t>self.threads * sizeof(Near))
        self.s.leaf.mask = position.mask
        self.s.leaf.cells = rv_count(position.mask)
        self.s.leaf.rows = position.rules.board.rows
        self.s.leaf.columns = position.rules.board.columns
        self.s.leaf.flags = position.flags
        self.s.table = self.table.entries
        self.s.clusters = self.table.clusters
        self.s.generation = self.table.generation
        self.s.weights = NULL
        if self.weights is not None:
            self.s.weights = &self.weights.found
        self.s.pool = NULL if self.threads == 1 else <void*>&self.pool
        # helpers are idle now: they read this only after taking the pool's mutex
        rv_lock(&self.pool.mutex)
        for i in range(self.threads - 1):
            nodes = self.helpers[i].leaf.nodes
            self.helpers[i] = self.s
            self.helpers[i].leaf.nodes = nodes
            self.helpers[i].near_table = <Entry*>self.near_tables[i + 1].pairs
            self.helpers[i].leaf.known = self.near_tables[i + 1].known
        rv_unlock(&self.pool.mutex)
        return 0

    def help(self, int number):
        """Work for the task until `dismiss`; ``number`` identifies the helper.

        Raises:
            ValueError: ``number`` is not from 0 to ``threads - 2``.
        """
        if not 0 <= number < self.threads - 1:
            raise ValueError(f"the number of a helper must be 0 to {self.threads - 2}, not {number}")
        with nogil:
            kernel.help(&self.helpers[number], &self.pool)

    def dismiss(self):
        """Let the helpers return."""
        rv_lock(&self.pool.mutex)
        self.pool.quit = 1
        rv_wake_all(&self.pool.change)
        rv_unlock(&self.pool.mutex)

    def cancel(self):
        """End the running method soon; later questions get no answer."""
        self.stop = 1

    @property
    def cancelled(self):
        """Whether the task was cancelled."""
        return self.stop != 0

    @property
    def nodes(self):
        """The positions that all threads have visited so far; with one thread not those beyond the limit."""
        return self.s.most_nodes if self.threads == 1 and self.is_spent else self.visited()

    cdef u64 visited(self):
        cdef u64 nodes = self.s.leaf.nodes
        cdef int i
        for i in range(self.threads - 1):
            nodes += self.helpers[i].leaf.nodes
        return nodes

    @property
    def is_spent(self):
        """Whether the task has visited more positions than its limit."""
        return self.s.most_nodes != 0 and self.visited() > self.s.most_nodes

    @property
    def splits(self):
        """The number of nodes that threads have shared so far."""
        return self.pool.splits

    @property
    def lower(self):
        """The lower bound of the position that root searches of all its moves have proved since `begin`."""
        return self.s.lower

    @property
    def upper(self):
        """The upper bound of the position that root searches of all its moves have proved since `begin`."""
        return self.s.upper

    @property
    def best(self):
        """The best move of the running root search so far, proved or likely; ``None`` while it has none."""
        return None if self.s.best < 0 else MOVES[self.s.best]

    @property
    def proof(self):
        """A move that is proved to reach ``lower``; ``None`` while ``lower`` is the least possible value."""
        return None if self.s.proof < 0 else MOVES[self.s.proof]

    @property
    def best_value(self):
        """The value of ``best`` in the running root search, fail-soft; ``None`` while it has none."""
        return None if self.s.best < 0 else self.s.best_value

    def value(self, Position position not None, int alpha, int beta, int depth=64, int level=EXACT):
        """Return the value of a position within (alpha, beta) for its mover, fail-soft; ``None`` when cancelled.

        Raises:
            ValueError: alpha is not below beta, or a number is out of range.
        """
        cdef int value
        check_window(alpha, beta)
        check_depth(depth, level)
        self.setup(position)
        with nogil:
            value = kernel.value_at(&self.s, position.p, position.o, position.st, alpha, beta, depth, level)
        return None if self.s.stop_seen else value

    def move_value(self, Position position not None, Move move not None, int alpha, int beta, int depth=64,
                   int level=EXACT):
        """Return the value of a legal move within (alpha, beta) for the mover, fail-soft; ``None`` when cancelled.

        Raises:
            IllegalMoveError: the position does not allow the move.
        """
        cdef int value, index = move.index
        check_window(alpha, beta)
        check_depth(depth, level)
        if not position.is_legal(move):
            raise position.illegal(move)
        self.setup(position)
        with nogil:
            value = kernel.child_value(&self.s, position.p, position.o, position.st, index, alpha, beta, depth, level)
        return None if self.s.stop_seen else value

    def ordered_moves(self, Position position not None, int depth=64):
        """Return the legal moves in the order of a search of that depth, promising ones first."""
        cdef int moves[65]
        cdef int count
        check_depth(depth)
        if position.is_over:
            return []
        self.setup(position)
        with nogil:
            count = kernel.order_root(&self.s, position.p, position.o, position.st, depth, moves)
        return [MOVES[moves[i]] for i in range(count)]

    def remembered(self, Position position not None):
        """Return the best move of a position in the table, or ``None``.

        Any search on the table may have found it, even a shallow one.
        """
        cdef int move
        self.setup(position)
        move = kernel.recall(&self.s, position.p, position.o, position.st)
        if move > PASS_MOVE or not position.is_legal(MOVES[move]):
            return None
        return MOVES[move]

    def begin(self, Position position not None):
        """Reset the proved bounds and the best move to start a new root search."""
        self.s.lower = -rv_count(position.mask)
        self.s.upper = rv_count(position.mask)
        self.s.best = self.s.proof = -1

    def root(self, Position position not None, moves, int alpha, int beta, int depth=64, int level=EXACT, *,
             bint whole=False):
        """Search the given legal moves in their order and return the best value within (alpha, beta).

        The search keeps ``best`` up to date. When the caller knows that no other move is better than all these
        (``whole``) and the question is exact, it also keeps ``lower``, ``upper`` and ``proof``. The answer is ``None``
        when cancelled.

        Raises:
            IllegalMoveError: the position does not allow a move.
        """
        cdef int list[65]
        cdef int count = 0, value
        check_window(alpha, beta)
        check_depth(depth, level)
        for move in moves:
            if not position.is_legal(move):
                raise position.illegal(move)
            if count == 65:
                raise ValueError("more moves than a position can have")
            list[count] = (<Move>move).index
            count += 1
        self.setup(position)
        self.s.whole = whole
        with nogil:
            value = kernel.root_value(&self.s, position.p, position.o, position.st, alpha, beta, depth, level, list,
                                      count)
        return None if self.s.stop_seen else value


@cython.auto_pickle(False)
cdef class Crew:
    """The threads that work on a task, as a context manager: on exit it cancels the task and waits until all have left.

    A thread that arrives later does nothing. Like `TableUse`, it is compiled, so that no signal handler runs in
    between.
    """

    cdef Task task
    cdef int within     # threads at work
    cdef bint closed
    cdef object done    # a lock held until the leader is done
    cdef object left    # a lock held while threads are at work after the end

    def __cinit__(self, Task task not None):
        self.task = task
        self.done = allocate_lock()
        self.left = allocate_lock()
        self.done.acquire()
        self.left.acquire()

    def lead(self, call):
        """Run in this thread the call that `wait` waits for."""
        if self.closed:
            return
        self.within += 1
        try:
            call()
        finally:
            self.done.release()
            self.leave()

    def help(self, int number):
        """Work in this thread as the helper with that number."""
        if self.closed:
            return
        self.within += 1
        try:
            self.task.help(number)
        finally:
            self.leave()

    cdef int leave(self) except -1:
        self.within -= 1
        if self.closed and self.within == 0:
            self.left.release()
        return 0

    def wait(self, double seconds):
        """Wait for the leader; return whether it has finished in that time."""
        if not self.done.acquire(True, max(seconds, 0.0)):
            return False
        self.done.release()
        return True

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        cdef object interrupt = None
        self.closed = True
        self.task.cancel()
        self.task.dismiss()
        while self.within:
            try:
                self.left.acquire(True, 1.0)
            except KeyboardInterrupt as again:
                interrupt = again
        if interrupt is not None and kind is None:
            raise interrupt
