/* Discs that never turn again: lower bounds. */
#ifndef REVERSI_BITS_STABLE_H
#define REVERSI_BITS_STABLE_H

RV_INLINE uint8_t rv_edge(uint8_t p, uint8_t o) { return rv_tables.edge[2][rv_tables.base3[p] + 2 * rv_tables.base3[o]]; }

/* p's discs on the four edges that are stable there */
RV_INLINE u64 rv_stable_edges(u64 p, u64 o) {
    return (u64)rv_edge((uint8_t)p, (uint8_t)o) | (u64)rv_edge((uint8_t)(p >> 56), (uint8_t)(o >> 56)) << 56
        | rv_to_column(rv_edge(rv_column_a(p), rv_column_a(o))) | rv_to_column(rv_edge(rv_column_h(p), rv_column_h(o))) << 7;
}

/* A lower bound of p's stable discs: edges by table, discs whose four lines are full, and discs that in every line
 * lean on a stable disc of their own color or lie in a full line, to the fixed point. */
RV_APART u64 rv_stable(u64 p, u64 o) {
    u64 occupied = p | o, empty = ~occupied, rows = occupied, columns = occupied, diagonals, antidiagonals, stable, inner, more;
    rows &= rows >> 4; rows &= rows >> 2; rows &= rows >> 1;
    rows = (rows & 0x0101010101010101ULL) * 255;
    columns &= columns >> 32 | columns << 32; columns &= columns >> 16 | columns << 48; columns &= columns >> 8 | columns << 56;
    rv_full_diagonals(empty, &diagonals, &antidiagonals);
    inner = p & 0x007e7e7e7e7e7e00ULL;
    stable = rv_stable_edges(p, o) | (inner & rows & columns & diagonals & antidiagonals);
    for (int i = 0; i < 3; i++) /* without asking whether it is needed: that would often be guessed wrongly */
        stable |= inner & (stable << 1 | stable >> 1 | rows) & (stable << 8 | stable >> 8 | columns)
            & (stable << 9 | stable >> 9 | diagonals) & (stable << 7 | stable >> 7 | antidiagonals);
    for (;;) {
        more = inner & ~stable & (stable << 1 | stable >> 1 | rows) & (stable << 8 | stable >> 8 | columns)
            & (stable << 9 | stable >> 9 | diagonals) & (stable << 7 | stable >> 7 | antidiagonals);
        if (!more) return stable;
        stable |= more;
    }
}

/* rv_stable_edges on any board, the top-left `rows` x `columns` of the words. */
RV_INLINE u64 rv_stable_edges_small(u64 p, u64 o, int rows, int columns) {
    const u64 row = ((u64)1 << columns) - 1;
    const uint8_t *wide = rv_tables.edge[columns / 2 - 2], *high = rv_tables.edge[rows / 2 - 2];
    const int bottom = 8 * (rows - 1), right = columns - 1;
#define RV_EDGE_OF(table, mine, theirs) (table)[rv_tables.base3[mine] + 2 * rv_tables.base3[theirs]]
    return RV_EDGE_OF(wide, p & row, o & row) | (u64)RV_EDGE_OF(wide, p >> bottom & row, o >> bottom & row) << bottom
        | rv_to_column(RV_EDGE_OF(high, rv_column_a(p), rv_column_a(o)))
        | rv_to_column(RV_EDGE_OF(high, rv_column_a(p >> right), rv_column_a(o >> right))) << right;
#undef RV_EDGE_OF
}

/* rv_stable on any board, the top-left `rows` x `columns` of the words. */
static u64 rv_stable_small(u64 p, u64 o, int rows, int columns) {
    const u64 row = ((u64)1 << columns) - 1, board = (row * 0x0101010101010101ULL) >> 8 * (8 - rows);
    u64 empty = board & ~(p | o), inner = p & (((row >> 2) << 1) * 0x0101010101010101ULL) & (board >> 16 << 8), stable, more;
    u64 along = rv_full_lines(empty, 1, 0x7f7f7f7f7f7f7f7fULL, 0x3f3f3f3f3f3f3f3fULL, 0x0f0f0f0f0f0f0f0fULL);
    u64 across = rv_full_lines(empty, 8, ~0ULL, ~0ULL, ~0ULL);
    u64 diagonals = rv_full_lines(empty, 9, 0x7f7f7f7f7f7f7f7fULL, 0x3f3f3f3f3f3f3f3fULL, 0x0f0f0f0f0f0f0f0fULL);
    u64 antidiagonals = rv_full_lines(empty, 7, 0xfefefefefefefefeULL, 0xfcfcfcfcfcfcfcfcULL, 0xf0f0f0f0f0f0f0f0ULL);
    stable = rv_stable_edges_small(p, o, rows, columns) | (inner & along & across & diagonals & antidiagonals);
    if (!stable) return 0;
    for (;;) {
        more = inner & ~stable & (stable << 1 | stable >> 1 | along) & (stable << 8 | stable >> 8 | across)
            & (stable << 9 | stable >> 9 | diagonals) & (stable << 7 | stable >> 7 | antidiagonals);
        if (!more) return stable;
        stable |= more;
    }
}

#endif
