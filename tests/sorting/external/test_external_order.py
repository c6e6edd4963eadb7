"""External sorting, downwards and in another precision, is what `sort` does."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

import shadersort as ss
from shadersort import Device
from shadersort.names import Precision
from tests.helpers import TYPES, bits, random_bits, telling_floats
from tests.sorting.external.test_external import TINY


@pytest.mark.parametrize("dtype", TYPES)
def test_the_largest_first(software: Device, dtype: str) -> None:
    for share, n in product((0.0, 0.5, 1.0), (0, 1, 2, 3, 63, 64, 65, 300)):
        keys = random_bits(n, n, dtype)
        if keys.dtype.kind == "f":
            keys = np.concatenate([keys, telling_floats(dtype)])
        options = {"method": "fragment", "device": software, "descending": True}
        result = ss.external_sort(keys, share=share, _schedule=TINY, **options)  # type: ignore[call-overload]
        np.testing.assert_array_equal(bits(result), bits(ss.sort(keys, **options)))  # type: ignore[arg-type]


@pytest.mark.parametrize("precision", ["float16", "float32"])
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_in_another_precision(software: Device, dtype: str, precision: Precision) -> None:
    keys = np.concatenate([random_bits(1, 200, dtype), telling_floats(dtype)])
    expected = ss.sort(keys, device=software, precision=precision)
    for share in (0.0, 0.5, 1.0):
        result = ss.external_sort(
            keys, device=software, precision=precision, share=share, _schedule=TINY
        )
        assert result.dtype == expected.dtype == precision
        np.testing.assert_array_equal(bits(result), bits(expected), f"share {share}")


def test_a_card_that_blends_halves_gets_halves(tmp_path: Path) -> None:
    src, dst = tmp_path / "keys.bin", tmp_path / "sorted.npy"
    keys = np.random.default_rng(2).standard_normal(500, np.float32).astype(">f4")
    keys.tofile(src)
    with ss.open_device("software", profile="geforce-6800-ultra") as card:
        ss.external_sort(src, dst, dtype=">f4", device=card, share=0.3, _schedule=TINY)
        result = np.load(dst)
        assert result.dtype == np.dtype(">f2")
        np.testing.assert_array_equal(result, ss.sort(keys, device=card))
        whole = ss.external_sort(keys, device=card, method="fragment", _schedule=TINY)
    np.testing.assert_array_equal(whole, np.sort(keys))
