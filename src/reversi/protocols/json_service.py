"""``reversi engine json``: many questions at once, as lines of JSON, answered as soon as they are done."""

from __future__ import annotations

import contextlib
import heapq
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from reversi._system.inbox import Inbox
from reversi._system.limits import check_memory, usable_cpus
from reversi._version import __version__
from reversi.arguments import MAX_THREADS, check_count
from reversi.engine.engine import Engine
from reversi.errors import ReversiError
from reversi.openings.book import Books
from reversi.protocols.json_questions import Asked, Defaults, Fields, Id, RefusedLine, read_question
from reversi.protocols.serving import DEFAULT_QUEUE, MAX_LINE, cut_lines, one_line
from reversi.rules import OTHELLO, Rules
from reversi.text.terminal import escape_json
from reversi.work.jobs import Job
from reversi.work.threads import Threads
from reversi.work.workers import POLL_S

_DONE, _PARTIAL, _CANCELLED, _ERROR = "done", "partial", "cancelled", "error"


@dataclass(slots=True, eq=False)
class _Open:
    """A question without its last answer; its worker finds it, as the work of a job."""

    asked: Asked
    line: int
    tell: Callable[[_Open, Fields], None]  #: has a partial answer written
    job: Job[_Open, Fields] | None = None  #: of its worker; none while it waits
    is_cancelled: bool = False
    is_telling: bool = False  #: a partial answer waits to be written: a slow reader gets fewer of them

    def do(self, job: Job[_Open, Fields], /) -> Fields:
        find, pause = self.asked.find, self.asked.partial_s
        assert find is not None
        if pause is None:
            return find(job.cancel, None)
        last = time.monotonic()

        def tell(fields: Fields) -> None:
            nonlocal last
            if not self.is_telling and time.monotonic() - last >= pause:
                last, self.is_telling = time.monotonic(), True
                self.tell(self, fields)

        return find(job.cancel, tell)


class _Searchers(Threads[_Open, Fields]):
    """Threads that say when a job has ended."""

    def __init__(self, threads: int, news: Callable[[], None]) -> None:
        super().__init__(threads)
        self._news = news

    def _do(self, job: Job[_Open, Fields]) -> None:
        super()._do(job)
        self._news()


class JsonService:
    """Answers questions, each a JSON object on a line; the answers come in the order in which they are found.

    Every line gets one last answer, with its ``id``. The questions of the highest priority are searched first, in
    the order in which they came. When the service holds as many questions as it may, it reads no further until
    one is answered.

    Args:
        say: writes a line, and flushes it; always from the thread that serves.
        rules: the rules of questions that name none.
        concurrency: how many questions are searched at once; by default as many as keep the usable CPUs busy.
        threads: how many threads search a question.
        hash_mb: size of the table of a question in MB (2**20 bytes); by default 1 to 128, by the question.
        book: the opening book of hints, where a question does not ask for a search.
        queue: how many questions it holds.
        is_read: whether somebody still reads the answers; asked a few times a second.

    Attributes:
        lines: how many lines came.
        refused: how many of them were no questions.
        failed: how many questions were not answered, because the machine has not enough memory or threads.

    Raises:
        InputError: a number is outside its limits.
        TableSizeError: the tables do not fit in memory.
    """

    def __init__(
        self,
        say: Callable[[str], object],
        *,
        rules: Rules = OTHELLO,
        concurrency: int | None = None,
        threads: int = 1,
        hash_mb: int | None = None,
        book: Books | None = None,
        queue: int = DEFAULT_QUEUE,
        is_read: Callable[[], bool] = lambda: True,
    ) -> None:
        check_count("threads", threads, MAX_THREADS)
        concurrency = max(1, usable_cpus() // threads) if concurrency is None else concurrency
        check_count("concurrency", concurrency, MAX_THREADS)
        check_count("queue", queue, 1_000_000)
        Engine(1, hash_mb=hash_mb)  # raises what is wrong with the size
        if hash_mb is not None:
            check_memory(concurrency * hash_mb)
        self.lines: int = 0
        self.refused: int = 0
        self.failed: int = 0
        self._say = say
        self._defaults = Defaults(rules, threads, hash_mb, book)
        self._queue = queue
        self._is_read = is_read
        self._events: Inbox[Callable[[], None]] = Inbox()  # what this thread is to do
        self._searchers = _Searchers(concurrency, partial(self._events.put, self._collect))
        self._room = threading.Semaphore(queue)
        self._open: dict[Id, _Open] = {}
        self._waiting: list[tuple[int, int, _Open]] = []  # a heap; those that were cancelled may still be in it
        self._has_ended = False  # the input
        self._has_left = False

    def __repr__(self) -> str:
        return f"<JsonService {self._defaults.rules}, {len(self._open)} open>"

    def serve(self, read: Callable[[], bytes]) -> None:
        """Answer the lines of a stream, to the last question. A service serves one stream.

        Args:
            read: returns the next bytes of the stream and waits for them; none at the end.

        Raises:
            KeyboardInterrupt: Ctrl-C; the searches under way have ended.
            BrokenPipeError: nobody reads the answers any more; the same.
        """
        # a daemon: it may wait for a line that never comes
        threading.Thread(target=self._fill, args=(read,), name="reversi-json-input", daemon=True).start()
        try:
            with self._searchers:
                while not self._has_ended or self._open:
                    event = self._events.take(POLL_S)
                    if event is not None:
                        event()
                    elif not self._is_read():
                        raise BrokenPipeError
        finally:
            self._has_left = True
            self._room.release()

    def _fill(self, read: Callable[[], bytes]) -> None:
        """Read all lines, as far as there is room for them; a thread of its own does this."""
        with contextlib.suppress(OSError):  # the terminal has gone
            for number, line in enumerate(cut_lines(read), 1):
                if line.strip():
                    self._room.acquire()
                    if self._has_left:
                        return
                    self._events.put(partial(self._receive, number, line))
        self._events.put(self._end)

    def _end(self) -> None:
        self._has_ended = True

    # --- questions

    def _receive(self, number: int, line: bytes) -> None:
        """Take a line: answer it, or let it wait for a search."""
        self.lines += 1
        try:
            asked = read_question(line, self._defaults)
            if asked.id in self._open:
                raise RefusedLine(f"the question {asked.id} has not been answered yet", "id", asked.id)
        except RefusedLine as error:
            self.refused += 1
            where = {"field": error.field} if error.field else {}
            self._last(error.id, _ERROR, {"line": number, **where, "error": str(error)})
            return
        if asked.find is not None:
            self._open[asked.id] = question = _Open(asked, number, self._tell)
            heapq.heappush(self._waiting, (-asked.priority, number, question))
            self._begin()
        elif asked.ask == "cancel":
            self._last(asked.id, _DONE, {"cancelled": self._cancel(asked.of)})
        else:
            self._last(asked.id, _DONE, self._info() if asked.answer is None else asked.answer)

    def _begin(self) -> None:
        """Let the searchers that have nothing to do begin what waits."""
        while self._waiting and self._searchers.is_free:
            _, _, question = heapq.heappop(self._waiting)
            if not question.is_cancelled:
                question.job = self._searchers.send(question, question)

    def _cancel(self, of: Id | None) -> int:
        """Cancel one question or all of them; return how many that are."""
        wanted = list(self._open.values()) if of is None else [self._open[of]] if of in self._open else []
        wanted = [question for question in wanted if not question.is_cancelled]
        for question in wanted:
            question.is_cancelled = True
            if question.job is None:
                self._close(question, _CANCELLED, {})
            else:
                question.job.cancel.cancel()
        if len(self._waiting) > 2 * len(self._open) + self._searchers.threads:
            self._waiting = [entry for entry in self._waiting if not entry[2].is_cancelled]
            heapq.heapify(self._waiting)
        return len(wanted)

    def _info(self) -> Fields:
        running, settings = len(self._searchers.running), {"queue": self._queue, "line": MAX_LINE}
        settings |= {"concurrency": self._searchers.threads, "threads": self._defaults.threads}
        return {"version": __version__, **settings, "waiting": len(self._open) - running, "running": running}

    # --- answers

    def _collect(self) -> None:
        """Write the answers of the jobs that have ended."""
        while (job := self._searchers.next(0)) is not None:
            try:
                found = job.result() or {}
            except (ReversiError, MemoryError) as error:
                self.failed += 1
                message = one_line(error) or "not enough memory"
                self._close(job.key, _ERROR, {"line": job.key.line, "error": message})
            else:
                self._close(job.key, _CANCELLED if job.key.is_cancelled else _DONE, found)
        self._begin()

    def _tell(self, question: _Open, found: Fields) -> None:
        """Have a partial answer written; its worker calls this."""
        self._events.put(partial(self._write_partial, question, found))

    def _write_partial(self, question: _Open, found: Fields) -> None:
        question.is_telling = False
        if self._open.get(question.asked.id) is question:  # its end may have been noticed meanwhile
            self._write(question.asked.id, _PARTIAL, found)

    def _close(self, question: _Open, status: str, fields: Fields) -> None:
        del self._open[question.asked.id]
        question.job = None  # no circle of two: each would wait for the garbage collector
        self._last(question.asked.id, status, fields)

    def _last(self, id_: Id | None, status: str, fields: Fields) -> None:
        """Write the last answer to a line, which makes room for another one."""
        self._write(id_, status, fields)
        self._room.release()

    def _write(self, id_: Id | None, status: str, fields: Fields) -> None:
        text = json.dumps({"id": id_, "status": status, **fields}, separators=(",", ":"))
        self._say(f"{escape_json(text)}\n")
