"""Eight threads that ask everything at once, from the first import on: each answer is that of one thread alone.

A program of its own, so that what loads or fills its tables when it is first used does that in eight threads:

    python tests/support/many_threads.py [ROUNDS]
"""

from __future__ import annotations

import importlib.util
import pickle
import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import reversi

THREADS = 8
GAMES = Path(__file__).parents[2] / "examples" / "games.pgn"
ENDING = "..OOOOO..XXXXXX.OXXOOXXXOXOXOXXXOOXOXXXXOXXXXXXXXXXXXXX..XXXXX.. O"
VARIANTS = ("adjacent", "optional-skip,board=4x4", "misere", "othello,board=6x6", "optional-capture,board=4x4")


def walk(seed: int, rules: str = "othello", plies: int = 64) -> reversi.Position:
    position, chance = reversi.Position(reversi.parse_rules(rules)), reversi.Random(seed)
    for _ in range(plies):
        if position.is_over:
            break
        position = position.play(position.legal_moves.choice(chance))
    return position


SHARED = reversi.Solver(hash_mb=8, threads=2)
ENGINE = reversi.Engine(level=4, seed=2)
LATER = reversi.Cancel()


def moves() -> object:
    found = [walk(seed, rules) for seed, rules in enumerate(VARIANTS * 4)]
    return [(str(each), hash(each), pickle.loads(pickle.dumps(each)) == each, each.score) for each in found]


def counts() -> object:
    return [reversi.Position(reversi.parse_rules(rules)).perft(4) for rules in VARIANTS]


def texts() -> object:
    from reversi import render
    from reversi.text import format_diagram

    position = reversi.Position.parse("f5d6c3d3c4")
    return render.svg(position), format_diagram(position), repr(reversi.Position.parse(ENDING))


def records() -> object:
    from reversi.records import format_record, known_formats, read_games, validate_record

    found = list(reversi.open_records(GAMES))
    again = [entry.record for entry in read_games("".join(map(format_record, found)))]
    names = sorted(each.name for each in known_formats())
    return again == found, names, [str(validate_record(each)) for each in found]


def solved() -> object:
    return [
        (str(each.score), each.best) for each in (SHARED.solve(reversi.Position.parse(ENDING), all_moves=True),)
    ]


def solved_under_other_rules() -> object:
    return [SHARED.solve(walk(1, rules, 10 if "board" in rules else 52)).score.value for rules in VARIANTS[1:]]


def solved_many() -> object:
    endings = [walk(seed, plies=50) for seed in range(12)]
    with reversi.Batch(enumerate(endings), hash_mb=4, threads=2) as batch:
        return sorted((each.key, each.solution.score.value) for each in batch)


def searched() -> object:
    found = reversi.search(reversi.Position(), depth=7, count=2, hash_mb=4)
    return [(str(each.move), each.score.value) for each in found.moves]


def chosen() -> object:
    return str(reversi.Engine(level=5, seed=1).choose(walk(3, plies=20)).move)


def chosen_together() -> object:
    """Questions to one engine at once share its table: moves may differ, and are legal."""
    position = walk(4, plies=24)
    return position.is_legal(ENGINE.choose(position).move), len(ENGINE.hint(position, 2))


def advised() -> object:
    from reversi.engine import explain

    position = walk(5, plies=16)
    hints = reversi.hint(position, 2, level=4)
    return [str(each.move) for each in hints], [str(each) for each in explain(position, hints[0].move)]


def evaluated() -> object:
    return [round(reversi.evaluate(walk(seed, plies=30)).discs, 3) for seed in range(20)]


def named() -> object:
    from reversi.openings import default_book, opening_of_position

    position = reversi.Position.parse("f5d6c3d3c4")
    return str(opening_of_position(position)), default_book()[reversi.Position().play("f5")].value


def analyzed() -> object:
    analysis = reversi.analyze(reversi.Game().play_all("f5d6c3d3c4f4f6"), level=3, exact_from=0)
    return [(each.ply, str(each.score), str(each.best)) for each in analysis.turns]


def cancelled() -> object:
    stop = reversi.Cancel()
    timer = threading.Timer(0.01, stop.cancel)
    timer.start()
    found = SHARED.solve(walk(6, plies=10), cancel=stop)
    timer.join()
    return found.is_exact, len(found.moves)


def arrays() -> object:
    from reversi.arrays import PositionArray
    from reversi.puct import Puct, full_width

    batch = PositionArray([walk(seed, plies=30) for seed in range(64)])
    found = Puct(lambda positions: positions.evaluate(), visits=60, batch=16).search(walk(7, plies=20))
    wide = full_width(walk(7, plies=20), lambda positions: positions.evaluate(), depth=2)
    after = batch.play(batch.random_moves(seed=1))
    return batch.legal_masks().tolist(), after.black.tolist(), str(found[0].best.move), wide.value


QUESTIONS: list[Callable[[], object]] = [
    moves,
    counts,
    texts,
    records,
    solved,
    solved_under_other_rules,
    solved_many,
    searched,
    chosen,
    chosen_together,
    advised,
    evaluated,
    named,
    analyzed,
    cancelled,
    *([arrays] if importlib.util.find_spec("numpy") else []),
]


def main(rounds: int) -> int:
    start = threading.Barrier(THREADS)
    answers: list[list[tuple[str, object]]] = [[] for _ in range(THREADS)]
    failures: list[str] = []

    def ask(number: int) -> None:
        chance = random.Random(number)
        start.wait()
        try:
            for _ in range(rounds):
                for question in chance.sample(QUESTIONS, len(QUESTIONS)):
                    answers[number].append((question.__name__, question()))
        except BaseException as error:
            failures.append(f"thread {number}: {type(error).__name__}: {error}")
            raise

    sys.setswitchinterval(1e-5)
    threads = [threading.Thread(target=ask, args=(number,)) for number in range(THREADS)]
    began = time.process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent = time.process_time() - began
    alone = {question.__name__: question() for question in QUESTIONS}
    wrong = {name for each in answers for name, answer in each if answer != alone[name]}
    failures += [f"{name}: another answer than that of one thread" for name in sorted(wrong)]
    lock = getattr(sys, "_is_gil_enabled", lambda: True)()
    count = sum(map(len, answers))
    print(
        f"{count} answers of {THREADS} threads in {spent:.1f} s of CPU, {'with' if lock else 'without'} the lock"
    )
    print("\n".join(failures) or "all as of one thread")
    return len(failures)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2))
