"""Ranked values on a GPU: the kernels of `shadersort.streams.greenwald_khanna`."""

import threading
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeVar

import cupy
import numpy as np
from cupy.cuda import runtime

from modern.launching.launch import Launcher
from modern.streams.row_sort import sorted_rows, widened
from modern.streams.staging import to_host
from shadersort.streams.greenwald_khanna import COLUMNS, Place, Ranked, RankedSets, rank_type

__all__ = ["RankedOnGPU", "ranked_rows"]

KEPT = 8
"""Arrays of ranks on the device, for each thread."""

Name = TypeVar("Name", bound=Hashable)

_local = threading.local()


@dataclass(frozen=True, slots=True, eq=False)
class RankedOnGPU:
    """Ranked values of several sets of equal size in CuPy arrays.

    It has the ranks, and not what they grow by: here an entry is placed by a search, which tells
    what its rank grows by in a union.

    Attributes
    ----------
    values
        In order, of shape (sets, entries), contiguous.
    smallest, before
        The smallest rank of each entry, and the largest, less 1; all sets may share one row.
    size
        How many values each set has.
    """

    values: Any
    smallest: Any
    before: Any
    size: int

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, sets: slice) -> Self:
        smallest, before = self.smallest, self.before
        if not self._shared:
            smallest, before = smallest[sets], before[sets]
        return type(self)(self.values[sets], smallest, before, self.size)

    @property
    def entries(self) -> int:
        """How many entries each set has."""
        return int(self.values.shape[1])

    @property
    def _shared(self) -> bool:
        return len(self.smallest) == 1

    @property
    def _sizes(self) -> tuple[np.uint64, np.uint64, np.uint64]:
        """How many sets and entries there are, and how far apart rows of ranks begin."""
        stride = 0 if self._shared else self.entries
        return np.uint64(len(self)), np.uint64(self.entries), np.uint64(stride)

    def preceded_by(self, *others: Any) -> Self:
        """Return the sets of others in their order, then these; others may be on the host."""
        stacks = [_given(each) if isinstance(each, Ranked) else each for each in others] + [self]
        sets = [len(each) for each in stacks]
        values = _joined([each.values for each in stacks], sets)
        smallest, before = self.smallest, self.before
        if not (self._shared and all(each.smallest is smallest for each in stacks)):
            smallest = _joined([each.smallest for each in stacks], sets)
            before = _joined([each.before for each in stacks], sets)
        return type(self)(values, smallest, before, self.size)

    def on_host(self, stacks: Mapping[Place, RankedSets]) -> Mapping[Place, RankedSets]:
        """Return stacks by their places, those of this kind on the host, after one copy."""
        here = {place: each for place, each in stacks.items() if isinstance(each, RankedOnGPU)}
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
        found = {place: Ranked(*(arrays[place, name] for name in COLUMNS)) for place in here}
        return {**stacks, **found}

    @property
    def _types(self) -> tuple[Any, Any, Any]:
        return self.values.dtype, self.smallest.dtype, self.before.dtype

    def _put(self, values: Any, lower: Any, upper: Any) -> None:
        """Write what `Ranked` has into such arrays."""
        _copy(self.values, values)
        arguments = self.smallest, self.before, *self._sizes, np.uint64(self.size), lower, upper
        _run("increments", self.smallest.dtype, values.size, arguments)

    def merged_in_pairs(self) -> Self:
        """Return the unions of the first set and the second, of the third and the fourth, …."""
        size, values = 2 * self.size, widened(self.values)
        ranks = rank_type(size)
        given = (each.astype(ranks, copy=False) for each in (self.smallest, self.before))
        found = self._room(values.dtype, ranks, len(self) // 2, 2 * self.entries)
        arguments = values, *given, *self._sizes, np.uint64(self.size), *found
        _run("merged_pairs", values.dtype, values.size, arguments, RANK_BYTES=ranks.itemsize)
        return self._of(found, size)

    def compressed(self, size: int, step: int) -> Self:
        """Return fewer entries of each set of so many values: one for every `step` ranks."""
        values, ranks = widened(self.values), self.smallest.dtype
        kept = (size - 1) // step + 2
        found = self._room(values.dtype, ranks, len(self), kept)
        wanted = np.uint64(step), np.uint64(kept)
        arguments = values, self.smallest, self.before, *self._sizes, *wanted, *found
        _run("compressed", values.dtype, found[0].size, arguments, RANK_BYTES=ranks.itemsize)
        return self._of(found, size)

    @staticmethod
    def _room(values: Any, ranks: Any, sets: int, entries: int) -> list[Any]:
        return [cupy.empty((sets, entries), dtype) for dtype in (values, ranks, ranks)]

    def _of(self, found: list[Any], size: int) -> Self:
        values, smallest, before = found
        return type(self)(values.astype(self.values.dtype, copy=False), smallest, before, size)


def ranked_rows(windows: Any, ranks: Any) -> RankedOnGPU:
    """Return the keys at some ranks of each window as ranked values, 0.0 for −0.0."""
    places, smallest, before = _there(ranks, windows.shape[1])
    values = _plain_zeros(sorted_rows(windows).take(places, axis=1))
    return RankedOnGPU(values, smallest, before, windows.shape[1])


def _there(ranks: Any, size: int) -> tuple[Any, ...]:
    """Return ranks, counted from 0, on the GPU, and what they are in windows of that size.

    A stream asks for the same ones over and over. A small copy may have to wait for large ones that
    are under way, so the last ones are kept: for the CUDA stream that copies them, as no other one
    waits for that, nor knows when they are freed.
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


def _given(ranked: Ranked) -> RankedOnGPU:
    """Return ranked values of the host on the GPU, after one copy."""
    size = ranked.size
    ranks = (each.astype(rank_type(size)) for each in (ranked.smallest, ranked.before))
    columns = dict(zip(("values", "smallest", "before"), (ranked.values, *ranks), strict=True))
    data = np.empty(length_of(columns), np.uint8)
    for name, view in views_of(data, columns).items():
        view[...] = columns[name]
    return RankedOnGPU(**views_of(cupy.asarray(data), columns), size=size)


def _joined(matrices: Sequence[Any], sets: Sequence[int]) -> Any:
    """Return a matrix of the rows of several; each has one for each of its sets, or for all."""
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
    """Copy an array to another one like it, both contiguous: CuPy takes longer to begin."""
    kind, stream = runtime.memcpyDeviceToDevice, cupy.cuda.get_current_stream().ptr
    runtime.memcpyAsync(target.data.ptr, source.data.ptr, source.nbytes, kind, stream)


def _plain_zeros(keys: Any) -> Any:
    """Return keys with 0.0 for −0.0, by their bits: CuPy's additions flush denormals."""
    if keys.dtype.kind != "f":
        return keys
    bits = keys.view(f"u{keys.itemsize}")
    minus = bits.dtype.type(1 << (8 * keys.itemsize - 1))
    return cupy.where(bits == minus, bits.dtype.type(0), bits).view(keys.dtype)


def _run(name: str, dtype: Any, threads: int, arguments: tuple[Any, ...], **macros: int) -> None:
    """Run a kernel for a type of key with so many threads."""
    if threads:
        launcher = Launcher(np.dtype(dtype))
        launcher.run_threads(launcher.kernel(name, **macros), arguments, threads)


class Like(NamedTuple):
    """What an array is going to be like."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def nbytes(self) -> int:
        """Bytes that it needs."""
        return int(np.prod(self.shape)) * self.dtype.itemsize


def length_of(like: Mapping[Name, Any]) -> int:
    """Return the bytes that some arrays need together."""
    return sum(each.nbytes for each in like.values())


def views_of(data: Any, like: Mapping[Name, Any]) -> dict[Name, Any]:
    """Return views of bytes as arrays, each of the shape and the type of another.

    The widest come first, so that each begins where its type may.

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
