"""``--output FILE``, ``--resume`` and ``--force`` of commands that write each result when it is found."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from reversi._system.files import Target
from reversi.cli.console import fail, reason
from reversi.cli.option_groups import Flag, Table, excludes, needs
from reversi.cli.options import output_option
from reversi.cli.outputs import ForceOption, Inputs, check_output
from reversi.cli.status import Status
from reversi.work.results_file import ResultsError


@dataclass(frozen=True)
class Results:
    """The file of results, which a later run continues or overwrites."""

    TABLE: ClassVar[Table] = (
        *needs("--resume", "--output FILE"),
        *excludes("--resume", "--force", why="one continues the file, the other overwrites it"),
    )

    output: Annotated[str, output_option("Write each result to FILE as one line of JSON when it is found.")] = ""
    resume: Annotated[bool, Flag("Continue the --output file of an earlier run; skip what has results there.")] = (
        False
    )
    force: ForceOption = False

    def check(self, inputs: Inputs) -> Target | None:
        """Return the file; end the command where it may not be written; see `check_output`."""
        if not self.output:
            return None
        return check_output(self.output, inputs, force=self.force or self.resume, else_="--resume continues it, ")

    @contextlib.contextmanager
    def written(self) -> Iterator[None]:
        """End the command where the file cannot be continued or written within the block."""
        try:
            yield
        except ResultsError as error:
            fail(Status.BAD_DATA, f"{error}; nothing was changed")
        except OSError as error:
            if not self.output or error.filename != self.output:
                raise
            fail(Status.CANNOT_WRITE, f"{self.output}: cannot write: {reason(error)}")

    @property
    def interrupted(self) -> str:
        """What an interrupted run says."""
        return f"interrupted; --resume continues {self.output}" if self.output else ""
