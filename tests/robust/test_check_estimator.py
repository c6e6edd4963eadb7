"""scikit-learn's own checks of estimators; every failure that is expected has its reason here."""

from typing import Any

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from shadersort.errors import BadOption
from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares

ESTIMATORS = [
    LeastTrimmedSquares(n_starts=20),
    LeastMedianSquares(n_starts=20, finish="mm"),
]

LEFT_OUT = {"check_array_api_input": "skips itself unless SciPy's switch of the array API is set"}

EXPECTED = {
    "check_regressors_train": "it sets every parameter alpha to 0.01, as if it were a penalty"
}

CHECKS = [
    pytest.param(estimator, check, id=f"{place}-{check.func.__name__}-{check.keywords}")
    for place, each in enumerate(ESTIMATORS)
    for estimator, check in estimator_checks_generator(each)
    if check.func.__name__ not in LEFT_OUT
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_scikit_learn_accepts_them(estimator: Any, check: Any) -> None:
    if check.func.__name__ in EXPECTED:
        with pytest.raises(BadOption, match=r"alpha must be from 0.5 to 1, not 0.01"):
            check(estimator)
    else:
        check(estimator)


def test_the_check_that_sets_alpha_passes_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for each in ESTIMATORS:
        monkeypatch.setattr(type(each), "_check_options", lambda self: setattr(self, "alpha", 0.5))
        (check,) = (
            check
            for _, check in estimator_checks_generator(each)
            if check.func.__name__ == "check_regressors_train" and not check.keywords
        )
        check(each)
        monkeypatch.undo()
