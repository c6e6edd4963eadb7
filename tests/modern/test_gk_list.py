"""Lists beside batches on a GPU: the same as on the host. NumPy stands in for CuPy here.

`test_sorter.py` compares them where there is a GPU.
"""

import threading
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from shadersort import QuantileSummary
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from shadersort.streams import NumPySorter
from tests.modern.references import ALL_TYPES
from tests.modern.test_sorter import uneasy

gk_list = pytest.importorskip("modern.streams.gk_list")


class Stream:
    """A stream in which everything is done at once."""

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def record(self) -> None:
        pass

    def wait_event(self, event: Any) -> None:
        pass

    def synchronize(self) -> None:
        pass


class Primitives:
    """The only call that a batch makes."""

    def __init__(self, keys: Keys) -> None:
        self.keys = keys

    def order_codes(self, by: int) -> Keys:
        return encode(self.keys).copy()


class Away(NumPySorter):
    """Sorts as on a device; every fifth part is small and stays on the host."""

    def in_order(self, keys: Any, bounds: Iterable[tuple[int, int]]) -> Iterator[Any]:
        parts = [SimpleNamespace(keys=keys[a:b], dtype=keys.dtype) for a, b in bounds]
        given = (each.keys if len(each.keys) % 5 == 0 else each for each in parts)
        yield from gk_list.in_order(given, self._ordered)


@pytest.fixture
def numpy_for_cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = SimpleNamespace(
        Stream=lambda non_blocking, priority: Stream(),
        get_current_stream=Stream,
        runtime=SimpleNamespace(getDevice=lambda: 0),
    )
    monkeypatch.setattr(gk_list, "_local", threading.local())
    names = ("searchsorted", "asarray", "full", "zeros", "arange", "empty", "concatenate")
    more = ("flatnonzero", "ones", "minimum", "maximum", "sort", "bincount", "cumsum", "where")
    functions = {name: getattr(np, name) for name in (*names, *more)}
    monkeypatch.setattr(gk_list, "cupy", SimpleNamespace(cuda=cuda, **functions))
    for copy in ("to_host", "read_there"):
        monkeypatch.setattr(gk_list, copy, np.ascontiguousarray)
    monkeypatch.setattr(gk_list, "CuPyPrimitives", Primitives)
    monkeypatch.setattr(gk_list, "widened", lambda keys: widened(getattr(keys, "keys", keys)))


def widened(keys: Any) -> Any:
    wide = keys.dtype.kind == "f" or keys.itemsize >= 4
    return keys if wide else keys.astype(f"{keys.dtype.kind}4")


@pytest.mark.parametrize("long", [0, 40, 1 << 13])
def test_lists_are_those_of_the_host(
    long: int, numpy_for_cupy: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long lists are with the batches, short ones on the host, and some go to and fro."""
    monkeypatch.setattr(gk_list, "LONG", long)
    random = np.random.default_rng(2005)
    for dtype in ALL_TYPES:
        keys = uneasy(random.normal(size=20_001) * 100, dtype)
        summaries = QuantileSummary(0.02), QuantileSummary(0.02, sorter=Away())
        for part in np.split(keys, [100, 3_000, 9_001, 15_000]):
            for summary in summaries:
                summary.update(part)
        assert summaries[0].to_bytes() == summaries[1].to_bytes()
