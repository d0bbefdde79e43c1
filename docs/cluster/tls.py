"""Certificates for a cluster that only you may use, and the settings with which Dask finds them.

    python tls.py ~/.config/dask

writes cert.pem, key.pem and tls.yaml into a folder where Dask looks for settings. Copy the folder to the same
place on every machine: schedulers, workers and the commands of this package then talk to nobody without the key.
They are valid for a year. ``--path`` is for a folder that the processes find at another place, such as a mount in
a container.
"""

from __future__ import annotations

import argparse
from pathlib import Path

SETTINGS = """\
distributed:
  comm:
    require-encryption: true
    default-scheme: tls
    tls:
      ca-file: "{path}/cert.pem"
      scheduler: {{cert: "{path}/cert.pem", key: "{path}/key.pem"}}
      worker: {{cert: "{path}/cert.pem", key: "{path}/key.pem"}}
      client: {{cert: "{path}/cert.pem", key: "{path}/key.pem"}}
"""


def main() -> None:
    """Write the files; those that exist stay as they are."""
    from distributed import Security

    parser = argparse.ArgumentParser(description="Make certificates for a cluster, and settings that name them.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--path", help="where the processes find the folder, if it is not there")
    options = parser.parse_args()
    security = Security.temporary()
    options.folder.mkdir(parents=True, exist_ok=True)
    files = {
        "key.pem": (security.tls_client_key, 0o600),
        "cert.pem": (security.tls_client_cert, 0o644),
        "tls.yaml": (SETTINGS.format(path=options.path or options.folder.resolve().as_posix()), 0o644),
    }
    for name, (text, mode) in files.items():
        path = options.folder / name
        path.touch(mode, exist_ok=False)
        path.write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
