/* The learned evaluation of the standard game: patterns, their indices kept up to date move by move, and their sum.
 *
 * A pattern is a list of squares; its index is the balanced base-3 number whose digit q (worth 3**q) is +1 for the
 * mover's disc on the q-th square, -1 for the opponent's, 0 for an empty one. Seen from the other side every index is
 * its negative, so a turn negates the whole vector and no color is stored. Each of the 56 lanes of a vector of
 * 16-bit numbers is one symmetric copy of a pattern; copies share a table, and mirrored states share a weight.
 *
 * All weights lie in one piece of memory, at an address that is a multiple of 64. It has up to three parts, in this order,
 * each at a multiple of 64: the stages' weights from the lowest stage on, the narrow net and the wide one
 * (evaluation_net.h). The weights file has them in the same form, its numbers little-endian
 * (reversi/evaluation/weights.py). A position is valued by the wide net where that values its number of empty squares,
 * else by the narrow net where that does, else by the stages' weights.
 *
 * One stage's weights, 16-bit numbers in 1/128 disc:
 *     for each pattern its 3**length states, from the lowest index
 *     RV_EVAL_MOVES weights by the mover's number of placements, as many by the opponent's
 *     4 constants: by the parity of the number of empty squares (0, 1), then two unused
 */
#ifndef REVERSI_EVALUATION_H
#define REVERSI_EVALUATION_H

#include "bits/bits.h"

enum {
    RV_EVAL_PATTERNS = 13,
    RV_EVAL_USED = 56,    /* lanes in use */
    RV_EVAL_LANES = 64,
    RV_EVAL_MOVES = 32,   /* classes of mobility: 31 stands for 31 and more */
    RV_EVAL_STAGES = 22,  /* see rv_eval_stage */
    RV_EVAL_DISC = 128,
    RV_EVAL_LIMIT = 64 * 128 - 1,
    RV_WEIGHTS_ALIGNMENT = 64
};

enum { RV_PART_STAGES = 1, RV_PART_NET = 2, RV_PART_WIDE = 4, RV_PARTS = 7 };

/* Where each pattern's index 0 lies in a stage: half its table after the tables before it. */
enum {
    RV_3_10 = 59049, RV_3_9 = 19683, RV_3_8 = 6561,
    RV_C_BLOCK = 29524,
    RV_C_EDGE_X = RV_3_10 + 29524,
    RV_C_EDGE_BLOCK = 2 * RV_3_10 + 29524,
    RV_C_TRIANGLE = 3 * RV_3_10 + 29524,
    RV_C_EDGE_A = 4 * RV_3_10 + 29524,
    RV_C_LINE2 = 5 * RV_3_10 + 29524,
    RV_C_DIAGONAL8 = 6 * RV_3_10 + 29524,
    RV_C_CORNER = 7 * RV_3_10 + 9841,
    RV_C_DIAGONAL7 = 7 * RV_3_10 + RV_3_9 + 9841,
    RV_C_LINE3 = 7 * RV_3_10 + 2 * RV_3_9 + 3280,
    RV_C_LINE4 = 7 * RV_3_10 + 2 * RV_3_9 + RV_3_8 + 3280,
    RV_C_DIAGONAL6 = 7 * RV_3_10 + 2 * RV_3_9 + 2 * RV_3_8 + 364,
    RV_C_DIAGONAL5 = 7 * RV_3_10 + 2 * RV_3_9 + 2 * RV_3_8 + 729 + 121,
    RV_EVAL_MOBILITY = 7 * RV_3_10 + 2 * RV_3_9 + 2 * RV_3_8 + 729 + 243,
    RV_EVAL_CONSTANT = RV_EVAL_MOBILITY + 2 * RV_EVAL_MOVES,
    RV_EVAL_STAGE = RV_EVAL_CONSTANT + 4
};

/* length, squares of the first copy; the other copies follow by symmetry */
static const uint8_t rv_eval_squares[RV_EVAL_PATTERNS][11] = {
    {10, 0, 1, 2, 3, 4, 8, 9, 10, 11, 12},       /* block: a1-e1 a2-e2 */
    {10, 9, 0, 1, 2, 3, 4, 5, 6, 7, 14},         /* edge and X-squares: b2 a1-h1 g2 */
    {10, 0, 2, 3, 4, 5, 7, 10, 11, 12, 13},      /* edge block: a1 c1-f1 h1 c2-f2 */
    {10, 0, 1, 2, 3, 8, 9, 10, 16, 17, 24},      /* triangle: a1-d1 a2-c2 a3 b3 a4 */
    {10, 8, 0, 1, 2, 3, 4, 5, 6, 7, 15},         /* edge and what lies beside it: a2 a1-h1 h2 */
    {10, 0, 8, 9, 10, 11, 12, 13, 14, 15, 7},    /* line 2 and corners: a1 a2-h2 h1 */
    {10, 1, 8, 0, 9, 18, 27, 36, 45, 54, 63},    /* diagonal of 8 and C-squares: b1 a2 a1-h8 */
    {9, 0, 1, 2, 8, 9, 10, 16, 17, 18},          /* corner: a1-c1 a2-c2 a3-c3 */
    {9, 0, 1, 10, 19, 28, 37, 46, 55, 63},       /* diagonal of 7 and corners: a1 b1-h7 h8 */
    {8, 16, 17, 18, 19, 20, 21, 22, 23},         /* lines 3 and 4 */
    {8, 24, 25, 26, 27, 28, 29, 30, 31},
    {6, 2, 11, 20, 29, 38, 47},                  /* diagonals of 6 and 5: c1-h6, d1-h5 */
    {5, 3, 12, 21, 30, 39},
};

typedef struct {
    RV_ALIGN(64) int16_t at[RV_EVAL_LANES];
} rv_eval_t;

typedef struct {
    RV_ALIGN(64) int16_t worth[64][RV_EVAL_LANES]; /* what a mover's disc on a square adds to each lane */
    uint8_t squares[RV_EVAL_LANES][10];            /* squares of a lane, in the order of its digits */
    uint8_t pattern[RV_EVAL_LANES];
    int first[RV_EVAL_PATTERNS + 1];               /* first state of a pattern within a stage */
    uint8_t mirror[RV_EVAL_PATTERNS][10];          /* the order of squares that shares weights with the natural one */
} rv_eval_tables_t;

static rv_eval_tables_t rv_eval_tables;

static int rv_eval_turned(int square, int symmetry) {
    int row = square >> 3, column = square & 7, held;
    if (symmetry & 1) { held = row; row = column; column = held; }
    if (symmetry & 2) column = 7 - column;
    if (symmetry & 4) row = 7 - row;
    return 8 * row + column;
}

/* Idempotent; called at import. */
static void rv_eval_init(void) {
    int lane = 0, state = 0;
    memset(&rv_eval_tables, 0, sizeof rv_eval_tables);
    for (int k = 0; k < RV_EVAL_PATTERNS; k++) {
        int length = rv_eval_squares[k][0], states = 1, first_lane = lane;
        u64 sets[8];
        for (int q = 0; q < length; q++) { states *= 3; rv_eval_tables.mirror[k][q] = (uint8_t)q; }
        for (int symmetry = 0; symmetry < 8; symmetry++) {
            u64 set = 0;
            int known = -1;
            for (int q = 0; q < length; q++) set |= rv_bit(rv_eval_turned(rv_eval_squares[k][1 + q], symmetry));
            for (int i = first_lane; i < lane; i++) if (sets[i - first_lane] == set) known = i;
            if (known < 0) {
                sets[lane - first_lane] = set;
                rv_eval_tables.pattern[lane] = (uint8_t)k;
                for (int q = 0, worth = 1; q < length; q++, worth *= 3) {
                    int square = rv_eval_turned(rv_eval_squares[k][1 + q], symmetry);
                    rv_eval_tables.squares[lane][q] = (uint8_t)square;
                    rv_eval_tables.worth[square][lane] = (int16_t)worth;
                }
                lane++;
            } else if (known == first_lane) { /* the pattern on itself: in another order? */
                uint8_t order[10];
                int other = 0;
                for (int q = 0; q < length; q++) {
                    int square = rv_eval_turned(rv_eval_squares[k][1 + q], symmetry), at = 0;
                    while (rv_eval_squares[k][1 + at] != square) at++;
                    order[q] = (uint8_t)at;
                    other |= at != q;
                }
                if (other) memcpy(rv_eval_tables.mirror[k], order, (size_t)length);
            }
        }
        rv_eval_tables.first[k] = state;
        state += states;
    }
    rv_eval_tables.first[RV_EVAL_PATTERNS] = state;
}

/* The class of every state of a stage, numbered as first met; `classes` has RV_EVAL_STAGE entries. The number of
 * classes: weights as stored are one per class. */
static int rv_eval_classes(int32_t *classes) {
    int count = 0;
    for (int k = 0; k < RV_EVAL_PATTERNS; k++) {
        int length = rv_eval_squares[k][0], states = rv_eval_tables.first[k + 1] - rv_eval_tables.first[k], power[10];
        int32_t *of = classes + rv_eval_tables.first[k];
        for (int q = 0, worth = 1; q < length; q++, worth *= 3) power[q] = worth;
        for (int i = 0; i < states; i++) {
            int mirrored = 0;
            for (int q = 0, rest = i; q < length; q++, rest /= 3) mirrored += rest % 3 * power[rv_eval_tables.mirror[k][q]];
            of[i] = mirrored < i ? of[mirrored] : count++;
        }
    }
    for (int i = RV_EVAL_MOBILITY; i < RV_EVAL_STAGE; i++) classes[i] = count++;
    return count;
}

/* --- indices ----------------------------------------------------------------------------------------------------- */

#ifdef RV_AVX2
#define RV_EVAL_EACH(v) for (int v = 0; v < RV_EVAL_LANES / 16; v++)
RV_INLINE __m256i rv_eval_load(const int16_t *at, int v) { return _mm256_load_si256((const __m256i *)at + v); }

/* The indices of a position. */
RV_INLINE void rv_eval_set(rv_eval_t *e, u64 p, u64 o) {
    __m256i sum[RV_EVAL_LANES / 16];
    RV_EVAL_EACH(v) sum[v] = _mm256_setzero_si256();
    for (; p; p &= p - 1) {
        const int16_t *worth = rv_eval_tables.worth[rv_first(p)];
        RV_EVAL_EACH(v) sum[v] = _mm256_add_epi16(sum[v], rv_eval_load(worth, v));
    }
    for (; o; o &= o - 1) {
        const int16_t *worth = rv_eval_tables.worth[rv_first(o)];
        RV_EVAL_EACH(v) sum[v] = _mm256_sub_epi16(sum[v], rv_eval_load(worth, v));
    }
    RV_EVAL_EACH(v) _mm256_store_si256((__m256i *)e->at + v, sum[v]);
}

/* The indices after a placement, from the view of the one who moves then. */
RV_INLINE void rv_eval_play(const rv_eval_t *from, rv_eval_t *to, int square, u64 flips) {
    __m256i sum[RV_EVAL_LANES / 16], zero = _mm256_setzero_si256();
    RV_EVAL_EACH(v) sum[v] = zero;
    for (; flips; flips &= flips - 1) {
        const int16_t *worth = rv_eval_tables.worth[rv_first(flips)];
        RV_EVAL_EACH(v) sum[v] = _mm256_sub_epi16(sum[v], rv_eval_load(worth, v));
    }
    RV_EVAL_EACH(v) {
        __m256i before = _mm256_add_epi16(rv_eval_load(from->at, v), rv_eval_load(rv_eval_tables.worth[square], v));
        _mm256_store_si256((__m256i *)to->at + v, _mm256_sub_epi16(_mm256_add_epi16(sum[v], sum[v]), before));
    }
}

/* The same position from the other side. */
RV_INLINE void rv_eval_pass(const rv_eval_t *from, rv_eval_t *to) {
    RV_EVAL_EACH(v) _mm256_store_si256((__m256i *)to->at + v, _mm256_sub_epi16(_mm256_setzero_si256(), rv_eval_load(from->at, v)));
}
#else
#define RV_EVAL_EACH(v) for (int v = 0; v < RV_EVAL_LANES; v++)
RV_INLINE void rv_eval_set(rv_eval_t *e, u64 p, u64 o) {
    memset(e, 0, sizeof *e);
    for (; p; p &= p - 1) {
        const int16_t *worth = rv_eval_tables.worth[rv_first(p)];
        RV_EVAL_EACH(v) e->at[v] = (int16_t)(e->at[v] + worth[v]);
    }
    for (; o; o &= o - 1) {
        const int16_t *worth = rv_eval_tables.worth[rv_first(o)];
        RV_EVAL_EACH(v) e->at[v] = (int16_t)(e->at[v] - worth[v]);
    }
}

RV_INLINE void rv_eval_play(const rv_eval_t *from, rv_eval_t *to, int square, u64 flips) {
    const int16_t *placed = rv_eval_tables.worth[square];
    RV_EVAL_EACH(v) to->at[v] = (int16_t)-(from->at[v] + placed[v]);
    for (; flips; flips &= flips - 1) {
        const int16_t *worth = rv_eval_tables.worth[rv_first(flips)];
        RV_EVAL_EACH(v) to->at[v] = (int16_t)(to->at[v] - 2 * worth[v]);
    }
}

RV_INLINE void rv_eval_pass(const rv_eval_t *from, rv_eval_t *to) {
    RV_EVAL_EACH(v) to->at[v] = (int16_t)-from->at[v];
}
#endif

#include "evaluation_net.h"

/* --- the sum ----------------------------------------------------------------------------------------------------- */

/* Stages: 0 up to 5 empty squares, then two each up to 15 (34 and 35), four each up to 20 (52 to 55), 21 above. */
RV_INLINE int rv_eval_stage(int n) {
    return n < 4 ? 0 : n < 36 ? (n - 4) >> 1 : n < 56 ? 16 + ((n - 36) >> 2) : RV_EVAL_STAGES - 1;
}

#define RV_EVAL_4(c, i) (((int)w[(c) + e->at[i]] + w[(c) + e->at[(i) + 1]]) + (w[(c) + e->at[(i) + 2]] + w[(c) + e->at[(i) + 3]]))

/* The patterns' sum for one stage's weights. */
RV_INLINE int rv_eval_patterns(const rv_eval_t *e, const int16_t *w) {
    int a = RV_EVAL_4(RV_C_BLOCK, 0) + RV_EVAL_4(RV_C_BLOCK, 4) + RV_EVAL_4(RV_C_EDGE_X, 8) + RV_EVAL_4(RV_C_EDGE_BLOCK, 12);
    int b = RV_EVAL_4(RV_C_TRIANGLE, 16) + RV_EVAL_4(RV_C_EDGE_A, 20) + RV_EVAL_4(RV_C_LINE2, 24) + RV_EVAL_4(RV_C_DIAGONAL8, 28);
    int c = RV_EVAL_4(RV_C_CORNER, 32) + RV_EVAL_4(RV_C_DIAGONAL7, 36) + RV_EVAL_4(RV_C_LINE3, 40) + RV_EVAL_4(RV_C_LINE4, 44);
    int d = RV_EVAL_4(RV_C_DIAGONAL6, 48) + RV_EVAL_4(RV_C_DIAGONAL5, 52);
    return (a + b) + (c + d);
}

/* --- all weights ------------------------------------------------------------------------------------------------- */

typedef struct {
    const int16_t *stages; /* NULL where a part is missing */
    const rv_net_t *net;
    const rv_wide_t *wide;
    uint8_t part[65];      /* by number of empty squares: which part values them */
} rv_weights_t;

/* The bytes of some parts, or where the last of them begins. */
static size_t rv_weights_size(int parts) {
    const size_t sizes[3] = {sizeof(int16_t) * RV_EVAL_STAGES * RV_EVAL_STAGE, sizeof(rv_net_t), sizeof(rv_wide_t)};
    size_t size = 0;
    for (int i = 0; i < 3; i++)
        if (parts >> i & 1) size = (size + RV_WEIGHTS_ALIGNMENT - 1) / RV_WEIGHTS_ALIGNMENT * RV_WEIGHTS_ALIGNMENT + sizes[i];
    return size;
}

/* Where a part begins among some. */
static size_t rv_weights_at(int parts, int part) {
    const size_t before = rv_weights_size(parts & (part - 1));
    return (before + RV_WEIGHTS_ALIGNMENT - 1) / RV_WEIGHTS_ALIGNMENT * RV_WEIGHTS_ALIGNMENT;
}

/* Find the parts of what lies at `at`; why that cannot be, or NULL. */
static const char *rv_weights_set(rv_weights_t *w, const void *at, int parts) {
    memset(w, 0, sizeof *w);
    if (parts & RV_PART_STAGES) w->stages = (const int16_t *)at;
    if (parts & RV_PART_NET) w->net = (const rv_net_t *)((const char *)at + rv_weights_at(parts, RV_PART_NET));
    if (parts & RV_PART_WIDE) w->wide = (const rv_wide_t *)((const char *)at + rv_weights_at(parts, RV_PART_WIDE));
    /* files of version 3 have a net that values none */
    if (w->net && w->stages && w->net->low == RV_NO_NET_LOW && w->net->high == RV_NO_NET_HIGH) w->net = 0;
    if ((w->net && !rv_net_valid(w->net)) || (w->wide && !rv_wide_valid(w->wide)))
        return "the net names other numbers of empty squares than 0 to 60, or its sums overflow";
    for (int n = 0; n <= 64; n++) {
        const int named = n > 60 ? 60 : n;
        w->part[n] = w->wide && w->wide->low <= named && named <= w->wide->high ? RV_PART_WIDE
            : w->net && w->net->low <= named && named <= w->net->high ? RV_PART_NET : RV_PART_STAGES;
        if (w->part[n] == RV_PART_STAGES && !w->stages) return "nothing values some numbers of empty squares";
    }
    return 0;
}

/* A position's value for its mover in 1/128 disc, with `mine` placements for the mover and `theirs` for the opponent. */
RV_INLINE int rv_eval_value(const rv_eval_t *e, const rv_weights_t *weights, int n, int mine, int theirs) {
    const int stage = rv_eval_stage(n);
    int value;
    if (mine >= RV_EVAL_MOVES) mine = RV_EVAL_MOVES - 1;
    if (theirs >= RV_EVAL_MOVES) theirs = RV_EVAL_MOVES - 1;
    if (weights->part[n] == RV_PART_NET) {
        value = rv_net_value(weights->net, e, stage, n, mine, theirs);
    } else if (weights->part[n] == RV_PART_WIDE) {
        value = rv_wide_value(weights->wide, e, stage, n, mine, theirs);
    } else {
        const int16_t *w = weights->stages + (size_t)RV_EVAL_STAGE * (size_t)stage;
        value = rv_eval_patterns(e, w) + w[RV_EVAL_MOBILITY + mine] + w[RV_EVAL_MOBILITY + RV_EVAL_MOVES + theirs] + w[RV_EVAL_CONSTANT + (n & 1)];
    }
    return value > RV_EVAL_LIMIT ? RV_EVAL_LIMIT : value < -RV_EVAL_LIMIT ? -RV_EVAL_LIMIT : value;
}

#endif
