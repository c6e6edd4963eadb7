"""The outlier map: who is where, and what is said without matplotlib."""

import subprocess
import sys

import numpy as np
import pytest
from matplotlib.figure import Figure
from shadersort.robust.distances import distance_limit

from shadersort.robust import LeastTrimmedSquares
from tests.robust.problems import contaminated

WITHOUT = """
import sys
import numpy as np
sys.modules.update(dict.fromkeys(["matplotlib", "sklearn"]))  # their imports raise ImportError
from shadersort.errors import MatplotlibMissing
from shadersort.robust import LeastMedianSquares, LeastTrimmedSquares
x = np.arange(20.0)[:, None] ** [1, 2]
y = x @ [2.0, 1] + 3
y[::4] += 50
for each in (LeastTrimmedSquares(), LeastMedianSquares(n_starts=30)):
    try:
        each.predict(x)
    except ValueError as error:
        assert "not fitted yet" in str(error)
    else:
        raise AssertionError
    assert each.fit(x, y).outliers_.nonzero()[0].tolist() == [0, 4, 8, 12, 16]
    assert each.score(x[1::2], y[1::2]) == 1 and each.n_features_in_ == 2
    assert each.get_params()["alpha"] == 0.5 and each.set_params(alpha=0.75).alpha == 0.75
    for bad in (x[:, 0], x * np.nan, x.astype(str)):
        try:
            each.fit(bad, y)
        except (ValueError, TypeError):
            continue
        raise AssertionError(bad)
try:
    each.plot(x, y)
except MatplotlibMissing as error:
    assert "pip install 'shadersort[plots]'" in str(error)
else:
    raise AssertionError
print(repr(each))
"""


def test_outliers_are_in_the_corners() -> None:
    data = contaminated(1, 2, "both", share=0.3)
    found = LeastTrimmedSquares(n_starts=50).fit(data.x, data.y)
    ax = found.plot(data.x, data.y)
    fitted, outliers = (np.asarray(each.get_offsets()) for each in ax.collections)
    assert len(outliers) == found.outliers_.sum()
    assert len(fitted) + len(outliers) == len(data.y)
    assert np.abs(fitted[:, 1]).max() < 2.25 < np.abs(outliers[:, 1]).min()
    assert (outliers[:, 0] > distance_limit(2)).sum() >= len(data.outliers) // 2
    assert ax.get_xlabel() == "robust distance of the row of X"
    assert ax.get_ylabel() == "residual / scale"
    assert len(ax.lines) == 3


def test_given_axes_are_drawn_on() -> None:
    x = np.arange(10.0)[:, None]
    ax = Figure().add_subplot()
    found = LeastTrimmedSquares().fit(x, 2 * x[:, 0])
    assert found.plot(x, 2 * x[:, 0], ax=ax) is ax
    assert ax.get_ylabel() == "residual"  # the fit is exact: there is no scale


def test_a_map_needs_a_fit() -> None:
    with pytest.raises(ValueError, match="not fitted yet"):
        LeastTrimmedSquares().plot(np.ones((3, 1)), np.ones(3))


def test_without_matplotlib_and_scikit_learn() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "LeastMedianSquares(alpha=0.75, n_starts=30)"
