"""Keys of 8 and 16 bits, and booleans: every public function of `modern`, against NumPy."""

from collections.abc import Iterator
from itertools import chain, islice, product
from typing import Any

import numpy as np
import pytest

import modern
from shadersort.keys.types import Keys
from tests.expected import expected
from tests.helpers import bits, random_bits
from tests.modern.references import back, largest_places, places_and, put_on_gpu
from tests.selection.inputs import NARROW

gpu = pytest.mark.gpu
TYPES = ["bool", *NARROW]
SIZES = [1, 2, 3, 17, 256, 4097]
LARGE = [65_537, 2_162_700, 20_000_003]
"""More keys than one tile, than a tile of each block of a large GPU, than all blocks stage."""

STEPPED: Any = ("lower", "higher", "nearest", "inverted_cdf", "closest_observation")
SOME = ["bool", "int8", "uint16"]


def inputs(n: int, dtype: str) -> Iterator[Keys]:
    """Random bits, one value, two of them, sorted and reversed keys, one other key at an end."""
    keys = random_bits(n, n, "uint8" if dtype == "bool" else dtype)
    keys = keys < 77 if dtype == "bool" else keys
    one = np.full(n, 1, dtype)
    last = one.copy()
    last[-1] = 0
    yield from (keys, np.sort(keys), np.sort(keys)[::-1], one, last, np.resize(last[-2:], n))


def assert_answers(x: Any, keys: Keys) -> None:
    ordered, n = np.sort(keys), keys.size
    for k in {0, n // 3, n // 2, n - 1, -1}:
        found = modern.select(x, k)
        assert (found.dtype, back(found)[()]) == (keys.dtype, ordered[k])
    ks = np.array([[0, n // 2, n - 1], [n // 2, 0, -1]])
    np.testing.assert_array_equal(back(modern.multiselect(x, ks)), ordered[ks], strict=True)
    for ours, numpys in ((modern.median, np.median), (modern.nanmedian, np.nanmedian)):
        found = ours(x)
        assert (found.dtype, back(found)[()]) == (np.float64, numpys(keys))
    for method in STEPPED:
        wanted: Any = np.quantile(keys, [0.0, 0.3, 1.0], method=method)
        found = modern.quantile(x, [0.0, 0.3, 1.0], method=method)
        np.testing.assert_array_equal(back(found), wanted, strict=True)


@places_and(TYPES, on_gpu=SOME)
def test_every_function(put: Any, dtype: str) -> None:
    sizes = SIZES if put is np.asarray else SIZES[::2]
    for keys in chain.from_iterable(inputs(n, dtype) for n in sizes):
        x, kept = put(keys), keys.copy()
        assert_answers(x, keys)
        np.testing.assert_array_equal(back(modern.sort(x)), np.sort(keys), strict=True)
        for k in {0, 1, keys.size // 3, keys.size}:
            for largest in (True, False):
                values, places = modern.topk(x, k, largest=largest)
                assert back(places).tolist() == largest_places(keys, k, largest)
                np.testing.assert_array_equal(back(values), keys[back(places)], strict=True)
            found = back(modern.threshold(x, k))
            assert found.dtype == keys.dtype
            assert np.count_nonzero(found) == min(k, np.count_nonzero(keys))
            assert (found == np.where(found, keys, 0)).all()
        np.testing.assert_array_equal(back(x), kept)
        for method in modern.METHODS if dtype == "bool" and keys.size < 20 else ():
            found = modern.select(x, keys.size // 2, method=method)
            assert (found.dtype, back(found)[()]) == (np.bool_, np.sort(keys)[keys.size // 2])


@gpu
@pytest.mark.parametrize("dtype", SOME)
def test_many_keys(dtype: str) -> None:
    for n, skipped in zip(LARGE, (0, 1, 3), strict=True):
        for keys in islice(inputs(n, dtype), 1 if n > LARGE[1] else None):
            assert_answers(put_on_gpu(keys)[skipped:], keys[skipped:])


@gpu
@pytest.mark.parametrize("method", ["auto", "one-read"])
def test_bfloat16(method: Any) -> None:
    bfloat16 = np.dtype(pytest.importorskip("ml_dtypes").bfloat16)
    for n, skipped in product((*SIZES[::2], *LARGE[:2]), (0, 1)):
        for words in (random_bits(n, n, "uint16"), random_bits(n, n, "uint16") % 512 + 0x3F00):
            keys = np.append(words[:skipped], words).view(bfloat16)
            x, floats = put_on_gpu(keys)[skipped:], words.view(bfloat16).astype(np.float32)
            ordered = np.sort(floats, kind="stable")
            found = modern.select(x, n // 3, method=method)
            assert found.dtype == bfloat16
            np.testing.assert_array_equal(np.float32(found.get()), ordered[n // 3])
            for ours, numpys in ((modern.median, np.median), (modern.nanmedian, np.nanmedian)):
                wanted = expected(np.asarray(expected(numpys, ordered)).astype, bfloat16)
                middle = expected(ours, x, method=method).get()
                np.testing.assert_array_equal(np.float32(middle), np.float32(wanted))
            found = modern.multiselect(x, [0, n // 2, -1])
            np.testing.assert_array_equal(found.get().astype(np.float32), ordered[[0, n // 2, -1]])


@gpu
def test_bfloat16_where_it_is_copied_as_float32() -> None:
    bfloat16 = np.dtype(pytest.importorskip("ml_dtypes").bfloat16)
    words = random_bits(1, 100_003, "uint16")
    keys = words.view(bfloat16)
    x, floats = put_on_gpu(keys), keys.astype(np.float32)
    for method in ("radix", "bucket", "sort-choose"):
        found = np.float32(modern.select(x, 70_000, method=method).get())
        np.testing.assert_array_equal(found, np.sort(floats)[70_000])
    arranged = modern.sort(x).get()
    np.testing.assert_array_equal(np.sort(arranged.view(np.uint16)), np.sort(words))
    np.testing.assert_array_equal(arranged.astype(np.float32), np.sort(floats))
    values, places = modern.topk(x, 100)
    assert places.get().tolist() == largest_places(floats, 100)
    np.testing.assert_array_equal(values.get().view(np.uint16), words[places.get()])
    for kind in ("hard", "soft"):
        found, kept = (modern.threshold(some, 500, kind=kind) for some in (x, keys))
        np.testing.assert_array_equal(bits(found.get()), bits(kept))
    found, wanted = (modern.nanquantile(some, [0.3, 0.5]) for some in (x, keys))
    np.testing.assert_array_equal(found.get(), wanted)
