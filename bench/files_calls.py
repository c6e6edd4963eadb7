"""What reads a large file: ours, and other libraries, each measured in the process it runs in."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np

Found = dict[str, Any]

COLUMN = "ms"
"""The only column of the table."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call on a file, and the forms of files that it takes.

    Its function imports what it needs, and returns what is timed.
    """

    prepared: Callable[[str, str, int], Callable[[], Found]]
    forms: tuple[str, ...] = ("npy", "parquet")


def _read(path: str, memory: str, piece: int) -> Callable[[], Found]:
    """Return what reads the file from its beginning to its end."""
    buffer = np.zeros(piece, np.uint8).data

    def run() -> Found:
        with Path(path).open("rb", buffering=0) as file:
            while file.readinto(buffer):
                pass
        return {}

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

    def run() -> Found:
        with duckdb.connect() as base:
            found: Any = base.execute(words, [path]).fetchone()
        return {"answer": float(found[0])}

    return run


def _polars(path: str, memory: str, piece: int) -> Callable[[], Found]:
    import polars

    column = polars.col(COLUMN).median()
    return lambda: {"answer": float(polars.scan_parquet(path).select(column).collect().item())}


CALLS = {
    "read once": Call(_read),
    "ours": Call(_ours),
    "np.median of a memmap": Call(_numpy, ("npy",)),
    "DuckDB, quantile_cont": Call(_duckdb, ("parquet",)),
    "Polars, median": Call(_polars, ("parquet",)),
}
"""By the name of a row."""


def measured(name: str, path: str, memory: str, piece: int) -> Found:
    """Run a call; return what it found, the seconds it took, and its memory."""
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
