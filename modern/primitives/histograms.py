"""Histograms of digits and of buckets on a GPU: counters in shared memory, one read of the keys."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from modern.primitives.device_primitives import DevicePrimitives
from shadersort.errors import BadOption
from shadersort.keys.codes import code, encode
from shadersort.keys.types import Integers
from shadersort.selection.primitives import Buckets

WIDEST_DIGIT = 13
"""Bits of the widest digit whose counters fit into shared memory, on any GPU."""

WIDEST_REPLICATED = 8
"""Bits of the widest digit that has a counter for each lane."""

ONE_EACH = {"threads": 1024, "blocks": 1}
"""One large block for each multiprocessor: fewer blocks have fewer counters to add up."""

STATIC = 1 << 10
"""The most bytes of shared memory that kernels need beside their counters."""

TWO_EACH = 1 << 13
"""Up to this many counters, two blocks fit into the shared memory of a multiprocessor."""

BY_VALUE = 16
"""Up to this many intervals are passed to kernels by value, as constants."""

MOST_INTERVALS = 1024
"""More intervals are passed in memory, at most this many."""

GUIDED = 12
"""Bits of the number of a cell, in the guide to the intervals (kernels/papers/buckets.cuh)."""


def digit_histogram(
    gpu: DevicePrimitives, shift: int, width: int, first: int, last: int, **options: int
) -> Integers:
    """Count the digits of the codes from one to another."""
    if not 1 <= width <= WIDEST_DIGIT:
        raise BadOption(f"a digit has 1 to {WIDEST_DIGIT} bits on a GPU, not {width}")
    replicas = options.pop("replicas", 32 if width <= WIDEST_REPLICATED else 1)
    macros = {"BINS": 1 << width, "REPLICAS": replicas, "PREFIXES": 0}
    shared = (4 << width) * replicas
    arguments = (shift, np.uint64(first), np.uint64(last), 0, 0)
    return gpu.totals(
        "digit_histogram", arguments, 1 << width, shared=shared, **ONE_EACH, **macros, **options
    )


def digit_histograms(
    gpu: DevicePrimitives, shift: int, width: int, prefixes: Sequence[int]
) -> Integers:
    """Count the digits of the keys under several prefixes.

    One pass serves as many prefixes as have counters in shared memory.
    """
    width_of_row = 8 + (4 << width)
    most = min(gpu.launcher.most_shared - STATIC, 4 * gpu.tuning.counters) // width_of_row
    if not most:
        raise BadOption(f"a digit has fewer than {width} bits on a GPU")
    lots = [prefixes[i : i + most] for i in range(0, len(prefixes), most)]
    found = [_digit_lot(gpu, shift, width, lot) for lot in lots]
    return np.concatenate(found) if found else np.zeros((0, 1 << width), np.int64)


def _digit_lot(gpu: DevicePrimitives, shift: int, width: int, prefixes: Sequence[int]) -> Integers:
    count = len(prefixes)
    counts = gpu.totals(
        "digit_histogram",
        (shift, 0, shift + width, gpu.table(prefixes, gpu.launcher.raw), count),
        count << width,
        shared=count * (8 + (4 << width)),
        **ONE_EACH,
        **{"BINS": 1 << width, "REPLICAS": 1, "PREFIXES": 1},
    )
    return counts.reshape(count, 1 << width)


def bucket_histogram(gpu: DevicePrimitives, buckets: Buckets) -> Integers:
    """Count the keys in each bucket; the NaNs that the read counts are remembered."""
    count = buckets.count
    if count > gpu.tuning.counters:
        raise BadOption(f"buckets are {gpu.tuning.counters} at most, not {count}")
    macros, division = division_of(gpu, buckets)
    # several intervals have to be looked up; a second block loads keys in that time
    blocks = 1 + (len(buckets.edges) > 2 and count <= TWO_EACH)
    found = gpu.totals(
        "bucket_histogram",
        (division, count),
        count + 1,
        threads=1024,
        blocks=blocks,
        shared=4 * (count + 1),
        **macros,
    )
    gpu.known_numbers = gpu.size - int(found[-1])
    return found[:-1]


def division_of(gpu: DevicePrimitives, buckets: Buckets) -> tuple[dict[str, int], Any]:
    """Return the macros of kernels, and their `Division`, for some buckets.

    The last result is kept, as a copy of some buckets often follows their histogram.
    """
    if buckets is not gpu.divided[0]:
        gpu.divided = buckets, _divide(gpu, buckets)
    found: tuple[dict[str, int], Any] = gpu.divided[1]
    return found


def _divide(gpu: DevicePrimitives, buckets: Buckets) -> tuple[dict[str, int], Any]:
    count = len(buckets.edges) - 1
    if count > MOST_INTERVALS:
        raise BadOption(f"intervals are {MOST_INTERVALS} at most on a GPU, not {count}")
    intervals = 1 if count == 1 else BY_VALUE if count <= BY_VALUE else MOST_INTERVALS
    division = np.zeros((), layout(gpu.dtype.char, intervals))
    first, last = code(buckets.edges[0]), code(buckets.edges[-1])
    shift = max((last - first).bit_length() - GUIDED, 0)
    division["first"], division["last"] = buckets.edges[0], buckets.edges[-1]
    division["first_code"], division["last_code"] = first, last
    division["scale"], division["per_interval"] = buckets.scale, buckets.per_interval
    division["last_interval"], division["shift"] = count - 1, shift
    lines, origins = division["lines"], buckets.scaled[:-1]
    lines["slope"][:count] = buckets.slopes
    lines["origin"][:count] = origins if gpu.dtype.kind == "f" else origins.view(gpu.launcher.raw)
    macros = {"INTERVALS": intervals, "STEPS": 0, "OPEN": int(buckets.open)}
    if count > 1:
        codes = encode(buckets.edges)
        division["edges"] = gpu.last_code
        division["edges"][:count] = codes[:-1]
        macros["STEPS"] = _steps((codes - codes[0]) >> codes.dtype.type(shift))
    if intervals <= BY_VALUE:
        return macros, division.view(f"V{division.itemsize}")
    return macros, gpu.table(division.reshape(1).view(np.uint8), np.uint8)


def _steps(cells: npt.NDArray[Any]) -> int:
    """Return how many edges a cell has at most: 1, 2 or 4; 0 for more."""
    if (cells[1:] != cells[:-1]).all():
        return 1
    if (cells[2:] != cells[:-2]).all():
        return 2
    return 4 if (cells[4:] != cells[:-4]).all() else 0


@cache
def layout(kind: str, intervals: int) -> np.dtype[Any]:
    """Return the layout of `Division` in kernels/papers/buckets.cuh, for a type of key."""
    keys = np.dtype(kind)
    real = np.dtype(f"f{max(min(keys.itemsize, 8), 4)}")
    value = real if keys.kind == "f" else np.dtype(f"{keys.kind}{max(keys.itemsize, 4)}")
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
