"""With 45% of gross outliers the model is found again; `bench.applications` tries 200 problems."""

import numpy as np
import pytest

from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares
from tests.robust.problems import KINDS, contaminated

CASES = [(columns, kind) for columns in (1, 3, 6, 10) for kind in KINDS]


@pytest.mark.parametrize(("columns", "kind"), CASES)
def test_trimmed_squares_find_the_model(columns: int, kind: str) -> None:
    data = contaminated(columns, columns, kind)
    found = LeastTrimmedSquares().fit(data.x, data.y)
    assert np.abs(found.coef_ - data.coef).max() < 0.5
    assert abs(found.intercept_ - 1) < 0.5
    assert 0.35 < found.scale_ < 0.7
    assert found.outliers_[data.outliers].all()
    assert np.delete(found.outliers_, data.outliers).mean() < 0.15


@pytest.mark.parametrize(("columns", "kind"), CASES[::3])
def test_the_median_finds_the_model(columns: int, kind: str) -> None:
    data = contaminated(columns, columns, kind)
    found = LeastMedianSquares().fit(data.x, data.y)
    assert np.abs(found.coef_ - data.coef).max() < 0.5
    assert found.outliers_[data.outliers].all()


@pytest.mark.parametrize("efficiency", [0.85, 0.95])
def test_mm_finds_the_model(efficiency: float) -> None:
    data = contaminated(7, 4, "both", share=0.3)
    found = LeastTrimmedSquares(finish="mm", efficiency=efficiency).fit(data.x, data.y)
    assert np.abs(found.coef_ - data.coef).max() < 0.3
    assert (found.weights_[data.outliers] == 0).all()
    assert found.outliers_[data.outliers].all()


@pytest.mark.parametrize("starts", ["random", "deterministic"])
def test_either_starts_find_the_model(starts: str) -> None:
    data = contaminated(3, 3, "vertical")
    found = LeastTrimmedSquares(starts=starts).fit(data.x, data.y)  # type: ignore[arg-type]
    assert np.abs(found.coef_ - data.coef).max() < 0.3
