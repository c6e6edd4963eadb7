"""Arrays of other libraries: they are computed with where they are, by their home's functions."""

from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from shadersort import arrays
from shadersort.arrays import NumPyHome
from shadersort.errors import (
    ArraysApart,
    BadCount,
    BadSamples,
    EmptyInput,
    KeysNotFlat,
    NotFinite,
    ValuesMismatch,
)
from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares, concentration
from tests.robust.problems import contaminated

DATA = contaminated(21, 3, "both", share=0.4)


class There:
    """An array that is not NumPy's."""

    def __init__(self, held: Any) -> None:
        self.held = np.asarray(held)


class Away(NumPyHome):
    """A home with a module of its own, as CuPy's: NumPy's functions under another name."""

    xp = SimpleNamespace(**{name: getattr(np, name) for name in np.__all__ if hasattr(np, name)})

    def own(self, x: Any) -> Any:
        return x.held if isinstance(x, There) else np.asarray(x)

    def given(self, found: Any) -> Any:
        return There(found)

    def here(self) -> AbstractContextManager[object]:
        return nullcontext()


@pytest.fixture(autouse=True)
def away(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Away()
    monkeypatch.setattr(arrays, "_offered", lambda: [lambda x: home if type(x) is There else None])
    monkeypatch.setattr(concentration, "DEVICE_BLOCK", 1000)


@pytest.mark.parametrize("estimator", [LeastTrimmedSquares, LeastMedianSquares])
@pytest.mark.parametrize("finish", ["raw", "reweighted", "mm"])
@pytest.mark.parametrize("repeats", [1, 25])
def test_the_fit_is_that_of_numpy(
    estimator: type[LeastTrimmedSquares], finish: Any, repeats: int
) -> None:
    x = np.tile(DATA.x, (repeats, 1)) + 1e-3 * np.arange(repeats).repeat(len(DATA.x))[:, None]
    y = np.tile(DATA.y, repeats)
    expected = estimator(finish=finish, n_starts=50).fit(x, y)
    found = estimator(finish=finish, n_starts=50).fit(There(x), There(y))
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=1e-6)
    assert found.scale_ == pytest.approx(expected.scale_)
    for name in ("weights_", "support_", "outliers_"):
        there = getattr(found, name)
        assert isinstance(there, There)
        np.testing.assert_allclose(there.held, getattr(expected, name), atol=1e-6)
    predicted = found.predict(There(x))
    assert isinstance(predicted, There)
    np.testing.assert_allclose(predicted.held, expected.predict(x))


def test_arrays_apart_are_refused() -> None:
    with pytest.raises(ArraysApart, match="put all of them in one place"):
        LeastTrimmedSquares().fit(There(DATA.x), DATA.y)


@pytest.mark.parametrize(
    ("x", "y", "error", "message"),
    [
        (DATA.x[:, 0], DATA.y, KeysNotFlat, "Expected 2D array, got 1D"),
        (DATA.x, DATA.y[1:], ValuesMismatch, "X has .* samples, but y has"),
        (DATA.x[:0], DATA.y[:0], EmptyInput, r"Found array with 0 sample\(s\)"),
        (DATA.x[:4], DATA.y[:4], BadCount, "n_samples=4 is too few: .* needs 5 rows"),
        (DATA.x * np.nan, DATA.y, NotFinite, "X contains NaN or infinity: leave"),
        (DATA.x, DATA.y + np.inf, NotFinite, "y contains NaN"),
        (DATA.x + 1j, DATA.y, BadSamples, "X has the type complex128"),
    ],
)
def test_bad_input(x: Any, y: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        LeastTrimmedSquares().fit(There(x), There(y))


def test_no_y() -> None:
    with pytest.raises(ValueError, match="requires y to be passed"):
        LeastTrimmedSquares().fit(There(DATA.x), None)


def test_other_columns_are_refused() -> None:
    found = LeastTrimmedSquares(n_starts=20).fit(There(DATA.x), There(DATA.y))
    with pytest.raises(ValuesMismatch, match=r"X has 2 features, but .* is expecting 3"):
        found.predict(There(DATA.x[:, :2]))


def test_a_column_is_a_y() -> None:
    with pytest.warns(UserWarning, match=r"pass y.ravel\(\)"):
        found = LeastTrimmedSquares(n_starts=20).fit(There(DATA.x), There(DATA.y[:, None]))
    assert found.n_features_in_ == 3
