/* Small nets over the patterns: every state has a row of numbers, the rows of a position's states are summed, and a head
 * for each stage makes the value of the sum. There are two: a narrow one, cheap enough for the order of moves, and a wide
 * one for many empty squares, where it is asked seldom. Included by evaluation.h, which has the patterns and their indices.
 *
 * With W numbers in a row, U units and V units behind them (the narrow net has no such units), all arithmetic is on
 * integers, so that every build has the same values:
 *     x[W]       the sum of the rows and of the small rows, held within +-RV_NET_CLIP
 *     z[3W/2]    x, then x[k] * x[k + W/2] / 512 for k below W/2
 *     u[U]       layer * z + layer_bias, negative ones 0, divided by 2**RV_NET_UNIT_SHIFT, at most 32767
 *     v[V]       second * u + second_bias, negative ones 0, divided by 2**RV_NET_SECOND_SHIFT, at most 32767
 *     value      (linear * z + out * u + second_out * v + constant) / 2**RV_NET_SHIFT, in 1/128 disc
 */
#ifndef REVERSI_EVALUATION_NET_H
#define REVERSI_EVALUATION_NET_H

enum {
    RV_NET_WIDTH = 16, RV_NET_UNITS = 16,                       /* of the narrow net */
    RV_WIDE_WIDTH = 32, RV_WIDE_UNITS = 16, RV_WIDE_SECOND = 16, /* of the wide net: multiples of 16 */
    RV_NET_CLIP = 4095,
    RV_NET_PRODUCT = 32752, /* the largest product of two entries of x */
    RV_NET_UNIT = 32767,    /* the largest unit */
    RV_NET_UNIT_SHIFT = 7,
    RV_NET_SECOND_SHIFT = 11,
    RV_NET_SHIFT = 10,
    RV_NET_SMALL = 2 * RV_EVAL_MOVES + 4,
    RV_NO_NET_LOW = 1, /* the numbers of empty squares of a net that values none */
    RV_NO_NET_HIGH = 0
};

/* 960 bytes. This and what follows is the layout of a weights file, too. */
typedef struct {
    int16_t layer[RV_NET_WIDTH * 3 / 4][RV_NET_UNITS][2]; /* the weights of inputs 2i and 2i + 1 for each unit */
    int32_t layer_bias[RV_NET_UNITS];
    int16_t out[RV_NET_UNITS];
    int16_t linear[RV_NET_WIDTH * 3 / 2];
    int32_t constant;
    int32_t unused[11];
} rv_net_head_t;

/* a multiple of 64 bytes */
typedef struct {
    int16_t layer[RV_WIDE_WIDTH * 3 / 4][RV_WIDE_UNITS][2];
    int32_t layer_bias[RV_WIDE_UNITS];
    int16_t second[RV_WIDE_UNITS / 2][RV_WIDE_SECOND][2];
    int32_t second_bias[RV_WIDE_SECOND];
    int16_t out[RV_WIDE_UNITS];
    int16_t second_out[RV_WIDE_SECOND];
    int16_t linear[RV_WIDE_WIDTH * 3 / 2];
    int32_t constant;
    int32_t unused[(63 - (6 * RV_WIDE_UNITS + 6 * RV_WIDE_SECOND + 3 * RV_WIDE_WIDTH + 3) % 64) / 4];
} rv_wide_head_t;

typedef struct {
    int32_t low, high; /* the net values positions with low to high empty squares */
    int32_t unused[14];
    rv_net_head_t head[RV_EVAL_STAGES];
    int16_t small_rows[RV_NET_SMALL][RV_NET_WIDTH]; /* rows of mobilities and constants, in the order of a stage's weights */
    int8_t rows[RV_EVAL_MOBILITY][RV_NET_WIDTH]; /* of the patterns' states */
} rv_net_t;

typedef struct {
    int32_t low, high;
    int32_t unused[14];
    rv_wide_head_t head[RV_EVAL_STAGES];
    int16_t small_rows[RV_NET_SMALL][RV_WIDE_WIDTH];
    int8_t rows[RV_EVAL_MOBILITY][RV_WIDE_WIDTH];
} rv_wide_t;

/* One stage of either net. */
typedef struct {
    int width, units, seconds;
    const int8_t *rows;
    const int16_t *small_rows, *layer, *second, *out, *second_out, *linear;
    const int32_t *layer_bias, *second_bias;
    int32_t constant;
} rv_net_stage_t;

RV_INLINE rv_net_stage_t rv_net_stage(const rv_net_t *net, int stage) {
    const rv_net_head_t *h = net->head + stage;
    rv_net_stage_t s = {RV_NET_WIDTH, RV_NET_UNITS, 0, net->rows[0], net->small_rows[0], h->layer[0][0], 0, h->out, 0, h->linear,
                        h->layer_bias, 0, h->constant};
    return s;
}

RV_INLINE rv_net_stage_t rv_wide_stage(const rv_wide_t *net, int stage) {
    const rv_wide_head_t *h = net->head + stage;
    rv_net_stage_t s = {RV_WIDE_WIDTH, RV_WIDE_UNITS, RV_WIDE_SECOND, net->rows[0], net->small_rows[0], h->layer[0][0],
                        h->second[0][0], h->out, h->second_out, h->linear, h->layer_bias, h->second_bias, h->constant};
    return s;
}

/* --- whether no sum can overflow --------------------------------------------------------------------------------- */

RV_INLINE int64_t rv_net_size(int64_t number) { return number < 0 ? -number : number; }

/* The largest sum of weights times inputs; the weights lie `apart` numbers from each other, or are pairs of an input and the
 * next that do. */
static int64_t rv_net_most(const int16_t *weights, int inputs, int apart, int width) {
    int64_t most = 0;
    for (int i = 0; i < inputs; i++) {
        int w = apart > 1 ? weights[i / 2 * apart + i % 2] : weights[i];
        most += rv_net_size(w) * (i < width ? RV_NET_CLIP : width ? RV_NET_PRODUCT : RV_NET_UNIT);
    }
    return most;
}

static int rv_net_stage_valid(rv_net_stage_t s) {
    int64_t total = rv_net_size(s.constant) + rv_net_most(s.linear, s.width * 3 / 2, 1, s.width)
        + rv_net_most(s.out, s.units, 1, 0) + rv_net_most(s.second_out, s.seconds, 1, 0);
    for (int j = 0; j < s.units; j++)
        if (rv_net_size(s.layer_bias[j]) + rv_net_most(s.layer + 2 * j, s.width * 3 / 2, 2 * s.units, s.width) > INT32_MAX) return 0;
    for (int j = 0; j < s.seconds; j++)
        if (rv_net_size(s.second_bias[j]) + rv_net_most(s.second + 2 * j, s.units, 2 * s.seconds, 0) > INT32_MAX) return 0;
    return total <= INT32_MAX - (1 << RV_NET_SHIFT);
}

static int rv_net_small_valid(rv_net_stage_t s) {
    for (int k = 0; k < s.width; k++) {
        int most[3] = {0, 0, 0}; /* of the mover's mobility, the opponent's, the constants */
        for (int i = 0; i < RV_NET_SMALL; i++) {
            int size = (int)rv_net_size(s.small_rows[i * s.width + k]), of = i / RV_EVAL_MOVES;
            if (size > most[of]) most[of] = size;
        }
        if (most[0] + most[1] + most[2] + 128 * RV_EVAL_USED > 32767) return 0;
    }
    return 1;
}

static int rv_net_range_valid(int low, int high) { return low >= 0 && high <= 60 && low <= high; }

static int rv_net_valid(const rv_net_t *net) {
    int valid = rv_net_range_valid(net->low, net->high) && rv_net_small_valid(rv_net_stage(net, 0));
    for (int stage = 0; stage < RV_EVAL_STAGES && valid; stage++) valid = rv_net_stage_valid(rv_net_stage(net, stage));
    return valid;
}

static int rv_wide_valid(const rv_wide_t *net) {
    int valid = rv_net_range_valid(net->low, net->high) && rv_net_small_valid(rv_wide_stage(net, 0));
    for (int stage = 0; stage < RV_EVAL_STAGES && valid; stage++) valid = rv_net_stage_valid(rv_wide_stage(net, stage));
    return valid;
}

/* --- the value --------------------------------------------------------------------------------------------------- */

enum {
    RV_NET_WIDEST = RV_WIDE_WIDTH > RV_NET_WIDTH ? RV_WIDE_WIDTH : RV_NET_WIDTH,
    RV_NET_INPUTS = RV_NET_WIDEST * 3 / 2,
    RV_NET_MOST = RV_WIDE_UNITS > RV_NET_UNITS ? RV_WIDE_UNITS : RV_NET_UNITS
};

/* A register of 16-bit numbers, or of half as many of 32 bits. */
#if defined(RV_AVX2)
#define RV_NET_STEP 16
typedef __m256i rv_net_v;
RV_INLINE rv_net_v rv_net_zero(void) { return _mm256_setzero_si256(); }
RV_INLINE rv_net_v rv_net_load(const void *at) { return _mm256_loadu_si256((const __m256i *)at); }
RV_INLINE void rv_net_store(void *at, rv_net_v a) { _mm256_storeu_si256((__m256i *)at, a); }
RV_INLINE rv_net_v rv_net_row(const int8_t *at) { return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)at)); }
RV_INLINE rv_net_v rv_net_add(rv_net_v a, rv_net_v b) { return _mm256_add_epi16(a, b); }
RV_INLINE rv_net_v rv_net_clip(rv_net_v a) {
    return _mm256_max_epi16(_mm256_min_epi16(a, _mm256_set1_epi16(RV_NET_CLIP)), _mm256_set1_epi16(-RV_NET_CLIP));
}
RV_INLINE rv_net_v rv_net_both(const int16_t *at) { int32_t both; memcpy(&both, at, sizeof both); return _mm256_set1_epi32(both); }
RV_INLINE rv_net_v rv_net_madd(rv_net_v sum, rv_net_v a, rv_net_v b) { return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)); }
RV_INLINE rv_net_v rv_net_plus(rv_net_v a, rv_net_v b) { return _mm256_add_epi32(a, b); }
/* negative numbers 0, the others shifted, then both registers as 16-bit numbers */
RV_INLINE rv_net_v rv_net_units(rv_net_v a, rv_net_v b, int shift) {
    a = _mm256_srai_epi32(_mm256_max_epi32(a, _mm256_setzero_si256()), shift);
    b = _mm256_srai_epi32(_mm256_max_epi32(b, _mm256_setzero_si256()), shift);
    return _mm256_permute4x64_epi64(_mm256_packs_epi32(a, b), 0xd8); /* the halves lie side by side: 0-3 8-11 4-7 12-15 */
}
RV_INLINE int rv_net_all(rv_net_v a) {
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1)));
}
RV_INLINE __m128i rv_net_product(__m128i a, __m128i b) { return _mm_mulhrs_epi16(_mm_slli_epi16(a, 3), _mm_slli_epi16(b, 3)); }
#elif defined(RV_SSE2)
#define RV_NET_STEP 8
typedef __m128i rv_net_v;
RV_INLINE rv_net_v rv_net_zero(void) { return _mm_setzero_si128(); }
RV_INLINE rv_net_v rv_net_load(const void *at) { return _mm_loadu_si128((const __m128i *)at); }
RV_INLINE void rv_net_store(void *at, rv_net_v a) { _mm_storeu_si128((__m128i *)at, a); }
RV_INLINE rv_net_v rv_net_row(const int8_t *at) {
    __m128i row = _mm_loadl_epi64((const __m128i *)at);
    return _mm_srai_epi16(_mm_unpacklo_epi8(row, row), 8);
}
RV_INLINE rv_net_v rv_net_add(rv_net_v a, rv_net_v b) { return _mm_add_epi16(a, b); }
RV_INLINE rv_net_v rv_net_clip(rv_net_v a) {
    return _mm_max_epi16(_mm_min_epi16(a, _mm_set1_epi16(RV_NET_CLIP)), _mm_set1_epi16(-RV_NET_CLIP));
}
RV_INLINE rv_net_v rv_net_both(const int16_t *at) { int32_t both; memcpy(&both, at, sizeof both); return _mm_set1_epi32(both); }
RV_INLINE rv_net_v rv_net_madd(rv_net_v sum, rv_net_v a, rv_net_v b) { return _mm_add_epi32(sum, _mm_madd_epi16(a, b)); }
RV_INLINE rv_net_v rv_net_plus(rv_net_v a, rv_net_v b) { return _mm_add_epi32(a, b); }
RV_INLINE rv_net_v rv_net_units(rv_net_v a, rv_net_v b, int shift) {
    a = _mm_srai_epi32(_mm_andnot_si128(_mm_srai_epi32(a, 31), a), shift);
    b = _mm_srai_epi32(_mm_andnot_si128(_mm_srai_epi32(b, 31), b), shift);
    return _mm_packs_epi32(a, b);
}
RV_INLINE int rv_net_all(rv_net_v a) {
    a = _mm_add_epi32(a, _mm_shuffle_epi32(a, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(a, _mm_shuffle_epi32(a, 0xb1)));
}
RV_INLINE __m128i rv_net_product(__m128i a, __m128i b) {
    __m128i left = _mm_slli_epi16(a, 3), right = _mm_slli_epi16(b, 3), half = _mm_set1_epi32(0x4000);
    __m128i lower = _mm_mullo_epi16(left, right), upper = _mm_mulhi_epi16(left, right);
    return _mm_packs_epi32(_mm_srai_epi32(_mm_add_epi32(_mm_unpacklo_epi16(lower, upper), half), 15),
                           _mm_srai_epi32(_mm_add_epi32(_mm_unpackhi_epi16(lower, upper), half), 15));
}
#endif

/* gcc loads all rows before it adds them, which needs more registers than there are: make a sum be ready here */
#if defined(__GNUC__) && !defined(__clang__)
#define RV_NET_HERE(a) __asm__("" : "+x"(a))
#else
#define RV_NET_HERE(a) (void)0
#endif

/* every pattern with its four lanes, twice where it has eight */
#define RV_NET_ALL \
    RV_NET_4(RV_C_BLOCK, 0); RV_NET_4(RV_C_BLOCK, 4); RV_NET_4(RV_C_EDGE_X, 8); RV_NET_4(RV_C_EDGE_BLOCK, 12); \
    RV_NET_4(RV_C_TRIANGLE, 16); RV_NET_4(RV_C_EDGE_A, 20); RV_NET_4(RV_C_LINE2, 24); RV_NET_4(RV_C_DIAGONAL8, 28); \
    RV_NET_4(RV_C_CORNER, 32); RV_NET_4(RV_C_DIAGONAL7, 36); RV_NET_4(RV_C_LINE3, 40); RV_NET_4(RV_C_LINE4, 44); \
    RV_NET_4(RV_C_DIAGONAL6, 48); RV_NET_4(RV_C_DIAGONAL5, 52)

/* A position's value in 1/128 disc, not held within the limits; the classes of mobility are below RV_EVAL_MOVES. */
RV_INLINE int rv_net_sum(rv_net_stage_t s, const rv_eval_t *e, int n, int mine, int theirs) {
    const int16_t *own = s.small_rows + mine * s.width, *other = s.small_rows + (RV_EVAL_MOVES + theirs) * s.width;
    const int16_t *always = s.small_rows + (2 * RV_EVAL_MOVES + (n & 1)) * s.width;
    const int inputs = s.width * 3 / 2;
#ifdef RV_NET_STEP
    RV_ALIGN(32) int16_t z[RV_NET_INPUTS + RV_NET_STEP], u[RV_NET_MOST];
    rv_net_v x[RV_NET_WIDEST / RV_NET_STEP], unit[2][RV_NET_MOST / (RV_NET_STEP / 2)], total = rv_net_zero();
    const int wide = s.width / RV_NET_STEP, half = RV_NET_STEP / 2;
    for (int k = 0; k < wide; k++)
        x[k] = rv_net_add(rv_net_add(rv_net_load(own + k * RV_NET_STEP), rv_net_load(other + k * RV_NET_STEP)),
                          rv_net_load(always + k * RV_NET_STEP));
#define RV_NET_1(c, i) do { \
    const int8_t *row = s.rows + s.width * (c) + (ptrdiff_t)s.width * e->at[i]; \
    for (int k = 0; k < wide; k++) x[k] = rv_net_add(x[k], rv_net_row(row + k * RV_NET_STEP)); } while (0)
#define RV_NET_4(c, i) do { \
    RV_NET_1(c, i); RV_NET_1(c, (i) + 1); RV_NET_1(c, (i) + 2); RV_NET_1(c, (i) + 3); \
    for (int k = 0; k < wide; k++) RV_NET_HERE(x[k]); } while (0)
    RV_NET_ALL;
    for (int k = 0; k < wide; k++) rv_net_store(z + k * RV_NET_STEP, rv_net_clip(x[k]));
    for (int k = 0; k < s.width / 2; k += 8)
        _mm_storeu_si128((__m128i *)(z + s.width + k), rv_net_product(_mm_loadu_si128((const __m128i *)(z + k)),
                                                                      _mm_loadu_si128((const __m128i *)(z + s.width / 2 + k))));
    if (inputs % RV_NET_STEP) _mm_storeu_si128((__m128i *)(z + inputs), _mm_setzero_si128());
    for (int j = 0; j < s.units / half; j++) {
        unit[0][j] = rv_net_load(s.layer_bias + j * half);
        unit[1][j] = rv_net_zero();
    }
    for (int i = 0; i < inputs / 2; i += 2) {
        rv_net_v here = rv_net_both(z + 2 * i), next = rv_net_both(z + 2 * i + 2);
        for (int j = 0; j < s.units / half; j++) {
            unit[0][j] = rv_net_madd(unit[0][j], here, rv_net_load(s.layer + (i * s.units + j * half) * 2));
            unit[1][j] = rv_net_madd(unit[1][j], next, rv_net_load(s.layer + ((i + 1) * s.units + j * half) * 2));
        }
    }
    for (int j = 0; j < s.units / half; j += 2) {
        rv_net_v units = rv_net_units(rv_net_plus(unit[0][j], unit[1][j]), rv_net_plus(unit[0][j + 1], unit[1][j + 1]),
                                      RV_NET_UNIT_SHIFT);
        rv_net_store(u + j * half, units);
        total = rv_net_madd(total, units, rv_net_load(s.out + j * half));
    }
    for (int i = 0; i < inputs; i += RV_NET_STEP) total = rv_net_madd(total, rv_net_load(z + i), rv_net_load(s.linear + i));
    for (int j = 0; j < s.seconds / half; j++) unit[0][j] = rv_net_load(s.second_bias + j * half);
    for (int i = 0; i < s.units / 2 && s.seconds; i++) {
        rv_net_v here = rv_net_both(u + 2 * i);
        for (int j = 0; j < s.seconds / half; j++)
            unit[0][j] = rv_net_madd(unit[0][j], here, rv_net_load(s.second + (i * s.seconds + j * half) * 2));
    }
    for (int j = 0; j < s.seconds / half; j += 2)
        total = rv_net_madd(total, rv_net_units(unit[0][j], unit[0][j + 1], RV_NET_SECOND_SHIFT), rv_net_load(s.second_out + j * half));
    return (rv_net_all(total) + s.constant + (1 << (RV_NET_SHIFT - 1))) >> RV_NET_SHIFT;
#else
    int16_t x[RV_NET_WIDEST], z[RV_NET_INPUTS];
    int32_t units[RV_NET_MOST], next[RV_WIDE_SECOND], total = s.constant;
    for (int k = 0; k < s.width; k++) x[k] = (int16_t)(own[k] + other[k] + always[k]);
#define RV_NET_4(c, i) do { for (int q = (i); q < (i) + 4; q++) { \
    const int8_t *row = s.rows + s.width * (c) + (ptrdiff_t)s.width * e->at[q]; \
    for (int k = 0; k < s.width; k++) x[k] = (int16_t)(x[k] + row[k]); } } while (0)
    RV_NET_ALL;
    for (int k = 0; k < s.width; k++)
        z[k] = (int16_t)(x[k] > RV_NET_CLIP ? RV_NET_CLIP : x[k] < -RV_NET_CLIP ? -RV_NET_CLIP : x[k]);
    for (int k = 0; k < s.width / 2; k++) z[s.width + k] = (int16_t)((64 * z[k] * z[k + s.width / 2] + 0x4000) >> 15);
    for (int j = 0; j < s.units; j++) units[j] = s.layer_bias[j];
    for (int i = 0; i < inputs / 2; i++)
        for (int j = 0; j < s.units; j++)
            units[j] += z[2 * i] * s.layer[(i * s.units + j) * 2] + z[2 * i + 1] * s.layer[(i * s.units + j) * 2 + 1];
    for (int j = 0; j < s.units; j++) {
        units[j] = units[j] < 0 ? 0 : units[j] >> RV_NET_UNIT_SHIFT;
        units[j] = units[j] > RV_NET_UNIT ? RV_NET_UNIT : units[j];
        total += units[j] * s.out[j];
    }
    for (int j = 0; j < s.seconds; j++) next[j] = s.second_bias[j];
    for (int i = 0; i < s.units / 2; i++)
        for (int j = 0; j < s.seconds; j++)
            next[j] += units[2 * i] * s.second[(i * s.seconds + j) * 2] + units[2 * i + 1] * s.second[(i * s.seconds + j) * 2 + 1];
    for (int j = 0; j < s.seconds; j++) {
        int32_t unit = next[j] < 0 ? 0 : next[j] >> RV_NET_SECOND_SHIFT;
        total += (unit > RV_NET_UNIT ? RV_NET_UNIT : unit) * s.second_out[j];
    }
    for (int i = 0; i < inputs; i++) total += z[i] * s.linear[i];
    return (total + (1 << (RV_NET_SHIFT - 1))) >> RV_NET_SHIFT;
#endif
}

RV_APART int rv_net_value(const rv_net_t *net, const rv_eval_t *e, int stage, int n, int mine, int theirs) {
    return rv_net_sum(rv_net_stage(net, stage), e, n, mine, theirs);
}

RV_APART int rv_wide_value(const rv_wide_t *net, const rv_eval_t *e, int stage, int n, int mine, int theirs) {
    return rv_net_sum(rv_wide_stage(net, stage), e, n, mine, theirs);
}

#endif
