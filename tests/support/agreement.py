"""In what a position of the core differs from the oracle's table."""

from __future__ import annotations

import oracle
from reversi import SQUARES, Color, Position, Square
from reversi.score import Result, final_score
from rule_sets import table_of


def differences(position: Position, table: oracle.Table) -> list[str]:
    """Everything that both know about one position, compared; one line for each difference."""
    found: list[str] = []

    def compare(what: str, core: object, expected: object) -> None:
        if core != expected:
            found.append(f"{what}: the core says {core}, the oracle {expected} ({position!r})")

    compare("position", table_of(position), table)
    compare("state", position.state.value, table.state)
    compare("side to move", position.to_move.symbol, table.to_move)
    for name, cell in zip(oracle.all_squares(table.variant), table.cells, strict=True):
        disc = position[name]
        compare(name, "-" if disc is None else disc.symbol, cell)

    legal, placements = oracle.legal_moves(table), oracle.placements(table)
    compare("legal moves", [str(move) for move in position.legal_moves], legal)
    compare("number of legal moves", len(position.legal_moves), len(legal))
    compare("placements", position.legal_moves.placements, sum(Square(name).bit for name in placements))
    compare("may pass", position.legal_moves.can_pass, oracle.may_pass(table))
    for square in SQUARES:
        compare(f"{square} is legal", position.is_legal(square), str(square) in legal)
    for move in position.legal_moves:
        turned = [] if move.is_pass else oracle.flips(table, str(move))
        compare(f"flips of {move}", [str(square) for square in position.flips(move)], turned)

    over = oracle.is_over(table)
    compare("over", position.is_over, over)
    compare("over without moves", over, not legal)
    black, white = table.cells.count("X"), table.cells.count("O")
    count = Result(black, white, position.rules)
    compare("count", position.count, count)
    compare("result", position.result, count if over else None)
    compare("empties", (position.empties, count.empties), (table.cells.count("-"),) * 2)
    for_black = oracle.final_score(table, oracle.BLACK)
    compare("score", position.count.score, for_black)
    compare("winner", count.winner, None if for_black == 0 else Color.BLACK if for_black > 0 else Color.WHITE)
    mine, theirs = (black, white) if table.to_move == oracle.BLACK else (white, black)
    compare(
        "score for the mover", final_score(mine, theirs, position.rules), oracle.final_score(table, table.to_move)
    )
    return found
