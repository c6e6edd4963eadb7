"""Sorting by networks, the places of keys in order, and records: over NumPy, and on a GPU."""

from itertools import product
from typing import Any, cast

import numpy as np
import pytest

import modern
from modern.rows.network_tiles import TileSteps, tile_launches
from shadersort import errors
from shadersort.keys.types import Keys
from tests.helpers import bits, random_bits
from tests.modern.references import PLACES, back, put_on_gpu
from tests.selection.inputs import EVERY, awkward

NETWORKS: Any = ("pbsn", "bitonic")


def run_tiles(launches: tuple[TileSteps, ...], rows: Keys) -> Keys:
    """What the kernel does to rows of 2**wires keys, by NumPy."""
    rows, wires = rows.copy(), np.arange(rows.shape[1])
    for size, columns, masks in launches:
        parts = [(wires >> bit & 1) * column for bit, column in enumerate(columns)]
        of_wire = np.bitwise_xor.reduce(parts)
        held = rows[:, of_wire].reshape(len(rows), -1, 1 << size)
        places = np.arange(1 << size)
        for mask in masks:
            low = places[places < places ^ mask]
            a, b = held[..., low], held[..., low ^ mask]
            held[..., low], held[..., low ^ mask] = np.minimum(a, b), np.maximum(a, b)
        rows[:, of_wire] = held.reshape(rows.shape)
    return rows


@pytest.mark.parametrize("network", NETWORKS)
def test_tiles_sort_all_zeros_and_ones(network: str) -> None:
    """What sorts every 0-1 input sorts every input; padding stays where it is."""
    for wires in (1, 2, 3, 4):
        every = (np.arange(1 << (1 << wires))[:, None] >> np.arange(1 << wires) & 1).astype(np.int8)
        for most in range(1, wires + 2):
            for run in range(most):
                launches = tile_launches(network, wires, most, run)
                np.testing.assert_array_equal(run_tiles(launches, every), np.sort(every))
        padded = np.sort(every[: 1 << 3])
        padded[:, 3:] = 2
        for launch in tile_launches(network, wires, 2, 1):
            padded = run_tiles((launch,), padded)
            assert (padded[:, 3:] == 2).all()


@pytest.mark.parametrize("network", NETWORKS)
def test_many_steps_of_far_wires_are_one_launch(network: str) -> None:
    """Wires of 23 bits, places of 13: a stage of PBSN is two launches, and so is a merge."""
    launches = tile_launches(network, 23, 13, 3)
    assert len(launches) <= 46
    keys = np.random.default_rng(1).integers(0, 999, (1, 1 << 12)).astype(np.int16)
    np.testing.assert_array_equal(run_tiles(tile_launches(network, 12, 7, 3), keys), np.sort(keys))


@PLACES
@pytest.mark.parametrize("dtype", EVERY)
def test_networks_sort_bit_for_bit(put: Any, dtype: str) -> None:
    """As the default does: every kind of key, of any number."""
    for n in (0, 1, 2, 3, 9, 257):
        for network, keys in product(
            NETWORKS, awkward(n, dtype).values() if n else [random_bits(1, 0, dtype)]
        ):
            found = back(modern.sort(put(keys), network=network))
            np.testing.assert_array_equal(bits(found), bits(back(modern.sort(put(keys)))))
    rows = random_bits(2, (3, 1000), dtype)
    found = modern.sort(put(rows), axis=0, network="pbsn")
    np.testing.assert_array_equal(bits(back(found)), bits(back(modern.sort(put(rows), axis=0))))


@pytest.mark.gpu
@pytest.mark.parametrize("network", NETWORKS)
def test_networks_of_many_launches(network: Any) -> None:
    """Rows that no tile holds, in place."""
    for dtype, shape in (("float32", (2, 40_000)), ("float64", (10_001,)), ("int8", (70_000,))):
        keys = random_bits(3, shape, dtype)
        x = put_on_gpu(keys)
        assert modern.sort(x, network=network, out=x) is x
        np.testing.assert_array_equal(bits(back(x)), bits(modern.sort(keys)))


def test_other_networks_are_refused() -> None:
    with pytest.raises(errors.MethodUnavailable, match=r"wires idle.*'pbsn'"):
        modern.sort([2, 1], network=cast(Any, "odd-even-merge"))
    with pytest.raises(errors.UnknownName, match="bubble"):
        modern.sort([2, 1], network=cast(Any, "bubble"))


def stable_order(keys: Keys, descending: bool) -> list[int]:
    """The order of keys by Python alone: NaNs last, ties as they came."""
    sign, numbers = -1 if descending else 1, keys.tolist()
    return sorted(
        range(len(keys)), key=lambda i: (0, sign * x) if (x := numbers[i]) == x else (1, 0)
    )


@PLACES
@pytest.mark.parametrize("dtype", EVERY)
def test_argsort_is_stable(put: Any, dtype: str) -> None:
    for n in (0, 1, 2, 9, 40, 257):
        for keys in awkward(n, dtype).values() if n else [np.empty(0, dtype)]:
            for descending in (False, True):
                order = back(modern.argsort(put(keys), descending=descending))
                assert order.dtype == np.int64
                assert order.tolist() == stable_order(keys, descending)


@PLACES
def test_long_rows_have_their_places(put: Any) -> None:
    keys = random_bits(4, (2, 20_000), "float16")  # many ties and NaNs
    found = back(modern.argsort(put(keys), descending=True))
    for row, places in zip(keys, found, strict=True):
        assert places.tolist() == stable_order(row, True)


def test_times_have_nat_last() -> None:
    times = np.array(["2001", "NaT", "1969", "2001", "1970"], "datetime64[s]")
    assert modern.argsort(times).tolist() == [2, 4, 0, 3, 1]
    assert modern.argsort(times, descending=True).tolist() == [0, 3, 4, 2, 1]
    assert modern.argsort([True, False, True], descending=True).tolist() == [0, 2, 1]


@PLACES
def test_records(put: Any) -> None:
    keys, values = random_bits(5, 999, "float16"), np.arange(1998).reshape(999, 2)
    for descending in (False, True):
        order = stable_order(keys, descending)
        both = modern.sort_records(put(keys), put(values), descending=descending)
        found, followed = map(back, both)
        np.testing.assert_array_equal(bits(found), bits(keys[order]))
        np.testing.assert_array_equal(followed, values[order])
    wide = np.random.default_rng(6).integers(-2, 3, (999, 4)).astype(np.int64)
    order = np.lexsort(wide.T[::-1]).tolist()
    found, followed = map(back, modern.sort_records(put(wide), put(values)))
    np.testing.assert_array_equal(found, wide[order])
    np.testing.assert_array_equal(followed, values[order])


def test_structured_records_and_what_is_refused() -> None:
    kinds = [("day", "datetime64[D]"), ("price", ">f4"), ("size", "u1", 2)]
    keys = np.zeros(300, kinds)
    random = np.random.default_rng(7)
    for name in ("day", "price", "size"):
        keys[name] = random.integers(0, 3, keys[name].shape).astype(keys[name].dtype)
    found, places = modern.sort_records(keys, np.arange(300))
    order = np.lexsort([keys["size"][:, 1], keys["size"][:, 0], keys["price"], keys["day"]])
    np.testing.assert_array_equal(places, order)
    assert found.dtype == keys.dtype
    for bad, values, error in (
        ([3, 1], [1], errors.ValuesMismatch),
        ([3, 1], [[1], [1, 2]], errors.ValuesMismatch),
        (np.zeros((2, 0)), [1, 2], errors.KeysNotFlat),
        (np.zeros((2, 1, 1)), [1, 2], errors.KeysNotFlat),
        (["a", "b"], [1, 2], errors.UnsupportedKeys),
    ):
        with pytest.raises(error):
            modern.sort_records(bad, values)


@pytest.mark.gpu
def test_records_in_two_places_are_refused() -> None:
    with pytest.raises(errors.ArraysApart):
        modern.sort_records(put_on_gpu(np.arange(3)), np.arange(3))
