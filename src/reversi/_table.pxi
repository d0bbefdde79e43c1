# The solver's memory, as Python sees it.

cdef extern from "_kernel/memory.h" nogil:
    void* rv_table_new(size_t size)
    void rv_table_free(void* at, size_t size)


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
        self.entries = <Entry*>rv_table_new(self.clusters * CLUSTER * sizeof(Entry))
        if self.entries == NULL:
            raise MemoryError(f"no memory for a table of {megabytes} MB")

    def __dealloc__(self):
        rv_table_free(self.entries, self.clusters * CLUSTER * sizeof(Entry))

    def clear(self):
        """Forget everything. No search may be running on the table."""
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
        """Prefer replacing what earlier questions left."""
        self.generation = (self.generation + 1) & 255
