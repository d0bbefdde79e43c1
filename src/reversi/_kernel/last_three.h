/* The last three empty squares: a null window above alpha, squares in the order given. Values are bounds (fail-soft) from the
 * mover's view. Flags and cells are constants where the caller knows them.
 */
#ifndef REVERSI_LAST_THREE_H
#define REVERSI_LAST_THREE_H

#include "rules.h"

#define RV_LOST (-127) /* below every score */

typedef struct {
    u64 first, second;  /* the position, mover first */
    int8_t lower, upper;
    uint8_t move;       /* the one that was searched last: the best one where it cut */
} rv_known_t;

/* What a searching thread's last squares share. */
typedef struct {
    u64 nodes;          /* positions visited, by the whole search */
    rv_known_t *known;  /* this thread's table of positions with few empty squares, NULL for none */
    u64 mask;           /* squares of the board */
    int cells, rows, columns;
    int flags;          /* of the rules */
} rv_leaf_t;

/* rv_can_place with at most three empty squares: a corner has three neighbours, so each square touches a disc. */
RV_INLINE int rv_last_place(int flags, u64 p, u64 o, int square, u64 *flips) {
    *flips = !(flags & RV_CAPTURE) || rv_tables.around[square] & o ? rv_flips_soon(p, o, square) : 0;
    return *flips || !(flags & RV_CAPTURE);
}

/* One empty square. A disc supports at most one disc's difference there, so no discs are turned, only counted. */
RV_INLINE int rv_last_1(int flags, int cells, u64 p, u64 o, int square) {
    int mine = 2 * rv_count(p) - cells, turned = rv_last_flips(p, square);
    if (turned || !(flags & RV_CAPTURE)) return rv_score(flags, mine + 2 + turned, 0);
    turned = rv_last_flips(o, square);
    if (turned) return rv_score(flags, mine - turned, 0);
    return rv_score(flags, mine | 1, 1); /* `mine` is even: no draw */
}

/* Two empty squares. */
RV_INLINE int rv_last_2(rv_leaf_t *leaf, int flags, int cells, u64 p, u64 o, int alpha, int a, int b) {
    u64 flips;
    int value, best = RV_LOST;
    if (rv_last_place(flags, p, o, a, &flips)) {
        ++leaf->nodes;
        best = -rv_last_1(flags, cells, o ^ flips, p ^ flips ^ rv_bit(a), b);
        if (best > alpha) return best;
    }
    if (rv_last_place(flags, p, o, b, &flips)) {
        ++leaf->nodes;
        value = -rv_last_1(flags, cells, o ^ flips, p ^ flips ^ rv_bit(b), a);
        return value > best ? value : best;
    }
    if (best != RV_LOST) return best;
    /* a pass: the other side, which wants little */
    if (rv_last_place(flags, o, p, a, &flips)) {
        ++leaf->nodes;
        best = rv_last_1(flags, cells, p ^ flips, o ^ flips ^ rv_bit(a), b);
        if (best <= alpha) return best;
    }
    if (rv_last_place(flags, o, p, b, &flips)) {
        ++leaf->nodes;
        value = rv_last_1(flags, cells, p ^ flips, o ^ flips ^ rv_bit(b), a);
        return best == RV_LOST || value < best ? value : best;
    }
    if (best != RV_LOST) return best;
    return rv_score(flags, 2 * rv_count(p) + 2 - cells, 2);
}

/* Three empty squares. */
RV_INLINE int rv_last_3(rv_leaf_t *leaf, int flags, int cells, u64 p, u64 o, int alpha, int a, int b, int c) {
    u64 flips;
    int value, best = RV_LOST, passed = 0;
    for (;;) {
        if (rv_last_place(flags, p, o, a, &flips)) {
            ++leaf->nodes;
            best = -rv_last_2(leaf, flags, cells, o ^ flips, p ^ flips ^ rv_bit(a), -alpha - 1, b, c);
            if (best > alpha) break;
        }
        if (rv_last_place(flags, p, o, b, &flips)) {
            ++leaf->nodes;
            value = -rv_last_2(leaf, flags, cells, o ^ flips, p ^ flips ^ rv_bit(b), -alpha - 1, a, c);
            best = value > best ? value : best;
            if (best > alpha) break;
        }
        if (rv_last_place(flags, p, o, c, &flips)) {
            ++leaf->nodes;
            value = -rv_last_2(leaf, flags, cells, o ^ flips, p ^ flips ^ rv_bit(c), -alpha - 1, a, b);
            best = value > best ? value : best;
        }
        if (best != RV_LOST) break;
        if (passed) {
            best = rv_score(flags, 2 * rv_count(p) + 3 - cells, 3);
            break;
        }
        passed = 1;
        flips = p;
        p = o;
        o = flips;
        alpha = -alpha - 1;
    }
    return passed ? -best : best;
}

/* rv_last_3 where a placement must capture and the most discs win, on the board of 64 squares and on any other. */
static int rv_last_3_whole(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int a, int b, int c) {
    return rv_last_3(leaf, RV_CAPTURE, 64, p, o, alpha, a, b, c);
}
static int rv_last_3_small(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int a, int b, int c) {
    return rv_last_3(leaf, RV_CAPTURE, leaf->cells, p, o, alpha, a, b, c);
}

/* Two and three empty squares under any rules without skips. */
static int rv_last_2_any(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int a, int b) {
    return rv_last_2(leaf, leaf->flags, leaf->cells, p, o, alpha, a, b);
}
static int rv_last_3_any(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int a, int b, int c) {
    if (!(leaf->flags & RV_CAPTURE)) return rv_last_3(leaf, leaf->flags & ~RV_CAPTURE, leaf->cells, p, o, alpha, a, b, c);
    return rv_last_3(leaf, leaf->flags | RV_CAPTURE, leaf->cells, p, o, alpha, a, b, c);
}

#endif
