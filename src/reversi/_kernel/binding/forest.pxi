# The trees that a search with an evaluation of one's own grows, for reversi.puct. They know visits, values, priors and
# bounds, and nothing of rules: who calls them plays the moves.

from libc.stdlib cimport malloc, realloc
from libc.math cimport exp as _exp, sqrt as _root
from cpython.bytes cimport PyBytes_FromStringAndSize

cdef struct Spot:
    # A position in a tree. Values and bounds are for its mover.
    long long parent    # -1 for a root
    long long edge      # of the parent, that leads here
    long long first     # its edges lie together
    int count           # of edges; -1 before the position is valued
    double total        # the sum of the values found at and below it
    unsigned int visits
    unsigned int flight # descents through it whose values are not known yet
    int8_t mover
    int8_t lower
    int8_t upper

cdef struct Edge:
    long long child     # -1 before the first visit
    double total        # the sum of the values found below, for the one who chooses it
    float prior
    unsigned int visits
    unsigned int flight
    uint8_t move


@cython.final
@cython.auto_pickle(False)
cdef class Forest:
    """Trees of positions, whose spots are numbered from 0.

    Args:
        cells: the squares of the board; no value is beyond.
        exploration: discs that a move of prior 1 gains by not being visited; see `choice`.
        virtual_loss: discs that a move loses where all its visits are under way.
    """

    cdef Spot* spots
    cdef Edge* edges
    cdef long long count, room, edge_count, edge_room
    cdef int cells
    cdef double exploration, virtual_loss

    def __cinit__(self, int cells, double exploration, double virtual_loss):
        self.cells, self.exploration, self.virtual_loss = cells, exploration, virtual_loss

    def __dealloc__(self):
        free(self.spots)
        free(self.edges)

    def __len__(self):
        return self.count

    cdef int make_room(self, long long spots, long long edges) except -1:
        """Have room for more spots and edges."""
        cdef void* found
        if self.count + spots > self.room:
            self.room = 2 * (self.count + spots)
            found = realloc(self.spots, <size_t>self.room * sizeof(Spot))
            if found == NULL:
                raise MemoryError
            self.spots = <Spot*>found
        if self.edge_count + edges > self.edge_room:
            self.edge_room = 2 * (self.edge_count + edges)
            found = realloc(self.edges, <size_t>self.edge_room * sizeof(Edge))
            if found == NULL:
                raise MemoryError
            self.edges = <Edge*>found
        return 0

    cdef long long put(self, long long parent, long long edge) noexcept nogil:
        cdef Spot* spot = self.spots + self.count
        memset(spot, 0, sizeof(Spot))
        spot.parent, spot.edge, spot.count = parent, edge, -1
        spot.lower, spot.upper = -self.cells, self.cells
        self.count += 1
        return self.count - 1

    cdef int check(self, long long spot) except -1:
        if not 0 <= spot < self.count:
            raise IndexError(f"no spot has the number {spot}")
        return 0

    def plant(self):
        """Return the number of a new root, which is under way."""
        self.make_room(1, 0)
        self.put(-1, -1)
        self.spots[self.count - 1].flight = 1
        return self.count - 1

    cdef Edge* choice(self, const Spot* spot) noexcept nogil:
        """The edge with the highest value + exploration * prior * sqrt(visits of the spot) / (1 + its visits).

        The value of a move without visits is the mean of the spot. Proved bounds hold, and no move is chosen that
        is proved to be worse than another one.
        """
        cdef Edge* edge
        cdef Edge* best = NULL
        cdef double worth, highest = 0, mean = spot.total / spot.visits
        cdef double urge = self.exploration * _root(<double>(spot.visits + spot.flight))
        cdef unsigned int visits
        cdef int i, low, high
        for i in range(spot.count):
            edge = self.edges + spot.first + i
            visits = edge.visits + edge.flight
            worth = edge.total / edge.visits if edge.visits else mean
            if edge.child >= 0:
                self.bounds(spot, edge, &low, &high)
                if high < spot.lower:
                    continue
                worth = min(max(worth, <double>low), <double>high)
            if edge.flight:
                worth -= self.virtual_loss * edge.flight / visits
            worth += urge * edge.prior / (1 + visits)
            if best == NULL or worth > highest:
                best, highest = edge, worth
        return best

    cdef void bounds(self, const Spot* spot, const Edge* edge, int* low, int* high) noexcept nogil:
        """What is proved of a move, for the one who chooses it."""
        cdef const Spot* child
        low[0], high[0] = -self.cells, self.cells
        if edge.child >= 0:
            child = self.spots + edge.child
            if child.count >= 0:
                low[0] = child.lower if child.mover == spot.mover else -child.upper
                high[0] = child.upper if child.mover == spot.mover else -child.lower

    cdef void back(self, long long at, double value) noexcept nogil:
        """Count a value at a spot under way and at those above it."""
        cdef Spot* spot = self.spots + at
        cdef Edge* edge
        while True:
            spot.flight -= 1
            spot.visits += 1
            spot.total += value
            if spot.parent < 0:
                return
            if self.spots[spot.parent].mover != spot.mover:
                value = -value
            edge = self.edges + spot.edge
            edge.flight -= 1
            edge.visits += 1
            edge.total += value
            spot = self.spots + spot.parent

    cdef void recall(self, long long at) noexcept nogil:
        """Undo a descent to a spot."""
        cdef Spot* spot = self.spots + at
        while True:
            spot.flight -= 1
            if spot.parent < 0:
                return
            self.edges[spot.edge].flight -= 1
            spot = self.spots + spot.parent

    cdef void prove(self, long long at) noexcept nogil:
        """Carry the bounds of a spot to those above it."""
        cdef Spot* spot = self.spots + at
        cdef int i, low, high, lower, upper
        while spot.parent >= 0:
            spot = self.spots + spot.parent
            lower = upper = -self.cells
            for i in range(spot.count):
                self.bounds(spot, self.edges + spot.first + i, &low, &high)
                lower, upper = max(lower, low), max(upper, high)
            lower, upper = max(lower, <int>spot.lower), min(upper, <int>spot.upper)  # `keep` forgets some below
            if lower == spot.lower and upper == spot.upper:
                return
            spot.lower, spot.upper = lower, upper

    def descend(self, roots, wanted, leaves, parents, moves):
        """Descend from each root as often as is wanted, and write where new spots begin; return how many.

        A descent ends at a new spot, or at once where a spot is proved. Where it meets a spot that is not valued yet,
        this root has no more descents now.

        Args:
            roots, wanted: the roots, and how many descents from each; 64-bit numbers.
            leaves, parents, moves: room for as many new spots, the spots above them (64-bit numbers) and the moves
                from there (8-bit numbers).
        """
        cdef _Buffers held = _Buffers()
        cdef Py_buffer* views = held.views
        cdef Py_ssize_t i, count, most, found = 0
        cdef long long at, tries
        cdef Spot* spot
        cdef Edge* edge
        held.take(roots, 8, -1, False, "roots")
        count = views[0].len // 8
        held.take(wanted, 8, count, False, "wanted")
        held.take(leaves, 8, -1, True, "leaves")
        most = views[2].len // 8
        held.take(parents, 8, most, True, "parents")
        held.take(moves, 1, most, True, "moves")
        for i in range(count):
            self.check((<long long*>views[0].buf)[i])
        self.make_room(most, 0)
        with nogil:
            for i in range(count):
                for tries in range((<long long*>views[1].buf)[i]):
                    if found == most:
                        break
                    at = (<long long*>views[0].buf)[i]
                    while True:
                        spot = self.spots + at
                        spot.flight += 1
                        if spot.count < 0 or spot.lower == spot.upper:
                            break
                        edge = self.choice(spot)
                        edge.flight += 1
                        if edge.child < 0:
                            edge.child = self.put(at, edge - self.edges)
                            self.spots[edge.child].flight = 1
                            (<long long*>views[2].buf)[found] = edge.child
                            (<long long*>views[3].buf)[found] = at
                            (<uint8_t*>views[4].buf)[found] = edge.move
                            found += 1
                            at = -1
                            break
                        at = edge.child
                    if at < 0:
                        continue
                    if spot.count < 0:
                        self.recall(at)
                        break
                    self.back(at, spot.lower)
        return found

    def grow(self, leaves, movers, values, lower, upper, placements, passes, logits=None):
        """Value new spots, and give them their moves.

        Args:
            leaves: the spots, 64-bit numbers.
            movers: 0 Black, 1 White, 8-bit numbers.
            values: their values, 32-bit floats.
            lower, upper: their bounds, 8-bit numbers.
            placements, passes: the legal moves, 64-bit sets and 8-bit numbers; none for a spot that is proved.
            logits: 65 for each spot, 32-bit floats; all moves have one prior without.
        """
        cdef _Buffers held = _Buffers()
        cdef Py_buffer* views = held.views
        cdef int j
        cdef Py_ssize_t i, count
        cdef long long at
        cdef u64 placed
        cdef double largest, total
        cdef const float* row
        cdef Spot* spot
        cdef Edge* edge
        held.take(leaves, 8, -1, False, "leaves")
        count = views[0].len // 8
        for item, size, name in ((movers, 1, "movers"), (values, 4, "values"), (lower, 1, "lower"),
                                 (upper, 1, "upper"), (placements, 8, "placements"), (passes, 1, "passes")):
            held.take(item, size, count, False, name)
        if logits is not None:
            held.take(logits, 4, 65 * count, False, "logits")
        for i in range(count):
            self.check((<long long*>views[0].buf)[i])
            if self.spots[(<long long*>views[0].buf)[i]].count >= 0:
                raise ValueError("a spot is valued once")
        self.make_room(0, 65 * count)
        with nogil:
            for i in range(count):
                at = (<long long*>views[0].buf)[i]
                spot = self.spots + at
                spot.mover = (<int8_t*>views[1].buf)[i]
                spot.lower = (<int8_t*>views[3].buf)[i]
                spot.upper = (<int8_t*>views[4].buf)[i]
                spot.first = self.edge_count
                spot.count = 0
                placed = (<u64*>views[5].buf)[i]
                spot.count = rv_count(placed) + (<uint8_t*>views[6].buf)[i]
                edge = self.edges + spot.first
                memset(edge, 0, spot.count * sizeof(Edge))
                for j in range(spot.count):
                    edge[j].child = -1
                    edge[j].move = rv_first(placed) if placed else PASS_MOVE
                    placed &= placed - 1
                self.edge_count += spot.count
                total = 0
                if views[7].buf != NULL and spot.count:
                    row = <const float*>views[7].buf + 65 * i
                    largest = row[edge.move]
                    for j in range(spot.count):
                        largest = max(largest, <double>row[edge[j].move])
                    for j in range(spot.count):
                        edge[j].prior = _exp(row[edge[j].move] - largest)
                        total += edge[j].prior
                for j in range(spot.count):
                    edge[j].prior = edge[j].prior / total if total > 0 else 1.0 / spot.count
                self.back(at, (<float*>views[2].buf)[i])
                if spot.lower > -self.cells or spot.upper < self.cells:
                    self.prove(at)

    def blend(self, long long spot, noise, double share):
        """Mix noise into the priors of a spot: a share of it, 32-bit floats, one for each move."""
        cdef _Buffers held = _Buffers()
        cdef int j
        self.check(spot)
        cdef Py_buffer* view = held.take(noise, 4, max(self.spots[spot].count, 0), False, "noise")
        for j in range(self.spots[spot].count):
            self.edges[self.spots[spot].first + j].prior *= 1 - share
            self.edges[self.spots[spot].first + j].prior += share * (<float*>view.buf)[j]

    def spot(self, long long spot):
        """Return the visits of a spot, the sum of its values, its bounds, and how many moves it has; -1 before."""
        self.check(spot)
        cdef Spot* at = self.spots + spot
        return at.visits, at.total, at.lower, at.upper, at.count

    def moves(self, long long spot):
        """Return the moves of a spot in a1, b1, … order: (move, visits, sum of values, prior, lower, upper) each."""
        cdef int j, low, high
        cdef Spot* at
        cdef Edge* edge
        self.check(spot)
        at = self.spots + spot
        found = []
        for j in range(at.count):
            edge = self.edges + at.first + j
            self.bounds(at, edge, &low, &high)
            found.append((edge.move, edge.visits, edge.total, edge.prior, low, high))
        return found

    def keep(self, roots):
        """Forget all but the trees of these spots (64-bit numbers, each once), which become the first ones.

        Nothing may be under way.

        Returns:
            The former numbers of the spots, 64-bit numbers as bytes.
        """
        cdef _Buffers held = _Buffers()
        cdef Py_buffer* view = held.take(roots, 8, -1, False, "roots")
        cdef Spot* old = self.spots
        cdef Edge* old_edges = self.edges
        cdef long long* former = NULL
        cdef long long i, total = self.count
        cdef int j
        try:
            for i in range(view.len // 8):
                self.check((<long long*>view.buf)[i])
                if old[(<long long*>view.buf)[i]].flight:
                    raise ValueError("a root is kept once, and nothing may be under way")
                old[(<long long*>view.buf)[i]].flight = 1  # the mark of a root
            former = <long long*>malloc(<size_t>(total + 1) * sizeof(long long))
            self.spots = <Spot*>malloc(<size_t>(total + 1) * sizeof(Spot))
            self.edges = <Edge*>malloc(<size_t>(self.edge_count + 1) * sizeof(Edge))
            if former == NULL or self.spots == NULL or self.edges == NULL:
                free(self.spots)
                free(self.edges)
                self.spots, self.edges = old, old_edges
                raise MemoryError
            self.room, self.edge_room = total + 1, self.edge_count + 1
            self.count = self.edge_count = 0
            for i in range(view.len // 8):
                former[self.count] = (<long long*>view.buf)[i]
                self.spots[self.count] = old[former[self.count]]
                self.spots[self.count].parent = -1
                self.spots[self.count].flight = 0
                self.count += 1
            i = 0
            while i < self.count:
                if self.spots[i].count > 0:
                    memcpy(self.edges + self.edge_count, old_edges + self.spots[i].first,
                           self.spots[i].count * sizeof(Edge))
                    self.spots[i].first = self.edge_count
                    for j in range(self.spots[i].count):
                        if (self.edges[self.edge_count].child >= 0
                                and old[self.edges[self.edge_count].child].flight):
                            self.edges[self.edge_count].child = -1  # a root below another has its own tree
                        elif self.edges[self.edge_count].child >= 0:
                            former[self.count] = self.edges[self.edge_count].child
                            self.edges[self.edge_count].child = self.count
                            self.spots[self.count] = old[former[self.count]]
                            self.spots[self.count].parent = i
                            self.spots[self.count].edge = self.edge_count
                            self.count += 1
                        self.edge_count += 1
                i += 1
            free(old)
            free(old_edges)
            return PyBytes_FromStringAndSize(<char*>former, self.count * sizeof(long long))
        finally:
            free(former)
