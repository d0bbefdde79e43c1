"""External engines for asyncio: the same questions, awaited.

>>> import asyncio
>>> from reversi import Position
>>> from reversi.protocols import AsyncEngine
>>> async def first_move():
...     async with AsyncEngine("gtp:gtp-rhino") as engine:
...         await engine.follow(Position())
...         return (await engine.go(time_s=1)).move
>>> asyncio.run(first_move())  # doctest: +SKIP
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import ParamSpec, Self, TypeVar

from reversi._core import Move, Position
from reversi.arguments import check_type
from reversi.engine.engine import EngineCancelled
from reversi.engine.player import MoveChoice
from reversi.game.clocks import ClockReading
from reversi.protocols.client import ExternalEngine, Info
from reversi.protocols.programs import open_engine
from reversi.solver.solution import MoveScore
from reversi.work.awaiting import awaited

_P = ParamSpec("_P")
_T = TypeVar("_T")


class AsyncEngine:
    """An external engine whose methods are awaited; each waits in a thread of the engine's own.

    Cancelling a task that awaits a move ends the question.

    Args:
        engine: the engine, or its text for `open_engine`.

    Raises:
        InputError: the text names no engine.
    """

    def __init__(self, engine: ExternalEngine | str) -> None:
        check_type("engine", engine, ExternalEngine, str)
        self.engine: ExternalEngine = open_engine(engine) if isinstance(engine, str) else engine
        """The engine itself."""
        self._name = ""
        self._worker = _worker()

    @property
    def name(self) -> str:
        """The name that the engine gives itself, once it has started; its command before."""
        return self._name or self.engine.label

    async def start(self) -> str:
        """Start the program, and return the name that it gives itself.

        Raises:
            PlayerError: it does not start.
        """
        self._name = await self._do(lambda: self.engine.name)
        return self._name

    async def set_option(self, name: str, value: str | float) -> None:
        """As `ExternalEngine.set_option`."""
        await self._do(self.engine.set_option, name, value)

    async def follow(self, start: Position, moves: str | Iterable[Move | str] = ()) -> None:
        """As `ExternalEngine.follow`."""
        await self._do(self.engine.follow, start, moves)

    async def choose(self, position: Position, clock: ClockReading | None = None) -> MoveChoice:
        """As `ExternalEngine.choose`."""
        return await self._do(self.engine.choose, position, clock)

    async def go(
        self,
        *,
        clock: ClockReading | None = None,
        time_s: float | None = None,
        level: int | None = None,
        on_info: Callable[[Info], None] | None = None,
    ) -> MoveChoice:
        """As `ExternalEngine.go`; ``on_info`` is called in the thread of the loop."""
        loop = asyncio.get_running_loop()
        listener: Callable[[Info], None] | None = None
        if on_info is not None:
            heard = on_info

            def listener(info: Info) -> None:
                loop.call_soon_threadsafe(heard, info)

        return await self._do(self.engine.go, clock=clock, time_s=time_s, level=level, on_info=listener)

    async def hint(self, position: Position, count: int = 3, *, time_s: float | None = None) -> list[MoveScore]:
        """As `ExternalEngine.hint`."""
        return await self._do(self.engine.hint, position, count, time_s=time_s)

    async def analysis(
        self, position: Position, count: int = 1, *, time_s: float | None = None
    ) -> AsyncIterator[Info]:
        """Yield what the engine says about a position while it thinks.

        Raises:
            PlayerError: as for `ExternalEngine.hint`.
        """
        loop = asyncio.get_running_loop()
        said: asyncio.Queue[Info | None] = asyncio.Queue()

        def hear(info: Info) -> None:
            loop.call_soon_threadsafe(said.put_nowait, info)

        task = asyncio.ensure_future(self._do(self.engine.hint, position, count, time_s=time_s, on_info=hear))
        task.add_done_callback(lambda _: said.put_nowait(None))
        try:
            while (info := await said.get()) is not None:
                yield info
            with contextlib.suppress(EngineCancelled):
                await task
        finally:
            task.cancel()
            await asyncio.wait([task])

    def cancel(self) -> None:
        """End the question under way; who awaits it gets `EngineCancelled`."""
        self.engine.cancel()

    async def close(self) -> bool:
        """End the program; return false when it had to be killed. The next question starts it again."""
        try:
            return await self._do(self.engine.close)
        finally:
            self._worker.shutdown(wait=False)
            self._worker = _worker()  # it starts its thread at the next question

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _do(self, call: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return await awaited(self._worker.submit(call, *args, **kwargs), self.engine.cancel)


def _worker() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="reversi-engine")
