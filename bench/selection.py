"""Selection with NumPy: every method on the papers' data, beside np.partition and np.sort.

    python -m bench.selection --power 20 --data normal --outlier 1e9 --outlier 1e20
    python -m bench.selection --ranks 101 --output bench/records/selection-….json

Each answer is checked against np.partition before it is timed. A row has the median time of some
turns, the iterations, and the keys read and written, as multiples of all keys. A method that does
not converge, or refuses this number of keys, has no time. With --ranks, evenly spaced ranks are
selected together.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import click
import numpy as np

from bench.shared.options import Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from shadersort.errors import DidNotConverge, TooManyKeys
from shadersort.keys import datasets
from shadersort.keys.types import Keys
from shadersort.selection import METHODS, SelectionTrace, select, select_many
from shadersort.selection.primitives import NumPyPrimitives

DATA = ("uniform", "normal", "cauchy", "mixture-3", "ones-and-twos", "bucket-killer")
MOST_TURNS = 15


@command(__doc__)
@repeated("--data", type=click.Choice(list(datasets.DATASETS)), help=f"default: {', '.join(DATA)}")
@repeated("--dtype", help="float32 (default), float64, int32, …; may be repeated")
@repeated("--power", type=int, metavar="P", help="2**P keys (default: 20)")
@repeated("--method", type=click.Choice(list(METHODS)), help="default: every method")
@repeated("--outlier", type=float, help="measure also with one key of this value")
@option("--rank", type=float, default=0.5, help="of the key, as a share of all")
@option("--ranks", type=int, metavar="COUNT", help="select this many evenly spaced ranks together")
@option("--seconds", type=float, default=0.5, help="about how long each line takes")
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    tell(begun("selection"), measurements(options), options.output)


def measurements(options: Options) -> Iterator[Row]:
    """Measure every data set, type and size by every method."""
    powers, dtypes = options.power or [20], options.dtype or ["float32"]
    for power, dtype, name in product(powers, dtypes, options.data or DATA):
        if np.dtype(dtype).name not in datasets.DATASETS[name].dtypes:
            continue
        plain = datasets.make(name, 1 << power, dtype=dtype, seed=1)
        yield from _rows(name, plain, options)
        for outlier in options.outlier:
            spoilt = datasets.with_outliers(plain, outlier, seed=1)
            yield from _rows(f"{name}, {outlier:g}", spoilt, options)


def _rows(name: str, keys: Keys, options: Options) -> Iterator[Row]:
    """Measure NumPy and every method on some keys."""
    if options.ranks:
        ks = np.unique(datasets.ranks("uniform", keys.size, options.ranks))
    else:
        ks = np.array([round(options.rank * (keys.size - 1))])
    head = {"data": name, "dtype": keys.dtype.name, "keys": keys.size, "ranks": ks.size}
    for peer, run in (
        ("np.partition", lambda: np.partition(keys, ks)),
        ("np.sort", lambda: np.sort(keys)),
    ):
        yield {**head, "method": peer, "ms": _milliseconds(run, options.seconds)}
    expected = np.partition(keys, ks)[ks]
    for method in options.method or METHODS:
        yield {**head, "method": method, **_measured(keys, ks, method, expected, options.seconds)}


def _measured(keys: Keys, ks: Any, method: str, expected: Keys, seconds: float) -> Row:
    """Return the account and the time of a method, and check its answer."""
    try:
        found, trace = _selected(keys, ks, method)
    except DidNotConverge as error:
        return {**_account(error.trace), "ms": None, "why": "did not converge"}
    except TooManyKeys:
        return {"ms": None, "why": "too many keys"}
    np.testing.assert_array_equal(found, expected)
    ms = _milliseconds(lambda: _selected(keys, ks, method), seconds)
    return {**_account(trace), "ms": ms}


def _selected(keys: Keys, ks: Any, method: str) -> Any:
    some = NumPyPrimitives(keys)
    if ks.size == 1:
        return select(some, int(ks[0]), method=method, return_trace=True)
    return select_many(some, ks, method=method, return_trace=True)


def _account(trace: SelectionTrace) -> Row:
    return {
        "ran": trace.method,
        "iterations": len(trace.iterations),
        "read": round(trace.keys_read / trace.n, 3),
        "written": round(trace.keys_written / trace.n, 3),
    }


def _milliseconds(run: Callable[[], Any], seconds: float) -> float:
    """Return the median of as many turns as fit in some seconds, but at least three."""
    turns: list[float] = []
    while len(turns) < 3 or (sum(turns) < seconds and len(turns) < MOST_TURNS):
        started = time.perf_counter()
        run()
        turns.append(time.perf_counter() - started)
    return round(1000 * statistics.median(turns), 4)


if __name__ == "__main__":
    main()
