"""Exact medians of large files, beside reading them once and beside other libraries.

    python -m bench.files --folder /a/large/disk --output bench/records/files-numpy.json
    python -m bench.files --size 64MiB --turns 1

A file is made, measured and deleted: first as .npy, then as Parquet, without compression. Each call
runs in a process of its own, after the system was told to forget the file. Reading and our
selection take turns, and the least time of each counts, because other work on the machine only adds
time. Other libraries are asked once, and get `--limit` seconds. A process gets at most 7/8 of the
free memory: what needs more has an error in place of a time, as has a package that is missing.

`of_reading` is the time of reading the file once, in the faster of two ways, by that of the call.
`own_mb` is the most memory that a process had beside the interpreter, without the pages of mapped
files. `error` is the difference from our answer, which counts have proved.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

import numpy as np

from bench.shared.options import PATH, Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from shadersort.sorting.external.schedule import cores, parsed_size

Found = dict[str, Any]

COLUMN = "ms"
"""The only column of a table."""
PART = 1 << 20
"""Keys that are made at a time, and rows of a row group."""
BLOCK = 1 << 20
"""Bytes that are read at a time."""


@command(__doc__)
@repeated("--size", default=("2GiB", "16GiB"), help="of a file")
@option("--folder", type=PATH, default=None, help="where files are made (default: temporary)")
@option("--memory", default="1GiB", help="our budget")
@option("--turns", type=int, default=2, help="the least time of these counts")
@option("--limit", type=float, default=30.0, help="seconds that another library gets")
@option("--one", default=None, hidden=True)
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    if options.one is not None:  # in a process of its own
        print(json.dumps(_measured(**json.loads(options.one))))
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # else the file would stay
    tell(begun("files", size=options.size), measurements(options), options.output)


def measurements(options: Options) -> Iterator[Row]:
    """Make each file in both forms, one after the other, and measure what reads it."""
    for size in options.size:
        for form, make in (("npy", _make_npy), ("parquet", _make_parquet)):
            with TemporaryDirectory(dir=options.folder) as folder:
                path = Path(folder, f"keys.{form}")
                make(path, parsed_size(size) // 4)
                head = {"form": form, "dtype": "float32", "size_bytes": path.stat().st_size}
                yield from (head | {"of": "disk", **row} for row in _of_file(path, form, options))


def _of_file(path: Path, form: str, options: Options) -> Iterator[Row]:
    """Measure all calls that take a form."""
    least: dict[str, Found] = {}
    for name in (*READING, OURS) * options.turns:
        found = _in_a_process(name, path, options)
        if found.get("seconds", 0) < least.get(name, {}).get("seconds", np.inf):
            least[name] = found
    for name, (forms, _) in CALLS.items():
        if name not in least and form in forms:
            least[name] = _in_a_process(name, path, options, options.limit)
    once = min(least[name]["seconds"] for name in READING)
    for name, found in least.items():
        row = {"what": name, **found}
        if "answer" in found:
            row["error"] = abs(found["answer"] - least[OURS]["answer"])
            row["of_reading"] = once / found["seconds"]
        yield row


def _in_a_process(name: str, path: Path, options: Options, limit: float | None = None) -> Found:
    """Run a call in a process of its own; return what it tells, or why it failed."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    told: dict[str, Any] = {"name": name, "path": str(path), "memory": options.memory}
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


def _measured(name: str, path: str, memory: str) -> Found:
    """Run a call; return what it found, the seconds it took, and its memory."""
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    (free,) = (1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    resource.setrlimit(resource.RLIMIT_DATA, (7 * free // 8, 7 * free // 8))
    with watched() as most:
        begun, worked = time.perf_counter(), time.process_time()
        found = CALLS[name][1](path, memory)
        seconds, cpu = time.perf_counter() - begun, time.process_time() - worked
    return {"seconds": seconds, "cpu_seconds": cpu, **most, **found}


def _read_once(path: str, memory: str, threads: int = 1) -> Found:
    size = Path(path).stat().st_size
    ends = [size * each // threads for each in range(threads + 1)]

    def read(ends: tuple[int, int]) -> None:
        begin, end = ends
        buffer = memoryview(bytearray(BLOCK))
        with Path(path).open("rb", buffering=0) as file:
            file.seek(begin)
            while begin < end and (got := file.readinto(buffer[: end - begin])):
                begin += got

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(read, pairwise(ends)))
    return {}


def _ours(path: str, memory: str) -> Found:
    import modern

    return {"answer": float(modern.median(modern.FileKeys(path, memory=memory)))}


def _numpy(path: str, memory: str) -> Found:
    return {"answer": float(np.median(np.load(path, mmap_mode="r")))}


def _duckdb(path: str, memory: str) -> Found:
    import duckdb

    words = f"select quantile_cont({COLUMN}, 0.5) from read_parquet(?)"
    folder: dict[str, Any] = {"temp_directory": str(Path(path).parent)}  # which is deleted
    with duckdb.connect(config=folder) as base:
        found: Any = base.execute(words, [path]).fetchone()
    return {"answer": float(found[0])}


def _polars(path: str, memory: str) -> Found:
    import polars

    column = polars.col(COLUMN).median()
    return {"answer": float(polars.scan_parquet(path).select(column).collect().item())}


READING, OURS, BOTH = ("read once", "read once, by our threads"), "ours", ("npy", "parquet")

CALLS: dict[str, tuple[Sequence[str], Callable[[str, str], Found]]] = {
    READING[0]: (BOTH, _read_once),
    READING[1]: (BOTH, lambda path, memory: _read_once(path, memory, 2 * cores())),
    OURS: (BOTH, _ours),
    "np.median of a memmap": (("npy",), _numpy),
    "DuckDB, quantile_cont": (("parquet",), _duckdb),
    "Polars, median": (("parquet",), _polars),
}
"""The forms of files and the calls, by the name of a row."""


@contextmanager
def watched() -> Iterator[dict[str, float]]:
    """Yield the most memory in use meanwhile, in MB above that in the beginning; it is growing."""
    before, most, ended = _own_mb(), {"own_mb": 0.0}, Event()

    def look() -> None:
        while not ended.wait(0.005):
            most["own_mb"] = max(most["own_mb"], _own_mb() - before)

    thread = Thread(target=look)
    thread.start()
    try:
        yield most
    finally:
        ended.set()
        thread.join()


def _own_mb() -> float:
    """Return the megabytes of this process without mapped files; 0 where no system tells."""
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    return sum(1.024e-3 * int(line.split()[1]) for line in lines if line.startswith("RssAnon:"))


def _make_npy(path: Path, count: int) -> None:
    """Write normal keys, some at a time."""
    with path.open("wb") as file:
        header = {"descr": "<f4", "fortran_order": False, "shape": (count,)}
        np.lib.format.write_array_header_1_0(file, header)
        for keys in _keys(count):
            keys.tofile(file)


def _make_parquet(path: Path, count: int) -> None:
    """Write the same keys as the only column of a table."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([(COLUMN, pa.float32())])
    options = {"compression": "none", "use_dictionary": False}
    with parquet.ParquetWriter(path, schema, **options) as writer:
        for keys in _keys(count):
            writer.write_table(pa.table({COLUMN: keys}, schema=schema))


def _keys(count: int) -> Iterator[Any]:
    for first in range(0, count, PART):
        random = np.random.default_rng([1, first])
        yield random.standard_normal(min(PART, count - first), np.float32)


if __name__ == "__main__":
    main()
