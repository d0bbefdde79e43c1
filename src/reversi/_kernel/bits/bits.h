/* Bit-level operations on boards, and nothing else: what is specific to a processor is in this folder.
 *
 * A board is two 64-bit words, the mover's discs (p) and the opponent's (o); bit 8*row + column, a1 = bit 0.
 * The same source is compiled once per instruction-set level; the level follows from the compiler's flags.
 * Smaller boards are the top-left corner of the 8x8 words: squares outside hold no disc, so no line crosses them.
 *
 * machine.h has what compilers name differently; avx512.h, avx2.h, neon.h and sse2.h have what a level does in its own way,
 * portable.h all else.
 */
#ifndef REVERSI_BITS_H
#define REVERSI_BITS_H

#include "machine.h"
#include "tables.h"

#define RV_INNER 0x7e7e7e7e7e7e7e7eULL

/* The squares behind runs of o that begin beside p, both ways along one line: parallel-prefix fill, for a word or a vector. */
#define RV_CAPTURES_ALONG(name, type)                                                                                 \
    RV_INLINE type name(type p, type o, int shift) {                                                                  \
        type up = o & (p << shift), down = o & (p >> shift), pair = o & (o << shift), riap = pair >> shift;           \
        up |= o & (up << shift);                                                                                      \
        down |= o & (down >> shift);                                                                                  \
        up |= pair & (up << 2 * shift);                                                                               \
        down |= riap & (down >> 2 * shift);                                                                           \
        up |= pair & (up << 2 * shift);                                                                               \
        down |= riap & (down >> 2 * shift);                                                                           \
        return (up << shift) | (down >> shift);                                                                       \
    }
RV_CAPTURES_ALONG(rv_captures_along, u64)

/* Each level's own code; a name that a level defines is a macro of the same name. portable.h has the others. */
#ifdef RV_AVX512
#include "avx512.h"
#endif
#if defined(RV_AVX2)
#include "avx2.h"
#elif defined(RV_NEON)
#include "neon.h"
#elif defined(RV_SSE2)
#include "sse2.h"
#endif
#include "portable.h"
#include "stable.h"

/* Squares touching a set of squares (the set's own squares may be among them). */
RV_INLINE u64 rv_neighbours(u64 x) {
    u64 row = x | ((x << 1) & 0xfefefefefefefefeULL) | ((x >> 1) & 0x7f7f7f7f7f7f7f7fULL);
    return row | (row << 8) | (row >> 8);
}

RV_INLINE u64 rv_hash(u64 p, u64 o) {
    u64 x = p * 0x9e3779b97f4a7c15ULL ^ (o + 0x632be59bd9b4e019ULL) * 0xc2b2ae3d27d4eb4fULL;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9ULL;
    return x ^ x >> 32;
}

#endif
