"""The k nearest neighbours by the k-th distance, beside scikit-learn's brute force.

Both predict for the same queries, among samples of normally distributed float32. Predictions are
compared before they are timed. Queries are fewer than the 10,000 for which this stands: both ask
them chunk by chunk, so `queries_per_s` says as much.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from bench.shared.data import WRONG
from bench.shared.record import Row
from bench.shared.turns import least
from shadersort.neighbors import KNeighborsRegressor

KS = (100, 10_000)


def measurements(
    n: int = 1_000_000,
    *,
    features: int = 32,
    queries: int = 500,
    ks: Sequence[int] = KS,
    seconds: float = 5.0,
) -> Iterator[Row]:
    """Yield a row for each k: `ratio` is our time by scikit-learn's."""
    rng = np.random.default_rng(n)
    samples, asked = (rng.standard_normal((m, features), np.float32) for m in (n, queries))
    targets = samples[:, 0].astype(np.float64)
    for k in ks:
        yield {
            "what": f"kNN, k = {k:,}",
            "k": k,
            "n": n,
            "features": features,
            "queries": queries,
            **_measured(samples, targets, asked, k, seconds),
        }


def _measured(
    samples: np.ndarray, targets: np.ndarray, asked: np.ndarray, k: int, seconds: float
) -> Row:
    """Check a prediction, and time it and scikit-learn's in turns."""
    from sklearn.neighbors import KNeighborsRegressor as Theirs

    ours = KNeighborsRegressor(k).fit(samples, targets)
    theirs = Theirs(k, algorithm="brute").fit(samples, targets)
    if not np.allclose(ours.predict(asked), theirs.predict(asked), rtol=1e-9, atol=1e-12):
        raise AssertionError(WRONG.format(f"kNN, k = {k:,}"))
    mine, peer = least((lambda: ours.predict(asked), lambda: theirs.predict(asked)), seconds)
    return {
        "s": mine,
        "sklearn_s": peer,
        "ratio": mine / peer,
        "queries_per_s": len(asked) / mine,
    }
