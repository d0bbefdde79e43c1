/* The last squares where a placement need not capture and the most discs win: a null window above alpha.
 *
 * Every empty square will be filled, by the players in turn, so what counts is the discs that the last ones turn. Moves
 * are tried as they come up to five empty squares (odd quadrants first), sorted above, and a small table is asked from
 * four on. Values are bounds (fail-soft) from the mover's view. Each function exists for the board of 64 squares and for
 * smaller ones, as in leaves.h.
 */
#ifndef REVERSI_FREE_LEAVES_H
#define REVERSI_FREE_LEAVES_H

#include "leaves.h"

/* Where the mover may put a disc. */
RV_INLINE u64 rv_free_moves(const rv_leaf_t *leaf, u64 p, u64 o, const int whole) {
    return rv_placements(leaf->flags & RV_ADJACENT, whole ? ~(u64)0 : leaf->mask, p, o);
}

/* Two empty squares: the last disc's flips are counted only where the bound without them does not settle it. */
RV_INLINE int rv_free_2(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int a, int b, int cells) {
    const int most = cells - 2 - 2 * rv_count(o);
    u64 flips = rv_flips(p, o, a);
    int value, best = most + 2 * rv_count(flips);
    ++leaf->nodes;
    if (best > alpha) {
        best -= rv_last_flips(o ^ flips, b);
        if (best > alpha) return best;
    }
    flips = rv_flips(p, o, b);
    ++leaf->nodes;
    value = most + 2 * rv_count(flips);
    if (value > alpha) value -= rv_last_flips(o ^ flips, a);
    return value > best ? value : best;
}

/* Three empty squares, in the order in which they are tried. A corner has three neighbours, so each touches a disc. */
RV_INLINE int rv_free_3_any(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int a, int b, int c, int cells) {
    u64 flips = rv_flips(p, o, a);
    int value, best;
    ++leaf->nodes;
    best = -rv_free_2(leaf, o ^ flips, p ^ flips ^ rv_bit(a), -alpha - 1, b, c, cells);
    if (best > alpha) return best;
    flips = rv_flips(p, o, b);
    ++leaf->nodes;
    value = -rv_free_2(leaf, o ^ flips, p ^ flips ^ rv_bit(b), -alpha - 1, a, c, cells);
    best = value > best ? value : best;
    if (best > alpha) return best;
    flips = rv_flips(p, o, c);
    ++leaf->nodes;
    value = -rv_free_2(leaf, o ^ flips, p ^ flips ^ rv_bit(c), -alpha - 1, a, b, cells);
    return value > best ? value : best;
}
static int rv_free_3_whole(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int a, int b, int c) {
    return rv_free_3_any(leaf, p, o, alpha, a, b, c, 64);
}
static int rv_free_3_small(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int a, int b, int c) {
    return rv_free_3_any(leaf, p, o, alpha, a, b, c, leaf->cells);
}

static int rv_free_4_whole(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int parity);
static int rv_free_4_small(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int parity);

/* Four or five empty squares: first those in odd quadrants, corners before others. */
RV_INLINE int rv_free_few(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int n, int parity, const int whole) {
    u64 moves = rv_free_moves(leaf, p, o, whole), set, flips, empties = (whole ? ~(u64)0 : leaf->mask) & ~(p | o);
    int value, square, a, b, c, best = RV_LOST;
    rv_known_t *known = 0;
    const rv_order_t *order = whole ? &rv_order : rv_leaf_order(leaf);
    rv_stat_enter(RV_STAT_END, n);
    if (leaf->known) {
        known = rv_leaf_known(leaf, p, o);
        if (known->first == p && known->second == o) {
            if (known->lower > alpha) return known->lower;
            if (known->upper <= alpha) return known->upper;
        }
    }
    do {
        int odd;
        set = rv_order_odd(order, moves, parity);
        if (n > 4 && set & order->corners) set &= order->corners;
        square = rv_first(set);
        odd = parity ^ 1 << order->quadrant[square];
        moves ^= rv_bit(square);
        flips = rv_flips(p, o, square);
        ++leaf->nodes;
        if (n == 4) {
            rv_order_three(order, empties ^ rv_bit(square), odd, &a, &b, &c);
            value = -(whole ? rv_free_3_whole : rv_free_3_small)(leaf, o ^ flips, p ^ flips ^ rv_bit(square), -alpha - 1, a, b, c);
        } else
            value = -(whole ? rv_free_4_whole : rv_free_4_small)(leaf, o ^ flips, p ^ flips ^ rv_bit(square), -alpha - 1, odd);
        rv_stat_back(RV_STAT_END, n);
        best = value > best ? value : best;
    } while (best <= alpha && moves);
    if (known) *known = best > alpha ? (rv_known_t){p, o, (int8_t)best, 127, 65} : (rv_known_t){p, o, -127, (int8_t)best, 65};
    return best;
}

/* Six or more empty squares: sorted by stable discs on edges and flips. */
RV_INLINE int rv_free_sorted(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int n, int parity, const int whole);
#define RV_FREE_OF(n, body)                                                                                              \
    static int rv_free_##n##_whole(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int parity) { return body(leaf, p, o, alpha, n, parity, 1); } \
    static int rv_free_##n##_small(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int parity) { return body(leaf, p, o, alpha, n, parity, 0); }
RV_FREE_OF(4, rv_free_few)
RV_FREE_OF(5, rv_free_few)
static int rv_free_6_whole(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int parity);
static int rv_free_6_small(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int parity);
static int rv_free_7_whole(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int parity);
static int rv_free_7_small(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int parity);

RV_INLINE int rv_free_sorted(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int n, int parity, const int whole) {
    u64 flips[8], moves = rv_free_moves(leaf, p, o, whole), mine, theirs, before = leaf->nodes, began;
    int squares[8], keys[8], count = 0, best, top = -(1 << 30), value;
    const rv_order_t *order = whole ? &rv_order : rv_leaf_order(leaf);
    const uint8_t *worth = order->key[parity];
    rv_known_t *known = 0;
    rv_stat_enter(RV_STAT_END, n);
    if (alpha >= 3 * n - 14 - 64 + (whole ? 64 : leaf->cells)) {
        best = (whole ? 64 : leaf->cells) - 2 * rv_count(whole ? rv_stable(o, p) : rv_stable_small(o, p, leaf->rows, leaf->columns));
        if (best <= alpha) return best;
    }
    if (leaf->known) {
        known = rv_leaf_known(leaf, p, o);
        if (known->first == p && known->second == o) {
            if (known->lower > alpha) return known->lower;
            if (known->upper <= alpha) return known->upper;
        }
    }
    while (moves) {
        int square = rv_first(moves), edges = 0;
        u64 f = rv_flips(p, o, square);
        moves &= moves - 1;
        if (n > 6) {
            const u64 own = p ^ f ^ rv_bit(square), others = o ^ f;
            edges = rv_count(whole ? rv_stable_edges(own, others) : rv_stable_edges_small(own, others, leaf->rows, leaf->columns));
        }
        flips[count] = f;
        squares[count] = square;
        keys[count] = RV_ORDER_FREE_KEY(worth[square], rv_count(f), edges, count);
        top = keys[count] > top ? keys[count] : top;
        count++;
    }
    if (known)
        for (int i = 0; i < count; i++) {
            mine = p ^ flips[i] ^ rv_bit(squares[i]);
            theirs = o ^ flips[i];
            const rv_known_t *child = rv_leaf_known(leaf, theirs, mine);
            if (child->first == theirs && child->second == mine && -child->upper > alpha) return -child->upper;
        }
    best = RV_LOST;
    for (int k = 0;;) {
        int i = RV_ORDER_FREE_NUMBER(top), square = squares[i], odd = parity ^ 1 << order->quadrant[square];
        mine = p ^ flips[i] ^ rv_bit(square);
        theirs = o ^ flips[i];
        began = leaf->nodes++;
        if (n == 6) value = -(whole ? rv_free_5_whole : rv_free_5_small)(leaf, theirs, mine, -alpha - 1, odd);
        else value = -(whole ? rv_free_6_whole : rv_free_6_small)(leaf, theirs, mine, -alpha - 1, odd);
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
        keys[i] = -(1 << 30);
        top = keys[0];
        for (int j = 1; j < count; j++) top = keys[j] > top ? keys[j] : top;
    }
    if (known) *known = (rv_known_t){p, o, -127, (int8_t)best, 65};
    return best;
}
RV_FREE_OF(6, rv_free_sorted)
RV_FREE_OF(7, rv_free_sorted)

/* A null window above alpha with two to seven empty squares. */
static int rv_free(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int n) {
    const int whole = leaf->mask == ~(u64)0;
    u64 empties = leaf->mask & ~(p | o);
    int parity, a, b, c;
    if (n == 2) return rv_free_2(leaf, p, o, alpha, rv_first(empties), rv_last(empties), leaf->cells);
    parity = rv_leaf_parity(leaf, empties);
    switch (n) {
    case 7: return (whole ? rv_free_7_whole : rv_free_7_small)(leaf, p, o, alpha, parity);
    case 6: return (whole ? rv_free_6_whole : rv_free_6_small)(leaf, p, o, alpha, parity);
    case 5: return (whole ? rv_free_5_whole : rv_free_5_small)(leaf, p, o, alpha, parity);
    case 4: return (whole ? rv_free_4_whole : rv_free_4_small)(leaf, p, o, alpha, parity);
    default:
        rv_order_three(rv_leaf_order(leaf), empties, parity, &a, &b, &c);
        return rv_free_3_small(leaf, p, o, alpha, a, b, c);
    }
}

#endif
