"""What searches claim, against brute force: random positions, random rule sets, hardly any depth or time.

    python tests/fuzz/fuzz_claims.py --seed 1 --positions 20000
    python tests/fuzz/fuzz_claims.py --seed 1 --positions 2000 --empties 8 14

A search that sees little may claim little: an exact value has to be the value, and bounds have to hold, of the
position and of each move alike, in answers and in what is reported on the way. Up to 4 empty squares (``--brute``)
the values come from ``brute_force.py``, which shares no code with the package; up to 9 from plain alpha-beta,
which shares the rules; above, a solver of its own solves each move.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
sys.path.insert(0, str(Path(__file__).parents[1]))

import oracle
from brute_force import BruteForce
from reversi import Engine, Game, Kind, Move, Position, Random, Rules, Score, Solution, parse_rules, solve
from reversi._core import alpha_beta
from reversi.analysis.analyzer import Analyzer
from reversi.engine.search import Estimate, Searcher
from reversi.score import AnyScore, MoveValue
from reversi.solver.solution import MoveScore
from reversi.solver.symmetry import twins
from rule_sets import every_rule_set, position_of, table_of, variant_of

BRUTE_TO = 4
PLAIN_TO = 9
TIMES = (1e-9, 1e-4, 1e-3)
Values = dict[Move, int]


def random_position(rules: Rules, empties: int, chance: random.Random) -> Position | None:
    """A position with so many empty squares and a choice of moves: of a random game, or set up at random."""
    if chance.random() < 0.5:
        position, dice = Position(rules), Random(chance.randrange(1 << 32))
        while position.empties > empties and not position.is_over:
            position = position.play(position.legal_moves.choice(dice))
    else:
        share = chance.choice((0.5, 0.5, 0.9))  # few discs of one color: moves that end the game
        cells = ["X" if chance.random() < share else "O" for _ in range(rules.board.cells)]
        for number in chance.sample(range(len(cells)), empties):
            cells[number] = "-"
        states = (oracle.FRESH, oracle.AFTER_PASS) if rules.optional_skip else (oracle.FRESH,)
        table = oracle.Table(variant_of(rules), "".join(cells), chance.choice("XO"), chance.choice(states))
        position = position_of(table, rules)
    if position.empties != empties or position.is_over or len(position.legal_moves) < 2:
        return None
    return position


def move_values(position: Position, brute_to: int = BRUTE_TO) -> Values:
    """The value of every legal move, from the mover's view."""
    if position.empties <= brute_to:
        table = table_of(position)
        values = BruteForce(table.variant).move_values(table)
        return {Move.parse(move): value for move, value in values.items()}
    plain = position.empties <= PLAIN_TO
    children = {move: position.play(move) for move in position.legal_moves}
    return {
        move: -(alpha_beta(after, -100, 100)[0] if plain else solve(after).score.value)
        for move, after in children.items()
    }


def wrong_claim(score: AnyScore, value: int) -> bool:
    """Whether a score says something that the value contradicts."""
    if not score.lower <= value <= score.upper:
        return True
    if score.kind is Kind.WLD:
        return (score.value > 0) - (score.value < 0) != (value > 0) - (value < 0)
    return score.kind is Kind.EXACT and score.value != value


def wrong_claims(answer: Solution, values: Values) -> Iterator[str]:
    """What is wrong in an answer about a position whose moves have these values."""
    value = max(values.values())
    if type(answer.score) is not Score or wrong_claim(answer.score, value):
        yield f"{answer.score!r} of the position, which is worth {value:+d}"
    for move in answer.best:
        if values[move] < answer.score.lower or (answer.score.kind is Kind.EXACT and values[move] != value):
            yield f"best {move}, which is worth {values[move]:+d}, in a position worth {value:+d}"
    yield from wrong_moves(answer.moves, values)
    if isinstance(answer, Estimate) and answer.score.kind is Kind.EXACT and not answer.is_exact:
        yield "an exact score without a best move"


def wrong_moves(moves: tuple[MoveScore, ...] | list[MoveScore], values: Values) -> Iterator[str]:
    for scored in moves:
        if type(scored.score) is not MoveValue or wrong_claim(scored.score, values[scored.move]):
            yield f"{scored.move} {scored.score!r}, which is worth {values[scored.move]:+d}"


def ask(position: Position, values: Values, chance: random.Random) -> Iterator[str]:
    """Ask one random question; what is wrong with the answer."""
    reported: list[Estimate] = []
    limit = chance.choice((None, *TIMES))
    count = chance.choice((1, 1, 2, len(values)))
    match chance.randrange(9):
        case 0 | 1 | 2:
            depth, threads = chance.randint(1, 3), chance.choice((1, 1, 1, 2))
            progress = chance.choice((None, reported.append))
            answer = Searcher(1, threads).search(
                position, count=count, depth=depth, time_s=limit, progress=progress
            )
            for found in (answer, *reported):
                yield from wrong_claims(found, values)
        case 3:
            some, played = chance.sample(list(values), chance.randint(1, len(values))), None
            if chance.random() < 0.5:
                played, first = some[0], twins(position)
                some = [move for move in values if first[move] != first[played]] or list(values)
            shallow = chance.choice((None, 1, 2))
            answer = Searcher(1).search(
                position,
                count=count,
                depth=shallow,
                time_s=limit,
                among=some if played is None else None,
                played=played,
            )
            yield from wrong_claims(answer, values)
            if wrong_claim(answer.competing, max(values[move] for move in some)):
                yield f"{answer.competing!r} of {some}"
        case 4:
            confidence = chance.choice((None, 50, 100))
            answer = Searcher(1).search(
                position, count=count, confidence=confidence, time_s=chance.choice(TIMES), progress=reported.append
            )
            for found in (answer, *reported):
                yield from wrong_claims(found, values)
        case 5:
            engine = Engine(chance.randint(1, 4))
            yield from wrong_moves([engine.choose(position), *engine.hint(position, count)], values)
            if wrong_claim(score := engine.score(position), max(values.values())):
                yield f"Engine.score {score!r}, of a position worth {max(values.values()):+d}"
        case 6:
            engine = Engine(time_s=chance.choice(TIMES))
            yield from wrong_moves([engine.choose(position), *engine.hint(position, count)], values)
        case 7:
            game = Game(position)
            game.play(chance.choice(list(values)))
            analyzer = Analyzer(
                level=chance.randint(1, 3), exact_from=0, hash_mb=1, all_moves=chance.random() < 0.5
            )
            (turn,) = analyzer.analyze(game).turns
            if wrong_claim(turn.score, values[turn.move]) or wrong_claim(turn.best_score, max(values.values())):
                yield f"{turn!r}, where the moves are worth {values}"
            yield from wrong_moves(turn.moves, values)
        case _:
            low = chance.randint(-position.rules.board.cells, position.rules.board.cells)
            questions: list[dict[str, object]] = [
                {},
                {"wld": True},
                {"all_moves": True},
                {"multi": count},
                {"window": (low, low + chance.randint(0, 5))},
            ]
            question = chance.choice(questions)
            yield from wrong_claims(solve(position, time_s=limit, **question), values)  # type: ignore[arg-type]


def run(
    seed: int,
    count: int,
    empties: tuple[int, int] = (1, 7),
    chosen: list[Rules] | None = None,
    brute_to: int = BRUTE_TO,
) -> list[str]:
    """Ask a question about each of so many random positions; what is wrong."""
    chance = random.Random(seed)
    sets = chosen or list(every_rule_set())
    wrong: list[str] = []
    asked = 0
    while asked < count:
        rules = chance.choice(sets)
        position = random_position(rules, min(chance.randint(*empties), rules.board.cells - 8), chance)
        if position is None:
            continue
        asked += 1
        wrong += [f"{position!r}: {what}" for what in ask(position, move_values(position, brute_to), chance)]
    return wrong


def main(arguments: list[str] | None = None) -> int:
    """Run the program; its exit status."""
    parser = argparse.ArgumentParser(description="Hold what searches claim against brute force.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--empties", type=int, nargs=2, default=(1, 7), metavar=("LEAST", "MOST"))
    parser.add_argument("--rules", help="this rule set only")
    parser.add_argument(
        "--brute", type=int, default=BRUTE_TO, metavar="N", help="brute force up to N empty squares"
    )
    options = parser.parse_args(arguments)
    chosen = [parse_rules(options.rules)] if options.rules else None
    wrong = run(options.seed, options.positions, tuple(options.empties), chosen, options.brute)
    print("\n".join(wrong[:50]))
    print(f"{options.positions} positions, {len(wrong)} wrong claims")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
