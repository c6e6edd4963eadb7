"""Plans of answers that depend on how many numbers a row has, because NaNs are left out.

Rows find the keys of the ranks that a plan names, and the plan makes answers of these keys. The
plan of quantiles is in quantiles.py.
"""

from typing import Any, Protocol

import numpy as np

from shadersort.keys.types import Integers


class PlanByCount(Protocol):
    """What to find in a row that has some numbers, and how to make answers of the keys found.

    Attributes
    ----------
    length
        How many keys a row has.
    ranks
        The ranks in rows without NaN: distinct and ascending.
    answers
        How many answers each row gets.
    dtype
        The type of the answers.
    """

    length: int
    ranks: Integers
    answers: int
    dtype: np.dtype[Any]

    def whole(self, found: Any) -> Any:
        """Return the answers of rows without NaN, (answers, …), of keys (ranks.size, …)."""

    def planned(self, counts: Integers) -> tuple[Integers, Any]:
        """Return the ranks in rows with so many numbers, (r, …), and the weights of their keys.

        A row has at least one number. The ranks may come in any order.
        """

    def mixed(self, found: Any, weight: Any) -> Any:
        """Return answers, (answers, …), of keys (r, …) with such weights."""
