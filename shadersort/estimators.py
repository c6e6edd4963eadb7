"""Estimators by scikit-learn's conventions, with scikit-learn and without it; and their samples.

With scikit-learn they are its `BaseEstimator`s. Without it they have their parameters' functions
from here, and fit and predict as well. Samples are a matrix of finite floats, with a target for
each. Messages have scikit-learn's words where it has them: its tests of estimators look for them.
"""

import inspect
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


class Parameters:
    """The parameters of an estimator: the arguments of its `__init__`, which are its attributes."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by their names."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by their names; raise ValueError for an unknown one."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise ValueError(
                    f"{type(self).__name__} has no parameter {name!r}: use {', '.join(known)}"
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        shown = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value is not defaults[name].default
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


class DeterminationScore:
    """The score of a regressor: R², the coefficient of determination, as in scikit-learn."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R² of the predictions for X: 1 for exact ones, 0 for those of the mean.

        Of several outputs it is the mean of their R².
        """
        found: Any = self
        truth = np.asarray(y, float)
        truth = truth.reshape(len(truth), -1)
        weights = np.ones(len(truth)) if sample_weight is None else np.asarray(sample_weight, float)
        off = truth - np.asarray(found.predict(X)).reshape(truth.shape)
        apart = truth - np.average(truth, axis=0, weights=weights)
        left, total = (weights @ each**2 for each in (off, apart))
        scores = [1 - a / b if b else float(not a) for a, b in zip(left, total, strict=True)]
        return float(np.mean(scores))


class AccuracyScore:
    """The score of a classifier: the share of right predictions, as in scikit-learn."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of the rows of X whose class is predicted."""
        found: Any = self
        return float(np.average(np.asarray(found.predict(X)) == y, weights=sample_weight))


if TYPE_CHECKING:
    Base = Parameters
    Classifier = AccuracyScore
    Regressor = DeterminationScore
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
        Base, Classifier, Regressor = Parameters, AccuracyScore, DeterminationScore
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
