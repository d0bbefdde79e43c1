/* NEON: two words in one register. */
#ifndef REVERSI_BITS_NEON_H
#define REVERSI_BITS_NEON_H

#define rv_captures rv_captures
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

#define rv_flips rv_flips
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

#endif
