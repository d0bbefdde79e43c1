/* What a search does, per number of empty squares. Compiled in by -DRV_STATISTICS alone (docs/development.md), printed
 * to standard error at exit; for one thread. Without it every function here is empty.
 *
 * Time is read from the processor's counter whenever a search enters a position or comes back to it, so each row has
 * the time spent at positions with that many empty squares, children not included.
 */
#ifndef REVERSI_STATISTICS_H
#define REVERSI_STATISTICS_H

#include "bits/bits.h"

enum { RV_STAT_END, RV_STAT_DEEP, RV_STAT_SORT, RV_STAT_KINDS }; /* to the end; the upper tree; depth-limited sorting */

#ifdef RV_STATISTICS
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

typedef struct {
    u64 positions, ticks, cuts, first, tried, nodes, wasted;
} rv_stat_t;

static rv_stat_t rv_stats[RV_STAT_KINDS][65];
static rv_stat_t *rv_stat_at = &rv_stats[0][64]; /* where the time goes */
static u64 rv_stat_since;

static void rv_stat_print(void) {
    static const char *const names[RV_STAT_KINDS] = {"to the end", "upper tree", "sorting"};
    u64 ticks = 0;
    for (int k = 0; k < RV_STAT_KINDS; k++) for (int n = 0; n < 64; n++) ticks += rv_stats[k][n].ticks;
    if (!ticks) return;
    for (int k = 0; k < RV_STAT_KINDS; k++) {
        fprintf(stderr, "%-10s  positions   share   ticks   cut nodes   first move cuts   tried   wasted\n", names[k]);
        for (int n = 0; n < 64; n++) {
            const rv_stat_t *s = &rv_stats[k][n];
            if (!s->positions) continue;
            fprintf(stderr, "%10d %10llu %6.2f%% %7.0f %10.1f%% %16.1f%% %7.2f %7.1f%%\n", n, (unsigned long long)s->positions,
                    100.0 * (double)s->ticks / (double)ticks, (double)s->ticks / (double)s->positions,
                    100.0 * (double)s->cuts / (double)s->positions, 100.0 * (double)s->first / (double)(s->cuts + !s->cuts),
                    (double)s->tried / (double)(s->cuts + !s->cuts), 100.0 * (double)s->wasted / (double)(s->nodes + !s->nodes));
        }
    }
}

RV_INLINE void rv_stat_back(int kind, int n) { /* a child was left, this position's own work goes on */
    u64 now = __rdtsc();
    rv_stat_at->ticks += now - rv_stat_since;
    rv_stat_since = now;
    rv_stat_at = &rv_stats[kind][n];
}
RV_INLINE void rv_stat_enter(int kind, int n) {
    static int ready;
    if (!ready) { ready = 1; atexit(rv_stat_print); rv_stat_since = __rdtsc(); }
    rv_stat_back(kind, n);
    rv_stat_at->positions++;
}
/* A null window was cut by the i-th move; the nodes of the moves before it were wasted. */
RV_INLINE void rv_stat_cut(int kind, int n, int i, u64 wasted, u64 nodes) {
    rv_stat_t *s = &rv_stats[kind][n];
    s->cuts++;
    s->first += i == 0;
    s->tried += (u64)i + 1;
    s->wasted += wasted;
    s->nodes += nodes;
}
#else
RV_INLINE void rv_stat_back(int kind, int n) { (void)kind; (void)n; }
RV_INLINE void rv_stat_enter(int kind, int n) { (void)kind; (void)n; }
RV_INLINE void rv_stat_cut(int kind, int n, int i, u64 wasted, u64 nodes) {
    (void)kind; (void)n; (void)i; (void)wasted; (void)nodes;
}
#endif

#endif
