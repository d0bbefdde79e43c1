"""The public names; the package loads them when they are first used."""

from .cancel import Cancel as Cancel
from .jobs import Call as Call, Job as Job, Work as Work
from .processes import Processes as Processes, WorkerDied as WorkerDied
from .threads import Threads as Threads
from .workers import Workers as Workers
