"""Another library than NumPy computes the same neighbours, in large products and no threads."""

import numpy as np
import pytest

from shadersort.neighbors import KNeighborsClassifier, KNeighborsRegressor
from shadersort.neighbors.nearest import WEIGHTS, Weights
from tests.elsewhere import elsewhere as elsewhere
from tests.neighbors.references import weights


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("kind", WEIGHTS)
def test_the_same_neighbours(kind: Weights) -> None:
    rng = np.random.default_rng(1)
    X, Q = rng.standard_normal((3000, 4)), rng.standard_normal((300, 4))
    y = rng.standard_normal(3000)
    for k in (1, 40, 3000):
        shares = weights(X, Q, k, kind)
        found = KNeighborsRegressor(k, weights=kind).fit(X, y).predict(Q)
        np.testing.assert_allclose(found, shares @ y, rtol=1e-9, atol=1e-12)
        votes = KNeighborsClassifier(k, weights=kind).fit(X, y > 0).predict_proba(Q)
        np.testing.assert_allclose(votes[:, 1], shares @ (y > 0), atol=1e-12)
    distances, places = KNeighborsRegressor(9).fit(X, y).kneighbors(Q)
    np.testing.assert_allclose(np.linalg.norm(X[places] - Q[:, None], axis=2), distances)
