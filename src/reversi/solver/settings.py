"""What a search works with: the size of its table, its threads, the learned evaluation."""

from __future__ import annotations

from dataclasses import dataclass

from reversi._core import Weights
from reversi.arguments import MAX_HASH_MB, MAX_THREADS, check_count, check_type
from reversi.solver.table import DEFAULT_HASH_MB


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What a search works with. It changes the time of an exact answer, never the answer.

    Attributes:
        hash_mb: size of the table in MB (2**20 bytes); `reversi.solver.table` has the sizes for every use.
        threads: how many threads search.
        evaluation: whether the learned evaluation helps, where it knows the rules, or weights of one's own for it
            (`reversi.evaluation.load_weights`).

    Raises:
        InputError: ``hash_mb`` is not from 1 to 2**31 - 1, or ``threads`` not from 1 to 4096.
        ArgumentError: the evaluation has another type.
    """

    hash_mb: int = DEFAULT_HASH_MB
    threads: int = 1
    evaluation: bool | Weights = True

    def __post_init__(self) -> None:
        check_count("hash_mb", self.hash_mb, MAX_HASH_MB, unit="MB")
        check_count("threads", self.threads, MAX_THREADS)
        check_type("evaluation", self.evaluation, bool, Weights)
