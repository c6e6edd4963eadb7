"""Phase transitions: how many measurements recover how many entries, by trials.

As Donoho and Tanner 2009 draw them: δ = m/n, the share of measurements, to the right, and
ρ = k/m, entries for each measurement, upwards. Below a curve nearly every x is recovered, and above
it nearly none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from shadersort.arguments import generator_of, is_between, whole_number
from shadersort.errors import BadCount
from shadersort.sparse.normalised_iterative_hard_thresholding import iterative_hard_thresholding

RIGHT = 1e-2
"""An x is recovered if what is left of it is less than this share."""

SHARES = (0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
"""Shares of measurements."""

LOADS = (0.05, 0.15, 0.25, 0.35, 0.45, 0.55)
"""Entries for each measurement."""


@dataclass(frozen=True)
class PhaseTransition:
    """How often x was recovered.

    Attributes
    ----------
    shares
        δ = m/n of each column.
    loads
        ρ = k/m of each row.
    rates
        (loads, shares): the share of trials in which x was recovered.
    n, trials
        The size of x, and the number of trials of each cell.
    """

    shares: tuple[float, ...]
    loads: tuple[float, ...]
    rates: npt.NDArray[np.float64]
    n: int
    trials: int


def phase_transition(
    n: int = 100,
    *,
    shares: Sequence[float] = SHARES,
    loads: Sequence[float] = LOADS,
    trials: int = 5,
    steps: int = 100,
    seed: int = 0,
) -> PhaseTransition:
    """Return how often iterative hard thresholding recovers random arrays from random measurements.

    Matrices and the entries of x are normally distributed; the same seed gives the same trials. The
    defaults take a few seconds. `shadersort.pictures.recoveries` draws the result.

    Parameters
    ----------
    n
        The size of x.
    shares
        δ: measurements as shares of n, above 0 and at most 1.
    loads
        ρ: entries that are not zero as shares of the measurements; at least one is.
    trials
        How often each pair is tried.
    steps
        The largest number of steps of a trial.
    seed
        Decides what is drawn.

    Raises
    ------
    BadCount
        A share is not between 0 and 1, n or the number of trials is not an integer of at least 1,
        or that of steps not one of at least 0.
    BadOption
        The seed is nothing that `np.random.default_rng` takes.

    Examples
    --------
    >>> found = phase_transition(50, shares=(0.9,), loads=(0.1, 0.9), trials=2)
    >>> found.rates.tolist()
    [[1.0], [0.0]]
    """
    for name, given in (("shares", shares), ("loads", loads)):
        if not np.iterable(given) or not all(is_between(each, 0, 1) and each for each in given):
            raise BadCount(f"{name} are numbers above 0, and at most 1, not {given!r}")
    n, trials = whole_number("n", n), whole_number("trials", trials)
    steps, rng = whole_number("steps", steps, least=0), generator_of("seed", seed)
    rates = np.zeros((len(loads), len(shares)))
    for (row, load), (column, share) in product(enumerate(loads), enumerate(shares)):
        m = max(round(share * n), 1)
        k = max(round(load * m), 1)
        rates[row, column] = np.mean([_is_recovered(rng, n, m, k, steps) for _ in range(trials)])
    return PhaseTransition(tuple(shares), tuple(loads), rates, n, trials)


def _is_recovered(rng: np.random.Generator, n: int, m: int, k: int, steps: int) -> bool:
    """Return whether one random array is recovered."""
    matrix, x = rng.standard_normal((m, n)), np.zeros(n)
    x[rng.choice(n, k, replace=False)] = rng.standard_normal(k)
    found = iterative_hard_thresholding(matrix @ x, matrix, k, tolerance=RIGHT / 10, steps=steps).x
    return bool(((found - x) ** 2).sum() <= RIGHT**2 * (x**2).sum())
