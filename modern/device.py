"""The primitives on a GPU, for CuPy arrays: a call is one kernel, and a few numbers come back."""

from collections.abc import Sequence
from typing import Any

import cupy
import numpy as np
import numpy.typing as npt

from modern.kernels import DTYPES
from modern.launch import Launcher
from shadersort.errors import BadOption, KeysNotFlat, UnsupportedKeys
from shadersort.primitives import Buckets, Counts, Extent, Key, Keys, Objective, Primitives, Traffic
from shadersort.primitives.codes import code, encode, key

__all__ = ["CuPyPrimitives"]

WIDEST_REPLICATED = 8
"""Bits of a digit that has a counter for each lane."""

WIDEST_DIGIT = 13
"""Bits of a digit whose counters fit into shared memory."""

ROOM = 16
"""Compaction makes room for 1 in so many keys; if that is too little, it runs again."""

LEAST_ROOM = 1 << 20

COMPACT_UNROLL = 4
COMPACT_THREADS = 256


class CuPyPrimitives(Primitives):
    """Primitives over a CuPy array, which is not changed. Work is queued on the current stream.

    Strided arrays are copied first, once.
    """

    name = "CUDA"
    compacts_cheaply = True

    def __init__(self, keys: Any, traffic: Traffic | None = None) -> None:
        if keys.dtype not in DTYPES:
            names = ", ".join(dtype.name for dtype in DTYPES)
            raise UnsupportedKeys(f"keys of {keys.dtype} cannot be selected from: pass {names}")
        if keys.ndim != 1:
            raise KeysNotFlat(f"keys must have 1 dimension, not {keys.ndim}: pass keys.ravel()")
        self.keys = cupy.ascontiguousarray(keys)
        self.dtype = np.dtype(self.keys.dtype)
        self.size = int(self.keys.size)
        self.traffic = Traffic() if traffic is None else traffic
        self._launcher = Launcher(self.dtype)

    @property
    def _all(self) -> tuple[Any, np.uint64]:
        return self.keys, np.uint64(self.size)

    def _raw(self, value: int) -> Any:
        return self._launcher.raw.type(value)

    def _bits(self, value: Key) -> Any:
        return np.asarray(value, self.dtype).view(self._launcher.raw)[()]

    def extent(self) -> Extent:
        """Return smallest, largest, sum and kinds of the keys."""
        self.traffic.add(self.size)
        kernel = self._launcher.kernel("extent")
        low, high, total, minus, plus, nans = self._launcher.reduced(
            kernel, self._all, "u8 u8 f8 u8 u8 u8"
        )
        finite = self.size - minus - plus - nans
        zero = self.dtype.type(0)
        ends = (key(low, self.dtype), key(high, self.dtype)) if finite else (zero, zero)
        return Extent(*ends, total, finite, minus, plus, nans)

    def counts(self, pivot: Key) -> Counts:
        """Count the keys below, equal to and above a pivot."""
        return self._objective(pivot, pivot, pivot, SUMS=0, LOGS=0).counts

    def counts_at(self, pivots: Keys) -> list[Counts]:
        """Count at several pivots."""
        self.traffic.add(self.size)
        codes, places = np.unique(encode(np.asarray(pivots, self.dtype)), return_inverse=True)
        counts = cupy.zeros(2 * len(codes) + 1, cupy.uint64)
        words = len(codes) + (2 * len(codes) + 2) // 2
        self._launcher.run(
            self._launcher.kernel("rank_histogram"),
            (*self._all, cupy.asarray(codes), np.uint32(len(codes)), counts),
            shared=8 * words,
        )
        bins = self._launcher.fetched(counts).astype(np.int64)
        below = np.cumsum(bins)[0::2]
        found = [
            Counts(int(below[i]), int(bins[2 * i + 1]), int(self.size - below[i] - bins[2 * i + 1]))
            for i in range(len(codes))
        ]
        return [found[place] for place in places.ravel().tolist()]

    def objective(self, pivot: Key, low: Key | None = None, high: Key | None = None) -> Objective:
        """Count at a pivot, and sum the distances to it within a window."""
        return self._objective(pivot, *self._closed(low, high), SUMS=1, LOGS=0)

    def log_objective(
        self, pivot: Key, low: Key | None, high: Key | None, origin: Key
    ) -> Objective:
        """Do as `objective` does, with distances of log(1 + x − origin)."""
        return self._objective(pivot, *self._closed(low, high), origin, SUMS=1, LOGS=1)

    def _closed(self, low: Key | None, high: Key | None) -> tuple[Key, Key]:
        """Return the first and the last finite key that lie strictly between two."""
        info: Any = (np.finfo if self.dtype.kind == "f" else np.iinfo)(self.dtype)
        least, most = (code(self.dtype.type(end)) for end in (info.min, info.max))
        first = least if low is None else max(least, code(low) + 1)
        last = most if high is None else min(most, code(high) - 1)
        return key(first, self.dtype), key(last, self.dtype)

    def _objective(
        self, pivot: Key, low: Key, high: Key, origin: Key = 0, **macros: int
    ) -> Objective:
        self.traffic.add(self.size)
        nan = pivot != pivot
        values = (np.inf if nan else pivot, low, high, origin)
        arguments = (*self._all, *(self._bits(value) for value in values))
        kernel = self._launcher.kernel("objective", **macros)
        below, equal, *sums = self._launcher.reduced(kernel, arguments, "u8 u8 f8 f8")
        if nan:  # all numbers are below, infinity too
            below, equal = below + equal, self.size - below - equal
        return Objective(Counts(below, equal, self.size - below - equal), *sums)

    def at_or_above(self, pivot: Key) -> Key | None:
        """Return the smallest number that is not below a pivot."""
        above, _ = self._nearest(pivot)
        return above

    def at_or_below(self, pivot: Key) -> Key | None:
        """Return the largest key that is not above a pivot."""
        _, below = self._nearest(pivot)
        return below

    def _nearest(self, pivot: Key) -> tuple[Key | None, Key | None]:
        self.traffic.add(self.size)
        kernel = self._launcher.kernel("nearest")
        above, below, any_above, any_below = self._launcher.reduced(
            kernel, (*self._all, self._raw(code(pivot))), "u8 u8 u8 u8"
        )
        return (
            key(above, self.dtype) if any_above else None,
            key(below, self.dtype) if any_below else None,
        )

    def between(
        self, low: Key | None, high: Key | None, *, closed: bool = False
    ) -> "CuPyPrimitives":
        """Copy the keys between two."""
        first = 0 if low is None else code(low) + (not closed)
        last = self._last_code if high is None else code(high) - (not closed)
        return self._compacted(first, last)

    def with_prefix(self, prefix: int, shift: int) -> "CuPyPrimitives":
        """Copy the keys whose codes begin alike."""
        last = min((prefix + 1 << shift) - 1, self._last_code)
        return self._compacted(prefix << shift, last)

    @property
    def _last_code(self) -> int:
        last: int = (1 << 8 * self.dtype.itemsize) - 1
        return last

    def _compacted(self, first: int, last: int) -> "CuPyPrimitives":
        """Copy the keys with codes from first to last."""
        if first > last:
            return self._copied_nothing()
        nans = 0
        if self.dtype.kind == "f":
            infinite = [code(self.dtype.type(value)) for value in (-np.inf, np.inf)]
            if last == self._last_code:  # that of NaN
                nans = 2 if first > infinite[1] else 1
            first, last = max(first, infinite[0]), min(last, infinite[1])
        if first > last and nans != 2:
            return self._copied_nothing()
        ends = (
            (self.dtype.type(0),) * 2
            if nans == 2
            else (key(first, self.dtype), key(last, self.dtype))
        )
        return self._copied(*ends, NANS=nans, BUCKETS=0)

    def _copied_nothing(self) -> "CuPyPrimitives":
        self.traffic.add(0)
        return CuPyPrimitives(self.keys[:0], self.traffic)

    def _copied(
        self, first: Key, last: Key, extra: tuple[Any, ...] = (0, 0, 0, 0), **macros: int
    ) -> "CuPyPrimitives":
        """Run the compaction; again, if there was too little room."""
        kernel = self._launcher.kernel(
            "compact", THREADS=COMPACT_THREADS, UNROLL=COMPACT_UNROLL, **macros
        )
        table, last_interval, per_interval, flags = extra
        sizes = np.uint32(last_interval), np.uint32(per_interval)
        room = min(self.size, max(LEAST_ROOM, self.size // ROOM))
        while True:
            chosen = cupy.empty(room, self.dtype)
            count = cupy.zeros(1, cupy.uint64)
            arguments = (*self._all, self._bits(first), self._bits(last), chosen, np.uint64(room))
            self._launcher.run(
                kernel,
                (*arguments, count, table, *sizes, flags),
                threads=COMPACT_THREADS,
                shared=2 * COMPACT_THREADS * COMPACT_UNROLL * 16,
            )
            kept = int(self._launcher.fetched(count)[0])
            self.traffic.add(self.size, min(kept, room))
            if kept <= room:
                return CuPyPrimitives(chosen[:kept], self.traffic)
            room = kept

    def digit_histogram(self, shift: int, width: int, prefix: int = 0) -> npt.NDArray[np.int64]:
        """Count the digits of the keys under a prefix."""
        if not 1 <= width <= WIDEST_DIGIT:
            raise BadOption(f"a digit has 1 to {WIDEST_DIGIT} bits on a GPU, not {width}")
        self.traffic.add(self.size)
        replicas = 32 if width <= WIDEST_REPLICATED else 1
        counts = cupy.zeros(1 << width, cupy.uint64)
        first = prefix << (shift + width)
        last = min(first + (1 << (shift + width)) - 1, self._last_code)
        self._launcher.run(
            self._launcher.kernel("digit_histogram", BINS=1 << width, REPLICAS=replicas),
            (*self._all, np.uint32(shift), self._raw(first), self._raw(last), counts),
            shared=(4 << width) * replicas,
        )
        return self._launcher.fetched(counts).astype(np.int64)

    def digit_histograms(
        self, shift: int, width: int, prefixes: Sequence[int]
    ) -> npt.NDArray[np.int64]:
        """Count the digits of the keys under several prefixes.

        As many at once as there are counters in shared memory; one pass for each lot.
        """
        most = self._launcher.most_shared // (8 + (4 << width))
        if not most:
            raise BadOption(f"a digit has fewer than {width} bits on a GPU")
        lots = [prefixes[i : i + most] for i in range(0, len(prefixes), most)]
        found = [self._digit_lot(shift, width, lot) for lot in lots]
        return np.concatenate(found) if found else np.zeros((0, 1 << width), np.int64)

    def _digit_lot(self, shift: int, width: int, prefixes: Sequence[int]) -> npt.NDArray[np.int64]:
        self.traffic.add(self.size)
        table = cupy.asarray(np.array(prefixes, self._launcher.raw))
        counts = cupy.zeros(len(prefixes) << width, cupy.uint64)
        sizes = np.uint32(shift), np.uint32(shift + width)
        self._launcher.run(
            self._launcher.kernel("digit_histograms", BINS=1 << width),
            (*self._all, *sizes, table, np.uint32(len(prefixes)), counts),
            threads=1024,
            blocks=1,
            shared=len(prefixes) * (8 + (4 << width)),
        )
        return self._launcher.fetched(counts).astype(np.int64).reshape(len(prefixes), 1 << width)

    def with_prefixes(self, prefixes: Sequence[int], shift: int) -> "CuPyPrimitives":
        """Copy the keys whose codes begin with one of some prefixes."""
        table = cupy.asarray(np.array(prefixes, self._launcher.raw))
        zero = self.dtype.type(0)
        extra = (table, shift, len(prefixes), 0)
        return self._copied(zero, zero, extra, NANS=0, BUCKETS=0, PREFIXES=1)

    def bucket_histogram(self, buckets: Buckets) -> npt.NDArray[np.int64]:
        """Count the keys in each bucket."""
        self.traffic.add(self.size)
        counts = cupy.zeros(buckets.count, cupy.uint64)
        table, intervals = self._table(buckets)
        ends = (self._raw(code(buckets.edges[end])) for end in (0, -1))
        self._launcher.run(
            self._launcher.kernel("bucket_histogram", INTERVALS=intervals),
            (
                *self._all,
                *ends,
                table,
                np.uint32(len(buckets.edges) - 2),
                np.uint32(buckets.per_interval),
                np.uint32(buckets.count),
                counts,
            ),
            threads=1024,
            blocks=2,
            shared=4 * buckets.count,
        )
        return self._launcher.fetched(counts).astype(np.int64)

    def of_buckets(self, buckets: Buckets, chosen: Sequence[int]) -> "CuPyPrimitives":
        """Copy the keys of some buckets."""
        table, intervals = self._table(buckets)
        flags = np.zeros(-(-buckets.count // 32) * 32, np.bool_)
        flags[list(chosen)] = True
        words = cupy.asarray(np.packbits(flags, bitorder="little").view(np.uint32))
        extra = (table, len(buckets.edges) - 2, buckets.per_interval, words)
        ends = buckets.edges[0], buckets.edges[-1]
        return self._copied(*ends, extra, NANS=0, BUCKETS=1, INTERVALS=intervals)

    def split_buckets(self, buckets: Buckets, chosen: Sequence[int]) -> list["CuPyPrimitives"]:
        """Copy the keys of some buckets, each on its own: a bucket is a part of them in order."""
        copy = self.of_buckets(buckets, chosen)
        ends = np.cumsum(copy.bucket_histogram(buckets)[list(chosen)]).tolist()
        ordered = copy.sort().keys
        starts = [0, *ends[:-1]] if ends else []
        return [
            CuPyPrimitives(ordered[start:end], self.traffic)
            for start, end in zip(starts, ends, strict=True)
        ]

    def _table(self, buckets: Buckets) -> tuple[Any, int]:
        """Return the intervals as kernels take them, and how many: a power of two."""
        edges = np.ascontiguousarray(buckets.edges[:-1], self.dtype)
        count = 1 << (len(edges) - 1).bit_length()
        table = np.zeros((count, 4), np.uint64)
        table[:, 1] = self._last_code  # an interval that nothing is in
        table[: len(edges), 0] = edges.view(self._launcher.raw)
        table[: len(edges), 1] = encode(edges)
        table[: len(edges), 2] = buckets.scales.view(np.uint64)
        table[: len(edges), 3] = buckets.slopes.view(np.uint64)
        return cupy.asarray(table), count

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places."""
        places = np.random.default_rng(seed).integers(self.size, size=count)
        return self.take(places)

    def sort(self) -> "CuPyPrimitives":
        """Return the keys in order, by CuPy."""
        moves = self.size * self.dtype.itemsize  # a radix sort moves every key once a byte
        self.traffic.add(moves, moves)
        ordered = cupy.sort(self.keys)
        if self.dtype.kind == "f" and self.size and bool(cupy.isnan(ordered[0])):
            # CuPy sorts by bits: NaNs with a sign come first
            signed = cupy.count_nonzero(cupy.isnan(ordered) & cupy.signbit(ordered))
            ordered = cupy.roll(ordered, -int(signed))
        return CuPyPrimitives(ordered, self.traffic)

    def take(self, indices: Sequence[int] | npt.NDArray[np.int64]) -> Keys:
        """Return the keys at some places."""
        self.traffic.read += len(indices)
        return self._launcher.fetched(self.keys[cupy.asarray(np.asarray(indices, np.int64))])
