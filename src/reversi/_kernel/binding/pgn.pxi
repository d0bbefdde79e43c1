# PGN-like text as most games are written: tags, then moves, then a result, and nothing else. What has any other shape
# is left to reversi.records.formats.pgn, which reads everything. Both read a game of this shape alike.

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t index) nogil
    object PyUnicode_Substring(object text, Py_ssize_t begin, Py_ssize_t end)

cdef enum:
    MOST_TAGS = 64     # of a game of this shape
    MOST_TURNS = 200
    MOST_WORDS = 1000
    MOST_LINES = 255   # between the first move and the last

cdef const char* DRAWN = "1/2-1/2"

# A text; after its end come zeros, which no game of this shape has.
cdef struct Text:
    int kind
    void* data
    Py_ssize_t length


cdef inline Text text_of(str text):
    cdef Text found
    found.kind = PyUnicode_KIND(text)
    found.data = PyUnicode_DATA(text)
    found.length = PyUnicode_GET_LENGTH(text)
    return found


cdef inline uint32_t char_at(const Text* text, Py_ssize_t at) noexcept nogil:
    return PyUnicode_READ(text.kind, text.data, at) if at < text.length else 0


cdef inline bint is_digit(uint32_t c) noexcept nogil:
    return c'0' <= c <= c'9'


cdef inline bint in_name(uint32_t c) noexcept nogil:
    return c'a' <= c <= c'z' or c'A' <= c <= c'Z' or c'0' <= c <= c'9' or c == c'_'


cdef inline bint on_line(uint32_t c) noexcept nogil:
    return c == c' ' or c == c'\t'


cdef inline bint is_blank(uint32_t c) noexcept nogil:
    return c == c' ' or c == c'\n' or c == c'\t'


cdef inline bint ends_word(const Text* text, Py_ssize_t at) noexcept nogil:
    """Whether a word is over: a blank follows, a bracket, what begins a comment or a glyph, or the end of the text."""
    cdef uint32_t c = char_at(text, at)
    return (at >= text.length or is_blank(c) or c == c'{' or c == c'}' or c == c'(' or c == c')' or c == c'['
            or c == c']' or c == c';' or c == c'$')


cdef Py_ssize_t name_end(const Text* text, Py_ssize_t at) noexcept nogil:
    """Where the name of a tag ends whose bracket is at `at`, if its value follows in quotes; else 0."""
    cdef Py_ssize_t begin, end
    at += 1
    while on_line(char_at(text, at)):
        at += 1
    begin = at
    while in_name(char_at(text, at)):
        at += 1
    end = at
    while on_line(char_at(text, at)):
        at += 1
    return end if begin < end < at and char_at(text, at) == c'"' else 0


def scan_tags(str text not None, Py_ssize_t at):
    """Read the tags of a game that has them as most games have.

    Args:
        text: the whole text; lines end in line feeds.
        at: where the bracket of the first tag is.

    Returns:
        The names, the values, the places of the brackets, and where the text goes on after the tags: the end of the
        text, or a visible ASCII character that begins neither a tag nor a comment. ``None`` for tags in any other
        form: a value with a backslash, a quote or a control character, another name than of ASCII letters, digits
        and ``_``, a name that is the first one again, too many tags, comments.
    """
    cdef Text t = text_of(text)
    cdef Py_ssize_t begins[MOST_TAGS]
    cdef Py_ssize_t places[4 * MOST_TAGS]  # of the name and of the value: begin and end
    cdef Py_ssize_t begin, end
    cdef uint32_t c
    cdef int count = 0, i
    if at < 0:
        return None
    while char_at(&t, at) == c'[':
        end = name_end(&t, at)
        if end == 0 or count == MOST_TAGS:
            return None
        begin = end
        while in_name(char_at(&t, begin - 1)):  # a bracket or a blank is before it
            begin -= 1
        begins[count] = at
        places[4 * count] = begin
        places[4 * count + 1] = end
        at = end
        while char_at(&t, at) != c'"':
            at += 1
        at += 1
        places[4 * count + 2] = at
        while True:
            c = char_at(&t, at)
            if c == c'"':
                break
            if c < 32 or c == c'\\' or c == 127:
                return None
            at += 1
        places[4 * count + 3] = at
        at += 1
        while on_line(char_at(&t, at)):
            at += 1
        if char_at(&t, at) != c']':
            return None
        at += 1
        count += 1
        while is_blank(char_at(&t, at)):
            at += 1
    if count == 0:
        return None
    c = char_at(&t, at)
    if at < t.length and (c <= 32 or c >= 127 or c == c'{' or c == c';' or c == c'%'):
        return None
    names = tuple([PyUnicode_Substring(text, places[4 * i], places[4 * i + 1]) for i in range(count)])
    if count > 1 and names[0] in names[1:]:
        return None
    values = [PyUnicode_Substring(text, places[4 * i + 2], places[4 * i + 3]) for i in range(count)]
    return names, values, [begins[i] for i in range(count)], at


cdef int move_at(const Text* text, Py_ssize_t at, Py_ssize_t* end) noexcept nogil:
    """The number of the square or pass that is the word at `at`, and where the word ends; -1 for another word."""
    cdef uint32_t a = char_at(text, at), b = char_at(text, at + 1), low = a | 32
    end[0] = at + 2
    if c'1' <= b <= c'8' and c'a' <= low <= c'h' and a < 128:
        return <int>(8 * (b - c'1') + low - c'a') if ends_word(text, at + 2) else -1
    if a == c'-' and b == c'-':
        return PASS_INDEX if ends_word(text, at + 2) else -1
    if a == c'p' and b == c'a' or a == c'P' and b == c'A' or a == c'P' and b == c'a':
        if ends_word(text, at + 2):
            return PASS_INDEX if (a == c'P') == (b == c'A') else -1
        end[0] = at + 4
        if b == c'a' and char_at(text, at + 2) == c's' and char_at(text, at + 3) == c's':
            return PASS_INDEX if ends_word(text, at + 4) else -1
        if b == c'A' and char_at(text, at + 2) == c'S' and char_at(text, at + 3) == c'S':
            return PASS_INDEX if ends_word(text, at + 4) else -1
    return -1


cdef Py_ssize_t result_end(const Text* text, Py_ssize_t at) noexcept nogil:
    """Where the word at `at` ends, if it is a result; else 0."""
    cdef Py_ssize_t begin = at
    cdef int i
    if char_at(text, at) == c'*':
        return at + 1 if ends_word(text, at + 1) else 0
    if char_at(text, at) == c'1' and char_at(text, at + 1) == c'/':
        for i in range(7):
            if char_at(text, at + i) != <uint32_t>DRAWN[i]:
                return 0
        return at + 7 if ends_word(text, at + 7) else 0
    while is_digit(char_at(text, at)):
        at += 1
    if not 1 <= at - begin <= 3 or char_at(text, at) != c'-':
        return 0
    at += 1
    begin = at
    while is_digit(char_at(text, at)):
        at += 1
    return at if 1 <= at - begin <= 3 and ends_word(text, at) else 0


def scan_moves(str text not None, Py_ssize_t at):
    """Read numbered moves, and the result after them if the game has nothing else.

    Args:
        text: the whole text; lines end in line feeds.
        at: where the moves begin.

    Returns:
        The moves as numbers of squares (64 is a pass), one byte each; for each, how many lines after the line of
        ``at`` it is, one byte each; the number of words read; where the result begins and where it ends, -1 and -1
        without one; where the reading ends; and whether that is the end of the game: the end of the text, the tag of
        another game at the beginning of a line, or, after a result, any bracket. Where it is not, the reading ends
        before the first word that is no plain move or number, and there is no result.

    Raises:
        ValueError: ``at`` is not in the text.
    """
    cdef Text t = text_of(text)
    cdef uint8_t moves[MOST_TURNS]
    cdef uint8_t lines[MOST_TURNS]
    cdef int count = 0, words = 0, line = 0, move
    cdef Py_ssize_t end, begin, result = -1, result_to = -1
    cdef uint32_t c
    cdef bint whole = False
    if not 0 <= at <= t.length:
        raise ValueError("a place outside the text")
    while True:
        c = char_at(&t, at)
        if c == c'\n':
            line += 1
            at += 1
            continue
        if on_line(c):
            at += 1
            continue
        if at == t.length:
            whole = True
            break
        if c == c'[':
            whole = (at == 0 or char_at(&t, at - 1) == c'\n') and name_end(&t, at) != 0
            break
        if words == MOST_WORDS or count == MOST_TURNS or line > MOST_LINES:
            break
        begin = at
        if is_digit(c) or c == c'*':
            result_to = result_end(&t, at)
            if result_to:
                end = result_to
                while is_blank(char_at(&t, end)):
                    end += 1
                if end == t.length or char_at(&t, end) == c'[':
                    result = at
                    at = end
                    words += 1
                    whole = True
                break
            while is_digit(char_at(&t, at)):
                at += 1
            if not 1 <= at - begin <= 4:
                at = begin
                break
            if char_at(&t, at) != c'.':
                if not is_blank(char_at(&t, at)):  # at the end of the text it may be the beginning of a result
                    at = begin
                    break
                words += 1
                continue
            while char_at(&t, at) == c'.':
                at += 1
            if ends_word(&t, at):
                words += 1
                continue
            move = move_at(&t, at, &end)
            if end >= t.length:  # it may be the beginning of a longer word
                move = -1
        else:
            move = move_at(&t, at, &end)
        if move < 0:
            at = begin
            break
        moves[count] = <uint8_t>move
        lines[count] = <uint8_t>line
        count += 1
        words += 1
        at = end
    if result < 0:
        result_to = -1
    return (<bytes>(<char*>moves)[:count], <bytes>(<char*>lines)[:count], words, result, result_to, at, whole)


def replay_line(Position start not None, bytes moves not None, bint put_in):
    """Play moves, and put in the forced passes that are left out.

    Args:
        start: the position before them.
        moves: numbers of squares, one byte each; 64 is a pass.
        put_in: whether a forced pass is put in where the moves leave it out.

    Returns:
        The moves, passes included, and the position after them; ``None`` where a move is not allowed, or there are
        too many.
    """
    cdef uint8_t line[2 * MOST_TURNS]
    cdef const uint8_t* codes = <const uint8_t*><const char*>moves
    cdef Py_ssize_t length = len(moves), i = 0
    cdef int plies = 0, st = start.st, flags = start.flags, move
    cdef u64 p = start.p, o = start.o, mask = start.mask, flips, placed, t
    cdef bint white = start.white_to_move, can_pass, passes = False
    cdef Position end
    if length > MOST_TURNS:
        return None
    while i < length:
        move = codes[i]
        if move < PASS_INDEX and kernel.may_place(flags, mask, st, p, o, move, &flips):
            t = p
            p = o ^ flips
            o = t ^ flips ^ rv_bit(move)
            st = FRESH
        else:
            can_pass = kernel.legal(flags, mask, st, p, o, &placed)
            if not can_pass or (move != PASS_INDEX and (placed or not put_in)):
                return None
            st = rv_after_pass(flags, st)
            t = p
            p = o
            o = t
            if move != PASS_INDEX:
                if passes:  # a second pass in a row
                    return None
                line[plies] = PASS_INDEX
                plies += 1
                white = not white
                passes = True
                continue
        passes = False
        line[plies] = <uint8_t>move
        plies += 1
        white = not white
        i += 1
    end = start.bare()
    end.p = p
    end.o = o
    end.st = st
    end.white_to_move = white
    return moves if plies == length else <bytes>(<char*>line)[:plies], end
