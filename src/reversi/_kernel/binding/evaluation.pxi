# The learned evaluation as Python sees it: weights in memory, single values, and many positions at once.

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdlib cimport malloc


cdef int _take(Py_buffer* view, object data, Py_ssize_t item, Py_ssize_t count, bint write, str name) except -1:
    """Open a buffer of `count` items (any number when negative) of `item` bytes."""
    PyObject_GetBuffer(data, view, PyBUF_SIMPLE | (PyBUF_WRITABLE if write else 0))
    if view.len % item or (count >= 0 and view.len != count * item):
        PyBuffer_Release(view)
        raise ValueError(f"{name}: {view.len} bytes do not fit the positions")
    return 0


@cython.final
@cython.auto_pickle(False)
cdef class _Buffers:
    """Buffers that are open as long as this object is there."""

    cdef Py_buffer views[8]
    cdef int taken

    cdef Py_buffer* take(self, object data, Py_ssize_t item, Py_ssize_t count, bint write, str name) except NULL:
        """Open one more buffer of `count` items (any number when negative) of `item` bytes."""
        cdef Py_buffer* view = &self.views[self.taken]
        _take(view, data, item, count, write, name)
        self.taken += 1
        return view

    def __dealloc__(self):
        cdef int i
        for i in range(self.taken):
            PyBuffer_Release(&self.views[i])


def evaluation_layout():
    """Return how the evaluation reads a board: (stages, classes, mobility classes, lanes).

    A lane is a pair of a pattern's number and the squares of its digits, lowest first. Symmetric states of a pattern
    share a class.
    """
    cdef int lane, q
    lanes = []
    for lane in range(EVAL_USED):
        squares = [rv_eval_tables.squares[lane][q] for q in range(rv_eval_squares[rv_eval_tables.pattern[lane]][0])]
        lanes.append((rv_eval_tables.pattern[lane], tuple(squares)))
    return EVAL_STAGES, _classes(), EVAL_MOVES, tuple(lanes)


def net_size(bint wide=False):
    """Return the bytes of the narrow or the wide net, as `expand_weights` takes it."""
    return _net_fixed(wide) + _net_width(wide) * <Py_ssize_t>_first_mobility()


cdef Py_ssize_t _net_width(bint wide) noexcept:
    return WIDE_WIDTH if wide else NET_WIDTH


cdef Py_ssize_t _net_fixed(bint wide) noexcept:
    """Return the bytes before a net's rows."""
    return <Py_ssize_t>(sizeof(Wide) if wide else sizeof(Net)) - _net_width(wide) * EVAL_MOBILITY


cdef int32_t EVAL_CLASS[EVAL_STAGE]
cdef int EVAL_CLASSES = 0


cdef int _classes() noexcept:
    """Return the number of classes in a stage and fill in EVAL_CLASS (at worst twice, with the same values)."""
    global EVAL_CLASSES
    if EVAL_CLASSES == 0:
        EVAL_CLASSES = rv_eval_classes(EVAL_CLASS)
    return EVAL_CLASSES


cdef int _first_mobility() noexcept:
    """Return the number of classes of the patterns."""
    _classes()
    return EVAL_CLASS[EVAL_MOBILITY]


WEIGHTS_LAYOUT = (EVAL_STAGES, EVAL_STAGE, WEIGHTS_ALIGNMENT)
"""Stages, weights in a stage, and the alignment of the weights' address."""

WIDE_SHAPE = (WIDE_WIDTH, WIDE_UNITS, WIDE_SECOND)
"""The numbers in a row of the wide net, its units and those behind them."""


def weights_size(int parts):
    """Return the bytes of weights with these parts: 1 for the stages' weights, 2 the narrow net, 4 the wide one."""
    return rv_weights_size(parts)


def expand_weights(data=None, int step=0, net=None, wide=None):
    """Return weights as `Weights` takes them, and their parts (`weights_size`).

    The stages' weights are one 16-bit integer in 1/128 disc per class and stage. With a ``step`` they are packed as
    training exports them: the low bytes of all numbers, then the high bytes. The lowest bit of a number is its sign
    (0 -1 1 -2 2 …), its unit is ``step`` times 1/128 disc. A ``net`` and a ``wide`` one (evaluation_net.h) are their
    fixed parts, then a row for each class of the patterns.

    Raises:
        ValueError: a part does not have its size, the step is out of range, a net could overflow, or nothing values some
            numbers of empty squares.
    """
    cdef int parts = (PART_STAGES if data is not None else 0) | (PART_NET if net is not None else 0) | (PART_WIDE if wide is not None else 0)
    cdef WeightsView found
    if not 0 <= step < 1 << 15:
        raise ValueError(f"a step is 0 to 32,767, not {step}")
    expanded = PyBytes_FromStringAndSize(NULL, rv_weights_size(parts))
    cdef char* at = PyBytes_AS_STRING(expanded)
    memset(at, 0, rv_weights_size(parts))
    if data is not None:
        _expand_stages(data, step, <int16_t*>at)
    if net is not None:
        _expand_net(net, False, at + rv_weights_at(parts, PART_NET))
    if wide is not None:
        _expand_net(wide, True, at + rv_weights_at(parts, PART_WIDE))
    _check_weights(&found, at, parts)
    return expanded, parts


cdef int _check_weights(WeightsView* to, const void* at, int parts) except -1:
    cdef const char* why = rv_weights_set(to, at, parts)
    if why != NULL:
        raise ValueError(why.decode("ascii"))
    return 0


cdef int _expand_net(net, bint wide, char* to) except -1:
    cdef _Buffers held = _Buffers()
    cdef Py_ssize_t i, fixed = _net_fixed(wide), width = _net_width(wide)
    cdef Py_buffer* view = held.take(net, 1, net_size(wide), False, "wide" if wide else "net")
    memcpy(to, view.buf, fixed)
    for i in range(EVAL_MOBILITY):
        memcpy(to + fixed + width * i, <const char*>view.buf + fixed + width * <Py_ssize_t>EVAL_CLASS[i], width)
    return 0


cdef int _expand_stages(data, int step, int16_t* expanded) except -1:
    cdef _Buffers held = _Buffers()
    cdef Py_ssize_t stage, i, all = <Py_ssize_t>EVAL_STAGES * _classes()
    cdef const int16_t* stored
    cdef const uint8_t* low
    cdef int16_t* to
    cdef int number
    plain = PyBytes_FromStringAndSize(NULL, EVAL_CLASSES * sizeof(int16_t))
    cdef int16_t* unpacked = <int16_t*>PyBytes_AS_STRING(plain)
    cdef Py_buffer* view = held.take(data, 2, all, False, "weights")
    with nogil:
        for stage in range(EVAL_STAGES):
            stored = <const int16_t*>view.buf + stage * EVAL_CLASSES
            if step:
                low = <const uint8_t*>view.buf + stage * EVAL_CLASSES
                for i in range(EVAL_CLASSES):
                    number = low[i] | low[i + all] << 8
                    unpacked[i] = <int16_t>(step * (number >> 1 ^ -(number & 1)))
                stored = unpacked
            to = expanded + stage * EVAL_STAGE
            for i in range(EVAL_STAGE):
                to[i] = stored[EVAL_CLASS[i]]
    return 0


def evaluation_classes():
    """Return the class of each weight of a stage, as 32-bit integers of this machine."""
    _classes()
    return (<char*>EVAL_CLASS)[:EVAL_STAGE * sizeof(int32_t)]


@cython.auto_pickle(False)
cdef class Weights:
    """The evaluation's weights, in the form in which they are used (evaluation.h and evaluation_net.h).

    A read-only buffer at an aligned address is used in place, such as a file mapped into memory; others are copied.

    Raises:
        ValueError: the data has another size than its parts have (`weights_size`), a net could overflow, or nothing values
            some numbers of empty squares.
        ResourceError: the machine does not have the memory.
    """

    cdef void* memory   # of its own, NULL when the buffer is used in place
    cdef Py_buffer view # the buffer, when it is used in place
    cdef bint in_place
    cdef WeightsView found

    def __cinit__(self, data, int parts):
        cdef Py_buffer view
        cdef size_t size = rv_weights_size(parts)
        cdef const void* at
        if not 0 < parts <= ALL_PARTS:
            raise ValueError(f"no parts {parts}")
        _take(&view, data, 1, size, False, "weights")
        if view.readonly and <size_t>view.buf % WEIGHTS_ALIGNMENT == 0:
            self.view = view
            self.in_place = True
            at = view.buf
        else:
            self.memory = malloc(size + WEIGHTS_ALIGNMENT)
            if self.memory == NULL:
                PyBuffer_Release(&view)
                raise ResourceError("not enough memory for the evaluation's weights")
            at = <const void*>((<size_t>self.memory + WEIGHTS_ALIGNMENT - 1) & ~<size_t>(WEIGHTS_ALIGNMENT - 1))
            memcpy(<void*>at, view.buf, size)
            PyBuffer_Release(&view)
        _check_weights(&self.found, at, parts)

    @staticmethod
    def from_classes(data=None, int step=0, net=None, wide=None):
        """Return weights from one number per class and stage; the arguments are those of `expand_weights`."""
        return Weights(*expand_weights(data, step, net, wide))

    def stages(self):
        """Return the stages' weights without the nets: 16-bit integers in 1/128 disc, `evaluation_classes` says of what.

        Raises:
            ValueError: there are only nets.
        """
        if self.found.stages == NULL:
            raise ValueError("these weights are nets alone")
        return (<const char*>self.found.stages)[:EVAL_STAGES * EVAL_STAGE * sizeof(int16_t)]

    def __dealloc__(self):
        free(self.memory)
        if self.in_place:
            PyBuffer_Release(&self.view)

    def evaluate(self, Position position not None):
        """Return the evaluation of a standard position for its mover, without a search, in 1/128 disc."""
        cdef Search s
        _standard(&s, self, None)
        _check_standard(position)
        return kernel.evaluate(&s, position.p, position.o)

    def children(self, Position position not None):
        """Return every placement with the evaluation of the next position, for the mover, in 1/128 disc."""
        cdef Search s
        cdef int squares[64]
        cdef int values[64]
        cdef int count, i
        _standard(&s, self, None)
        _check_standard(position)
        count = kernel.child_scores(&s, position.p, position.o, squares, values)
        return [(MOVES[squares[i]], values[i]) for i in range(count)]

    def search(self, Position position not None, int depth, Table table not None):
        """Return the value from a search of ``depth`` placements, in 1/128 disc; exact when the game ends by then."""
        cdef Search s
        cdef int value
        _check_standard(position)
        table.prepare(position.rules)
        _standard(&s, self, table)
        with nogil:
            value = kernel.midgame_value(&s, position.p, position.o, -EVAL_DISC * 65, EVAL_DISC * 65, depth)
        return value


cdef int _check_standard(Position position) except -1:
    if not rv_is_standard(position.flags, position.mask):
        raise InputError(f"the learned evaluation knows the standard game, not {position.rules}")
    return 0


cdef int NEVER = 0  # a stop flag that stays unset


cdef void _standard(Search* s, Weights weights, Table table) noexcept:
    """Set up a search of the standard game."""
    memset(s, 0, sizeof(Search))
    s.leaf.mask = ~<u64>0
    s.leaf.cells = 64
    s.leaf.rows = s.leaf.columns = 8
    s.leaf.flags = CAPTURE | ADJACENT
    s.stop = &NEVER
    if weights is not None:
        s.weights = &weights.found
    if table is not None:
        s.table = table.entries
        s.clusters = table.clusters
        s.generation = table.generation


def batch_features(p, o, out):
    """Write the classes of each position to ``out``: of its lanes, both mobilities and the constant.

    Args:
        p: the discs of the movers, 64-bit words.
        o: the discs of the opponents, 64-bit words.
        out: for each position, one 32-bit integer for each lane, then three: the class of the mover's mobility, of the
            opponent's mobility, and of the constant.
    """
    cdef _Buffers held = _Buffers()
    cdef Py_buffer* vp
    cdef Py_buffer* vo
    cdef Py_buffer* vout
    cdef Py_ssize_t count, i
    cdef int lane, moves, n
    cdef int32_t* to
    cdef u64 mine, theirs
    cdef Eval e
    cdef int zero[64]
    _classes()
    vp = held.take(p, 8, -1, False, "p")
    count = vp.len // 8
    vo = held.take(o, 8, count, False, "o")
    vout = held.take(out, 4, count * (EVAL_USED + 3), True, "out")
    for lane in range(EVAL_USED):
        zero[lane] = (rv_eval_tables.first[rv_eval_tables.pattern[lane]]
                      + rv_eval_tables.first[rv_eval_tables.pattern[lane] + 1]) // 2
    with nogil:
        for i in range(count):
            mine = (<const u64*>vp.buf)[i]
            theirs = (<const u64*>vo.buf)[i]
            to = <int32_t*>vout.buf + i * (EVAL_USED + 3)
            eval_set(&e, mine, theirs)
            for lane in range(EVAL_USED):
                to[lane] = EVAL_CLASS[zero[lane] + e.at[lane]]
            moves = rv_count(rv_captures(mine, theirs))
            to[EVAL_USED] = EVAL_CLASS[EVAL_MOBILITY + (moves if moves < EVAL_MOVES else EVAL_MOVES - 1)]
            moves = rv_count(rv_captures(theirs, mine))
            to[EVAL_USED + 1] = EVAL_CLASS[EVAL_MOBILITY + EVAL_MOVES + (moves if moves < EVAL_MOVES else EVAL_MOVES - 1)]
            n = rv_count(~(mine | theirs))
            to[EVAL_USED + 2] = EVAL_CLASS[EVAL_CONSTANT + (n & 1)]


def batch_search(Weights weights, Table table not None, p, o, out, int depth):
    """Write the value of each position of the standard game to ``out`` (16-bit, 1/128 disc); return the nodes.

    The values come from searches of ``depth`` placements. They are exact where at most ``depth`` squares are empty.
    """
    cdef _Buffers held = _Buffers()
    cdef Py_buffer* vp
    cdef Py_buffer* vo
    cdef Py_buffer* vout
    cdef Py_ssize_t count, i
    cdef Search s
    if weights is None and depth < 60:
        raise ValueError("a search of fewer than 60 placements needs weights")
    vp = held.take(p, 8, -1, False, "p")
    count = vp.len // 8
    vo = held.take(o, 8, count, False, "o")
    vout = held.take(out, 2, count, True, "out")
    table.prepare(OTHELLO)
    _standard(&s, weights, table)
    with nogil:
        for i in range(count):
            (<int16_t*>vout.buf)[i] = <int16_t>kernel.midgame_value(
                &s, (<const u64*>vp.buf)[i], (<const u64*>vo.buf)[i], -EVAL_DISC * 65, EVAL_DISC * 65, depth)
    return s.leaf.nodes


def batch_play(Weights weights, p, o, until, tail, int random_share, int noise, u64 seed):
    """Play each position of the standard game on, in place, until ``until`` squares are empty.

    Args:
        weights: the evaluation that the players use.
        p: the discs of the movers, 64-bit words.
        o: the discs of the opponents, 64-bit words.
        until: the number of empty squares at which a game stops, 8-bit numbers.
        tail: how many of the last placements are random, 8-bit numbers.
        random_share: how many in 1024 of the other placements are random. The rest are the best by the evaluation after
            one placement.
        noise: the noise that those evaluations get, in 1/128 disc; 0 to 2**20.
        seed: the seed of the generator.

    A game that ends before becomes 0, 0.
    """
    cdef _Buffers held = _Buffers()
    cdef Py_buffer* vp
    cdef Py_buffer* vo
    cdef Py_buffer* vuntil
    cdef Py_buffer* vtail
    cdef Py_ssize_t count, i
    cdef Search s
    cdef u64 state = seed * <u64>0x9e3779b97f4a7c15 | 1
    if not 0 <= noise <= 1 << 20:
        raise ValueError(f"noise must be 0 to 2**20, not {noise}")
    vp = held.take(p, 8, -1, True, "p")
    count = vp.len // 8
    vo = held.take(o, 8, count, True, "o")
    vuntil = held.take(until, 1, count, False, "until")
    vtail = held.take(tail, 1, count, False, "tail")
    _standard(&s, weights, None)
    with nogil:
        for i in range(count):
            if not kernel.play_on(&s, <u64*>vp.buf + i, <u64*>vo.buf + i, (<const uint8_t*>vuntil.buf)[i],
                                  (<const uint8_t*>vtail.buf)[i], random_share, noise, &state):
                (<u64*>vp.buf)[i] = 0
                (<u64*>vo.buf)[i] = 0
