/* The last ten squares where a placement must capture: a null window above alpha, moves sorted by parity alone up to
 * four empty squares, by the replies they leave above, and a small table from four on.
 *
 * Values are bounds (fail-soft) from the mover's view, the empty squares going to the winner. Each function exists for
 * the board of 64 squares and for smaller ones: `whole` is a constant where it is called.
 */
#ifndef REVERSI_LEAVES_H
#define REVERSI_LEAVES_H

#include "last_three.h"
#include "order.h"
#include "statistics.h"

/* The order of a search's board. */
RV_INLINE const rv_order_t *rv_leaf_order(const rv_leaf_t *leaf) { return rv_order_of(leaf->rows, leaf->columns); }

/* The quadrants of a search's board with an odd number of the squares in a set. */
RV_INLINE int rv_leaf_parity(const rv_leaf_t *leaf, u64 squares) { return rv_order_parity(rv_leaf_order(leaf), squares); }

/* An upper bound of the value from discs that never turn again, or 127 where it is not worth counting: with a low alpha,
 * and where nearly all of the opponent's discs would have to be stable (`spare` of them more than the bound needs, found
 * by time on hard-20 and FFO #45). */
RV_INLINE int rv_leaf_bound(const rv_leaf_t *leaf, u64 p, u64 o, int alpha, int n, const int whole) {
    const int cells = whole ? 64 : leaf->cells, spare = n < 6 ? 6 : n < 7 ? 5 : 7;
    if (alpha < (n < 5 ? 4 : 3 * n - 14) - 64 + cells || cells - 2 * rv_count(o) > alpha - 2 * spare) return 127;
    return cells - 2 * rv_count(whole ? rv_stable(o, p) : rv_stable_small(o, p, leaf->rows, leaf->columns));
}

#define RV_KNOWN_BITS 13
#define RV_KNOWN (1 << RV_KNOWN_BITS)         /* entries of the table */
#define RV_KNOWN_FIRST 0x9e3779b97f4a7c15ULL  /* odd factors of the two words */
#define RV_KNOWN_SECOND 0xc2b2ae3d27d4eb4fULL

/* A position's place in the table comes from a sum. Flips leave one word for the other, so a child's sum follows from that
 * of its parent after a pass. */
RV_INLINE u64 rv_leaf_sum(u64 p, u64 o) { return p * RV_KNOWN_FIRST + o * RV_KNOWN_SECOND; }
RV_INLINE u64 rv_leaf_sum_after(u64 passed, u64 flips, int square) {
    return passed + flips * (RV_KNOWN_SECOND - RV_KNOWN_FIRST) + (RV_KNOWN_SECOND << square);
}
RV_INLINE rv_known_t *rv_leaf_place(const rv_leaf_t *leaf, u64 sum) {
    sum ^= sum >> 32;
    return leaf->known + (sum * 0xbf58476d1ce4e5b9ULL >> (64 - RV_KNOWN_BITS));
}

/* Where the table has a position, NULL where there is no table. */
RV_INLINE rv_known_t *rv_leaf_known(const rv_leaf_t *leaf, u64 p, u64 o) {
    return leaf->known ? rv_leaf_place(leaf, rv_leaf_sum(p, o)) : 0;
}

/* Four empty squares; `moves` are the mover's placements, `parity` has a bit for each quadrant, set where the number of
 * empty squares is odd, `known` is the position's place in the table. Squares of odd quadrants are tried first, here and
 * at three empty squares. */
RV_INLINE int rv_last_4(rv_leaf_t *leaf, u64 p, u64 o, u64 moves, int alpha, int parity, rv_known_t *known, const int whole) {
    u64 flips, mine = p, theirs = o, empties = (whole ? ~(u64)0 : leaf->mask) & ~(p | o);
    int value, square, a, b, c, best, low = alpha;
    const rv_order_t *order = whole ? &rv_order : rv_leaf_order(leaf);
    if (known) {
        if (known->first == p && known->second == o) {
            if (known->lower > alpha) return known->lower;
            if (known->upper <= alpha) return known->upper;
        }
    }
    best = rv_leaf_bound(leaf, p, o, alpha, 4, whole);
    if (best <= alpha) return best;
    if (!moves) {
        moves = rv_placements(RV_CAPTURE, empties, o, p);
        if (!moves) return rv_score(RV_CAPTURE, 2 * rv_count(p) + 4 - (whole ? 64 : leaf->cells), 4);
        mine = o;
        theirs = p;
        low = -alpha - 1;
    }
    best = RV_LOST;
    do {
        square = rv_first(rv_order_odd(order, moves, parity));
        moves ^= rv_bit(square);
        rv_order_three(order, empties ^ rv_bit(square), parity ^ 1 << order->quadrant[square], &a, &b, &c);
        flips = rv_flips_soon(mine, theirs, square);
        ++leaf->nodes;
        value = -(whole ? rv_last_3_whole : rv_last_3_small)(leaf, theirs ^ flips, mine ^ flips ^ rv_bit(square), -low - 1, a, b, c);
        best = value > best ? value : best;
    } while (best <= low && moves);
    if (mine != p) best = -best;
    if (known) *known = best > alpha ? (rv_known_t){p, o, (int8_t)best, 127, 65} : (rv_known_t){p, o, -127, (int8_t)best, 65};
    return best;
}

static int rv_few_5(rv_leaf_t *leaf, u64 p, u64 o, u64 moves, int alpha, int n, int parity, rv_known_t *known);
static int rv_few_6(rv_leaf_t *leaf, u64 p, u64 o, u64 moves, int alpha, int n, int parity, rv_known_t *known);
static int rv_few_7(rv_leaf_t *leaf, u64 p, u64 o, u64 moves, int alpha, int n, int parity, rv_known_t *known);
static int rv_few_8(rv_leaf_t *leaf, u64 p, u64 o, u64 moves, int alpha, int n, int parity, rv_known_t *known);
static int rv_few_9(rv_leaf_t *leaf, u64 p, u64 o, u64 moves, int alpha, int n, int parity, rv_known_t *known);
static int rv_few_10(rv_leaf_t *leaf, u64 p, u64 o, u64 moves, int alpha, int n, int parity, rv_known_t *known);
static int rv_few_small(rv_leaf_t *leaf, u64 p, u64 o, u64 moves, int alpha, int n, int parity, rv_known_t *known);

/* The function for n empty squares: on the whole board each number has its own. */
#define RV_FEW(n, whole) \
    (!(whole) ? rv_few_small : (n) == 5 ? rv_few_5 : (n) == 6 ? rv_few_6 : (n) == 7 ? rv_few_7 : (n) == 8 ? rv_few_8 \
     : (n) == 9 ? rv_few_9 : rv_few_10)

/* Squares, corners counted twice. */
#define RV_LEAF_MOVES(squares) (whole ? rv_count_moves(squares) : rv_count(squares) + rv_count((squares) & order->corners))

/* Five to ten empty squares, with the arguments of rv_last_4. */
RV_INLINE int rv_few_any(rv_leaf_t *leaf, u64 p, u64 o, u64 moves, int alpha, int n, int parity, rv_known_t *known,
                         const int whole) {
    u64 flips[12], replies[12], mine, theirs, before = leaf->nodes, began;
    int squares[12], keys[12], count = 0, best, top = 0, value;
    rv_known_t *places[12];
    const rv_order_t *order = whole ? &rv_order : rv_leaf_order(leaf);
    const uint8_t *worth = order->key[parity];
    best = rv_leaf_bound(leaf, p, o, alpha, n, whole);
    if (best <= alpha) return best;
    if (!moves) {
        moves = rv_placements(RV_CAPTURE, whole ? ~(u64)0 : leaf->mask, o, p);
        if (!moves) return rv_score(RV_CAPTURE, 2 * rv_count(p) + n - (whole ? 64 : leaf->cells), n);
        return -RV_FEW(n, whole)(leaf, o, p, moves, -alpha - 1, n, parity, rv_leaf_known(leaf, o, p));
    }
    if (known) {
        if (known->first == p && known->second == o) {
            if (known->lower > alpha) return known->lower;
            if (known->upper <= alpha) return known->upper;
        }
    }
    rv_stat_enter(RV_STAT_END, n);
    while (moves) {
        int one = rv_first(moves), other;
        u64 rest = moves & (moves - 1);
        other = rest ? rv_first(rest) : one;
        rv_expand(p, o, one, other, flips + count, replies + count);
        if (!whole) {
            replies[count] &= leaf->mask;
            replies[count + 1] &= leaf->mask;
        }
        squares[count] = one;
        squares[count + 1] = other;
        keys[count] = RV_ORDER_KEY(worth[one], RV_LEAF_MOVES(replies[count]), count);
        top = keys[count] > top ? keys[count] : top;
        count++;
        if (!rest) break;
        keys[count] = RV_ORDER_KEY(worth[other], RV_LEAF_MOVES(replies[count]), count);
        top = keys[count] > top ? keys[count] : top;
        count++;
        moves = rest & (rest - 1);
    }
    if (known) { /* does a child settle it? */
        const u64 passed = rv_leaf_sum(o, p);
        for (int i = 0; i < count; i++) {
            mine = p ^ flips[i] ^ rv_bit(squares[i]);
            theirs = o ^ flips[i];
            const rv_known_t *child = places[i] = rv_leaf_place(leaf, rv_leaf_sum_after(passed, flips[i], squares[i]));
            if (child->first == theirs && child->second == mine && -child->upper > alpha) return -child->upper;
        }
    }
    best = RV_LOST;
    for (int k = 0;;) {
        int i = RV_ORDER_NUMBER(top), square = squares[i];
        mine = p ^ flips[i] ^ rv_bit(square);
        theirs = o ^ flips[i];
        began = leaf->nodes++;
        if (n == 5) {
            rv_stat_enter(RV_STAT_END, 4);
            value = -rv_last_4(leaf, theirs, mine, replies[i], -alpha - 1, parity ^ 1 << order->quadrant[square],
                               known ? places[i] : 0, whole);
        } else
            value = -RV_FEW(n - 1, whole)(leaf, theirs, mine, replies[i], -alpha - 1, n - 1,
                                          parity ^ 1 << order->quadrant[square], known ? places[i] : 0);
        rv_stat_back(RV_STAT_END, n);
        if (value > best) {
            best = value;
            if (value > alpha) {
                rv_stat_cut(RV_STAT_END, n, k, began - before, leaf->nodes - before);
                if (known) *known = (rv_known_t){p, o, (int8_t)value, 127, (uint8_t)square};
                return value;
            }
        }
        if (++k == count) break;
        keys[i] = 0;
        top = keys[0];
        for (int j = 1; j < count; j++) top = keys[j] > top ? keys[j] : top;
    }
    if (known) *known = (rv_known_t){p, o, -127, (int8_t)best, 65};
    return best;
}
#define RV_FEW_OF(name, number, whole)                                                                                \
    static int name(rv_leaf_t *leaf, u64 p, u64 o, u64 moves, int alpha, int n, int parity, rv_known_t *known) {      \
        (void)n;                                                                                                      \
        return rv_few_any(leaf, p, o, moves, alpha, number, parity, known, whole);                                    \
    }
RV_FEW_OF(rv_few_5, 5, 1)
RV_FEW_OF(rv_few_6, 6, 1)
RV_FEW_OF(rv_few_7, 7, 1)
RV_FEW_OF(rv_few_8, 8, 1)
RV_FEW_OF(rv_few_9, 9, 1)
RV_FEW_OF(rv_few_10, 10, 1)
RV_FEW_OF(rv_few_small, n, 0)

static int rv_few_whole(rv_leaf_t *leaf, u64 p, u64 o, u64 moves, int alpha, int n, int parity) {
    return RV_FEW(n, 1)(leaf, p, o, moves, alpha, n, parity, rv_leaf_known(leaf, p, o));
}
static int rv_few_board(rv_leaf_t *leaf, u64 p, u64 o, u64 moves, int alpha, int n) {
    return rv_few_small(leaf, p, o, moves, alpha, n, rv_leaf_parity(leaf, leaf->mask & ~(p | o)), rv_leaf_known(leaf, p, o));
}

#endif
