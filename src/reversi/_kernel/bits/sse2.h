/* SSE2, part of every x86-64: towards higher rows in one word, towards lower ones in the other. */
#ifndef REVERSI_BITS_SSE2_H
#define REVERSI_BITS_SSE2_H

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

#define rv_captures rv_captures
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

#define rv_flips rv_flips
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

#endif
