"""Random rule sets, positions and endgames for Hypothesis, and the bridge between the package and the oracle."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from hypothesis import strategies as st

import oracle
from reversi import Color, Position, Rules, State
from reversi.rules import BoardSize, Ending, Objective, Start

SIZES = tuple(BoardSize(rows, columns) for rows in (4, 6, 8) for columns in (4, 6, 8))
SMALL_SIZES = tuple(size for size in SIZES if size.cells <= 24)


def every_rule_set() -> Iterator[Rules]:
    """All combinations of all fields: seven with two values and nine boards, 1152 of them."""
    flag = (True, False)
    for values in itertools.product(flag, flag, flag, Ending, SIZES, Start, Objective, flag):
        yield Rules(*values)


def distinct_behaviors() -> list[Rules]:
    """The ways to play that capture, adjacency, skip and ending make; each with its shortest text."""
    flag = (False, True)
    alike: list[list[Rules]] = []
    for capture, adjacent, skip, ending in itertools.product(flag[::-1], flag, flag, Ending):
        one = Rules(mandatory_capture=capture, adjacent_only=adjacent, optional_skip=skip, ending=ending)
        group = next((group for group in alike if group[0].same_play(one)), None)
        if group is None:
            alike.append([one])
        else:
            group.append(one)
    return [min(group, key=lambda one: len(str(one))) for group in alike]


def variant_of(rules: Rules) -> oracle.Variant:
    """The same rule set in the oracle's words."""
    return oracle.Variant(
        mandatory_capture=rules.mandatory_capture,
        adjacent_only=rules.adjacent_only,
        optional_skip=rules.optional_skip,
        ending=rules.ending.value,
        rows=rules.board.rows,
        columns=rules.board.columns,
        start=rules.start.value,
        misere=rules.objective is Objective.FEWEST,
        empties_to_winner=rules.empties_to_winner,
    )


def table_of(position: Position) -> oracle.Table:
    """The same position in the oracle's form, read from the bits."""
    board = position.rules.board
    cells = ""
    for row in range(board.rows):
        for column in range(board.columns):
            bit = 1 << (8 * row + column)
            cells += "X" if position.black & bit else "O" if position.white & bit else "-"
    return oracle.Table(variant_of(position.rules), cells, position.to_move.symbol, position.state.value)


def position_of(table: oracle.Table, rules: Rules) -> Position:
    """The oracle's table as a position under ``rules``."""
    black = white = 0
    for number, cell in enumerate(table.cells):
        row, column = divmod(number, rules.board.columns)
        bit = 1 << (8 * row + column)
        black |= bit if cell == "X" else 0
        white |= bit if cell == "O" else 0
    return Position.from_discs(black, white, Color(table.to_move), rules, State(table.state))


def rules(
    *,
    boards: tuple[BoardSize, ...] = SIZES,
) -> st.SearchStrategy[Rules]:
    """Any rule set; shrinks to ``othello`` on the first of ``boards``."""
    flag = st.booleans()
    return st.builds(
        Rules,
        mandatory_capture=flag.map(lambda value: not value),
        adjacent_only=flag,
        optional_skip=flag,
        ending=st.sampled_from([Ending.NO_MOVES, Ending.FULL_BOARD]),
        board=st.sampled_from(boards),
        start=st.sampled_from([Start.DIAGONAL, Start.PARALLEL]),
        objective=st.sampled_from([Objective.MOST, Objective.FEWEST]),
        empties_to_winner=flag.map(lambda value: not value),
    )


def pick(moves: list[str], chance: random.Random, skips: float) -> str:
    """A random move of a legal list: the pass with probability ``skips`` when there is a choice."""
    others = [move for move in moves if move != oracle.PASS]
    if not others or (len(others) < len(moves) and chance.random() < skips):
        return oracle.PASS
    return others[int(chance.random() * len(others))]


class Pair:
    """A position of the core and the oracle's table, played in step."""

    def __init__(self, rule_set: Rules) -> None:
        self.position = Position(rule_set)
        self.table = oracle.initial(variant_of(rule_set))
        self.moves: list[str] = []

    def play(self, move: str) -> None:
        self.position = self.position.play(move)
        self.table = oracle.play(self.table, move)
        self.moves.append(move)

    def __repr__(self) -> str:
        return f"Pair({str(self.position.rules)!r}, {' '.join(self.moves)!r})"


def random_pair(rule_set: Rules, seed: int, plies: int, skips: float) -> Pair:
    """The position after ``plies`` random plies, or at the end of the game if that comes first."""
    chance = random.Random(seed)
    pair = Pair(rule_set)
    while len(pair.moves) < plies and (moves := oracle.legal_moves(pair.table)):
        pair.play(pick(moves, chance, skips))
    return pair


def pairs(rule_sets: st.SearchStrategy[Rules] | None = None, max_plies: int = 130) -> st.SearchStrategy[Pair]:
    """Reachable positions under random rule sets, in the core and in the oracle."""
    return st.builds(
        random_pair,
        rules() if rule_sets is None else rule_sets,
        seed=st.integers(0, 2**32 - 1),
        plies=st.integers(0, max_plies),
        skips=st.sampled_from([0.05, 0.3, 0.7]),
    )


def positions(
    rule_sets: st.SearchStrategy[Rules] | None = None, max_plies: int = 130
) -> st.SearchStrategy[Position]:
    """Reachable positions under random rule sets."""
    return pairs(rule_sets, max_plies).map(lambda pair: pair.position)


@st.composite
def endgames(draw: st.DrawFn, rule_sets: st.SearchStrategy[Rules] | None = None, max_empties: int = 5) -> Position:
    """Set-up boards with few empties and any state the rules know; not always reachable."""
    rule_set = draw(rules(boards=SMALL_SIZES) if rule_sets is None else rule_sets)
    variant = variant_of(rule_set)
    chance = random.Random(draw(st.integers(0, 2**32 - 1)))
    empties = draw(st.integers(0, min(max_empties, rule_set.board.cells)))
    cells = [chance.choice("XO") for _ in range(rule_set.board.cells)]
    for number in chance.sample(range(len(cells)), empties):
        cells[number] = "-"
    states = [oracle.FRESH]
    if rule_set.optional_skip:
        states.append(oracle.AFTER_PASS)
        if rule_set.ending is Ending.NO_MOVES:
            states.append(oracle.ENDED)
    to_move, state = draw(st.sampled_from("XO")), draw(st.sampled_from(states))
    return position_of(oracle.Table(variant, "".join(cells), to_move, state), rule_set)
