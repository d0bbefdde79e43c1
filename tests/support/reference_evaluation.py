"""The learned evaluation once more, slow and simple: nothing here comes from the kernel but the order of weights.

Pattern states are numbered by ordinary base-3 digits here (0 opponent, 1 empty, 2 mover), on an 8x8 list of cells.
"""

from __future__ import annotations

import struct
from functools import cache

PATTERNS = [
    "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
    "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2",
    "a1 c1 d1 e1 f1 h1 c2 d2 e2 f2",
    "a1 b1 c1 d1 a2 b2 c2 a3 b3 a4",
    "a2 a1 b1 c1 d1 e1 f1 g1 h1 h2",
    "a1 a2 b2 c2 d2 e2 f2 g2 h2 h1",
    "b1 a2 a1 b2 c3 d4 e5 f6 g7 h8",
    "a1 b1 c1 a2 b2 c2 a3 b3 c3",
    "a1 b1 c2 d3 e4 f5 g6 h7 h8",
    "a3 b3 c3 d3 e3 f3 g3 h3",
    "a4 b4 c4 d4 e4 f4 g4 h4",
    "c1 d2 e3 f4 g5 h6",
    "d1 e2 f3 g4 h5",
]
MOBILITY_CLASSES = 32

SYMMETRIES = [
    lambda r, c: (r, c),
    lambda r, c: (r, 7 - c),
    lambda r, c: (7 - r, c),
    lambda r, c: (7 - r, 7 - c),
    lambda r, c: (c, r),
    lambda r, c: (c, 7 - r),
    lambda r, c: (7 - c, r),
    lambda r, c: (7 - c, 7 - r),
]


def parsed(pattern: str) -> list[tuple[int, int]]:
    return [(int(name[1]) - 1, ord(name[0]) - ord("a")) for name in pattern.split()]


def copies(pattern: str) -> list[list[tuple[int, int]]]:
    """The pattern's symmetric copies, one for each set of squares."""
    found: dict[frozenset[tuple[int, int]], list[tuple[int, int]]] = {}
    for symmetry in SYMMETRIES:
        squares = [symmetry(r, c) for r, c in parsed(pattern)]
        found.setdefault(frozenset(squares), squares)
    return list(found.values())


@cache
def classes() -> tuple[list[list[int]], int]:
    """For each pattern the class of each state, mirrored states sharing one; and the number of such classes."""
    count = 0
    tables = []
    for pattern in PATTERNS:
        squares = parsed(pattern)
        orders = set()
        for symmetry in SYMMETRIES:
            image = [symmetry(r, c) for r, c in squares]
            if set(image) == set(squares):
                orders.add(tuple(squares.index(square) for square in image))
        table: list[int] = []
        for state in range(3 ** len(squares)):
            digits = [state // 3**q % 3 for q in range(len(squares))]
            twin = min(sum(digits[q] * 3 ** order[q] for q in range(len(squares))) for order in orders)
            if twin < state:
                table.append(table[twin])
            else:
                table.append(count)
                count += 1
        tables.append(table)
    return tables, count


def rays(cells: list[int], r: int, c: int, side: int) -> int:
    """How many discs `side` turns by placing there; cells hold 0 opponent, 1 empty, 2 mover."""
    turned = 0
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            run, y, x = 0, r + dr, c + dc
            while (dr or dc) and 0 <= y < 8 and 0 <= x < 8 and cells[8 * y + x] == 2 - side:
                run, y, x = run + 1, y + dr, x + dc
            if run and 0 <= y < 8 and 0 <= x < 8 and cells[8 * y + x] == side:
                turned += run
    return turned


def cells_of(player: int, opponent: int) -> list[int]:
    return [2 if player >> s & 1 else 0 if opponent >> s & 1 else 1 for s in range(64)]


def mobility(cells: list[int], side: int) -> int:
    return sum(cells[8 * r + c] == 1 and rays(cells, r, c, side) > 0 for r in range(8) for c in range(8))


def value(player: int, opponent: int, weights: list[int] | memoryview, stage_count: int) -> int:
    """The value in 1/128 disc of a game that is not over, with weights by stage and class."""
    tables, pattern_classes = classes()
    size = pattern_classes + 2 * MOBILITY_CLASSES + 4
    cells = cells_of(player, opponent)
    empty = cells.count(1)
    last_of_stage = [*range(5, 36, 2), *range(39, 56, 4), 60]
    assert len(last_of_stage) == stage_count
    stage = sum(empty > last for last in last_of_stage)
    used = []
    for pattern, table in zip(PATTERNS, tables, strict=True):
        for squares in copies(pattern):
            used.append(table[sum(cells[8 * r + c] * 3**q for q, (r, c) in enumerate(squares))])
    used.append(pattern_classes + min(mobility(cells, 2), MOBILITY_CLASSES - 1))
    used.append(pattern_classes + MOBILITY_CLASSES + min(mobility(cells, 0), MOBILITY_CLASSES - 1))
    used.append(pattern_classes + 2 * MOBILITY_CLASSES + empty % 2)
    total = sum(weights[stage * size + i] for i in used)
    return int(max(-8191, min(8191, total)))


def net_value(
    player: int, opponent: int, net: bytes, stage_count: int, shape: tuple[int, int, int] = (16, 16, 0)
) -> int:
    """The value in 1/128 disc by a net, as `reversi._core.Weights` takes it, of a game that is not over.

    The shape is the numbers in a row, the units and the units behind them.
    """
    width, units, seconds = shape
    inputs = width * 3 // 2
    tables, pattern_classes = classes()
    head = struct.Struct(f"<{inputs * units}h{units}i{units * seconds}h{seconds}i{units + seconds + inputs}hi")
    small_at = 64 + (head.size + 63) // 64 * 64 * stage_count
    rows_at = small_at + 2 * width * (2 * MOBILITY_CLASSES + 4)
    cells = cells_of(player, opponent)
    empty = cells.count(1)
    x = [0] * width
    for pattern, table in zip(PATTERNS, tables, strict=True):
        for squares in copies(pattern):
            state = table[sum(cells[8 * r + c] * 3**q for q, (r, c) in enumerate(squares))]
            row = struct.unpack_from(f"<{width}b", net, rows_at + width * state)
            x = [a + b for a, b in zip(x, row, strict=True)]
    for number in (
        min(mobility(cells, 2), MOBILITY_CLASSES - 1),
        MOBILITY_CLASSES + min(mobility(cells, 0), MOBILITY_CLASSES - 1),
        2 * MOBILITY_CLASSES + empty % 2,
    ):
        row = struct.unpack_from(f"<{width}h", net, small_at + 2 * width * number)
        x = [a + b for a, b in zip(x, row, strict=True)]
    assert rows_at + width * pattern_classes == len(net)
    z = [max(-4095, min(4095, a)) for a in x]
    z += [(64 * z[k] * z[k + width // 2] + 16384) // 32768 for k in range(width // 2)]
    stage = sum(empty > last for last in [*range(5, 36, 2), *range(39, 56, 4), 60])
    numbers = iter(head.unpack_from(net, 64 + (head.size + 63) // 64 * 64 * stage))
    parts = (inputs * units, units, units * seconds, seconds, units, seconds, inputs, 1)
    layer, bias, second, second_bias, out, second_out, linear, (constant,) = (
        [next(numbers) for _ in range(count)] for count in parts
    )
    u = layer_of(z, layer, bias, 7)
    v = layer_of(u, second, second_bias, 11)
    total = constant + sum(a * b for a, b in zip([*z, *u, *v], [*linear, *out, *second_out], strict=True))
    return int(max(-8191, min(8191, (total + 512) >> 10)))


def layer_of(inputs: list[int], weights: list[int], bias: list[int], shift: int) -> list[int]:
    """Rectified units; the weights of two inputs lie side by side."""
    units = len(bias)
    sums = [
        bias[j] + sum(a * weights[2 * units * (i // 2) + 2 * j + i % 2] for i, a in enumerate(inputs))
        for j in range(units)
    ]
    return [min(32767, max(0, number) >> shift) for number in sums]
