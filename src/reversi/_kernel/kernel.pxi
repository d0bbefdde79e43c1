# The kernel whole, and its entry points.

include "types.pxi"
include "rules.pxi"
include "perft.pxi"
include "table.pxi"
include "evaluation.pxi"
include "order.pxi"
include "last_few.pxi"
include "parallel.pxi"
include "exact.pxi"
include "midgame.pxi"
include "plain.pxi"
include "upper.pxi"
include "root.pxi"
include "batch.pxi"


cdef void fill_kernel(Kernel* kernel) noexcept:
    """Make the tables of this build and fill in its entry points."""
    rv_init()
    order_init()
    eval_init()
    init_errors()
    rv_batch_init()
    kernel.search_size = sizeof(Search)
    kernel.captures = rv_captures
    kernel.flips = rv_flips
    kernel.legal = rv_legal
    kernel.may_place = rv_may_place
    kernel.is_over = rv_is_over
    kernel.count_leaves = count_leaves
    kernel.value_at = value_at
    kernel.child_value = child_value
    kernel.root_value = root_value
    kernel.help = help
    kernel.order_root = order_root
    kernel.recall = recall
    kernel.evaluate = evaluate
    kernel.midgame_value = midgame_value
    kernel.child_scores = child_scores
    kernel.play_on = play_on
    kernel.many_legal = many_legal
    kernel.many_play = many_play
    kernel.many_random_games = many_random_games
    kernel.many_evaluate = many_evaluate
    kernel.many_solve = many_solve
    kernel.many_expand = rv_batch_expand
