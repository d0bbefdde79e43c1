# Keys of positions: one 64-bit number for a position and its images under the symmetries of the board, one at a time or
# for every position of many games.


cdef inline u64 _mixed(u64 x) noexcept nogil:
    """The finishing step of SplitMix64 (Steele, Lea and Flood 2014): a bijection that spreads every bit."""
    x = (x ^ x >> 30) * <u64>0xbf58476d1ce4e5b9
    x = (x ^ x >> 27) * <u64>0x94d049bb133111eb
    return x ^ x >> 31


cdef inline u64 _key(u64 p, u64 o, u64 rest) noexcept nogil:
    return _mixed(_mixed(_mixed(p + <u64>0x9e3779b97f4a7c15) + o) + rest)


cdef int _least(u64* p, u64* o, int rows, int columns) noexcept nogil:
    """Replace a pair of disc sets by the least of its images; return the symmetries that lead there, as bits."""
    cdef u64 p0 = p[0], o0 = o[0], q, r
    cdef int i, which = 1
    for i in range(1, 8 if rows == columns else 4):
        q = transform(p0, i, rows, columns)
        if q > p[0]:
            continue
        r = transform(o0, i, rows, columns)
        if q < p[0] or r < o[0]:
            p[0] = q
            o[0] = r
            which = 1 << i
        elif r == o[0]:
            which |= 1 << i
    return which


cdef int _least_square(int square, int which, int rows, int columns) noexcept nogil:
    """Return the least of the squares to which the symmetries move a square."""
    cdef int i, image, best = 64
    for i in range(8):
        if which >> i & 1:
            image = rv_first(transform(rv_bit(square), i, rows, columns))
            if image < best:
                best = image
    return best


def canonical_key(position, salt=0):
    """Return a 64-bit number for a position and its images under the symmetries of the board.

    The number depends on the side to move, the state and, of the rules, the board; ``salt`` distinguishes other rules.
    Different positions may share a number by chance: in a million positions, two share one once in forty million times.
    """
    if not isinstance(position, Position):
        check_type("position", position, Position, advice="Position.parse reads text")
    if type(salt) is not int or not 0 <= salt <= 0xFFFFFFFFFFFFFFFF:
        check_count("salt", salt, 0xFFFFFFFFFFFFFFFF, least=0)
    cdef Position of = position
    cdef u64 p = of.p, o = of.o
    _least(&p, &o, of.rules.board.rows, of.rules.board.columns)
    return _key(p, o, <u64>salt * 8 + <u64>(2 * of.st + of.white_to_move))


def canonical_square(Position position not None, Move move not None):
    """Return the square of a move in the canonical position; 64 for a pass.

    Moves that are equal by a symmetry of the position have the same square.
    """
    cdef u64 p = position.p, o = position.o
    cdef int which, rows = position.rules.board.rows, columns = position.rules.board.columns
    if move.index == PASS_INDEX:
        return PASS_INDEX
    which = _least(&p, &o, rows, columns)
    return _least_square(move.index, which, rows, columns)


def batch_keys(moves, counts, black, white, turns):
    """Replay many games under the standard rules; return the key and the move of every position.

    Args:
        moves: the squares of all moves of all games, 8-bit numbers; 64 is a pass. Missing forced passes are inferred.
        counts: the number of moves of each game, 32-bit numbers.
        black, white: the discs at the start of each game, 64-bit words.
        turns: the side that begins each game, 8-bit numbers: 0 Black, 1 White.

    Returns:
        Six ``bytes`` of numbers. For each position: its key (64 bits), and the canonical square of its move (8 bits: 64
        a pass, 255 none, at the end of a game). For each game: the number of its positions up to the first illegal
        move, those after passes included (32 bits), whether all its moves are legal (8 bits), and the black and the
        white discs after the last legal move (64 bits each).

    Raises:
        ValueError: the buffers do not fit each other, or a number is not a move.
    """
    cdef Py_ssize_t games, game, total = 0
    cdef _Buffers held = _Buffers()
    cdef Py_buffer* each = held.take(counts, 4, -1, False, "counts")
    cdef Py_buffer* every = held.take(moves, 1, -1, False, "moves")
    games = each.len // 4
    for game in range(games):
        if not 0 <= (<const int32_t*>each.buf)[game] <= every.len - total:
            raise ValueError("counts: a game has a negative number of moves, or more than there are")
        total += (<const int32_t*>each.buf)[game]
    if total < every.len:
        raise ValueError(f"moves: {every.len} are more than the games have, {total}")
    held.take(black, 8, games, False, "black")
    held.take(white, 8, games, False, "white")
    held.take(turns, 1, games, False, "turns")
    return _keys_of_games(held.views, games, total)


cdef tuple _keys_of_games(Py_buffer* views, Py_ssize_t games, Py_ssize_t total):
    cdef Py_ssize_t game, at = 0, row = 0, first
    cdef int i, which, square, bad = 0
    cdef u64 p, o, flips, x, y
    cdef bint white_to_move
    cdef u64* to_key
    cdef uint8_t* to_square
    cdef int32_t* to_rows
    cdef uint8_t* to_legal
    cdef u64* to_black
    cdef u64* to_white
    cdef const int32_t* lengths = <const int32_t*>views[0].buf
    cdef const uint8_t* squares = <const uint8_t*>views[1].buf
    cdef const u64* black = <const u64*>views[2].buf
    cdef const u64* white = <const u64*>views[3].buf
    cdef const uint8_t* turns = <const uint8_t*>views[4].buf
    keys = PyBytes_FromStringAndSize(NULL, 8 * (2 * total + games))
    played = PyBytes_FromStringAndSize(NULL, 2 * total + games)
    positions = PyBytes_FromStringAndSize(NULL, 4 * games)
    legal = PyBytes_FromStringAndSize(NULL, games)
    blacks = PyBytes_FromStringAndSize(NULL, 8 * games)
    whites = PyBytes_FromStringAndSize(NULL, 8 * games)
    to_key = <u64*>PyBytes_AS_STRING(keys)
    to_square = <uint8_t*>PyBytes_AS_STRING(played)
    to_rows = <int32_t*>PyBytes_AS_STRING(positions)
    to_legal = <uint8_t*>PyBytes_AS_STRING(legal)
    to_black = <u64*>PyBytes_AS_STRING(blacks)
    to_white = <u64*>PyBytes_AS_STRING(whites)
    with nogil:
        for game in range(games):
            first = row
            white_to_move = turns[game] != 0
            p = white[game] if white_to_move else black[game]
            o = black[game] if white_to_move else white[game]
            to_legal[game] = 1
            for i in range(lengths[game]):
                square = squares[at + i]
                bad |= square > 64
                if square > 63 or not kernel.may_place(CAPTURE, ~<u64>0, FRESH, p, o, square, &flips):
                    # a pass, written or left out
                    if not owes_pass(CAPTURE, ~<u64>0, FRESH, p, o):
                        to_legal[game] = 0
                        break
                    x, y = p, o
                    _least(&x, &y, 8, 8)
                    to_key[row] = _key(x, y, white_to_move)
                    to_square[row] = 64
                    row += 1
                    p, o = o, p
                    white_to_move = not white_to_move
                    if square > 63:
                        continue
                    if not kernel.may_place(CAPTURE, ~<u64>0, FRESH, p, o, square, &flips):
                        to_legal[game] = 0
                        break
                x, y = p, o
                which = _least(&x, &y, 8, 8)
                to_key[row] = _key(x, y, white_to_move)
                to_square[row] = <uint8_t>_least_square(square, which, 8, 8)
                row += 1
                p ^= flips | rv_bit(square)
                o ^= flips
                p, o = o, p
                white_to_move = not white_to_move
            at += lengths[game]
            x, y = p, o
            _least(&x, &y, 8, 8)
            to_key[row] = _key(x, y, white_to_move)
            to_square[row] = 255
            row += 1
            to_rows[game] = <int32_t>(row - first)
            to_black[game] = o if white_to_move else p
            to_white[game] = p if white_to_move else o
    if bad:
        raise ValueError("moves: a number is not a move")
    return keys[:8 * row], played[:row], positions, legal, blacks, whites
