"""A coverage-guided fuzzer of the record readers (atheris, that is libFuzzer).

    python tests/fuzz/fuzz_records.py --reader wthor --runs 500000 --corpus /tmp/fuzz/wthor
    python tests/fuzz/fuzz_records.py --reader wthor --reached --corpus /tmp/fuzz/wthor

The first reads inputs that libFuzzer makes from valid files, and holds what is read against what must be true of
any input (``fuzz_formats.py``): a valid game that is written is read back the same, and nothing but the errors of
this package comes out. The corpus, a folder, is begun with files that the table of the readers makes, and grows by
every input that reaches something new, so that a later run goes on from there. An input that takes more than 10
seconds or 1 GB is a find too, and so is one that takes more CPU time than its length explains. A find ends the run
with a status other than 0, and leaves the input in the folder of the corpus as ``crash-…``, ``timeout-…`` or
``oom-…``; ``--input FILE`` reads that one again.

The second counts the lines of the reader's modules that the corpus reaches, and lists the others.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
sys.path.insert(0, str(Path(__file__).parents[1]))

MAX_SECONDS = 10
MAX_MEGABYTES = 1024
BASE_SECONDS = 0.05
SECONDS_PER_BYTE = 0.0005
"""CPU time that an input may take, whatever its length and for each byte: ten times what the slowest take."""


class SlowInputError(AssertionError):
    """An input took more CPU time than its length explains."""


def timely(check: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """The same check, which also fails for an input that is slow three times in a row."""

    def timed(data: bytes) -> None:
        allowed = BASE_SECONDS + SECONDS_PER_BYTE * len(data)
        taken = []
        for _ in range(3):  # the machine may have been busy
            began = time.process_time()
            check(data)
            taken.append(time.process_time() - began)
            if taken[-1] <= allowed:
                return
        raise SlowInputError(f"{len(data)} bytes took {min(taken):.3f} s of CPU time; {allowed:.3f} s are allowed")

    return timed


def fuzz(name: str, corpus: Path, runs: int, seconds: int, seed: int) -> None:
    """Fuzz a reader; ends the process."""
    import resource

    import atheris

    # a process begins with the peak memory of the one that started it
    at_start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    with atheris.instrument_imports(include=["reversi"]):
        import fuzz_formats
    reader = fuzz_formats.READERS[name]
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(reader.seeds()):
        (corpus / f"seed-{number}").write_bytes(data)
    options = [
        f"-runs={runs}",
        f"-max_total_time={seconds}",
        f"-max_len={reader.max_bytes}",
        f"-timeout={MAX_SECONDS}",
        f"-rss_limit_mb={at_start + MAX_MEGABYTES}",
        f"-artifact_prefix={corpus}/",
        f"-seed={seed}",
        "-print_final_stats=1",
        "-len_control=0",
    ]
    atheris.Setup([sys.argv[0], *options, str(corpus)], timely(reader.check))
    atheris.Fuzz()


def read_one(name: str, path: Path) -> None:
    """Read one input, without libFuzzer."""
    from fuzz_formats import READERS

    timely(READERS[name].check)(path.read_bytes())


def reached(name: str, corpus: Path) -> int:
    """Count the lines of a reader's modules that the corpus reaches; 1 when nothing is in the corpus."""
    from fuzz_formats import READERS

    reader = READERS[name]
    inputs = [path.read_bytes() for path in sorted(corpus.glob("*")) if path.is_file()]
    modules = {str(importlib.import_module(module).__file__): module for module in reader.modules}
    seen: dict[str, set[int]] = {file: set() for file in modules}

    def trace(frame: FrameType, _event: str, _argument: Any) -> Any:
        lines = seen.get(frame.f_code.co_filename)
        if lines is None:
            return None

        def line(frame: FrameType, event: str, _argument: Any) -> Any:
            if event == "line":
                lines.add(frame.f_lineno)
            return line

        lines.add(frame.f_lineno)
        return line

    sys.settrace(trace)
    for data in inputs:
        reader.check(data)
    sys.settrace(None)
    done = total = 0
    for file, module in modules.items():
        lines = _lines(file, reader.apart)
        missed = sorted(lines - seen[file])
        done += len(lines) - len(missed)
        total += len(lines)
        print(f"{module}: {len(lines) - len(missed)} of {len(lines)} lines; not {missed}")
    print(f"{name}: {len(inputs)} inputs reach {done} of {total} lines: {100 * done / max(total, 1):.1f} %")
    return 0 if inputs else 1


def _lines(file: str, apart: tuple[str, ...]) -> set[int]:
    """The lines of the functions of a file, without those named: what runs when the module is used, not loaded."""
    source = Path(file).read_text(encoding="utf-8")
    top = compile(source, file, "exec")
    return {line for code in _functions(top, apart) for line in _lines_of(code)}


def _functions(code: CodeType, apart: tuple[str, ...]) -> Iterator[CodeType]:
    inside = bool(code.co_flags & 0x2)  # its names are fast locals: a function, not a class or the module
    for constant in code.co_consts:
        if not isinstance(constant, CodeType) or constant.co_name in apart:
            continue
        if inside or not constant.co_name.startswith("<"):
            if constant.co_flags & 0x2:
                yield constant
            yield from _functions(constant, apart)


def _lines_of(code: CodeType) -> Iterator[int]:
    for _, _, line in code.co_lines():
        if line is not None and line != code.co_firstlineno:
            yield line


def main() -> int:
    """Run the program; its exit status."""
    parser = argparse.ArgumentParser(description="Fuzz the record readers.")
    parser.add_argument("--reader", required=True, help="which one: a name in the table of fuzz_formats.py")
    parser.add_argument("--corpus", type=Path, required=True, help="folder of inputs; made if it is not there")
    parser.add_argument("--runs", type=int, default=100_000, help="inputs to try (default 100000)")
    parser.add_argument("--seconds", type=int, default=0, help="stop after so many seconds")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers")
    parser.add_argument("--input", type=Path, help="read this input only")
    parser.add_argument("--reached", action="store_true", help="count the lines that the corpus reaches")
    options = parser.parse_args()
    if options.input:
        read_one(options.reader, options.input)
        return 0
    if options.reached:
        return reached(options.reader, options.corpus)
    fuzz(options.reader, options.corpus, options.runs, options.seconds, options.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
