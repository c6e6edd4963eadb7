"""What is done with NaN, by SciPy's names."""

from typing import Any, Literal

import numpy as np

from modern.arrays import is_on_gpu, on_device
from modern.rows.asked import shaped
from shadersort.errors import BadOption, NaNRefused
from shadersort.keys.accepted import as_rows_of_keys
from shadersort.keys.stand_ins import may_be_missing

NanPolicy = Literal["propagate", "omit", "raise"]
"""A NaN makes the result NaN, is left out, or is an error."""


def omits(x: Any, policy: str) -> bool:
    """Whether NaNs are left out; raise NaNRefused if the policy is "raise" and there is one.

    Examples
    --------
    >>> omits([1, float("nan")], "omit")
    True
    >>> omits([1, float("nan")], "raise")
    Traceback (most recent call last):
    ...
    shadersort.errors.NaNRefused: The input contains nan values
    """
    if policy not in ("propagate", "omit", "raise"):
        raise BadOption(
            f"nan_policy must be one of 'propagate', 'omit' and 'raise', not {policy!r}"
        )
    if policy == "raise" and _has_nan(shaped(x)):
        raise NaNRefused("The input contains nan values")
    return policy == "omit"


def _has_nan(x: Any) -> bool:
    if not is_on_gpu(x):
        return _least_is_nan(as_rows_of_keys(x))
    with on_device(x) as given:
        return _least_is_nan(given)


def _least_is_nan(keys: Any) -> bool:
    """Whether there is a NaN or a NaT, which is then the minimum: so nothing is copied."""
    if not keys.size or not may_be_missing(np.dtype(keys.dtype)):
        return False
    with np.errstate(invalid="ignore"):
        least = keys.min()
    return bool(least != least)
