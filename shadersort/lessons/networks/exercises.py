"""Lesson 2, sorting without branches: the exercises."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from shadersort.drawing.networks import Network, Step, bitonic, odd_even_merge, pbsn
from shadersort.lessons.exercises import Case, Exercise, PythonRunner, parts_of
from shadersort.lessons.networks.inputs import zeros_and_ones
from shadersort.lessons.networks.mistakes import BALANCED_COMPARATORS, SORTS
from shadersort.lessons.networks.pictures import Comparator


def _sorts(comparators: Sequence[Comparator], n: int) -> bool:
    """Return whether these comparators, one after the other, sort every input of n keys."""
    keys = zeros_and_ones(n)
    for low, high in comparators:
        keys[:, [low, high]] = np.sort(keys[:, [low, high]], axis=1)
    return bool(np.all(keys[:, :-1] <= keys[:, 1:]))


def _some_networks(rng: np.random.Generator) -> Iterator[Case]:
    """Yield networks that sort, and the same ones without a comparator, or in another order.

    The last ones fail so rarely that a few random inputs do not show it.
    """
    yield [], 2
    yield [(0, 1)], 2
    yield [(0, 1)], 3
    yield [(0, 1), (1, 2)], 3
    yield [(0, 1), (1, 2), (0, 1)], 3
    for whole_network in (odd_even_merge(4), bitonic(8), pbsn(4), odd_even_merge(8)):
        whole, n = _all_comparators(whole_network), whole_network.n
        yield whole, n
        gone = int(rng.integers(len(whole)))
        yield whole[:gone] + whole[gone + 1 :], n
        yield whole[::-1], n
    for n in (12, 14):
        yield _nearly_sorts(n), n


def _nearly_sorts(n: int) -> list[Comparator]:
    """Return bubble sort without one comparator: about 1 of 1,000 permutations is not sorted."""
    rounds = [[(i, i + 1) for i in range(last)] for last in range(n - 1, 0, -1)]
    del rounds[n // 2 - 1][0]
    return [comparator for each in rounds for comparator in each]


def _all_comparators(network: Network) -> list[Comparator]:
    """Return every comparator of a network in a valid order."""
    pairs = [step.comparators(network.n) for step in network.steps]
    return [
        (low, high)
        for lows, highs in pairs
        for low, high in zip(lows.tolist(), highs.tolist(), strict=True)
    ]


sorts = Exercise(
    name="sorts",
    specification=_sorts,
    cases=_some_networks,
    hints=(
        "By the 0-1 principle there are only 2**n inputs to try. zeros_and_ones(n) has them all, "
        "one a row, so a comparator acts on two columns.",
        "For each comparator (low, high): the column low becomes the minimum of both columns, and "
        "high the maximum. Compute both before you write either.",
        "A row is sorted if no key is larger than the next: "
        "np.all(keys[:, :-1] <= keys[:, 1:]) asks that of all rows.",
    ),
    mistakes=SORTS,
)


def _balanced(n: int, block: int) -> list[Comparator]:
    low, high = Step("mirror", block).comparators(n)
    return list(zip(low.tolist(), high.tolist(), strict=True))


def _pairs(yours: Any) -> list[tuple[int, int]]:
    """Return the comparators of an answer in order: their order does not matter in one step."""
    asked = "a list of pairs (low, high)"
    found = (parts_of(each, asked, 2) for each in parts_of(yours, asked))
    return sorted((int(low), int(high)) for low, high in found)


balanced_comparators = Exercise(
    name="balanced_comparators",
    specification=_balanced,
    cases=lambda rng: [(2, 2), (8, 8), (8, 4), (8, 2), (16, 8), (32, 4)],
    hints=(
        "Begin with one block, block == n: wire i meets wire n − 1 − i, "
        "for the i of the upper half.",
        "The blocks begin at wires 0, block, 2 · block …: range(0, n, block).",
        "In the block that begins at `first`, i from 0 to block // 2 − 1: "
        "(first + i, first + block - 1 - i).",
    ),
    runner=PythonRunner(_pairs),
    mistakes=BALANCED_COMPARATORS,
)

EXERCISES = (sorts, balanced_comparators)
