/* The last ten squares where a placement must capture: a null window above alpha, moves sorted by parity alone up to
 * four empty squares, by the replies they leave above, and a small table from four on.
 *
 * Values are bounds (fail-soft) from the mover's view, the empty squares going to the winner. Each function exists for
 * the board of 64 squares and for smaller ones: `whole` is a constant where it is called.
 */
#ifndef REVERSI_LEAVES_H
#define REVERSI_LEAVES_H

#include "bits/bits.h"
#include "statistics.h"

#define RV_LEAF_LOST (-127) /* below every score */

/* What a searching thread's leaves share. */
typedef struct {
    u64 first, second;  /* the position, mover first */
    int8_t lower, upper;
    uint8_t move;       /* the one that was searched last: the best one where it cut */
} rv_known_t;

typedef struct {
    u64 odd[16];          /* [quadrants with an odd number of empty squares]: the squares of these quadrants */
    u64 corners;
    uint8_t quadrant[64];
    uint8_t key[16][64];  /* [such quadrants][square]: what a square adds to a move's key */
} rv_leaf_tables_t;

static rv_leaf_tables_t rv_leaf_tables, rv_leaf_boards[3][3]; /* of the board of 64 squares; [rows / 2 - 2][columns / 2 - 2] */

typedef struct {
    u64 nodes;          /* positions visited, by the whole search */
    rv_known_t *known;  /* this thread's table of positions with few empty squares, NULL for none */
    u64 mask;           /* squares of the board */
    int cells, rows, columns;
    int adjacent;       /* a placement must touch a disc (free.h) */
} rv_leaf_t;

static void rv_leaf_board(rv_leaf_tables_t *board, int rows, int columns) {
    static const uint8_t classes[16] = {9, 2, 8, 6, 2, 0, 3, 4, 8, 3, 7, 5, 6, 4, 5, 0}; /* of a quarter: corners first */
    memset(board, 0, sizeof *board);
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            int square = 8 * row + column, low = row >= rows / 2, right = column >= columns / 2, quadrant = 2 * low + right;
            int class = classes[4 * (low ? rows - 1 - row : row) + (right ? columns - 1 - column : column)];
            board->quadrant[square] = (uint8_t)quadrant;
            if (class == 9) board->corners |= rv_bit(square);
            for (int parity = 0; parity < 16; parity++) {
                board->key[parity][square] = (uint8_t)(class + (parity >> quadrant & 1 ? 8 : 0));
                if (parity >> quadrant & 1) board->odd[parity] |= rv_bit(square);
            }
        }
}

/* Idempotent; called at import. */
static void rv_leaf_init(void) {
    rv_leaf_board(&rv_leaf_tables, 8, 8);
    for (int i = 0; i < 9; i++) rv_leaf_board(&rv_leaf_boards[i / 3][i % 3], 4 + 2 * (i / 3), 4 + 2 * (i % 3));
}

/* The tables of a search's board. */
RV_INLINE const rv_leaf_tables_t *rv_leaf_tables_of(const rv_leaf_t *leaf) {
    return &rv_leaf_boards[leaf->rows / 2 - 2][leaf->columns / 2 - 2];
}

/* The quadrants of a search's board with an odd number of the squares in a set. */
RV_INLINE int rv_leaf_parity(const rv_leaf_t *leaf, u64 squares) {
    const rv_leaf_tables_t *tables = rv_leaf_tables_of(leaf);
    int parity = 0;
    for (int q = 0; q < 4; q++) parity |= (rv_count(squares & tables->odd[1 << q]) & 1) << q;
    return parity;
}

/* The final score for the player with `mine` discs when `empty` squares stay empty. */
RV_INLINE int rv_leaf_final(int mine, int empty, int cells) {
    int difference = 2 * mine + empty - cells;
    return difference + (difference > 0 ? empty : difference < 0 ? -empty : 0);
}


/* What one square turns; many touch no opposing disc. */
RV_INLINE u64 rv_leaf_flips(u64 p, u64 o, int square) {
    return rv_tables.around[square] & o ? rv_flips_soon(p, o, square) : 0;
}

/* One empty square. */
RV_INLINE int rv_last_1(u64 p, u64 o, int square, int cells) {
    int mine = 2 * rv_count(p), turned = rv_last_flips(p, square);
    if (turned) return mine + 2 + turned - cells;
    turned = rv_last_flips(o, square);
    if (turned) return mine - cells - turned;
    return mine - cells + (mine >= cells ? 2 : 0);
}

/* Two empty squares. */
RV_INLINE int rv_last_2(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int a, int b, int cells) {
    u64 flips;
    int value, best = RV_LEAF_LOST;
    flips = rv_leaf_flips(p, o, a);
    if (flips) {
        ++leaf->nodes;
        best = -rv_last_1(o ^ flips, p ^ flips ^ rv_bit(a), b, cells);
        if (best > alpha) return best;
    }
    flips = rv_leaf_flips(p, o, b);
    if (flips) {
        ++leaf->nodes;
        value = -rv_last_1(o ^ flips, p ^ flips ^ rv_bit(b), a, cells);
        return value > best ? value : best;
    }
    if (best != RV_LEAF_LOST) return best;
    /* a pass: the other side, which wants little */
    flips = rv_leaf_flips(o, p, a);
    if (flips) {
        ++leaf->nodes;
        best = rv_last_1(p ^ flips, o ^ flips ^ rv_bit(a), b, cells);
        if (best <= alpha) return best;
    }
    flips = rv_leaf_flips(o, p, b);
    if (flips) {
        ++leaf->nodes;
        value = rv_last_1(p ^ flips, o ^ flips ^ rv_bit(b), a, cells);
        return best == RV_LEAF_LOST || value < best ? value : best;
    }
    if (best != RV_LEAF_LOST) return best;
    return rv_leaf_final(rv_count(p), 2, cells);
}

/* Three empty squares, in the order in which they are tried. */
RV_INLINE int rv_last_3_any(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int a, int b, int c, int cells) {
    u64 flips;
    int value, best = RV_LEAF_LOST, passed = 0;
    for (;;) {
        flips = rv_leaf_flips(p, o, a);
        if (flips) {
            ++leaf->nodes;
            best = -rv_last_2(leaf, o ^ flips, p ^ flips ^ rv_bit(a), -alpha - 1, b, c, cells);
            if (best > alpha) break;
        }
        flips = rv_leaf_flips(p, o, b);
        if (flips) {
            ++leaf->nodes;
            value = -rv_last_2(leaf, o ^ flips, p ^ flips ^ rv_bit(b), -alpha - 1, a, c, cells);
            best = value > best ? value : best;
            if (best > alpha) break;
        }
        flips = rv_leaf_flips(p, o, c);
        if (flips) {
            ++leaf->nodes;
            value = -rv_last_2(leaf, o ^ flips, p ^ flips ^ rv_bit(c), -alpha - 1, a, b, cells);
            best = value > best ? value : best;
        }
        if (best != RV_LEAF_LOST) break;
        if (passed) {
            best = rv_leaf_final(rv_count(p), 3, cells);
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
static int rv_last_3_whole(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int a, int b, int c) {
    return rv_last_3_any(leaf, p, o, alpha, a, b, c, 64);
}
static int rv_last_3_small(rv_leaf_t *leaf, u64 p, u64 o, int alpha, int a, int b, int c) {
    return rv_last_3_any(leaf, p, o, alpha, a, b, c, leaf->cells);
}

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
    u64 flips, rest, set, mine = p, theirs = o, empties = (whole ? ~(u64)0 : leaf->mask) & ~(p | o);
    int value, square, a, best, low = alpha;
    const rv_leaf_tables_t *tables = whole ? &rv_leaf_tables : rv_leaf_tables_of(leaf);
    if (known) {
        if (known->first == p && known->second == o) {
            if (known->lower > alpha) return known->lower;
            if (known->upper <= alpha) return known->upper;
        }
    }
    best = rv_leaf_bound(leaf, p, o, alpha, 4, whole);
    if (best <= alpha) return best;
    if (!moves) {
        moves = rv_captures(o, p) & empties;
        if (!moves) return rv_leaf_final(rv_count(p), 4, whole ? 64 : leaf->cells);
        mine = o;
        theirs = p;
        low = -alpha - 1;
    }
    best = RV_LEAF_LOST;
    do {
        set = moves & tables->odd[parity];
        square = rv_first(set ? set : moves);
        moves ^= rv_bit(square);
        rest = empties ^ rv_bit(square);
        /* one of the other three is alone in its quadrant, or all are odd */
        a = rv_first(rest & tables->odd[parity ^ 1 << tables->quadrant[square]]);
        rest ^= rv_bit(a);
        flips = rv_flips_soon(mine, theirs, square);
        ++leaf->nodes;
        value = -(whole ? rv_last_3_whole : rv_last_3_small)(leaf, theirs ^ flips, mine ^ flips ^ rv_bit(square), -low - 1, a,
                                                           rv_first(rest), rv_last(rest));
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
#define RV_LEAF_MOVES(squares) (whole ? rv_count_moves(squares) : rv_count(squares) + rv_count((squares) & tables->corners))

/* Five to ten empty squares, with the arguments of rv_last_4. */
RV_INLINE int rv_few_any(rv_leaf_t *leaf, u64 p, u64 o, u64 moves, int alpha, int n, int parity, rv_known_t *known,
                         const int whole) {
    u64 flips[12], replies[12], mine, theirs, before = leaf->nodes, began;
    int squares[12], keys[12], count = 0, best, top = 0, value;
    rv_known_t *places[12];
    const rv_leaf_tables_t *tables = whole ? &rv_leaf_tables : rv_leaf_tables_of(leaf);
    const uint8_t *worth = tables->key[parity];
    best = rv_leaf_bound(leaf, p, o, alpha, n, whole);
    if (best <= alpha) return best;
    if (!moves) {
        moves = rv_captures(o, p);
        if (!whole) moves &= leaf->mask;
        if (!moves) return rv_leaf_final(rv_count(p), n, whole ? 64 : leaf->cells);
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
        keys[count] = 16 * worth[one] - 256 * RV_LEAF_MOVES(replies[count]) + (16399 - count);
        top = keys[count] > top ? keys[count] : top;
        count++;
        if (!rest) break;
        keys[count] = 16 * worth[other] - 256 * RV_LEAF_MOVES(replies[count]) + (16399 - count);
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
    best = RV_LEAF_LOST;
    for (int k = 0;;) {
        int i = 15 - (top & 15), square = squares[i];
        mine = p ^ flips[i] ^ rv_bit(square);
        theirs = o ^ flips[i];
        began = leaf->nodes++;
        if (n == 5) {
            rv_stat_enter(RV_STAT_END, 4);
            value = -rv_last_4(leaf, theirs, mine, replies[i], -alpha - 1, parity ^ 1 << tables->quadrant[square],
                               known ? places[i] : 0, whole);
        } else
            value = -RV_FEW(n - 1, whole)(leaf, theirs, mine, replies[i], -alpha - 1, n - 1,
                                          parity ^ 1 << tables->quadrant[square], known ? places[i] : 0);
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
