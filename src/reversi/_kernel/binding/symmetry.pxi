# The symmetries of the board, on sets of squares.


cdef u64 mirror_columns(u64 x, int columns) noexcept nogil:
    x = (x >> 1) & <u64>0x5555555555555555 | (x & <u64>0x5555555555555555) << 1
    x = (x >> 2) & <u64>0x3333333333333333 | (x & <u64>0x3333333333333333) << 2
    x = (x >> 4) & <u64>0x0f0f0f0f0f0f0f0f | (x & <u64>0x0f0f0f0f0f0f0f0f) << 4
    return x >> (8 - columns)


cdef u64 mirror_rows(u64 x, int rows) noexcept nogil:
    x = (x >> 8) & <u64>0x00ff00ff00ff00ff | (x & <u64>0x00ff00ff00ff00ff) << 8
    x = (x >> 16) & <u64>0x0000ffff0000ffff | (x & <u64>0x0000ffff0000ffff) << 16
    x = x >> 32 | x << 32
    return x >> 8 * (8 - rows)


cdef u64 transpose(u64 x) noexcept nogil:
    cdef u64 t
    t = (x ^ (x >> 7)) & <u64>0x00aa00aa00aa00aa
    x ^= t ^ (t << 7)
    t = (x ^ (x >> 14)) & <u64>0x0000cccc0000cccc
    x ^= t ^ (t << 14)
    t = (x ^ (x >> 28)) & <u64>0x00000000f0f0f0f0
    return x ^ t ^ (t << 28)


cdef u64 transform(u64 x, int index, int rows, int columns) noexcept nogil:
    """Apply symmetry `index`: bit 0 mirrors the columns, bit 1 the rows, bit 2 then transposes (square boards only)."""
    if index & 1:
        x = mirror_columns(x, columns)
    if index & 2:
        x = mirror_rows(x, rows)
    if index & 4:
        x = transpose(x)
    return x


cdef int symmetry_of(index, rules) except -1:
    """Return the number of a symmetry that the board has."""
    return <int>whole(f"the symmetry of a board of {rules.board}", index, 0,
                      7 if rules.board.rows == rules.board.columns else 3)
