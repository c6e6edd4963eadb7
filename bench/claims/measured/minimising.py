"""What Beliakov 2011 claims of searching by minimising, and Alabi et al. 2012 of its answers."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

import modern
from bench.adversaries import OUTLIERS
from bench.claims.measured.run import BELIAKOV, BOTH, FLOATS, Run, selection_row
from bench.shared.record import Row
from bench.shared.versions import VARIANTS, Attempt, Version, versions
from shadersort.selection import SelectionTrace
from shadersort.selection.printed import PRINTED

HOSTILE = (*OUTLIERS, "bucket-killer")
SEARCHES = ("bisection", "golden", "brent-min", "brent-root", "quasi-newton")
"""Methods that the paper compares."""

LOG = (("transform", "log"),)
"""The option of a search among logarithms."""

PARTS = 1, 4

FEWEST = 1 << 14
"""The shortest vector of Alabi et al."""

FINISHES = ("compact", "iterate")


def rows(run: Run) -> Iterator[Row]:
    """Measure iterations, what is left, outliers, order, and wrong answers."""
    yield from _planes(run)
    yield from _searches(run)
    yield from _orders(run)
    yield from _wrong(run)
    yield from _logarithms(run)
    yield from _trimmed_squares()
    yield _contaminated(run)
    yield from _parts(run)


def _planes(run: Run) -> Iterator[Row]:
    """Find the median by the cutting plane: to the end, and by the hybrid."""
    for dtype, data in product(FLOATS, (*BELIAKOV, *HOSTILE)):
        keys = run.keys(data, dtype)
        for finish, as_printed in product(FINISHES, BOTH):
            found = _plane(as_printed, finish).traced(keys, run.n // 2)
            yield selection_row("median", data, found, finish=finish, **_reads(found.trace))


def _plane(as_printed: bool = True, finish: str = "compact") -> Version:
    return Version("cutting-plane", as_printed, (("finish", finish),))


def _reads(trace: SelectionTrace) -> Row:
    """Return the iterations, the reductions over all keys, and shares of the keys.

    These are the keys left, and those written by copies, without those of the sort.
    """
    cuts = trace.iterations
    passes = [step for step in trace.steps if step.name in ("extent", "cut", "objective")]
    copies = [step.keys_written for step in trace.steps if step.name == "compact"]
    return {
        "iterations": len(cuts),
        "reductions": len(passes),
        "left": (cuts[-1].candidates or 0) / trace.n if cuts else 0.0,
        "copied": sum(copies) / trace.n,
    }


def _searches(run: Run) -> Iterator[Row]:
    """Find the median by the other searches: as printed, also among logarithms, and improved."""
    for dtype, data in product(FLOATS, (*BELIAKOV, *OUTLIERS)):
        keys = run.keys(data, dtype)
        for method in SEARCHES:
            for version in versions(method):
                yield _searched("search", data, version, keys)
            if method in PRINTED and data in ("half-normal", *OUTLIERS):
                yield _searched("logarithmic search", data, Version(method, True, LOG), keys)


def _searched(about: str, data: str, version: Version, keys: Any) -> Row:
    found = version.traced(keys, keys.size // 2)
    count = len(found.trace.iterations)
    return selection_row(about, data, found, method=version.method, iterations=count)


def _parts(run: Run) -> Iterator[Row]:
    """Find the median of the same keys as one part and as several, which answer for themselves."""
    keys = run.keys("normal", "float32")
    for count in PARTS:
        some = modern.Parts(run.machine.xp.array_split(keys, count))
        found = Version("cutting-plane", True).traced(some, run.n // 2)
        cuts = len(found.trace.iterations)
        yield selection_row("parts", "normal", found, parts=count, iterations=cuts)


def _orders(run: Run) -> Iterator[Row]:
    """Find the median of the same keys in three orders."""
    shuffled = run.keys("normal", "float32")
    ascending = run.machine.xp.sort(shuffled)
    orders = {"shuffled": shuffled, "sorted": ascending, "reversed": ascending[::-1].copy()}
    for (order, keys), as_printed in product(orders.items(), BOTH):
        found = _plane(as_printed).traced(keys, run.n // 2)
        cuts = len(found.trace.iterations)
        yield selection_row("order", "normal", found, order=order, iterations=cuts)


def _wrong(run: Run) -> Iterator[Row]:
    """Count wrong answers at k = 2, the second largest of uniform keys, and at the median."""
    sizes = [1 << power for power in range(FEWEST.bit_length() - 1, run.most.bit_length())]
    for dtype, n in product(FLOATS, sizes):
        yield from _trials(run, dtype, n, "compact", "2", run.trials)
        if n <= run.n:
            for finish in FINISHES:
                yield from _trials(run, dtype, n, finish, "median", max(1, run.trials // 10))


def _trials(run: Run, dtype: str, n: int, finish: str, rank: str, trials: int) -> Iterator[Row]:
    """Select from several vectors; count the answers that counts refute, and those that are 0."""
    wrong = zeros = 0
    for seed in range(trials):
        keys = run.keys("uniform", dtype, n, seed)
        k = n - 2 if rank == "2" else n // 2
        version = _plane(finish=finish)
        found = version.traced(keys, k)
        if found.fault:
            wrong += 1
            zeros += version.timed(keys, k).answer == 0
    of: Any = {"finish": finish, "rank": rank, "trials": trials, "wrong": wrong, "zeros": zeros}
    yield selection_row("wrong", "uniform", Attempt(None, found.trace), **of)


def _logarithms(run: Run) -> Iterator[Row]:
    """Search among logarithms of keys with an outlier of 10^20; count the keys that come back."""
    back = right = 0
    n = min(run.n, 1 << 16)
    for seed in range(run.trials):
        keys = np.abs(np.random.default_rng(seed).standard_normal(n))
        keys[0] = OUTLIERS["10^20"]
        low = keys.min()
        logs = np.log1p(keys - low)
        found = _plane().traced(logs, n // 2)
        right += bool(found.answer == np.sort(logs)[n // 2])
        back += bool(np.expm1(found.answer) + low == np.sort(keys)[n // 2])
    yield selection_row("logarithms", "10^20", found, trials=run.trials, right=right, back=back)


def _trimmed_squares() -> Iterator[Row]:
    """Compare eq. (4) of section VI, with its printed ρ, with the sum of the h smallest squares."""
    squares = np.random.default_rng(1).standard_normal(1001) ** 2
    median, h = np.median(squares), (squares.size + 1) // 2
    head: Row = {"about": "trimmed squares", "data": "normal", "keys": squares.size}
    for variant, terms in zip(VARIANTS, (np.ones(squares.size), squares), strict=True):
        ratio = terms[squares <= median].sum() / np.sort(squares)[:h].sum()
        yield {**head, "label": f"eq. (4), {variant}", "ratio": float(ratio)}


def _contaminated(run: Run) -> Row:
    """Replace 49% of normal residuals by 10^6, and compare the median residuals."""
    n = min(run.n, 1 << 20)
    residuals = np.abs(np.random.default_rng(1).standard_normal(n))
    hostile = residuals.copy()
    hostile[: int(0.49 * n)] = 1e6
    clean, found = (_plane().traced(each, n // 2) for each in (residuals, hostile))
    return selection_row(
        "contaminated", "half-normal", found, moved=float(found.answer - clean.answer)
    )
