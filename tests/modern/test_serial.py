"""The kernel of one thread: it compiles everywhere, and on a GPU it does what its twin does."""

from typing import Any

import numpy as np
import pytest

from modern.compiling import compiled
from modern.kernels import DTYPES, source
from shadersort.primitives import Keys
from shadersort.primitives.codes import code, encode
from shadersort.primitives.serial import quickselect_serial
from tests.modern.test_kernels import ARCHITECTURES
from tests.selection.inputs import TYPES, awkward, ranks


@pytest.mark.parametrize("dtype", [dtype.name for dtype in DTYPES])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_it_compiles(dtype: str, architecture: str) -> None:
    assert compiled("quickselect_serial", dtype, architecture, ()).startswith(b"\x7fELF")


def test_its_random_numbers_are_those_of_the_twin() -> None:
    from shadersort.primitives.serial import INCREMENT, MULTIPLIER

    assert f"seed * {MULTIPLIER}ull + {INCREMENT}ull" in source("quickselect_serial.cu")


def threaded(keys: Keys) -> Any:
    """The primitives of keys on the GPU, with one thread that selects."""
    import cupy

    from modern.device import CuPyPrimitives
    from modern.serial import OneThreadOfCUDA

    class Threaded(OneThreadOfCUDA, CuPyPrimitives):
        pass

    return Threaded(cupy.asarray(keys))


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 9, 255, 256, 257, 5000])
def test_it_takes_the_same_steps_as_its_twin(n: int, dtype: str) -> None:
    for keys in awkward(n, dtype).values():
        for k in ranks(n):
            for seed in (0, 2**64 - 1):
                some = threaded(keys)
                found = some.quickselect_serial(k, seed)
                expected = quickselect_serial(encode(keys).tolist(), k, seed)
                assert (code(found), some.traffic.read, some.traffic.written) == expected
                assert found.dtype == keys.dtype


@pytest.mark.gpu
def test_the_method_on_a_gpu() -> None:
    from shadersort.selection import select

    keys = np.random.default_rng(0).normal(size=100_003)
    answer, trace = select(
        threaded(keys), 777, method="quickselect-serial", seed=5, return_trace=True
    )
    assert answer == np.sort(keys)[777]
    reads = quickselect_serial(encode(keys).tolist(), 777, 5)[1:]
    assert (trace.steps[0].keys_read, trace.steps[0].keys_written) == reads
