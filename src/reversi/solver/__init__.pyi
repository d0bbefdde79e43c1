"""The public names; the package loads them when they are first used."""

from .annotations import Comparison as Comparison
from .batch import Batch as Batch, Solved as Solved
from .proofs.certificate import (
    Bound as Bound,
    Certificate as Certificate,
    CertificateError as CertificateError,
    ProofStopped as ProofStopped,
    Relation as Relation,
    Statement as Statement,
    read_certificate as read_certificate,
    write_certificate as write_certificate,
)
from .proofs.checking import Checked as Checked, check_certificate as check_certificate
from .proofs.making import prove as prove
from .question import Question as Question
from .results import ResultsError as ResultsError
from .run import SolvedEntry as SolvedEntry, SolveRun as SolveRun, SolveTally as SolveTally
from .settings import SearchSettings as SearchSettings
from .solution import MoveScore as MoveScore, Solution as Solution, SolveProgress as SolveProgress
from .solver import SolveInterrupted as SolveInterrupted, Solver as Solver, solve as solve
