# The moves of a line of text, whatever format the line is of: squares, passes, numbers, and comments in braces; and
# the turns in a list of properties.

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t index) nogil
    object PyUnicode_Substring(object text, Py_ssize_t begin, Py_ssize_t end)

cdef enum:
    MOST_READ = 250      # moves
    MOST_LINES = 255     # between the first move and the last
    MOST_COMMENTS = 400
    MOST_VALUES = 64     # of properties before the turns of a game
    MOST_NAME = 60       # letters of the name of a property

# A text; after its end come zeros, which are no part of a move.
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


cdef inline uint32_t letter(const Text* text, Py_ssize_t at) noexcept nogil:
    """A letter in lower case; anything else is itself, or no ASCII letter."""
    cdef uint32_t c = char_at(text, at)
    return c | 32 if c'A' <= c <= c'Z' else c


cdef inline bint is_between(const Text* between, uint32_t c) noexcept nogil:
    cdef Py_ssize_t i
    if c == c' ' or c == c'\n' or c == c'\t':
        return True
    for i in range(between.length):
        if char_at(between, i) == c:
            return True
    return False


cdef inline bint ends_word(const Text* text, Py_ssize_t at, const Text* between) noexcept nogil:
    """Whether a word is over: what separates words follows, a bracket, what begins a comment or a glyph, or nothing."""
    cdef uint32_t c = char_at(text, at)
    return (at >= text.length or is_between(between, c) or c == c'{' or c == c'}' or c == c'(' or c == c')'
            or c == c'[' or c == c']' or c == c';' or c == c'$')


cdef Py_ssize_t pass_end(const Text* text, Py_ssize_t at, const Text* between) noexcept nogil:
    """Where the word at `at` ends, if it is a pass in letters or at signs; else 0."""
    cdef uint32_t b = letter(text, at + 1)
    cdef Py_ssize_t end = 0
    if letter(text, at) == c'p' and (b == c'a' or b == c's' or b == c'p'):
        end = at + 2
        if b == c'a' and letter(text, at + 2) == c's' and letter(text, at + 3) == c's':
            end = at + 4
    elif char_at(text, at) == c'@' and b == c'@':
        end = at + 4 if char_at(text, at + 2) == c'@' and char_at(text, at + 3) == c'@' else at + 2
    return end if end and ends_word(text, end, between) else 0


cdef Py_ssize_t word_end(const Text* text, Py_ssize_t at, const Text* between, uint8_t* moves, int* count) noexcept nogil:
    """Where the word at `at` ends, whose moves are added to `moves`; 0 for a word that is not made of moves."""
    cdef Py_ssize_t begin = at, end
    cdef uint32_t c
    cdef bint dash_between
    if is_digit(char_at(text, at)):
        while is_digit(char_at(text, at)):
            at += 1
        if at - begin > 3 or char_at(text, at) != c'.':
            return 0
        while char_at(text, at) == c'.':
            at += 1
        if ends_word(text, at, between):
            return at
    elif end := pass_end(text, at, between):
        moves[count[0]] = PASS_INDEX
        count[0] += 1
        return end
    while count[0] < MOST_READ:
        c = letter(text, at)
        if c'a' <= c <= c'h' and c'1' <= char_at(text, at + 1) <= c'8':
            moves[count[0]] = <uint8_t>(8 * (char_at(text, at + 1) - c'1') + c - c'a')
        elif c == c'-' and char_at(text, at + 1) == c'-':
            dash_between = is_between(between, c)
            if dash_between and char_at(text, at + 2) == c'-':
                return 0
            moves[count[0]] = PASS_INDEX
        else:
            return 0
        count[0] += 1
        at += 2
        if ends_word(text, at, between):
            return at
    return 0


cdef Py_ssize_t comment_end(const Text* text, Py_ssize_t at, int* lines) noexcept nogil:
    """Where a comment ends whose brace is at `at`; 0 where it has a backslash, or a line that begins like a tag.

    Its line ends are added to `lines` unless it is 0.
    """
    cdef uint32_t c
    cdef int ends = 0
    while at < text.length:
        c = char_at(text, at)
        at += 1
        if c == c'}':
            lines[0] += ends
            return at
        if c == c'\\':
            return 0
        if c == c'\n':
            ends += 1
            while char_at(text, at) == c' ' or char_at(text, at) == c'\t':
                at += 1
            if char_at(text, at) == c'[' and char_at(text, at + 1) != c'%':
                return 0
    return 0


def read_moves(str text not None, Py_ssize_t at=0, str between not None="", bint comments=False,
               Py_ssize_t end=-1):
    """Read the moves of a text, up to the first word that is none.

    A move is a square in any case, or a pass: ``--``, or as a word of its own ``pass``, ``pa``, ``ps``, ``pp``, ``@@``
    or ``@@@@``. Squares and ``--`` may follow one another without anything between them. Numbers of up to three digits
    with dots after them are skipped, where a word begins. A word that has anything else in it is not read at all.

    Args:
        text: the whole text; lines end in line feeds.
        at: where to begin.
        between: the characters that separate words, beside blanks, tabs and line ends. With ``-``, a single dash does,
            and more than two in a row are not read.
        comments: whether to read comments in braces that follow a move. One that has a backslash, or a line that begins
            like a tag, is not read.
        end: where the text ends, if it is not read to its own end.

    Returns:
        The moves as numbers of squares (64 is a pass), one byte each; for each, how many lines after that of ``at`` it
        is, one byte each; for each comment the index of the move that it follows, one byte each, and its text; and
        where the reading ends: at the beginning of a word or comment that is not read, or at the end of the text. After 250 moves, 255
        lines or 400 comments it ends, too.

    Raises:
        ValueError: ``at`` is not in the text.
    """
    cdef Text t = text_of(text), separators = text_of(between)
    cdef uint8_t moves[MOST_READ]
    cdef uint8_t lines[MOST_READ]
    cdef uint8_t commented[MOST_COMMENTS]
    cdef int count = 0, before, line = 0, noted = 0
    cdef Py_ssize_t after
    cdef int i
    cdef list said = []
    cdef uint32_t c
    if not 0 <= at <= t.length:
        raise ValueError("a place outside the text")
    if 0 <= end < t.length:
        t.length = max(at, end)
    while at < t.length:
        c = char_at(&t, at)
        if c == c'\n':
            line += 1
            at += 1
        elif is_between(&separators, c) and not (c == c'-' and char_at(&t, at + 1) == c'-'):
            at += 1
        elif line > MOST_LINES or count == MOST_READ:
            break
        elif c == c'{':
            after = comment_end(&t, at, &line) if comments and count and noted < MOST_COMMENTS else 0
            if after == 0:
                break
            said.append(PyUnicode_Substring(text, at + 1, after - 1))
            commented[noted] = <uint8_t>(count - 1)
            noted += 1
            at = after
        else:
            before = count
            after = word_end(&t, at, &separators, moves, &count)
            if after == 0:
                count = before
                break
            for i in range(before, count):
                lines[i] = <uint8_t>line
            at = after
    return (<bytes>(<char*>moves)[:count], <bytes>(<char*>lines)[:count], <bytes>(<char*>commented)[:noted],
            tuple(said), at)


# --- lists of properties

cdef Py_ssize_t after_blanks(const Text* text, Py_ssize_t at, int* lines) noexcept nogil:
    """Where what is no blank begins; the line ends before it are added to `lines`."""
    cdef uint32_t c
    while True:
        c = char_at(text, at)
        if c == c'\n':
            lines[0] += 1
        elif c != c' ' and c != c'\t':
            return at
        at += 1


cdef Py_ssize_t turn_end(const Text* text, Py_ssize_t at, bint nodes, const Text* between, uint8_t* move) noexcept nogil:
    """Where the move at `at` ends that the value of a turn begins with; 0 where there is none."""
    cdef uint32_t column = letter(text, at), row = letter(text, at + 1)
    cdef Py_ssize_t end
    if c'a' <= column <= c'h' and (c'1' <= row <= c'8' or (nodes and c'a' <= row <= c'h')):
        move[0] = <uint8_t>(8 * (row - (c'1' if row <= c'8' else c'a')) + column - c'a')
        return at + 2
    move[0] = PASS_INDEX
    if nodes and column == c']':
        return at
    if (column == c'-' and row == c'-') or (nodes and column == c't' and row == c't'):
        return at + 2
    end = pass_end(text, at, between)
    return end if nodes or row == c'a' else 0


cdef Py_ssize_t value_end(const Text* text, Py_ssize_t at, bint nodes, int* lines) noexcept nogil:
    """Where a value ends, with its bracket, that goes on at `at`; 0 where it has none, or a line may begin a game."""
    cdef uint32_t c
    while at < text.length:
        c = char_at(text, at)
        at += 1
        if c == c']':
            return at
        if c == c'\\' and nodes:
            lines[0] += char_at(text, at) == c'\n'
            at += 1
        elif c == c'\n':
            lines[0] += 1
            c = char_at(text, at)
            if c == c'(' or (not nodes and (c == c' ' or c == c'\t' or is_digit(c))):
                return 0
    return 0


cdef bint is_square_value(const Text* text, Py_ssize_t at) noexcept nogil:
    """Whether a value that goes on at `at` begins with a square, and is that or more of them."""
    return (c'a' <= letter(text, at) <= c'h' and c'1' <= char_at(text, at + 1) <= c'8'
            and (char_at(text, at + 2) == c']' or c'a' <= letter(text, at + 2) <= c'h'))


cdef Py_ssize_t name_end(const Text* text, Py_ssize_t at, bint nodes) noexcept nogil:
    """Where the value begins of a property at `at` that is a note on the turn before it; 0 for any other."""
    cdef uint32_t c = char_at(text, at)
    cdef Py_ssize_t end = at
    if not nodes:
        return at + 3 if c == c'C' and char_at(text, at + 1) == c'O' and char_at(text, at + 2) == c'[' else 0
    if c == c'A' or c == c'F' or c == c'P':  # discs set up or flipped by hand, and who is to move
        return 0
    while c'A' <= char_at(text, end) <= c'Z':
        end += 1
    if end == at or end - at > 60 or char_at(text, end) != c'[' or (end == at + 1 and (c == c'B' or c == c'W')):
        return 0
    return end + 1


def read_turns(str text not None, Py_ssize_t at, bint nodes):
    """Read the turns in a list of properties, up to the first that is written in another form, or is none.

    Args:
        text: the whole text; lines end in line feeds.
        at: where to begin.
        nodes: whether each turn has a node, and its notes are in it: ``;B[f5]C[good];W[d6]``. If not, they are in the
            value, and in comments that follow: ``B[f5/1.5/2]CO[good]W[d6]``. A turn with discs that are set up or
            flipped by hand is not read.

    Returns:
        The moves as numbers of squares (64 is a pass), one byte each; for each, how many lines after that of ``at`` it
        is, one byte each; for each turn with notes its index, one byte each, and its text; where the reading ends; for
        each turn the letter of its side, one byte each; where each begins, as numbers of eight bytes; and the number
        of values. After 250 moves or 255 lines it ends, too.
    """
    cdef Text t = text_of(text), between = text_of("/")
    cdef uint8_t moves[MOST_READ]
    cdef uint8_t lines[MOST_READ]
    cdef uint8_t noted[MOST_READ]
    cdef uint8_t sides[MOST_READ]
    cdef long long places[MOST_READ]
    cdef int count = 0, line = 0, notes = 0, values = 0, ends, ahead, given
    cdef Py_ssize_t place, begin, after, value
    cdef uint32_t c
    cdef bint has_notes
    cdef list said = []
    while count < MOST_READ:
        place = begin = after_blanks(&t, at, &line)
        ends = line
        if line > MOST_LINES:
            break
        if nodes:
            if char_at(&t, place) != c';':
                break
            begin = after_blanks(&t, place + 1, &ends)
        c = char_at(&t, begin)
        if (c != c'B' and c != c'W') or char_at(&t, begin + 1) != c'[':
            break
        sides[count] = <uint8_t>c
        after = turn_end(&t, begin + 2, nodes, &between, &moves[count])
        has_notes = char_at(&t, after) != c']'
        if after == 0 or (nodes and has_notes):
            break
        given = 1
        after = value_end(&t, after, nodes, &ends)
        while after:
            ahead = ends
            value = after_blanks(&t, after, &ahead)
            c = char_at(&t, value)
            value = value + 1 if c == c'[' and nodes and given > 1 else name_end(&t, value, nodes)
            if value == 0:
                break
            if nodes and is_square_value(&t, value):  # of what may be a move: whoever reads every property says it
                after = 0
                break
            has_notes = True
            given += 1
            ends = ahead
            after = value_end(&t, value, nodes, &ends)
        if after == 0 or (nodes and c != c';' and c != c'(' and c != c')'):
            break
        lines[count], places[count] = <uint8_t>line, place
        if has_notes:
            said.append(PyUnicode_Substring(text, begin, after))
            noted[notes] = <uint8_t>count
            notes += 1
        count += 1
        values += given
        at, line = after, ends
    return (<bytes>(<char*>moves)[:count], <bytes>(<char*>lines)[:count], <bytes>(<char*>noted)[:notes], tuple(said),
            at, <bytes>(<char*>sides)[:count], <bytes>(<char*>places)[:count * sizeof(long long)], values)


cdef Py_ssize_t usual_end(const Text* text, Py_ssize_t at, bint nodes) noexcept nogil:
    """Where a value ends, at its bracket, that goes on at `at`; 0 where it has a sign that needs care."""
    cdef uint32_t c
    while at < text.length:
        c = char_at(text, at)
        if c == c']':
            return at
        if c < 32 or c == c'[' or (c == c'\\' and nodes) or 127 <= c < 160 or 0xD800 <= c < 0xE000:
            return 0
        at += 1
    return 0


def read_usual_game(str text not None, Py_ssize_t at, bint nodes):
    """Read a game in a list of properties, if it is in the usual form: ``(;NAME[value]NAME[value][value]``, then turns.

    Args:
        text: the whole text; lines end in line feeds.
        at: where the game begins.
        nodes: as for `read_turns`. The game ends in ``)``; if not, in ``;)``.

    Returns:
        ``None`` for a game in another form. Else the names of the properties before the turns, with a bracket after
        them for each value; these values, each on one line and without an escape, a control character or a bracket;
        how many lines after that of ``at`` the turns begin; where the game ends; and what `read_turns` returns.
    """
    cdef Text t = text_of(text)
    cdef uint8_t names[MOST_VALUES * (MOST_NAME + 1)]
    cdef Py_ssize_t begin, end
    cdef int line = 0, length = 0, name, ends = 0
    cdef list values = []
    if char_at(&t, at) != c'(':
        return None
    at = after_blanks(&t, at + 1, &line)
    if char_at(&t, at) != c';':
        return None
    at = after_blanks(&t, at + 1, &line)
    while len(values) < MOST_VALUES:
        name = 0
        while name <= MOST_NAME and c'A' <= char_at(&t, at + name) <= c'Z':
            names[length + name] = <uint8_t>char_at(&t, at + name)
            name += 1
        begin = after_blanks(&t, at + name, &line)
        if name > MOST_NAME or char_at(&t, begin) != c'[':
            break
        if name == 1 and (names[length] == c'B' or names[length] == c'W'):
            break
        begin += 1
        end = usual_end(&t, begin, nodes)
        if end == 0:
            return None
        names[length + name] = c'['
        length += name + 1
        values.append(PyUnicode_Substring(text, begin, end))
        at = after_blanks(&t, end + 1, &line)
    turns = read_turns(text, at, nodes)
    end = after_blanks(&t, turns[4], &ends)
    if not nodes and char_at(&t, end) == c';':
        end = after_blanks(&t, end + 1, &ends)
    elif not nodes:
        return None
    if not turns[0] or char_at(&t, end) != c')':
        return None
    return (<char*>names)[:length].decode("ascii"), values, line, end + 1, turns
