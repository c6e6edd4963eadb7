"""Lesson 12: wrong answers that no mistake names."""

import numpy as np

from shadersort.lessons.adversary.rounds import hostile, three_places
from tests.lessons.wrong import Answers

WRONG: Answers = {
    "killer": [
        lambda n, count, rounds: n,  # no keys
        lambda n, count, rounds: np.random.default_rng(0).random(n),
        lambda n, count, rounds: np.full(n, np.inf),
        # only the range is no float
        lambda n, count, rounds: np.append(np.full(n - 1, -1.7e308), 1.7e308),
        # far enough, but the crowd is so wide that the first round divides it
        lambda n, count, rounds: np.append(
            np.arange(n - rounds) / n, (2.0 * count) ** np.arange(rounds, 0, -1) / 1e3
        ),
        # whole numbers that end in no array
        lambda n, count, rounds: [0] * (n - rounds) + [(4 * count) ** (9 + e) for e in range(40)],
    ],
    "alike": [
        lambda n, bits: np.arange(n) % 2**bits,  # right, but for the type
        lambda n, bits: np.arange(n) / n,  # no whole numbers
        lambda n, bits: np.arange(n) - n,  # negative ones
        lambda n, bits: np.random.default_rng(0).integers(2**32, size=n),
        lambda n, bits: np.arange(2**bits),  # too few of them
    ],
    "slow_pivots": [
        lambda n: np.random.default_rng(0).permutation(n),
        lambda n: hostile(n, three_places),  # right, but not your own
        lambda n: [[0, 1], [2, 3]],  # no row
        lambda n: np.arange(n) % 3,
    ],
    "unfair": [
        lambda n, every: np.random.default_rng(0).permutation(n),
        lambda n, every: np.where(np.arange(n) % 2 == 0, 0, 1),  # another period
        lambda n, every: "keys",
    ],
}
