/* Compares the bit operations of one instruction-set level with the portable ones, on pseudo-random positions.
 *
 * Compiled twice and linked: once with -DRV_PORTABLE, which gives the slow twin, and once with the level's own flags,
 * which gives the program. tests/core/test_bits.py does that for every level that this machine runs or emulates.
 *
 *   bits_check [THOUSANDS]     of positions; exits with 1 and names the first position that differs
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bits/bits.h"

typedef struct {
    u64 captures, stable, flips[64], turned[64], replies[64];
    int count, first, last, last_flips[64];
} answers;

#ifdef RV_PORTABLE
#define ANSWER portable_answer
#else
#define ANSWER level_answer
#endif

void portable_answer(u64 p, u64 o, answers *a);

void ANSWER(u64 p, u64 o, answers *a) {
    rv_init();
    memset(a, 0, sizeof *a);
    a->captures = rv_captures(p, o);
    a->stable = rv_stable(p, o);
    a->count = rv_count(p);
    a->first = p ? rv_first(p) : -1;
    a->last = p ? rv_last(p) : -1;
    for (int square = 0; square < 64; square++) {
        if ((p | o) >> square & 1) continue;
        a->flips[square] = rv_flips(p, o, square);
        a->last_flips[square] = rv_last_flips(p, square);
    }
    for (u64 moves = a->captures; moves; moves &= moves - 1) { /* each with the next one, the last with itself */
        int one = rv_first(moves), other = moves & (moves - 1) ? rv_first(moves & (moves - 1)) : one;
        u64 flips[2], replies[2];
        rv_expand(p, o, one, other, flips, replies);
        a->replies[one] = replies[0] * 3 + replies[1];
        a->turned[one] = flips[0] * 3 + flips[1];
    }
}

#ifndef RV_PORTABLE

/* What the rules say, square by square: the portable code is checked too. */
static u64 plain_flips(u64 p, u64 o, int square) {
    u64 all = 0;
    for (int dr = -1; dr <= 1; dr++)
        for (int dc = -1; dc <= 1; dc++) {
            u64 run = 0;
            int r = square / 8 + dr, c = square % 8 + dc;
            if (!dr && !dc) continue;
            while (r >= 0 && r < 8 && c >= 0 && c < 8 && (o >> (8 * r + c) & 1)) {
                run |= (u64)1 << (8 * r + c);
                r += dr;
                c += dc;
            }
            if (r >= 0 && r < 8 && c >= 0 && c < 8 && (p >> (8 * r + c) & 1)) all |= run;
        }
    return all;
}

static int plain_errors(u64 p, u64 o, const answers *a) {
    u64 captures = 0;
    for (int square = 0; square < 64; square++) {
        if ((p | o) >> square & 1) continue;
        u64 flips = plain_flips(p, o, square), alone = plain_flips(p, ~p & ~((u64)1 << square), square);
        if (flips) captures |= (u64)1 << square;
        if (flips != a->flips[square] || a->last_flips[square] != 2 * rv_count(alone)) return 1;
    }
    return captures != a->captures;
}

/* rv_expand is rv_flips and rv_captures, twice. */
static int expand_errors(u64 p, u64 o, const answers *a) {
    for (u64 moves = a->captures; moves; moves &= moves - 1) {
        int square[2] = {rv_first(moves), moves & (moves - 1) ? rv_first(moves & (moves - 1)) : rv_first(moves)};
        u64 turned = 0, replies = 0;
        for (int i = 0; i < 2; i++) {
            u64 flips = plain_flips(p, o, square[i]);
            turned = turned * 3 + flips;
            replies = replies * 3 + rv_captures(o ^ flips, p ^ flips ^ rv_bit(square[i]));
        }
        if (turned != a->turned[square[0]] || replies != a->replies[square[0]]) return 1;
    }
    return 0;
}

static u64 state = 0x9e3779b97f4a7c15ULL;
static u64 next_random(void) { /* xorshift64* */
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545f4914f6cdd1dULL;
}

int main(int argc, char **argv) {
    long thousands = argc > 1 ? strtol(argv[1], NULL, 10) : 2000;
    u64 sum = 0;
    static answers level, portable; /* padding is zero on both sides, so memcmp compares */
    for (long n = 0; n < thousands * 1000; n++) {
        u64 a = next_random(), b = next_random(), c = next_random(), p, o;
        switch (n & 7) { /* few and many empties, few and many discs of one side */
        case 0: p = a & b; o = ~a & c; break;
        case 1: p = a; o = ~a & (b | c); break;
        case 2: p = a & b & c; o = ~p & (b | c); break;
        case 3: p = a; o = ~a; break;
        case 4: p = a & b; o = ~p & ~((u64)1 << (c & 63)); break;
        case 5: p = a & b & c; o = ~p & ~(next_random() & next_random() & next_random()); break;
        case 6: p = a & b & ~c; o = c & next_random(); break;
        default: p = ~(a & b & c) & ~(u64)1; o = ~p & next_random(); break;
        }
        level_answer(p, o, &level);
        portable_answer(p, o, &portable);
        if (memcmp(&level, &portable, sizeof level) || (n % 16 < 8 && (plain_errors(p, o, &level) || expand_errors(p, o, &level)))) {
            printf("differ at position %ld: p %016" PRIx64 " o %016" PRIx64 "\n", n, p, o);
            return 1;
        }
        for (int square = 0; square < 64; square++) sum += level.flips[square] * 3 + (u64)level.last_flips[square];
        sum = sum * 31 + level.captures + level.stable;
    }
    printf("%ld thousand positions agree, checksum %016" PRIx64 "\n", thousands, sum);
    return 0;
}

#endif
