"""The public names; the package loads them when they are first used."""

from .certificate import (
    Bound as Bound,
    Certificate as Certificate,
    CertificateError as CertificateError,
    ProofStopped as ProofStopped,
    Relation as Relation,
    Statement as Statement,
    read_certificate as read_certificate,
    write_certificate as write_certificate,
)
from .checking import Checked as Checked, check_certificate as check_certificate
from .making import prove as prove
