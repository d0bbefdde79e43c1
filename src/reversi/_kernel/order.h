/* The order of moves with at most ten empty squares. order.pxi has the order above, and an overview of all.
 *
 * What a square adds to a key depends on its class (corners first) and on whether its quadrant has an odd number of empty
 * squares; the player who moves last in a region gains by it.
 */
#ifndef REVERSI_ORDER_H
#define REVERSI_ORDER_H

#include "bits/bits.h"

typedef struct {
    u64 odd[16];          /* [quadrants with an odd number of empty squares]: the squares of these quadrants */
    u64 corners;
    uint8_t quadrant[64];
    uint8_t key[16][64];  /* [such quadrants][square]: what a square adds to a move's key */
} rv_order_t;

static rv_order_t rv_order, rv_orders[3][3]; /* of the board of 64 squares; [rows / 2 - 2][columns / 2 - 2] */

static void rv_order_board(rv_order_t *board, int rows, int columns) {
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
static void rv_order_init(void) {
    rv_order_board(&rv_order, 8, 8);
    for (int i = 0; i < 9; i++) rv_order_board(&rv_orders[i / 3][i % 3], 4 + 2 * (i / 3), 4 + 2 * (i % 3));
}

/* The tables of a board. */
RV_INLINE const rv_order_t *rv_order_of(int rows, int columns) { return &rv_orders[rows / 2 - 2][columns / 2 - 2]; }

/* The quadrants with an odd number of the squares in a set, one bit each. */
RV_INLINE int rv_order_parity(const rv_order_t *order, u64 squares) {
    int parity = 0;
    for (int q = 0; q < 4; q++) parity |= (rv_count(squares & order->odd[1 << q]) & 1) << q;
    return parity;
}

/* Of some squares those in odd quadrants, all of them where none is. */
RV_INLINE u64 rv_order_odd(const rv_order_t *order, u64 squares, int parity) {
    const u64 odd = squares & order->odd[parity];
    return odd ? odd : squares;
}

/* Three empty squares: one is alone in its quadrant and comes first, or all are odd. */
RV_INLINE void rv_order_three(const rv_order_t *order, u64 squares, int parity, int *a, int *b, int *c) {
    *a = rv_first(squares & order->odd[parity]);
    squares ^= rv_bit(*a);
    *b = rv_first(squares);
    *c = rv_last(squares);
}

/* Five to ten, where a placement must capture: the fewest replies, then by square. `i` numbers the moves from 0 to 11, so
 * that no two keys are equal. */
#define RV_ORDER_KEY(worth, replies, i) (16 * (worth) - 256 * (replies) + (16399 - (i)))
#define RV_ORDER_NUMBER(key) (15 - ((key) & 15))

/* Six and seven, where it need not: flips, and from seven on stable discs on the edges. `i` numbers the moves from 0 to 7. */
#define RV_ORDER_FREE_KEY(worth, flips, edges, i) (((worth) + (flips) + 24 * (edges)) * 8 + 7 - (i))
#define RV_ORDER_FREE_NUMBER(key) (7 - ((key) & 7))

#endif
