"""When bucketMultiSelect's kernels run on a GPU, and when it works by steps; no GPU is needed."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from modern.primitives import bucket_multi_select
from modern.primitives.bucket_multi_select import MOST, PARTS, around
from shadersort.keys.types import Integers
from shadersort.selection.primitives import Around, Primitives, Traffic

MANY = np.arange(PARTS)


def halves(size: int, copies: int = 0) -> Any:
    """Keys of 16 bits, of which the kernels would copy this many; notes the room that they get."""
    found = SimpleNamespace(size=size, dtype=np.dtype(np.float16), copies=copies, places=[])
    found.launcher, found.tuning = SimpleNamespace(raw=np.uint16), SimpleNamespace(counters=1 << 16)
    found.traffic = Traffic()
    return found


@pytest.fixture(autouse=True)
def no_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    def in_parts(gpu: Any, buckets: Any, ranks: Integers, most: int, place: int) -> Integers:
        gpu.places.append(place)
        return np.array([gpu.copies] + [1] * 7 * ranks.size)

    monkeypatch.setattr(bucket_multi_select, "_in_parts", in_parts)
    monkeypatch.setattr(Primitives, "around", lambda self, buckets, ranks, most: "by steps")


def asked(keys: Any, ranks: Integers, count: int = 1 << 13) -> Any:
    buckets: Any = SimpleNamespace(count=count, open=True)
    return around(keys, buckets, ranks, 1 << 22)


def test_places_that_fit_into_32_bits() -> None:
    for size in (1 << 20, MOST, 2 * MOST):
        keys = halves(size, copies=size // 8)
        assert isinstance(asked(keys, MANY), Around)
        assert max(keys.places) <= MOST


def test_places_that_do_not() -> None:
    for size in (2 * MOST + 2, 16 * MOST - 1):
        keys = halves(size, copies=size // 8)
        assert asked(keys, MANY) == "by steps"
        assert not keys.places


def test_too_little_room_is_counted_too() -> None:
    keys = halves(1 << 30, copies=1 << 29)
    assert asked(keys, MANY[:1]) == "by steps"
    (place,) = keys.places
    assert (keys.traffic.read, keys.traffic.written) == (2 << 30, place)
