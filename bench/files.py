"""Exact medians of a large file: rounds beside reading it once, and other libraries.

    python -m bench.files --size 16GiB --folder /a/large/disk --output bench/records/files-….json
    python -m bench.files --size 64MiB --turns 1 --only "Polars, median"

The file is made, measured and deleted: first as .npy, then as Parquet, without compression. Each
call runs in a process of its own, and before it the system forgets the file, where it can; with
--warm it need not. Calls take turns, and the least time of each counts, because other work on the
machine only adds time.

`of_reading` is the rate of a round by that of reading the file once, in pieces of the same size.
`cpu_seconds` are those of all cores together: they tell more than `seconds` where other work runs.
`of_reading` of ours is that of reading the file once by the whole selection. A process gets at most
`--most` memory: what needs more has an error in place of a time, as has a package that is missing.

`own_mb` is the most memory that a process had beside the interpreter, and `mapped_mb` that with the
pages of mapped files, which the system may take back. `error` is the difference from our answer,
which counts have proved.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np

from bench.files_calls import CALLS, COLUMN, Found, measured
from bench.shared.options import PATH, Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from shadersort.selection.files.budget import LARGEST_PIECE
from shadersort.sorting.external.schedule import parsed_size

PART = 1 << 20
"""Keys that are made at a time, and rows of a row group."""

SAMPLE = "sampling"
"""The round that reads single keys, or some pieces."""


@command(__doc__)
@option("--size", default="16GiB", help="of the file")
@option("--dtype", default="float32", help="float32 or float64")
@option("--folder", type=PATH, default=None, help="where the file is made (default: temporary)")
@option("--memory", default="1GiB", help="our budget")
@option("--turns", type=int, default=3, help="the least time of so many counts")
@option("--warm", is_flag=True, help="leave the file in the system's cache")
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
    """Make the file in both forms, one after the other, and measure what reads it."""
    count = parsed_size(options.size) // np.dtype(options.dtype).itemsize
    with TemporaryDirectory(dir=options.folder) as folder:
        for form, make in (("npy", make_npy), ("parquet", make_parquet)):
            path = Path(folder, f"keys.{form}")
            make(path, count, options.dtype)
            yield from _of_file(path, form, options)
            path.unlink()


def make_npy(path: Path, count: int, dtype: str) -> None:
    """Write random keys, some at a time."""
    with path.open("wb") as file:
        header = {"descr": np.dtype(dtype).str, "fortran_order": False, "shape": (count,)}
        np.lib.format.write_array_header_1_0(file, header)
        for keys in _keys(count, dtype):
            keys.tofile(file)


def make_parquet(path: Path, count: int, dtype: str) -> None:
    """Write the same keys as the only column of a table."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([(COLUMN, pa.from_numpy_dtype(np.dtype(dtype)))])
    options = {"compression": "none", "use_dictionary": False}
    with parquet.ParquetWriter(path, schema, **options) as writer:
        for keys in _keys(count, dtype):
            writer.write_table(pa.table({COLUMN: keys}, schema=schema))


def _keys(count: int, dtype: str) -> Iterator[Any]:
    rng = np.random.default_rng(1)
    for first in range(0, count, PART):
        yield rng.standard_normal(min(PART, count - first), np.dtype(dtype).type)


def _of_file(path: Path, form: str, options: Options) -> Iterator[Row]:
    """Measure all calls that take a form, in turns; yield the rows of ours first."""
    names = [name for name, call in CALLS.items() if form in call.forms and is_asked(name, options)]
    least: dict[str, Found] = {}
    for _ in range(options.turns):
        for name in names:
            found = _in_a_process(name, path, options)
            if name not in least or found.get("seconds", 0) < least[name].get("seconds", 0):
                least[name] = found
    head = {"form": form, "dtype": options.dtype, "size_bytes": path.stat().st_size}
    for row in _rows(least, path.stat().st_size):
        yield head | row


def _rows(least: dict[str, Found], size: int) -> Iterator[Row]:
    """Yield our rounds, and then each call beside our answer."""
    once, ours = least["read once"]["seconds"], least["ours"]
    for what, took in ours.get("rounds", {}).items():
        row: Row = {"what": f"round: {what}", **took}
        seconds = took["seconds"]
        if what != SAMPLE:  # which reads a part only
            row |= {"gb_per_s": size / seconds / 1e9, "of_reading": once / seconds}
        yield row
    for name, found in least.items():
        row = {"what": name} | {each: found[each] for each in found if each != "rounds"}
        if name == "ours" and "seconds" in found:
            row["of_reading"] = once / found["seconds"]
        if "answer" in found and "answer" in ours:
            row["error"] = abs(found["answer"] - ours["answer"])
        yield row


def _in_a_process(name: str, path: Path, options: Options) -> Found:
    """Run a call in a process of its own; return what it tells, or why it failed."""
    if not options.warm:
        forget(path)
    told: dict[str, Any] = {"name": name, "path": str(path), "memory": options.memory}
    told["piece"] = LARGEST_PIECE
    told["room"] = parsed_size(options.most) if options.most else 7 * free_memory() // 8
    words = [sys.executable, "-m", "bench.files", "--one", json.dumps(told)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        return {"why": lines[-1] if lines else f"ended by signal {-done.returncode}"}
    found: Found = json.loads(done.stdout)
    return found


def is_asked(name: str, options: Options) -> bool:
    """Whether a call is measured: reading and ours always are."""
    return not options.only or name in ("ours", *options.only) or name.startswith("read ")


def free_memory() -> int:
    """Return how many bytes the system can give to processes."""
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    (line,) = (each for each in lines if each.startswith("MemAvailable:"))
    return 1024 * int(line.split()[1])


def forget(path: Path) -> None:
    """Let the system forget what it has of a file, where it can."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


if __name__ == "__main__":
    main()
