"""Engine protocols: `reversi` as an engine for other programs, and other programs as engines for `reversi`.

The server of a protocol is an object without processes: it receives lines and says lines (`GtpServer` and others);
`serve` connects it to standard input and output.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
