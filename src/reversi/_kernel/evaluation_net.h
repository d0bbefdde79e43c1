/* A small net over the patterns: every state has a row of 16 numbers, the rows of a position's states are summed, and a
 * head for each stage makes the value of the sum. Included by evaluation.h, which has the patterns and their indices.
 *
 * All arithmetic is on integers, so that every build has the same values:
 *     x[16]  the sum of the rows and of the small rows, held within +-RV_NET_CLIP
 *     z[24]  x, then x[k] * x[k + 8] / 512 for k from 0 to 7
 *     u[16]  layer * z + layer_bias, negative ones 0, divided by 2**RV_NET_UNIT_SHIFT, at most 32767
 *     value  (linear * z + out * u + constant) / 2**RV_NET_SHIFT, in 1/128 disc
 */
#ifndef REVERSI_EVALUATION_NET_H
#define REVERSI_EVALUATION_NET_H

enum {
    RV_NET_WIDTH = 16,
    RV_NET_INPUTS = 24,
    RV_NET_UNITS = 16,
    RV_NET_CLIP = 4095,
    RV_NET_PRODUCT = 32752, /* the largest product of two entries of x */
    RV_NET_UNIT_SHIFT = 7,
    RV_NET_SHIFT = 10,
    RV_NET_SMALL = 2 * RV_EVAL_MOVES + 4,
    RV_NO_NET_LOW = 1, /* the numbers of empty squares of weights without a net */
    RV_NO_NET_HIGH = 0,
    RV_WEIGHTS_ALIGNMENT = 64
};

/* 960 bytes. This and what follows is the layout of a weights file, too. */
typedef struct {
    int16_t layer[RV_NET_INPUTS / 2][RV_NET_UNITS][2]; /* the weights of inputs 2i and 2i + 1 for each unit */
    int32_t layer_bias[RV_NET_UNITS];
    int16_t out[RV_NET_UNITS];
    int16_t linear[RV_NET_INPUTS];
    int32_t constant;
    int32_t unused[11];
} rv_net_head_t;

typedef struct {
    int32_t low, high; /* the net values positions with low to high empty squares */
    int32_t unused[14];
    rv_net_head_t head[RV_EVAL_STAGES];
    int16_t small[RV_NET_SMALL][RV_NET_WIDTH]; /* rows of mobilities and constants, in the order of a stage's weights */
    int8_t rows[RV_EVAL_MOBILITY][RV_NET_WIDTH]; /* of the patterns' states */
} rv_net_t;

enum {
    RV_NET_FIXED = (int)(sizeof(rv_net_t) - (size_t)RV_EVAL_MOBILITY * RV_NET_WIDTH), /* bytes before the rows */
    RV_NET_AT = (int)((sizeof(int16_t) * RV_EVAL_STAGES * RV_EVAL_STAGE + RV_WEIGHTS_ALIGNMENT - 1)
                      / RV_WEIGHTS_ALIGNMENT * RV_WEIGHTS_ALIGNMENT) /* where the net begins, behind the stages' weights */
};

/* The net of some weights: it lies behind them. */
RV_INLINE const rv_net_t *rv_net_of(const int16_t *weights) { return (const rv_net_t *)((const char *)weights + RV_NET_AT); }

/* Whether no sum of the net can overflow. */
static int rv_net_valid(const rv_net_t *net) {
    if (net->low < 0 || net->high > 60 || net->low > net->high) return 0;
    for (int k = 0; k < RV_NET_WIDTH; k++) {
        int most[3] = {0, 0, 0}; /* of the mover's mobility, the opponent's, the constants */
        for (int i = 0; i < RV_NET_SMALL; i++) {
            int size = net->small[i][k] < 0 ? -net->small[i][k] : net->small[i][k], of = i / RV_EVAL_MOVES;
            if (size > most[of]) most[of] = size;
        }
        if (most[0] + most[1] + most[2] + 128 * RV_EVAL_USED > 32767) return 0;
    }
    for (int stage = 0; stage < RV_EVAL_STAGES; stage++) {
        const rv_net_head_t *h = net->head + stage;
        int64_t total = h->constant < 0 ? -(int64_t)h->constant : h->constant;
        for (int j = 0; j < RV_NET_UNITS; j++) {
            int64_t sum = h->layer_bias[j] < 0 ? -(int64_t)h->layer_bias[j] : h->layer_bias[j];
            for (int i = 0; i < RV_NET_INPUTS; i++) {
                int w = h->layer[i / 2][j][i % 2];
                sum += (int64_t)(w < 0 ? -w : w) * (i < RV_NET_WIDTH ? RV_NET_CLIP : RV_NET_PRODUCT);
            }
            if (sum > INT32_MAX) return 0;
            total += (int64_t)(h->out[j] < 0 ? -h->out[j] : h->out[j]) * 32767;
        }
        for (int i = 0; i < RV_NET_INPUTS; i++)
            total += (int64_t)(h->linear[i] < 0 ? -h->linear[i] : h->linear[i]) * (i < RV_NET_WIDTH ? RV_NET_CLIP : RV_NET_PRODUCT);
        if (total > INT32_MAX - (1 << RV_NET_SHIFT)) return 0;
    }
    return 1;
}

#ifdef RV_AVX2
#define RV_NET_ROW(c, i) _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)rows[(c) + e->at[i]]))
#define RV_NET_4(c, i) do { \
    a = _mm256_add_epi16(a, RV_NET_ROW(c, i)); b = _mm256_add_epi16(b, RV_NET_ROW(c, (i) + 1)); \
    a = _mm256_add_epi16(a, RV_NET_ROW(c, (i) + 2)); b = _mm256_add_epi16(b, RV_NET_ROW(c, (i) + 3)); } while (0)
#elif defined(RV_SSE2)
/* two registers of 16-bit numbers from 16 of 8 bits, sign and all */
#define RV_NET_ADD(c, i) do { \
    __m128i row = _mm_loadu_si128((const __m128i *)rows[(c) + e->at[i]]); \
    a = _mm_add_epi16(a, _mm_srai_epi16(_mm_unpacklo_epi8(row, row), 8)); \
    b = _mm_add_epi16(b, _mm_srai_epi16(_mm_unpackhi_epi8(row, row), 8)); } while (0)
#define RV_NET_4(c, i) do { RV_NET_ADD(c, i); RV_NET_ADD(c, (i) + 1); RV_NET_ADD(c, (i) + 2); RV_NET_ADD(c, (i) + 3); } while (0)
#else
#define RV_NET_4(c, i) do { for (int q = (i); q < (i) + 4; q++) { \
    const int8_t *row = rows[(c) + e->at[q]]; \
    for (int k = 0; k < RV_NET_WIDTH; k++) x[k] = (int16_t)(x[k] + row[k]); } } while (0)
#endif
#define RV_NET_ALL \
    RV_NET_4(RV_C_BLOCK, 0); RV_NET_4(RV_C_BLOCK, 4); RV_NET_4(RV_C_EDGE_X, 8); RV_NET_4(RV_C_EDGE_BLOCK, 12); \
    RV_NET_4(RV_C_TRIANGLE, 16); RV_NET_4(RV_C_EDGE_A, 20); RV_NET_4(RV_C_LINE2, 24); RV_NET_4(RV_C_DIAGONAL8, 28); \
    RV_NET_4(RV_C_CORNER, 32); RV_NET_4(RV_C_DIAGONAL7, 36); RV_NET_4(RV_C_LINE3, 40); RV_NET_4(RV_C_LINE4, 44); \
    RV_NET_4(RV_C_DIAGONAL6, 48); RV_NET_4(RV_C_DIAGONAL5, 52)

/* A position's value in 1/128 disc, not held within the limits; `stage` is that of its number of empty squares n, the
 * classes of mobility are below RV_EVAL_MOVES. */
RV_APART int rv_net_value(const rv_net_t *net, const rv_eval_t *e, int stage, int n, int mine, int theirs) {
    const int8_t (*rows)[RV_NET_WIDTH] = net->rows;
    const rv_net_head_t *h = net->head + stage;
    const int16_t *own = net->small[mine], *other = net->small[RV_EVAL_MOVES + theirs], *always = net->small[2 * RV_EVAL_MOVES + (n & 1)];
#ifdef RV_AVX2
    RV_ALIGN(32) int16_t z[RV_NET_INPUTS + 8];
    __m256i clip = _mm256_set1_epi16(RV_NET_CLIP), zero = _mm256_setzero_si256();
    __m256i a = _mm256_loadu_si256((const __m256i *)own), b = _mm256_loadu_si256((const __m256i *)other);
    a = _mm256_add_epi16(a, _mm256_loadu_si256((const __m256i *)always));
    RV_NET_ALL;
    __m256i x = _mm256_max_epi16(_mm256_min_epi16(_mm256_add_epi16(a, b), clip), _mm256_sub_epi16(zero, clip));
    __m128i product = _mm_mulhrs_epi16(_mm_slli_epi16(_mm256_castsi256_si128(x), 3), _mm_slli_epi16(_mm256_extracti128_si256(x, 1), 3));
    _mm256_store_si256((__m256i *)z, x);
    _mm_store_si128((__m128i *)(z + RV_NET_WIDTH), product);
    __m256i first = _mm256_loadu_si256((const __m256i *)h->layer_bias), second = _mm256_loadu_si256((const __m256i *)(h->layer_bias + 8));
    __m256i third = zero, fourth = zero;
    for (int i = 0; i < RV_NET_INPUTS / 2; i += 2) {
        int32_t pair[2];
        memcpy(pair, z + 2 * i, sizeof pair);
        __m256i here = _mm256_set1_epi32(pair[0]), next = _mm256_set1_epi32(pair[1]);
        first = _mm256_add_epi32(first, _mm256_madd_epi16(here, _mm256_loadu_si256((const __m256i *)h->layer[i])));
        second = _mm256_add_epi32(second, _mm256_madd_epi16(here, _mm256_loadu_si256((const __m256i *)h->layer[i] + 1)));
        third = _mm256_add_epi32(third, _mm256_madd_epi16(next, _mm256_loadu_si256((const __m256i *)h->layer[i + 1])));
        fourth = _mm256_add_epi32(fourth, _mm256_madd_epi16(next, _mm256_loadu_si256((const __m256i *)h->layer[i + 1] + 1)));
    }
    first = _mm256_srai_epi32(_mm256_max_epi32(_mm256_add_epi32(first, third), zero), RV_NET_UNIT_SHIFT);
    second = _mm256_srai_epi32(_mm256_max_epi32(_mm256_add_epi32(second, fourth), zero), RV_NET_UNIT_SHIFT);
    /* the halves of each register side by side: 0-3 8-11 4-7 12-15, then in order */
    __m256i units = _mm256_permute4x64_epi64(_mm256_packs_epi32(first, second), 0xd8);
    __m256i total = _mm256_madd_epi16(units, _mm256_loadu_si256((const __m256i *)h->out));
    total = _mm256_add_epi32(total, _mm256_madd_epi16(x, _mm256_loadu_si256((const __m256i *)h->linear)));
    __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
    sum = _mm_add_epi32(sum, _mm_madd_epi16(product, _mm_loadu_si128((const __m128i *)(h->linear + RV_NET_WIDTH))));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    return (_mm_cvtsi128_si32(sum) + h->constant + (1 << (RV_NET_SHIFT - 1))) >> RV_NET_SHIFT;
#elif defined(RV_SSE2)
    RV_ALIGN(16) int16_t z[RV_NET_INPUTS];
    __m128i clip = _mm_set1_epi16(RV_NET_CLIP), low = _mm_set1_epi16(-RV_NET_CLIP), half = _mm_set1_epi32(0x4000);
    __m128i a = _mm_loadu_si128((const __m128i *)own), b = _mm_loadu_si128((const __m128i *)own + 1), unit[4];
    a = _mm_add_epi16(_mm_add_epi16(a, _mm_loadu_si128((const __m128i *)other)), _mm_loadu_si128((const __m128i *)always));
    b = _mm_add_epi16(_mm_add_epi16(b, _mm_loadu_si128((const __m128i *)other + 1)), _mm_loadu_si128((const __m128i *)always + 1));
    RV_NET_ALL;
    a = _mm_max_epi16(_mm_min_epi16(a, clip), low);
    b = _mm_max_epi16(_mm_min_epi16(b, clip), low);
    __m128i left = _mm_slli_epi16(a, 3), right = _mm_slli_epi16(b, 3);
    __m128i lower = _mm_mullo_epi16(left, right), upper = _mm_mulhi_epi16(left, right);
    __m128i product = _mm_packs_epi32(
        _mm_srai_epi32(_mm_add_epi32(_mm_unpacklo_epi16(lower, upper), half), 15),
        _mm_srai_epi32(_mm_add_epi32(_mm_unpackhi_epi16(lower, upper), half), 15));
    _mm_store_si128((__m128i *)z, a);
    _mm_store_si128((__m128i *)z + 1, b);
    _mm_store_si128((__m128i *)z + 2, product);
    for (int j = 0; j < 4; j++) unit[j] = _mm_loadu_si128((const __m128i *)h->layer_bias + j);
    for (int i = 0; i < RV_NET_INPUTS / 2; i++) {
        int32_t pair;
        memcpy(&pair, z + 2 * i, sizeof pair);
        __m128i here = _mm_set1_epi32(pair);
        for (int j = 0; j < 4; j++)
            unit[j] = _mm_add_epi32(unit[j], _mm_madd_epi16(here, _mm_loadu_si128((const __m128i *)h->layer[i] + j)));
    }
    for (int j = 0; j < 4; j++)
        unit[j] = _mm_srai_epi32(_mm_andnot_si128(_mm_srai_epi32(unit[j], 31), unit[j]), RV_NET_UNIT_SHIFT);
    __m128i sum = _mm_madd_epi16(_mm_packs_epi32(unit[0], unit[1]), _mm_loadu_si128((const __m128i *)h->out));
    sum = _mm_add_epi32(sum, _mm_madd_epi16(_mm_packs_epi32(unit[2], unit[3]), _mm_loadu_si128((const __m128i *)h->out + 1)));
    sum = _mm_add_epi32(sum, _mm_madd_epi16(a, _mm_loadu_si128((const __m128i *)h->linear)));
    sum = _mm_add_epi32(sum, _mm_madd_epi16(b, _mm_loadu_si128((const __m128i *)h->linear + 1)));
    sum = _mm_add_epi32(sum, _mm_madd_epi16(product, _mm_loadu_si128((const __m128i *)h->linear + 2)));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4e));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xb1));
    return (_mm_cvtsi128_si32(sum) + h->constant + (1 << (RV_NET_SHIFT - 1))) >> RV_NET_SHIFT;
#else
    int16_t x[RV_NET_WIDTH], z[RV_NET_INPUTS];
    int32_t units[RV_NET_UNITS], total = h->constant;
    for (int k = 0; k < RV_NET_WIDTH; k++) x[k] = (int16_t)(own[k] + other[k] + always[k]);
    RV_NET_ALL;
    for (int k = 0; k < RV_NET_WIDTH; k++)
        z[k] = (int16_t)(x[k] > RV_NET_CLIP ? RV_NET_CLIP : x[k] < -RV_NET_CLIP ? -RV_NET_CLIP : x[k]);
    for (int k = 0; k < RV_NET_WIDTH / 2; k++) z[RV_NET_WIDTH + k] = (int16_t)((64 * z[k] * z[k + 8] + 0x4000) >> 15);
    for (int j = 0; j < RV_NET_UNITS; j++) units[j] = h->layer_bias[j];
    for (int i = 0; i < RV_NET_INPUTS / 2; i++)
        for (int j = 0; j < RV_NET_UNITS; j++)
            units[j] += z[2 * i] * h->layer[i][j][0] + z[2 * i + 1] * h->layer[i][j][1];
    for (int j = 0; j < RV_NET_UNITS; j++) {
        int32_t unit = units[j] < 0 ? 0 : units[j] >> RV_NET_UNIT_SHIFT;
        total += (unit > 32767 ? 32767 : unit) * h->out[j];
    }
    for (int i = 0; i < RV_NET_INPUTS; i++) total += z[i] * h->linear[i];
    return (total + (1 << (RV_NET_SHIFT - 1))) >> RV_NET_SHIFT;
#endif
}

#endif
