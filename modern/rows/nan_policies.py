"""What is done with NaN, by SciPy's names."""

from typing import Any, Literal

import numpy as np

from modern.arrays import as_cupy, is_on_gpu, on_device
from modern.rows.asked import shaped
from shadersort.errors import BadOption, NaNRefused, choices
from shadersort.keys.accepted import as_rows_of_keys
from shadersort.keys.stand_ins import is_bfloat16, may_be_missing

NanPolicy = Literal["propagate", "omit", "raise"]
"""A NaN makes the result NaN, is left out, or is an error."""

POLICIES = "propagate", "omit", "raise"


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
    if policy not in POLICIES:
        raise BadOption(
            f"nan_policy must be one of 'propagate', 'omit' and 'raise', not {policy!r}"
        )
    _check_none(x, policy)
    return policy == "omit"


def policy_of(x: Any, policy: str | None, call: str, taken: tuple[str, ...]) -> str | None:
    """Return what is done with NaNs by a call that answers with keys; None if they are keys, too.

    So it is for keys of a type without NaN, and after "raise", which raises NaNRefused here. A
    policy that the call does not take, as no result would fit it, raises BadOption.

    Examples
    --------
    >>> policy_of([1.0, 2.0], "raise", "sort", ("raise",)) is None
    True
    >>> policy_of([1.0], "omit", "sort", ("raise",))
    Traceback (most recent call last):
    ...
    shadersort.errors.BadOption: sort takes nan_policy='raise', or None: NaNs are keys, ...
    """
    if policy is None:
        return None
    if policy not in taken:
        raise BadOption(
            f"{call} takes nan_policy={choices(taken)}, or None: NaNs are keys, the largest; not "
            f"{policy!r}"
        )
    _check_none(x, policy)
    given = shaped(x)
    dtype = (as_cupy(given) if is_on_gpu(given) else as_rows_of_keys(given)).dtype
    return policy if policy != "raise" and may_be_missing(np.dtype(dtype)) else None


def _check_none(x: Any, policy: str) -> None:
    if policy == "raise" and _has_nan(shaped(x)):
        raise NaNRefused("The input contains nan values")


def _has_nan(x: Any) -> bool:
    if not is_on_gpu(x):
        return _least_is_nan(as_rows_of_keys(x))
    with on_device(x) as given:
        if is_bfloat16(np.dtype(given.dtype)):
            return _has_nan_bits(given)
        return _least_is_nan(given)


def _has_nan_bits(keys: Any) -> bool:
    from modern.rows.cuda_numbers import numbers_of

    told = numbers_of(np.dtype(keys.dtype))
    return bool(told.are_nan(keys.view(told.stored)).any())


def _least_is_nan(keys: Any) -> bool:
    """Whether there is a NaN or a NaT, which is then the minimum: so nothing is copied."""
    if not keys.size or not may_be_missing(np.dtype(keys.dtype)):
        return False
    with np.errstate(invalid="ignore"):
        least = keys.min()
    return bool(least != least)
