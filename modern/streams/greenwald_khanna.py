"""Greenwald and Khanna's summaries on a GPU, merged and compressed there: kernels/gk_*.cu.

The same as `shadersort/streams/greenwald_khanna.py`, byte for byte.
"""

import threading
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeVar

import cupy
import numpy as np
from cupy.cuda import runtime

from modern.launching.waiting import Launcher
from modern.streams.row_sort import sorted_rows, widened
from modern.streams.staging import to_host
from shadersort.keys.types import Integers
from shadersort.streams.greenwald_khanna import COLUMNS, GKStack, GKSummaries, Place, rank_type

KEPT = 8
"""Arrays of ranks on the device, for each thread."""

Name = TypeVar("Name", bound=Hashable)

_local = threading.local()


@dataclass(frozen=True, slots=True, eq=False)
class GKSummariesOnGPU:
    """Greenwald-Khanna summaries of several sets of equal size, one a row, in CuPy arrays.

    This class has the ranks, not their increments: the kernels place an entry by a search, which
    also finds by how much its ranks grow in a union.

    Attributes
    ----------
    values
        In order, of shape (summaries, entries), contiguous.
    smallest, before
        The smallest rank of each entry, and the largest less 1; all summaries may share one row.
    size
        How many values each set has.
    """

    values: Any
    smallest: Any
    before: Any
    size: int

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: slice) -> Self:
        smallest, before = self.smallest, self.before
        if not self._shared:
            smallest, before = smallest[rows], before[rows]
        return type(self)(self.values[rows], smallest, before, self.size)

    @property
    def entries(self) -> int:
        """How many entries each summary has."""
        return int(self.values.shape[1])

    @property
    def _shared(self) -> bool:
        return len(self.smallest) == 1

    @property
    def _sizes(self) -> tuple[np.uint64, np.uint64, np.uint64]:
        """The summaries, the entries of each, and the distance between rows of ranks."""
        stride = 0 if self._shared else self.entries
        return np.uint64(len(self)), np.uint64(self.entries), np.uint64(stride)

    def preceded_by(self, *others: Any) -> Self:
        """Return the summaries of others followed by these; others may be on the host."""
        given = [_given(each) if isinstance(each, GKSummaries) else each for each in others]
        stacks = [*given, self]
        sets = [len(each) for each in stacks]
        values = _joined([each.values for each in stacks], sets)
        smallest, before = stacks[-1].smallest, stacks[-1].before
        if not (self._shared and all(each.smallest is smallest for each in stacks)):
            smallest = _joined([each.smallest for each in stacks], sets)
            before = _joined([each.before for each in stacks], sets)
        return type(self)(values, smallest, before, self.size)

    def on_host(self, stacks: Mapping[Place, GKStack]) -> Mapping[Place, GKStack]:
        """Return stacks by their places, those of this class on the host, by one copy for all."""
        here = {place: each for place, each in stacks.items() if isinstance(each, GKSummariesOnGPU)}
        if not here:
            return stacks
        like = {
            (place, name): Like(each.values.shape, np.dtype(dtype))
            for place, each in here.items()
            for name, dtype in zip(COLUMNS, each._types, strict=True)
        }
        there = cupy.empty(length_of(like), np.uint8)
        views = views_of(there, like)
        for place, each in here.items():
            each._put(*(views[place, name] for name in COLUMNS))
        arrays = views_of(to_host(there), like)
        found = {place: GKSummaries(*(arrays[place, name] for name in COLUMNS)) for place in here}
        return {**stacks, **found}

    @property
    def _types(self) -> tuple[Any, Any, Any]:
        return self.values.dtype, self.smallest.dtype, self.before.dtype

    def _put(self, values: Any, lower: Any, upper: Any) -> None:
        """Write the columns of `GKSummaries` into arrays on the GPU."""
        _copy(self.values, values)
        arguments = self.smallest, self.before, *self._sizes, np.uint64(self.size), lower, upper
        _run("gk_increments", self.smallest.dtype, values.size, arguments)

    def merged_in_pairs(self) -> Self:
        """Merge the first and the second summary, the third and the fourth, …."""
        size, values = 2 * self.size, widened(self.values)
        ranks = rank_type(size)
        given = (each.astype(ranks, copy=False) for each in (self.smallest, self.before))
        found = self._room(values.dtype, ranks, len(self) // 2, 2 * self.entries)
        arguments = values, *given, *self._sizes, np.uint64(self.size), *found
        _run("gk_merged_pairs", values.dtype, values.size, arguments, RANK_BYTES=ranks.itemsize)
        return self._of(found, size)

    def compressed(self, size: int, step: int) -> Self:
        """Return summaries of sets of `size` values with one entry for every `step` ranks."""
        values, ranks = widened(self.values), self.smallest.dtype
        kept = (size - 1) // step + 2
        found = self._room(values.dtype, ranks, len(self), kept)
        wanted = np.uint64(step), np.uint64(kept)
        arguments = values, self.smallest, self.before, *self._sizes, *wanted, *found
        _run("gk_compressed", values.dtype, found[0].size, arguments, RANK_BYTES=ranks.itemsize)
        return self._of(found, size)

    @staticmethod
    def _room(values: Any, ranks: Any, sets: int, entries: int) -> list[Any]:
        return [cupy.empty((sets, entries), dtype) for dtype in (values, ranks, ranks)]

    def _of(self, found: list[Any], size: int) -> Self:
        values, smallest, before = found
        return type(self)(values.astype(self.values.dtype, copy=False), smallest, before, size)


def gk_summaries(windows: Any, ranks: Integers) -> GKSummariesOnGPU:
    """Return a summary of each window: its keys at some ranks, 0.0 for −0.0."""
    places, smallest, before = _there(ranks, windows.shape[1])
    values = plain_zeros(sorted_rows(windows).take(places, axis=1))
    return GKSummariesOnGPU(values, smallest, before, windows.shape[1])


def _there(ranks: Any, size: int) -> tuple[Any, ...]:
    """Return ranks, counted from 0, on the GPU, and the bounds of ranks in windows of a size.

    A summary asks for the same ranks again and again, and a small copy may have to wait for large
    copies in progress. So the last arrays are cached: one set for each CUDA stream, because another
    stream neither waits for the copy nor knows when the arrays are freed.
    """
    kept: dict[tuple[int, ...], tuple[Any, ...]] = _local.__dict__.setdefault("ranks", {})
    stream = cupy.cuda.get_current_stream().ptr
    key = id(ranks), size, runtime.getDevice(), stream
    found = kept.get(key)
    if found is None or found[0] is not ranks:
        typed = ranks.astype(rank_type(size))[None]
        found = kept[key] = ranks, *map(cupy.asarray, (ranks, typed + 1, typed))
        while len(kept) > KEPT:
            kept.pop(next(iter(kept)))
    return found[1:]


def _given(summaries: GKSummaries) -> GKSummariesOnGPU:
    """Return summaries of the host on the GPU, by one copy."""
    size = summaries.size
    ranks = (each.astype(rank_type(size)) for each in (summaries.smallest, summaries.before))
    columns = dict(zip(("values", "smallest", "before"), (summaries.values, *ranks), strict=True))
    data = np.empty(length_of(columns), np.uint8)
    for name, view in views_of(data, columns).items():
        view[...] = columns[name]
    return GKSummariesOnGPU(**views_of(cupy.asarray(data), columns), size=size)


def _joined(matrices: Sequence[Any], sets: Sequence[int]) -> Any:
    """Return the rows of several matrices; a matrix of one row repeats it for each of its sets."""
    found = cupy.empty((sum(sets), matrices[0].shape[1]), matrices[0].dtype)
    start = 0
    for matrix, count in zip(matrices, sets, strict=True):
        part = found[start : (start := start + count)]
        if matrix.shape == part.shape and matrix.dtype == part.dtype:
            _copy(matrix, part)
        else:
            part[...] = matrix
    return found


def _copy(source: Any, target: Any) -> None:
    """Copy a contiguous array to another like it; this starts faster than a copy by CuPy."""
    kind, stream = runtime.memcpyDeviceToDevice, cupy.cuda.get_current_stream().ptr
    runtime.memcpyAsync(target.data.ptr, source.data.ptr, source.nbytes, kind, stream)


def plain_zeros(keys: Any) -> Any:
    """Return keys with 0.0 for −0.0, by their bits: CuPy's additions flush denormals."""
    if keys.dtype.kind != "f":
        return keys
    bits = keys.view(f"u{keys.itemsize}")
    minus = bits.dtype.type(1 << (8 * keys.itemsize - 1))
    return cupy.where(bits == minus, bits.dtype.type(0), bits).view(keys.dtype)


def _run(name: str, dtype: Any, threads: int, arguments: tuple[Any, ...], **macros: int) -> None:
    """Run a kernel for a type of key with a number of threads."""
    if threads:
        launcher = Launcher(np.dtype(dtype))
        launcher.run_threads(launcher.kernel(name, **macros), arguments, threads)


class Like(NamedTuple):
    """The shape and the type of an array."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def nbytes(self) -> int:
        """The bytes of the array."""
        return int(np.prod(self.shape)) * self.dtype.itemsize


def length_of(like: Mapping[Name, Any]) -> int:
    """Return the bytes of several arrays together."""
    return sum(each.nbytes for each in like.values())


def views_of(data: Any, like: Mapping[Name, Any]) -> dict[Name, Any]:
    """Return views of bytes as arrays with the shapes and the types of others.

    Arrays of the widest type come first, so every array is aligned.

    Examples
    --------
    >>> wide = Like((1,), np.dtype(np.int64))
    >>> found = views_of(np.zeros(10, np.uint8), {"a": Like((1, 2), np.dtype(np.int8)), "b": wide})
    >>> found["a"].shape, found["b"].dtype.name
    ((1, 2), 'int64')
    """
    found, end = dict[Name, Any](), 0
    for name in sorted(like, key=lambda name: -like[name].dtype.itemsize):
        each = like[name]
        part = data[end : (end := end + each.nbytes)]
        found[name] = part.view(each.dtype).reshape(each.shape)
    return found
