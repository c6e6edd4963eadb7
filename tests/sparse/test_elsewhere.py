"""Another library than NumPy thresholds and recovers the same."""

import numpy as np
import pytest

from shadersort.selection.thresholds import KINDS, Kind
from shadersort.sparse import iterative_hard_thresholding, threshold
from tests.elsewhere import elsewhere as elsewhere
from tests.modern.references import thresholded


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_keys_are_kept(kind: Kind) -> None:
    rng = np.random.default_rng(1)
    keys = rng.integers(-40, 40, 2000).astype("f4")
    arrays = [keys[:1500].reshape(3, -1), keys[1500:]]
    for k in (0, 1, 700, 2000):
        found = threshold(arrays, k, kind=kind)
        expected = thresholded(keys, k, kind)
        np.testing.assert_array_equal(np.concatenate([each.ravel() for each in found]), expected)


@pytest.mark.usefixtures("elsewhere")
def test_the_same_array_is_recovered() -> None:
    rng = np.random.default_rng(2)
    matrix, x = rng.standard_normal((50, 120)), np.zeros(120)
    x[:4] = 1, -2, 3, -4
    np.testing.assert_allclose(iterative_hard_thresholding(matrix @ x, matrix, 4).x, x, atol=1e-4)
