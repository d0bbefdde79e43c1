"""The public names; the package loads them when they are first used."""

from .making import collect as collect
from .prover import Proved as Proved, Prover as Prover, ProverProgress as ProverProgress
from .store import ProofStore as ProofStore, StoreError as StoreError
