"""Robust fits and nearest neighbours, beside the programs that people use for them.

    python -m bench.applications --output bench/records/applications-….json

`recovery` is how often regressions find a model among 45% of gross outliers, each at its defaults,
on the host. `neighbours` predicts by the k nearest, as scikit-learn does by brute force on the
host, and PyTorch by `cdist` and `topk` on a GPU; the least time of some turns counts.
"""

import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

import click
import numpy as np

from bench.shared.benchmark import benchmark
from bench.shared.contaminated import KINDS, NEAR, contaminated
from bench.shared.data import ensure
from bench.shared.machines import Card, Machine, machine_option, seconds
from bench.shared.options import Options, option, repeated
from bench.shared.record import Row
from shadersort.neighbors import KNeighborsRegressor
from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares

PROBLEMS, POINTS, QUERIES = (8, 200, 200), (20_000, 10**6, 10**6), (50, 500, 10**4)
"""What is measured: in a quick run, on the host, and on a GPU."""

COLUMNS, FEATURES, KS = 10, 32, (100, 10_000)

AT_A_TIME = 1000
"""Queries whose distances PyTorch computes at a time: they take 4 GB for a million points."""


@benchmark("applications", __doc__, turns=3)
@repeated("--part", type=click.Choice(["recovery", "neighbours"]), help="default: both")
@option("--quick", is_flag=True, help="little data: to see that all is right")
@machine_option
def main(machine: Machine, options: Options) -> Iterator[Row]:
    """Yield the rows of both parts."""
    which = 0 if options.quick else 2 if isinstance(machine, Card) else 1
    parts = {
        "recovery": _recovery(PROBLEMS[which]),
        "neighbours": _neighbours(machine, POINTS[which], QUERIES[which], options.turns),
    }
    for part in options.part or parts:
        yield from ({"part": part, **row} for row in parts[part])


def _recovery(problems: int) -> Iterator[Row]:
    """Count the models that each method finds, by the kinds of outliers."""
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


def _neighbours(machine: Machine, points: int, queries: int, turns: int) -> Iterator[Row]:
    """Time predictions by the k nearest points, beside a peer's."""
    random = machine.xp.random.default_rng(points)
    x = random.standard_normal((points, FEATURES), dtype=np.float32)
    q = random.standard_normal((queries, FEATURES), dtype=np.float32)
    y = x[:, 0].astype(np.float64)
    for k in KS:
        s, found = _least(machine, turns, partial(KNeighborsRegressor(k).fit(x, y).predict, q))
        peer = _torch if isinstance(machine, Card) else _sklearn
        peer_s, expected = _least(machine, turns, peer(x, y, q, k))
        off = machine.xp.abs(found - machine.xp.asarray(expected))
        # rounding changes few neighbours of few queries
        ensure(float(machine.xp.median(off)) <= 1e-9, f"neighbours, k = {k:,}")
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


def _least(machine: Machine, turns: int, call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least seconds of a call of several, by the wall's clock; and an untimed result."""
    found = call()
    machine.wait()
    return min(seconds(partial(machine.waited, call)) for _ in range(turns)), found


if __name__ == "__main__":
    main()
