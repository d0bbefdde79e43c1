# PGN-like text as most games are written: tags, then moves, perhaps with comments, then a result. What has any other
# shape is left to reversi.records.formats.pgn, which reads everything. Both read a game of this shape alike.

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
    MOST_NOTES = 400

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


# What a comment says about a turn: numbers below the least are missing. The layout is that of reversi.records.record.
cdef struct Note:
    int64_t clock      # milliseconds, -1 for none
    int64_t elapsed
    int32_t value      # hundredths of a disc
    uint8_t turn       # counted from 0
    int8_t kind        # index of KIND_NAMES, -1 for no value
    uint8_t percent
    uint8_t is_text    # whether there is free text

cdef enum:
    CLOCK = 1
    ELAPSED = 2
    VALUE = 4

cdef int SELECTIVE_KIND = 4
cdef const char** KIND_NAMES = ["exact", "lower", "upper", "wld", "selective", "heuristic", "book"]


cdef inline bint in_comment(uint32_t c) noexcept nogil:
    """Whether a character of a comment stands for itself."""
    return (32 <= c < 127 and c != c'}' and c != c'\\' and c != c'[') or (160 <= c < 0xd800) or c > 0xdfff


cdef inline Py_ssize_t blanks_end(const Text* text, Py_ssize_t at) noexcept nogil:
    """Where blanks end in a comment, a line end among them."""
    while char_at(text, at) == c' ' or char_at(text, at) == c'\n':
        at += 1
    return at


cdef inline Py_ssize_t word_end(const Text* text, Py_ssize_t at, const char* word) noexcept nogil:
    """Where a word ends that stands at `at`; else 0."""
    cdef Py_ssize_t i = 0
    while word[i]:
        if char_at(text, at + i) != <uint32_t>word[i]:
            return 0
        i += 1
    return at + i


cdef inline Py_ssize_t digits_end(const Text* text, Py_ssize_t at, int most, int64_t* number) noexcept nogil:
    """Where up to `most` digits end, and their number; 0 for none, or for more."""
    cdef Py_ssize_t begin = at
    number[0] = 0
    while is_digit(char_at(text, at)) and at - begin <= most:
        number[0] = 10 * number[0] + char_at(text, at) - c'0'
        at += 1
    return at if 1 <= at - begin <= most else 0


cdef Py_ssize_t clock_end(const Text* text, Py_ssize_t at, int64_t* milliseconds) noexcept nogil:
    """Where a time ends, as in `0:05:12.5`; else 0."""
    cdef int64_t hours, sixty, part
    cdef Py_ssize_t end
    at = digits_end(text, at, 6, &hours)
    if at == 0:
        return 0
    milliseconds[0] = hours
    for _ in range(2):
        if char_at(text, at) != c':':
            return 0
        end = digits_end(text, at + 1, 2, &sixty)
        if end != at + 3 or sixty >= 60:
            return 0
        milliseconds[0] = 60 * milliseconds[0] + sixty
        at = end
    milliseconds[0] *= 1000
    if char_at(text, at) == c'.':
        end = digits_end(text, at + 1, 3, &part)
        if end == 0:
            return 0
        milliseconds[0] += part * (100 if end == at + 2 else 10 if end == at + 3 else 1)
        at = end
    return at


cdef Py_ssize_t value_end(const Text* text, Py_ssize_t at, Note* note) noexcept nogil:
    """Where a value with its kind ends, as in `+4 exact`; else 0."""
    cdef int64_t whole, part = 0, percent = 100
    cdef bint negative = char_at(text, at) == c'-'
    cdef Py_ssize_t end
    cdef int kind
    if negative or char_at(text, at) == c'+':
        at += 1
    at = digits_end(text, at, 4, &whole)
    if at == 0:
        return 0
    if char_at(text, at) == c'.':
        end = digits_end(text, at + 1, 2, &part)
        if end == 0:
            return 0
        part *= 10 if end == at + 2 else 1
        at = end
    end = blanks_end(text, at)
    if end == at:
        return 0
    for kind in range(7):
        at = word_end(text, end, KIND_NAMES[kind])
        if at:
            break
    else:
        return 0
    if kind == SELECTIVE_KIND:
        end = blanks_end(text, at)
        if end == at:
            return 0
        at = digits_end(text, end, 3, &percent)
        if at == 0 or percent > 100 or char_at(text, at) != c'%':
            return 0
        at += 1
    note.value = <int32_t>(100 * whole + part)
    if negative:
        note.value = -note.value
    note.kind = <int8_t>kind
    note.percent = <uint8_t>percent
    return at


cdef Py_ssize_t note_end(const Text* text, Py_ssize_t at, int* given, Note* note, Py_ssize_t* free) noexcept nogil:
    """Where a comment ends that has commands in their common form, then free text; 0 for any other.

    Args:
        text: the whole text.
        at: where its brace is.
        given: the commands that the turn has had, and has then.
        note: what it says.
        free: where the free text begins.
    """
    cdef Py_ssize_t value
    cdef uint32_t c
    note.clock = note.elapsed = note.kind = -1
    note.value = note.percent = note.is_text = 0
    at = blanks_end(text, at + 1)
    while char_at(text, at) == c'[':
        if (value := word_end(text, at, "[%clk")) and not given[0] & CLOCK:
            given[0] |= CLOCK
            at = clock_end(text, blanks_end(text, value), &note.clock)
        elif (value := word_end(text, at, "[%emt")) and not given[0] & ELAPSED:
            given[0] |= ELAPSED
            at = clock_end(text, blanks_end(text, value), &note.elapsed)
        elif (value := word_end(text, at, "[%eval")) and not given[0] & VALUE:
            given[0] |= VALUE
            at = value_end(text, blanks_end(text, value), note)
        else:
            return 0
        if at == 0 or (char_at(text, value) != c' ' and char_at(text, value) != c'\n'):
            return 0
        at = blanks_end(text, at)
        if char_at(text, at) != c']':
            return 0
        at = blanks_end(text, at + 1)
    free[0] = at
    while True:
        c = char_at(text, at)
        if c == c'}':
            return at + 1
        if not in_comment(c) and c != c'\n':
            return 0
        note.is_text |= c != c' ' and c != c'\n'
        at += 1


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
    """Read numbered moves with comments after them, and the result if the game has nothing else.

    Args:
        text: the whole text; lines end in line feeds.
        at: where the moves begin.

    Returns:
        The moves as numbers of squares (64 is a pass), one byte each; for each, how many lines after the line of
        ``at`` it is, one byte each; what the comments say, packed, and their free texts; the number of words read,
        comments included; where the result begins and where it ends, -1 and -1
        without one; where the reading ends; and whether that is the end of the game: the end of the text, the tag of
        another game at the beginning of a line, or, after a result, any bracket. Where it is not, the reading ends
        before the first word that is no plain move, number or comment, and there is no result. A comment is read where
        it follows a move and its commands are clocks, times and values in their common form.

    Raises:
        ValueError: ``at`` is not in the text.
    """
    cdef Text t = text_of(text)
    cdef uint8_t moves[MOST_TURNS]
    cdef uint8_t lines[MOST_TURNS]
    cdef Note notes[MOST_NOTES]
    cdef int count = 0, words = 0, line = 0, move, noted = 0, given = 0
    cdef Py_ssize_t end, begin, free, result = -1, result_to = -1
    cdef list texts = []
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
        if c == c'{':
            end = note_end(&t, at, &given, &notes[noted], &free) if count and noted < MOST_NOTES else 0
            if end == 0:
                break
            for begin in range(at, end):
                line += char_at(&t, begin) == c'\n'
            notes[noted].turn = <uint8_t>(count - 1)
            if notes[noted].is_text:
                texts.append(PyUnicode_Substring(text, free, end - 1))
            noted += 1
            words += 1
            at = end
            continue
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
        given = 0
        at = end
    if result < 0:
        result_to = -1
    said = <bytes>(<char*>notes)[:noted * <int>sizeof(Note)]
    return (<bytes>(<char*>moves)[:count], <bytes>(<char*>lines)[:count], said, tuple(texts), words, result, result_to, at, whole)


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
