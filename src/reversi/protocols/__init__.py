"""Engine protocols: `reversi` as an engine for other programs, and other programs as engines for `reversi`.

The server of a protocol is an object without processes: it receives lines and says lines (`GtpServer` and others);
`serve` connects it to standard input and output.
"""

from __future__ import annotations

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
