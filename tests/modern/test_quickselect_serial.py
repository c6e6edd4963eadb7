"""The kernel of one thread takes the steps of its NumPy twin."""

import numpy as np
import pytest

from modern.kernels import source
from shadersort.keys.codes import code, encode
from shadersort.selection import select
from shadersort.selection.primitives.quickselect_serial import (
    INCREMENT,
    MULTIPLIER,
    quickselect_serial,
)
from tests.modern.references import on_gpu
from tests.selection.inputs import awkward, ranks


def test_its_random_numbers_are_those_of_the_twin() -> None:
    assert f"seed * {MULTIPLIER}ull + {INCREMENT}ull" in source("quickselect_serial.cu")


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["float16", "int64"])
def test_it_takes_the_same_steps_as_its_twin(dtype: str) -> None:
    inputs = [awkward(n, dtype) for n in (1, 2, 3, 257, 2000)]
    for n, keys in ((keys.size, keys) for each in inputs for keys in each.values()):
        for k in ranks(n):
            for seed in (0, 2**64 - 1):
                some = on_gpu(keys)
                found = some.quickselect_serial(k, seed)
                expected = quickselect_serial(encode(keys).tolist(), k, seed)
                assert (code(found), some.traffic.read, some.traffic.written) == expected
                assert found.dtype == keys.dtype


@pytest.mark.gpu
def test_the_method_on_a_gpu() -> None:
    keys = np.random.default_rng(0).normal(size=100_003)
    answer, trace = select(
        on_gpu(keys), 777, method="quickselect-serial", seed=5, return_trace=True
    )
    assert answer == np.sort(keys)[777]
    reads = quickselect_serial(encode(keys).tolist(), 777, 5)[1:]
    assert (trace.steps[0].keys_read, trace.steps[0].keys_written) == reads
