/* A yardstick for the machine: perft 8 from the Othello start, written plainly and never to be changed or sped up.
 *
 * It prints the leaves (a check) and the best of nine times in seconds. benchmarks/yardstick.py compiles and runs it.
 * Every empty square is tried in turn by walking its eight rays; nothing of the package is used.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { DEPTH = 8, REPEATS = 9 };

static const int STEP_ROW[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
static const int STEP_COLUMN[8] = {-1, 0, 1, -1, 1, -1, 0, 1};

static uint64_t flipped(uint64_t mover, uint64_t other, int row, int column) {
    uint64_t all = 0;
    for (int way = 0; way < 8; way++) {
        uint64_t line = 0;
        int r = row + STEP_ROW[way], c = column + STEP_COLUMN[way];
        while (r >= 0 && r < 8 && c >= 0 && c < 8) {
            uint64_t bit = 1ULL << (8 * r + c);
            if (!(other & bit)) {
                if (mover & bit)
                    all |= line;
                break;
            }
            line |= bit;
            r += STEP_ROW[way];
            c += STEP_COLUMN[way];
        }
    }
    return all;
}

static uint64_t leaves(uint64_t mover, uint64_t other, int depth, int passed) {
    uint64_t count = 0;
    int moves = 0;
    if (depth == 0)
        return 1;
    for (int square = 0; square < 64; square++) {
        uint64_t bit = 1ULL << square, turned;
        if ((mover | other) & bit)
            continue;
        turned = flipped(mover, other, square >> 3, square & 7);
        if (turned) {
            moves++;
            count += leaves(other & ~turned, mover | turned | bit, depth - 1, 0);
        }
    }
    if (moves)
        return count;
    return passed ? 1 : leaves(other, mover, depth - 1, 1);
}

int main(void) {
    uint64_t white = 1ULL << 27 | 1ULL << 36, black = 1ULL << 28 | 1ULL << 35, count = 0;
    double best = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        clock_t began = clock();
        count = leaves(black, white, DEPTH, 0);
        double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
        if (repeat == 0 || seconds < best)
            best = seconds;
    }
    printf("%llu %.6f\n", (unsigned long long)count, best);
    return count == 390216 ? 0 : 1;
}
