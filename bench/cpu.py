"""Selection in NumPy arrays beside NumPy itself: one dimension, and rows along either axis.

    python -m bench.cpu --output bench/records/cpu-numpy.json   # 6 to 7 minutes
    python -m bench.cpu --n 1000 --n 1e5 --dtype float32 --data random --seconds 0.05

Every answer is compared with NumPy's before it is timed. Both calls take turns, and the least time
of each counts, because other work on the machine only adds time. `ratio` is our time by NumPy's.
`over_us` is the time beyond `most` times NumPy's and 10 µs: 1.1 times; for many quantiles 0.6; for
`nanquantile` 1.3 times NumPy's `quantile` of keys without NaN, or our own. It is 0 if that is met.
NumPy has no top-k: it partitions places, and sorts the keys there.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import click
import numpy as np

import modern
from bench.shared.data import WRONG
from bench.shared.options import COUNT, Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from shadersort.keys.accepted import random_keys
from shadersort.keys.types import Keys

Call = Callable[[], Any]

SIZES = (10, 1_000, 100_000, 10_000_000)
LENGTHS = (10, 1_000)
"""Keys of a row; and rows that are a tenth of all keys."""

DATA = ("random", "sorted", "tied", "zeros")
MANY = np.linspace(0, 1, 101)
SLACK_US = 10.0


@dataclass(frozen=True, slots=True)
class Case:
    """One of our calls, and NumPy's."""

    what: str
    ours: Call
    numpys: Call
    most: float = 1.1  # times NumPy's time
    same: bool = True  # whether both answer the same


@command(__doc__)
@repeated("--n", type=COUNT, help=f"number of keys (default: {', '.join(map(str, SIZES))})")
@repeated("--dtype", help="float32 (default), float64, int32, …")
@repeated("--data", type=click.Choice(DATA), help="default: all")
@option("--seconds", type=float, default=0.5, help="about how long each line takes")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    record = begun("cpu")
    tell(record, measurements(options), options.output)
    met = sum(not row["over_us"] for row in record["rows"])
    print(f"{met} of {len(record['rows'])} cells meet the goal")


def measurements(options: Options) -> Iterator[Row]:
    """Measure every size, type and data set: one dimension first, then rows."""
    sizes = product(options.n or SIZES, options.dtype or ("float32",))
    for (n, dtype), data in product(sizes, options.data or DATA):
        keys = make_keys(data, n, dtype)
        head = {"data": data, "dtype": dtype, "n": n}
        for case in flat_cases(keys):
            yield {**head, "shape": [n], "axis": 0, **_measured(case, options.seconds)}
        for length, axis in product(
            sorted({each for each in (*LENGTHS, n // 10) if 1 < each < n}), (0, 1)
        ):
            rows = keys[: n // length * length].reshape((length, -1) if not axis else (-1, length))
            for case in row_cases(rows, axis):
                shape = {"shape": list(rows.shape), "axis": axis}
                yield {**head, **shape, **_measured(case, options.seconds)}


def make_keys(data: str, n: int, dtype: str) -> Keys:
    """Return n keys: random, the same in order, of four values, or half of them zero, the least."""
    rng = np.random.default_rng(n)
    if data == "tied":
        return rng.integers(0, 4, n).astype(dtype)
    if np.dtype(dtype).kind == "f":
        keys = (1000 * rng.standard_normal(n)).astype(dtype)
    else:
        keys = random_keys(n, dtype, seed=n)
    if data == "zeros":
        keys = np.where(rng.random(n) < 0.5, keys.dtype.type(0), np.abs(keys))
    return np.sort(keys, kind="stable") if data == "sorted" else keys


def flat_cases(keys: Keys) -> Iterator[Case]:
    """Yield the calls on one dimension."""
    k = keys.size // 2
    yield Case("select", lambda: modern.select(keys, k), lambda: np.partition(keys, k)[k])
    yield from _both(keys, {})
    heavy = {"weights": np.random.default_rng(1).random(keys.size), "method": "inverted_cdf"}
    ours, numpys = (partial(each.quantile, keys, 0.3, **heavy) for each in (modern, np))
    yield Case("weighted quantile", ours, numpys)
    many = partial(modern.quantile, keys, MANY), partial(np.quantile, keys, MANY)
    yield Case("101 quantiles", *many, most=0.6)
    for some in sorted({min(10, keys.size), max(keys.size // 10, 1)}):
        yield Case(f"topk {some}", partial(_topk, keys, some), partial(numpys_topk, keys, some))


def row_cases(rows: Keys, axis: int) -> Iterator[Case]:
    """Yield the calls along an axis."""
    k, along = rows.shape[axis] // 2, {"axis": axis}
    yield Case(
        "select",
        lambda: modern.select(rows, k, axis=axis),
        lambda: np.partition(rows, k, axis=axis).take(k, axis=axis),
    )
    yield from _both(rows, along)
    some = max(rows.shape[axis] // 10, 1)
    yield Case(
        f"topk {some}", partial(_topk, rows, some, axis), partial(numpys_topk, rows, some, axis)
    )
    if rows.dtype.kind == "f":
        holes = rows.copy()
        holes[np.random.default_rng(1).random(rows.shape) < 0.01] = np.nan
        _compare(
            "nanquantile", modern.nanquantile(holes, 0.3, axis=axis), _nanquantile(holes, axis)
        )
        ours = partial(modern.nanquantile, holes, 0.3, axis=axis)
        plain = partial(np.quantile, rows, 0.3, axis=axis)
        yield Case("nanquantile, by quantile", ours, plain, most=1.3, same=False)
        plain = partial(modern.quantile, rows, 0.3, axis=axis)
        yield Case("nanquantile, by our quantile", ours, plain, most=1.3, same=False)
        ours = partial(modern.nanquantile, rows, 0.3, axis=axis)
        yield Case("nanquantile without NaN, by our quantile", ours, plain, most=1.3)


def _both(keys: Keys, along: dict[str, int]) -> Iterator[Case]:
    """Yield the calls that NumPy has under the same name."""
    for name in ("median", "nanmedian"):
        ours, numpys = (getattr(module, name) for module in (modern, np))
        yield Case(name, partial(ours, keys, **along), partial(numpys, keys, **along))
    yield Case(
        "quantile",
        partial(modern.quantile, keys, 0.3, **along),
        partial(np.quantile, keys, 0.3, **along),
    )


def _topk(keys: Keys, k: int, axis: int = -1) -> Keys:
    return modern.topk(keys, k, axis=axis).values


def numpys_topk(keys: Keys, k: int, axis: int = -1) -> Keys:
    """Return the k largest keys in order, and find their places, as NumPy can."""
    n = keys.shape[axis]
    places = np.argpartition(keys, n - k, axis=axis).take(range(n - k, n), axis=axis)
    values = np.take_along_axis(keys, places, axis)
    order = np.flip(np.argsort(values, axis=axis), axis)
    np.take_along_axis(places, order, axis)
    return np.take_along_axis(values, order, axis)


def _nanquantile(holes: Keys, axis: int) -> Any:
    """Return what NumPy says of up to a hundred rows: it takes some 100 µs for each."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.nanquantile(
            holes.take(range(min(100, holes.shape[1 - axis])), 1 - axis), 0.3, axis
        )


def _compare(what: str, found: Any, expected: Any) -> None:
    """Raise AssertionError unless both are equal, as far as the second goes."""
    expected = np.asarray(expected)
    found = np.asarray(found)[tuple(slice(size) for size in expected.shape)]
    if not np.array_equal(found, expected, equal_nan=expected.dtype.kind == "f"):
        raise AssertionError(WRONG.format(what))


def _measured(case: Case, seconds: float) -> Row:
    """Check a call, and time it and NumPy's in turns; return the least times."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows of NaN only
        if case.same:
            _compare(case.what, case.ours(), case.numpys())
        ours, numpys = (1e6 * each for each in _least((case.ours, case.numpys), seconds))
    over = max(ours - case.most * numpys - SLACK_US, 0.0)
    return {
        "what": case.what,
        "us": ours,
        "numpy_us": numpys,
        "ratio": ours / numpys,
        "most": case.most,
        "over_us": over,
    }


def _least(calls: tuple[Call, ...], seconds: float, turns: int = 3) -> list[float]:
    """Return the least seconds of calls that take turns, for some seconds and turns at least."""
    found, begun, turn = [float("inf")] * len(calls), time.perf_counter(), 0
    while turn < turns or time.perf_counter() - begun < seconds:
        for place, call in enumerate(calls):
            started = time.perf_counter()
            call()
            found[place] = min(found[place], time.perf_counter() - started)
        turn += 1
    return found


if __name__ == "__main__":
    main()
