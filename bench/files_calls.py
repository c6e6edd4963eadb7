"""What reads a large file: ours, and other libraries, each measured in the process it runs in."""

import resource
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np

from bench.files_made import COLUMN
from shadersort.selection.files.source import cut

Found = dict[str, Any]

CHUNK = 1 << 22
"""Keys of a chunk of Dask."""

Prepared = Callable[[str, str, int], Callable[[], Found]]
"""Takes a path, our budget, and the bytes of a piece; returns what is timed."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call on a file, and the forms of files that it takes.

    Its function imports what it needs, and returns what is timed.
    """

    prepared: Prepared
    forms: tuple[str, ...] = ("npy", "parquet")


def _read(path: str, memory: str, piece: int) -> Callable[[], Found]:
    """Return what reads the file from its beginning to its end."""

    def run() -> Found:
        _read_stretch(path, 0, Path(path).stat().st_size, piece)
        return {}

    return run


def _read_together(path: str, memory: str, piece: int) -> Callable[[], Found]:
    """Return what reads the file by as many threads as ours has, and computes nothing."""

    def run() -> Found:
        read_in_threads(path, memory)
        return {}

    return run


def read_in_threads(path: str, memory: str) -> None:
    """Read a file in as many stretches as a selection from it has threads."""
    from concurrent.futures import ThreadPoolExecutor

    from shadersort.selection.files.budget import Budget
    from shadersort.selection.primitives.between_blocks import BLOCK

    size, threads = Path(path).stat().st_size, Budget.of(memory).threads
    ends = [size * each // threads for each in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda ends: _read_stretch(path, ends[0], ends[1], BLOCK), pairwise(ends)))


def _read_stretch(path: str, begin: int, end: int, block: int) -> None:
    """Read some bytes of a file into memory that is used again and again."""
    buffer = memoryview(bytearray(block))
    with Path(path).open("rb", buffering=0) as file:
        file.seek(begin)
        while begin < end and (got := file.readinto(buffer[: end - begin])):
            begin += got


def _compared(path: str, memory: str, piece: int) -> Callable[[], Found]:
    """Return what reads the file as ours does, and compares each key once: NumPy can do no less."""
    from concurrent.futures import ThreadPoolExecutor

    from modern.files import FileKeys

    source = FileKeys(path, memory=memory).source

    def below(places: Sequence[int]) -> int:
        with source.one_after_another():
            blocks = chain.from_iterable(map(source.blocks, places))
            return sum(int(np.count_nonzero(block < 0)) for block in blocks)

    def run() -> Found:
        places, step = range(len(source.sizes)), source.neighbours
        neighbours = [places[first : first + step] for first in places[::step]]
        with ThreadPoolExecutor(source.threads) as pool:
            return {"below": sum(pool.map(below, neighbours))}

    return run


def _ours(path: str, memory: str, piece: int) -> Callable[[], Found]:
    from modern.files import FileKeys
    from shadersort.selection import median
    from shadersort.selection.files import asking

    rounds: dict[str, dict[str, float]] = {}

    def run() -> Found:
        keys = FileKeys(path, memory=memory).primitives()
        ask_all = keys.ask_all

        def timed(parts: Any, asks: Any) -> list[Any]:
            begun, worked = time.perf_counter(), time.process_time()
            answers = ask_all(parts, asks)
            rounds[asking.title_of(asks[0][0])] = {
                "seconds": time.perf_counter() - begun,
                "cpu_seconds": time.process_time() - worked,
            }
            return answers

        keys.ask_all = timed
        answer = float(median(keys))
        return {"answer": answer, "rounds": rounds, "reads": keys.reads}

    return run


def _numpy(path: str, memory: str, piece: int) -> Callable[[], Found]:
    return lambda: {"answer": float(np.median(np.load(path, mmap_mode="r")))}


def _duckdb(path: str, memory: str, piece: int) -> Callable[[], Found]:
    import duckdb

    words = f"select quantile_cont({COLUMN}, 0.5) from read_parquet(?)"
    config: dict[str, Any] = {
        "temp_directory": str(Path(path).parent)
    }  # which is deleted in the end

    def run() -> Found:
        with duckdb.connect(config=config) as base:
            found: Any = base.execute(words, [path]).fetchone()
        return {"answer": float(found[0])}

    return run


def _polars(path: str, memory: str, piece: int) -> Callable[[], Found]:
    import polars

    column = polars.col(COLUMN).median()
    return lambda: {"answer": float(polars.scan_parquet(path).select(column).collect().item())}


def _in_chunks(path: str) -> Any:
    """Return a Dask array whose chunks are read when a task asks for them.

    `from_array` is no way to make it: of a memory map it copies all keys at once.
    """
    import dask.array

    keys = np.load(path, mmap_mode="r")
    sizes = cut(keys.size, CHUNK)
    meta = np.empty(0, keys.dtype)
    return dask.array.map_blocks(_chunk, path, chunks=(tuple(sizes),), dtype=keys.dtype, meta=meta)


def _chunk(path: str, block_info: Any = None) -> Any:
    """Return a chunk of a Dask array: a part of a memory map."""
    ((begin, end),) = block_info[None]["array-location"]
    return np.load(path, mmap_mode="r")[begin:end]


def _on_dask(path: str, memory: str, piece: int) -> Callable[[], Found]:
    import modern

    return lambda: {"answer": float(modern.median(_in_chunks(path)))}


def _dask(name: str) -> Prepared:
    """Return what asks a function of Dask: of chunks if it takes them, else of a single chunk."""

    def prepared(path: str, memory: str, piece: int) -> Callable[[], Found]:
        import dask.array

        keys: Any = _in_chunks(path)
        found: dict[str, Callable[[], Any]] = {
            "percentile": lambda: dask.array.percentile(keys, [50])[0],
            "median": lambda: dask.array.median(keys.rechunk(-1), axis=0),
            "quantile": lambda: dask.array.quantile(keys.rechunk(-1), 0.5, axis=0),
        }
        return lambda: {"answer": float(np.asarray(found[name]()))}

    return prepared


def _xarray(path: str, memory: str, piece: int) -> Callable[[], Found]:
    import xarray

    array = xarray.DataArray(np.load(path, mmap_mode="r"), dims="t", name=COLUMN)
    return lambda: {"answer": float(array.quantile(0.5))}


READING = ("read once", "read once, by our threads")

COMPARED, OURS = "read and compared once", "ours"

ALWAYS = (*READING, COMPARED, OURS)
"""Calls that are always measured."""

CALLS: dict[str, Call] = {
    READING[0]: Call(_read),
    READING[1]: Call(_read_together),
    COMPARED: Call(_compared, ("npy",)),
    OURS: Call(_ours),
    "ours, on a Dask array": Call(_on_dask, ("npy",)),
    "np.median of a memmap": Call(_numpy, ("npy",)),
    "dask.array.percentile": Call(_dask("percentile"), ("npy",)),
    "dask.array.median of one chunk": Call(_dask("median"), ("npy",)),
    "dask.array.quantile of one chunk": Call(_dask("quantile"), ("npy",)),
    "xarray, quantile": Call(_xarray, ("npy",)),
    "DuckDB, quantile_cont": Call(_duckdb, ("parquet",)),
    "Polars, median": Call(_polars, ("parquet",)),
}
"""By the name of a row."""


def measured(name: str, path: str, memory: str, piece: int, room: int | None = None) -> Found:
    """Run a call; return what it found, the seconds it took, and its memory.

    With `room`, this process gets no more bytes of memory: what needs more than the machine has
    ends with an error, and not the machine.
    """
    if room is not None:
        resource.setrlimit(resource.RLIMIT_DATA, (room, room))
    run = CALLS[name].prepared(path, memory, piece)
    with watched() as most:
        begun, worked = time.perf_counter(), time.process_time()
        found = run()
        seconds, cpu = time.perf_counter() - begun, time.process_time() - worked
    return {"seconds": seconds, "cpu_seconds": cpu, **most, **found}


FIELDS = {"own_mb": "RssAnon", "mapped_mb": "VmRSS"}
"""What the system calls the memory of a process."""

EVERY = 0.005
"""Seconds between two looks."""


@contextmanager
def watched() -> Iterator[dict[str, float]]:
    """Yield the most memory in use meanwhile, in MB above that in the beginning; it is growing."""
    before, most, ended = _memory(), dict.fromkeys(FIELDS, 0.0), Event()

    def look() -> None:
        while not ended.wait(EVERY):
            for name, now in _memory().items():
                most[name] = max(most[name], now - before[name])

    thread = Thread(target=look)
    thread.start()
    try:
        yield most
    finally:
        ended.set()
        thread.join()


def _memory() -> dict[str, float]:
    """Return the megabytes of this process; none where the system does not tell."""
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    known = dict(line.split(":", 1) for line in lines if ":" in line)
    return {name: 1.024e-3 * int(known.get(key, "0 kB").split()[0]) for name, key in FIELDS.items()}
