"""Awaiting what runs in threads, for asyncio.

>>> import asyncio
>>> from reversi import Position, search
>>> from reversi.work import in_thread
>>> async def depth_of_a_search() -> int:
...     found = await in_thread(search, Position(), depth=4)
...     return found.score.depth
>>> asyncio.run(depth_of_a_search())
4
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Future
from types import NoneType
from typing import Any, ParamSpec, TypeVar

from reversi.arguments import check_type
from reversi.work.cancel import Cancel

_P = ParamSpec("_P")
_T = TypeVar("_T")


async def in_thread(call: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
    """Ask a question in a thread of its own, and await the answer.

    ``call`` is a function or method with an argument ``cancel``: `solve`, `search`, `hint`, `analyze`, or a method
    of a `Solver`, a `Searcher`, an `Engine`, a `Puct`, a `FullWidth`. When the task is cancelled, or its time
    is up (``asyncio.timeout``), the question ends, and its threads with it, before the ``CancelledError`` comes.
    If you want what was found by then, give a `Cancel` of your own and call its method `cancel`, or set a limit.

    Args:
        call: what to call.
        args: its arguments.
        kwargs: its arguments; a function ``progress`` is called in the thread of the event loop. What that raises
            ends the question, and is raised here.

    Raises:
        TypeError: ``call`` has no argument ``cancel``; ``asyncio.to_thread`` awaits such a call.
    """
    loop, own, keywords = asyncio.get_running_loop(), Cancel(), dict[str, Any](kwargs)
    given: Cancel | None = keywords.get("cancel")
    check_type("cancel", given, Cancel, NoneType)
    report: Callable[[object], object] | None = keywords.get("progress")
    keywords["cancel"] = own
    failures: list[Exception] = []
    answer: Future[_T] = Future()

    def work() -> None:
        asked: Callable[..., _T] = call
        try:
            with contextlib.nullcontext() if given is None else given.ends(own.cancel):
                answer.set_result(asked(*args, **keywords))
        except BaseException as error:
            answer.set_exception(error)

    if report is not None:
        listener = report

        def hear(found: object) -> None:
            try:
                if not own.cancelled:
                    listener(found)
            except Exception as error:
                failures.append(error)
                own.cancel()

        keywords["progress"] = lambda found: loop.call_soon_threadsafe(hear, found)
    answer.set_running_or_notify_cancel()
    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(work,), name="reversi-question", daemon=True).start()
    try:
        found = await awaited(answer, own.cancel)
        if not failures:
            return found
    except Exception:
        if not failures:
            raise
    finally:
        own.cancel()
    raise failures[0]


async def awaited(answer: Future[_T], end: Callable[[], None]) -> _T:
    """Await what a thread does.

    When the task is cancelled, this takes the work back or ends it, and awaits its end. A second cancellation does
    not wait for that.
    """
    running = asyncio.wrap_future(answer)
    running.add_done_callback(lambda done: done.cancelled() or done.exception())  # an error may have no reader
    try:
        await asyncio.wait([running])
    except asyncio.CancelledError:
        if not (answer.cancel() or answer.done()):
            end()
            await asyncio.wait([running])
        raise
    return running.result()
