/* Bit-level operations on boards, and nothing else: every compiler- or CPU-specific line of the project is here.
 *
 * A board is two 64-bit words, the mover's discs (p) and the opponent's (o); bit 8*row + column, a1 = bit 0.
 * The same source is compiled once per instruction-set level; the level follows from the compiler's flags.
 * Smaller boards are the top-left corner of the 8x8 words: squares outside hold no disc, so no line crosses them.
 */
#ifndef REVERSI_BITS_H
#define REVERSI_BITS_H

#include <stdint.h>
#include <string.h>

typedef uint64_t u64;

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define RV_INLINE static __forceinline
#define RV_APART static __declspec(noinline)
#define RV_ALIGN(n) __declspec(align(n))
#else
#define RV_INLINE static inline __attribute__((always_inline))
#define RV_APART static __attribute__((noinline))
#define RV_ALIGN(n) __attribute__((aligned(n)))
#endif

#ifndef RV_PORTABLE
#if defined(__AVX512VL__) && defined(__AVX512CD__) && defined(__AVX512DQ__)
#define RV_AVX512 1
#endif
#if defined(__AVX2__)
#define RV_AVX2 1
#include <immintrin.h>
#endif
#if defined(__ARM_NEON) && defined(__aarch64__)
#define RV_NEON 1
#include <arm_neon.h>
#endif
#endif /* RV_PORTABLE: the slow twin that every level is checked against */

/* SSE2 is part of x86-64: two words at once where nothing better is used. */
#if !defined(RV_AVX2) && (defined(__SSE2__) || (defined(_M_X64) && !defined(_M_ARM64EC)))
#define RV_SSE2 1
#include <emmintrin.h>
#endif

/* --- counting and finding bits ------------------------------------------------------------------------------- */

#if defined(__GNUC__) || defined(__clang__)
RV_INLINE int rv_first(u64 x) { return __builtin_ctzll(x); } /* x != 0 */
RV_INLINE int rv_last(u64 x) { return 63 - __builtin_clzll(x); } /* x != 0 */
RV_INLINE void rv_prefetch(const void *at) { __builtin_prefetch(at); }
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
RV_INLINE int rv_first(u64 x) { unsigned long i; _BitScanForward64(&i, x); return (int)i; }
RV_INLINE int rv_last(u64 x) { unsigned long i; _BitScanReverse64(&i, x); return (int)i; }
#if defined(_M_X64)
RV_INLINE void rv_prefetch(const void *at) { _mm_prefetch((const char *)at, _MM_HINT_T0); }
#else
RV_INLINE void rv_prefetch(const void *at) { __prefetch(at); }
#endif
#else
RV_INLINE int rv_first(u64 x) { int n = 0; while (!(x & 1)) { x >>= 1; n++; } return n; }
RV_INLINE int rv_last(u64 x) { int n = 0; while (x >>= 1) n++; return n; }
RV_INLINE void rv_prefetch(const void *at) { (void)at; }
#endif

#if defined(__POPCNT__) || defined(__ARM_NEON) || defined(__aarch64__)
RV_INLINE int rv_count(u64 x) { return __builtin_popcountll(x); }
#elif defined(_MSC_VER) && defined(RV_AVX2)
RV_INLINE int rv_count(u64 x) { return (int)__popcnt64(x); }
#else
RV_INLINE int rv_count(u64 x) { /* the classic parallel sum */
    x -= (x >> 1) & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return (int)((x * 0x0101010101010101ULL) >> 56);
}
#endif

/* Squares, the corners among them counted twice. */
#if defined(__POPCNT__) || defined(__ARM_NEON) || defined(__aarch64__) || (defined(_MSC_VER) && defined(RV_AVX2))
RV_INLINE int rv_count_moves(u64 x) { return rv_count(x) + rv_count(x & 0x8100000000000081ULL); }
#else
RV_INLINE int rv_count_moves(u64 x) { /* the sum of rv_count: h1 and h8 keep their worth of two, a1 and a8 get another one */
    x = x - ((x >> 1) & 0x1555555555555515ULL) + (x & 0x0100000000000001ULL);
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return (int)((x * 0x0101010101010101ULL) >> 56);
}
#endif

RV_INLINE u64 rv_bit(int square) { return (u64)1 << square; }

/* --- tables, filled once by rv_init ---------------------------------------------------------------------------- */

typedef struct {
    RV_ALIGN(32) u64 up[64][4];   /* rays to higher bits: east, south-west, south, south-east */
    RV_ALIGN(32) u64 down[64][4]; /* rays to lower bits: west, north-east, north, north-west */
    u64 diagonal[64][2];          /* whole diagonals through a square */
    u64 around[64];               /* the eight neighbours */
    uint8_t last[8][256];         /* [place in the line][mover's bits]: twice the discs turned when all else is the opponent's */
#if defined(RV_SSE2) || defined(RV_AVX2)
    uint8_t line_stops[8][64];    /* [place][the opponent's bits of a line's inner squares]: where runs beside the place end */
    uint8_t line_flips[8][256];   /* [place][those of the mover's discs there]: the discs in between */
#endif
#ifdef RV_SSE2
    RV_ALIGN(16) u64 both[64][3][2]; /* a square's rays to higher rows: south-west, south, south-east; with the rows exchanged */
#endif
#ifdef RV_AVX2
    u64 bit[64];                  /* to spread in a vector register, faster from memory than from a shift */
#endif
#ifdef RV_AVX512
    struct {
        u64 squares, inner;       /* all, and those between the ends */
        const uint8_t *stops, *flips, *last; /* the rows of the three tables for the square's place */
    } line[64][4];                /* the lines through a square */
#elif defined(RV_AVX2)
    u64 column[256];              /* eight bits in column a, the lowest in row 1 */
#endif
    uint16_t base3[256];          /* a line's bits read as base-3 digits */
    uint8_t edge[3][6561];        /* stable discs of the mover on an edge of 4, 6, 8, by base3[mover] + 2 * base3[opponent] */
    int ready;
} rv_tables_t;

static rv_tables_t rv_tables;

static uint8_t rv_line_flips(uint8_t p, uint8_t o, int at) {
    uint8_t all = 0;
    for (int step = -1; step <= 1; step += 2) {
        uint8_t run = 0;
        int x = at + step;
        while (x >= 0 && x < 8 && (o >> x & 1)) { run = (uint8_t)(run | 1 << x); x += step; }
        if (x >= 0 && x < 8 && (p >> x & 1)) all |= run;
    }
    return all;
}

/* A disc of p on an edge is stable when no sequence of placements on that edge, by either side, ever turns it. A
 * placement may turn nothing in the line (it can capture elsewhere). */
static uint8_t rv_edge_stable(uint8_t p, uint8_t o, int length) {
    uint8_t *known = &rv_tables.edge[length / 2 - 2][rv_tables.base3[p] + 2 * rv_tables.base3[o]];
    uint8_t stable = p;
    if (*known != 0xff || (p | o) == 0xff) return (p | o) == 0xff ? p : *known;
    for (int x = 0; x < length && stable; x++) {
        if ((p | o) >> x & 1) continue;
        uint8_t bit = (uint8_t)(1 << x), f = rv_line_flips(p, o, x);
        stable &= rv_edge_stable((uint8_t)(p | f | bit), (uint8_t)(o & ~f), length);
        f = rv_line_flips(o, p, x);
        stable &= rv_edge_stable((uint8_t)(p & ~f), (uint8_t)(o | f | bit), length);
    }
    *known = stable;
    return stable;
}

/* Idempotent; called at import, before any other use, under the interpreter's import lock. */
static void rv_init(void) {
    static const int DR[8] = {0, 1, 1, 1, 0, -1, -1, -1}, DC[8] = {1, -1, 0, 1, -1, 1, 0, -1};
    if (rv_tables.ready) return;
    for (int s = 0; s < 64; s++) {
        rv_tables.around[s] = 0;
        for (int d = 0; d < 8; d++) {
            u64 ray = 0;
            for (int r = s / 8 + DR[d], c = s % 8 + DC[d]; r >= 0 && r < 8 && c >= 0 && c < 8; r += DR[d], c += DC[d]) {
                if (!ray) rv_tables.around[s] |= rv_bit(8 * r + c);
                ray |= rv_bit(8 * r + c);
            }
            if (d < 4) rv_tables.up[s][d] = ray; else rv_tables.down[s][d - 4] = ray;
        }
        rv_tables.diagonal[s][0] = rv_tables.up[s][1] | rv_tables.down[s][1] | rv_bit(s);
        rv_tables.diagonal[s][1] = rv_tables.up[s][3] | rv_tables.down[s][3] | rv_bit(s);
    }
#ifdef RV_SSE2
    for (int s = 0; s < 64; s++)
        for (int d = 0; d < 3; d++) {
            rv_tables.both[s][d][0] = rv_tables.up[s][d + 1];
            rv_tables.both[s][d][1] = rv_tables.up[s ^ 56][d + 1];
        }
#endif
#if defined(RV_SSE2) || defined(RV_AVX2)
    for (int x = 0; x < 8; x++) {
        for (int inner = 0; inner < 64; inner++) {
            int o = inner << 1 & ~(1 << x), left = x - 1, right = x + 1;
            while (left >= 0 && (o >> left & 1)) left--;
            while (right < 8 && (o >> right & 1)) right++;
            rv_tables.line_stops[x][inner] = (uint8_t)((left >= 0 && left < x - 1 ? 1 << left : 0) | (right < 8 && right > x + 1 ? 1 << right : 0));
        }
        for (int stops = 0; stops < 256; stops++) {
            int flips = 0;
            for (int at = 0; at < 8; at++)
                if (stops >> at & 1) for (int y = at < x ? at + 1 : x + 1; y < (at < x ? x : at); y++) flips |= 1 << y;
            rv_tables.line_flips[x][stops] = (uint8_t)flips;
        }
    }
#endif
#ifdef RV_AVX2
    for (int s = 0; s < 64; s++) rv_tables.bit[s] = rv_bit(s);
#endif
#ifdef RV_AVX512
    for (int s = 0; s < 64; s++)
        for (int d = 0; d < 4; d++) {
            const u64 line = rv_tables.up[s][d] | rv_tables.down[s][d] | rv_bit(s), low = line & (line - 1);
            const int place = rv_count(line & (rv_bit(s) - 1));
            rv_tables.line[s][d].squares = line;
            rv_tables.line[s][d].inner = low ? low ^ rv_bit(rv_last(low)) : 0;
            rv_tables.line[s][d].last = rv_tables.last[place];
            rv_tables.line[s][d].stops = rv_tables.line_stops[place];
            rv_tables.line[s][d].flips = rv_tables.line_flips[place];
        }
#elif defined(RV_AVX2)
    for (int bits = 0; bits < 256; bits++) {
        rv_tables.column[bits] = 0;
        for (int x = 0; x < 8; x++) if (bits >> x & 1) rv_tables.column[bits] |= rv_bit(8 * x);
    }
#endif
    for (int bits = 0; bits < 256; bits++) {
        int sum = 0;
        for (int x = 0, power = 1; x < 8; x++, power *= 3) if (bits >> x & 1) sum += power;
        rv_tables.base3[bits] = (uint16_t)sum;
        for (int x = 0; x < 8; x++) {
            uint8_t mine = (uint8_t)(bits & ~(1 << x));
            rv_tables.last[x][bits] = (uint8_t)(2 * rv_count(rv_line_flips(mine, (uint8_t)~(mine | 1 << x), x)));
        }
    }
    memset(rv_tables.edge, 0xff, sizeof rv_tables.edge);
    for (int length = 4; length <= 8; length += 2)
        for (int p = 0; p < 1 << length; p++)
            for (int o = 0; o < 1 << length; o++)
                if (!(p & o)) {
                    uint8_t stable = rv_edge_stable((uint8_t)p, (uint8_t)o, length);
                    rv_tables.edge[length / 2 - 2][rv_tables.base3[p] + 2 * rv_tables.base3[o]] = stable;
                }
    rv_tables.ready = 1;
}

/* --- placements ------------------------------------------------------------------------------------------------ */

#define RV_INNER 0x7e7e7e7e7e7e7e7eULL

#ifdef RV_AVX2
RV_INLINE u64 rv_reduce_or(__m256i x) {
    __m128i y = _mm_or_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return (u64)_mm_cvtsi128_si64(_mm_or_si128(y, _mm_unpackhi_epi64(y, y)));
}

/* Squares that capture at least one disc, and perhaps some that are not empty: parallel-prefix fill, four directions in one
 * register, both ways. */
RV_INLINE __m256i rv_captures_each(__m256i pp, __m256i oo) {
    const __m256i one = _mm256_set_epi64x(7, 9, 8, 1), two = _mm256_set_epi64x(14, 18, 16, 2);
    const __m256i inner = _mm256_set_epi64x((long long)RV_INNER, (long long)RV_INNER, -1LL, (long long)RV_INNER);
    oo = _mm256_and_si256(oo, inner);
    __m256i up = _mm256_and_si256(oo, _mm256_sllv_epi64(pp, one)), down = _mm256_and_si256(oo, _mm256_srlv_epi64(pp, one));
    up = _mm256_or_si256(up, _mm256_and_si256(oo, _mm256_sllv_epi64(up, one)));
    down = _mm256_or_si256(down, _mm256_and_si256(oo, _mm256_srlv_epi64(down, one)));
    __m256i pair = _mm256_and_si256(oo, _mm256_sllv_epi64(oo, one)), riap = _mm256_srlv_epi64(pair, one);
    up = _mm256_or_si256(up, _mm256_and_si256(pair, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(riap, _mm256_srlv_epi64(down, two)));
    up = _mm256_or_si256(up, _mm256_and_si256(pair, _mm256_sllv_epi64(up, two)));
    down = _mm256_or_si256(down, _mm256_and_si256(riap, _mm256_srlv_epi64(down, two)));
    return _mm256_or_si256(_mm256_sllv_epi64(up, one), _mm256_srlv_epi64(down, one));
}
RV_INLINE u64 rv_captures(u64 p, u64 o) {
    return rv_reduce_or(rv_captures_each(_mm256_set1_epi64x((long long)p), _mm256_set1_epi64x((long long)o))) & ~(p | o);
}
#else
RV_INLINE u64 rv_captures_along(u64 p, u64 o, int shift) {
    u64 up = o & (p << shift), down = o & (p >> shift), pair, riap;
    up |= o & (up << shift);
    down |= o & (down >> shift);
    pair = o & (o << shift);
    riap = pair >> shift;
    up |= pair & (up << 2 * shift);
    down |= riap & (down >> 2 * shift);
    up |= pair & (up << 2 * shift);
    down |= riap & (down >> 2 * shift);
    return (up << shift) | (down >> shift);
}

#ifdef RV_NEON
/* Both ways along one line in one register: a negative shift is one to the right. */
RV_INLINE uint64x2_t rv_captures_both(uint64x2_t p, uint64x2_t o, int shift) {
    const int64x2_t one = {shift, -shift}, two = {2 * shift, -2 * shift};
    uint64x2_t x = vandq_u64(o, vshlq_u64(p, one)), pair = vandq_u64(o, vshlq_u64(o, one));
    x = vorrq_u64(x, vandq_u64(o, vshlq_u64(x, one)));
    x = vorrq_u64(x, vandq_u64(pair, vshlq_u64(x, two)));
    x = vorrq_u64(x, vandq_u64(pair, vshlq_u64(x, two)));
    return vshlq_u64(x, one);
}

/* Diagonals in the vector units, rows and columns in the scalar ones beside them (their shifts cost nothing there). */
RV_INLINE u64 rv_captures(u64 p, u64 o) {
    uint64x2_t pp = vdupq_n_u64(p), inner = vdupq_n_u64(o & RV_INNER);
    uint64x2_t both = vorrq_u64(rv_captures_both(pp, inner, 7), rv_captures_both(pp, inner, 9));
    return (rv_captures_along(p, o & RV_INNER, 1) | rv_captures_along(p, o, 8)
            | vgetq_lane_u64(both, 0) | vgetq_lane_u64(both, 1)) & ~(p | o);
}
#elif defined(RV_SSE2)
RV_INLINE u64 rv_exchange_rows(u64 x) {
#if defined(_MSC_VER) && !defined(__clang__)
    return _byteswap_uint64(x);
#else
    return __builtin_bswap64(x);
#endif
}
RV_INLINE __m128i rv_pair(u64 low, u64 high) {
    return _mm_unpacklo_epi64(_mm_cvtsi64_si128((long long)low), _mm_cvtsi64_si128((long long)high));
}
RV_INLINE u64 rv_unpair(__m128i x) { /* the second word's rows back in their place */
    return (u64)_mm_cvtsi128_si64(x) | rv_exchange_rows((u64)_mm_cvtsi128_si64(_mm_unpackhi_epi64(x, x)));
}

/* Towards higher rows in one word, towards lower ones in the other, whose rows are exchanged. */
RV_INLINE __m128i rv_captures_both(__m128i p, __m128i o, int shift) {
    __m128i x = _mm_and_si128(o, _mm_slli_epi64(p, shift)), pair = _mm_and_si128(o, _mm_slli_epi64(o, shift));
    x = _mm_or_si128(x, _mm_and_si128(o, _mm_slli_epi64(x, shift)));
    x = _mm_or_si128(x, _mm_and_si128(pair, _mm_slli_epi64(x, 2 * shift)));
    x = _mm_or_si128(x, _mm_and_si128(pair, _mm_slli_epi64(x, 2 * shift)));
    return _mm_slli_epi64(x, shift);
}

RV_INLINE u64 rv_captures(u64 p, u64 o) {
    u64 inner = o & RV_INNER, west = inner & (p >> 1), more = inner & (inner >> 1), east;
    __m128i pp = rv_pair(p, rv_exchange_rows(p)), oo = rv_pair(o, rv_exchange_rows(o));
    __m128i guarded = _mm_and_si128(oo, _mm_set1_epi64x((long long)RV_INNER)), all = rv_captures_both(pp, guarded, 7);
    all = _mm_or_si128(all, _mm_or_si128(rv_captures_both(pp, oo, 8), rv_captures_both(pp, guarded, 9)));
    east = inner + (inner & (p << 1)); /* the sum carries a run's first square to the square behind it */
    west |= inner & (west >> 1);
    west |= more & (west >> 2);
    west |= more & (west >> 2);
    return (east | west >> 1 | rv_unpair(all)) & ~(p | o);
}
#else
RV_INLINE u64 rv_captures(u64 p, u64 o) {
    u64 inner = o & RV_INNER;
    return (rv_captures_along(p, inner, 1) | rv_captures_along(p, o, 8) | rv_captures_along(p, inner, 7)
            | rv_captures_along(p, inner, 9)) & ~(p | o);
}
#endif
#endif

/* Squares touching a set of squares (the set's own squares may be among them). */
RV_INLINE u64 rv_neighbours(u64 x) {
    u64 row = x | ((x << 1) & 0xfefefefefefefefeULL) | ((x >> 1) & 0x7f7f7f7f7f7f7f7fULL);
    return row | (row << 8) | (row >> 8);
}

/* --- flips ------------------------------------------------------------------------------------------------------ */

#ifdef RV_AVX2
/* Four directions in one register, both ways. */
RV_INLINE __m256i rv_flips_each(__m256i pp, __m256i oo, int square) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i up = _mm256_load_si256((const __m256i *)rv_tables.up[square]);
    __m256i down = _mm256_load_si256((const __m256i *)rv_tables.down[square]);
    /* towards higher bits: the first square of the ray that is not the opponent's; if ours, all before it turn */
    __m256i stop = _mm256_andnot_si256(oo, up);
#ifdef RV_AVX512
    stop = _mm256_ternarylogic_epi64(stop, _mm256_sub_epi64(zero, stop), pp, 0x80);
#else
    stop = _mm256_and_si256(_mm256_and_si256(stop, _mm256_sub_epi64(zero, stop)), pp);
#endif
    __m256i flips = _mm256_andnot_si256(_mm256_sub_epi64(_mm256_cmpeq_epi64(stop, zero), stop), up);
#ifdef RV_AVX512
    /* towards lower bits: the last such square, by counting leading zeros (a shift by 64 gives none) */
    stop = _mm256_andnot_si256(oo, down);
    stop = _mm256_and_si256(_mm256_srlv_epi64(_mm256_set1_epi64x((long long)0x8000000000000000ULL), _mm256_lzcnt_epi64(stop)), pp);
    flips = _mm256_ternarylogic_epi64(flips, down, _mm256_sub_epi64(zero, _mm256_add_epi64(stop, stop)), 0xf8);
#else
    /* towards lower bits: smear the squares that are not the opponent's downwards; what stays free above is the run */
    const __m256i one = _mm256_set_epi64x(9, 8, 7, 1), two = _mm256_set_epi64x(18, 16, 14, 2), four = _mm256_set_epi64x(36, 32, 28, 4);
    stop = _mm256_andnot_si256(oo, down);
    __m256i below = _mm256_or_si256(_mm256_srlv_epi64(stop, one), _mm256_srlv_epi64(stop, two));
    below = _mm256_or_si256(below, _mm256_srlv_epi64(below, two));
    below = _mm256_or_si256(below, _mm256_srlv_epi64(below, four));
    stop = _mm256_and_si256(_mm256_andnot_si256(below, stop), pp);
    flips = _mm256_or_si256(flips, _mm256_and_si256(down, _mm256_sub_epi64(zero, _mm256_add_epi64(stop, stop))));
#endif
    return flips;
}
RV_INLINE u64 rv_flips(u64 p, u64 o, int square) {
    return rv_reduce_or(rv_flips_each(_mm256_set1_epi64x((long long)p), _mm256_set1_epi64x((long long)o), square));
}
#elif defined(RV_NEON)
RV_INLINE uint64x2_t rv_reverse(uint64x2_t x) { /* all 64 bits of each half in reverse order */
    return vreinterpretq_u64_u8(vrev64q_u8(vrbitq_u8(vreinterpretq_u8_u64(x))));
}

/* Flips on two rays to higher bits: the first square of each that is not the opponent's; if ours, all before it turn. */
RV_INLINE uint64x2_t rv_flips_up(uint64x2_t p, uint64x2_t o, uint64x2_t rays) {
    uint64x2_t stop = vbicq_u64(rays, o);
    stop = vandq_u64(vandq_u64(stop, vreinterpretq_u64_s64(vnegq_s64(vreinterpretq_s64_u64(stop)))), p);
    return vandq_u64(rays, vaddq_u64(stop, vtstq_u64(stop, stop)));
}

/* A ray to lower bits is, on the board turned by half, a ray to higher bits from the opposite square. */
RV_INLINE u64 rv_flips(u64 p, u64 o, int square) {
    const uint64_t *up = rv_tables.up[square], *down = rv_tables.up[63 - square];
    uint64x2_t pp = vdupq_n_u64(p), oo = vdupq_n_u64(o), rp = rv_reverse(pp), ro = rv_reverse(oo);
    uint64x2_t flips = vorrq_u64(rv_flips_up(pp, oo, vld1q_u64(up)), rv_flips_up(pp, oo, vld1q_u64(up + 2)));
    uint64x2_t back = vorrq_u64(rv_flips_up(rp, ro, vld1q_u64(down)), rv_flips_up(rp, ro, vld1q_u64(down + 2)));
    flips = vorrq_u64(flips, rv_reverse(back));
    return vgetq_lane_u64(flips, 0) | vgetq_lane_u64(flips, 1);
}
#elif defined(RV_SSE2)
/* Rays to higher and to lower rows as in rv_captures, the row by two tables. */
RV_INLINE u64 rv_flips(u64 p, u64 o, int square) {
    const __m128i pp = rv_pair(p, rv_exchange_rows(p)), oo = rv_pair(o, rv_exchange_rows(o)), zero = _mm_setzero_si128();
    const int row = square & 56, column = square & 7;
    __m128i all = zero;
    for (int d = 0; d < 3; d++) {
        /* the first square of each ray that is not the opponent's; if ours, all before it turn */
        const __m128i ray = _mm_load_si128((const __m128i *)rv_tables.both[square][d]);
        __m128i stop = _mm_andnot_si128(oo, ray), none;
        stop = _mm_and_si128(_mm_and_si128(stop, _mm_sub_epi64(zero, stop)), pp);
        none = _mm_cmpeq_epi32(stop, zero);
        none = _mm_and_si128(none, _mm_shuffle_epi32(none, 0xb1));
        all = _mm_or_si128(all, _mm_andnot_si128(none, _mm_and_si128(ray, _mm_add_epi64(stop, _mm_set1_epi32(-1)))));
    }
    return rv_unpair(all)
        | (u64)rv_tables.line_flips[column][rv_tables.line_stops[column][o >> row >> 1 & 63] & (p >> row & 255)] << row;
}
#else
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

/* rv_flips where the next step waits for it: more instructions, but fewer cycles to the answer (on Zen 5, 20 instead of 31
 * to 36 with AVX-512, 26 instead of 44 with AVX2). Each line's bits are gathered, and two tables have the rest. */
#ifdef RV_AVX512
RV_INLINE u64 rv_flips_in_line(u64 p, u64 o, int square, int d) {
    const u64 line = rv_tables.line[square][d].squares;
    const uint8_t stops = rv_tables.line[square][d].stops[_pext_u64(o, rv_tables.line[square][d].inner)];
    return _pdep_u64(rv_tables.line[square][d].flips[stops & _pext_u64(p, line)], line);
}
RV_INLINE u64 rv_flips_soon(u64 p, u64 o, int square) {
    return (rv_flips_in_line(p, o, square, 0) | rv_flips_in_line(p, o, square, 1))
        | (rv_flips_in_line(p, o, square, 2) | rv_flips_in_line(p, o, square, 3));
}
#elif defined(RV_AVX2)
/* By multiplication: processors with AVX2 alone may be slow at gathering bits. */
RV_INLINE u64 rv_flips_in_diagonal(u64 p, u64 o, u64 diagonal, int column) {
    const u64 spread = 0x0101010101010101ULL;
    const uint8_t stops = rv_tables.line_stops[column][((o & diagonal) * spread) >> 57 & 63];
    return rv_tables.line_flips[column][stops & ((p & diagonal) * spread) >> 56] * spread & diagonal;
}
RV_INLINE u64 rv_flips_soon(u64 p, u64 o, int square) {
    const int row = square >> 3, column = square & 7, shift = square & 56;
    const u64 first = 0x0101010101010101ULL, gather = 0x0102040810204080ULL;
    const uint8_t stops = rv_tables.line_stops[row][((o >> column & first) * gather) >> 57 & 63];
    return ((u64)rv_tables.line_flips[column][rv_tables.line_stops[column][o >> shift >> 1 & 63] & p >> shift & 255] << shift
            | rv_flips_in_diagonal(p, o, rv_tables.diagonal[square][0], column))
        | (rv_flips_in_diagonal(p, o, rv_tables.diagonal[square][1], column)
           | rv_tables.column[rv_tables.line_flips[row][stops & ((p >> column & first) * gather) >> 56]] << column);
}
#else
RV_INLINE u64 rv_flips_soon(u64 p, u64 o, int square) { return rv_flips(p, o, square); }
#endif

/* --- placements and what follows ------------------------------------------------------------------------------------ */

/* For two placements at once: what each turns (flips), and where the opponent can place after it (replies). */
#ifdef RV_AVX512
RV_INLINE __m512i rv_or_halves(__m512i x) { /* in each half of the register, the or of its four words in every word */
    x = _mm512_or_si512(x, _mm512_shuffle_i64x2(x, x, 0xb1));
    return _mm512_or_si512(x, _mm512_shuffle_epi32(x, (_MM_PERM_ENUM)0x4e));
}

RV_INLINE __m512i rv_two(const u64 *a, const u64 *b) {
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_load_si256((const __m256i *)a)), _mm256_load_si256((const __m256i *)b), 1);
}

RV_INLINE void rv_expand(u64 p, u64 o, int a, int b, u64 *flips, u64 *replies) {
    const __m512i zero = _mm512_setzero_si512(), one = _mm512_set_epi64(7, 9, 8, 1, 7, 9, 8, 1);
    const __m512i two = _mm512_add_epi64(one, one), none = _mm512_set1_epi64(-1);
    const long long in = (long long)RV_INNER;
    const __m512i inner = _mm512_set_epi64(in, in, -1LL, in, in, in, -1LL, in);
    __m512i pp = _mm512_set1_epi64((long long)p), oo = _mm512_set1_epi64((long long)o);
    __m512i bits = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_set1_epi64x((long long)rv_tables.bit[a])),
                                      _mm256_set1_epi64x((long long)rv_tables.bit[b]), 1);
    /* as rv_flips */
    __m512i up = rv_two(rv_tables.up[a], rv_tables.up[b]), down = rv_two(rv_tables.down[a], rv_tables.down[b]);
    __m512i stop = _mm512_andnot_si512(oo, up), f, x, y, pair, riap;
    stop = _mm512_ternarylogic_epi64(stop, _mm512_sub_epi64(zero, stop), pp, 0x80);
    f = _mm512_and_si512(up, _mm512_maskz_add_epi64(_mm512_test_epi64_mask(stop, stop), stop, none));
    stop = _mm512_andnot_si512(oo, down);
    stop = _mm512_and_si512(_mm512_srlv_epi64(_mm512_set1_epi64((long long)0x8000000000000000ULL), _mm512_lzcnt_epi64(stop)), pp);
    f = _mm512_ternarylogic_epi64(f, down, _mm512_sub_epi64(zero, _mm512_add_epi64(stop, stop)), 0xf8);
    f = rv_or_halves(f);
    flips[0] = (u64)_mm_cvtsi128_si64(_mm512_castsi512_si128(f));
    flips[1] = (u64)_mm_cvtsi128_si64(_mm256_castsi256_si128(_mm512_extracti64x4_epi64(f, 1)));
    /* as rv_captures, sides exchanged */
    oo = _mm512_xor_si512(oo, f);
    pp = _mm512_ternarylogic_epi64(pp, f, bits, 0x96);
    f = _mm512_or_si512(pp, oo);
    pp = _mm512_and_si512(pp, inner);
    x = _mm512_and_si512(pp, _mm512_sllv_epi64(oo, one));
    y = _mm512_and_si512(pp, _mm512_srlv_epi64(oo, one));
    x = _mm512_ternarylogic_epi64(x, pp, _mm512_sllv_epi64(x, one), 0xf8);
    y = _mm512_ternarylogic_epi64(y, pp, _mm512_srlv_epi64(y, one), 0xf8);
    pair = _mm512_and_si512(pp, _mm512_sllv_epi64(pp, one));
    riap = _mm512_srlv_epi64(pair, one);
    x = _mm512_ternarylogic_epi64(x, pair, _mm512_sllv_epi64(x, two), 0xf8);
    y = _mm512_ternarylogic_epi64(y, riap, _mm512_srlv_epi64(y, two), 0xf8);
    x = _mm512_ternarylogic_epi64(x, pair, _mm512_sllv_epi64(x, two), 0xf8);
    y = _mm512_ternarylogic_epi64(y, riap, _mm512_srlv_epi64(y, two), 0xf8);
    x = rv_or_halves(_mm512_or_si512(_mm512_sllv_epi64(x, one), _mm512_srlv_epi64(y, one)));
    x = _mm512_andnot_si512(f, x);
    replies[0] = (u64)_mm_cvtsi128_si64(_mm512_castsi512_si128(x));
    replies[1] = (u64)_mm_cvtsi128_si64(_mm256_castsi256_si128(_mm512_extracti64x4_epi64(x, 1)));
}
#elif defined(RV_AVX2)
RV_INLINE __m256i rv_or_words(__m256i x) { /* the or of the four words in every word */
    x = _mm256_or_si256(x, _mm256_permute4x64_epi64(x, 0x4e));
    return _mm256_or_si256(x, _mm256_shuffle_epi32(x, 0x4e));
}

/* After a placement, sides exchanged; the flips stay in vector registers. */
RV_INLINE __m256i rv_replies_each(__m256i pp, __m256i oo, __m256i flips, int square) {
    const __m256i bit = _mm256_set1_epi64x((long long)rv_tables.bit[square]);
    return rv_captures_each(_mm256_xor_si256(oo, flips), _mm256_xor_si256(_mm256_xor_si256(pp, flips), bit));
}

RV_INLINE void rv_expand(u64 p, u64 o, int a, int b, u64 *flips, u64 *replies) {
    const __m256i pp = _mm256_set1_epi64x((long long)p), oo = _mm256_set1_epi64x((long long)o);
    __m256i x = rv_or_words(rv_flips_each(pp, oo, a)), y = rv_or_words(rv_flips_each(pp, oo, b));
    const u64 empty = ~(p | o);
    __m128i both;
    flips[0] = (u64)_mm_cvtsi128_si64(_mm256_castsi256_si128(x));
    flips[1] = (u64)_mm_cvtsi128_si64(_mm256_castsi256_si128(y));
    x = rv_replies_each(pp, oo, x, a);
    y = rv_replies_each(pp, oo, y, b);
    x = _mm256_or_si256(_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y));
    both = _mm_or_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    replies[0] = (u64)_mm_cvtsi128_si64(both) & (empty ^ rv_bit(a));
    replies[1] = (u64)_mm_cvtsi128_si64(_mm_unpackhi_epi64(both, both)) & (empty ^ rv_bit(b));
}
#else
RV_INLINE void rv_expand(u64 p, u64 o, int a, int b, u64 *flips, u64 *replies) {
    flips[0] = rv_flips(p, o, a);
    flips[1] = rv_flips(p, o, b);
    replies[0] = rv_captures(o ^ flips[0], p ^ flips[0] ^ rv_bit(a));
    replies[1] = rv_captures(o ^ flips[1], p ^ flips[1] ^ rv_bit(b));
}
#endif

/* --- columns and last flips ----------------------------------------------------------------------------------------- */

#ifdef RV_AVX512 /* where gathering bits is never slow */
RV_INLINE uint8_t rv_column_a(u64 x) { return (uint8_t)_pext_u64(x, 0x0101010101010101ULL); }
RV_INLINE uint8_t rv_column_h(u64 x) { return (uint8_t)_pext_u64(x, 0x8080808080808080ULL); }
/* eight bits to column a, the lowest to row 1 */
RV_INLINE u64 rv_to_column(uint8_t x) { return _pdep_u64(x, 0x0101010101010101ULL); }
#else
RV_INLINE uint8_t rv_column_a(u64 x) { return (uint8_t)(((x & 0x0101010101010101ULL) * 0x0102040810204080ULL) >> 56); }
RV_INLINE uint8_t rv_column_h(u64 x) { return (uint8_t)((((x >> 7) & 0x0101010101010101ULL) * 0x0102040810204080ULL) >> 56); }
/* eight bits to column a, the lowest to row 1 */
RV_INLINE u64 rv_to_column(uint8_t x) {
    u64 low = ((x & 0x0fULL) * 0x00204081ULL) & 0x01010101ULL, high = ((x >> 4) * 0x00204081ULL) & 0x01010101ULL;
    return low | high << 32;
}
#endif

/* Twice the number of discs that p turns by taking the one square that is left: all else is o's. */
#ifdef RV_AVX512
RV_INLINE int rv_last_flips_in_line(u64 p, int square, int d) {
    return rv_tables.line[square][d].last[_pext_u64(p, rv_tables.line[square][d].squares)];
}
RV_INLINE int rv_last_flips(u64 p, int square) {
    return (rv_last_flips_in_line(p, square, 0) + rv_last_flips_in_line(p, square, 1))
        + (rv_last_flips_in_line(p, square, 2) + rv_last_flips_in_line(p, square, 3));
}
#else
RV_INLINE int rv_last_flips(u64 p, int square) {
    int column = square & 7, row = square >> 3;
    return rv_tables.last[column][(p >> (square & 56)) & 255]
        + rv_tables.last[row][rv_column_a(p >> column)]
        + rv_tables.last[column][((p & rv_tables.diagonal[square][0]) * 0x0101010101010101ULL) >> 56]
        + rv_tables.last[column][((p & rv_tables.diagonal[square][1]) * 0x0101010101010101ULL) >> 56];
}
#endif

/* --- stability --------------------------------------------------------------------------------------------------- */

RV_INLINE uint8_t rv_edge(uint8_t p, uint8_t o) { return rv_tables.edge[2][rv_tables.base3[p] + 2 * rv_tables.base3[o]]; }

/* p's discs on the four edges that are stable there */
RV_INLINE u64 rv_stable_edges(u64 p, u64 o) {
    return (u64)rv_edge((uint8_t)p, (uint8_t)o) | (u64)rv_edge((uint8_t)(p >> 56), (uint8_t)(o >> 56)) << 56
        | rv_to_column(rv_edge(rv_column_a(p), rv_column_a(o))) | rv_to_column(rv_edge(rv_column_h(p), rv_column_h(o))) << 7;
}

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

/* The squares of full diagonals, both ways. */
RV_INLINE void rv_full_diagonals(u64 empty, u64 *diagonals, u64 *antidiagonals) {
#ifdef RV_AVX2
    /* as rv_full_lines, the two ways in one register, all guards those of the arriving squares */
    const __m128i one = _mm_set_epi64x(7, 9), two = _mm_set_epi64x(14, 18), four = _mm_set_epi64x(28, 36);
    const __m128i east = _mm_set1_epi8((char)0xfe), west = _mm_set1_epi8(0x7f); /* all but column a, all but column h */
    const __m128i east2 = _mm_set1_epi8((char)0xfc), west2 = _mm_set1_epi8(0x3f);
    const __m128i east4 = _mm_set1_epi8((char)0xf0), west4 = _mm_set1_epi8(0x0f);
    __m128i up = _mm_set1_epi64x((long long)empty), down = up;
    up = _mm_or_si128(up, _mm_and_si128(_mm_sllv_epi64(up, one), _mm_unpacklo_epi64(east, west)));
    down = _mm_or_si128(down, _mm_and_si128(_mm_srlv_epi64(down, one), _mm_unpacklo_epi64(west, east)));
    up = _mm_or_si128(up, _mm_and_si128(_mm_sllv_epi64(up, two), _mm_unpacklo_epi64(east2, west2)));
    down = _mm_or_si128(down, _mm_and_si128(_mm_srlv_epi64(down, two), _mm_unpacklo_epi64(west2, east2)));
    up = _mm_or_si128(up, _mm_and_si128(_mm_sllv_epi64(up, four), _mm_unpacklo_epi64(east4, west4)));
    down = _mm_or_si128(down, _mm_and_si128(_mm_srlv_epi64(down, four), _mm_unpacklo_epi64(west4, east4)));
    up = _mm_or_si128(up, down);
    *diagonals = ~(u64)_mm_cvtsi128_si64(up);
    *antidiagonals = ~(u64)_mm_cvtsi128_si64(_mm_unpackhi_epi64(up, up));
#else
    *diagonals = rv_full_lines(empty, 9, 0x7f7f7f7f7f7f7f7fULL, 0x3f3f3f3f3f3f3f3fULL, 0x0f0f0f0f0f0f0f0fULL);
    *antidiagonals = rv_full_lines(empty, 7, 0xfefefefefefefefeULL, 0xfcfcfcfcfcfcfcfcULL, 0xf0f0f0f0f0f0f0f0ULL);
#endif
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

/* --- hashing ------------------------------------------------------------------------------------------------------ */

RV_INLINE u64 rv_mix(u64 x) { x ^= x >> 32; x *= 0xd6e8feb86659fd93ULL; x ^= x >> 32; return x; }
RV_INLINE u64 rv_hash(u64 p, u64 o) {
    u64 x = p * 0x9e3779b97f4a7c15ULL ^ (o + 0x632be59bd9b4e019ULL) * 0xc2b2ae3d27d4eb4fULL;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9ULL;
    return x ^ x >> 32;
}

#endif
