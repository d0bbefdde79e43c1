/* AVX-512: what is better done with it than as in avx2.h, which follows. */
#ifndef REVERSI_BITS_AVX512_H
#define REVERSI_BITS_AVX512_H

#define rv_flips_each rv_flips_each
/* Four directions in one register, both ways. */
RV_INLINE __m256i rv_flips_each(__m256i pp, __m256i oo, int square) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i up = _mm256_load_si256((const __m256i *)rv_tables.up[square]);
    __m256i down = _mm256_load_si256((const __m256i *)rv_tables.down[square]);
    /* towards higher bits: the first square of the ray that is not the opponent's; if ours, all before it turn */
    __m256i stop = _mm256_andnot_si256(oo, up);
    stop = _mm256_ternarylogic_epi64(stop, _mm256_sub_epi64(zero, stop), pp, 0x80);
    __m256i flips = _mm256_andnot_si256(_mm256_sub_epi64(_mm256_cmpeq_epi64(stop, zero), stop), up);
    /* towards lower bits: the last such square, by counting leading zeros (a shift by 64 gives none) */
    stop = _mm256_andnot_si256(oo, down);
    stop = _mm256_and_si256(_mm256_srlv_epi64(_mm256_set1_epi64x((long long)0x8000000000000000ULL), _mm256_lzcnt_epi64(stop)), pp);
    flips = _mm256_ternarylogic_epi64(flips, down, _mm256_sub_epi64(zero, _mm256_add_epi64(stop, stop)), 0xf8);
    return flips;
}

#define rv_flips_soon rv_flips_soon
RV_INLINE u64 rv_flips_in_line(u64 p, u64 o, int square, int d) {
    const u64 line = rv_tables.line[square][d].squares;
    const uint8_t stops = rv_tables.line[square][d].stops[_pext_u64(o, rv_tables.line[square][d].inner)];
    return _pdep_u64(rv_tables.line[square][d].flips[stops & _pext_u64(p, line)], line);
}
RV_INLINE u64 rv_flips_soon(u64 p, u64 o, int square) {
    return (rv_flips_in_line(p, o, square, 0) | rv_flips_in_line(p, o, square, 1))
        | (rv_flips_in_line(p, o, square, 2) | rv_flips_in_line(p, o, square, 3));
}

#define rv_expand rv_expand
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

/* Gathering bits is never slow here. */
#define rv_column_a rv_column_a
RV_INLINE uint8_t rv_column_a(u64 x) { return (uint8_t)_pext_u64(x, 0x0101010101010101ULL); }
RV_INLINE uint8_t rv_column_h(u64 x) { return (uint8_t)_pext_u64(x, 0x8080808080808080ULL); }
/* eight bits to column a, the lowest to row 1 */
RV_INLINE u64 rv_to_column(uint8_t x) { return _pdep_u64(x, 0x0101010101010101ULL); }

#define rv_last_flips rv_last_flips
RV_INLINE int rv_last_flips_in_line(u64 p, int square, int d) {
    return rv_tables.line[square][d].last[_pext_u64(p, rv_tables.line[square][d].squares)];
}
RV_INLINE int rv_last_flips(u64 p, int square) {
    return (rv_last_flips_in_line(p, square, 0) + rv_last_flips_in_line(p, square, 1))
        + (rv_last_flips_in_line(p, square, 2) + rv_last_flips_in_line(p, square, 3));
}

#endif
