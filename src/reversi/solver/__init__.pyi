"""The public names; the package loads them when they are first used."""

from .annotations import Comparison as Comparison, check_solution as check_solution
from .batch import (
    Answer as Answer,
    Batch as Batch,
    is_small as is_small,
)
from .costs import estimated_nodes as estimated_nodes
from .proofs.certificate import (
    Bound as Bound,
    Certificate as Certificate,
    CertificateError as CertificateError,
    NoCertificateError as NoCertificateError,
    ProofStopped as ProofStopped,
    Relation as Relation,
    Statement as Statement,
    read_certificate as read_certificate,
    write_certificate as write_certificate,
)
from .proofs.checking import Checked as Checked, check_certificate as check_certificate
from .proofs.making import prove as prove
from .question import Question as Question, QuestionError as QuestionError
from .results import (
    Earlier as Earlier,
    ResultsError as ResultsError,
    ResultsFile as ResultsFile,
    solution_fields as solution_fields,
)
from .run import Run as Run, Solved as Solved, Tally as Tally
from .settings import SearchSettings as SearchSettings
from .solver import (
    MoveScore as MoveScore,
    Progress as Progress,
    Solution as Solution,
    SolveInterrupted as SolveInterrupted,
    Solver as Solver,
    solve as solve,
)
from .stopping import ask_here as ask_here
from .table import DEFAULT_BATCH_HASH_MB as DEFAULT_BATCH_HASH_MB, DEFAULT_HASH_MB as DEFAULT_HASH_MB
