"""Authorities and certificates for encrypted connections, made for a test with the package ``cryptography``."""

from __future__ import annotations

import datetime
import ipaddress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ADDRESSES = ["127.0.0.1", *(f"10.213.77.{number}" for number in range(1, 10))]


@dataclass(frozen=True)
class Certificate:
    """A certificate with its key in one file, and the certificate of the authority that signed it."""

    authority: Path
    file: Path


class Authority:
    """An authority for one run, which signs certificates; its own is two days old."""

    def __init__(self, folder: Path, name: str) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec

        self._folder, self._name = folder, name
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.file = folder / f"{name}-authority.pem"
        now = datetime.datetime.now(datetime.UTC)
        self._own = self._signed(
            name, self._key, now - datetime.timedelta(days=2), 4 * 24 * 3600, is_authority=True
        )
        self.file.write_bytes(_pem(self._own))

    def certificate(self, name: str, *, age_s: float = 24 * 3600, valid_s: float = 2 * 24 * 3600) -> Certificate:
        """Sign a certificate that is valid since ``age_s`` seconds, for ``valid_s``."""
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        key = ec.generate_private_key(ec.SECP256R1())
        begin = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=age_s)
        signed = self._signed(name, key, begin, valid_s, is_authority=False)
        path = self._folder / f"{self._name}-{name}.pem"
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        path.write_bytes(_pem(signed) + private)
        path.chmod(0o600)
        return Certificate(self.file, path)

    def _signed(self, name: str, key: Any, begin: datetime.datetime, valid_s: float, *, is_authority: bool) -> Any:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes
        from cryptography.x509.oid import NameOID

        def named(text: str) -> x509.Name:
            return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

        addresses = [x509.IPAddress(ipaddress.ip_address(address)) for address in ADDRESSES]
        return (
            x509.CertificateBuilder()
            .subject_name(named(name))
            .issuer_name(named(self._name))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(begin)
            .not_valid_after(begin + datetime.timedelta(seconds=valid_s))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
            .add_extension(x509.SubjectAlternativeName(addresses), critical=False)
            .sign(self._key, hashes.SHA256())
        )


def _pem(certificate: Any) -> bytes:
    from cryptography.hazmat.primitives import serialization

    data: bytes = certificate.public_bytes(serialization.Encoding.PEM)
    return data
