"""Masked arrays are refused everywhere by a named error: no function drops a mask."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import modern
import shadersort as ss
from shadersort import errors, neighbors, robust, sparse

X = np.array([[0, 1], [5, 2], [1, 9], [3, 3], [2, 8], [4.0, 1]])
Y = np.arange(6.0)
MASKED = np.ma.masked_array(Y, Y > 3)
WIDE = np.ma.masked_array(X, X > 7)
ESTIMATORS: list[Any] = [
    robust.LeastTrimmedSquares(),
    robust.LeastMedianSquares(),
    neighbors.KNeighborsRegressor(1),
    neighbors.KNeighborsClassifier(1),
]
CALLS: dict[type[Exception], tuple[Callable[[], Any], ...]] = {
    errors.UnsupportedKeys: (
        lambda: modern.Parts([Y, MASKED]),
        lambda: modern.median(MASKED),
        lambda: modern.median([Y, MASKED], axis=0),
        lambda: ss.sort([MASKED, MASKED]),
        lambda: ss.QuantileSummary(0.1).update((MASKED, Y)),
        lambda: sparse.threshold(MASKED, 2),
        lambda: sparse.threshold([Y, MASKED], 2),
        lambda: sparse.threshold({"a": MASKED}, 2),
        lambda: sparse.threshold(Y, 2, out=MASKED.copy()),
        lambda: sparse.iterative_hard_thresholding(MASKED, np.eye(6), 2),
    ),
    errors.QuantileNotNumber: (
        lambda: modern.quantile(Y, MASKED / 6),
        lambda: modern.quantile(Y, MASKED / 6, weights=Y, method="inverted_cdf"),
        lambda: ss.quantile(np.float32(Y), MASKED / 6),
    ),
    errors.BadRank: (lambda: modern.multiselect(Y, MASKED.astype(int)),),
    errors.BadWeights: (lambda: modern.quantile(Y, 0.5, weights=MASKED, method="inverted_cdf"),),
}


@pytest.mark.parametrize("error", CALLS)
def test_masked_arrays_are_refused(error: type[Exception]) -> None:
    for call in CALLS[error]:
        with pytest.raises(error, match="masked"):
            call()


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_estimators_refuse_masked_samples_and_targets(estimator: Any) -> None:
    for x, y in ((WIDE, Y), (X, MASKED)):
        with pytest.raises(errors.UnsupportedKeys, match="masked"):
            estimator.fit(x, y)
    with pytest.raises(errors.UnsupportedKeys, match="masked"):
        estimator.fit(X, Y).predict(WIDE)
