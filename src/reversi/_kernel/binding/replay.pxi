# Replay of many games in one call, without a Python object per move.

# why the replay of a game stops
cdef enum:
    REPLAY_DONE = 0      # it does not: every move is legal
    REPLAY_NO_MOVE = 1   # a byte that is not a move
    REPLAY_ILLEGAL = 2   # an illegal placement
    REPLAY_PASS = 3      # an illegal pass
    REPLAY_AFTER_END = 4 # a move after the end of the moves

cdef enum:
    END_INDEX = 65       # in an encoding: the end of the moves

# The result of one replay. Its size and layout are part of the interface (REPLAY_FORMAT).
cdef packed struct Replay:
    u64 black            # the discs at the end, or where the replay stops
    u64 white
    uint8_t plies        # turns played, passes included
    uint8_t passes       # those of them that are passes
    uint8_t placed       # those of them that are placements
    uint8_t white_to_move
    uint8_t over         # neither side has a placement
    uint8_t stopped      # one of the reasons above
    uint8_t at           # where in the game's bytes it stops
    uint8_t padding

REPLAY_FORMAT = "<QQ8B"

cdef enum:
    MOST_PLIES = 250     # a game has fewer: at most 64 placements, and one or two passes between them


cdef inline bint owes_pass(int flags, u64 mask, int state, u64 p, u64 o) noexcept nogil:
    """Whether the mover has a pass and nothing else: what a game that writes no pass leaves out."""
    cdef u64 placed
    return kernel.legal(flags, mask, state, p, o, &placed) and placed == 0


cdef inline void replay_one(Context* c, u64 p, u64 o, bint white, const uint8_t* moves, int length,
                            const uint8_t* encoding, Replay* out, uint8_t* line) noexcept nogil:
    """Replay one game and write its plies to `line`, unless that is NULL."""
    cdef int i, move, plies = 0, passes = 0
    cdef u64 flips, bit, t
    cdef bint infer = True
    cdef int stopped = REPLAY_DONE
    for i in range(length):
        if encoding[moves[i]] == PASS_INDEX:
            infer = False
            break
    i = 0
    while i < length:
        move = encoding[moves[i]]
        if move == END_INDEX:
            for move in range(i + 1, length):
                if encoding[moves[move]] != END_INDEX:
                    stopped = REPLAY_AFTER_END
                    i = move
                    break
            break
        if move > PASS_INDEX:
            stopped = REPLAY_NO_MOVE
            break
        if move == PASS_INDEX:
            if not owes_pass(flags_of(c), mask_of(c), FRESH, p, o):
                stopped = REPLAY_PASS
                break
            flips = bit = 0
            passes += 1
        else:
            bit = rv_bit(move)
            flips = kernel.flips(p, o, move)
            if not rv_is_placement(flags_of(c), mask_of(c), p, o, move, flips):
                if infer and owes_pass(flags_of(c), mask_of(c), FRESH, p, o):
                    if line != NULL:
                        line[plies] = PASS_INDEX
                    plies += 1
                    passes += 1
                    t = p
                    p = o
                    o = t
                    white = not white
                    continue  # the same move again, by the other side, which has a placement
                stopped = REPLAY_ILLEGAL
                break
        if line != NULL:
            line[plies] = <uint8_t>move
        plies += 1
        t = o ^ flips
        o = p ^ flips ^ bit
        p = t
        white = not white
        i += 1
    out.black = o if white else p
    out.white = p if white else o
    out.plies = <uint8_t>plies
    out.passes = <uint8_t>passes
    out.placed = <uint8_t>(plies - passes)
    out.white_to_move = white
    out.over = rv_is_over(flags_of(c), mask_of(c), FRESH, p, o)
    out.stopped = <uint8_t>stopped
    out.at = <uint8_t>(i if stopped else 0)
    out.padding = 0


cdef void replay_many(Context* c, u64 p, u64 o, bint white, const uint8_t* moves, Py_ssize_t step, Py_ssize_t count,
                      int length, const uint8_t* encoding, Replay* out, uint8_t* lines) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(count):
        replay_one(c, p, o, white, moves + i * step, length, encoding, out + i,
                   lines + i * 2 * length if lines != NULL else NULL)


def batch_replay(Position start not None, moves, encoding, Py_ssize_t first, Py_ssize_t step, int length, out,
                 lines=None):
    """Replay many games that begin at one position, without the interpreter.

    The moves of game ``i`` are the ``length`` bytes of ``moves`` from ``first + i * step`` on. In games whose bytes
    have no pass, the replay infers forced passes.

    Args:
        start: the first position of every game, under rules without an optional skip.
        moves: any buffer of bytes.
        encoding: 256 bytes, the meaning of each byte of ``moves``: the number of a square, 64 a pass, 65 the end of the
            moves (only more of them may follow); any other value is not a move.
        first: the offset of the first game's moves.
        step: the distance from one game to the next.
        length: the bytes of a game's moves; at most 120.
        out: a writable buffer of 24 bytes for each game; its size sets the number of games. Its layout is
            `REPLAY_FORMAT`: black and white discs, plies, passes, placements, whether White is to move, whether the
            game is over, why the replay stops (0 it does not, 1 not a move, 2 an illegal placement, 3 an illegal pass,
            4 a move after the end of the moves), the byte of the game at which it stops, and 0. When it stops, the
            other fields describe the position before that byte.
        lines: a writable buffer of ``2 * length`` bytes for each game, or ``None``. It receives the plies, passes
            included, as many as ``out`` counts.

    Raises:
        ValueError: the buffers do not fit, or the rules have optional skips.
    """
    cdef _Buffers held = _Buffers()
    cdef Py_buffer* vmoves
    cdef Py_buffer* vcode
    cdef Py_buffer* vout
    cdef Py_ssize_t count, room
    cdef Search s
    cdef uint8_t* to = NULL
    cdef const uint8_t* at
    if start.flags & SKIP:
        raise ValueError(f"passes cannot be inferred under {start.rules}")
    if not 0 < length <= 120 or step < 0 or first < 0:
        raise ValueError("length must be 1 to 120, and first and step 0 or more")
    memset(&s, 0, sizeof(Search))
    s.leaf.mask = start.mask
    s.leaf.flags = start.flags
    vcode = held.take(encoding, 1, 256, False, "encoding")
    vout = held.take(out, sizeof(Replay), -1, True, "out")
    vmoves = held.take(moves, 1, -1, False, "moves")
    count = vout.len // <Py_ssize_t>sizeof(Replay)
    room = vmoves.len - length  # where the last game may begin
    if count and (first > room or (count - 1) > (room - first) // max(step, 1)):
        raise ValueError(f"moves: {vmoves.len} bytes do not hold {count} games")
    if lines is not None:
        to = <uint8_t*>held.take(lines, 1, count * 2 * length, True, "lines").buf
    at = <const uint8_t*>vmoves.buf + first
    with nogil:
        if is_standard(&s):
            replay_many(<Standard*>&s, start.p, start.o, start.white_to_move, at, step, count, length,
                        <const uint8_t*>vcode.buf, <Replay*>vout.buf, to)
        elif s.leaf.flags & CAPTURE:
            replay_many(<Masked*>&s, start.p, start.o, start.white_to_move, at, step, count, length,
                        <const uint8_t*>vcode.buf, <Replay*>vout.buf, to)
        else:
            replay_many(<Free*>&s, start.p, start.o, start.white_to_move, at, step, count, length,
                        <const uint8_t*>vcode.buf, <Replay*>vout.buf, to)


cdef inline bint play_move(int flags, u64 mask, int* state, u64* p, u64* o, int move) noexcept nogil:
    """Play a move, 64 for a pass, unless it is not allowed; return whether it is."""
    cdef u64 flips, t = p[0]
    if move < PASS_INDEX:
        if not kernel.may_place(flags, mask, state[0], p[0], o[0], move, &flips):
            return False
        p[0] = o[0] ^ flips
        o[0] = t ^ flips ^ rv_bit(move)
        state[0] = FRESH
        return True
    if move > PASS_INDEX or not kernel.legal(flags, mask, state[0], p[0], o[0], &flips):
        return False
    state[0] = rv_after_pass(flags, state[0])
    p[0] = o[0]
    o[0] = t
    return True


def replay_line(Position start not None, bytes moves not None, bint put_in):
    """Play moves up to the first that is not allowed.

    Args:
        start: the position before them.
        moves: numbers of squares, one byte each; 64 is a pass.
        put_in: whether a forced pass is put in where the moves leave it out.

    Returns:
        The moves played, those put in among them; the position after them; and whether they are all.
    """
    cdef uint8_t line[MOST_PLIES]
    cdef const uint8_t* codes = <const uint8_t*><const char*>moves
    cdef Py_ssize_t length = len(moves), i = 0
    cdef int plies = 0, st = start.st, flags = start.flags, move
    cdef u64 p = start.p, o = start.o, mask = start.mask
    cdef bint white = start.white_to_move
    cdef Position end
    while i < length and plies < MOST_PLIES:
        move = codes[i]
        if not play_move(flags, mask, &st, &p, &o, move):
            if not (move < PASS_INDEX and put_in and owes_pass(flags, mask, st, p, o)):
                break
            i -= 1  # the same move again, by the other side
            move = PASS_INDEX
            play_move(flags, mask, &st, &p, &o, move)
        line[plies] = <uint8_t>move
        plies += 1
        white = not white
        i += 1
    end = start.bare()
    end.p = p
    end.o = o
    end.st = st
    end.white_to_move = white
    played = moves if plies == length == i else <bytes>(<char*>line)[:plies]
    return played, end, i == length


def first_fit(Position start not None, bytes moves not None, bytes patterns not None):
    """Return after how many moves of a line a position fits a pattern first; -1 where none does.

    Args:
        start: the position before the moves.
        moves: numbers of squares, one byte each; 64 is a pass. The line ends before one that is not allowed.
        patterns: of each pattern three words of 8 bytes in the order of this machine: squares that are black, squares
            that are white, and squares that are empty.
    """
    cdef const uint8_t* codes = <const uint8_t*><const char*>moves
    cdef const char* words = patterns
    cdef Py_ssize_t length = len(moves), count = len(patterns) // 24, i, j
    cdef int st = start.st
    cdef u64 p = start.p, o = start.o, black, white
    cdef u64 wanted[3]
    for i in range(length + 1):
        black, white = (p, o) if start.white_to_move == (i & 1) else (o, p)
        for j in range(count):
            memcpy(wanted, words + 24 * j, 24)
            if black & wanted[0] == wanted[0] and white & wanted[1] == wanted[1] and not (black | white) & wanted[2]:
                return i
        if i == length or not play_move(start.flags, start.mask, &st, &p, &o, codes[i]):
            break
    return -1
