"""Cells: they divide all codes in order and evenly, and the ranks in them are those of a sort."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shadersort.selection.primitives.cells import (
    AIM,
    ENTRIES,
    FREQUENT,
    HEAVY,
    ROOT,
    Cells,
    node_over,
)
from shadersort.selection.primitives.favourites import unfavoured

from bench.shared import hostile
from shadersort.keys.codes import encode
from shadersort.keys.types import Keys
from shadersort.selection import select_many
from shadersort.selection.primitives import NumPyPrimitives
from tests.helpers import random_bits

TYPES = ["float32", "uint64", "float64", "int32"]
DRAWN = [(name, dtype) for dtype in TYPES[:2] for name in hostile.names_of(dtype)]
N = 1 << 12


def wide(keys: Keys) -> Keys:
    return encode(keys).astype(np.uint64)


def cells_of(keys: Keys) -> Cells:
    """The cells of keys that are their own sample."""
    bits = 8 * keys.itemsize
    return Cells(wide(keys), bits, (1 << bits) - 1 if keys.dtype.kind == "f" else None)


@given(low=st.integers(0, 2**64 - 1), width=st.integers(0, 2**64 - 1), count=st.integers(4, ROOT))
def test_a_node_covers_its_codes(low: int, width: int, count: int) -> None:
    high = min(low + width, 2**64 - 1)
    node = node_over(low, high, 7, count)
    first, last = (node.entry_of(np.array([end], np.uint64))[0] for end in (low, high))
    assert node.last < count
    assert 7 <= first <= last == 7 + node.last - 1
    assert first > 7 or node.base == 0


@pytest.mark.parametrize(("name", "dtype"), DRAWN)
def test_cells_are_in_order_and_even(name: str, dtype: str) -> None:
    keys = hostile.draw(np, name, N, dtype=dtype, seed=1)
    cells, codes = cells_of(keys), np.sort(wide(keys))
    found = cells.of(codes)
    assert (np.diff(found) >= 0).all()
    assert found[-1] < cells.count <= AIM + ENTRIES
    assert cells.owner.size <= ENTRIES
    for cell in np.flatnonzero(np.bincount(found) > 4 * N // HEAVY):
        here = codes[found == cell]
        first, last = cells.bounds(np.array([cell]))
        favoured = here.size <= N // FREQUENT and unfavoured(here) <= N // HEAVY // 2
        assert favoured or first == last == here[0]


@pytest.mark.parametrize("dtype", TYPES)
@settings(max_examples=10)
@given(seed=st.integers(0, 99), n=st.integers(1, 3000), step=st.integers(1, 40))
def test_ranks_in_cells(dtype: str, seed: int, n: int, step: int) -> None:
    keys = random_bits(seed, n, dtype)
    ordered = np.sort(encode(keys))
    ranks = np.arange(0, n, step)
    found, below, equal = NumPyPrimitives(keys).cells(ranks)
    np.testing.assert_array_equal(encode(found), ordered[ranks])
    np.testing.assert_array_equal(below, np.searchsorted(ordered, ordered[ranks]))
    ends = np.searchsorted(ordered, ordered[ranks], side="right")
    np.testing.assert_array_equal(below + equal, ends)


@pytest.mark.parametrize(("name", "dtype"), DRAWN)
def test_ranks_of_hostile_keys(name: str, dtype: str) -> None:
    keys = hostile.draw(np, name, N, dtype=dtype, seed=2)
    ks = np.linspace(0, N - 1, 21).astype(np.int64)
    found, trace = select_many(NumPyPrimitives(keys), ks, method="one-read", return_trace=True)
    np.testing.assert_array_equal(encode(found), np.sort(encode(keys))[ks])
    assert [step.name for step in trace.steps] == ["cells"]
    assert trace.keys_read == 3 * N  # all keys are in the sample of so few
    assert trace.keys_written < N / 2
