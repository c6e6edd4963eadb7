"""Lesson 2, sorting without branches: the exercises."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from shadersort.drawing.networks import Network, Step, bitonic, odd_even_merge, pbsn
from shadersort.keys.types import Keys
from shadersort.lessons.exercises import Case, Exercise, Mistake, PythonRunner, parts_of

Comparators = list[tuple[int, int]]


def zeros_and_ones(n: int) -> Keys:
    """Return every input of n zeros and ones, in the order of binary numbers.

    Examples
    --------
    >>> zeros_and_ones(2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    return np.arange(1 << n)[:, np.newaxis] >> np.arange(n)[::-1] & 1


def _apply(comparators: Sequence[tuple[int, int]], keys: Keys) -> Keys:
    """Return inputs, one a row, after all comparators."""
    for low, high in comparators:
        keys[:, [low, high]] = np.sort(keys[:, [low, high]], axis=1)
    return keys


def _asks(question: Callable[[Keys], Any]) -> Callable[[Comparators, int], bool]:
    """Return an answer that asks a question about all outputs, one a row."""
    return lambda comparators, n: bool(np.all(question(_apply(comparators, zeros_and_ones(n)))))


def _some_networks(rng: np.random.Generator) -> Iterator[Case]:
    """Yield networks that sort, and the same ones without a comparator, or in another order.

    The last ones fail so rarely that a few random inputs do not show it. None has more than 8
    wires, so that an answer that tries all permutations is right, and not too slow.
    """
    yield [], 2
    yield [(0, 1)], 2
    yield [(0, 1)], 3
    yield [(0, 1), (1, 2)], 3
    yield [(0, 1), (1, 2), (0, 1)], 3
    for network in (odd_even_merge(4), bitonic(8), pbsn(4), odd_even_merge(8)):
        whole, n = [pair for step in network.steps for pair in _pairs(step, network)], network.n
        yield whole, n
        gone = int(rng.integers(len(whole)))
        yield whole[:gone] + whole[gone + 1 :], n
        yield whole[::-1], n
    for n, of_round in ((6, 2), (7, 3), (8, 2), (8, 3), (8, 4)):
        yield _nearly_sorts(n, of_round), n


def _pairs(step: Step, network: Network) -> Comparators:
    low, high = step.comparators(network.n)
    return list(zip(low.tolist(), high.tolist(), strict=True))


def _nearly_sorts(n: int, of_round: int) -> Comparators:
    """Return bubble sort without one comparator: one input of zeros and ones stays unsorted."""
    rounds = [[(i, i + 1) for i in range(last)] for last in range(n - 1, 0, -1)]
    del rounds[of_round][0]
    return [comparator for each in rounds for comparator in each]


def _try_reversed(comparators: Comparators, n: int) -> bool:
    return bool(np.all(np.diff(_apply(comparators, np.arange(n)[np.newaxis, ::-1].copy())) > 0))


def _overwrite(comparators: Comparators, n: int) -> bool:
    """Write each minimum before the maximum is known."""
    keys = zeros_and_ones(n)
    for low, high in comparators:
        keys[:, low] = np.minimum(keys[:, low], keys[:, high])
        keys[:, high] = np.maximum(keys[:, low], keys[:, high])
    return bool(np.all(keys[:, :-1] <= keys[:, 1:]))


sorts = Exercise(
    name="sorts",
    specification=_asks(lambda keys: keys[:, :-1] <= keys[:, 1:]),
    cases=_some_networks,
    hints=(
        "zeros_and_ones(n) has all 2**n inputs, one a row: a comparator acts on two columns.",
        "For each comparator (low, high): the column low becomes the minimum of both columns, and "
        "high the maximum. Compute both before you write either.",
        "A row is sorted if no key is larger than the next: keys[:, :-1] <= keys[:, 1:].",
    ),
    mistakes=(
        Mistake(
            "you tried one input only, the reversed one",
            _try_reversed,
            "A network that sorts one input may fail on another: try all of zeros_and_ones(n).",
        ),
        Mistake(
            "you wrote the smaller key over the column `low` before you took the larger one",
            _overwrite,
        ),
        Mistake(
            "you return True for every network",
            lambda comparators, n: True,
            "Zeros alone are always sorted, so do not ask for *some* input: np.all asks for all.",
        ),
    ),
)


def _balanced(n: int, block: int, last: int = -1) -> Comparators:
    return [(at + i, at + block + last - i) for at in range(0, n, block) for i in range(block // 2)]


def _in_order(yours: Any) -> Comparators:
    """Return the comparators of an answer in order: their order does not matter in one step."""
    asked = "a list of pairs (low, high)"
    found = (parts_of(each, asked, 2) for each in parts_of(yours, asked))
    return sorted((int(low), int(high)) for low, high in found)


balanced_comparators = Exercise(
    name="balanced_comparators",
    specification=_balanced,
    cases=lambda rng: [(2, 2), (8, 8), (8, 4), (8, 2), (16, 8), (32, 4)],
    hints=(
        "With one block, block == n: wire i meets wire n − 1 − i, for the i of the upper half.",
        "The blocks begin at wires 0, block, 2 · block …: range(0, n, block).",
        "In the block that begins at `first`: (first + i, first + block - 1 - i).",
    ),
    runner=PythonRunner(_in_order),
    mistakes=(
        Mistake(
            "you compared wire i with the wire half a block further on, not with its mirror",
            lambda n, block: sorted((i, i + block // 2) for i in range(n) if not i & block // 2),
        ),
        Mistake("you mirrored by one wire too far", lambda n, block: _balanced(n, block, last=0)),
        Mistake(
            "you wrote the comparators of the first block only",
            lambda n, block: _balanced(block, block),
        ),
    ),
)

EXERCISES = (sorts, balanced_comparators)
