"""Subsets of rows that are found without chance, and hold few outliers.

They are the six starts of DetMCD (Hubert, Rousseeuw and Verdonck 2012, "A deterministic algorithm
for robust location and scatter", J. Comput. Graph. Stat. 21), taken of all columns together: of X
and y for a regression. Any order of the rows gives the same subsets.
"""

from collections.abc import Iterator

import numpy as np

from shadersort.arrays import NumPyHome
from shadersort.robust.normal import normal_quantiles
from shadersort.robust.problem import FARTHEST, Numbers, medians_of, sizes_of
from shadersort.robust.starts import Places

HOME = NumPyHome()
NARROW = 1e-9
"""Least scale of a direction, beside the largest: rows outside a plane of most rows are far."""


def central_subsets(columns: Numbers, size: int) -> Places:
    """Return the rows nearest to each of six robust centres: (6, size).

    The columns are (columns, rows), on the host.
    """
    columns = standardised(columns)
    distances = np.stack([_distances(columns, scatter) for scatter in _scatters(columns)])
    return np.argpartition(distances, size - 1, axis=1)[:, :size]


def standardised(columns: Numbers) -> Numbers:
    """Return columns of median 0 and scale 1; constant ones are 0."""
    centred = columns - medians_of(HOME, columns)[:, None]
    scales = tau_scales(centred)
    return np.clip(centred / np.where(scales > 0, scales, 1)[:, None], -FARTHEST, FARTHEST)


def tau_scales(columns: Numbers) -> Numbers:
    """Return the τ-scales of columns with median 0 (Maronna and Zamar 2002).

    That is the root of the mean of squares that count for 3 median sizes at most.
    """
    sizes = sizes_of(HOME, columns)
    steps = np.where(sizes > 0, sizes, 1)[:, None]
    weights = (1 - np.minimum(abs(columns) / (4.5 * steps), 1) ** 2) ** 2
    means = (weights * columns).sum(axis=1) / np.maximum(weights.sum(axis=1), 1)
    far = np.minimum(abs(columns - means[:, None]) / steps, 3) ** 2
    return np.asarray(sizes * np.sqrt(far.mean(axis=1)))


def _scatters(columns: Numbers) -> Iterator[Numbers]:
    """Yield six matrices that tell where the columns scatter, and how outliers count little."""
    ranks = mean_ranks(columns)
    rows = columns.shape[1]
    lengths = np.sqrt((columns**2).sum(axis=0))
    yield _correlations(np.tanh(columns))
    yield _correlations(ranks)
    shares = (ranks - 1 / 3) / (rows + 1 / 3)
    yield _correlations(normal_quantiles(shares.ravel()).reshape(shares.shape))
    signs = columns / np.where(lengths > 0, lengths, 1)
    yield signs @ signs.T / rows
    half = (rows + 1) // 2
    yield np.atleast_2d(np.cov(columns[:, np.argpartition(lengths, half - 1)[:half]]))
    yield _pairwise(columns)


def mean_ranks(columns: Numbers) -> Numbers:
    """Return the ranks in each row of an array, from 1; equal numbers share their mean rank.

    Examples
    --------
    >>> mean_ranks(np.array([[30.0, 10, 20, 10]]))
    array([[4. , 1.5, 3. , 1.5]])
    """
    found = np.empty_like(columns)
    for column, ranks in zip(columns, found, strict=True):
        ordered = np.sort(column)
        below, upto = (np.searchsorted(ordered, column, side) for side in ("left", "right"))
        ranks[:] = (below + upto + 1) / 2
    return found


def _correlations(columns: Numbers) -> Numbers:
    """Return the correlations of columns; 0 with those that are constant."""
    centred = columns - columns.mean(axis=1, keepdims=True)
    lengths = np.sqrt((centred**2).sum(axis=1, keepdims=True))
    centred /= np.where(lengths > 0, lengths, 1)
    return np.asarray(centred @ centred.T)


def _pairwise(columns: Numbers) -> Numbers:
    """Return the raw OGK matrix: robust covariances of pairs (Gnanadesikan and Kettenring 1972)."""
    wide = len(columns)
    found = np.eye(wide)
    for place in range(1, wide):
        others = columns[:place]
        sums = _spread(columns[place] + others) ** 2
        differences = _spread(columns[place] - others) ** 2
        found[place, :place] = found[:place, place] = (sums - differences) / 4
    return found


def _spread(columns: Numbers) -> Numbers:
    return tau_scales(columns - medians_of(HOME, columns)[:, None])


def _distances(columns: Numbers, scatter: Numbers) -> Numbers:
    """Return how far each row is from the centre of the rows, by robust scales along axes.

    The axes are the eigenvectors of a scatter matrix, and the centre is the median of the columns
    after they were turned and scaled to a round cloud (the comedian).
    """
    _, axes = np.linalg.eigh(scatter)
    turned = axes.T @ columns
    scales = _spread(turned)
    scales = np.maximum(scales, max(NARROW * scales.max(), np.finfo(float).tiny))
    inverse_root = axes / scales @ axes.T
    centre = (axes * scales @ axes.T) @ medians_of(HOME, inverse_root @ columns)
    away = (turned - (axes.T @ centre)[:, None]) / scales[:, None]
    return np.asarray(np.sqrt((away**2).sum(axis=0)))
