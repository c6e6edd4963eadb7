"""Selection on a GPU: methods, data sets, the kernels that run. Every test needs a GPU."""

from itertools import product

import numpy as np
import pytest

from shadersort.errors import DidNotConverge
from shadersort.keys import datasets
from shadersort.selection import METHODS, select, select_many
from tests.modern.references import MANY, on_gpu
from tests.selection.inputs import MANY_WAYS, WAYS, awkward, ranks, same

pytestmark = pytest.mark.gpu

SOME = ["float16", "float32", "int64", "uint8"]


@pytest.mark.parametrize("method", METHODS)
def test_every_method(method: str) -> None:
    for n, dtype in product((1, 9, 1000), SOME):
        for keys in awkward(n, dtype).values():
            expected, some = np.sort(keys, kind="stable"), on_gpu(keys)
            for k in ranks(n):
                try:
                    answer = select(some, k, method=method)
                except DidNotConverge:
                    assert method == "quasi-newton"
                    continue
                assert same(answer, expected[k])
                assert type(answer) is keys.dtype.type


@pytest.mark.parametrize("dtype", ["float16", "int64"])
def test_methods_that_divide_to_the_end(dtype: str) -> None:
    for keys in awkward(100, dtype).values():
        expected = np.sort(keys, kind="stable")
        for method, options in WAYS:
            for k in ranks(100):
                assert same(select(on_gpu(keys), k, method=method, **options), expected[k])
        for method, options in MANY_WAYS:
            answers = select_many(on_gpu(keys), range(100), method=method, **options)
            np.testing.assert_array_equal(answers, expected)


@pytest.mark.filterwarnings("ignore:one thread selects:RuntimeWarning")
@pytest.mark.parametrize("name", datasets.DATASETS)
def test_every_data_set(name: str) -> None:
    n = MANY
    keys = datasets.make(name, n, dtype=datasets.DATASETS[name].dtypes[-1], seed=3)
    expected, some = np.sort(keys, kind="stable"), on_gpu(keys)
    for method in set(METHODS) - {"quickselect-serial"}:
        for k in (1, n // 2):
            try:
                assert same(select(some, k, method=method), expected[k])
            except DidNotConverge:
                assert method == "quasi-newton"
    ks = datasets.ranks("uniform", n, 101)
    for method in ("radix", "radix-inplace", "bucket", "quickselect", "auto"):
        np.testing.assert_array_equal(select_many(some, ks, method=method), expected[ks])


def test_answers_stay_on_the_device() -> None:
    import cupy

    import modern

    dtype = "int16"
    keys = np.random.default_rng(0).integers(0, 100, 10_001).astype(dtype)
    x = cupy.asarray(keys)
    answer = modern.select(x, 3)
    assert isinstance(answer, cupy.ndarray)
    assert (answer.shape, answer.dtype, answer.device) == ((), keys.dtype, x.device)
    assert answer.get() == np.sort(keys)[3]
    found, trace = modern.multiselect(x, [5, 1], return_trace=True)
    np.testing.assert_array_equal(cupy.asnumpy(found), np.sort(keys)[[5, 1]])
    assert trace.ks == (1, 5)
    assert modern.median(x).get() == np.median(keys)
    q = [0.1, 0.5]
    np.testing.assert_array_equal(modern.quantile(x, q).get(), np.quantile(keys, q))
    assert modern.nanmedian(x[::2]).get() == np.nanmedian(keys[::2])


def test_auto_is_one_read() -> None:
    for n in (1, 100_003, MANY):
        keys = np.random.default_rng(1).permutation(n).astype(np.float32)
        answer, trace = select(on_gpu(keys), n // 3, return_trace=True)
        assert answer == n // 3
        assert trace.method == "one-read"


def test_randomized_at_once() -> None:
    for data in datasets.DATASETS:
        keys = datasets.make(data, 60_001, dtype="float32", seed=4)
        for ks in ((0, 7, 600, 30_000, 59_990, 60_000), (0, 1300, 30_000, 58_000, 59_500)):
            some, expected = on_gpu(keys), np.sort(keys)
            for k in ks:
                assert same(select(some, k, method="randomized", few=64), expected[k])
            keys[::50], keys[1::50], keys[2::50] = np.nan, np.inf, -np.inf
