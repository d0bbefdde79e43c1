"""Jobs, and what does them: threads, processes, machines.

The work of a job is an object that says what to do (`Work`), so workers know none of their users. All workers have
one face (`Workers`): send jobs, take those that end, withdraw needless ones, stop, close.

>>> from functools import partial
>>> from reversi.work.jobs import Call
>>> from reversi.work.threads import Threads
>>> with Threads(2) as workers:
...     jobs = [workers.send(text, Call(partial(int, text))) for text in ("1", "2", "3")]
...     [workers.result(job) for job in jobs]
[1, 2, 3]
"""

from reversi._lazy import attach_stub

__getattr__, __dir__ = attach_stub(__name__, __file__)
