"""Why a move is good or bad, in words: what an Othello teacher would point at, computed from the positions.

Every remark is something that the board before and after the move shows: corners taken, opened and denied, the X-
and C-squares beside empty corners, edges, how many moves each side is left, discs that can never be flipped again,
the frontier, and whose turn it is where the last squares are filled. Beside a better move, a remark says what that
move does instead. What a remark says is good for discs is bad where the fewest discs win. The remarks are no
proof; the score of a search is the better judge, and the two may differ.

The notions are those of the game's textbooks (Rose, "Othello: A Minute to Learn… A Lifetime to Master", 2005).
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from reversi._core import PASS, SQUARES, Move, Position, Square, as_move
from reversi.arguments import TEXT_TO_POSITION, check_count, check_type
from reversi.color import Color
from reversi.engine.corners import corners_of, edge_of
from reversi.rules import BoardSize
from reversi.text.counting import counted

_LATE = 20
"""With how many empty squares or fewer parity decides more than mobility."""
_VERY_LATE = 12
"""With how many or fewer nobody asks what is open."""
_NOT_A = 0xFEFE_FEFE_FEFE_FEFE
_NOT_H = 0x7F7F_7F7F_7F7F_7F7F
_ALL = 0xFFFF_FFFF_FFFF_FFFF
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Feature(enum.Enum):
    """What a remark is about."""

    CORNER = "corner"
    X_SQUARE = "x-square"
    C_SQUARE = "c-square"
    GIVES_CORNER = "gives-corner"
    DENIES_CORNER = "denies-corner"
    EDGE = "edge"
    MOBILITY = "mobility"
    OWN_MOBILITY = "own-mobility"
    FRONTIER = "frontier"
    STABLE = "stable"
    PARITY = "parity"
    SQUARE = "square"
    ORDER = "order"
    LINE = "line"
    PASS = "pass"
    END = "end"


_MOVES_RUN_OUT = "who runs out of them must give something away."
_RULES = {
    Feature.CORNER: "A corner can never be flipped back: take it when you safely can.",
    Feature.X_SQUARE: "Stay off an X-square while its corner is empty.",
    Feature.C_SQUARE: "A C-square beside an empty corner is a risk: leave it for later.",
    Feature.GIVES_CORNER: "Before each move, ask which corner it gives away.",
    Feature.DENIES_CORNER: "Before each move, ask which corner the opponent can take.",
    Feature.EDGE: "Edges can wait: a disc there that can be attacked is no gain.",
    Feature.MOBILITY: f"Leave the opponent few moves: {_MOVES_RUN_OUT}",
    Feature.OWN_MOBILITY: f"Keep moves for later: {_MOVES_RUN_OUT}",
    Feature.FRONTIER: "Flip few discs, and inner ones: a disc beside an empty square is a move for the opponent.",
    Feature.STABLE: "Discs that can never be flipped are what counts: build them from a corner.",
    Feature.PARITY: "Near the end play where an odd number of squares is left, to have the last move there.",
    Feature.SQUARE: "Look which square the opponent wants: often it is yours, too.",
    Feature.ORDER: "A move that the opponent cannot make can wait.",
    Feature.LINE: "Look a few moves ahead: what can each side still do then?",
    Feature.PASS: "Who must pass loses a turn: keep a move, and leave the opponent none.",
    Feature.END: "Before the last moves, count the discs.",
}
"""What a player remembers of each, where the most discs win."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something a move does.

    Attributes:
        feature: what it is about.
        weight: how good it is for the player who moves, roughly in discs; below zero it is bad.
        text: in words.
    """

    feature: Feature
    weight: float
    text: str

    @property
    def is_good(self) -> bool:
        """Whether it is a reason for the move."""
        return self.weight > 0

    def is_shared(self, other: Remark) -> bool:
        """Return whether a remark about another move holds that at least as much against that move."""
        same = self.text == other.text if self.feature is Feature.GIVES_CORNER else self.feature is other.feature
        return same and other.weight <= self.weight

    def __str__(self) -> str:
        return f"{'+' if self.is_good else '-'} {self.text}"


def around(squares: int) -> int:
    """Return the squares next to ``squares``, in all eight directions, some of themselves among them."""
    row = squares | (squares << 1) & _NOT_A | (squares >> 1) & _NOT_H
    return (row | row << 8 | row >> 8) & _ALL


_FORESEEN = 6
"""Moves after the one explained in which what happens still is its consequence."""
_SOON = 3
"""Moves after it in which a square that the opponent takes was given away."""
_LEAST = 4
"""Moves that lines must have to be compared."""
_CLEARLY_FEWER = 4
_CLEARLY_LESS_STABLE = 3
"""By how much two lines must differ there."""
_FEW = 5
"""With how many moves or fewer each one counts."""
_MANY = frozenset(
    (Feature.CORNER, Feature.GIVES_CORNER, Feature.DENIES_CORNER, Feature.X_SQUARE, Feature.C_SQUARE)
)
"""What a move can do at several corners."""


def explain(
    position: Position,
    move: Move | str,
    count: int = 4,
    *,
    better: Move | str | None = None,
    line: str | Iterable[Move | str] = (),
    better_line: str | Iterable[Move | str] = (),
) -> list[Remark]:
    """Return the reasons for and against a move, the strongest first, but one against it beside a better move.

    Args:
        position: where it is played.
        move: the move, or its text.
        count: how many remarks at most.
        better: a move that a search prefers; then reasons against ``move`` say what the better one does instead.
        line: the moves that a search expects after ``move``; a corner lost in the first of them is a reason, one
            that changes hands later in both lines is none.
        better_line: the moves that a search expects after ``better``; then what both lines lead to is compared.

    Raises:
        IllegalMoveError: a move is not allowed.
        InvalidMoveError: a text is not a move.
    """
    check_type("position", position, Position, advice=TEXT_TO_POSITION)
    check_count("count", count, least=0)
    check_type("better_line", better_line, Iterable)
    move = as_move(move)
    better = None if better is None else as_move(better)
    played = _Line.of(position, move, line)
    best = None if better is None or better == move else _Line.of(position, better, better_line)
    remarks = list(_remarks(position, played, best))
    if best is not None:
        shared = list(_remarks(position, best))
        remarks = [remark for remark in remarks if remark.is_good or not any(map(remark.is_shared, shared))]
        remarks += (*_beside(position, played, best), *_order(position, played, best))
        remarks += (*_line_loses(position, played, best), *_lines_differ(position, played, best))
        against = {remark.feature for remark in remarks if not remark.is_good} - _MANY
        remarks = [remark for remark in remarks if not (remark.is_good and remark.feature in against)]
    strongest: dict[tuple[Feature, bool, str], Remark] = {}
    for remark in sorted(remarks, key=lambda remark: -abs(remark.weight)):
        # one remark of a kind about one thing: the stronger one
        thing = remark.text if remark.feature in _MANY else ""
        strongest.setdefault((remark.feature, remark.is_good, thing), remark)
    kept = list(strongest.values())
    if best is not None:
        first = next((remark for remark in kept if not remark.is_good), None)
        kept.sort(key=lambda remark: remark is not first)
    return kept[:count]


def rule_of_thumb(
    position: Position, move: Move, better: Move, line: Iterable[Move] = (), better_line: Iterable[Move] = ()
) -> str:
    """Return the rule of thumb behind the strongest reason against a move beside a better one; "" for none.

    Where nothing is against the move, it is the rule behind the strongest reason for the better one.
    """
    reasons = explain(position, move, better=better, line=line, better_line=better_line)
    against = [remark for remark in reasons if not remark.is_good] or explain(position, better, line=better_line)
    return "" if position.rules.misere or not against else _RULES[against[0].feature]


def _remarks(position: Position, line: _Line, best: _Line | None = None) -> Iterator[Remark]:
    move, after = line.moves[0], line.positions[1]
    if after.is_over:
        yield _end(position, after)
        return
    if isinstance(move, Square):
        yield from _corners(position, move, line, best)
        yield from _edges(position, move, after)
        yield from _stable(position, after)
        yield from _frontier(position, move, after)
        yield from _parity(position, move)
    elif position.legal_moves.placements:
        yield Remark(Feature.PASS, -0.5, "skips: the opponent gets a turn more")
    yield from _mobility(position, move, after)
    yield from _own_mobility(position, move, after)


def _sign(position: Position) -> int:
    """-1 where discs are bad."""
    return -1 if position.rules.misere else 1


def _end(position: Position, after: Position) -> Remark:
    result = after.result
    assert result is not None
    return Remark(Feature.END, float(-after.score), f"ends the game: {result}")


# --- corners and what is beside them


def _corners(position: Position, move: Square, line: _Line, best: _Line | None) -> Iterator[Remark]:
    sign, after = _sign(position), line.positions[1]
    opponent = after.to_move
    for area in corners_of(position.rules.board):
        corner = _square(area.corner)
        if move.bit == area.corner:
            yield Remark(Feature.CORNER, 8 * sign, f"takes the corner {corner}, a disc that can never be flipped")
            continue
        if not area.corner & position.empty:
            continue
        could = bool(position.with_to_move(opponent).legal_moves.placements & area.corner)
        can = bool(after.legal_moves.placements & area.corner)
        free = not position.rules.mandatory_capture
        anyway = best is not None and best.loses(corner, opponent)
        if can and not could:
            weight = (-3.5 if anyway else -7.0) * sign
            yield Remark(Feature.GIVES_CORNER, weight, f"lets {opponent} take the corner {corner}")
        elif could and not can and not line.does(corner, opponent):
            yield Remark(Feature.DENIES_CORNER, 5 * sign, f"keeps {opponent} out of the corner {corner}")
        if (could and can) or (not can and line.does(corner, position.to_move)):
            continue  # the square beside it costs nothing more
        if anyway or (best is not None and best.plays_beside(move, corner, position.to_move)):
            continue  # nor more than the better move
        if move.bit == area.x_square:
            risk = "at once" if can else "sooner or later"
            text = f"{move} is the X-square of the empty corner {corner}: it may cost the corner {risk}"
            weight = (-4.0 if can else -3.0) * sign
            yield Remark(Feature.X_SQUARE, weight / (2 if free and not can else 1), text)
        elif move.bit & area.c_squares:
            weight = (-3.0 if can else -1.5) * sign
            text = f"{move} is a C-square beside the empty corner {corner}: the edge can be attacked from there"
            yield Remark(Feature.C_SQUARE, weight / (2 if free and not can else 1), text)


def _square(bit: int) -> Square:
    return SQUARES[bit.bit_length() - 1]


# --- edges


def _edges(position: Position, move: Square, after: Position) -> Iterator[Remark]:
    """What the opponent gets on an edge: own discs there to flip, and squares that were closed before."""
    if not position.rules.mandatory_capture:
        return
    sign, opponent = _sign(position), after.to_move
    edge = edge_of(position.rules.board)
    corners = sum(area.corner for area in corners_of(position.rules.board))
    before = position.with_to_move(opponent).legal_moves.placements
    replies = [SQUARES[index] for index in _indices(after.legal_moves.placements & edge & ~corners)]
    turned = position.with_to_move(opponent)

    def flipped(reply: Square) -> set[Square]:
        return {square for square in after.flips(reply) if square.bit & edge}

    def known(reply: Square) -> set[Square]:
        """Return what a reply flips without the move."""
        return set(turned.flips(reply)) if before & reply.bit else set()

    attacked = next((reply for reply in replies if flipped(reply) - known(reply)), None)
    if attacked is not None:
        hit = len(flipped(attacked))
        discs = "a disc" if hit == 1 else f"{hit} discs"
        weight = -1.5 - 0.25 * (hit - 1)
        yield Remark(Feature.EDGE, weight * sign, f"lets {opponent} flip {discs} of the edge with {attacked}")
        return
    opened = [reply for reply in replies if not before & reply.bit]
    if opened:
        weight = -0.8 - 0.2 * (len(opened) - 1)
        yield Remark(Feature.EDGE, weight * sign, f"opens the edge: {opponent} can now play {_listed(opened)}")


def _indices(squares: int) -> Iterator[int]:
    while squares:
        yield (squares & -squares).bit_length() - 1
        squares &= squares - 1


def _listed(squares: list[Square]) -> str:
    names = [str(square) for square in squares[:3]]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


# --- moves left


def _mobility(position: Position, move: Move, after: Position) -> Iterator[Remark]:
    if not position.rules.mandatory_capture:
        return  # nearly every empty square is a move
    opponent, mover = after.to_move, position.to_move
    left = after.legal_moves.placements.bit_count()
    if not left:
        # the game goes on, so there is an own placement
        yield Remark(Feature.MOBILITY, 4.0, f"makes {opponent} pass: {mover} moves again")
        return
    others = [
        position.play(other).legal_moves.placements.bit_count()
        for other in position.legal_moves
        if not other.is_pass and other != move
    ]
    moves = counted(left, "move")
    if not others:
        return
    average = sum(others) / len(others)
    weight = (average - left) * 0.6
    if left < min(others):
        yield Remark(
            Feature.MOBILITY, max(weight, 0.3), f"leaves {opponent} only {moves}, fewer than any other move"
        )
    elif left > max(others):
        yield Remark(Feature.MOBILITY, min(weight, -0.3), f"leaves {opponent} {moves}, more than any other move")
    elif abs(average - left) >= 0.7:
        than = "few" if left < average else "many"
        yield Remark(
            Feature.MOBILITY, weight, f"leaves {opponent} {than} moves: {left}, where others leave {average:.1f}"
        )


def _placements(position: Position, color: Color) -> int:
    """Return how many placements a player has, or would have if it were their turn."""
    return position.with_to_move(color).legal_moves.placements.bit_count()


def _own_placements(after: Position) -> int:
    return _placements(after, after.to_move.opponent)


def _own_mobility(position: Position, move: Move, after: Position) -> Iterator[Remark]:
    """Own moves left for later: without them a player must open what they would rather leave."""
    if not position.rules.mandatory_capture or position.empties <= _VERY_LATE:
        return
    others = [
        _own_placements(position.play(other))
        for other in position.legal_moves
        if not other.is_pass and other != move
    ]
    if not others:
        return
    own, average = _own_placements(after), sum(others) / len(others)
    if average - own >= 1:
        text = f"keeps {position.to_move} few moves of its own: {own}, where others keep {average:.1f}"
        yield Remark(Feature.OWN_MOBILITY, (own - average) * 0.4, text)


def _frontier(position: Position, move: Square, after: Position) -> Iterator[Remark]:
    """Own discs beside empty squares are what the opponent can capture; at the very end that says little."""
    if not position.rules.mandatory_capture or position.empties <= _VERY_LATE:
        return
    flips = position.flips(move)
    near = around(after.empty)
    if not any(square.bit & near for square in flips):
        what = "a disc that lies" if len(flips) == 1 else f"{len(flips)} discs that all lie"
        yield Remark(Feature.FRONTIER, 1.5, f"flips only {what} inside: a quiet move that opens nothing")
    outer = (after.opponent & near).bit_count()
    others = []
    for other in position.legal_moves:
        if not other.is_pass and other != move:
            then = position.play(other)
            others.append((then.opponent & around(then.empty)).bit_count())
    if not others:
        return
    average = sum(others) / len(others)
    if abs(average - outer) >= 1:
        text = f"leaves {outer} own discs beside empty squares, where others leave {average:.1f}"
        yield Remark(Feature.FRONTIER, (average - outer) * 0.3, text)


# --- discs that stay


def stable_discs(position: Position) -> int:
    """Discs, as bits, that no move can ever flip: a part of them that is easy to see.

    A disc is in it when along each of the four lines through it every square is taken, or one neighbor is the
    edge of the board or a disc of the same color that is in it itself. No disc is in it by mistake, under any
    rules of placing.
    """
    return _stable_of(position.black, position.white, position.rules.board) | _stable_of(
        position.white, position.black, position.rules.board
    )


def _stable_count(position: Position, color: Color) -> int:
    black, white = position.black, position.white
    mine, theirs = (black, white) if color is Color.BLACK else (white, black)
    return _stable_of(mine, theirs, position.rules.board).bit_count()


def _stable_of(mine: int, theirs: int, board: BoardSize) -> int:
    taken = mine | theirs
    full = [
        {bit for line in _lines(board, step) if all(taken & cell for cell in line) for bit in line}
        for step in _DIRECTIONS
    ]
    candidates = [index for index in range(64) if mine >> index & 1]
    stable = 0
    while True:
        more = stable
        for index in candidates:
            bit = 1 << index
            if not more & bit and all(
                bit in full[axis] or any(cell == 0 or more & cell for cell in _neighbors(board, index, step))
                for axis, step in enumerate(_DIRECTIONS)
            ):
                more |= bit
        if more == stable:
            return stable
        stable = more


@functools.cache
def _lines(board: BoardSize, step: tuple[int, int]) -> list[list[int]]:
    """Return the lines of the board in one direction, as bits of their squares."""
    lines: dict[int, list[int]] = {}
    for row in range(board.rows):
        for column in range(board.columns):
            key = row * step[1] - column * step[0]
            lines.setdefault(key, []).append(1 << (8 * row + column))
    return list(lines.values())


@functools.cache
def _neighbors(board: BoardSize, index: int, step: tuple[int, int]) -> tuple[int, int]:
    """Return the two neighbors of a square along a line as bits, 0 for beyond the edge."""
    row, column = divmod(index, 8)
    cells = []
    for sign in (1, -1):
        r, c = row + sign * step[0], column + sign * step[1]
        cells.append(1 << (8 * r + c) if 0 <= r < board.rows and 0 <= c < board.columns else 0)
    return cells[0], cells[1]


def _stable(position: Position, after: Position) -> Iterator[Remark]:
    board = position.rules.board
    mine = _stable_of(after.opponent, after.player, board).bit_count()
    gained = mine - _stable_of(position.player, position.opponent, board).bit_count()
    if gained > 1:
        text = f"makes {gained} discs stable ({mine} in all)"
        yield Remark(Feature.STABLE, gained * _sign(position), text)


# --- beside a better move


def _beside(position: Position, line: _Line, best: _Line) -> Iterator[Remark]:
    """What a better move does that the move does not."""
    move, better = line.moves[0], best.moves[0]
    after, then = line.positions[1], best.positions[1]
    if after.is_over or then.is_over:
        return
    sign, mover, opponent = _sign(position), position.to_move, position.to_move.opponent
    board = position.rules.board
    reach = after.legal_moves.placements if after.to_move is opponent else 0
    other_reach = then.legal_moves.placements if then.to_move is opponent else 0
    before = position.with_to_move(opponent).legal_moves.placements
    for area in corners_of(board):
        corner = _square(area.corner)
        if isinstance(better, Square) and better.bit == area.corner:
            if not line.takes_next(corner, mover):
                yield Remark(Feature.CORNER, -8.0 * sign, f"does not take the corner {corner}")
        elif before & reach & area.corner and not other_reach & area.corner:
            yield Remark(
                Feature.GIVES_CORNER, -6.0 * sign, f"leaves {opponent} the corner {corner}; {better} does not"
            )
    mine, theirs = (_stable_of(at.opponent, at.player, board).bit_count() for at in (after, then))
    if theirs - mine > 1:
        yield Remark(Feature.STABLE, (mine - theirs) * sign, f"{better} makes {theirs - mine} more discs stable")
    if position.rules.mandatory_capture:
        yield from _fewer_moves(position, (move, after), (better, then))
    if position.empties <= _LATE and isinstance(move, Square) and isinstance(better, Square):
        size, other = (_region_of(position, square).bit_count() for square in (move, better))
        if size % 2 == 0 and other % 2:
            where = "the hole" if other == 1 else f"the region of {other} empty squares"
            yield Remark(
                Feature.PARITY,
                -1.5 * sign,
                f"goes into a region of {size}: {better} in {where} keeps the last move there for {mover}",
            )


def _order(position: Position, line: _Line, best: _Line) -> Iterator[Remark]:
    """A move that comes later in the better line: it is not wrong, but too early."""
    move, mover, opponent, better = line.moves[0], position.to_move, position.to_move.opponent, best.moves[0]
    at = best.when(move, mover)
    if at is None or not isinstance(move, Square) or not position.rules.mandatory_capture:
        return
    if not any(before.with_to_move(opponent).is_legal(move) for before in best.positions[: at + 1]):
        text = f"{move} can wait: {opponent} cannot play there now or after {better}"
        yield Remark(Feature.ORDER, -1.0, text)
    elif at < best.foreseen:
        yield Remark(Feature.ORDER, -0.4, f"{better} comes first: {mover} plays {best.text(0, at)}")


def _fewer_moves(
    position: Position, played: tuple[Move, Position], best: tuple[Move, Position]
) -> Iterator[Remark]:
    (_, after), (better, then) = played, best
    mover, opponent = position.to_move, position.to_move.opponent
    left, less = (at.legal_moves.placements.bit_count() if at.to_move is opponent else 0 for at in (after, then))
    if not _clearly(left, less):
        pass
    elif less == 0:
        yield Remark(
            Feature.MOBILITY, -4.0, f"leaves {opponent} {counted(left, 'move')}; {better} makes {opponent} pass"
        )
    else:
        yield Remark(
            Feature.MOBILITY,
            (less - left) * 0.6,
            f"leaves {opponent} {counted(left, 'move')}; {better} leaves {less}",
        )
    own, more = _own_placements(after), _own_placements(then)
    if _clearly(more, own):
        yield Remark(
            Feature.OWN_MOBILITY,
            (own - more) * 0.5,
            f"leaves {mover} {counted(own, 'move')} for later; {better} leaves {more}",
        )
    if position.empties > _VERY_LATE:
        outer, inner = ((at.opponent & around(at.empty)).bit_count() for at in (after, then))
        if _clearly(outer, inner):
            yield Remark(
                Feature.FRONTIER,
                (inner - outer) * 0.3,
                f"leaves {outer} own discs beside empty squares; {better} leaves {inner}",
            )


def _clearly(more: int, less: int) -> bool:
    """Return whether a number of moves or discs is so much larger than another that it says something."""
    return less < more <= _FEW or (more > less + 1 and 5 * more >= 6 * less)


def _line_loses(position: Position, line: _Line, best: _Line) -> Iterator[Remark]:
    """What the moves that a search expects cost: own moves after the answer, the square of the better move, and a
    corner lost later that is not lost after the better move either.
    """
    sign, mover, opponent, better = _sign(position), position.to_move, position.to_move.opponent, best.moves[0]
    corners = sum(area.corner for area in corners_of(position.rules.board))
    for at in (line.positions[1], best.positions[1]):
        if at.to_move is opponent:
            corners &= ~at.legal_moves.placements
    if len(line.moves) > 1 and position.rules.mandatory_capture and line.positions[1].to_move is opponent:
        answered = line.positions[2]
        own, before = (at.legal_moves.placements.bit_count() for at in (answered, position))
        if (
            not answered.is_over
            and answered.to_move is mover
            and own
            and before - own > 2
            and _keeps_more(best, mover, own)
        ):
            then = f"{mover} has {counted(own, 'move')} then, and {before} now"
            text = f"lets {opponent} answer {line.moves[1]}: {then}"
            yield Remark(Feature.OWN_MOBILITY, (own - before) * 0.3, text)
    for number, (move, at) in enumerate(zip(line.moves[: line.foreseen], line.positions, strict=False)):
        if not number or at.to_move is not opponent:
            continue
        how = "at once" if number == 1 else f"with {line.text(1, number)}"
        if move == better:
            yield Remark(Feature.SQUARE, -0.5, f"leaves {better} to {opponent}, who plays it {how}")
        elif number <= _SOON and isinstance(move, Square) and (own_at := best.soon(move, mover)):
            text = f"leaves {move} to {opponent}, who plays it {how}; {mover} takes it with {best.text(0, own_at)}"
            yield Remark(Feature.SQUARE, -0.3, text)
        lost = number > 1 and isinstance(move, Square) and move.bit & corners
        if lost and not best.loses(move, opponent) and not (len(best.moves) > 1 and best.leaves(move, opponent)):
            text = f"costs the corner {move}: {opponent} takes it with {line.text(1, number)}"
            yield Remark(Feature.GIVES_CORNER, -5.0 * sign, text)
            return


def _keeps_more(best: _Line, mover: Color, own: int) -> bool:
    """Return whether the answer to a better move, where it is known, leaves clearly more own moves."""
    if len(best.moves) < 2 or best.positions[2].is_over or best.positions[2].to_move is not mover:
        return True
    return _clearly(best.positions[2].legal_moves.placements.bit_count(), own)


@dataclass(frozen=True, slots=True)
class _Line:
    """A move and those expected after it.

    Attributes:
        moves: the move, and all that follow.
        positions: the position before each, and the one after the last.
    """

    moves: list[Move]
    positions: list[Position]

    @classmethod
    def of(cls, position: Position, move: Move, expected: str | Iterable[Move | str]) -> _Line:
        moves, positions = [move], [position, position.play(move)]
        read = positions[-1].parse_moves(expected) if isinstance(expected, str) else map(as_move, expected)
        for following in read:
            at = positions[-1]
            if at.is_over or not at.is_legal(following):
                break
            moves.append(following)
            positions.append(at.play(following))
        return cls(moves, positions)

    @property
    def foreseen(self) -> int:
        """How many of the moves count, those whose consequences belong to the first one."""
        return min(len(self.moves), 1 + _FORESEEN)

    def when(self, what: Move, color: Color) -> int | None:
        """Return with which of the moves, from 0, a player takes a square or passes for the first time."""
        turns = enumerate(zip(self.moves, self.positions, strict=False))
        return next((at for at, (move, before) in turns if move == what and before.to_move is color), None)

    def soon(self, what: Move, color: Color) -> int | None:
        """Return the same, where it is one of the moves that count."""
        at = self.when(what, color)
        return at if at is not None and at < self.foreseen else None

    def does(self, what: Move, color: Color) -> bool:
        return self.when(what, color) is not None

    def takes_next(self, what: Move, color: Color) -> bool:
        """Return whether a player's next move, after the first one of the line, takes a square."""
        turns = zip(self.moves[1:], self.positions[1:], strict=False)
        return next((move == what for move, before in turns if before.to_move is color), False)

    def loses(self, corner: Move, opponent: Color) -> bool:
        """Return whether the opponent can take a corner at once, or takes it later."""
        after = self.positions[1]
        return self.does(corner, opponent) or (
            not after.is_over and after.to_move is opponent and after.is_legal(corner)
        )

    def plays_beside(self, square: Square, corner: Square, color: Color) -> bool:
        """Return whether a player takes a square while a corner is empty."""
        at = self.when(square, color)
        return at is not None and bool(self.positions[at].empty & corner.bit)

    def leaves(self, what: Move, color: Color) -> bool:
        """Return whether a player could make a move after those that count."""
        end = self.positions[self.foreseen]
        return not end.is_over and end.with_to_move(color).is_legal(what)

    def text(self, first: int, last: int) -> str:
        return " ".join(map(str, self.moves[first : last + 1]))


def _lines_differ(position: Position, line: _Line, best: _Line) -> Iterator[Remark]:
    """What the expected line leads to, and that of a better move does not."""
    sign, mover, opponent, better = _sign(position), position.to_move, position.to_move.opponent, best.moves[0]
    for area in corners_of(position.rules.board):
        corner = _square(area.corner)
        at = best.soon(corner, mover)
        if at and at < line.foreseen and not line.does(corner, mover) and not line.leaves(corner, mover):
            text = f"misses the corner {corner}: {mover} takes it with {best.text(0, at)}"
            yield Remark(Feature.CORNER, -4.0 * sign, text)
    at, other = line.soon(PASS, mover), best.soon(PASS, opponent)
    if at and at < best.foreseen and best.soon(PASS, mover) is None:
        yield Remark(Feature.PASS, -2.0, f"makes {mover} pass after {line.text(1, at - 1)}")
    elif other and other < line.foreseen and line.soon(PASS, opponent) is None:
        yield Remark(Feature.PASS, -2.0, f"misses that {opponent} must pass after {best.text(0, other - 1)}")
    count = min(line.foreseen, best.foreseen)
    ends = line.positions[count], best.positions[count]
    if count <= _LEAST or any(end.is_over for end in ends):
        return
    counts: list[tuple[str, Callable[[Position, Color], int], int, float]] = []
    if position.rules.mandatory_capture and position.empties > _VERY_LATE:
        counts.append(("move", _placements, 1, _CLEARLY_FEWER))
    counts.append(("stable disc", _stable_count, 2 * sign, _CLEARLY_LESS_STABLE))
    for what, number, weight, least in counts:
        (own, theirs), (own_then, theirs_then) = ((number(end, mover), number(end, opponent)) for end in ends)
        worse = (own_then - theirs_then) - (own - theirs)
        if worse * weight >= least * abs(weight):
            text = f"leads to {counted(own, what)} for {mover} and {theirs} for {opponent}"
            text += f" with {line.text(1, count - 1)}; {better} leads to {own_then} and {theirs_then}"
            yield Remark(Feature.LINE, -0.25 * weight * worse, text)


# --- who fills the last squares


def regions(position: Position) -> list[int]:
    """Return the connected regions (8 ways) of empty squares as bits, in the order of their first squares."""
    unassigned, areas = position.empty, []
    while unassigned:
        region = unassigned & -unassigned
        while (grown := around(region) & unassigned) | region != region:
            region |= grown
        areas.append(region)
        unassigned &= ~region
    return areas


def _region_of(position: Position, square: Square) -> int:
    return next(region for region in regions(position) if region & square.bit)


def _parity(position: Position, move: Square) -> Iterator[Remark]:
    """Parity of the region that is played into, where the game is late enough."""
    if position.empties > _LATE or position.empties < 2:
        return
    sign, mover = _sign(position), position.to_move
    every = regions(position)
    size = next(region for region in every if region & move.bit).bit_count()
    if len(every) == 1:
        return
    if size == 1:
        yield Remark(Feature.PARITY, 0.5 * sign, f"fills the hole at {move}, a region of its own")
    elif size % 2:
        text = f"plays into a region of {size} empty squares, an odd number: {mover} can be the last there"
        yield Remark(Feature.PARITY, 1.0 * sign, text)
    elif any(region.bit_count() % 2 for region in every):
        text = (
            f"plays into a region of {size} empty squares, an even number: {mover.opponent} can be the last there"
        )
        yield Remark(Feature.PARITY, -1.0 * sign, text)
