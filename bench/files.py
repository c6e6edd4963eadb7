"""Exact medians of large files: rounds beside reading once, and other libraries.

    python -m bench.files --folder /a/large/disk --output bench/records/files-numpy.json
    python -m bench.files --size 64MiB --turns 1 --only "Polars, median"

A file is made, measured and deleted: first as .npy, then as Parquet, without compression. So the
folder needs room for the largest file once. Each call runs in a process of its own. `of` says
where the keys came from: `disk`, if the system was told to forget the file before the call, or
`cache`, if it had read the file just before. What does not fit into free memory is not read from
there.

Reading and our selection take `--turns` turns, and the least time of each counts, because other
work on the machine only adds time. Meanwhile `--hold` memory is in use, so that the system reads
into memory that it used just before, as where a machine has run for long: a virtual machine takes
its time over memory that was not used for seconds. Other libraries are asked once, have all memory,
and get `--limit` seconds.

`of_reading` is the rate of a round by that of reading the file once, from the same place, in the
faster of two ways: by one thread, and by as many as ours. Where our whole selection has it, it is
the time of one such read by that of the selection. `cpu_seconds` are those of all cores together:
they tell more than `seconds` where other work runs. A process gets at most `--most` memory: what
needs more has an error in place of a time, as has a package that is missing.

`own_mb` is the most memory that a process had beside the interpreter, and `mapped_mb` that with the
pages of mapped files, which the system may take back. `error` is the difference from our answer,
which counts have proved.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from mmap import PAGESIZE, mmap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np

from bench.files_calls import ALWAYS, CALLS, OURS, READING, Found, measured, read_in_threads
from bench.files_made import MAKERS
from bench.shared.options import PATH, Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from shadersort.selection.files.budget import LARGEST_PIECE
from shadersort.sorting.external.schedule import parsed_size

SAMPLE = "sampling"
"""The round that reads single keys, or some pieces."""


@command(__doc__)
@repeated("--size", default=("2GiB", "16GiB"), help="of a file")
@option("--dtype", default="float32", help="float32 or float64")
@option("--folder", type=PATH, default=None, help="where files are made (default: temporary)")
@option("--memory", default="1GiB", help="our budget")
@option("--turns", type=int, default=2, help="the least time of so many counts")
@option("--hold", default="0", help="memory in use meanwhile")
@option("--limit", type=float, default=30.0, help="seconds that another library gets")
@option("--most", default=None, help="memory of a process (default: 7/8 of what is free)")
@repeated("--only", type=click.Choice(list(CALLS)), help="beside ours; default: all")
@option("--one", default=None, hidden=True)
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    if options.one is not None:  # in a process of its own
        print(json.dumps(measured(**json.loads(options.one))))
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # else the file would stay
    tell(begun("files", size=options.size), measurements(options), options.output)


def measurements(options: Options) -> Iterator[Row]:
    """Make each file in both forms, one after the other, and measure what reads it."""
    for size in options.size:
        count = parsed_size(size) // np.dtype(options.dtype).itemsize
        for form, make in MAKERS.items():
            with TemporaryDirectory(dir=options.folder) as folder:
                path = Path(folder, f"keys.{form}")
                make(path, count, options.dtype)
                head = {"form": form, "dtype": options.dtype, "size_bytes": path.stat().st_size}
                yield from (head | row for row in _of_file(path, form, options))


def _of_file(path: Path, form: str, options: Options) -> Iterator[Row]:
    """Measure all calls that take a form; yield the rows of reading and ours first."""
    names = [name for name, call in CALLS.items() if form in call.forms and is_asked(name, options)]
    always, size = [name for name in names if name in ALWAYS], path.stat().st_size
    with held(parsed_size(options.hold)):
        read_in_threads(str(path), options.memory)
        from_disk = _least(always, path, options, cold=True)
        yield from rows_of("disk", from_disk, size)
        if size < free_memory() - 2 * parsed_size(options.memory):
            read_in_threads(str(path), options.memory)
            yield from rows_of("cache", _least(always, path, options, cold=False), size)
    for name in names:
        if name not in always:
            found = _in_a_process(name, path, options, cold=True, limit=options.limit)
            yield from rows_of("disk", {name: found}, size, from_disk[OURS].get("answer"))


def _least(names: Sequence[str], path: Path, options: Options, *, cold: bool) -> dict[str, Found]:
    """Return the fastest of some turns of each call."""
    least: dict[str, Found] = {}
    for _ in range(options.turns):
        for name in names:
            found = _in_a_process(name, path, options, cold=cold)
            if name not in least or found.get("seconds", 0) < least[name].get("seconds", 0):
                least[name] = found
    return least


def rows_of(
    of: str, found: dict[str, Found], size: int, answer: float | None = None
) -> Iterator[Row]:
    """Yield the rounds of ours, if it is there, and then each call, beside our answer."""
    ours = found.get(OURS, {})
    answer = ours.get("answer", answer)
    once = min((found[name]["seconds"] for name in READING if name in found), default=np.nan)
    for what, took in ours.get("rounds", {}).items():
        row: Row = {"of": of, "what": f"round: {what}", **took}
        seconds = took["seconds"]
        if what != SAMPLE:  # which reads a part only
            row |= {"gb_per_s": size / seconds / 1e9, "of_reading": once / seconds}
        yield row
    for name, one in found.items():
        row = {"of": of, "what": name} | {each: one[each] for each in one if each != "rounds"}
        if name == OURS and "seconds" in one:
            row["of_reading"] = once / one["seconds"]
        if answer is not None and "answer" in one:
            row["error"] = abs(one["answer"] - answer)
        yield row


def _in_a_process(
    name: str, path: Path, options: Options, *, cold: bool, limit: float | None = None
) -> Found:
    """Run a call in a process of its own; return what it tells, or why it failed."""
    if cold:
        forget(path)
    told: dict[str, Any] = {"name": name, "path": str(path), "memory": options.memory}
    told["piece"] = LARGEST_PIECE
    told["room"] = parsed_size(options.most) if options.most else 7 * free_memory() // 8
    words = [sys.executable, "-m", "bench.files", "--one", json.dumps(told)]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"why": f"takes more than {limit:g} s"}
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        return {"why": lines[-1] if lines else f"ended by signal {-done.returncode}"}
    found: Found = json.loads(done.stdout)
    return found


def is_asked(name: str, options: Options) -> bool:
    """Whether a call is measured: reading and ours always are."""
    return not options.only or name in (*ALWAYS, *options.only)


def free_memory() -> int:
    """Return how many bytes the system can give to processes."""
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    (line,) = (each for each in lines if each.startswith("MemAvailable:"))
    return 1024 * int(line.split()[1])


@contextmanager
def held(size: int) -> Iterator[None]:
    """Have some memory in use."""
    with mmap(-1, max(size, PAGESIZE)) as memory:
        for page in range(0, size, PAGESIZE):
            memory[page] = 1
        yield


def forget(path: Path) -> None:
    """Let the system forget what it has of a file, where it can."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


if __name__ == "__main__":
    main()
