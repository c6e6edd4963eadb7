"""Times that the papers compare in words, and that no table of theirs has; on a GPU."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import modern
from bench.claims.run import BELIAKOV, FLOATS, VARIANTS, Run, selected, selected_many, told
from bench.shared.record import Row
from bench.shared.versions import attempted
from shadersort.keys import datasets
from shadersort.selection import SelectionTrace

METHODS = ("sort-choose", "radix", "bucket", "cutting-plane", "randomized")
SMALL, LARGE = 1 << 14, 1 << 26
POWERS = range(16, 27)
"""Powers of two between which sorting and buckets may cross."""

REPEATS = 5


def rows(run: Run) -> Iterator[Row]:
    """Measure times on a GPU; on the host nothing, because the papers measured a GPU."""
    if run.machine.name == "CUDA":
        yield from _methods(run)
        yield from _distributions(run)
        yield from _reductions(run)
        yield from _percentiles(run)
        yield from _cauchy(run)


def _ms(run: Run, call: Callable[[], Any]) -> float:
    return run.machine.ms(lambda: attempted(call), REPEATS)


def _one(run: Run, keys: Any, method: str, as_printed: bool) -> tuple[SelectionTrace, str, float]:
    """Find the median; return the trace, the fault and the time."""
    of: Any = {"method": method, "as_printed": as_printed}
    of |= {"finish": "compact"} if method == "cutting-plane" else {}
    trace, fault = selected(keys, keys.size // 2, **of)
    return trace, fault, _ms(run, lambda: modern.select(keys, keys.size // 2, **of))


def _methods(run: Run) -> Iterator[Row]:
    """Time five methods on few and on many keys."""
    for dtype, data, n in product(FLOATS, ("uniform", "normal"), (SMALL, LARGE)):
        keys = run.keys(data, dtype, min(n, run.most))
        for method, as_printed in product(METHODS, VARIANTS):
            trace, fault, ms = _one(run, keys, method, as_printed)
            yield told("methods", data, trace, fault, method=method, ms=ms)


def _distributions(run: Run) -> Iterator[Row]:
    """Time the sort and the cutting plane on the nine data sets of Beliakov 2011."""
    for dtype, data in product(FLOATS, BELIAKOV):
        keys = run.keys(data, dtype)
        for method, as_printed in product(("sort-choose", "cutting-plane"), VARIANTS):
            trace, fault, ms = _one(run, keys, method, as_printed)
            yield told("distributions", data, trace, fault, method=method, ms=ms)


def _reductions(run: Run) -> Iterator[Row]:
    """Time one reduction of objective and subgradient."""
    for dtype in FLOATS:
        keys = run.keys("uniform", dtype)
        some = run.machine.primitives(keys)
        ms = run.machine.ms(lambda some=some: some.tangent(0.5), REPEATS)  # type: ignore[misc]
        head = {"about": "reduction", "data": "uniform", "dtype": dtype, "keys": run.n}
        yield {**head, "label": "", "ms": ms}


def _many(run: Run, keys: Any, count: int, method: str, as_printed: bool) -> Row:
    """Time evenly spaced ranks together."""
    ks = datasets.ranks("uniform", keys.size, count)
    of: Any = {"method": method, "as_printed": as_printed}
    trace, fault = selected_many(keys, ks, **of)
    ms = _ms(run, lambda: modern.multiselect(keys, ks, **of))
    return {**told("", "", trace, fault), "method": method, "count": count, "ms": ms}


def _percentiles(run: Run) -> Iterator[Row]:
    """Time 101 ranks over the number of keys; and of keys with few values."""
    cases = [*product(("uniform",), (1 << power for power in POWERS)), ("discrete", LARGE)]
    for data, n in cases:
        keys = run.keys(data, "float32", min(n, run.most))
        for method, as_printed in product(("sort-choose", "bucket"), VARIANTS):
            row = _many(run, keys, 101, method, as_printed)
            yield {**row, "about": "percentiles", "data": data}


def _cauchy(run: Run) -> Iterator[Row]:
    """Time as many ranks as α₁ divides, and a few more and fewer."""
    keys = run.keys("cauchy", "float32", min(LARGE, run.most))
    for count, as_printed in product((250, 270), VARIANTS):
        row = _many(run, keys, count, "bucket", as_printed)
        yield {**row, "about": "cutoff", "data": "cauchy"}
