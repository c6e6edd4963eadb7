"""Estimators by scikit-learn's conventions, with scikit-learn and without it."""

import subprocess
import sys
import warnings
from typing import Any

import pytest
from sklearn.utils.estimator_checks import check_estimator

from shadersort.neighbors import KNeighborsClassifier, KNeighborsRegressor
from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares

WITHOUT = """
import sys
import numpy as np
sys.modules["sklearn"] = None  # its import raises ImportError
from shadersort.neighbors import KNeighborsClassifier, KNeighborsRegressor
from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares
x = np.arange(20.0)[:, None] ** [1, 2]
y = x @ [2.0, 1] + 3
y[::4] += 50
for each in (LeastTrimmedSquares(), LeastMedianSquares(n_starts=30)):
    try:
        each.predict(x)
    except ValueError as error:
        assert "not fitted yet" in str(error)
    assert each.fit(x, y).outliers_.nonzero()[0].tolist() == [0, 4, 8, 12, 16]
    assert each.n_features_in_ == 2
model = KNeighborsRegressor(1).fit([[0.0], [1.0]], [2.0, 3.0])
print(model.predict([[0.2]]))
model = KNeighborsClassifier(1).fit([[0.0], [1.0]], ["a", "b"])
print(model.predict([[0.2]]))
"""


@pytest.mark.parametrize(
    "estimator",
    [
        LeastTrimmedSquares(n_starts=20),
        LeastMedianSquares(n_starts=20),
        KNeighborsRegressor(),
        KNeighborsClassifier(weights="distance"),
    ],
)
def test_scikit_learn_accepts_them(estimator: Any) -> None:
    """No failure is expected; what is skipped needs a setting of SciPy."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(estimator, on_fail=None)
    wrong = [each for each in results if each["status"] not in ("passed", "skipped")]
    assert not wrong
    skipped = {each["check_name"] for each in results if each["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"}


def test_without_scikit_learn() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["[2.]", "['a']"]
