"""Quantiles of rows on a device: ranks, their keys, and mixes of neighbours; nothing waits."""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from modern.device_arrays import write_values
from modern.launching.launch import BFLOAT16, KeyType
from modern.rows.launches import NUMBERS, SELECT, KeyRows, Ranks, find_ranks
from modern.rows.plans import THREADS, Question
from shadersort.selection.quantile_plan import QUANTILE_METHODS, QuantilePlan, shares_of

HALF, FLOAT32, FLOAT64 = (np.dtype(name) for name in ("float16", "float32", "float64"))


@lru_cache(maxsize=256)
def answer_type(dtype: KeyType, plan: QuantilePlan) -> KeyType:
    """Return the type of quantiles: what NumPy's promotion makes of keys and shares.

    Examples
    --------
    >>> from shadersort.selection.quantile_plan import plan
    >>> answer_type(np.dtype(np.int8), plan(5, 0.5)), answer_type("bfloat16", plan(5, 0.5))
    (dtype('float64'), 'bfloat16')
    """
    if plan.shares is None:
        return dtype
    shares = _share_type(plan)
    if isinstance(dtype, str):
        return FLOAT64 if shares == FLOAT64 and not plan.weak else BFLOAT16
    if plan.weak and np.dtype(dtype).kind == "f":
        return dtype
    return np.result_type(dtype, shares)


def _share_type(plan: QuantilePlan) -> np.dtype[Any]:
    """Return the type of shares on the device, which has none of more than 64 bits."""
    known = plan.shares is not None and plan.shares.dtype == FLOAT32
    return FLOAT32 if known and not plan.weak else FLOAT64


@lru_cache(maxsize=256)
def _table(plan: QuantilePlan, *, half: bool) -> Any:
    """Return for each quantile the places of its neighbours, and its share, as bits."""
    places = np.stack([plan.lower.ravel(), plan.upper.ravel()]).astype(np.int64)
    shares = np.zeros(plan.lower.size) if plan.shares is None else plan.shares.ravel()
    if plan.weak and half:
        shares = shares.astype(HALF)
    bits = shares.astype(FLOAT64).view(np.uint64)
    return np.stack([*places.view(np.uint64), bits], axis=1).ravel()


def mix(rows: KeyRows, plan: QuantilePlan, found: int, answers: int) -> None:
    """Mix keys of the plan's ranks, (ranks, outer, inner), to quantiles (count, outer, inner)."""
    at = write_values(rows.keys, _table(plan, half=rows.keys.launcher.dtype == HALF))
    _mix(rows, plan, (found, at, plan.lower.size, rows.lying.number, 0, answers), each=False)


def _mix(rows: KeyRows, plan: QuantilePlan, arguments: tuple[int, ...], *, each: bool) -> None:
    launcher, count = rows.keys.launcher, plan.lower.size
    kernel = launcher.kernel(
        "quantiles",
        **{"STEP": 1, "STEPPED": int(plan.shares is None), "EACH": int(each)},
        **{"WEAK": int(plan.weak), "REAL_BYTES": _share_type(plan).itemsize},
    )
    launcher.launch(kernel, (-(-count * rows.lying.number // THREADS),), THREADS, arguments)


def of_numbers(
    rows: KeyRows, plan: QuantilePlan, q: npt.ArrayLike, method: str, answers: int
) -> None:
    """Find the quantiles of the numbers of each row, (count, outer, inner).

    `plan` is that of rows without NaN.
    """
    keys, count, each = rows.keys, plan.lower.size, rows.lying.number
    given = shares_of(q, method).ravel()
    real = FLOAT32 if given.dtype == FLOAT32 else FLOAT64
    table = given.astype(real)
    stepped = plan.shares is None
    ranked = count if stepped else 2 * count
    itemsize = keys.launcher.raw.itemsize
    numbers, ranks = keys.scratch(8 * each), keys.scratch(8 * ranked * each)
    shares, found = keys.scratch(8 * count * each), keys.scratch(itemsize * ranked * each)
    find_ranks(rows, Ranks(Question(NUMBERS), numbers, 8))
    # floats of 32 bits are written in pairs
    wide = np.concatenate([table, np.zeros(len(table) % 2, real)]) if real == FLOAT32 else table
    at = write_values(keys, wide)
    number = QUANTILE_METHODS.index("lower" if stepped and method == "linear" else method)
    kernel = keys.launcher.kernel("quantiles", STEP=0, METHOD=number, REAL_BYTES=real.itemsize)
    arguments = numbers, at, count, each, ranks, shares
    keys.launcher.launch(kernel, (-(-count * each // THREADS),), THREADS, arguments)
    find_ranks(rows, Ranks(Question(SELECT), found, itemsize, ranks, 0, ranked, 1))
    _mix(rows, plan, (found, 0, count, each, shares, answers), each=True)
