from itertools import product
from typing import Any

import numpy as np
import pytest

from shadersort.drawing.methods.merging import merging
from shadersort.drawing.networks import NETWORKS, Network, Step, network
from shadersort.errors import UnknownName

PAPERS = ("pbsn", "bitonic", "odd-even-merge")


@pytest.mark.parametrize("name", NETWORKS)
def test_sorts_by_the_zero_one_principle(name: str) -> None:
    """A network that sorts every input of zeros and ones sorts every input; with merges, too."""
    for lists, count in product((1, 2, 4), (1, 2, 4, 8, 16)):
        if count >= lists:
            every_input = (np.arange(2**count)[:, np.newaxis] >> np.arange(count) & 1).astype("i1")
            result = merging(network(name, count // lists), lists).apply(every_input)
            np.testing.assert_array_equal(result, np.sort(every_input, axis=1), f"{lists} lists")


@pytest.mark.parametrize(("lists", "n"), [(2, 16), (2, 128), (4, 8), (4, 16)])
def test_the_merge_merges_by_the_zero_one_principle(lists: int, n: int) -> None:
    """Every input of sorted lists of zeros and ones, each with from 0 to n zeros, is merged."""
    zeros = np.array(list(product(range(n + 1), repeat=lists)))
    keys = np.arange(n)[np.newaxis, :, np.newaxis] >= zeros[:, np.newaxis, :]
    every_input = keys.astype(np.int8).reshape(len(zeros), -1)
    result = merging(Network("sorted already", n, ()), lists).apply(every_input)
    np.testing.assert_array_equal(result, np.sort(every_input, axis=1))


def test_counts_follow_the_formulas() -> None:
    for p in range(11):
        n = 1 << p
        pbsn, bitonic, odd_even = (network(name, n) for name in PAPERS)
        assert pbsn.depth == p * p
        assert bitonic.depth == odd_even.depth == p * (p + 1) // 2
        assert pbsn.comparator_count == p * p * n // 2
        assert bitonic.comparator_count == p * (p + 1) * n // 4
        assert odd_even.comparator_count == ((p * p - p + 4) * n // 4 - 1 if p else 0)


@pytest.mark.parametrize("name", NETWORKS)
def test_steps_are_disjoint_comparators(name: str) -> None:
    for n in (1 << p for p in range(11)):
        wires = np.arange(n)
        for step in network(name, n).steps:
            low, high = step.comparators(n)
            assert len(low) == step.comparator_count(n), step
            assert (low < high).all(), step
            assert len(np.unique(np.concatenate([low, high]))) == 2 * len(low), step
            np.testing.assert_array_equal(step.partner(step.partner(wires)), wires, str(step))


def test_pbsn_is_periodic() -> None:
    steps = network("pbsn", 64).steps
    assert steps == tuple(Step("mirror", block) for block in (64, 32, 16, 8, 4, 2)) * 6


def test_apply_leaves_its_input_alone() -> None:
    keys = np.array([3, 2, 1, 0])
    np.testing.assert_array_equal(network("bitonic", 4).apply(keys), [0, 1, 2, 3])
    np.testing.assert_array_equal(keys, [3, 2, 1, 0])


def test_what_is_no_network() -> None:
    with pytest.raises(UnknownName, match="'bubble': use 'pbsn', 'bitonic'"):
        network("bubble", 8)
    for n in (0, 3, -4):
        with pytest.raises(ValueError, match="power of two"):
            network("pbsn", n)
    with pytest.raises(TypeError, match="integer"):
        network("bitonic", 8.0)  # type: ignore[arg-type]
    assert network("bitonic", np.int64(8)) == network("bitonic", 8)
    with pytest.raises(ValueError, match="must be 4 long"):
        network("pbsn", 4).apply(np.arange(6))
    with pytest.raises(ValueError, match="does not fit a network of 4 wires"):
        Network("long", 4, (Step("mirror", 8),))
    wrong: list[Any] = [("mirror", 3), ("mirror", 1), ("shift", 8, 0, 4), ("shift", 4, 1, 8)]
    for rule in (*wrong, ("mirror", 4, 2, 8)):
        with pytest.raises(ValueError, match="Step"):
            Step(*rule)
