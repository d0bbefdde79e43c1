"""Games with a constructed analysis, for tests of reports: what is in it need not be true, but has every shape."""

from __future__ import annotations

from typing import Any

from random_games import random_game
from reversi import Game
from reversi.records import Record, parse_record
from reversi.records.from_game import record_from_game
from reversi.render import ReportGame

HOSTILE = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>&amp;\u2028\u2029\u202e'\""
RULES = (
    "othello",
    "adjacent",
    "adjacent,optional-skip",
    "othello,board=6x6",
    "othello,board=4x8",
    "adjacent,board=4x4,misere",
    "othello,start=parallel",
    "othello,optional-skip",
)
WORDS = {"?!": "inaccuracy", "?": "mistake", "??": "blunder"}
# losses of the first plies, with the signs that they get
LOSSES = {3: (4, "?!"), 6: (8, "?"), 9: (14, "??"), 12: (2, None)}


def analysis_of(game: Game, *, all_moves: bool = False) -> dict[str, Any]:
    """An analysis as `reversi analyze --json` writes it, with losses at some plies."""
    turns: list[dict[str, Any]] = []
    for number, ply in enumerate(game, 1):
        legal = [str(move) for move in ply.before.legal_moves]
        loss, sign = LOSSES.get(number, (0, None)) if len(legal) > 1 else (0, None)
        best = [next(move for move in legal if move != str(ply.move))] if loss else [str(ply.move)]
        line: list[str] = []
        position = ply.before.play(best[0])
        while len(line) < 6 and not position.is_over:
            line.append(str(position.legal_moves[0]))
            position = position.play(position.legal_moves[0])
        score = (number % 7) - 3
        moves = [
            {
                "move": move,
                "score": score + loss if move == best[0] else score - at * (move != str(ply.move)),
                "kind": "exact" if number > 20 else "heuristic",
                "depth": 12,
                "confidence": None,
                "pv": [move, *map(str, ply.before.play(move).legal_moves[:1])],
            }
            for at, move in enumerate(legal)
        ]
        turns.append(
            {
                "ply": number,
                "mover": ply.before.to_move.symbol,
                "move": str(ply.move),
                "score": score,
                "kind": "exact" if number > 20 else "heuristic",
                "depth": 12,
                "best": best,
                "best_score": score + loss,
                "best_kind": "exact" if number > 20 else "heuristic",
                "loss": loss,
                "sign": sign,
                "judgement": WORDS.get(sign or ""),
                "outcome": "loss" if sign == "??" else "win",
                "best_outcome": "win",
                "outcome_changed": sign == "??",
                "forced": len(legal) == 1,
                "pv": [*best, *line],
                **({"moves": moves} if all_moves else {}),
            }
        )
    side = {"moves": 20, "mean_loss": 1.25, "best_share": 0.6, "worst_ply": 9, "signs": {"?!": 1, "?": 0, "??": 1}}
    return {
        "index": 1,
        "level": 12,
        "exact_from": 20,
        "complete": True,
        "decided": 41,
        "turns": turns,
        "sides": {"X": side, "O": side | {"worst_ply": None}},
    }


def sample(
    rules: str = "othello", seed: int = 1, *, all_moves: bool = False, **tags: str
) -> tuple[Game, ReportGame]:
    """A random game, and what a report gets of it."""
    game = random_game(rules, seed)
    record = record_from_game(game, {"Black": "Ada", "White": "Bob", "Event": "Cup"} | tags)
    return game, ReportGame(
        record=record, analysis=analysis_of(game, all_moves=all_moves), source=f"games.pgn#{seed}"
    )


def replayed(board: str, to_move: str, columns: int, play: str) -> list[str]:
    """The cells after each turn of a line of a report, replayed as the page does it."""
    cells, color, found = [*board], to_move, [board]
    for turn in play.split():
        move, _, changed = turn.partition(":")
        if move != "--":
            cells[_index(move, columns)] = color
        for at in range(0, len(changed), 2):
            square = _index(changed[at : at + 2], columns)
            cells[square] = {"X": "O", "O": "X"}[cells[square]]
        color = "O" if color == "X" else "X"
        found.append("".join(cells))
    return found


def _index(square: str, columns: int) -> int:
    return columns * (int(square[1]) - 1) + "abcdefgh".index(square[0])


def handled() -> Record:
    """A game with comments, clocks, values, signs, discs flipped by hand and variations in variations."""
    return parse_record(
        '[Event "?"]\n[Site "?"]\n[Date "2024.05.01"]\n[Round "?"]\n[Black "Ada"]\n[White "Bob"]\n[Result "*"]\n\n'
        "{Before the game.} 1. f5 {[%clk 0:05:00] [%eval +0 heuristic] the usual} d6 $2 {[%eval -4 exact]} "
        "(1... f6 {[%eval +2 selective 91%] the other way} 2. e6 (2. d3 {deeper}) 2... f4) "
        "2. c3 {[%flips ] forgot to flip} (2. a1) f4 *\n"
    )


def turns_of(given: ReportGame) -> list[dict[str, Any]]:
    """The turns of the analysis that a report gets."""
    assert given.fields is not None
    turns: list[dict[str, Any]] = given.fields["turns"]
    return turns
