"""Keys of 64 bits are sorted as records of two words: every bit of them is kept."""

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import shadersort as ss
from shadersort import Device
from shadersort.files.source import ArrayKeys
from shadersort.keys.types import WIDE, Keys
from shadersort.names import NetworkName, SortMethod
from shadersort.sorting.external import external_sort
from shadersort.sorting.external.pipeline import sort_source
from shadersort.sorting.external.schedule import Schedule
from shadersort.sorting.wide import way_to_sort
from tests.conftest import without_window

TINY = Schedule(chunk=16, step=6, fan_in=3)
TYPES = [dtype.name for dtype in WIDE]


def by_bits(keys: Keys) -> Keys:
    """Keys in the order of np.sort, −0.0 before 0.0, NaNs last in the order of the input."""
    numbers = sorted(keys[keys == keys].tolist(), key=lambda x: (x, np.copysign(1.0, x)))
    ordered = np.array(numbers, keys.dtype)
    return np.concatenate([ordered, keys[keys != keys]]).view(np.uint64)


def sort_pieces(keys: Keys, folder: Path, **options: Any) -> Keys:
    results: list[Keys] = []
    source = ArrayKeys(keys)
    sink = partial(external_sort._array_sink, results)
    sort_source(source, sink, folder, **options)
    return results[0]


def telling(dtype: str) -> Keys:
    if dtype == "float64":
        return np.array([0.0, -0.0, 5e-324, -5e-324, np.inf, -np.inf, 2.0**53, 0.1, 1e308, -1.5])
    limits = np.iinfo(dtype)
    numbers = [limits.min, limits.max, limits.max - 1, 0, 1, 1 << 32, (1 << 32) - 1, 1 << 53]
    return np.array([*numbers, (1 << 53) + 1, 16777217], dtype)


@without_window
@pytest.mark.parametrize("network", list(ss.NETWORKS))
@pytest.mark.parametrize("method", ["fragment", "fused", "compute", "auto"])
def test_on_every_device(device: Device, network: NetworkName, method: SortMethod) -> None:
    for dtype in TYPES:
        way = way_to_sort(device, np.dtype(dtype), network, method)
        for count in (0, 1, 3, 100):
            keys = np.random.default_rng(count).choice(telling(dtype), count)
            np.testing.assert_array_equal(way.sort(keys).view(np.uint64), by_bits(keys))


@given(
    bits=npst.arrays(np.uint64, st.integers(0, 80)),
    dtype=st.sampled_from(TYPES),
    descending=st.booleans(),
    share=st.sampled_from([0.0, 0.4, 1.0]),
)
def test_any_bits_in_chunks(
    software: Device,
    tmp_path_factory: pytest.TempPathFactory,
    bits: Keys,
    dtype: str,
    descending: bool,
    share: float,
) -> None:
    keys = bits.view(dtype)
    options = {"device": software, "method": "auto", "share": share, "_schedule": TINY}
    folder = tmp_path_factory.getbasetemp()
    found = sort_pieces(keys, folder, descending=descending, **options)
    expected = by_bits(keys)
    if descending:
        nans = int((keys != keys).sum())
        expected = np.concatenate(
            [expected[: len(keys) - nans][::-1], expected[len(keys) - nans :]]
        )
    np.testing.assert_array_equal(found.view(np.uint64), expected)


MEMORY = """
import resource, sys
import numpy as np
from pathlib import Path
import shadersort as ss
from shadersort.files.arrays import ArrayFile
from shadersort.files.request import Request
from shadersort.keys.outputs import output_file
from shadersort.sorting.external.pipeline import sort_source
from functools import partial
src, dst, kind, share, dtype = sys.argv[1:]
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
with ss.open_device(kind) as device:
    ss.sort(np.zeros(64, np.float32), device=device)
    before = peak()
    source = ArrayFile(Path(src), Request("raw", np.dtype(dtype)))
    sink = partial(output_file, Path(dst), overwrite=False)
    folder, options = Path(dst).parent, {"memory": "32MiB", "method": "fragment"}
    sort_source(source, sink, folder, share=float(share), device=device, **options)
    print(peak() - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "share", "mebibytes"), [("egl", "0.0", 8), ("software", "1.0", 40)]
)
def test_memory_stays_under_the_budget(
    tmp_path: Path, kind: str, share: str, mebibytes: int
) -> None:
    keys = np.random.default_rng(1).normal(size=(mebibytes << 20) // 8)
    src, dst = tmp_path / "keys.bin", tmp_path / "sorted.bin"
    keys.tofile(src)
    command = [sys.executable, "-c", MEMORY, str(src), str(dst), kind, share, "float64"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 32 << 20
    np.testing.assert_array_equal(np.fromfile(dst), np.sort(keys))
