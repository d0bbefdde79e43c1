/* The rules: what is legal, what a pass means, when a game ends and what it is worth. Nothing else decides that; plain
 * alpha-beta (binding/alpha_beta.pxi) and the tests' oracle state it again on purpose.
 *
 * A rule set is its flags and the mask of its board. Where a caller knows some of them at compile time it gives
 * constants, and the compiler leaves the rest out (rules.pxi).
 */
#ifndef REVERSI_RULES_H
#define REVERSI_RULES_H

#include "bits/bits.h"

enum {
    RV_CAPTURE = 1,    /* a placement must flip */
    RV_ADJACENT = 2,   /* a placement must touch a disc */
    RV_SKIP = 4,       /* a pass is allowed beside placements */
    RV_FULL = 8,       /* directly after a pass, no skip */
    RV_MISERE = 16,    /* the fewest discs win */
    RV_DISCS_ONLY = 32 /* empty squares count for nobody */
};

/* What a position remembers of the plies before it. */
enum { RV_FRESH, RV_AFTER_PASS, RV_ENDED };

/* Whether a rule set is the standard one, which has code of its own. */
RV_INLINE int rv_is_standard(int flags, u64 mask) {
    return mask == ~(u64)0 && (flags & (RV_CAPTURE | RV_SKIP | RV_MISERE | RV_DISCS_ONLY)) == RV_CAPTURE;
}

/* --- placements --------------------------------------------------------------------------------------------------- */

/* The squares where the mover may put a disc, in a game that passes have not ended. */
RV_INLINE u64 rv_placements(int flags, u64 mask, u64 p, u64 o) {
    if (flags & RV_CAPTURE) return rv_captures(p, o) & mask;
    if (flags & RV_ADJACENT) return rv_neighbours(p | o) & mask & ~(p | o);
    return mask & ~(p | o);
}

/* Whether the mover may put a disc on an empty square of the board, and what it flips; most squares that capture nothing
 * are found by their neighbours. */
RV_INLINE int rv_can_place(int flags, u64 p, u64 o, int square, u64 *flips) {
    const u64 around = rv_tables.around[square];
    *flips = 0;
    if (flags & RV_CAPTURE ? !(around & o) : flags & RV_ADJACENT && !(around & (p | o))) return 0;
    *flips = rv_flips(p, o, square);
    return *flips || !(flags & RV_CAPTURE);
}

/* The same for any square from 0 to 63, where the caller knows what a disc there flips. */
RV_INLINE int rv_is_placement(int flags, u64 mask, u64 p, u64 o, int square, u64 flips) {
    if (!((mask & ~(p | o)) >> square & 1)) return 0;
    if (flags & RV_CAPTURE) return flips != 0;
    return !(flags & RV_ADJACENT) || (rv_tables.around[square] & (p | o)) != 0;
}

/* The same for any square and any state. */
RV_INLINE int rv_may_place(int flags, u64 mask, int state, u64 p, u64 o, int square, u64 *flips) {
    *flips = rv_flips(p, o, square);
    return state != RV_ENDED && rv_is_placement(flags, mask, p, o, square, *flips);
}

/* --- passes ------------------------------------------------------------------------------------------------------- */

/* Whether the mover may pass beside placements. */
RV_INLINE int rv_may_skip(int flags, int state) {
    return flags & RV_SKIP && !(flags & RV_FULL && state == RV_AFTER_PASS);
}

/* Whether the mover, who has these placements, may pass. */
RV_INLINE int rv_may_pass(int flags, u64 mask, int state, u64 p, u64 o, u64 placements) {
    if (state == RV_ENDED) return 0;
    return placements ? rv_may_skip(flags, state) : rv_placements(flags, mask, o, p) != 0;
}

/* The state after a pass. */
RV_INLINE int rv_after_pass(int flags, int state) {
    if (!(flags & RV_SKIP)) return RV_FRESH;
    return state == RV_AFTER_PASS && !(flags & RV_FULL) ? RV_ENDED : RV_AFTER_PASS;
}

/* The last of the states that a rule set has. */
RV_INLINE int rv_last_state(int flags) { return !(flags & RV_SKIP) ? RV_FRESH : flags & RV_FULL ? RV_AFTER_PASS : RV_ENDED; }

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* The legal moves: the placements are filled in; whether a pass is one. */
RV_INLINE int rv_legal(int flags, u64 mask, int state, u64 p, u64 o, u64 *placements) {
    *placements = state == RV_ENDED ? 0 : rv_placements(flags, mask, p, o);
    return rv_may_pass(flags, mask, state, p, o, *placements);
}

/* Whether the game is over. */
RV_INLINE int rv_is_over(int flags, u64 mask, int state, u64 p, u64 o) {
    return state == RV_ENDED || !(rv_placements(flags, mask, p, o) || rv_placements(flags, mask, o, p));
}

/* The score of a finished game from its difference in discs and its number of empty squares. */
RV_INLINE int rv_score(int flags, int difference, int empty) {
    if (!(flags & RV_DISCS_ONLY)) difference += difference > 0 ? empty : difference < 0 ? -empty : 0;
    return flags & RV_MISERE ? -difference : difference;
}

#endif
