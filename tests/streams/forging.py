"""Forged bytes of summaries: changed in their bytes, arrays or parameters, with a right digest."""

from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.streams.blob import DIGEST, Blob, pack
from shadersort.streams.summary import Summary

Random = np.random.Generator

NAMES = ["ipv4", "bits", "ip", "omit", "raise", "float32", "int8", "f4"]
PARAMETERS: tuple[Any, ...] = (
    *(None, True, False, "", *NAMES, [], {}, [1]),
    *(0, 1, 2, -1, 3, 7, 64, 1000, 5_000, 1 << 31, 1 << 60, 1 << 61, 1 << 62, 1 << 63, 10**30),
    *(0.0, 0.5, 0.05, 0.1, 0.2, 0.3, 0.999999, 1e-9, 1e-12, 1e-300, 5e-324, 1.5, -0.1),
)
NUMBERS = (0, 1, -1, 2, 7, 100, 127, 1 << 15, (1 << 31) - 1, 1 << 31, (1 << 53) + 1, 1 << 62)
FLOATS = (np.nan, np.inf, -np.inf, -0.0, 0.0, 0.1, 1e300, -1e300, 1.7e308, 5e-324, 65_504.0)


def damaged(data: bytes, random: Random) -> bytes:
    """Return bytes cut off, lengthened, exchanged, or with some bits flipped."""
    array = np.frombuffer(data, np.uint8).copy()
    kind, at = random.integers(5), int(random.integers(len(data)))
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + random.bytes(int(random.integers(1, 9))) + data[at:]
    if kind == 2:
        return data[:at] + data[at + int(random.integers(1, 40)) :]
    if kind == 3:
        array[at : at + int(random.integers(1, 300))] = int(random.integers(256))
        return array.tobytes()
    for place in random.integers(0, len(data), random.integers(1, 4)):
        array[place] ^= 1 << int(random.integers(8))
    return array.tobytes()


def signed(body: bytes) -> bytes:
    """Return a body with its right digest."""
    return body + blake2b(body, digest_size=DIGEST).digest()


def some(random: Random, values: Any) -> Any:
    """Return one of some values."""
    values = list(values)
    return values[int(random.integers(len(values)))]


def forged(blob: Blob, other: Blob, random: Random) -> bytes:
    """Return bytes with a right digest, changed in one to three ways; some come from another."""
    if random.random() < 0.15:
        return signed(damaged(pack(blob), random)[:-DIGEST])
    for _ in range(int(random.integers(1, 4))):
        blob = some(random, CHANGES)(blob, other, random)
    return pack(blob)


def _kind(blob: Blob, other: Blob, random: Random) -> Blob:
    kind = other.kind if random.random() < 0.5 else some(random, Summary._kinds)
    parameters = blob.parameters if random.random() < 0.5 else other.parameters
    return Blob(kind, parameters, blob.arrays)


def _parameter(blob: Blob, other: Blob, random: Random) -> Blob:
    parameters = dict(blob.parameters)
    name = some(random, parameters)
    if random.random() < 0.1:
        del parameters[name]
    elif random.random() < 0.2:
        parameters[some(random, ("sorter", "more", *other.parameters))] = some(random, PARAMETERS)
    elif random.random() < 0.3 and isinstance(parameters[name], int | float):
        parameters[name] *= some(random, (0.5, 2, 1.0000001, 1, -1))
    else:
        parameters[name] = some(random, PARAMETERS)
    return Blob(blob.kind, parameters, blob.arrays)


def _array(blob: Blob, other: Blob, random: Random) -> Blob:
    if not blob.arrays:
        return blob
    name = some(random, blob.arrays)
    changed = some(random, changed_arrays(blob.arrays[name], random))
    return Blob(blob.kind, blob.parameters, {**blob.arrays, name: changed})


def _names(blob: Blob, other: Blob, random: Random) -> Blob:
    arrays = dict(blob.arrays)
    choice = random.integers(3)
    if choice == 0 and arrays:
        del arrays[some(random, arrays)]
    elif choice == 1:
        arrays |= {name: other.arrays[name] for name in (some(random, other.arrays),)}
    else:
        arrays = dict(reversed(arrays.items()))
    return Blob(blob.kind, blob.parameters, arrays)


def _seen(blob: Blob, other: Blob, random: Random) -> Blob:
    with np.errstate(invalid="ignore"):
        seen = np.array(blob.arrays.get("seen", np.zeros(2, np.int64)), np.int64)
    if len(seen) == 2:
        at = int(random.integers(2))
        added = some(random, (1, -1, 64, 320, 640, 1_040, 1_024, 1 << 20, 1 << 40, 1 << 61))
        with np.errstate(over="ignore"):
            seen[at] = some(random, (seen[at] + added, seen[at] * 2, (1 << 62) - 1, 0, -1))
    return Blob(blob.kind, blob.parameters, {**blob.arrays, "seen": seen})


CHANGES: tuple[Callable[[Blob, Blob, Random], Blob], ...] = (
    *(_kind, _parameter, _names, _seen),
    *(_array,) * 6,
)


def changed_arrays(array: Keys, random: Random) -> Iterator[Keys]:
    """Yield an array of other lengths, in other orders, with other numbers, of another type."""
    at = int(random.integers(len(array) + 1))
    yield from (array[1:], array[:-1], np.append(array, array[-1:]), np.tile(array, 2))
    yield from (array[:at], array[at:], np.insert(array, at, 0))
    yield from (array[::-1], np.sort(array), np.roll(array, 1))
    if array.dtype.kind == "S":
        changed = array.copy()
        changed[:1] = random.bytes(array.itemsize)
        yield changed
        return
    with np.errstate(all="ignore"):
        floats = array.dtype.kind == "f"
        wide = array if floats else array.astype(np.int64)
        nans = wide * np.nan if floats else wide // 2
        for each in (wide + 1, wide * 2, wide * 0, -wide, nans, wide + (1 << 40)):
            yield each.astype(array.dtype)
        for place, more in ((at, 1), (at, 2), (0, -1), (1, 10**6), (-1, -7), (-1, 30_000)):
            changed = wide.copy()
            changed[place : place + 1 or None] += more
            yield changed.astype(array.dtype)
        for _ in range(6):
            changed = array.copy()
            new = np.asarray(some(random, FLOATS if floats else NUMBERS)).astype(array.dtype)
            changed[at : at + 1] = new
            yield changed
        yield from (array.astype(kind) for kind in ("i1", "i8", "f4", "f8"))
