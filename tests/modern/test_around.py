"""When parts are copied apart on a GPU, and when it is done by steps; no GPU is needed."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from modern.primitives.bucket_multi_select import MOST, PARTS, SelectionAround
from modern.primitives.copies import Copies
from shadersort.keys.types import Integers
from shadersort.selection.primitives import Around, Traffic

MANY = np.arange(PARTS)


class _Halves(SelectionAround):
    """So many halves, of which a kernel would find so many to copy."""

    def __init__(self, size: int, copies: int = 0) -> None:
        self.size, self.dtype, self.traffic = size, np.dtype(np.float16), Traffic()
        self._launcher: Any = SimpleNamespace(raw=np.uint16)
        self.copies, self.places = copies, list[int]()

    def _in_parts(self, buckets: Any, ranks: Integers, most: int, place: int) -> Integers:
        self.places.append(place)
        return np.array([self.copies] + [1] * 7 * ranks.size)


@pytest.fixture(autouse=True)
def by_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Copies, "around", lambda self, buckets, ranks, most: "by steps")
    monkeypatch.setattr(Copies, "_check", lambda self, buckets: None)


def asked(keys: _Halves, ranks: Integers, count: int = 1 << 13) -> Any:
    buckets: Any = SimpleNamespace(count=count, open=True)
    return keys.around(buckets, ranks, 1 << 22)


@pytest.mark.parametrize("size", [1 << 20, MOST, 2 * MOST])
def test_places_that_fit_into_32_bits(size: int) -> None:
    keys = _Halves(size, copies=size // 8)
    assert isinstance(asked(keys, MANY), Around)
    assert max(keys.places) <= MOST


@pytest.mark.parametrize("size", [2 * MOST + 2, 16 * MOST - 1])
def test_places_that_do_not(size: int) -> None:
    keys = _Halves(size, copies=size // 8)
    assert asked(keys, MANY) == "by steps"
    assert not keys.places


def test_too_little_room_is_counted_too() -> None:
    keys = _Halves(1 << 30, copies=1 << 29)
    assert asked(keys, MANY[:1]) == "by steps"
    (place,) = keys.places
    assert (keys.traffic.read, keys.traffic.written) == (2 << 30, place)
