"""Robust fits, nearest neighbours and thresholds, beside the programs that people use for them.

    python -m bench.applications --output bench/records/applications-….json
    python -m bench.applications --part neighbours --quick --device numpy

`fits` is least trimmed squares of rows of which 45% are outliers. `recovery` is how often
regressions find a model among 45% of gross outliers, each at its defaults, on the problems of
`bench.shared.contaminated`. `neighbours` predicts by the k nearest, as scikit-learn does by brute
force on the host, and PyTorch by `cdist` and `topk` on a GPU. `thresholds` prunes arrays together,
in place; `reads` is its time as a multiple of one read of all arrays (`max`). All data are where
they are computed with, and every answer is checked before it is timed; the least time of some turns
counts.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

import click
import numpy as np

from bench.shared.contaminated import KINDS, NEAR, contaminated
from bench.shared.data import WRONG
from bench.shared.machines import Machine, machine_option, opened
from bench.shared.options import Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from shadersort.neighbors import KNeighborsRegressor
from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares
from shadersort.sparse import threshold

SIZES: dict[str, dict[str, tuple[int, int, int]]] = {
    "fits": {"rows": (4_000, 10**6, 10**8)},
    "recovery": {"problems": (8, 200, 200)},
    "neighbours": {"points": (20_000, 10**6, 10**6), "queries": (50, 500, 10**4)},
    "thresholds": {"keys": (1 << 17, 30_000_000, 1 << 33)},
}
"""What each part measures: in a quick run, on the host, and on a GPU."""

COLUMNS, FEATURES, ARRAYS, TURNS = 10, 32, 40, 3
KS, PERCENTS = (100, 10_000), (1, 10, 50)

AT_A_TIME = 1000
"""Queries whose distances PyTorch computes at a time: they take 4 GB for a million points."""


@command(__doc__)
@repeated("--part", type=click.Choice(list(SIZES)), help="default: all")
@option("--quick", is_flag=True, help="little data: to see that all is right")
@machine_option
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    machine = opened(options.device)
    rows = measurements(machine, options.part or list(SIZES), options.quick)
    tell(begun("applications", machine.described()), rows, options.output)


def measurements(machine: Machine, parts: list[str], quick: bool) -> Iterator[Row]:
    """Yield the rows of every part."""
    which = 0 if quick else 2 if machine.name == "CUDA" else 1
    for part in parts:
        sizes = {name: some[which] for name, some in SIZES[part].items()}
        for row in PARTS[part](machine, **sizes):
            yield {"part": part, **row}


def _fits(machine: Machine, rows: int) -> Iterator[Row]:
    """Time a fit; a quarter of the rows are moved in y, and a fifth in X."""
    random = machine.xp.random.default_rng(rows)
    x = random.standard_normal((rows, COLUMNS))
    y = x.sum(axis=1) + random.standard_normal(rows)
    y[: rows // 4] += 50
    x[rows // 4 : int(0.45 * rows)] += 20
    s, found = _least(machine, partial(LeastTrimmedSquares().fit, x, y))
    if np.abs(found.coef_ - 1).max() > 0.3:
        raise AssertionError(WRONG.format(f"a fit of {rows:,} rows"))
    yield {"n": rows, "columns": COLUMNS, "s": s}


def _recovery(machine: Machine, problems: int) -> Iterator[Row]:
    """Count the models that each method finds, by the kinds of outliers; on the host."""
    from sklearn import linear_model

    methods: dict[str, Callable[[], Any]] = {
        "LTS": LeastTrimmedSquares,
        "LMS": LeastMedianSquares,
        "OLS": linear_model.LinearRegression,
        "Huber": linear_model.HuberRegressor,
        "RANSAC": partial(linear_model.RANSACRegressor, random_state=0),
        "Theil-Sen": partial(linear_model.TheilSenRegressor, random_state=0),
    }
    for name, make in methods.items():
        counts, started = dict.fromkeys(KINDS, 0), time.perf_counter()
        for seed in range(problems):
            kind = KINDS[seed % len(KINDS)]
            x, y, coef, _ = contaminated(seed, 1 + seed // len(KINDS) % COLUMNS, kind)
            counts[kind] += int(np.abs(_coefficients(make(), x, y) - coef).max() < NEAR)
        ms = 1e3 * (time.perf_counter() - started) / problems
        recovered = {"recovered": sum(counts.values()), **counts}
        yield {"method": name, "problems": problems, **recovered, "ms": ms}


def _coefficients(model: Any, x: Any, y: Any) -> Any:
    """Return the coefficients of a fit, or NaNs if a method finds no fit and says so."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some methods do not converge on such data
        try:
            found = model.fit(x, y)
        except ValueError:  # RANSAC found no consensus
            return np.full(x.shape[1], np.nan)
    return np.asarray(getattr(found, "estimator_", found).coef_)


def _neighbours(machine: Machine, points: int, queries: int) -> Iterator[Row]:
    """Time predictions by the k nearest points, beside a peer's."""
    random = machine.xp.random.default_rng(points)
    x = random.standard_normal((points, FEATURES), dtype=np.float32)
    q = random.standard_normal((queries, FEATURES), dtype=np.float32)
    y = x[:, 0].astype(np.float64)
    for k in KS:
        s, found = _least(machine, partial(KNeighborsRegressor(k).fit(x, y).predict, q))
        peer = _torch if machine.name == "CUDA" else _sklearn
        peer_s, expected = _least(machine, peer(x, y, q, k))
        off = machine.xp.abs(found - machine.xp.asarray(expected))
        if float(machine.xp.median(off)) > 1e-9:  # rounding changes few neighbours of few queries
            raise AssertionError(WRONG.format(f"neighbours, k = {k:,}"))
        row = {"n": points, "features": FEATURES, "queries": queries, "k": k, "s": s}
        yield {**row, "peer": peer.__name__[1:], "peer_s": peer_s, "times_as_fast": peer_s / s}


def _sklearn(x: Any, y: Any, q: Any, k: int) -> Callable[[], Any]:
    from sklearn.neighbors import KNeighborsRegressor as Theirs

    return partial(Theirs(k, algorithm="brute").fit(x, y).predict, q)


def _torch(x: Any, y: Any, q: Any, k: int) -> Callable[[], Any]:
    torch: Any = import_module("torch")
    points, targets, asked = (torch.as_tensor(each) for each in (x, y, q))

    def theirs() -> Any:
        parts = asked.split(AT_A_TIME)
        nearest = (torch.cdist(each, points).topk(k, largest=False).indices for each in parts)
        means = torch.cat([targets[each].mean(1) for each in nearest])
        torch.cuda.synchronize()
        return means

    return theirs


def _thresholds(machine: Machine, keys: int) -> Iterator[Row]:
    """Time thresholds of many arrays together, in place."""
    random = machine.xp.random.default_rng(keys)
    layers = [random.standard_normal(keys // ARRAYS, dtype=np.float32) for _ in range(ARRAYS)]
    kept = [each.copy() for each in layers]
    read = machine.ms(lambda: [each.max() for each in layers], TURNS)
    n = sum(each.size for each in layers)
    for percent in PERCENTS:
        k = n * percent // 100
        ms = min(_pruned(machine, layers, kept, k) for _ in range(TURNS))
        yield {"n": n, "arrays": ARRAYS, "percent": percent, "k": k, "ms": ms, "reads": ms / read}


def _pruned(machine: Machine, layers: list[Any], kept: list[Any], k: int) -> float:
    """Return the milliseconds of a call in place, on keys as they were, after a check."""
    xp = machine.xp
    for layer, copy in zip(layers, kept, strict=True):
        layer[...] = copy
    ms, _ = machine.timed(lambda: threshold(layers, k, out=layers))
    least = min(float(xp.abs(each)[each != 0].min()) for each in layers if each.any())
    most = max(
        float(xp.where(each == 0, xp.abs(copy), 0).max())
        for each, copy in zip(layers, kept, strict=True)
    )
    if sum(int(xp.count_nonzero(each)) for each in layers) != k or least < most:
        raise AssertionError(WRONG.format(f"thresholds, k = {k:,}"))
    return ms


def _least(machine: Machine, call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least seconds of a call of several, by the wall's clock; and its last result."""
    least = float("inf")
    for _ in range(TURNS):
        machine.wait()
        started = time.perf_counter()
        found = call()
        machine.wait()
        least = min(least, time.perf_counter() - started)
    return least, found


PARTS: dict[str, Callable[..., Iterator[Row]]] = {
    "fits": _fits,
    "recovery": _recovery,
    "neighbours": _neighbours,
    "thresholds": _thresholds,
}


if __name__ == "__main__":
    main()
