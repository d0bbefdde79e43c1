# The transposition table as Python sees it.

from _thread import allocate_lock, get_ident

cdef extern from "_kernel/memory.h" nogil:
    void* rv_table_new(size_t size)
    void rv_table_free(void* memory, size_t size)


@cython.auto_pickle(False)
cdef class Table:
    """A transposition table of at most ``megabytes`` MB (2**20 bytes), which any number of searches share.

    Its entries hold for one way to play and score; a question about another clears it.

    Raises:
        InputError: the size is not positive.
        TableSizeError: the machine does not have the memory.
    """

    cdef Entry* entries
    cdef u64 clusters
    cdef int generation
    cdef object rules
    cdef readonly int megabytes
    cdef list users    # the threads of the questions under way, one entry for each question
    cdef object shared  # the rules that these questions play by, None while the table is cleared
    cdef list waiting  # a held lock for each thread that waits for them to end
    cdef object __weakref__
    cdef int era       # the number of forks since the start: questions from before a fork do not run here

    def __cinit__(self, int megabytes=64):
        if megabytes <= 0:
            raise InputError(f"a table has at least 1 MB, not {megabytes}")
        self.megabytes = megabytes
        self.users = []
        self.waiting = []
        self.clusters = 1
        while 2 * self.clusters * CLUSTER * sizeof(Entry) <= <u64>megabytes << 20:
            self.clusters *= 2
        self.entries = <Entry*>rv_table_new(self.clusters * CLUSTER * sizeof(Entry))
        if self.entries == NULL:
            raise TableSizeError(f"not enough memory for a table of {megabytes} MB")

    def __dealloc__(self):
        rv_table_free(self.entries, self.clusters * CLUSTER * sizeof(Entry))

    def clear(self):
        """Remove all entries. The caller makes sure that no search uses the table."""
        cdef void* entries = self.entries
        cdef size_t size = self.clusters * CLUSTER * sizeof(Entry)
        with nogil:
            memset(entries, 0, size)
        self.generation = 0

    cdef int prepare(self, rules) except -1:
        if self.rules is None or not (self.rules is rules or self.rules.same_play(rules)):
            if self.rules is not None:
                self.clear()
            self.rules = rules
        return 0

    def age(self):
        """Prefer to replace the entries of earlier questions."""
        self.generation = (self.generation + 1) & 255

    def use(self, rules):
        """Return a context manager that holds the table for one question; ``rules`` is None to hold it alone.

        Questions under rules that play alike hold it together; others wait for them.

        Raises:
            BusyError: this thread holds the table itself, so it would wait for ever.
        """
        return TableUse(self, rules)

    def renew(self):
        """Forget the running questions: after a fork, nobody in the new process works on them."""
        self.era += 1
        self.users = []
        self.waiting = []


@cython.auto_pickle(False)
cdef class TableUse:
    """The hold of a question on a table.

    It is compiled so that a signal handler, which runs between two instructions of Python, never runs between
    taking the table and noting that it is taken.
    """

    cdef Table table
    cdef object rules
    cdef object thread
    cdef int era
    cdef bint held

    def __cinit__(self, Table table not None, rules):
        self.table = table
        self.rules = rules

    def __enter__(self):
        cdef Table table = self.table
        cdef object shared, lock
        cdef bint alike
        self.thread = get_ident()
        while True:
            shared = table.shared
            alike = shared is self.rules
            if not alike and shared is not None and self.rules is not None:
                alike = shared.same_play(self.rules)  # other threads and signal handlers may run here
            if not table.users or (self.rules is not None and alike and table.shared is shared):
                break
            if self.thread in table.users and table.shared is shared:
                raise BusyError("this thread is within a question that uses the table; wait for its answer")
            lock = allocate_lock()
            lock.acquire()
            table.waiting.append(lock)
            lock.acquire(True, 1.0)
            if lock in table.waiting:
                table.waiting.remove(lock)
        table.users.append(self.thread)
        table.shared = self.rules
        self.era = table.era
        self.held = True
        if self.rules is not None:
            table.age()
        return table

    def __exit__(self, kind, error, trace):
        cdef Table table = self.table
        if self.held and self.era == table.era:
            table.users.remove(self.thread)
            for lock in table.waiting:
                lock.release()
            table.waiting = []
        self.held = False
