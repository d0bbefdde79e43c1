"""Hosts in a box: machines of a cluster as network namespaces of this one, on a network that can be made bad.

Each host has its own network, its own name and one Ethernet card, a TAP device. A switch in this process carries
the frames between them; it delays them, loses some, and cuts hosts off, as ``tc netem`` would do.
So no module of the kernel is needed but ``tun``, and nothing leaves this machine: the hosts have no way out. Only
root may make them.
"""

from __future__ import annotations

import contextlib
import fcntl
import heapq
import os
import random
import re
import selectors
import shutil
import signal
import struct
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

NETWORK = "10.213.77"
_TUNSETIFF, _TAP_WITHOUT_HEADER = 0x400454CA, 0x1002
_FRAME = 65536
_STOP_S = 10.0


def what_is_missing() -> str:
    """Why hosts cannot be made here; empty where they can."""
    if os.name != "posix" or not hasattr(os, "geteuid") or os.geteuid():
        return "only root may make network namespaces"
    if not Path("/dev/net/tun").exists():
        return "this machine has no /dev/net/tun"
    missing = [name for name in ("ip", "unshare", "nsenter") if shutil.which(name) is None]
    if missing:
        return f"needs {', '.join(missing)} (packages iproute2 and util-linux)"
    probe = f"reversi-probe-{os.getpid()}"
    done = subprocess.run(["ip", "netns", "add", probe], capture_output=True, text=True, check=False)
    if done.returncode:
        return f"network namespaces are not permitted here: {done.stderr.strip()}"
    subprocess.run(["ip", "netns", "delete", probe], check=True)
    return ""


# --- the network


@dataclass(order=True)
class _Frame:
    due: float
    number: int
    data: bytes = field(compare=False)
    port: int = field(compare=False)


class Switch:
    """Carries frames between ports, each of which is an open TAP device. All of it happens in one thread.

    Attributes:
        delay_s: seconds that a frame takes from one host to another.
        loss: the part of the frames that is lost.
        frames: how many frames were carried; lost ones not.
    """

    def __init__(self, seed: int = 0) -> None:
        self.delay_s, self.loss, self.frames = 0.0, 0.0, 0
        self._random = random.Random(seed)
        self._ports: list[int] = []
        self._cut: set[int] = set()
        self._owners: dict[bytes, int] = {}
        self._waiting: list[_Frame] = []
        self._selector = selectors.DefaultSelector()
        self._wake_read, self._wake_write = os.pipe()
        self._selector.register(self._wake_read, selectors.EVENT_READ)
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="switch", daemon=True)
        self._thread.start()

    def add(self, device: int) -> int:
        """Add an open TAP device; return the number of its port."""
        os.set_blocking(device, False)
        self._ports.append(device)
        self._selector.register(device, selectors.EVENT_READ, len(self._ports) - 1)
        os.write(self._wake_write, b"x")
        return len(self._ports) - 1

    def cut(self, port: int) -> None:
        """Lose every frame from and to a port, as when its cable is out."""
        self._cut.add(port)

    def mend(self, port: int) -> None:
        """Carry the frames of a port again."""
        self._cut.discard(port)

    def close(self) -> None:
        self._is_closed = True
        os.write(self._wake_write, b"x")
        self._thread.join()
        for device in [*self._ports, self._wake_read, self._wake_write]:
            os.close(device)
        self._selector.close()

    def _run(self) -> None:
        while not self._is_closed:
            wait = max(0.0, self._waiting[0].due - time.monotonic()) if self._waiting else None
            for key, _ in self._selector.select(wait):
                if key.fd == self._wake_read:
                    os.read(self._wake_read, 1)
                else:
                    self._receive(key.fd, key.data)
            while self._waiting and self._waiting[0].due <= time.monotonic():
                self._deliver(heapq.heappop(self._waiting))

    def _receive(self, device: int, port: int) -> None:
        """Take a frame from a host, and let it wait for its time."""
        try:
            data = os.read(device, _FRAME)
        except OSError:  # the card is down
            return
        target, source = data[:6], data[6:12]
        self._owners[source] = port
        if port in self._cut:
            return
        owner = self._owners.get(target)
        for other in range(len(self._ports)) if owner is None else (owner,):
            if other != port and self._random.random() >= self.loss:
                self.frames += 1
                frame = _Frame(time.monotonic() + self.delay_s, self.frames, data, other)
                if self.delay_s:
                    heapq.heappush(self._waiting, frame)
                else:
                    self._deliver(frame)

    def _deliver(self, frame: _Frame) -> None:
        if frame.port not in self._cut:
            with contextlib.suppress(OSError):
                os.write(self._ports[frame.port], frame.data)


# --- the machines


class Host:
    """A machine: a network namespace and the processes that were started in it.

    Attributes:
        name: its name, also what its processes take for the name of their machine.
        address: its address on the network.
        port: its port at the switch.
    """

    def __init__(self, name: str, number: int, switch: Switch) -> None:
        self.name, self.address = name, f"{NETWORK}.{number}"
        self._switch = switch
        self._processes: list[subprocess.Popen[bytes]] = []
        self._space = f"reversi-{os.getpid()}-{name}"
        device = os.open("/dev/net/tun", os.O_RDWR)
        card = f"rv{os.getpid() % 100000}h{number}"
        fcntl.ioctl(device, _TUNSETIFF, struct.pack("16sH22x", card.encode(), _TAP_WITHOUT_HEADER))
        self.port = switch.add(device)
        _ip("netns", "add", self._space)
        _ip("link", "set", card, "netns", self._space)
        self._ip("address", "add", f"{self.address}/24", "dev", card)
        self._ip("link", "set", card, "up")
        self._ip("link", "set", "lo", "up")

    def start(
        self, words: Sequence[str], variables: Mapping[str, str], log: Path, *, output: int | None = None
    ) -> subprocess.Popen[bytes]:
        """Start a program on this machine; what it writes goes to the end of a log, its results to ``output``."""
        rename = f'hostname {self.name} && exec "$@"'
        with log.open("ab") as stream:
            process = subprocess.Popen(
                ["ip", "netns", "exec", self._space, "unshare", "--uts", "sh", "-c", rename, "sh", *words],
                stdin=subprocess.DEVNULL,
                stdout=stream if output is None else output,
                stderr=stream,
                env=dict(variables),
                start_new_session=True,
            )
        self._processes.append(process)
        return process

    def cut(self) -> None:
        """Take the machine off the network; its processes go on."""
        self._switch.cut(self.port)

    def mend(self) -> None:
        self._switch.mend(self.port)

    def lose_power(self) -> None:
        """End all processes at once. Nobody hears of it: the network is cut first."""
        self.cut()
        self._kill()

    def delete(self) -> None:
        self._kill()
        _ip("netns", "delete", self._space)

    def _kill(self) -> None:
        _kill_all_in(self._space)
        for started in self._processes:
            started.wait()
        self._processes.clear()

    def _ip(self, *words: str) -> None:
        _ip("-n", self._space, *words)


def _kill_all_in(space: str) -> None:
    """End the processes of a namespace, which are all ours."""
    end = time.monotonic() + _STOP_S
    while time.monotonic() < end:
        done = subprocess.run(["ip", "netns", "pids", space], capture_output=True, text=True, check=True)
        processes = [int(word) for word in done.stdout.split()]
        if not processes:
            return
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.05)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@contextlib.contextmanager
def hosts(*names: str) -> Iterator[tuple[Switch, list[Host]]]:
    """Make machines on one network; nothing of them is left afterwards."""
    _delete_leftovers()
    switch, made = Switch(), []
    try:
        for number, name in enumerate(names, 1):
            made.append(Host(name, number, switch))
        yield switch, made
    finally:
        for host in made:
            host.delete()
        switch.close()


def _delete_leftovers() -> None:
    """Delete the machines of a program that was killed, and what runs on them."""
    done = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True)
    for space in re.findall(r"^(reversi-(\d+)-\w+)", done.stdout, re.MULTILINE):
        if not Path("/proc", space[1]).exists():
            _kill_all_in(space[0])
            _ip("netns", "delete", space[0])


# --- wrong clocks


_CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
static long ahead(void) { const char *text = getenv("CLOCK_AHEAD_S"); return text ? atol(text) : 0; }
int clock_gettime(clockid_t clock, struct timespec *now) {
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(clock, now);
    if (!status && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += ahead();
    return status;
}
int gettimeofday(struct timeval *now, void *zone) {
    int (*real)(struct timeval *, void *) = dlsym(RTLD_NEXT, "gettimeofday");
    int status = real(now, zone);
    if (!status) now->tv_sec += ahead();
    return status;
}
time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}
"""


def wrong_clock(folder: Path, seconds: int) -> dict[str, str]:
    """Variables for a process whose clock is wrong: a library made here answers for the system's.

    Empty where no C compiler is installed.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        return {}
    library = folder / "clock.so"
    if not library.exists():
        source = folder / "clock.c"
        source.write_text(_CLOCK)
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return {"LD_PRELOAD": str(library), "CLOCK_AHEAD_S": str(seconds)}
