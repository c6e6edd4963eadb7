import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import modern
from shadersort.errors import EmptyInput, KeysNotFlat, UnsupportedKeys
from shadersort.selection import SelectionTrace


def test_every_method_has_its_name() -> None:
    assert {
        "sort-choose",
        "cutting-plane",
        "bisection",
        "brent-root",
        "brent-min",
        "golden",
        "quasi-newton",
        "auto",
    } <= set(modern.METHODS)


@pytest.mark.parametrize("n", [1, 10, 16_384, 16_385, 100_000])
def test_auto(n: int) -> None:
    keys = np.random.default_rng(n).normal(size=n).astype(np.float32)
    answer, trace = modern.select(keys, n // 3, return_trace=True)
    assert answer == np.partition(keys, n // 3)[n // 3]
    assert isinstance(trace, SelectionTrace)
    assert trace.method == ("sort-choose" if n <= 16_384 else "randomized")


@pytest.mark.parametrize("method", ["auto", "bisection"])
@pytest.mark.parametrize("n", [1, 2, 3, 8, 9, 5000])
def test_median(n: int, method: str) -> None:
    for keys in (np.random.default_rng(n).random(n), np.arange(n)):
        found = modern.median(keys, method=method)
        assert found == np.median(keys)
        assert type(found) is type(np.median(keys))
    assert np.isnan(modern.median(np.append(np.arange(n), np.nan), method=method))


@pytest.mark.parametrize(
    ("keys", "error"),
    [([], EmptyInput), (["a"], UnsupportedKeys), (np.zeros((2, 2)), KeysNotFlat)],
)
def test_bad_input(keys: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        modern.select(keys, 0)
    with pytest.raises(error):
        modern.median(keys)


def test_shadersort_does_not_import_modern() -> None:
    code = (
        "import sys, pkgutil, importlib, shadersort\n"
        "for info in pkgutil.walk_packages(shadersort.__path__, 'shadersort.'):\n"
        "    info.name.endswith('__main__') or importlib.import_module(info.name)\n"
        "assert not [name for name in sys.modules if name.split('.')[0] == 'modern']"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_it_works_without_cupy_and_says_what_needs_it() -> None:
    code = (
        "import sys; sys.modules['cupy'] = None\n"
        "import modern\n"
        "assert modern.select([3, 1, 2], 0) == 1\n"
        "class OnGpu: __cuda_array_interface__ = {}\n"
        "modern.select(OnGpu(), 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MethodUnavailable: arrays on a GPU need CuPy: pip install" in done.stderr
