"""What estimators have without scikit-learn is what they have with it."""

from typing import Any

import numpy as np
import pytest
from sklearn.base import ClassifierMixin, RegressorMixin

from shadersort.estimators import (
    AccuracyScore,
    Base,
    Classifier,
    DeterminationScore,
    Parameters,
    Regressor,
)


class Fixed:
    def __init__(self, predicted: list[Any]) -> None:
        self.predicted = predicted

    def predict(self, X: object) -> np.ndarray:  # noqa: N803
        return np.array(self.predicted)


class Ours(DeterminationScore, Fixed):
    pass


class Theirs(RegressorMixin, Fixed):  # type: ignore[misc]
    pass


class OurClasses(AccuracyScore, Fixed):
    pass


class TheirClasses(ClassifierMixin, Fixed):  # type: ignore[misc]
    pass


class Named(Parameters):
    def __init__(self, alpha: float = 0.5, *, steps: int = 3) -> None:
        self.alpha, self.steps = alpha, steps


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.0, 0.5]])
@pytest.mark.parametrize("truth", [[1.0, 2.0, 3.0, 5.0], [2.0, 2.0, 2.0, 2.0]])
def test_scores(truth: list[float], weights: list[float] | None) -> None:
    for guess in ([1.0, 2.0, 3.0, 4.0], truth):
        ours = Ours(guess).score(None, truth, weights)
        assert ours == pytest.approx(Theirs(guess).score(np.zeros((4, 1)), truth, weights))
        ours = OurClasses(guess).score(None, truth, weights)
        assert ours == TheirClasses(guess).score(np.zeros((4, 1)), truth, weights)


def test_the_score_of_several_outputs() -> None:
    truth, guess = [[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]], [[1.0, 5.0], [2.5, 5.0], [4.0, 4.0]]
    ours = Ours(guess).score(None, truth, [1.0, 2.0, 3.0])
    assert ours == pytest.approx(Theirs(guess).score(np.zeros((3, 1)), truth, [1.0, 2.0, 3.0]))


def test_parameters_are_shown_if_they_are_no_defaults() -> None:
    assert repr(Named(0.5, steps=4)) == "Named(steps=4)"


def test_an_unknown_parameter_is_refused() -> None:
    with pytest.raises(ValueError, match="no parameter 'beta': use alpha, steps"):
        Named().set_params(beta=1)


def test_with_scikit_learn_estimators_are_its_own() -> None:
    assert all(each.__module__ == "sklearn.base" for each in (Base, Classifier, Regressor))
