"""Encrypted connections: certificates that fit, and what is said of those that do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from certificates import Authority, Certificate
from dask_processes import dask_cluster
from files import new_file
from reversi.errors import InputError
from reversi.work import ClusterError, Tls, connect

pytest.importorskip("distributed")
pytest.importorskip("cryptography")

OURS = "cannot connect: it does not accept this certificate, which may be another authority's, expired or not yet "


@dataclass(frozen=True)
class Schedulers:
    """The addresses of schedulers, and the authority that all of them trust."""

    authority: Authority
    good: str
    expired: str
    plain: str


@pytest.fixture(scope="module")
def schedulers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Schedulers]:
    folder = tmp_path_factory.mktemp("tls")
    authority = Authority(folder, "right")
    good, expired = authority.certificate("scheduler"), authority.certificate("old", valid_s=3600)
    with (
        dask_cluster(folder, certificate=good) as first,
        dask_cluster(folder, certificate=expired) as second,
        dask_cluster(folder) as third,
    ):
        yield Schedulers(authority, first, second, third)


def files(certificate: Certificate, key: Path | None = None) -> Tls:
    return Tls(str(certificate.authority), str(certificate.file), str(key or ""))


def refused(address: str, tls: Tls | None, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message), connect(address, tls):
        pass


def test_a_certificate_of_the_same_authority(schedulers: Schedulers) -> None:
    tls = files(schedulers.authority.certificate("client"))
    for address in (schedulers.good, schedulers.good.removeprefix("tls://")):
        with connect(address, tls) as connection:
            assert connection.threads == 0


def test_certificates_of_the_client_that_the_scheduler_refuses(schedulers: Schedulers, tmp_path: Path) -> None:
    other = Authority(tmp_path, "other").certificate("client")
    mixed = Certificate(schedulers.authority.file, other.file)
    expired = schedulers.authority.certificate("expired", valid_s=3600)
    future = schedulers.authority.certificate("future", age_s=-120)
    for certificate in (mixed, expired, future):
        refused(schedulers.good, files(certificate), ClusterError, f"^{schedulers.good}: {OURS}")


def test_certificates_of_the_scheduler_that_the_client_refuses(schedulers: Schedulers, tmp_path: Path) -> None:
    client = files(schedulers.authority.certificate("client"))
    words = (
        "cannot connect: its certificate is not valid here: {}; look at --tls-ca, the certificate and both clocks$"
    )
    refused(schedulers.expired, client, ClusterError, words.format("certificate has expired"))
    other = files(Authority(tmp_path, "other").certificate("client"))
    refused(schedulers.good, other, ClusterError, words.format("(self-signed|unable to get).*"))


def test_encryption_on_one_side_alone(schedulers: Schedulers) -> None:
    client = files(schedulers.authority.certificate("client"))
    refused(schedulers.good, None, InputError, "needs the files of an authority and of a certificate")
    plain = schedulers.good.replace("tls", "tcp")
    refused(plain, client, InputError, "^a connection without encryption has no certificate; use tls:// or ")
    refused(
        plain, None, ClusterError, "it ends the connection; where it wants encryption, the address begins with tls"
    )
    encrypted = schedulers.plain.replace("tcp", "tls")
    refused(encrypted, client, ClusterError, "cannot connect: not a scheduler with encryption$")


@pytest.mark.thorough
def test_files_that_are_something_else(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "right")
    good, other = authority.certificate("a"), authority.certificate("b")
    junk = new_file(tmp_path / "junk.pem", "no certificate")
    for tls, message in (
        (Tls(str(junk), str(good.file)), rf"^{junk}: not the certificate of an authority \("),
        (Tls(str(good.authority), str(junk)), rf"^{junk}: not a certificate and its key \("),
        (files(good, other.file), rf"^{good.file} and {other.file}: not a certificate and its key \("),
    ):
        refused("tls://127.0.0.1:1", tls, InputError, message)
