"""Lesson 2: wrong answers that no mistake names."""

from tests.lessons.wrong import Answers

WRONG: Answers = {
    "sorts": [
        lambda comparators, n: len(comparators) > 2,
        lambda comparators, n: comparators,
        lambda comparators, n: comparators[0] == (0, 1),
    ],
    "balanced_comparators": [
        lambda n, block: list(range(n)),  # no pairs
        lambda n, block: [(i, i + 1) for i in range(0, n, 2)],  # neighbours
        lambda n, block: n,
    ],
}
