"""Ranked values on a GPU: `shadersort.streams.ranked`, with a kernel for each loop over entries."""

import threading
from collections.abc import Iterable, Mapping
from typing import Any, Self

import cupy
import numpy as np

from modern.launch import Launcher
from modern.row_sorting import sorted_rows, widened
from shadersort.streams.ranked import Place, Ranked, rank_type, sampled

__all__ = ["RankedOnGPU", "ranked_rows"]

KEPT = 8
"""Arrays of ranks on the device, for each thread."""

MANY = 1 << 20
"""Bytes that take longer to copy than to keep."""

_local = threading.local()


class RankedOnGPU(Ranked):
    """Ranked values in CuPy arrays; all rows of increments may be one, broadcast."""

    __slots__ = ()

    @property
    def columns(self) -> tuple[Any, Any, Any]:
        """All that there is; in one buffer, every array of one set begins where its type may."""
        return self.lower, self.upper, self.values

    def preceded_by(self, *others: Ranked) -> Self:
        """Return the sets of others in their order, then these; others may be on the host."""
        there = [each.columns if isinstance(each, RankedOnGPU) else _given(each) for each in others]
        lower, upper, values = (
            cupy.ascontiguousarray(cupy.concatenate(column))
            for column in zip(*there, self.columns, strict=True)
        )
        return type(self)(values, lower, upper)

    def on_host(self, stacks: Mapping[Place, Ranked]) -> Mapping[Place, Ranked]:
        """Return stacks by their places, those of this kind on the host, after one copy."""
        here = {place: each for place, each in stacks.items() if isinstance(each, RankedOnGPU)}
        columns = [(place, name) for place in here for name in ("values", "lower", "upper")]
        if not columns:
            return stacks
        there = {column: getattr(here[column[0]], column[1]) for column in columns}
        # the widest first, so that each begins where its type may
        columns.sort(key=lambda column: -there[column].itemsize)
        wanted = [there[column] for column in columns]
        arrays = dict(zip(columns, _unpacked(_fetched(_packed(cupy, wanted)), wanted), strict=True))
        fetched = {
            place: Ranked(*(arrays[place, name] for name in ("values", "lower", "upper")))
            for place in here
        }
        return {**stacks, **fetched}

    def merged_in_pairs(self) -> Self:
        """Return the unions of the first set and the second, of the third and the fourth, …."""
        rows, entries = len(self), self.entries
        values = cupy.ascontiguousarray(widened(self.values))
        shape = (rows // 2, 2 * entries)
        found = [cupy.empty(shape, column.dtype) for column in (values, self.lower, self.upper)]
        stride = self.lower.strides[0] // self.lower.itemsize
        sizes = np.uint64(rows), np.uint64(entries), np.uint64(stride)
        _run("merged_pairs", rows * entries, (values, self.lower, self.upper, *sizes), found)
        return type(self)(found[0].astype(self.values.dtype, copy=False), *found[1:])

    def compressed(self, size: int, step: int) -> "RankedOnGPU":
        """Return fewer entries of each set of so many values: one for every `step` ranks."""
        values = cupy.ascontiguousarray(widened(self.values))
        kept = (size - 1) // step + 2
        low, high = (cupy.cumsum(each.ravel(), dtype=np.int64) for each in (self.lower, self.upper))
        shape, ranks = (len(self), kept), rank_type(size)
        found = [cupy.empty(shape, dtype) for dtype in (values.dtype, ranks, ranks)]
        sizes = (np.uint64(each) for each in (len(self), self.entries, size, step, kept))
        _run("compressed", len(self) * kept, (values, low, high, *sizes), found)
        return RankedOnGPU(found[0].astype(self.values.dtype, copy=False), *found[1:])


def ranked_rows(windows: Any, ranks: Any) -> RankedOnGPU:
    """Return the keys at some ranks of each window as ranked values, 0.0 for −0.0."""
    places, *given = _there(ranks, windows.shape[1])
    values = _plain_zeros(sorted_rows(windows).take(places, axis=1))
    return RankedOnGPU(values, *(cupy.broadcast_to(each, values.shape) for each in given))


def _there(ranks: Any, size: int) -> tuple[Any, ...]:
    """Return ranks on the GPU, and what those of a window of that size grow by.

    A stream asks for the same ones over and over. A small copy may have to wait for large ones that
    are under way, so the last ones are kept: for the CUDA stream that copies them, as no other one
    waits for that, nor knows when they are freed.
    """
    kept: dict[tuple[int, ...], tuple[Any, ...]] = _local.__dict__.setdefault("ranks", {})
    stream = cupy.cuda.get_current_stream().ptr
    key = id(ranks), size, cupy.cuda.runtime.getDevice(), stream
    found = kept.get(key)
    if found is None or found[0] is not ranks:
        columns = [ranks, *sampled(ranks, size)]
        found = kept[key] = ranks, *map(cupy.asarray, columns)
        while len(kept) > KEPT:
            kept.pop(next(iter(kept)))
    return found[1:]


def _fetched(data: Any) -> Any:
    """Return bytes on the host; many stay in the pinned memory that they are copied into."""
    pinned = cupy.cuda.alloc_pinned_memory(data.nbytes)
    found = np.frombuffer(pinned, np.uint8, data.nbytes)
    data.get(out=found)
    return found if data.nbytes >= MANY else found.copy()


def _plain_zeros(keys: Any) -> Any:
    """Return keys with 0.0 for −0.0, by their bits: CuPy's additions flush denormals."""
    if keys.dtype.kind != "f":
        return keys
    bits = keys.view(f"u{keys.itemsize}")
    minus = bits.dtype.type(1 << (8 * keys.itemsize - 1))
    return cupy.where(bits == minus, bits.dtype.type(0), bits).view(keys.dtype)


def _run(name: str, threads: int, arguments: tuple[Any, ...], found: list[Any]) -> None:
    """Run a kernel of ranked values, whose values are the first of the arguments."""
    if not threads:
        return
    launcher = Launcher(np.dtype(arguments[0].dtype))
    kernel = launcher.kernel(name, RANK_BYTES=found[1].itemsize)
    launcher.run_threads(kernel, (*arguments, *found), threads)


def _given(ranked: Ranked) -> list[Any]:
    """Return the columns of ranked values of the host on the GPU, after one copy."""
    columns = [ranked.lower, ranked.upper, ranked.values]
    return _unpacked(cupy.asarray(_packed(np, columns)), columns)


def _packed(xp: Any, arrays: Iterable[Any]) -> Any:
    """Return the bytes of some arrays, one after the other."""
    return xp.concatenate(
        [xp.ascontiguousarray(each).reshape(-1).view(np.uint8) for each in arrays]
    )


def _unpacked(data: Any, like: Iterable[Any]) -> list[Any]:
    """Return views of bytes as arrays, each of the shape and the type of another."""
    found, end = [], 0
    for each in like:
        part = data[end : (end := end + each.nbytes)]
        found.append(part.view(each.dtype).reshape(each.shape))
    return found
