"""Estimators by scikit-learn's conventions, with scikit-learn and without it."""

import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.estimator_checks import check_estimator

from shadersort.estimators import AccuracyScore, DeterminationScore
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
    assert each.score(x[1::2], y[1::2]) == 1 and each.n_features_in_ == 2
    assert each.get_params()["coverage"] == 0.5 and each.set_params(coverage=0.75).coverage == 0.75
print(repr(each))
try:
    each.set_params(beta=1)
except ValueError as error:
    print(error)
model = KNeighborsRegressor(1).fit([[0.0], [1.0]], [2.0, 3.0])
print(model.predict([[0.2]]), model.score([[0.2], [0.9]], [2.0, 3.0]))
model = KNeighborsClassifier(1).fit([[0.0], [1.0]], ["a", "b"])
print(model.predict([[0.2]]), model.score([[0.2], [0.9]], ["a", "b"]), model)
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
    assert done.stdout.splitlines() == [
        "LeastMedianSquares(coverage=0.75, n_starts=30)",
        "LeastMedianSquares has no parameter 'beta': use coverage, n_starts, fit_intercept, "
        "random_state",
        "[2.] 1.0",
        "['a'] 1.0 KNeighborsClassifier(n_neighbors=1)",
    ]


class Fixed:
    def __init__(self, predicted: list[Any]) -> None:
        self.predicted = predicted

    def predict(self, X: object) -> np.ndarray:  # noqa: N803
        return np.array(self.predicted)


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.0, 0.5]])
@pytest.mark.parametrize("truth", [[1.0, 2.0, 3.0, 5.0], [2.0, 2.0, 2.0, 2.0]])
def test_scores_are_those_of_scikit_learn(truth: list[Any], weights: list[float] | None) -> None:
    for ours, theirs in ((DeterminationScore, RegressorMixin), (AccuracyScore, ClassifierMixin)):
        for guess in ([1.0, 2.0, 3.0, 4.0], truth):
            one, other = (type("Model", (each, Fixed), {})(guess) for each in (ours, theirs))
            score = other.score(np.zeros((4, 1)), truth, weights)
            assert one.score(None, truth, weights) == pytest.approx(score)


def test_the_score_of_several_outputs() -> None:
    truth, guess = [[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]], [[1.0, 5.0], [2.5, 5.0], [4.0, 4.0]]
    one, other = (
        type("Model", (each, Fixed), {})(guess) for each in (DeterminationScore, RegressorMixin)
    )
    score = other.score(np.zeros((4, 1)), truth, [1.0, 2.0, 3.0])
    assert one.score(None, truth, [1.0, 2.0, 3.0]) == pytest.approx(score)
