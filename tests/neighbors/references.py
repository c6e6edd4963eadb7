"""The k nearest samples by sorted differences, and samples that were hard for somebody."""

import numpy as np

from shadersort.keys.types import Keys


def weights(points: Keys, queries: Keys, k: int, kind: str) -> Keys:
    """The weight of each point for each query: rows add up to 1.

    Squared distances are those of differences in float64, and points at the k-th distance share
    the places that are left for them.
    """
    apart = queries[:, None].astype(float) - points[None].astype(float)
    squares = np.einsum("qnp,qnp->qn", apart, apart)
    last = np.sort(squares, axis=1)[:, k - 1 : k]
    nearer, equal = squares < last, squares == last
    share = (k - nearer.sum(axis=1, keepdims=True)) / equal.sum(axis=1, keepdims=True)
    found = nearer + equal * share
    if kind == "distance":
        with np.errstate(divide="ignore", invalid="ignore"):
            near = np.where((squares == 0).any(axis=1, keepdims=True), squares == 0, squares**-0.5)
        found = np.where(found > 0, found * near, 0)
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def hard_samples(rng: np.random.Generator, n: int, features: int) -> dict[str, Keys]:
    """Samples whose distances by products in float32, or even in float64, are wrong."""
    plain = rng.standard_normal((n, features))
    clusters = 1e7 * rng.integers(0, 2, (n, 1)) + plain
    outlier = plain.copy()
    outlier[-1] = 1e9
    return {
        "plain": plain,
        "far from the origin": 1e8 + plain,
        "very far from the origin": 1e15 + np.round(64 * plain),
        "two clusters": clusters,
        "an outlier": outlier,
        "whole numbers": rng.integers(0, 3, (n, features)).astype(float),
        "all equal": np.full((n, features), 0.1),
        "tiny": 1e-200 * plain,
        "huge": 1e300 * plain,
        "denormal in float32": 1e-42 * plain,
        "one large coordinate": plain * np.geomspace(1e9, 1, features),
    }
