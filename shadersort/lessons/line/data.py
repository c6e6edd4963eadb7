"""Lesson 16: a spring, points of which many are wrong, and stars."""

import numpy as np

from shadersort.keys.types import Keys
from shadersort.web.pieces.outlier import POINTS, USUAL

Points = tuple[Keys, Keys]

STARS = """
    4.37 5.23   4.56 5.74   4.26 4.93   4.56 5.74   4.30 5.19   4.46 5.46   3.84 4.65   4.57 5.27
    4.26 5.57   4.37 5.12   3.49 5.73   4.43 5.45   4.48 5.42   4.01 4.05   4.29 4.26   4.42 4.58
    4.23 3.94   4.42 4.18   4.23 4.18   3.49 5.89   4.29 4.38   4.29 4.22   4.42 4.42   4.49 4.85
    4.38 5.02   4.42 4.66   4.29 4.66   4.38 4.90   4.22 4.39   3.48 6.05   4.38 4.42   4.56 5.10
    4.45 5.22   3.49 6.29   4.23 4.34   4.62 5.62   4.53 5.10   4.45 5.22   4.53 5.18   4.43 5.57
    4.38 4.62   4.45 5.06   4.50 5.34   4.45 5.34   4.55 5.54   4.45 4.98   4.42 4.50
"""
"""Temperature and light of the 47 stars of the cluster CYG OB1, as logarithms to base 10."""


def spring(length: float = USUAL[1]) -> Points:
    """Return thirteen weights, and the lengths of a spring; the last one can be changed."""
    weights, lengths = np.array([*POINTS, (USUAL[0], length)]).T
    return weights, lengths


def with_wrong_ones(good: int = 22, crowd: int = 12, scattered: int = 6, seed: int = 15) -> Points:
    """Return points of one line, then wrong ones: a crowd at the lower right, and some anywhere."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 10, good)
    y = 2 + x / 2 + rng.normal(0, 0.2, good)
    far = np.append(rng.normal(11, 0.5, crowd), rng.uniform(0, 10, scattered))
    away = np.append(rng.normal(1, 0.3, crowd), rng.uniform(0, 12, scattered))
    return np.append(x, far), np.append(y, away)


def stars() -> Points:
    """Return the logarithms of temperature and light of the stars of CYG OB1.

    The numbers are facts of Humphreys (1978), with corrections by Vansina and De Greve (1982), as
    Rousseeuw and Leroy list them (*Robust Regression and Outlier Detection*, 1987, chapter 2).
    """
    numbers = np.array(STARS.split(), np.float64)
    return numbers[::2], numbers[1::2]
