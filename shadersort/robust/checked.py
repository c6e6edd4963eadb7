"""What estimators accept: arrays of numbers, checked by scikit-learn where it can, or here.

scikit-learn checks arrays on the host if it is installed, so its users get its words. Here the same
is checked for arrays on a GPU, and without scikit-learn.
"""

from typing import Any

import numpy as np

from shadersort.arrays import Home, home_of
from shadersort.errors import BadOption, NotFinite, UnsupportedKeys, ValuesMismatch

try:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import validate_data
except ModuleNotFoundError:  # scikit-learn is an extra

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """The estimator was not fitted yet."""

    validate_data = None


KINDS = [np.float64, np.float32]
"""Types that are taken as they are; others are converted."""


def checked_rows(estimator: Any, X: Any) -> tuple[Home, Any]:
    """Return the home of X, and X as an array of its own, for predictions.

    Raises ValueError or TypeError for arrays that do not fit, each with what would be right.
    """
    home = home_of(X)
    if validate_data is not None and home.xp is np:
        return home, validate_data(estimator, _of_numpy(home, X), dtype=KINDS, reset=False)
    with home.here():
        return home, _matrix(estimator, home.own(X), fitting=False)


def checked(estimator: Any, X: Any, y: Any) -> tuple[Home, Any, Any]:
    """Return the home of X and y, and both as arrays of its own; set `n_features_in_`.

    Raises ValueError or TypeError for arrays that cannot be fitted, each with what would be right.
    """
    home = home_of(X, y)
    if validate_data is not None and home.xp is np:
        given = _of_numpy(home, X), _of_numpy(home, y)
        return home, *validate_data(estimator, *given, dtype=KINDS, y_numeric=True)
    with home.here():
        x = _matrix(estimator, home.own(X), fitting=True)
        return home, x, _target(home, y, len(x))


def check_fitted(estimator: Any) -> None:
    """Raise NotFittedError unless the estimator has been fitted."""
    if not hasattr(estimator, "coef_"):
        raise NotFittedError(f"this {type(estimator).__name__} is not fitted yet: call fit first")


def checked_choice(name: str, given: Any, allowed: Any) -> Any:
    """Return an option, or raise BadOption unless it is one of those allowed."""
    if given not in allowed:
        raise BadOption(f"{name} must be one of {', '.join(map(repr, allowed))}, not {given!r}")
    return given


def _of_numpy(home: Home, X: Any) -> Any:
    """Return a tensor on the host as an array; leave tables as they are: columns have names."""
    return X if type(X).__module__.split(".")[0] != "torch" else home.own(X)


def _target(home: Home, y: Any, rows: int) -> Any:
    if y is None:
        raise ValuesMismatch("a fit requires y to be passed, but the target y is None")
    target = _numbers(home.own(y), "y").reshape(-1)
    if len(target) != rows:
        raise ValuesMismatch(f"X has {rows} rows, but y has {len(target)} numbers")
    return target


def _matrix(estimator: Any, x: Any, fitting: bool) -> Any:
    if x.ndim != 2:
        raise ValuesMismatch(
            f"X must have two dimensions, rows and columns, not {x.ndim}: "
            "X.reshape(-1, 1) is one column"
        )
    if not x.shape[0] or not x.shape[1]:
        raise ValuesMismatch(f"X has {x.shape[0]} rows and {x.shape[1]} columns: give one at least")
    if fitting:
        estimator.n_features_in_ = x.shape[1]
    elif x.shape[1] != estimator.n_features_in_:
        raise ValuesMismatch(
            f"X has {x.shape[1]} columns, but {type(estimator).__name__} was fitted to "
            f"{estimator.n_features_in_}"
        )
    return _numbers(x, "X")


def _numbers(x: Any, name: str) -> Any:
    """Return an array of finite numbers; raise an error for others."""
    if x.dtype.kind not in "fiub":
        raise UnsupportedKeys(f"{name} must have numbers, not {x.dtype}")
    if x.dtype.kind == "f" and not bool((abs(x) < np.inf).all()):
        raise NotFinite(f"{name} has NaN or infinity: leave these rows out")
    return x
