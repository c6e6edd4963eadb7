"""The normal distribution, and what is left of it when its ends are cut off.

No package is needed: quantiles are those of `statistics.NormalDist`, and the distribution of χ² has
a finite sum for every whole number of degrees of freedom (Abramowitz and Stegun 1964, 26.4.4 and
26.4.5).
"""

from math import erfc, exp, gamma, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Keys

NORMAL = NormalDist()

CUTOFF = NORMAL.inv_cdf(0.9875)
"""Residuals of more than so many scales are outliers: of normal errors, one in forty is."""


def normal_quantiles(shares: Keys) -> npt.NDArray[np.float64]:
    """Return the quantiles of the standard normal distribution for shares between 0 and 1.

    Examples
    --------
    >>> normal_quantiles(np.array([0.5, 0.975])).round(3)
    array([0.  , 1.96])
    """
    return np.array([NORMAL.inv_cdf(share) for share in shares.tolist()])


def trimmed_deviation(share: float) -> float:
    """Return the standard deviation of the middle share of a standard normal variable.

    For share α that is √(1 − 2 q φ(q) / α), with q the quantile of (1 + α) / 2 (Croux and
    Haesbroeck 1999). Divided by it, the deviation of the smallest residuals estimates that of all.

    Examples
    --------
    >>> round(trimmed_deviation(0.5), 4), trimmed_deviation(1.0)
    (0.3777, 1.0)
    """
    if share >= 1:
        return 1.0
    end = NORMAL.inv_cdf((1 + share) / 2)
    return sqrt(1 - 2 * end * NORMAL.pdf(end) / share)


def chi_squared_quantile(share: float, degrees: int) -> float:
    """Return the quantile of the distribution of χ², by bisection.

    Examples
    --------
    >>> round(chi_squared_quantile(0.975, 3), 4)
    9.3484
    """
    low, high = 0.0, 1.0
    while above(high, degrees) > 1 - share:
        high *= 2
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if above(middle, degrees) > 1 - share else (low, middle)
    return high


def above(value: float, degrees: int) -> float:
    """Return the probability that χ² exceeds a value.

    Examples
    --------
    >>> round(above(3.841, 1), 3), round(above(5.991, 2), 3)
    (0.05, 0.05)
    """
    half, odd = value / 2, degrees % 2
    tail = erfc(sqrt(half)) if odd else 0.0
    terms = range(1, degrees, 2) if odd else range(0, degrees, 2)
    terms_of_sum: float = sum(half ** (each / 2) / gamma(each / 2 + 1) for each in terms)
    return tail + exp(-half) * terms_of_sum
