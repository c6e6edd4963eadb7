"""Estimators by scikit-learn's conventions, with scikit-learn and without it; and their samples.

With scikit-learn they are its `BaseEstimator`s, and have its scores and functions of parameters.
Without it they fit and predict as well, and do no more. Samples are a matrix of finite floats, with
a target for each. Messages have the words that scikit-learn's tests of estimators look for.
"""

import warnings
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from shadersort.arrays import Home
from shadersort.errors import (
    BadSamples,
    EmptyInput,
    KeysNotFlat,
    NotFinite,
    ShadersortError,
    UnsupportedKeys,
    ValuesMismatch,
)

if TYPE_CHECKING:

    class Base:  # noqa: D101
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...  # noqa: D102
        def set_params(self, **params: Any) -> Self: ...  # noqa: D102

    class Classifier:  # noqa: D101
        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...  # noqa: D102

    Regressor = Classifier
    NotFittedError = ValueError
    DataConversionWarning = UserWarning
    validate_data: Any = None
else:
    try:
        from sklearn.base import BaseEstimator as Base
        from sklearn.base import ClassifierMixin as Classifier
        from sklearn.base import RegressorMixin as Regressor
        from sklearn.exceptions import DataConversionWarning, NotFittedError
        from sklearn.utils.validation import validate_data
    except ModuleNotFoundError:  # scikit-learn is an extra
        Base, Classifier, Regressor = (type(name, (), {}) for name in ("Base", "C", "R"))
        DataConversionWarning, validate_data = UserWarning, None

        class NotFittedError(ValueError, AttributeError):
            """The estimator was not fitted yet."""


class NotFitted(ShadersortError, NotFittedError):
    """The estimator was asked before it was fitted."""


def samples(estimator: Any, X: Any, home: Home, *, fit: bool) -> Any:
    """Return samples as a matrix (samples, features) of finite floats, at home.

    `fit` notes how many features there are, and with scikit-learn their names; otherwise both have
    to be those of `fit`. Raises the errors of this module for what is no such matrix.
    """
    if hasattr(X, "nnz") and hasattr(X, "tocsr"):
        raise UnsupportedKeys("X is a sparse matrix, but a dense one is needed: X.toarray()")
    found = floats(home, X, "X")
    if found.ndim != 2:
        raise KeysNotFlat(
            f"Expected 2D array, got {found.ndim}D array instead. Reshape your data: "
            "array.reshape(-1, 1) has one feature, array.reshape(1, -1) is one sample."
        )
    for size, what in zip(found.shape, ("sample", "feature"), strict=True):
        if not size:
            raise EmptyInput(
                f"Found array with 0 {what}(s) (shape={found.shape}) while a minimum of 1 is "
                "required."
            )
    if fit:
        estimator.n_features_in_ = found.shape[1]
    elif found.shape[1] != estimator.n_features_in_:
        raise ValuesMismatch(
            f"X has {found.shape[1]} features, but {type(estimator).__name__} is expecting "
            f"{estimator.n_features_in_} features as input"
        )
    if validate_data is not None and home.xp is np:
        validate_data(estimator, X, reset=fit, skip_check_array=True)  # names of features
    return found


def floats(home: Home, x: Any, name: str) -> Any:
    """Return numbers as an array of finite floats: float16, float32 or float64 as they are."""
    found = home.own(x)
    if found.dtype.kind == "c":
        raise BadSamples(f"Complex data not supported: {name} has the type {found.dtype}")
    if found.dtype.kind != "f" or found.dtype.itemsize > 8:
        found = _as_float64(found, name)
    check_finite(home.xp, found, name)
    return found


def check_finite(xp: Any, found: Any, name: str) -> None:
    """Raise NotFinite if there is a NaN or an infinity."""
    if not bool(xp.isfinite(found).all()):
        raise NotFinite(
            f"Input {name} contains NaN or infinity: leave these samples out, or fill them in"
        )


def _as_float64(found: Any, name: str) -> Any:
    if found.dtype.kind in "SU":
        raise BadSamples(f"{name} has words, no numbers: convert them, {name}.astype(float)")
    try:
        return found.astype(np.float64)
    except ValueError as error:
        raise BadSamples(f"{name} has no numbers: {error}") from error
    except TypeError as error:
        raise UnsupportedKeys(f"{name} has no numbers: {error}") from error


def check_required(estimator: Any, y: Any) -> None:
    """Raise BadSamples unless there are targets."""
    if y is None:
        raise BadSamples(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None"
        )


def check_targets(y: Any, samples: int, dimensions: tuple[int, ...]) -> None:
    """Raise an error unless there is a target for each sample, in so many dimensions."""
    if y.ndim not in dimensions:
        right = " or ".join(map(str, dimensions))
        raise KeysNotFlat(f"y has {y.ndim} dimensions, but it may have {right}")
    if len(y) != samples:
        raise ValuesMismatch(f"X has {samples} samples, but y has {len(y)}: one each is needed")


def in_one_dimension(y: Any) -> Any:
    """Return targets in one column as an array of one dimension, with scikit-learn's warning."""
    if y.ndim != 2 or y.shape[1] != 1:
        return y
    warnings.warn(
        "A column-vector y was passed when a 1d array was expected: pass y.ravel()",
        DataConversionWarning,
        stacklevel=4,
    )
    return y[:, 0]


def check_fitted(estimator: Any, attribute: str) -> None:
    """Raise NotFitted if an estimator has not what its fit finds."""
    if not hasattr(estimator, attribute):
        name = type(estimator).__name__
        raise NotFitted(f"this {name} is not fitted yet: call fit(X, y) first")
