"""Networks that merge the lists of their wires into one, and the programs that draw them."""

from itertools import product

import numpy as np
import pytest

from shadersort import Device
from shadersort.drawing.compile import compile
from shadersort.drawing.methods.merging import merging
from shadersort.drawing.networks import NETWORKS, Network, network
from shadersort.drawing.passes import texture_size
from shadersort.names import SortMethod
from tests.helpers import WAYS

SIZES = (1, 4, 64)
"""Wires: a single texel, two in a column, and textures with and without eight layers."""


@pytest.mark.parametrize("name", NETWORKS)
def test_the_whole_sorts_by_the_zero_one_principle(name: str) -> None:
    """A network that sorts every input of zeros and ones sorts every input."""
    for lists, n in ((2, 1), (2, 2), (2, 4), (2, 8), (4, 1), (4, 2), (4, 4)):
        count = n * lists
        every_input = (np.arange(2**count)[:, np.newaxis] >> np.arange(count) & 1).astype(np.int8)
        result = merging(network(name, n), lists).apply(every_input)
        np.testing.assert_array_equal(result, np.sort(every_input, axis=1), f"{n} × {lists}")


@pytest.mark.parametrize(("lists", "n"), [(2, 16), (2, 128), (4, 8), (4, 16)])
def test_the_merge_merges_by_the_zero_one_principle(lists: int, n: int) -> None:
    """Every input of sorted lists of zeros and ones, each with from 0 to n zeros, is merged."""
    zeros = np.array(list(product(range(n + 1), repeat=lists)))
    keys = np.arange(n)[np.newaxis, :, np.newaxis] >= zeros[:, np.newaxis, :]
    every_input = keys.astype(np.int8).reshape(len(zeros), -1)
    result = merging(Network("sorted already", n, ()), lists).apply(every_input)
    np.testing.assert_array_equal(result, np.sort(every_input, axis=1))


def test_counts_follow_the_formulas() -> None:
    for p in range(1, 10):
        n = 1 << p
        for name in NETWORKS:
            plain = network(name, n)
            for lists, steps, turns in ((1, 0, 0), (2, p + 1, 1), (4, 2 * p + 3, 2)):
                merged = merging(plain, lists)
                assert merged.depth == plain.depth + steps + turns
                pairs = lists * n // 2
                assert merged.comparator_count == lists * plain.comparator_count + steps * pairs


@pytest.mark.parametrize(("name", "method"), WAYS)
def test_programs_merge(software: Device, name: str, method: SortMethod) -> None:
    """Every method draws the whole network; the lists of a texel follow each other in it."""
    for n in SIZES:
        width, height = texture_size(n)
        keys = np.random.default_rng(n).integers(-9, 9, (height, width, 4)).astype(np.float32)
        found = software.run(compile(merging(network(name, n), 4), width, height, method), keys)
        np.testing.assert_array_equal(found.ravel(), np.sort(keys.ravel()))


@pytest.mark.parametrize(("name", "method"), [way for way in WAYS if way[1] != "blend"])
def test_programs_merge_records(software: Device, name: str, method: SortMethod) -> None:
    for n in SIZES:
        width, height = texture_size(n)
        keys = np.random.default_rng(n).integers(0, n + 1, (height, width, 4), np.uint32)
        program = compile(merging(network(name, n), 2), width, height, method, 2)
        found = software.run(program, keys).reshape(-1, 2).tolist()
        assert found == sorted(keys.reshape(-1, 2).tolist())
