"""Histograms on a GPU, of digits and of buckets: counters in shared memory, one read of keys."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from modern.primitives.gpu_keys import WIDEST_DIGIT, GPUKeys
from shadersort.errors import BadOption
from shadersort.keys.codes import code, encode
from shadersort.keys.types import Integers
from shadersort.selection.primitives import Buckets

__all__ = ["Histograms", "shape_of"]

WIDEST_REPLICATED = 8
"""Bits of a digit that has a counter for each lane."""

ONE_EACH = {"threads": 1024, "blocks": 1}
"""One large block for each multiprocessor: the fewer blocks, the fewer counters to add up."""

STATIC = 1 << 10
"""Bytes of shared memory that kernels have beside their counters, at the most."""

TWO_EACH = 1 << 13
"""With so many counters two blocks fit into the shared memory of a multiprocessor."""

BY_VALUE = 16
"""So many intervals are passed to kernels as constants."""

MOST_INTERVALS = 1024
"""More are passed in memory, and these at the most."""

GUIDED = 12
"""Bits of a cell's number, in the guide to the intervals."""


class Histograms(GPUKeys):
    """The primitives that count keys by digits or by buckets."""

    _divided: tuple[Any, Any] = (None, None)

    def digit_histogram(self, shift: int, width: int, first: int, last: int) -> Integers:
        """Count the digits of the codes from one to another."""
        if not 1 <= width <= WIDEST_DIGIT:
            raise BadOption(f"a digit has 1 to {WIDEST_DIGIT} bits on a GPU, not {width}")
        self.traffic.add(self.size)
        replicas = 32 if width <= WIDEST_REPLICATED else 1
        kernel = self._launcher.kernel("digit_histogram", BINS=1 << width, REPLICAS=replicas)
        arguments = (*self._all, np.uint32(shift), self._raw(first), self._raw(last))
        shared = (4 << width) * replicas
        return self._launcher.totals(kernel, arguments, 1 << width, shared=shared, **ONE_EACH)

    def digit_histograms(self, shift: int, width: int, prefixes: Sequence[int]) -> Integers:
        """Count the digits of the keys under several prefixes.

        As many at once as there are counters in shared memory; one pass for each lot.
        """
        width_of_row = 8 + (4 << width)
        most = min(self._launcher.most_shared - STATIC, 4 * self.tuning.counters) // width_of_row
        if not most:
            raise BadOption(f"a digit has fewer than {width} bits on a GPU")
        lots = [prefixes[i : i + most] for i in range(0, len(prefixes), most)]
        found = [self._digit_lot(shift, width, lot) for lot in lots]
        return np.concatenate(found) if found else np.zeros((0, 1 << width), np.int64)

    def _digit_lot(self, shift: int, width: int, prefixes: Sequence[int]) -> Integers:
        self.traffic.add(self.size)
        table = self._launcher.given(np.array(prefixes, self._launcher.raw))
        sizes = np.uint32(shift), np.uint32(shift + width), table, np.uint32(len(prefixes))
        counts = self._launcher.totals(
            self._launcher.kernel("digit_histograms", BINS=1 << width),
            (*self._all, *sizes),
            len(prefixes) << width,
            shared=len(prefixes) * (8 + (4 << width)),
            **ONE_EACH,
        )
        return counts.reshape(len(prefixes), 1 << width)

    def bucket_histogram(self, buckets: Buckets) -> Integers:
        """Count the keys in each bucket."""
        self._check(buckets)
        self.traffic.add(self.size)
        macros, division = self._division(buckets)
        kernel = self._launcher.kernel("bucket_histogram", **macros)
        arguments = (*self._all, division, np.uint32(buckets.count))
        shape = shape_of(buckets)
        return self._launcher.totals(kernel, arguments, buckets.count, **shape)

    def _check(self, buckets: Buckets) -> None:
        if buckets.count > self.tuning.counters:
            raise BadOption(f"buckets are {self.tuning.counters} at most, not {buckets.count}")

    def _division(self, buckets: Buckets) -> tuple[dict[str, int], Any]:
        """Return the macros of kernels, and what they know of the buckets.

        A histogram is mostly followed by a copy of some of its buckets: the last one is kept.
        """
        if buckets is not self._divided[0]:
            self._divided = buckets, self._divide(buckets)
        found: tuple[dict[str, int], Any] = self._divided[1]
        return found

    def _divide(self, buckets: Buckets) -> tuple[dict[str, int], Any]:
        count = len(buckets.edges) - 1
        if count > MOST_INTERVALS:
            raise BadOption(f"intervals are {MOST_INTERVALS} at most on a GPU, not {count}")
        intervals = 1 if count == 1 else BY_VALUE if count <= BY_VALUE else MOST_INTERVALS
        division = np.zeros((), layout(self.dtype.char, intervals))
        first, last = code(buckets.edges[0]), code(buckets.edges[-1])
        shift = max((last - first).bit_length() - GUIDED, 0)
        division["first"], division["last"] = buckets.edges[0], buckets.edges[-1]
        division["first_code"], division["last_code"] = first, last
        division["scale"], division["per_interval"] = buckets.scale, buckets.per_interval
        division["last_interval"], division["shift"] = count - 1, shift
        lines, origins = division["lines"], buckets.scaled[:-1]
        lines["slope"][:count] = buckets.slopes
        lines["origin"][:count] = (
            origins if self.dtype.kind == "f" else origins.view(self._launcher.raw)
        )
        macros = {"INTERVALS": intervals, "STEPS": 0, "OPEN": int(buckets.open)}
        if count > 1:
            codes = encode(buckets.edges)
            division["edges"] = self._last_code
            division["edges"][:count] = codes[:-1]
            macros["STEPS"] = _steps((codes - codes[0]) >> codes.dtype.type(shift))
        if intervals <= BY_VALUE:
            return macros, division.view(f"V{division.itemsize}")
        return macros, self._launcher.given(division.reshape(1).view(np.uint8))


def shape_of(buckets: Buckets) -> dict[str, int]:
    """Return the shape of a launch that counts in buckets.

    Looking up intervals takes time in which other threads can load.
    """
    several = len(buckets.edges) > 2 and buckets.count <= TWO_EACH
    return {"threads": 1024, "blocks": 1 + several, "shared": 4 * buckets.count}


def _steps(cells: npt.NDArray[Any]) -> int:
    """Return how many edges are in the same cell at the most: 1, 2, 4 or 0 for more."""
    if (cells[1:] != cells[:-1]).all():
        return 1
    if (cells[2:] != cells[:-2]).all():
        return 2
    return 4 if (cells[4:] != cells[:-4]).all() else 0


@cache
def layout(kind: str, intervals: int) -> np.dtype[Any]:
    """Return the layout of `Division` in kernels/buckets.cuh, for keys of some type."""
    keys = np.dtype(kind)
    real = np.dtype(f"f{max(min(keys.itemsize, 8), 4)}")
    value = np.dtype(np.float32) if keys == np.float16 else keys
    raw = np.dtype(f"u{keys.itemsize}")
    origin = real if keys.kind == "f" else raw
    line = np.dtype([("origin", origin), ("slope", real)], align=True)
    return np.dtype(
        [
            ("first", value),
            ("last", value),
            ("first_code", raw),
            ("last_code", raw),
            ("scale", real),
            ("last_interval", np.uint32),
            ("per_interval", np.uint32),
            ("shift", np.uint32),
            ("edges", raw, (intervals,)),
            ("lines", line, (intervals,)),
        ],
        align=True,
    )
