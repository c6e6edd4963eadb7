"""Data on which robust regression has been tried since 1984, and fits that others published.

The numbers are facts of Rousseeuw and Leroy 1987, "Robust Regression and Outlier Detection": stack
loss (Brownlee 1965), page 76; stars of the cluster CYG OB1 (Humphreys 1978; Vansina and De Greve
1982), page 27; telephone calls from Belgium in tens of millions, page 26; specific gravity of wood
(Draper and Smith 1966), with four rows changed by Rousseeuw 1984, page 243.
"""

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.line.data import stars


def columns_of(text: str, width: int) -> tuple[Keys, Keys]:
    """The columns of X, and y, which is the last of so many columns."""
    rows = np.array(text.split(), float).reshape(-1, width)
    return rows[:, :-1], rows[:, -1]


STACK_LOSS = columns_of(
    """
    80 27 89 42  80 27 88 37  75 25 90 37  62 24 87 28  62 22 87 18  62 23 87 18  62 24 93 19
    62 24 93 20  58 23 87 15  58 18 80 14  58 18 89 14  58 17 88 13  58 18 82 11  58 19 93 12
    50 18 89 8   50 18 86 7   50 19 72 8   50 19 79 8   50 20 80 9   56 20 82 15  70 20 91 15
    """,
    4,
)

STARS = stars()[0][:, None], stars()[1]

CALLS = columns_of(
    """
    50 0.44  51 0.47  52 0.47  53 0.59  54 0.66  55 0.73  56 0.81  57 0.88  58 1.06  59 1.20
    60 1.35  61 1.49  62 1.61  63 2.12  64 11.9  65 12.4  66 14.2  67 15.9  68 18.2  69 21.2
    70 4.30  71 2.40  72 2.70  73 2.90
    """,
    2,
)

WOOD = columns_of(
    """
    0.573 0.1059 0.465 0.538 0.841 0.534  0.651 0.1356 0.527 0.545 0.887 0.535
    0.606 0.1273 0.494 0.521 0.920 0.570  0.437 0.1591 0.446 0.423 0.992 0.450
    0.547 0.1135 0.531 0.519 0.915 0.548  0.444 0.1628 0.429 0.411 0.984 0.431
    0.489 0.1231 0.562 0.455 0.824 0.481  0.413 0.1673 0.418 0.430 0.978 0.423
    0.536 0.1182 0.592 0.464 0.854 0.475  0.685 0.1564 0.631 0.564 0.914 0.486
    0.664 0.1588 0.506 0.481 0.867 0.554  0.703 0.1335 0.519 0.484 0.812 0.519
    0.653 0.1395 0.625 0.519 0.892 0.492  0.586 0.1114 0.505 0.565 0.889 0.517
    0.534 0.1143 0.521 0.570 0.889 0.502  0.523 0.1320 0.505 0.612 0.919 0.508
    0.580 0.1249 0.546 0.608 0.954 0.520  0.448 0.1028 0.522 0.534 0.918 0.506
    0.417 0.1687 0.405 0.415 0.981 0.401  0.528 0.1057 0.424 0.566 0.909 0.568
    """,
    6,
)
