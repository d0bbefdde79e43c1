/* AVX2: four directions in one register. AVX-512 has its own of what avx512.h defines. */
#ifndef REVERSI_BITS_AVX2_H
#define REVERSI_BITS_AVX2_H

RV_INLINE u64 rv_reduce_or(__m256i x) {
    __m128i y = _mm_or_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return (u64)_mm_cvtsi128_si64(_mm_or_si128(y, _mm_unpackhi_epi64(y, y)));
}

#define rv_captures rv_captures
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

#ifndef rv_flips_each
/* Four directions in one register, both ways. */
RV_INLINE __m256i rv_flips_each(__m256i pp, __m256i oo, int square) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i up = _mm256_load_si256((const __m256i *)rv_tables.up[square]);
    __m256i down = _mm256_load_si256((const __m256i *)rv_tables.down[square]);
    /* towards higher bits: the first square of the ray that is not the opponent's; if ours, all before it turn */
    __m256i stop = _mm256_andnot_si256(oo, up);
    stop = _mm256_and_si256(_mm256_and_si256(stop, _mm256_sub_epi64(zero, stop)), pp);
    __m256i flips = _mm256_andnot_si256(_mm256_sub_epi64(_mm256_cmpeq_epi64(stop, zero), stop), up);
    /* towards lower bits: smear the squares that are not the opponent's downwards; what stays free above is the run */
    const __m256i one = _mm256_set_epi64x(9, 8, 7, 1), two = _mm256_set_epi64x(18, 16, 14, 2), four = _mm256_set_epi64x(36, 32, 28, 4);
    stop = _mm256_andnot_si256(oo, down);
    __m256i below = _mm256_or_si256(_mm256_srlv_epi64(stop, one), _mm256_srlv_epi64(stop, two));
    below = _mm256_or_si256(below, _mm256_srlv_epi64(below, two));
    below = _mm256_or_si256(below, _mm256_srlv_epi64(below, four));
    stop = _mm256_and_si256(_mm256_andnot_si256(below, stop), pp);
    flips = _mm256_or_si256(flips, _mm256_and_si256(down, _mm256_sub_epi64(zero, _mm256_add_epi64(stop, stop))));
    return flips;
}
#endif

#define rv_flips rv_flips
RV_INLINE u64 rv_flips(u64 p, u64 o, int square) {
    return rv_reduce_or(rv_flips_each(_mm256_set1_epi64x((long long)p), _mm256_set1_epi64x((long long)o), square));
}

#ifndef rv_flips_soon
#define rv_flips_soon rv_flips_soon
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
#endif

#ifndef rv_expand
#define rv_expand rv_expand
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
#endif

#define rv_full_diagonals rv_full_diagonals
/* As in portable.h, the two ways in one register, all guards those of the arriving squares. */
RV_INLINE void rv_full_diagonals(u64 empty, u64 *diagonals, u64 *antidiagonals) {
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
}

#endif
