"""Analyzing a game from its end backwards, with one table, so that exact values carry upwards.

An exact value of the move played is minus the value of the position that it leads to, as the analysis of that
position found it. Above the exact values one search of a position values the move played and its rivals, by the
same steps from an empty table: the values of a turn are those of its position, whatever the game, and those of
symmetric positions are the same.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import NoneType
from typing import Final

from reversi._core import Move, Position
from reversi.analysis.analysis import Analysis, AnalyzedTurn, known_tags
from reversi.analysis.judgement import (
    INACCURACY_FROM,
    SURPRISE_FROM,
    Judgement,
    changes_outcome,
    is_doubtful,
    judged,
)
from reversi.analysis.store import AnalysisStore
from reversi.arguments import check_count, check_time_s, check_type
from reversi.engine.levels import HINT_LEVEL, Level, level_for, strongest
from reversi.engine.search import Estimate, Searcher, seen_from
from reversi.errors import InputError
from reversi.evaluation.confidence import UNPRUNED
from reversi.game.game import Game
from reversi.openings.book import Books
from reversi.records.from_game import record_from_game
from reversi.records.record import Node, Record
from reversi.records.replay import hand_flips, positions
from reversi.rules import OTHELLO, Rules
from reversi.score import Kind, MoveValue, Score, best_of
from reversi.solver.costs import estimated_nodes
from reversi.solver.question import Question
from reversi.solver.solution import MoveScore, Solution, best_first
from reversi.solver.solver import Solver
from reversi.solver.symmetry import Image, twins
from reversi.solver.table import ANALYSIS_HASH_MB, level_hash_mb
from reversi.work.cancel import Cancel
from reversi.work.jobs import Call
from reversi.work.threads import Threads
from reversi.work.workers import POLL_S

DEFAULT_EXACT_FROM: Final = 20
"""Empty squares from which values are exact in the standard game, unless the caller says otherwise."""

_CHEAP_NODES: Final = 100_000
_CHEAP_GROWTH: Final = 1.35
"""Solving continues above that number while it is expected to take at most 100,000 nodes times 1.35 per level, and
an average position does, too."""
_TIMED_LEVEL: Final = 16  # what a time is compared with: it decides how far solving continues
_TIMED_CAUTION: Final = 5
_GROWTH: Final = 3.0  # what a placement more multiplies the nodes of a solution with
_UNITS: Final = 128  # of the evaluation, per disc
_ONE_BEST: Final = Question()
_SURELY_SOLVED: Final = 15  # to the end of the game a search prunes nothing from here on


class _Stopped(Exception):  # noqa: N818 - control flow
    """A `Cancel` stopped the analysis."""


@dataclass(frozen=True, slots=True)
class _Value:
    """The value of a position from its mover's view, with the best line."""

    score: Score
    pv: tuple[Move, ...] = ()


class Analyzer:
    """Analyzes games, one after another.

    Args:
        level: the level of the searches above ``exact_from``; see `reversi.engine.levels`.
        time_s: seconds for each of these searches, instead of a level.
        exact_from: with this many empty squares or fewer every value is exact. By default 20 in the standard game;
            under other rules as many as an engine of level 18, or of a higher ``level``, solves.
        threads: how many threads work: they solve one position together, and search several turns side by side, or
            one together where ``time_s`` is given.
        hash_mb: size of the table in MB (2**20 bytes).
        book: an opening book; its good moves are marked, and are no mistakes. All values come from searches.
        all_moves: value every legal move of each turn (`AnalyzedTurn.moves`), which takes several times as long.

    Raises:
        InputError: a number is outside its limits.
        TableSizeError: the machine has not enough memory.
    """

    def __init__(
        self,
        *,
        level: int | str | None = None,
        time_s: float | None = None,
        exact_from: int | None = None,
        threads: int = 1,
        hash_mb: int = ANALYSIS_HASH_MB,
        book: Books | None = None,
        all_moves: bool = False,
    ) -> None:
        if level is not None and time_s is not None:
            raise InputError("level and time_s are different limits; give one of them")
        check_type("book", book, Books, NoneType)
        level = HINT_LEVEL if level is None else level
        level_for(level)
        if time_s is not None:
            check_time_s(time_s)
        check_count("exact_from", exact_from, least=0, optional=True)
        self._level = level
        self._time_s = time_s
        self._exact_from = exact_from
        self._book = book
        self._all_moves = all_moves
        self._solver = Solver(hash_mb, threads)
        if time_s is None:
            hash_mb = min(hash_mb, level_hash_mb(level_for(level).number))
        together = time_s is not None
        self._aside = 1 if together else threads  # turns that are searched side by side
        self._searcher = partial(Searcher, hash_mb, threads if together else 1)
        self._searchers = [self._searcher()]  # those that are free

    def analyze(
        self,
        game: Game | Record,
        *,
        cancel: Cancel | None = None,
        progress: Callable[[AnalyzedTurn], None] | None = None,
        store: AnalysisStore | None = None,
        first: Sequence[int] = (),
    ) -> Analysis:
        """Analyze a game; see `analyze`. The result does not depend on the games analyzed before.

        Args:
            game: as for `analyze`, and so are ``cancel``, ``progress`` and ``store``.
            first: the plies whose searches come first, in this order; what is solved comes before them. A turn
                that ``progress`` gets out of its order may have a shorter best line than in the end.
        """
        check_type(
            "game", game, Game, Record, advice="open_records reads files, Game().play_all(moves) plays text"
        )
        check_type("cancel", cancel, Cancel, NoneType)
        check_type("store", store, AnalysisStore, NoneType)
        record = record_from_game(game) if isinstance(game, Game) else game
        self._solver.clear()
        reported: set[int] = set()

        def report(plain: AnalyzedTurn) -> AnalyzedTurn:
            turn = plain if self._book is None else _marked(plain, self._book)
            if progress is not None and turn.ply not in reported:
                reported.add(turn.ply)
                progress(turn)
            return turn

        stop = Cancel()
        work = _Work(self, record, stop, store, first, report)
        turns: list[AnalyzedTurn] = []
        with contextlib.suppress(_Stopped), (cancel or Cancel()).ends(stop.cancel):
            for turn in work.turns():
                turns.append(report(turn))
        return Analysis(
            record.start,
            record.moves,
            tuple(reversed(turns)),
            None if self._time_s is not None else self._level,
            work.exact_from,
            self._time_s,
            known_tags(record),
            record.result,
            work.flips,
            "" if self._book is None else str(self._book),
            self._all_moves,
        )


def marked(analysis: Analysis, book: Books) -> Analysis:
    """Return an analysis with the good moves of an opening book marked, as an `Analyzer` with the book does."""
    return replace(analysis, turns=tuple(_marked(turn, book) for turn in analysis.turns), book=str(book))


def _marked(turn: AnalyzedTurn, book: Books) -> AnalyzedTurn:
    """Return a turn, marked and without the sign of a mistake if its move is a good one of the book."""
    if turn.flips is not None or not _is_good(book, turn.position, turn.move):
        return turn
    is_error = turn.judgement is not None and turn.judgement.is_error
    return replace(turn, book=True, judgement=None if is_error else turn.judgement)


def _is_good(book: Books, position: Position, move: Move) -> bool:
    """Whether a book has a move that loses less than an inaccuracy by its own values."""
    entry = book.get(position)
    if entry is None:
        return False
    good = (choice.move for choice in book.moves(position) if entry.value - choice.score.value < INACCURACY_FROM)
    return move in good


def effective_exact_from(exact_from: int | None, level: int | str, rules: Rules) -> int:
    """Return from how many empty squares an analysis is exact: as asked, but not less than a search is anyway.

    Args:
        exact_from: what was asked for; ``None`` for the default.
        level: the level of the searches.
        rules: the rules of the game.
    """
    if not rules.same_play(OTHELLO):
        # as many as are solved in a second or so
        return (
            level_for(strongest((level, HINT_LEVEL), level), rules).exact_from
            if exact_from is None
            else exact_from
        )
    searched = level_for(level, rules)
    reach = min(max(searched.depth, searched.solve_from), _SURELY_SOLVED)
    return max(DEFAULT_EXACT_FROM if exact_from is None else exact_from, reach)


class _Work:
    """One game being analyzed, from its end to its start."""

    def __init__(
        self,
        analyzer: Analyzer,
        record: Record,
        cancel: Cancel,
        store: AnalysisStore | None,
        first: Sequence[int],
        report: Callable[[AnalyzedTurn], object],
    ) -> None:
        level, time_s = analyzer._level, analyzer._time_s
        self.solver, self.searchers, self.aside = analyzer._solver, analyzer._searchers, analyzer._aside
        self.new_searcher, self.all_moves = analyzer._searcher, analyzer._all_moves
        self.store, self.report = store, report
        self.first: Sequence[int] | None = first if time_s is None else None  # `None` once they are searched
        self.level: Level = level_for(level, record.rules)
        self.level_name = str(level)
        self.time_s = time_s
        self.cheap = _CHEAP_NODES * _CHEAP_GROWTH ** (self.level.number if time_s is None else _TIMED_LEVEL)
        self.record = record
        self.boards = list(positions(record))
        self.flips = hand_flips(record)
        self.cancel = cancel
        self.learned = record.rules.same_play(OTHELLO)
        self.exact_from = effective_exact_from(analyzer._exact_from, level, record.rules)
        self.solved_at: int | None = None  # empty squares of the last position solved
        self.spent = 0  # nodes for it

    def turns(self) -> Iterator[AnalyzedTurn]:
        """Analyze the turns, the last one first."""
        boards = self.boards
        after = self._value(boards[-1]) if self.record.line.nodes else None
        for ply in range(len(boards) - 1, 0, -1):
            assert after is not None
            node, position = self.record.line.nodes[ply - 1], boards[ply - 1]
            next_one = position.play(node.move)
            if next_one != boards[ply]:  # flipped otherwise: the move is judged as the rules play it
                after = self._value(next_one)
            turn = self._turn(ply, position, node, after)
            after = _Value(turn.best_score, turn.pv)
            yield turn

    def _turn(self, ply: int, position: Position, node: Node, after: _Value) -> AnalyzedTurn:
        move = node.move
        played = MoveScore(move, _negated(after.score, position, move), (move, *after.pv))
        flips = self.flips.get(ply)
        only = best_of([played.score])
        turn = AnalyzedTurn(ply, position, move, played.score, (move,), only, played.pv, flips=flips)
        if turn.forced:
            return replace(turn, moves=(MoveScore(move, turn.score, turn.pv),)) if self.all_moves else turn
        if played.score.kind is Kind.EXACT and self._solves(position):
            return self._solved(turn, played)
        self._search_ahead(ply)
        return self._searched(ply, played.pv)

    def _search_ahead(self, last: int) -> None:
        """Search the turns up to a ply, which do not wait for each other, once; what is known comes first."""
        first, self.first = self.first, None
        if first is None or (not first and self.aside == 1):
            return
        self.store = self.store or AnalysisStore()  # what is found before its time waits there
        plies = dict.fromkeys((*first, *range(last, 0, -1)))
        left = deque(ply for ply in plies if 1 <= ply <= last and len(self.boards[ply - 1].legal_moves) > 1)
        for ply in list(left):
            if self._known(*self._asked(self.boards[ply - 1], self.record.moves[ply - 1])) is not None:
                self.report(self._searched(ply))
                left.remove(ply)
        with Threads[int, AnalyzedTurn](self.aside) as workers:
            try:
                while left or workers.is_busy:
                    while left and workers.is_free:
                        workers.send(left[0], Call(partial(self._searched, left.popleft())))
                    job = workers.next(POLL_S)
                    if job is not None and (turn := job.result()) is not None:
                        self.report(turn)
            except BaseException:  # an interrupt too
                self.cancel.cancel()
                raise

    # --- positions

    def _solves(self, position: Position) -> bool:
        """Return whether a position is solved: as asked, or because it is cheap after those solved before."""
        empties = position.empties
        if empties <= self.exact_from:
            return True
        if self.solved_at is None:
            return False
        if estimated_nodes(position) > self.cheap:
            return False  # easy positions may lead on from a hard one
        return self.spent * _GROWTH ** (empties - self.solved_at) <= self.cheap

    def _solve(self, position: Position, question: Question = _ONE_BEST) -> Solution:
        def find() -> Solution:
            solution = self.solver.ask(position, question, cancel=self.cancel)
            if not solution.is_exact:
                raise _Stopped
            return solution

        if self.store is None:
            return find()
        asked = "solve all" if question.all_moves else "solve"
        return self.store.solution(position, asked, Solution.from_json, find)

    def _asked(self, position: Position, played: Move | None) -> tuple[Image, Move | None, str]:
        """Return what a search is asked: the image of a position, the move there, and the question."""
        image = Image.canonical(position)
        move = None if played is None else twins(image.position)[image.moves([played])[0]]
        more = " all" if self.all_moves and move is not None else ""
        return image, move, f"search {self.level_name} {move or ''}{more}"

    def _known(self, image: Image, move: Move | None, question: str) -> Estimate | None:
        if self.store is None or self.time_s is not None:
            return None
        known = self.store.get(image.position, question)
        return None if known is None else Estimate.from_json(known)

    def _search(self, position: Position, played: Move | None = None) -> Estimate:
        """Return the best move of a position; or the one played and the best of the others, best first, with all
        that are the same by symmetry. A search that finds what may be a mistake looks further than the level says.
        """
        image, move, question = self._asked(position, played)
        answer = self._known(image, move, question)
        if answer is None:
            try:
                searcher = self.searchers.pop()
            except IndexError:  # the others are at work
                searcher = self.new_searcher()
            try:
                answer = self._looked(searcher, image.position, move)
                if move is not None and is_doubtful(*(each.score for each in _compared(move, answer))):
                    answer = self._looked(searcher, image.position, move, again=True)
            finally:
                self.searchers.append(searcher)
            if self.store is not None and self.time_s is None:
                self.store.put(image.position, question, answer.fields())
        return seen_from(position, image, answer)

    def _looked(
        self, searcher: Searcher, position: Position, played: Move | None, *, again: bool = False
    ) -> Estimate:
        """Search a position; ``again`` looks further than the level says."""
        if self.cancel.cancelled:
            raise _Stopped
        level, empties = self.level, position.empties
        below_end = max(empties - 1, 1)  # a search looks at least one placement ahead
        depth: int | None = None
        caution, nodes = _TIMED_CAUTION, None
        if self.time_s is None or not self.learned:
            to_end = self.learned and empties <= level.solve_from
            depth = None if to_end else min(level.depth, below_end)
            caution, nodes = level.caution, level.nodes
        time_s = self.time_s
        if time_s is not None:
            nodes = None
            depth = depth and below_end
        if again:
            depth = depth and min(depth + 3, below_end)
            caution = min(caution + 1, UNPRUNED)
            nodes = nodes and 4 * nodes
            time_s = time_s and 2 * time_s
        searcher.clear()  # what was searched before makes no move deeper than another
        answer = searcher.search(
            position,
            count=len(position.legal_moves) if self.all_moves and played is not None else 1,
            depth=depth,
            caution=caution,
            time_s=time_s,
            nodes=nodes,
            played=played,
            cancel=self.cancel,
        )
        if self.cancel.cancelled:
            raise _Stopped
        return answer

    def _value(self, position: Position) -> _Value:
        """Return the value of a position that no turn of the game leads on from."""
        if position.is_over:
            return _Value(Score.exact(position.score, position.to_move))
        answer: Solution
        if position.empties <= self.exact_from:
            answer = self._solve(position)
            self.solved_at, self.spent = position.empties, answer.score.nodes
        else:
            answer = self._search(position)
        return _Value(answer.score, answer.pv)

    # --- turns with a choice

    def _solved(self, turn: AnalyzedTurn, played: MoveScore) -> AnalyzedTurn:
        position = turn.position
        solution = self._solve(position)
        self.solved_at, self.spent = position.empties, solution.score.nodes
        value = solution.score.value
        is_best = played.score.value == value
        best = self._proved(
            position,
            "best",
            lambda: (
                move
                for move in position.legal_moves
                if (
                    is_best
                    if move == turn.move
                    else move == solution.best[0] or self._reaches(position, move, value)
                )
            ),
        )
        judgement = judged(value - played.score.value, played.score, solution.score)
        if best == (turn.move,) and value >= 0 and self._is_only(position, turn.move, value):
            judgement = Judgement.ONLY_MOVE
        elif is_best and self._is_surprising(position, best):
            judgement = Judgement.SURPRISING
        pv = played.pv if is_best else solution.pv
        moves: tuple[MoveScore, ...] = ()
        if self.all_moves:
            every = self._solve(position, Question(all_moves=True))
            others = (scored for scored in every.moves if scored.move != turn.move)
            moves = best_first((MoveScore(turn.move, played.score, played.pv), *others))
        return replace(turn, best=best, best_score=solution.score, pv=pv, judgement=judgement, moves=moves)

    def _is_only(self, position: Position, best: Move, value: int) -> bool:
        """Return whether every other move has a worse outcome; the best move is known to be better than all
        others.
        """
        others = (move for move in position.legal_moves if move != best and self._reaches(position, move, 1))
        return value == 0 or not self._proved(position, "rival", lambda: itertools.islice(others, 1))

    def _proved(self, position: Position, question: str, find: Callable[[], Iterable[Move]]) -> tuple[Move, ...]:
        """Return the moves that a question about a solved position asks for, in order."""
        if self.store is None:
            return tuple(find())
        image = Image.canonical(position)
        if (known := self.store.get(image.position, question)) is not None:
            self.spent += known["nodes"]
            return tuple(sorted(image.moves_back(map(Move.parse, known["moves"]))))
        before = self.spent
        found = tuple(find())
        moves = [str(move) for move in image.moves(found)]
        self.store.put(image.position, question, {"moves": moves, "nodes": self.spent - before})
        return found

    def _reaches(self, position: Position, move: Move, value: int) -> bool:
        """Return whether a move has a value of at least ``value``."""
        after = position.play(move)
        if after.is_over:
            return -after.score >= value
        asked = self.solver.ask(after, Question(window=(1 - value, 1 - value)), cancel=self.cancel).score
        self.spent += asked.nodes
        if asked.upper > -value and asked.lower <= -value:
            raise _Stopped
        return asked.upper <= -value

    def _searched(self, ply: int, line: tuple[Move, ...] = ()) -> AnalyzedTurn:
        """Judge a turn by a search; ``line`` is its move with the best line of the turn after it, if known."""
        position, move = self.boards[ply - 1], self.record.moves[ply - 1]
        firsts = twins(position)
        answer = self._search(position, move)
        played, rival = _compared(move, answer)
        gap = played.score.value - rival.score.value
        found = [scored for scored, loss in ((played, -gap), (rival, gap)) if loss <= 0]
        best = tuple(other for other in firsts if firsts[other] in {firsts[scored.move] for scored in found})
        judgement = None
        if gap < 0:
            judgement = judged(-gap, played.score, rival.score)
        elif best == (move,) and changes_outcome(rival.score, played.score):
            judgement = Judgement.ONLY_MOVE
        elif self._is_surprising(position, best):
            judgement = Judgement.SURPRISING
        return AnalyzedTurn(
            ply,
            position,
            move,
            played.score,
            best,
            answer.score,
            (line or played.pv) if gap >= 0 else rival.pv,
            judgement,
            self.flips.get(ply),
            moves=best_first(answer.moves) if self.all_moves else (),
        )

    def _is_surprising(self, position: Position, best: Collection[Move]) -> bool:
        """Return whether the evaluation, at first sight, prefers another move to all best moves by far."""
        weights = self.solver.weights(position)
        if weights is None:
            return False
        seen = dict(weights.children(position))
        sights = [seen[move] for move in best if move in seen]
        return bool(sights) and (max(seen.values()) - max(sights)) / _UNITS >= SURPRISE_FROM


def _negated(score: Score, position: Position, move: Move) -> MoveValue:
    """Return the value of a move that leads to a position of this value."""
    # a search to the end looks as far as there are empty squares, even where the game ends before
    depth = score.depth + (not move.is_pass) if score.kind is Kind.HEURISTIC else position.empties
    return replace(score.for_move(position.to_move), depth=depth, nodes=0, time_s=0.0)


def _compared(move: Move, answer: Estimate) -> tuple[MoveScore, MoveScore]:
    """Return the move played and the best one of the others; itself where all others are the same by symmetry.

    Args:
        move: the move played.
        answer: what a search of it and the others has found.
    """
    firsts = twins(answer.position)
    played = next(scored for scored in answer.moves if scored.move == move)
    rival = next((scored for scored in answer.moves if firsts[scored.move] != firsts[move]), None)
    return played, played if rival is None else replace(rival, score=answer.competing)


def analyze(
    game: Game | Record,
    *,
    level: int | str | None = None,
    time_s: float | None = None,
    exact_from: int | None = None,
    threads: int = 1,
    hash_mb: int = ANALYSIS_HASH_MB,
    book: Books | None = None,
    all_moves: bool = False,
    cancel: Cancel | None = None,
    progress: Callable[[AnalyzedTurn], None] | None = None,
    store: AnalysisStore | None = None,
) -> Analysis:
    """Analyze a game: the value of each move, the best moves, the discs lost, and what was a mistake.

    The analysis goes from the end of the game to its start. One `Analyzer` is faster for several games.

    Args:
        game: a game or a record; unfinished games, other starts and all rule sets are fine.
        level: the level of the searches above ``exact_from``.
        time_s: seconds for each of these searches, instead of a level.
        exact_from: with this many empty squares or fewer every value is exact. By default 20 in the standard game;
            under other rules as many as an engine of level 18, or of a higher ``level``, solves. Above it solving
            continues while it is cheap.
        threads: how many threads work; see `Analyzer`.
        hash_mb: size of the table in MB (2**20 bytes).
        book: an opening book; its good moves are marked, and are no mistakes. All values come from searches.
        all_moves: value every legal move of each turn (`AnalyzedTurn.moves`), which takes several times as long.
        cancel: stops the work from another thread or a signal handler; the analysis then has the last turns only.
        progress: called with each turn when it is analyzed, the last one of the game first, from this thread; with
            several threads the turns that are searched come as they are found.
        store: keeps what is found, and is asked before anything is searched. Without one nothing is kept.

    Raises:
        IllegalMoveError: a move of the record is not allowed; the message names the ply.
        InputError: a number is outside its limits.
        TableSizeError: the machine has not enough memory.
    """
    analyzer = Analyzer(
        level=level,
        time_s=time_s,
        exact_from=exact_from,
        threads=threads,
        hash_mb=hash_mb,
        book=book,
        all_moves=all_moves,
    )
    return analyzer.analyze(game, cancel=cancel, progress=progress, store=store)
