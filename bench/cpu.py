"""Selection in NumPy arrays beside NumPy itself: flat, and in rows along both axes.

    python -m bench.cpu --output bench/records/cpu-numpy.json   # about 7 minutes

Both calls take turns, and the least time of each counts, because other work on the machine only
adds time. `ratio` is our time by NumPy's. `over_us` is the time beyond the goal: 1.3 times NumPy's
for 10,000 keys or more, 10 µs beyond NumPy's for fewer; for topk, 1.5 times. NumPy has no top-k: it
partitions places, and sorts the keys there. Rows of n keys are as long as there are rows. Small
arrays differ from turn to turn: a CPU that has seen the same comparisons before predicts all.
"""

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from math import isqrt
from typing import Any

import numpy as np

import modern
from bench.shared.benchmark import benchmark, on_host
from bench.shared.data import ensure
from bench.shared.machines import Machine
from bench.shared.options import COUNT, Options, option, repeated
from bench.shared.record import Row
from shadersort.keys.types import Keys

Call = Callable[[Any], Any]

SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
DTYPES = ("float32", "float64", "int32", "float16", "uint8")
FEW, SLACK_US, FRESH = 10_000, 10.0, 200_000
"""The last is the number of keys of all arrays together, if they are small."""
LAYOUTS = {"flat": None, "axis 0": 0, "axis 1": 1}


def numpys_select(x: Keys, axis: int | None) -> Any:
    """Return the upper middle key of each row by NumPy's partition."""
    axis = 0 if axis is None else axis
    k = x.shape[axis] // 2
    return np.partition(x, k, axis=axis).take(k, axis=axis)


def numpys_topk(x: Keys, axis: int | None) -> Keys:
    """Return the largest keys in order, a hundredth of all, and find their places."""
    axis = 0 if axis is None else axis
    n, k = x.shape[axis], _few(x, axis)
    places = np.argpartition(x, n - k, axis=axis).take(range(n - k, n), axis=axis)
    values = np.take_along_axis(x, places, axis)
    order = np.flip(np.argsort(values, axis=axis), axis)
    np.take_along_axis(places, order, axis)
    return np.take_along_axis(values, order, axis)


def _few(x: Keys, axis: int | None) -> int:
    return max(int(x.shape[axis or 0]) // 100, 1)


CALLS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "select": (lambda x, axis: modern.select(x, x.shape[axis or 0] // 2, axis=axis), numpys_select),
    "median": (modern.median, np.median),
    "nanmedian": (modern.nanmedian, np.nanmedian),
    "quantile": (partial(modern.quantile, q=0.3), partial(np.quantile, q=0.3)),
    "topk": (lambda x, axis: modern.topk(x, _few(x, axis), axis=axis).values, numpys_topk),
}
"""Our calls and NumPy's, by their names."""


@benchmark("cpu", __doc__, on=on_host)
@repeated("--n", type=COUNT, help=f"number of keys (default: {', '.join(map(str, SIZES))})")
@repeated("--dtype", help=f"default: {', '.join(DTYPES)}")
@repeated("--what", help=f"default: {', '.join(CALLS)}")
@option("--seconds", type=float, default=0.5, help="about how long each cell takes")
def main(_: Machine, options: Options) -> Iterator[Row]:
    """Measure every call, layout, type and size."""
    cells = product(options.what or CALLS, LAYOUTS, options.dtype or DTYPES, options.n or SIZES)
    for what, layout, dtype, n in cells:
        shape = (n,) if layout == "flat" else (isqrt(n), isqrt(n))
        holes = what == "nanmedian"
        arrays = [_random(dtype, shape, seed, holes) for seed in range(max(FRESH // n, 1))]
        calls = [partial(call, axis=LAYOUTS[layout]) for call in CALLS[what]]
        head = {"what": what, "layout": layout, "dtype": dtype, "n": n}
        yield {**head, **_measured(what, calls, arrays, options.seconds)}


def _random(dtype: str, shape: tuple[int, ...], seed: int, holes: bool) -> Keys:
    """Return normal floats, with `holes` a hundredth NaN; or integers of the whole range."""
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind != "f":
        ends = np.iinfo(dtype)
        return rng.integers(ends.min, ends.max, shape, dtype, endpoint=True)
    keys = rng.standard_normal(shape).astype(dtype)
    if holes:
        keys[rng.random(shape) < 0.01] = np.nan
    return keys


def _measured(what: str, calls: Sequence[Call], arrays: list[Keys], seconds: float) -> Row:
    """Check our call by NumPy's, and time both in turns; return the least times of an array."""
    n, least, begun = arrays[0].size, [float("inf")] * 2, time.perf_counter()
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of NumPy's, which depend on the CPU
        found, expected = (np.asarray(call(arrays[0])) for call in calls)
        ensure(np.array_equal(found, expected, equal_nan=expected.dtype.kind == "f"), what)
        turn = 0
        while turn < 3 or time.perf_counter() - begun < seconds:
            for place, call in enumerate(calls):
                started = time.perf_counter()
                for each in arrays:
                    call(each)
                took = 1e6 * (time.perf_counter() - started) / len(arrays)
                least[place] = min(least[place], took)
            turn += 1
    us, numpy_us = least
    most = 1.5 if what == "topk" else 1.3
    goal = max(most * numpy_us, numpy_us + SLACK_US) if n < FEW else most * numpy_us
    over = max(us - goal, 0.0)
    return {"us": us, "numpy_us": numpy_us, "ratio": us / numpy_us, "over_us": over}


if __name__ == "__main__":
    main()
