"""The applications on a GPU, beside PyTorch: many rows, many points, many weights.

    python -m bench.applications_cuda --output bench/records/applications-….json
    python -m bench.applications_cuda --part thresholds --quick

`fits` is least trimmed squares of rows of which 45% are outliers. `neighbours` predicts by the k
nearest, as PyTorch does by `cdist` and `topk`, some queries at a time. `thresholds` prunes arrays
together, in place; `reads` is its time as a multiple of one read of all arrays (`max`). All data
are where they are computed with, and every answer is checked before it is timed.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from typing import Any

import click
import numpy as np

from bench.applications.robust import many
from bench.shared.data import WRONG
from bench.shared.machines import Machine, machine_option, opened
from bench.shared.options import Options, command, option, output_option, repeated
from bench.shared.record import Row, begun, tell
from shadersort.neighbors import KNeighborsRegressor
from shadersort.robust import LeastTrimmedSquares
from shadersort.sparse import threshold

SIZES: dict[str, dict[str, tuple[int, ...]]] = {
    "fits": {"rows": (10**6, 10**8)},
    "neighbours": {"points": (10**6,), "queries": (10**4,), "ks": (100, 10_000)},
    "thresholds": {"keys": (1 << 28, 1 << 33), "arrays": (40,), "percents": (1, 10, 50)},
}
QUICK: dict[str, dict[str, tuple[int, ...]]] = {
    "fits": {"rows": (4000,)},
    "neighbours": {"points": (20_000,), "queries": (50,), "ks": (10,)},
    "thresholds": {"keys": (1 << 17,), "arrays": (8,), "percents": (10,)},
}
"""What each part measures: all combinations."""

COLUMNS, FEATURES = 10, 32

AT_A_TIME = 1000
"""Queries whose distances PyTorch computes at a time: they take 4 GB for a million points."""

TURNS = 3


@command(__doc__)
@repeated("--part", type=click.Choice(list(SIZES)), help="default: all")
@option("--quick", is_flag=True, help="little data: to see that all is right")
@machine_option
@output_option
def main(options: Options) -> None:
    """Run the benchmark."""
    machine = opened(options.device)
    sizes = QUICK if options.quick else SIZES
    rows = measurements(machine, {part: sizes[part] for part in options.part or SIZES})
    tell(begun("applications-cuda", machine.described()), rows, options.output)


def measurements(machine: Machine, sizes: dict[str, dict[str, tuple[int, ...]]]) -> Iterator[Row]:
    """Yield the rows of every part."""
    parts: dict[str, Callable[..., Iterator[Row]]] = {
        "fits": _fits,
        "neighbours": _neighbours,
        "thresholds": _thresholds,
    }
    for part, some in sizes.items():
        for row in parts[part](machine, **some):
            yield {"part": part, **row}


def _fits(machine: Machine, rows: tuple[int, ...]) -> Iterator[Row]:
    """Yield the times of fits: the first one of its process, which compiles, is not among them."""
    LeastTrimmedSquares().fit(*many(min(rows), COLUMNS, machine.xp))
    for n in rows:
        x, y = many(n, COLUMNS, machine.xp)
        s, found = least_of(machine, partial(LeastTrimmedSquares().fit, x, y))
        if np.abs(found.coef_ - 1).max() > 0.3:
            raise AssertionError(WRONG.format(f"a fit of {n:,} rows"))
        yield {"n": n, "columns": COLUMNS, "s": s, "objective": found.objective_}
        del x, y, found


def _neighbours(
    machine: Machine, points: tuple[int, ...], queries: tuple[int, ...], ks: tuple[int, ...]
) -> Iterator[Row]:
    for n, asked, k in ((n, asked, k) for n in points for asked in queries for k in ks):
        random = machine.xp.random.default_rng(n)
        x = random.standard_normal((n, FEATURES), dtype=np.float32)
        q = random.standard_normal((asked, FEATURES), dtype=np.float32)
        y = x[:, 0].astype(np.float64)
        model = KNeighborsRegressor(k).fit(x, y)
        s, found = least_of(machine, partial(model.predict, q))
        row = {"n": n, "features": FEATURES, "queries": asked, "k": k, "s": s}
        yield {**row, **_beside_torch(machine, x, y, q, k, found, s)}


def _beside_torch(machine: Machine, x: Any, y: Any, q: Any, k: int, found: Any, s: float) -> Row:
    """Compare predictions with PyTorch's, in float32, and time these; None if it is missing."""
    try:
        torch: Any = import_module("torch")
    except ModuleNotFoundError:
        return {"torch_s": None, "times_as_fast": None}
    points, targets, asked = (torch.as_tensor(each) for each in (x, y, q))

    def theirs() -> Any:
        parts = asked.split(AT_A_TIME)
        nearest = (torch.cdist(each, points).topk(k, largest=False).indices for each in parts)
        means = torch.cat([targets[each].mean(1) for each in nearest])
        if means.is_cuda:
            torch.cuda.synchronize()
        return means

    torch_s, expected = least_of(machine, theirs)
    off = machine.xp.abs(found - machine.xp.asarray(expected))
    if float(machine.xp.median(off)) > 1e-9:  # rounding changes few neighbours of few queries
        raise AssertionError(WRONG.format(f"neighbours, k = {k:,}"))
    return {"torch_s": torch_s, "times_as_fast": torch_s / s}


def _thresholds(
    machine: Machine, keys: tuple[int, ...], arrays: tuple[int, ...], percents: tuple[int, ...]
) -> Iterator[Row]:
    for n, count in ((n, count) for n in keys for count in arrays):
        random = machine.xp.random.default_rng(n)
        layers = [random.standard_normal(n // count, dtype=np.float32) for _ in range(count)]
        kept = [each.copy() for each in layers]
        read = machine.ms(partial(_read, layers), TURNS)
        row: Row = {"n": n // count * count, "arrays": count, "read_ms": read}
        for percent in percents:
            k = row["n"] * percent // 100
            ms = min(_pruned(machine, layers, kept, k) for _ in range(TURNS))
            yield {**row, "percent": percent, "k": k, "ms": ms, "reads": ms / read}


def _read(layers: list[Any]) -> None:
    for each in layers:
        each.max()


def _pruned(machine: Machine, layers: list[Any], kept: list[Any], k: int) -> float:
    """Return the milliseconds of a call in place, on keys as they were, after a check."""
    for layer, copy in zip(layers, kept, strict=True):
        layer[...] = copy
    ms, _ = machine.timed(lambda: threshold(layers, k, out=layers))
    xp = machine.xp
    least = min(float(xp.abs(each)[each != 0].min()) for each in layers if each.any())
    most = max(
        float(xp.where(each == 0, xp.abs(copy), 0).max())
        for each, copy in zip(layers, kept, strict=True)
    )
    if sum(int(xp.count_nonzero(each)) for each in layers) != k or least < most:
        raise AssertionError(WRONG.format(f"thresholds, k = {k:,}"))
    return ms


def least_of(machine: Machine, call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least seconds of a call of several, by the wall's clock; and its last result."""
    least = float("inf")
    for _ in range(TURNS):
        machine.wait()
        started = time.perf_counter()
        found = call()
        machine.wait()
        least = min(least, time.perf_counter() - started)
    return least, found


if __name__ == "__main__":
    main()
