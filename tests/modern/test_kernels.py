"""Every kernel compiles for every type of key; in `make soak` optimized, for GPUs of 2017 to 2025.

No GPU is needed. A plain run checks the sources almost without the optimizer, which takes most of
the time of a compilation and finds no mistakes. To machine code it compiles the widest type, which
needs the most shared memory, float16, whose source holds instructions of PTX, and int8, which has
no registers of its size.
"""

import re
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from cupy.cuda import nvrtc

from modern.kernels import DTYPES, KERNELS, options, source
from modern.launching.compiling import compiled
from modern.primitives.bucket_multi_select import PARTS
from modern.primitives.cells_shape import AIMS
from modern.primitives.compaction import flagged, tiles_of
from modern.primitives.fused_radix import LOADS, STATIC
from modern.primitives.gpu_keys import tuned
from modern.primitives.histograms import MOST_INTERVALS
from modern.primitives.numpy import HostPrimitives
from shadersort.selection.primitives.printed_numpy import (
    NumPyAssignment,
    NumPyBlockAssignment,
    NumPyCodes,
)
from shadersort.selection.printed.blanchard_2015_bucket_multi_select import B
from shadersort.selection.rows.numpy import NumPyRows
from shadersort.streams import lossy_windows
from shadersort.streams.correlated_masses import SUMMED, MassSummaries
from shadersort.streams.greenwald_khanna import GKSummaries
from shadersort.streams.lossy_counting import LossyCounts
from shadersort.streams.lossy_windows import Walks
from shadersort.streams.sorters.numpy_sorter import NumPySorter

PLAIN = "sm_80"
ARCHITECTURES = [PLAIN, "sm_70", "sm_90", "sm_120"]
UNOPTIMIZED = "--Ofast-compile=max"
ASSEMBLED = np.dtype("float16"), np.dtype("float64")
NARROW = np.dtype("int8")
TO_PTX = "--gpu-architecture=compute_80", UNOPTIMIZED
TO_MACHINE_CODE = f"--gpu-architecture={PLAIN}", UNOPTIMIZED, "--ptxas-options=-O0"

COPIES = {"THREADS": 512, "UNROLL": 4}
ROWS = {"THREADS": 512, "ITEMS": 8}
CELLS = {"THREADS": 1024, "AIM": AIMS[0]}
LONG = {"THREADS": 1024, "UNROLL": 2, "CAPACITY": 18}
LONG_FIRSTS = [{"THREADS": 1024, "UNROLL": 2, "BY": by, "MAGNITUDE": int(by == 2)} for by in (1, 2)]


def divided(intervals: int, steps: int, open_ended: int) -> dict[str, int]:
    """The macros of a division into buckets."""
    return {"INTERVALS": intervals, "STEPS": steps, "OPEN": open_ended}


VARIANTS: dict[str, list[dict[str, int]]] = {
    "extent": [{}, {"DOUBLES": 1}],
    "objective": [{"SUMS": 0, "LOGS": 0}, {"SUMS": 1, "LOGS": 0}, {"SUMS": 1, "LOGS": 1}],
    "counts_at": [{}],
    "nearest": [{}],
    "between": [{**COPIES, "NANS": nans} for nans in (0, 1, 2)],
    "parted": [
        {**COPIES, "HANDED_ON": 0},
        {**COPIES, "HANDED_ON": 1},
        {**COPIES, "HANDED_ON": 0, "NANS": 1},
    ],
    "digit_histogram": [
        {"BINS": 16, "REPLICAS": 32},
        {"BINS": 8192, "REPLICAS": 1},
        {"BINS": 16, "REPLICAS": 32, "CODES": 1},
    ],
    "digit_histograms": [{"BINS": 16}],
    "with_prefixes": [COPIES],
    "bucket_histogram": [divided(1, 0, 0), divided(16, 2, 1) | {"NANS": 1}, divided(1024, 0, 0)],
    "bucket_multi_select_count": [divided(1, 0, 1), divided(16, 1, 1), divided(1024, 4, 1)],
    "bucket_multi_select_copy": [COPIES | divided(16, 2, 1) | {"COUNT": 32768, "PARTS": 1024}],
    "bucket_multi_select_rank": [{"THREADS": 1024}],
    "of_buckets": [
        COPIES | some | {"COUNT": 8192} for some in (divided(1, 0, 0), divided(16, 1, 1))
    ],
    "of_bucket": [COPIES | divided(1, 0, 0)],
    "sample": [{}],
    "sample_bracket": [{"THREADS": 1024, "SAMPLES": 4096}],
    "sort_choose": [{"PROBES": 32}, {"PROBES": 1}],
    "fused_radix": [
        {"THREADS": 1024, "UNROLL": n, "HANDED_ON": on} for n, on in ((4, 0), (2, 1), (1, 0))
    ],
    "one_read": [
        {"THREADS": 1024, "CAPACITY": each, "UNROLL": 2, "MAGNITUDE": magnitude, "SAMPLED": sampled}
        for each, magnitude, sampled in ((36, 0, 2), (18, 0, 2), (36, 1, 1))
    ],
    "counting": [{"THREADS": 1024, "UNROLL": 2}],
    "counting_summed": [{"ACROSS": 128, "ROWS": 8}],
    "counting_found": [{}],
    "cells_built": [{"AIM": aim, "SAMPLED": 1 << 14} for aim in AIMS],
    "cells_counted": [{**CELLS, "UNROLL": 2}],
    "cells_staged": [{**CELLS, "UNROLL": 2, "CAPACITY": 24, "SAMPLED": 1 << 14}],
    "cells_parted": [{**CELLS, "PARTS": 2048, "EACH": 16}, {**CELLS, "PARTS": 2048, "EACH": 8}],
    "cells_ranked": [{"THREADS": n} for n in (1024, 512)],
    "cells_told": [{"THREADS": 1024}],
    "quickselect_serial": [{}],
    "beliakov_objective": [{}],
    "alabi_overwrite_digits": [{}],
    "alabi_assign_buckets": [{}],
    "alabi_reassign_buckets": [{}],
    "alabi_copy_elements": [{}],
    "blanchard_assign_buckets": [{"INTERVALS": 16}],
    "blanchard_sum_rows": [{}],
    "blanchard_reduce_to_segments": [{"IN_SHARED": each} for each in (0, 1)],
    "blanchard_flags": [{}],
    "rows_counted": [ROWS],
    "rows_started": [{"THREADS": 1024, "ITEMS": 1}],
    "rows_moved": [{**ROWS, "PAIRS": pairs} for pairs in (0, 1)],
    "rows_inside": [{"THREADS": 512, "ITEMS": items} for items in (1, 2, 4, 8)],
    "column_ranks_by_thread": [
        {"LENGTH": length, "ASK": ask, "ALIGNED": aligned}
        for length, ask, aligned in ((5, 0, 0), (16, 1, 1), (31, 2, 0))
    ],
    "column_firsts_by_thread": [
        {"LENGTH": length, "BY": by, "MAGNITUDE": int(by == 2), "FIRSTS": 1 << by + 1}
        | {"IN_ORDER": by % 2, "ALIGNED": int(length == 16)}
        for length, by in ((5, 0), (16, 1), (31, 2))
    ],
    "row_ranks_by_lanes": [
        {"THREADS": 256, "WIDTH": width, "ASK": ask} for width, ask in ((1, 0), (16, 1), (32, 2))
    ],
    "row_ranks_by_warp": [
        {"THREADS": 512 if layout == 2 else 256, "ITEMS": items, "ASK": ask, "LAYOUT": layout}
        for items, ask, layout in ((32, 1, 1), (32, 0, 0), (8, 2, 2), (2, 0, 2))
    ],
    "row_ranks_streamed": [{"THREADS": 256, "ITEMS": 48, "ASK": ask} for ask in (0, 2)],
    "row_ranks_in_block": [
        {"THREADS": threads, "ASK": ask} for threads, ask in ((128, 0), (256, 1), (512, 2))
    ],
    "row_ranks_by_block": [
        {"THREADS": threads, "CAPACITY": 36, "ASK": ask}
        for threads, ask in ((512, 1), (128, 0), (1024, 2))
    ],
    "row_firsts_by_warp": [
        {"THREADS": 256 << layout // 2, "ITEMS": items, "LAYOUT": layout, "BY": by}
        | {"MAGNITUDE": int(by == 2)}
        | {"SORTED": items * 32, "IN_ORDER": by % 2, "WHOLE": int(items == 32)}
        for items, layout, by in ((32, 0, 0), (8, 2, 1), (1, 0, 2))
    ],
    "row_firsts_by_block": [
        {"THREADS": 512, "BY": by, "MAGNITUDE": int(by == 2), "MOST": 2048, "NEAR": by % 2}
        for by in (0, 1, 2)
    ],
    "row_extremes": [
        {"THREADS": 256, "GROUP": group, "AHEAD": 4, "BY": by, "MAGNITUDE": int(by == 2)}
        | {"PLACES": places}
        for group, by, places in ((256, 0, 1), (4, 1, 1), (32, 2, 0))
    ],
    "column_extremes": [
        {"THREADS": 256, "DOWN": down, "WIDE": 1, "AHEAD": 8, "BY": by, "MAGNITUDE": int(by == 2)}
        | {"PLACES": places}
        for down, by, places in ((8, 0, 1), (1, 1, 1), (32, 2, 0))
    ],
    "row_firsts_in_block": [
        {**ROWS, "BY": by, "TAKEN": taken, "HIGHEST": highest}
        for by, taken, highest in ((0, 0, 1), (1, 1, 0), (2, 0, 0))
    ],
    "firsts_counted": [{"THREADS": 256, "ITEMS": 16, "BY": by} for by in (0, 1, 2)],
    "firsts_started": [{"THREADS": threads} for threads in (32, 1024)],
    "firsts_taken": [
        {"THREADS": 256, "ITEMS": 16, "BY": by, "TOLD": told, "HIGHEST": highest}
        for by, told, highest in ((0, 0, 1), (1, 1, 0), (2, 0, 0))
    ],
    "firsts_told": [{"THREADS": 256, "BY": by} for by in (0, 1, 2)],
    "long_ranks_sampled": [{**LONG, "ASK": ask} for ask in (0, 2)],
    "long_ranks_read": [{**LONG, "ASK": 0}],
    "long_ranks_found": [{**LONG, "ASK": ask} for ask in (0, 2)],
    "long_firsts_sampled": LONG_FIRSTS,
    "long_firsts_read": LONG_FIRSTS,
    "long_firsts_found": LONG_FIRSTS,
    "rows_turned": [{}],
    "columns_sampled": [{}],
    "columns_staged": [{"THREADS": 256, "CAPACITY": 32, "NUMBERS": often} for often in (0, 1, 2)],
    "columns_aimed": [{"THREADS": 256, "ASK": ask} for ask in (0, 2)],
    "columns_ends": [{}],
    "columns_inside": [{"THREADS": 256, "ASK": ask} for ask in (0, 2)],
    "columns_missed": [{"THREADS": 512}],
    "columns_mean": [{"ASK": 1}, {"ASK": 2}],
    "columns_firsts_staged": [
        {"THREADS": 256, "CAPACITY": 12, "BY": by, "MAGNITUDE": 0} for by in (0, 1)
    ],
    "columns_firsts_missed": [{"THREADS": 512, "BY": by, "MAGNITUDE": 0} for by in (0, 1)],
    "columns_firsts_told": [{}],
    "order_codes": [{"BY": by} for by in (0, 1, 2)],
    "nth_equal": [{"BY": by, "THREADS": 256} for by in (0, 1, 2)],
    "top_k_staged": [
        {"BY": by, "THREADS": 1024, "CAPACITY": 36, "UNROLL": 2, "SLACK": 16} for by in (0, 1, 2)
    ],
    "top_k_sorted": [{"BY": by, "THREADS": 1024, "MOST": 8192} for by in (0, 1, 2)],
    "top_k_joined": [{"JOINED": 0}, {"JOINED": 1}],
    "top_k_places": [{"BY": by} for by in (0, 1, 2)],
    "top_k_in_order": [{"BY": by, "THREADS": 256} for by in (0, 1)],
    "threshold": [
        {"BY": 2, "SOFT": soft, "SELECTED": selected, "MOST": 1024}
        for soft, selected in product((0, 1), (0, 1))
    ],
    "threshold_staged": [{"BY": 2, "SOFT": soft} for soft in (0, 1)],
    "threshold_put": [{}],
    "threshold_ties": [{"BY": 2, "SOFT": soft, "MOST": 1024, "THREADS": 1024} for soft in (0, 1)],
    "gk_merged_pairs": [{"RANK_BYTES": 4}, {"RANK_BYTES": 8}],
    "gk_compressed": [{"RANK_BYTES": 4}, {"RANK_BYTES": 8}],
    "gk_increments": [{}],
    "lossy_numbered": [{}],
    "lossy_runs": [{"EACH": 8, "WRITE": 0}, {"EACH": 8, "WRITE": 1}],
    "lossy_counting": [{}],
    "runs_above": [{}],
    "runs_counted": [{}],
    "rows_numbered": [{}],
    "window_sums": [{"SUMMED": SUMMED}],
    "mass_merged_pairs": [{}],
    "mass_compressed": [{"WHOLE": whole, "THREADS": 256} for whole in (0, 1)],
    "prefix_often": [{}],
    "prefix_walks": [{}],
    "prefix_walks_joined": [{}],
}


OF_BFLOAT16 = (
    *("one_read", "counting", "counting_summed", "counting_found", "order_codes"),
    *("rows_turned", "rows_inside", "rows_counted", "rows_moved"),
    *(name for name in KERNELS if name.startswith(("row_", "column", "long_", "firsts_"))),
)
"""Kernels that read bfloat16 as it is."""

BY_MAGNITUDE = [
    name for name, variants in VARIANTS.items() if any(each.get("BY") == 2 for each in variants)
]


def test_every_kernel_is_compiled_here() -> None:
    assert list(VARIANTS) == list(KERNELS)


def types_of(name: str) -> list[np.dtype[Any]]:
    """The types that a kernel works on: cells are for keys of more than 16 bits."""
    return [dtype for dtype in DTYPES if dtype.itemsize > 2 or not name.startswith("cells")]


def log(name: str, dtype: npt.DTypeLike, macros: dict[str, int], *told: str) -> str:
    """What the compiler says of a kernel that it takes."""
    program = nvrtc.createProgram(source(f"{name}.cu"), f"{name}.cu", (), ())
    try:
        nvrtc.compileProgram(program, (*options(dtype, **macros), *told))
    finally:
        said: str = nvrtc.getProgramLog(program)
        nvrtc.destroyProgram(program)
    return said


@cache
def static(name: str, **macros: int) -> int:
    """Bytes of shared memory that a kernel has without asking, for keys of 64 bits."""
    said = log(name, "float64", macros, f"--gpu-architecture={PLAIN}", "--ptxas-options=-v")
    (found,) = re.findall(r"(\d+) bytes smem", said)
    return int(found)


@pytest.mark.parametrize("most", [64 << 10, 96 << 10, 99 << 10, 163 << 10, 227 << 10])
def test_shared_memory_suffices(most: int) -> None:
    """The most that a block may have, from compute capability 7.5 on."""
    counters = tuned(most).counters
    division = divided(16, 1, 1)
    shape, launch = tiles_of(most)
    for name, macros in (
        ("between", {"NANS": 0}),
        ("of_buckets", {**division, "COUNT": flagged(counters)}),
        ("bucket_multi_select_copy", {**division, "COUNT": flagged(counters), "PARTS": PARTS}),
    ):
        assert static(name, **shape, **macros) + launch["shared"] <= most
    for name in ("bucket_multi_select_count", "bucket_histogram"):
        needed = static(name, **{**division, "INTERVALS": MOST_INTERVALS, "STEPS": 0})
        assert needed + 4 * counters <= most
    assert static("blanchard_assign_buckets", INTERVALS=16) + 4 * B <= most
    unroll = next(n for n in LOADS if most >= n * 2 * 16 * 1024 + STATIC)
    needed = static("fused_radix", THREADS=1024, UNROLL=unroll, HANDED_ON=0)
    assert needed <= STATIC
    assert needed + unroll * 2 * 16 * 1024 <= most


def test_every_kernel_has_a_twin() -> None:
    assert all(KERNELS.values())
    of_papers = (
        *(GKSummaries, LossyCounts, MassSummaries, NumPySorter),
        *(Walks, NumPyCodes, NumPyAssignment, NumPyBlockAssignment),
    )
    others = *of_papers, NumPyRows
    homes: dict[str, Any] = {each.__name__: each for each in others}
    homes |= {"": HostPrimitives, "lossy_windows": lossy_windows}
    for home, _, call in (twin.rpartition(".") for twins in KERNELS.values() for twin in twins):
        assert callable(getattr(homes[home], call))


@pytest.mark.parametrize("name", KERNELS)
def test_its_source_is_right_for_every_type(name: str) -> None:
    for dtype in types_of(name):
        if dtype in ASSEMBLED:
            for macros in VARIANTS[name]:
                log(name, dtype, macros, *TO_MACHINE_CODE)
        else:
            told = TO_MACHINE_CODE if dtype == NARROW else TO_PTX
            log(name, dtype, VARIANTS[name][0], *told)


@pytest.mark.parametrize("name", OF_BFLOAT16)
def test_kernels_that_read_bfloat16(name: str) -> None:
    for macros in VARIANTS[name]:
        log(name, "bfloat16", macros, *TO_MACHINE_CODE)
    assert "-DFLOATING=7" in options("bfloat16")


@pytest.mark.parametrize("name", BY_MAGNITUDE)
def test_no_magnitude_is_taken_in_16_bits(name: str) -> None:
    """A register of 16 bits after abs.s16 with |−32,768| was unequal to one with 32,768."""
    macros = next(macros for macros in VARIANTS[name] if macros.get("BY") == 2)
    program = nvrtc.createProgram(source(f"{name}.cu"), f"{name}.cu", (), ())
    try:
        nvrtc.compileProgram(program, (*options("int16", **macros), "-arch=compute_90"))
        text = nvrtc.getPTX(program)
    finally:
        nvrtc.destroyProgram(program)
    assert "abs.s16" not in (text if isinstance(text, str) else text.decode())


@pytest.mark.parametrize("name", KERNELS)
def test_it_compiles(name: str) -> None:
    code = compiled(name, types_of(name)[-1].name, PLAIN, tuple(VARIANTS[name][0].items()))
    assert code.startswith(b"\x7fELF")


@pytest.mark.soak
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_it_compiles_for_every_type(name: str, architecture: str) -> None:
    types = [dtype.name for dtype in types_of(name)] + ["bfloat16"] * (name in OF_BFLOAT16)
    for dtype, macros in product(types, VARIANTS[name]):
        code = compiled(name, dtype, architecture, tuple(macros.items()))
        assert code.startswith(b"\x7fELF")


def test_the_compiler_s_words_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("modern.launching.compiling.source", lambda name: "int main( {")
    with pytest.raises(RuntimeError, match=r"(?s)extent.cu for float32 on sm_80: .*expected"):
        compiled("extent", "float32", "sm_80", (("WRONG", 1),))


def test_sources_include_nothing_but_each_other() -> None:
    for name in KERNELS:
        text = source(f"{name}.cu")
        assert "#include" not in text
        assert f" {name}(" in text


def test_options_say_what_a_key_is() -> None:
    assert "-DFLOATING=10" in options("float16")
    assert "-DSIGNED=0" in options("uint64")
