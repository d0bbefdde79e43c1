/* Many positions at once: loops without branches that a compiler turns into vector code at every level. */
#ifndef REVERSI_BATCH_H
#define REVERSI_BATCH_H

#include "rules.h"

enum { RV_BLOCK = 256 }; /* positions whose words stay in the first-level cache */

/* The movers' and the opponents' discs of n positions; to_move is 0 for Black, 1 for White. */
static void rv_batch_sides(const u64 *black, const u64 *white, const uint8_t *to_move, int n, u64 *p, u64 *o) {
    for (int i = 0; i < n; i++) {
        u64 swap = (black[i] ^ white[i]) & (0 - (u64)to_move[i]);
        p[i] = black[i] ^ swap;
        o[i] = white[i] ^ swap;
    }
}

#if defined(RV_AVX512) && defined(__GNUC__)
/* The search prefers 256 bits, and so does the compiler; this loop takes half the time with 512. */
#define RV_WIDE 8
typedef u64 rv_words __attribute__((vector_size(8 * RV_WIDE)));
RV_CAPTURES_ALONG(rv_wide_along, rv_words)
#endif

/* Squares that capture, within a mask of the board. */
static void rv_batch_captures(const u64 *p, const u64 *o, int n, u64 mask, u64 *out) {
    int i = 0;
#ifdef RV_WIDE
    for (; i + RV_WIDE <= n; i += RV_WIDE) {
        rv_words mine, theirs, inner, found;
        memcpy(&mine, p + i, sizeof mine);
        memcpy(&theirs, o + i, sizeof theirs);
        inner = theirs & (u64)RV_INNER;
        found = rv_wide_along(mine, inner, 1) | rv_wide_along(mine, theirs, 8) | rv_wide_along(mine, inner, 7)
                | rv_wide_along(mine, inner, 9);
        found &= ~(mine | theirs) & mask;
        memcpy(out + i, &found, sizeof found);
    }
#endif
    for (; i < n; i++) {
        u64 mine = p[i], theirs = o[i], inner = theirs & RV_INNER;
        out[i] = (rv_captures_along(mine, inner, 1) | rv_captures_along(mine, theirs, 8) | rv_captures_along(mine, inner, 7)
                  | rv_captures_along(mine, inner, 9)) & ~(mine | theirs) & mask;
    }
}

/* Empty squares of the board, only those that touch a disc where `adjacent` is set. */
static void rv_batch_empty(const u64 *p, const u64 *o, int n, u64 mask, int adjacent, u64 *out) {
    u64 any = adjacent ? 0 : ~(u64)0;
    for (int i = 0; i < n; i++) {
        u64 discs = p[i] | o[i];
        out[i] = (rv_neighbours(discs) | any) & mask & ~discs;
    }
}

/* rv_placements of n positions. */
RV_INLINE void rv_batch_placements(int flags, u64 mask, const u64 *p, const u64 *o, int n, u64 *out) {
    if (flags & RV_CAPTURE) rv_batch_captures(p, o, n, mask, out);
    else rv_batch_empty(p, o, n, mask, flags & RV_ADJACENT, out);
}

static uint8_t rv_nth_of_byte[256][8]; /* the n-th lowest bit of a byte */

static void rv_batch_init(void) { /* idempotent; called at import */
    for (int byte = 0; byte < 256; byte++)
        for (int bit = 0, n = 0; bit < 8; bit++)
            if (byte >> bit & 1) rv_nth_of_byte[byte][n++] = (uint8_t)bit;
}

/* The n-th lowest bit of a word that has more than n, as the number of its square, without a branch. */
RV_INLINE int rv_nth(u64 bits, int n) {
#if defined(RV_AVX512) /* the processors with these have a fast deposit */
    return rv_first(_pdep_u64((u64)1 << n, bits));
#else
    const u64 ones = 0x0101010101010101ULL, tops = 0x8080808080808080ULL;
    u64 sums = bits - (bits >> 1 & 0x5555555555555555ULL), reached;
    int byte;
    sums = (sums & 0x3333333333333333ULL) + (sums >> 2 & 0x3333333333333333ULL);
    sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * ones; /* in each byte: the bits in it and below it */
    reached = (((u64)n * ones | tops) - sums) & tops;             /* the bytes whose sum is at most n */
    byte = (int)(((reached >> 7) * ones) >> 56) * 8;
    return byte + rv_nth_of_byte[bits >> byte & 0xff][n - (int)(sums << 8 >> byte & 0xff)];
#endif
}

/* A byte for each bit of a word: 1 where it is set. */
RV_INLINE void rv_bytes(u64 bits, uint8_t *to) {
    for (int r = 0; r < 8; r++) {
        u64 x = (bits >> 8 * r & 0xff) * 0x0101010101010101ULL & 0x8040201008040201ULL;
        x = (x + 0x7f7f7f7f7f7f7f7fULL) >> 7 & 0x0101010101010101ULL;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        x = __builtin_bswap64(x);
#endif
        memcpy(to + 8 * r, &x, 8);
    }
}

/* The 64 cells of one 8x8 board, `one` for a set bit, 0 for any other. */
#ifdef RV_AVX2
RV_INLINE void rv_board8(u64 bits, uint8_t one, uint8_t *to) {
    const __m256i select = _mm256_set1_epi64x((long long)0x8040201008040201ULL), value = _mm256_set1_epi8((char)one);
    const __m256i row = _mm256_set_epi64x(0x0303030303030303LL, 0x0202020202020202LL, 0x0101010101010101LL, 0);
    for (int half = 0; half < 2; half++) {
        __m256i x = _mm256_shuffle_epi8(_mm256_set1_epi32((int)(bits >> 32 * half)), row);
        x = _mm256_cmpeq_epi8(_mm256_and_si256(x, select), select);
        _mm256_storeu_si256((__m256i *)(to + 32 * half), _mm256_and_si256(x, value));
    }
}

RV_INLINE void rv_board32(u64 bits, uint32_t one, uint32_t *to) {
    const __m256i select = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1), value = _mm256_set1_epi32((int)one);
    for (int r = 0; r < 8; r++) {
        __m256i x = _mm256_and_si256(_mm256_set1_epi32((int)(bits >> 8 * r & 0xff)), select);
        _mm256_storeu_si256((__m256i *)(to + 8 * r), _mm256_and_si256(_mm256_cmpeq_epi32(x, select), value));
    }
}
#else
RV_INLINE void rv_board8(u64 bits, uint8_t one, uint8_t *to) {
    rv_bytes(bits, to);
    for (int c = 0; c < 64; c++) to[c] = (uint8_t)((uint8_t)(0 - to[c]) & one);
}

RV_INLINE void rv_board32(u64 bits, uint32_t one, uint32_t *to) {
    uint8_t bytes[64];
    rv_bytes(bits, bytes);
    for (int c = 0; c < 64; c++) to[c] = (0 - (uint32_t)bytes[c]) & one;
}
#endif

RV_INLINE void rv_board16(u64 bits, uint16_t one, uint16_t *to) {
    uint8_t bytes[64];
    rv_bytes(bits, bytes);
    for (int c = 0; c < 64; c++) to[c] = (uint16_t)((uint16_t)(0 - (uint16_t)bytes[c]) & one);
}

RV_INLINE void rv_board64(u64 bits, u64 one, u64 *to) {
    for (int c = 0; c < 64; c++) to[c] = (0 - (bits >> c & 1)) & one;
}

/* One element for each cell of n boards: `one` (the bits of the element 1) for a set bit, 0 for any other.
 * Position i, cell c goes to element first + i * position + c * cell. */
#define RV_EXPAND(size, type)                                                                                         \
    static void rv_expand##size(const u64 *bits, ptrdiff_t n, int rows, int columns, u64 one, ptrdiff_t first,        \
                                ptrdiff_t position, ptrdiff_t cell, void *out) {                                      \
        type *cells = (type *)out, board[64];                                                                         \
        size_t to = (size_t)first; /* unsigned: the steps behind the last cell and set may overflow */                \
        for (ptrdiff_t i = 0; i < n; i++, to += (size_t)position) {                                                   \
            if (cell == 1 && columns == 8 && rows == 8) {                                                             \
                rv_board##size(bits[i], (type)one, cells + to);                                                       \
            } else {                                                                                                  \
                size_t at = to;                                                                                       \
                rv_board##size(bits[i], (type)one, board);                                                            \
                for (int r = 0; r < rows; r++)                                                                        \
                    for (int c = 0; c < columns; c++, at += (size_t)cell) cells[at] = board[8 * r + c];               \
            }                                                                                                         \
        }                                                                                                             \
    }

RV_EXPAND(8, uint8_t)
RV_EXPAND(16, uint16_t)
RV_EXPAND(32, uint32_t)
RV_EXPAND(64, u64)

static void rv_batch_expand(const u64 *bits, ptrdiff_t n, int rows, int columns, int size, u64 one, ptrdiff_t first,
                            ptrdiff_t position, ptrdiff_t cell, void *out) {
    switch (size) {
    case 1: rv_expand8(bits, n, rows, columns, one, first, position, cell, out); break;
    case 2: rv_expand16(bits, n, rows, columns, one, first, position, cell, out); break;
    case 4: rv_expand32(bits, n, rows, columns, one, first, position, cell, out); break;
    default: rv_expand64(bits, n, rows, columns, one, first, position, cell, out);
    }
}

#endif
