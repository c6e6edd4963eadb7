"""Histograms of digits and of buckets on a GPU: counters in shared memory, one read of the keys."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from modern.primitives.device_primitives import DevicePrimitives
from shadersort.errors import BadOption
from shadersort.keys.codes import code, encode
from shadersort.keys.types import Integers
from shadersort.selection.primitives import Buckets

WIDEST_REPLICATED = 8
"""Bits of the widest digit that has a counter for each lane."""

ONE_EACH = {"threads": 1024, "blocks": 1}
"""One large block for each multiprocessor: fewer blocks have fewer counters to add up."""

STATIC = 1 << 10
"""The most bytes of shared memory that kernels need beside their counters."""

TWO_EACH = 1 << 13
"""Up to this many counters, two blocks fit into the shared memory of a multiprocessor."""

MOST_INTERVALS = 1024
"""Intervals between edges, at most."""


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
    found = [count_digits(gpu, shift, width, lot, shift + width) for lot in lots]
    return np.concatenate(found) if found else np.zeros((0, 1 << width), np.int64)


def count_digits(
    gpu: DevicePrimitives,
    shift: int,
    width: int,
    prefixes: Sequence[int],
    prefix_shift: int,
    codes: int = 0,
) -> Integers:
    """Count digits by one read, of keys or, with `codes`, of codes: a row for each prefix."""
    count = len(prefixes)
    replicas = 32 if count == 1 and width <= WIDEST_REPLICATED else 1
    counts = gpu.totals(
        "digit_histogram",
        (shift, prefix_shift, gpu.table(prefixes, gpu.launcher.raw), count),
        count << width,
        shared=count * (8 + (4 * replicas << width)),
        **ONE_EACH,
        **{"BINS": 1 << width, "REPLICAS": replicas, "CODES": codes, "MANY": int(count > 1)},
    )
    return counts.reshape(count, 1 << width)


def bucket_histogram(gpu: DevicePrimitives, buckets: Buckets) -> Integers:
    """Count the keys in each bucket; the NaNs that the read counts are remembered."""
    count = buckets.count
    if count > gpu.tuning.counters:
        raise BadOption(f"buckets are {gpu.tuning.counters} at most, not {count}")
    blocks = 1 + (len(buckets.edges) > 2 and count <= TWO_EACH)  # one searches while one loads
    options = {"threads": 1024, "blocks": blocks, "shared": 4 * (count + 1)}
    arguments = (*division_of(gpu, buckets), count)
    macros = {"OPEN": int(buckets.open)}
    found = gpu.totals("bucket_histogram", arguments, count + 1, **options, **macros)
    gpu.known_numbers = gpu.size - int(found[-1])
    return found[:-1]


def division_of(gpu: DevicePrimitives, buckets: Buckets) -> tuple[Any, Any, Any]:
    """Return a `Division` of kernels, the codes of its edges, and its lines, for some buckets.

    The last result is kept, as a copy of some buckets often follows their histogram.
    """
    if buckets is not gpu.divided[0]:
        gpu.divided = buckets, _divide(gpu, buckets)
    found: tuple[Any, Any, Any] = gpu.divided[1]
    return found


def _divide(gpu: DevicePrimitives, buckets: Buckets) -> tuple[Any, Any, Any]:
    count = len(buckets.edges) - 1
    if count > MOST_INTERVALS:
        raise BadOption(f"intervals are {MOST_INTERVALS} at most on a GPU, not {count}")
    head, line = layouts(gpu.dtype.char)
    division, lines = np.zeros((), head), np.zeros(count, line)
    division["first"], division["last"] = buckets.edges[0], buckets.edges[-1]
    division["first_code"], division["last_code"] = code(buckets.edges[0]), code(buckets.edges[-1])
    division["scale"], division["per_interval"] = buckets.scale, buckets.per_interval
    division["intervals"], division["half"] = count, 1 << (count - 1).bit_length() >> 1
    lines["slope"], origins = buckets.slopes, buckets.scaled[:-1]
    lines["origin"] = origins if gpu.dtype.kind == "f" else origins.view(gpu.launcher.raw)
    edges = gpu.table(encode(buckets.edges[:-1]), gpu.launcher.raw)
    return division.view(f"V{head.itemsize}"), edges, gpu.table(lines.view(np.uint8), np.uint8)


@cache
def layouts(kind: str) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """Return the layouts of `Division` and `Line` in kernels/papers/buckets.cuh."""
    keys = np.dtype(kind)
    real = np.dtype(f"f{max(min(keys.itemsize, 8), 4)}")
    value = real if keys.kind == "f" else np.dtype(f"{keys.kind}{max(keys.itemsize, 4)}")
    raw, word = np.dtype(f"u{keys.itemsize}"), np.dtype(np.uint32)
    names = "first", "last", "first_code", "last_code", "scale", "intervals", "per_interval", "half"
    types = value, value, raw, raw, real, word, word, word
    origin = real if keys.kind == "f" else raw
    head = np.dtype(list(zip(names, types, strict=True)), align=True)
    return head, np.dtype([("origin", origin), ("slope", real)], align=True)
