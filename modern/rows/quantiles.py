"""Quantiles of rows on a device: ranks, their keys, and mixes of neighbours; nothing waits.

What a launch needs to know of the quantiles is passed by value (modern/kernels/rows/quantiles.cu).
"""

from collections.abc import Callable
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from modern.launching.launch import BFLOAT16, KeyType
from modern.rows.launches import KeyRows
from modern.rows.plans import THREADS
from shadersort.selection.quantile_plan import (
    QUANTILE_METHODS,
    QuantilePlan,
    check_mixed,
    plan,
    shares_of,
)

HALF, FLOAT32, FLOAT64 = (np.dtype(name) for name in ("float16", "float32", "float64"))

MOST = 149
"""Quantiles of one launch, which has three words for each: as in quantiles.cu."""

MOST_KEPT = 1 << 12
"""Quantiles of a plan that is kept, at most."""

Step = tuple[list[tuple[int, ...]], dict[str, int]]
"""A step of quantiles: the words of each launch, and the macros of the kernel."""


class DevicePlan(NamedTuple):
    """What quantiles need of rows of one length and one type of key."""

    shape: tuple[int, ...]  # of q
    dtype: KeyType  # of the answers
    ranks: tuple[int, ...]  # of rows without NaN
    mix: Step  # the words: lower and upper place in `ranks`, and the bits of the share
    own_ranks: int  # how many ranks a row has if it has its own
    find_own: Step  # the words: q as the bits of doubles
    mix_own: Step


def plan_quantiles(n: int, q: Any, method: str, dtype: KeyType, rounds: bool) -> DevicePlan:
    """Plan quantiles of rows of n keys, or raise an error; `rounds` is that of `DeviceKeys`.

    Plans of numbers of Python and of short arrays are kept.
    """
    if type(q) in (float, int):
        return _kept_plan(n, q, method, dtype, rounds)
    given = shares_of(q, method)
    key = given.tobytes(), given.dtype, given.shape
    return (_kept_plan if given.size <= MOST_KEPT else _plan)(n, key, method, dtype, rounds)


def _plan(n: int, q: Any, method: str, dtype: KeyType, rounds: bool) -> DevicePlan:
    """Plan quantiles: a number of Python, or the bytes, the type and the shape of an array."""
    given = np.frombuffer(q[0], q[1]).reshape(q[2]) if isinstance(q, tuple) else q
    planned, wanted = plan(n, given, method), shares_of(given, method)
    if dtype == np.bool_:
        check_mixed(np.dtype(np.bool_), method, planned.shares)
    stepped, weak = planned.shares is None, planned.weak
    shares = np.zeros(planned.lower.shape) if planned.shares is None else planned.shares
    real = FLOAT64 if weak or shares.dtype != FLOAT32 else FLOAT32  # the device has no wider type
    if weak and dtype == HALF:
        shares = shares.astype(HALF)
    bits = shares.astype(FLOAT64).view(np.int64)
    number = QUANTILE_METHODS.index("lower" if stepped and method == "linear" else method)
    own = 4 if wanted.dtype == FLOAT32 else 8
    mix = {"STEP": 1, "STEPPED": int(stepped), "WEAK": int(weak), "ROUNDS": int(rounds)}
    mix |= {"REAL_BYTES": real.itemsize}
    words = _words(wanted.astype(FLOAT64).view(np.int64))
    return DevicePlan(
        wanted.shape,
        _answer_type(planned, dtype, rounds),
        tuple(planned.ranks.tolist()),
        (_words(planned.lower, planned.upper, bits), {"EACH": 0} | mix),
        wanted.size if stepped else 2 * wanted.size,
        (words, {"STEP": 0, "METHOD": number, "REAL_BYTES": own}),
        (words, {"EACH": 1} | mix),
    )


_kept_plan: Callable[..., DevicePlan] = lru_cache(maxsize=256, typed=True)(_plan)


def _words(*columns: Any) -> list[tuple[int, ...]]:
    """Return the words of each launch, some for each quantile."""
    table = np.stack([each.ravel() for each in columns], axis=1)
    return [tuple(table[i : i + MOST].ravel().tolist()) for i in range(0, len(table), MOST)]


def _answer_type(planned: QuantilePlan, dtype: KeyType, rounds: bool) -> KeyType:
    """Return the type of quantiles, which NumPy finds."""
    half = isinstance(dtype, str)
    found = planned.combine(np.empty((planned.ranks.size, 0), HALF if half else dtype)).dtype
    if half and found != FLOAT64:
        return BFLOAT16 if rounds or planned.shares is None else FLOAT32
    return found if planned.shares is None or found in (HALF, FLOAT32) else FLOAT64


def find_of_numbers(rows: Any, planned: DevicePlan, answers: int) -> None:
    """Find the quantiles of the numbers of each of the `DeviceRows`, (count, outer, inner)."""
    each, ranked, count = rows.count, planned.own_ranks, prod(planned.shape)
    numbers = rows.keys.scratch((8 * (1 + ranked + count) + rows.itemsize * ranked) * each)
    ranks = numbers + 8 * each
    shares = ranks + 8 * ranked * each
    found = shares + 8 * count * each
    rows.count_numbers(numbers)
    launch_step(rows.rows, planned.find_own, count, numbers, ranks, shares)
    rows.find_each(ranks, found, ranked)
    launch_step(rows.rows, planned.mix_own, count, found, shares, answers)


def launch_step(rows: KeyRows, step: Step, count: int, *addresses: int) -> None:
    """Launch a step of `count` quantiles, with a thread for each quantile of a row."""
    (tables, macros), launcher, each = step, rows.keys.launcher, rows.lying.number
    kernel = launcher.kernel("quantiles", **macros)
    for first, words in zip(range(0, count, MOST), tables, strict=True):
        grid = (-(-min(MOST, count - first) * each // THREADS),)
        arguments = *addresses, count, each, first, *words
        launcher.launch(kernel, grid, THREADS, arguments)
