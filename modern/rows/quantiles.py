"""Quantiles of rows on a device: ranks, their keys, and mixes of neighbours; nothing waits.

What a launch needs to know of the quantiles is passed by value (modern/kernels/rows/quantiles.cu).
"""

from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from modern.launching.launch import BFLOAT16, KeyType
from modern.rows.launches import KeyRows, Request, find
from modern.rows.plans import NO_ARRAY, NUMBERS, THREADS, Question
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

Tables = list[tuple[int, ...]]


class DevicePlan(NamedTuple):
    """What quantiles need of rows of one length and one type of key."""

    shape: tuple[int, ...]  # of q
    dtype: KeyType  # of the answers
    ranks: tuple[int, ...]  # of rows without NaN
    wanted: Tables  # for each launch, q as the bits of doubles
    mixes: Tables  # places in `ranks` of the lower and the upper key, and the bits of the share
    rank_macros: dict[str, int]
    mix_macros: dict[str, int]


def plan_quantiles(
    n: int, q: npt.ArrayLike, method: str, dtype: KeyType, rounds: bool
) -> DevicePlan:
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
    return DevicePlan(
        wanted.shape,
        _answer_type(planned, dtype, rounds),
        tuple(planned.ranks.tolist()),
        _tables(wanted.astype(FLOAT64).view(np.int64)),
        _tables(planned.lower, planned.upper, bits),
        {"STEP": 0, "METHOD": number, "REAL_BYTES": own},
        {"STEP": 1, "STEPPED": int(stepped), "WEAK": int(weak)}
        | {"ROUNDS": int(rounds), "REAL_BYTES": real.itemsize},
    )


_kept_plan: Any = lru_cache(maxsize=256, typed=True)(_plan)


def _tables(*words: Any) -> Tables:
    """Return the words of each launch, some for each quantile."""
    table = np.stack([each.ravel() for each in words], axis=1)
    return [tuple(table[i : i + MOST].ravel().tolist()) for i in range(0, len(table), MOST)]


def _answer_type(planned: QuantilePlan, dtype: KeyType, rounds: bool) -> KeyType:
    """Return the type of quantiles, which NumPy finds."""
    half = isinstance(dtype, str)
    found = planned.combine(np.empty((planned.ranks.size, 0), HALF if half else dtype)).dtype
    if half and found != FLOAT64:
        return BFLOAT16 if rounds or planned.shares is None else FLOAT32
    return found if planned.shares is None or found in (HALF, FLOAT32) else FLOAT64


def mix(rows: KeyRows, planned: DevicePlan, found: int, answers: int) -> None:
    """Mix keys of the plan's ranks, (ranks, outer, inner), to quantiles (count, outer, inner)."""
    macros = planned.mix_macros
    _run(rows, planned, planned.mixes, (found, 0, answers), EACH=0, **macros)


def find_of_numbers(rows: KeyRows, planned: DevicePlan, answers: int) -> None:
    """Find the quantiles of the numbers of each row, (count, outer, inner)."""
    keys, count, each = rows.keys, prod(planned.shape), rows.lying.number
    ranked = count if planned.mix_macros["STEPPED"] else 2 * count
    itemsize = keys.launcher.raw.itemsize
    numbers = keys.scratch((8 * (1 + ranked + count) + itemsize * ranked) * each)
    ranks = numbers + 8 * each
    shares = ranks + 8 * ranked * each
    found = shares + 8 * count * each
    find(rows, Request(Question(NUMBERS), (NO_ARRAY, numbers), (0, 8)))
    _run(rows, planned, planned.wanted, (numbers, ranks, shares), **planned.rank_macros)
    find(rows, Request(Question(), (ranks, found), (8, itemsize), (0, ranked, 1)))
    mixed = found, shares, answers
    _run(rows, planned, planned.wanted, mixed, EACH=1, **planned.mix_macros)


def _run(
    rows: KeyRows, planned: DevicePlan, tables: Tables, addresses: tuple[int, ...], **macros: int
) -> None:
    """Launch a step, with a thread for each quantile of a row."""
    launcher, count, each = rows.keys.launcher, prod(planned.shape), rows.lying.number
    kernel = launcher.kernel("quantiles", **macros)
    for first, words in zip(range(0, count, MOST), tables, strict=True):
        grid = (-(-min(MOST, count - first) * each // THREADS),)
        arguments = *addresses, count, each, first, *words
        launcher.launch(kernel, grid, THREADS, arguments)
