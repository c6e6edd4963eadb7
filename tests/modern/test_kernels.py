"""Every kernel compiles: in a plain run for float32 and int64, almost without the optimizer.

No GPU is needed. `make test-all` takes all types and all macros, for GPUs of 2017 to 2025.
"""

import re
from collections.abc import Callable
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from cupy.cuda import nvrtc

from modern.kernels import kernel_names, source
from modern.launching.compiling import kernel_code
from modern.launching.key_types import DTYPES, options
from modern.primitives.compaction import flag_count, lists_of
from modern.primitives.device_primitives import tuning_of
from modern.rows.plans import Lying, Question, new_plan
from shadersort.errors import UnsupportedKeys
from shadersort.selection.printed.blanchard_2015_bucket_multi_select import B
from tests.modern.kernel_variants import VARIANTS

PLAIN = "sm_80"
ARCHITECTURES = [PLAIN, "sm_70", "sm_90", "sm_120"]
QUICK = np.dtype("float32"), np.dtype("int64")
TO_PTX = "--gpu-architecture=compute_80", "--Ofast-compile=max"

OF_BFLOAT16 = (
    *("one_read", "cells", "top_k", "threshold", "threshold_end", "number_keys", "network_tile"),
    "quantiles",
    *(name for name in VARIANTS if name.startswith(("row", "firsts_", "turn_", "write_"))),
)
"""Kernels that read bfloat16 as it is."""

BY_MAGNITUDE = [
    (name, macros)
    for name, variants in VARIANTS.items()
    for macros in variants
    if macros.get("BY") == 2 or macros.get("MAGNITUDE")
]


def test_every_kernel_is_compiled_here() -> None:
    assert sorted(VARIANTS) == kernel_names()


def compiled(
    read: Callable[[Any], Any], name: str, dtype: npt.DTypeLike, macros: dict[str, int], *told: str
) -> Any:
    """Compile a kernel; return what a function of NVRTC's says of it."""
    program = nvrtc.createProgram(source(f"{name}.cu"), f"{name}.cu", (), ())
    try:
        nvrtc.compileProgram(program, (*options(dtype, **macros), *told))
        return read(program)
    finally:
        nvrtc.destroyProgram(program)


@cache
def static(name: str, **macros: int) -> int:
    """Bytes of shared memory that a kernel has without asking, for keys of 64 bits."""
    told = f"--gpu-architecture={PLAIN}", "--ptxas-options=-v"
    said = compiled(nvrtc.getProgramLog, name, "float64", macros, *told)
    (found,) = re.findall(r"(\d+) bytes smem", said)
    return int(found)


@pytest.mark.slow
@pytest.mark.parametrize("most", [64 << 10, 96 << 10, 99 << 10, 163 << 10, 227 << 10])
def test_shared_memory_suffices(most: int) -> None:
    """The most that a block may have, from compute capability 7.5 on."""
    counters = tuning_of(most).counters
    shape, launch = lists_of(most, 8)
    for name, macros in (
        ("between", {"PARTED": 1, "RANGES": 0}),
        ("of_buckets", {"OPEN": 1, "COUNT": flag_count(counters)}),
    ):
        assert static(name, **shape, **macros) + launch["shared"] <= most
    assert static("bucket_histogram", OPEN=1) + 4 * (counters + 1) <= most
    assert static("blanchard_assign_buckets", INTERVALS=16) + 4 * B <= most


@pytest.mark.parametrize("name", VARIANTS)
def test_its_source_is_right(name: str) -> None:
    for dtype in QUICK:
        compiled(nvrtc.getPTX, name, dtype, VARIANTS[name][0], *TO_PTX)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "macros"), BY_MAGNITUDE)
def test_no_magnitude_is_taken_in_16_bits(name: str, macros: dict[str, int]) -> None:
    """A register of 16 bits after abs.s16 with |−32,768| was unequal to one with 32,768."""
    text = compiled(nvrtc.getPTX, name, "int16", macros, "-arch=compute_90")
    assert "abs.s16" not in (text if isinstance(text, str) else text.decode())


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_it_compiles_for_every_type(name: str, architecture: str) -> None:
    types = [dtype.name for dtype in DTYPES] + ["bfloat16"] * (name in OF_BFLOAT16)
    for dtype, macros in product(types, VARIANTS[name]):
        code = kernel_code(name, dtype, architecture, tuple(macros.items()))
        assert code.startswith(b"\x7fELF")


def test_sources_include_nothing_but_each_other() -> None:
    for name in VARIANTS:
        text = source(f"{name}.cu")
        assert "#include" not in text
        assert f" {name}(" in text


def test_options_say_what_a_key_is() -> None:
    assert "-DFLOATING=10" in options("float16")
    assert "-DFLOATING=7" in options("bfloat16")
    assert "-DSIGNED=0" in options("uint64")


def test_longer_rows_than_kernels_count_are_refused() -> None:
    launcher: Any = SimpleNamespace(raw=np.dtype(np.uint8), processors=132, most_shared=227 << 10)
    lying = Lying(1, (1 << 32) + 5, 1, ((1 << 32) + 5, 1, 1))
    with pytest.raises(UnsupportedKeys, match="a row of 4,294,967,301 keys is too long"):
        new_plan(launcher, lying, Question(0), False)
