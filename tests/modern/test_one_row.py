"""One long row on the host, whose ranks are found in parts of it, in order, or by threads."""

import numpy as np
import pytest

import modern
from shadersort.keys.types import Keys


def rows(dtype: str) -> dict[str, Keys]:
    """Long rows: random, in order, reversed, with ties, extremes and zeros of both signs."""
    random, n = np.random.default_rng(2), (1 << 19) + 3
    keys = (random.standard_normal(n) * 1000).astype(dtype)
    found = {"random": keys, "sorted": np.sort(keys), "ties": keys % 7}
    found["reversed"] = found["sorted"][::-1]
    if keys.dtype.kind == "f":
        ends = np.array([-0.0, -np.inf, np.finfo(dtype).max, 0.0, np.inf], dtype)
        found["extremes"] = np.resize(ends, n)
        found["NaN at the end"] = np.append(found["sorted"], np.array(np.nan, dtype))
    return found


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "uint16", "int64"])
def test_a_long_row(dtype: str) -> None:
    q = np.linspace(0, 1, 11)
    for name, keys in rows(dtype).items():
        given, ordered = keys.copy(), np.sort(keys)
        for k in (0, keys.size // 3, -1):
            np.testing.assert_array_equal(modern.select(keys, k), ordered[k], name)
        ks = [[9, 99, 999], [9999, 3, -1]]
        np.testing.assert_array_equal(modern.multiselect(keys, ks), ordered[ks], name)
        with np.errstate(all="ignore"):
            for ours, numpys in ((modern.median, np.median), (modern.nanmedian, np.nanmedian)):
                np.testing.assert_array_equal(ours(keys), numpys(keys), name)
            np.testing.assert_array_equal(modern.quantile(keys, q), np.quantile(keys, q), name)
        assert keys.tobytes() == given.tobytes()
