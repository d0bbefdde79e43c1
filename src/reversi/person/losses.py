"""What a person lost in a game, by phase, as an analysis finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reversi.openings.book import Books
from reversi.person.played_game import Losses, PlayedGame
from reversi.work.cancel import Cancel

if TYPE_CHECKING:
    from reversi.analysis.store import AnalysisStore

FIRST_LEVEL: Final = 10
"""The level of the first analysis of a person's game: it takes about a second."""


def losses_of(
    game: PlayedGame, book: Books | None, cancel: Cancel | None = None, store: AnalysisStore | None = None
) -> Losses | None:
    """Analyze a game; return what the person lost, ``None`` where ``cancel`` stopped it.

    Good moves of the opening book are no mistakes, and the moves of an opening that was given do not count. The
    ``store`` keeps the analysis.
    """
    from reversi.analysis.analyzer import Analyzer  # imported late: a game begins without them
    from reversi.analysis.summary import phase_of
    from reversi.engine.explaining import explain
    from reversi.records.formats.pgn.reader import parse_record

    record = parse_record(game.record)
    if not record.line.nodes:
        return Losses.sum(())
    analyzer = Analyzer(level=FIRST_LEVEL, book=book)
    analysis = analyzer.analyze(record, cancel=cancel, store=store)
    if not analysis.complete:
        return None
    losses = Losses.sum(())
    cells = record.start.rules.board.cells
    for turn in analysis.turns:
        if turn.mover is game.color and not turn.forced and turn.ply > game.opening_plies:
            phase = phase_of(turn.position.empties, cells).value
            losses.turns[phase] += 1
            losses.discs[phase] += turn.loss
            if turn.judgement is None or not turn.judgement.is_error:
                continue
            losses.mistakes[phase] += 1
            for remark in explain(turn.position, turn.move, better=turn.best[0], better_line=turn.pv[1:]):
                if not remark.is_good:
                    reason = remark.feature.value
                    losses.reasons[reason] = losses.reasons.get(reason, 0) + 1
                    break
    return losses
