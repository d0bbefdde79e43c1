"""How standard output and standard error end: closed, full, or read by nobody any more. Loads no other library."""

from __future__ import annotations

import contextlib
import os
import sys

from reversi.cli.status import Status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


def check_streams() -> int:
    """See that there is a standard output; the exit status when there is none, else 0.

    A closed standard error (``2>&-``) is replaced by one that takes everything.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - for as long as the process runs
    if sys.stdout is None:  # as after >&-: a file opened next would get its number
        sys.stderr.write("reversi: standard output is closed; redirect it to a file or /dev/null\n")
        return int(Status.CANNOT_WRITE)
    return 0


def flushed(status: int) -> int:
    """Flush standard output; the exit status, which is another one where that fails."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        quiet_pipe()
    except KeyboardInterrupt:  # a second one: the reader of what is left does not read
        quiet_pipe()
        return int(Status.INTERRUPTED)
    except OSError as error:
        return full_output(error)
    return int(status)


def full_output(error: OSError) -> int:
    """Report that standard output cannot be written (a full disk, a closed terminal); return the exit status.

    A pipe that its reader closed is not reported: the status is 0.
    """
    quiet_pipe()
    if isinstance(error, BrokenPipeError):
        return 0
    with contextlib.suppress(OSError):
        sys.stderr.write(f"reversi: standard output: cannot write: {error.strerror or error}\n")
    return int(Status.CANNOT_WRITE)


def quiet_pipe() -> int:
    """Drop what is still to be written, without Python's complaint at exit; ``| head`` has what it wants: 0."""
    drop(sys.stdout)
    return 0


def drop(stream: TextIO) -> None:
    """Drop what is still to be written to a stream, and what will be."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def is_read() -> bool:
    """Return whether somebody still reads standard output, where the system tells: its pipe has a reader."""
    import select

    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    with contextlib.suppress(OSError):  # not a file of the system
        poll.register(sys.stdout.fileno(), 0)
    return not poll.poll(0)
