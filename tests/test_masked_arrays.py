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
CALLS: dict[str, tuple[Callable[[], Any], type[Exception]]] = {
    "Parts": (lambda: modern.Parts([Y, MASKED]), errors.UnsupportedKeys),
    "keys": (lambda: modern.median(MASKED), errors.UnsupportedKeys),
    "a list of arrays": (lambda: modern.median([Y, MASKED], axis=0), errors.UnsupportedKeys),
    "a list to be sorted": (lambda: ss.sort([MASKED, MASKED]), errors.UnsupportedKeys),
    "a list of values": (
        lambda: ss.QuantileSummary(0.1).update((MASKED, Y)),
        errors.UnsupportedKeys,
    ),
    "threshold": (lambda: sparse.threshold(MASKED, 2), errors.UnsupportedKeys),
    "threshold of a list": (lambda: sparse.threshold([Y, MASKED], 2), errors.UnsupportedKeys),
    "threshold of a dict": (lambda: sparse.threshold({"a": MASKED}, 2), errors.UnsupportedKeys),
    "out": (lambda: sparse.threshold(Y, 2, out=MASKED.copy()), errors.UnsupportedKeys),
    "y of a recovery": (
        lambda: sparse.iterative_hard_thresholding(MASKED, np.eye(6), 2),
        errors.UnsupportedKeys,
    ),
    "q": (lambda: modern.quantile(Y, MASKED / 6), errors.QuantileNotNumber),
    "q of weighted keys": (
        lambda: modern.quantile(Y, MASKED / 6, weights=Y, method="inverted_cdf"),
        errors.QuantileNotNumber,
    ),
    "q of textures": (lambda: ss.quantile(np.float32(Y), MASKED / 6), errors.QuantileNotNumber),
    "ks": (lambda: modern.multiselect(Y, MASKED.astype(int)), errors.BadRank),
    "weights": (
        lambda: modern.quantile(Y, 0.5, weights=MASKED, method="inverted_cdf"),
        errors.BadWeights,
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_masked_arrays_are_refused(name: str) -> None:
    call, error = CALLS[name]
    with pytest.raises(error, match="masked"):
        call()


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_estimators_refuse_masked_samples_and_targets(estimator: Any) -> None:
    for x, y in ((WIDE, Y), (X, MASKED)):
        with pytest.raises(errors.UnsupportedKeys, match="masked"):
            estimator.fit(x, y)
    with pytest.raises(errors.UnsupportedKeys, match="masked"):
        estimator.fit(X, Y).predict(WIDE)
