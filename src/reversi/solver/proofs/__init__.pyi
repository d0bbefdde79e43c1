"""The public names; the package loads them when they are first used."""

from .certificate import (
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
from .checking import Checked as Checked, check_certificate as check_certificate
from .jobs import Found as Found, Kind as Kind, ProofWork as ProofWork
from .making import collect as collect, prove as prove
from .prover import (
    Proved as Proved,
    Prover as Prover,
    ProverProgress as ProverProgress,
    default_frontier as default_frontier,
)
from .store import ProofStore as ProofStore, StoreError as StoreError, StoreWriteError as StoreWriteError
from .tasks import (
    ProofTask as ProofTask,
    TaskError as TaskError,
    answer_line as answer_line,
    read_tasks as read_tasks,
)
