"""Where the stream of a benchmark lies: on a GPU, in pinned memory, in files, or behind a pipe.

Files are written to a temporary folder, and the system's cache holds them while they are measured.
A pipe is fed by a process of its own, `cat`. Beside each of these, the same bytes are only brought
into memory, in the fastest of a few ways: that is the rate of the medium.
"""

import importlib.util
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from shadersort import CorrelatedSum
from shadersort.keys.types import Keys
from shadersort.sorting.external.schedule import cores
from shadersort.streams.raw_pipe import RawPipe

FILES = ("npy", "parquet", "pipe")
"""Places that are no memory."""
ROWS = 1 << 20
"""Rows of a row group, which one thread decodes."""
READ = 8 << 20
"""Bytes that a thread reads at a time."""


@dataclass(frozen=True)
class Lying:
    """A stream that lies somewhere.

    Attributes
    ----------
    feed
        Gives all of it to a summary.
    read
        Ways to bring it into memory, and nothing else; each returns its seconds.
    """

    feed: Callable[[Any], Any]
    read: Sequence[Callable[[], float]]


@contextmanager
def lying(
    place: str, stream: Sequence[Keys], rooms: Sequence[Keys], folder: Any
) -> Iterator[Lying]:
    """Put the columns of a stream into files of a folder, which are deleted in the end.

    `rooms` are arrays of the same sizes, to read into.
    """
    with TemporaryDirectory(dir=folder) as name:
        paths = [Path(name, f"{i}.{place}") for i in range(len(stream))]
        for path, column in zip(paths, stream, strict=True):
            WRITERS[place](path, column)
        if place == "parquet":
            yield Lying(partial(_from_files, paths), [partial(_decoded, paths)])
        elif place == "npy":
            ways = [partial(_read, paths, rooms, threads) for threads in {1, cores()}]
            yield Lying(partial(_from_files, paths), ways)
        else:
            yield Lying(partial(_from_pipes, paths, rooms), [partial(_piped, paths, rooms)])


def missing(place: str) -> str | None:
    """Return why a place cannot be measured; None if it can."""
    if place == "parquet" and not importlib.util.find_spec("pyarrow"):
        return "pyarrow is not installed"
    return None


def _write_parquet(path: Path, column: Keys) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.table({"values": column})
    options = {"compression": "none", "use_dictionary": False, "row_group_size": ROWS}
    parquet.write_table(table, path, **options)


WRITERS: dict[str, Callable[[Path, Keys], Any]] = {
    "npy": np.save,
    "parquet": _write_parquet,
    "pipe": lambda path, column: column.tofile(path),
}
"""What writes a column into a file."""


def _from_files(paths: Sequence[Path], summary: Any) -> None:
    summary.update_from(*paths)


def _from_pipes(paths: Sequence[Path], columns: Sequence[Keys], summary: Any) -> None:
    options = [{"dtype": column.dtype} for column in columns]
    with _cats(paths) as files:
        if isinstance(summary, CorrelatedSum):
            summary.update_from(*files, of_x=options[0], of_y=options[1])
        else:
            summary.update_from(*files, **options[0])


@contextmanager
def _cats(paths: Sequence[Path]) -> Iterator[list[Any]]:
    """Yield pipes that processes feed with files."""
    fed = [subprocess.Popen(["cat", path], stdout=subprocess.PIPE, bufsize=0) for path in paths]
    try:
        yield [each.stdout for each in fed]
    finally:
        for each in fed:
            with each:
                assert each.stdout
                each.stdout.close()


def _read(paths: Sequence[Path], rooms: Sequence[Keys], threads: int) -> float:
    """Read files into memory by some threads; return the seconds."""
    started = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        for path, room in zip(paths, rooms, strict=True):
            begin = path.stat().st_size - room.nbytes
            places = range(0, room.nbytes, READ)
            list(pool.map(partial(_read_part, path, begin, room.view(np.uint8)), places))
    return time.perf_counter() - started


def _read_part(path: Path, begin: int, room: Keys, place: int) -> None:
    with path.open("rb", buffering=0) as file:
        file.seek(begin + place)
        rest = room[place : place + READ].data
        while rest and (got := file.readinto(rest)):
            rest = rest[got:]


def _decoded(paths: Sequence[Path]) -> float:
    """Decode Parquet files into memory by all threads of pyarrow; return the seconds."""
    from pyarrow import parquet

    started = time.perf_counter()
    for path in paths:
        parquet.read_table(path)
    return time.perf_counter() - started


def _piped(paths: Sequence[Path], rooms: Sequence[Keys]) -> float:
    """Read pipes into memory, one thread each; return the seconds."""
    with _cats(paths) as files, ThreadPoolExecutor(len(paths)) as pool:
        started = time.perf_counter()
        pipes = [RawPipe(file, room.dtype) for file, room in zip(files, rooms, strict=True)]
        found = list(pool.map(RawPipe.read_into, pipes, rooms))
        seconds = time.perf_counter() - started
    assert [len(each) for each in found] == [len(each) for each in rooms]
    return seconds
