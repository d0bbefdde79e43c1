# The solver's memory and one running question, as Python sees them.

@cython.auto_pickle(False)
cdef class Table:
    """A transposition table of at most ``megabytes`` MB (2**20 bytes), shared by any number of searches.

    What it remembers holds for one way to play and score; asking about another empties it.

    Raises:
        ValueError: the size is not positive.
        MemoryError: the memory is not to be had.
    """

    cdef Entry* entries
    cdef u64 clusters
    cdef int generation
    cdef object rules
    cdef readonly int megabytes

    def __cinit__(self, int megabytes=64):
        if megabytes <= 0:
            raise ValueError("a table needs at least 1 MB")
        self.megabytes = megabytes
        self.clusters = 1
        while 2 * self.clusters * CLUSTER * sizeof(Entry) <= <u64>megabytes << 20:
            self.clusters *= 2
        self.entries = <Entry*>calloc(self.clusters, CLUSTER * sizeof(Entry))
        if self.entries == NULL:
            raise MemoryError(f"no memory for a table of {megabytes} MB")

    def __dealloc__(self):
        free(self.entries)

    def clear(self):
        """Forget everything. No search may be running on the table."""
        memset(self.entries, 0, self.clusters * CLUSTER * sizeof(Entry))
        self.generation = 0

    cdef int prepare(self, rules) except -1:
        if self.rules is None or not (self.rules is rules or self.rules.same_play(rules)):
            if self.rules is not None:
                self.clear()
            self.rules = rules
        return 0

    def age(self):
        """Prefer replacing what earlier questions left."""
        self.generation = (self.generation + 1) & 255


@cython.auto_pickle(False)
cdef class Task:
    """One question to the solver. Its methods run without the interpreter lock; :meth:`cancel` ends them.

    The attributes ``lower``, ``upper``, ``best`` and ``nodes`` may be read from another thread while it runs.
    """

    cdef Search s
    cdef int stop
    cdef Table table

    def __cinit__(self, Table table not None):
        self.table = table
        self.s.stop = &self.stop
        self.s.best = -1

    cdef int setup(self, Position position) except -1:
        self.table.prepare(position.rules)
        self.s.mask = position.mask
        self.s.cells = rv_count(position.mask)
        self.s.flags = position.flags
        self.s.table = self.table.entries
        self.s.clusters = self.table.clusters
        self.s.generation = self.table.generation
        return 0

    def cancel(self):
        """End what runs, soon; what is asked after that is not answered."""
        self.stop = 1

    @property
    def cancelled(self):
        """Whether the task was cancelled."""
        return self.stop != 0

    @property
    def nodes(self):
        """Positions reached by a placement so far."""
        return self.s.nodes

    @property
    def lower(self):
        """The proved lower bound of the running root search."""
        return self.s.lower

    @property
    def upper(self):
        """The proved upper bound of the running root search."""
        return self.s.upper

    @property
    def best(self):
        """A move that reaches ``lower``, or ``None`` while nothing is proved."""
        return None if self.s.best < 0 else MOVES[self.s.best]

    def value(self, Position position not None, int alpha, int beta):
        """The value of a position within (alpha, beta) from its mover's view, fail-soft; ``None`` when cancelled."""
        cdef int value
        self.setup(position)
        with nogil:
            value = kernel.value_at(&self.s, position.p, position.o, position.st, alpha, beta)
        return None if self.s.stop_seen else value

    def move_value(self, Position position not None, Move move not None, int alpha, int beta):
        """The value of a legal move within (alpha, beta) from the mover's view, fail-soft; ``None`` when cancelled.

        Raises:
            IllegalMoveError: the move is not allowed there.
        """
        cdef int value, index = move.index
        if not position.is_legal(move):
            raise position.illegal(move)
        self.setup(position)
        with nogil:
            value = kernel.child_value(&self.s, position.p, position.o, position.st, index, alpha, beta)
        return None if self.s.stop_seen else value

    def ordered_moves(self, Position position not None):
        """The legal moves, promising ones first."""
        cdef int moves[65]
        cdef int count
        if position.is_over:
            return []
        self.setup(position)
        count = kernel.order_root(&self.s, position.p, position.o, position.st, moves)
        return [MOVES[moves[i]] for i in range(count)]

    def root(self, Position position not None, moves, int alpha, int beta):
        """The best value of the given legal moves, in their order, within (alpha, beta); ``None`` when cancelled.

        ``lower``, ``upper`` and ``best`` follow while it runs.

        Raises:
            IllegalMoveError: a move is not allowed there.
        """
        cdef int list[65]
        cdef int count = 0, value
        for move in moves:
            if not position.is_legal(move):
                raise position.illegal(move)
            if count == 65:
                raise ValueError("more moves than there are")
            list[count] = (<Move>move).index
            count += 1
        self.setup(position)
        self.s.lower = -self.s.cells
        self.s.upper = self.s.cells
        self.s.best = -1
        with nogil:
            value = kernel.root_value(&self.s, position.p, position.o, position.st, alpha, beta, list, count)
        return None if self.s.stop_seen else value
