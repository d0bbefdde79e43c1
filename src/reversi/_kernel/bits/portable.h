/* Plain C: whatever the header of a level has not defined. */
#ifndef REVERSI_BITS_PORTABLE_H
#define REVERSI_BITS_PORTABLE_H

#ifndef rv_captures
RV_INLINE u64 rv_captures(u64 p, u64 o) {
    u64 inner = o & RV_INNER;
    return (rv_captures_along(p, inner, 1) | rv_captures_along(p, o, 8) | rv_captures_along(p, inner, 7)
            | rv_captures_along(p, inner, 9)) & ~(p | o);
}
#endif

#ifndef rv_flips
RV_INLINE u64 rv_flips(u64 p, u64 o, int square) {
    u64 flips = 0;
    for (int d = 0; d < 4; d++) {
        u64 ray = rv_tables.up[square][d], stop = ray & ~o;
        stop &= (0 - stop) & p;
        flips |= ray & (stop - (stop != 0));
        ray = rv_tables.down[square][d];
        stop = rv_bit(rv_last((ray & ~o) | 1)) & ray & p;
        flips |= ray & (0 - 2 * stop);
    }
    return flips;
}
#endif

#ifndef rv_flips_soon
RV_INLINE u64 rv_flips_soon(u64 p, u64 o, int square) { return rv_flips(p, o, square); }
#endif

#ifndef rv_expand
RV_INLINE void rv_expand(u64 p, u64 o, int a, int b, u64 *flips, u64 *replies) {
    flips[0] = rv_flips(p, o, a);
    flips[1] = rv_flips(p, o, b);
    replies[0] = rv_captures(o ^ flips[0], p ^ flips[0] ^ rv_bit(a));
    replies[1] = rv_captures(o ^ flips[1], p ^ flips[1] ^ rv_bit(b));
}
#endif

#ifndef rv_column_a
RV_INLINE uint8_t rv_column_a(u64 x) { return (uint8_t)(((x & 0x0101010101010101ULL) * 0x0102040810204080ULL) >> 56); }
RV_INLINE uint8_t rv_column_h(u64 x) { return (uint8_t)((((x >> 7) & 0x0101010101010101ULL) * 0x0102040810204080ULL) >> 56); }
/* eight bits to column a, the lowest to row 1 */
RV_INLINE u64 rv_to_column(uint8_t x) {
    u64 low = ((x & 0x0fULL) * 0x00204081ULL) & 0x01010101ULL, high = ((x >> 4) * 0x00204081ULL) & 0x01010101ULL;
    return low | high << 32;
}
#endif

#ifndef rv_last_flips
RV_INLINE int rv_last_flips(u64 p, int square) {
    int column = square & 7, row = square >> 3;
    return rv_tables.last[column][(p >> (square & 56)) & 255]
        + rv_tables.last[row][rv_column_a(p >> column)]
        + rv_tables.last[column][((p & rv_tables.diagonal[square][0]) * 0x0101010101010101ULL) >> 56]
        + rv_tables.last[column][((p & rv_tables.diagonal[square][1]) * 0x0101010101010101ULL) >> 56];
}
#endif

RV_INLINE u64 rv_full_lines(u64 empty, int shift, u64 guard1, u64 guard2, u64 guard4) {
    u64 up = empty, down = empty;
    up |= (up & guard1) << shift;
    up |= (up & guard2) << 2 * shift;
    up |= (up & guard4) << 4 * shift;
    /* shifting down, the guards are those of the arriving squares */
    down |= (down >> shift) & guard1;
    down |= (down >> 2 * shift) & guard2;
    down |= (down >> 4 * shift) & guard4;
    return ~(up | down);
}

#ifndef rv_full_diagonals
RV_INLINE void rv_full_diagonals(u64 empty, u64 *diagonals, u64 *antidiagonals) {
    *diagonals = rv_full_lines(empty, 9, 0x7f7f7f7f7f7f7f7fULL, 0x3f3f3f3f3f3f3f3fULL, 0x0f0f0f0f0f0f0f0fULL);
    *antidiagonals = rv_full_lines(empty, 7, 0xfefefefefefefefeULL, 0xfcfcfcfcfcfcfcfcULL, 0xf0f0f0f0f0f0f0f0ULL);
}
#endif

#endif
