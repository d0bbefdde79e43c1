/* Tables of lines, runs and edges, filled once by rv_init. */
#ifndef REVERSI_BITS_TABLES_H
#define REVERSI_BITS_TABLES_H

#include "machine.h"

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

#endif
