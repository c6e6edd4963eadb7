"""External sorting, downwards and in another precision, is what `sort` does."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

import shadersort as ss
from shadersort import Device
from shadersort.errors import ProfileLimit, UnknownPrecision, UnsupportedKeys
from shadersort.names import Precision
from tests.helpers import TYPES, bits, random_bits, telling_floats
from tests.sorting.test_external import TINY


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


def test_a_card_refuses_what_it_cannot_blend(tmp_path: Path) -> None:
    keys, dst = np.ones(500, np.float32), tmp_path / "sorted.npy"
    with ss.open_device("software", profile="geforce-6800-ultra") as card:
        for share in (0.0, 0.9, "auto"):
            with pytest.raises(ProfileLimit, match="at most 16 bits"):
                ss.external_sort(keys, dst, device=card, precision="float32", share=share)
    assert list(tmp_path.iterdir()) == []


def test_precisions_that_are_none(software: Device) -> None:
    for share in (0.0, 1.0):
        with pytest.raises(UnknownPrecision, match="float16"):
            ss.external_sort(np.ones(1, "f4"), device=software, precision="f8", share=share)  # type: ignore[call-overload]  # a wrong name
        with pytest.raises((UnknownPrecision, UnsupportedKeys)):
            ss.external_sort(np.ones(1, "i4"), device=software, precision="float16", share=share)
