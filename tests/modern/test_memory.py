"""Every kernel on small arrays that begin and end anywhere: `make memcheck` runs these under
compute-sanitizer, which sees a read or write beside an array."""

import warnings
from contextlib import nullcontext
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import modern
from modern.kernels import kernel_names
from modern.launching.launch import Launcher
from modern.opening import open_rows
from shadersort.selection import select, select_many
from shadersort.selection.primitives import Buckets
from shadersort.selection.primitives.printed import Assignment, BlockAssignment, WorkingCodes
from shadersort.selection.top_keys import KINDS, LARGEST, SMALLEST
from shadersort.streams.correlated.mass_summaries import SUMMED
from shadersort.streams.frequencies.lossy_counting import LossyCounts, levels_with_windows
from shadersort.streams.hierarchies.prefixes import Hierarchy, named_hierarchy
from shadersort.streams.quantiles.gk_summaries import bring_to_host
from tests.helpers import random_bits
from tests.modern.references import on_gpu, put_on_gpu

pytestmark = pytest.mark.gpu

SOME = ["float16", "float32", "int64", "uint8"]  # a type of every size


def of_streams(keys: Any) -> None:
    """Every kernel of stream summaries, on four windows."""
    import cupy

    from modern.streams.gk_summaries import gk_summaries
    from modern.streams.lossy_windows import sorted_windows

    windows, ranks = cupy.stack([keys] * 4), np.unique([0, *range(0, keys.size, 7), keys.size - 1])
    stack = gk_summaries(windows, ranks)
    pairs = stack.merge_pairs()
    fewer = pairs.compress(2 * keys.size, 3)
    more = replace(fewer, size=1 << 40).merge_pairs()  # whose ranks need 64 bits
    more.compress(more.size, 1 << 30)
    bring_to_host({1: stack, 2: pairs.prepend(pairs), 3: more})
    held: Any = (LossyCounts.empty(keys.size, np.dtype(keys.dtype)),)
    for _ in range(2):
        ordered = sorted_windows(windows)
        held = levels_with_windows(held, ordered, Hierarchy(), 1, lambda operation: nullcontext())
    of_counts_and_masses(windows)


def of_counts_and_masses(windows: Any) -> None:
    """Every kernel that counts runs and prefixes, and those of pairs."""
    import cupy

    from modern.streams.item_counts import TalliesOnGPU, count_runs
    from modern.streams.lossy_windows import sorted_windows
    from modern.streams.mass_summaries import mass_summaries, window_sums

    size = windows.shape[1]
    items, counts, rows = count_runs(windows, np.arange(4))
    TalliesOnGPU((0, 4), rows, items, counts).merge_pairs().to_host()
    stack = mass_summaries(windows, windows.astype(np.float64), 3, 5)
    stack.merge_pairs().compress(2 * size, 3, 5)
    window_sums(cupy.concatenate([windows] * SUMMED, axis=1))
    held = (LossyCounts.empty(size, np.dtype(np.uint32)),) * 5
    addresses = sorted_windows(windows.astype(np.uint32))
    levels_with_windows(held, addresses, named_hierarchy("ipv4"), 1, lambda _: nullcontext())


def of_printed_methods(keys: Any, low: float, high: float) -> None:
    """Every kernel of the methods as printed, on keys from 0 to 99; some are not in [low, high]."""
    keys.tangent(low)
    codes = keys.printed_vector(WorkingCodes)
    codes.digit_counts(4, 4), codes.overwrite(4, 4, 3)
    assignment = keys.printed_vector(Assignment)
    counts = assignment.assign(low, high, 1023 / (high - low), 1024)
    for bucket in np.flatnonzero(counts)[:2].tolist():
        assignment.copy_bucket(bucket, int(counts[bucket]))
    for bucket in np.flatnonzero(counts == 1)[:2].tolist():
        assignment.key(bucket)
    assignment.reassign(3, low, 1023.0, 1024)
    for most in (1, 300):  # active buckets: counters in global memory, and in shared memory
        by_block = keys.printed_vector(BlockAssignment)
        counts = by_block.assign(np.linspace(0, 100, 17), np.full(16, 704 * 16 / 100), 11264)
        active = np.flatnonzero(counts)[:most].tolist()
        size = int(counts[active].sum())
        by_block.reduce_by_flags(active, size)
        by_block.reduce_to_segments(active, size, most > 255)  # uses its counters up


def of_thresholds(some: Any) -> None:
    """Cuts with few ties and many."""
    n = some.size
    for count, kind in zip((1, n // 20 + 1), KINDS, strict=True):
        modern.threshold(some, min(count, n), kind=kind)
    modern.threshold(some, min(n // 2 + 1, n))
    nans = some.copy()
    nans[n // 4 :] = float("nan") if some.dtype.kind == "f" else 7
    modern.threshold(nans, n // 2 + 1, kind="soft", out=nans)


@pytest.mark.parametrize("dtype", SOME)
def test_every_kernel(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    used, kernel = set[str](), Launcher.kernel

    def noted(self: Launcher, name: str, **macros: int) -> Any:
        used.add(name)
        return kernel(self, name, **macros)

    monkeypatch.setattr(Launcher, "kernel", noted)
    monkeypatch.setattr("modern.cards.rows.FEW", -1)  # parts stay where they are
    for n, skipped in ((1, 1), (17, 3), (4097, 0), (70_001, 5)):
        call_every_kernel(n, skipped, dtype)
    rows = "rows_", "row_ends", "firsts_", "quantiles", "host_values", "turn_rows", "write_firsts"
    assert {name for name in kernel_names() if not name.startswith(rows)} <= used


def call_every_kernel(n: int, skipped: int, dtype: str) -> None:
    import cupy

    from modern.primitives import top_k
    from modern.streams.windows import rows_in_order

    some = on_gpu(np.random.default_rng(n).integers(0, 100, n).astype(dtype), skipped)
    low, high = some.dtype.type(10), some.dtype.type(90)
    some.extent(), some.counts(low), some.objective(low, low, high), some.at_or_above(low)
    some.counts_at(np.array([low, high])), some.split(low, high), some.between(low, high)
    some.between(low, None), some.sample(n, 0), some.look_up_ranks([0, n - 1])
    some.one_read(n // 2), some.cells(np.arange(0, n, -(-n // 500)))
    if n >= 1 << 15:
        first = cupy.empty(n, dtype), cupy.empty(n, np.int64)
        top_k.launch(some.device_keys, SMALLEST, 10, *(each.data.ptr for each in first))
    some.digit_histograms(0, 4, [0, 1]), some.with_prefixes([0, 1], 4)
    for edges in (np.array([10, 90], dtype), np.array([10, 50, 90], dtype)):
        buckets = Buckets(edges, 7)
        some.bucket_histogram(buckets), some.of_buckets(buckets, [3])
        some.of_buckets(buckets, [3, 5])
        some.bucket_histogram(Buckets(edges, 7, open=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        select(some, n // 2, method="quickselect-serial")
    for method in ("bucket", "radix", "quickselect"):
        select_many(some, [0, n // 2, n - 1], method=method, few=1)
    for length in (33, 9001):
        rows_in_order(cupy.resize(some.array, (3, length)))
    for largest, count in product((False, True), (1, min(n // 2 + 1, 4000))):
        modern.topk(some.array, count, largest=largest)
    parts = modern.Parts([some.array[: n // 3], some.array[n // 3 :]])
    modern.select(parts, n // 2), modern.multiselect(parts, [0, n // 2, n - 1])
    modern.sort(some.array, network="bitonic")
    of_thresholds(some.array)
    of_printed_methods(some, 10.0, 90.0)
    of_streams(some.array)
    of_streams(some.array.astype(np.uint32))


@pytest.mark.parametrize("dtype", SOME)
def test_cells(dtype: str) -> None:
    random = np.random.default_rng(3)
    for values in (150, 9000):
        keys = random_bits(3, values, dtype)[random.integers(0, values, 200_003)]
        ranks = np.linspace(0, keys.size - 1, 101).astype(np.int64)
        _, below, equal = on_gpu(keys, 3).cells(ranks)
        assert (below <= ranks).all()
        assert (ranks < below + equal).all()


@pytest.mark.parametrize(
    ("shape", "axis"), [*product(((3, 1000), (7, 5000), (20_000, 40)), (1, 0))], ids=str
)
@pytest.mark.parametrize("dtype", [*SOME[1:], "bfloat16"])
def test_rows(dtype: str, shape: tuple[int, int], axis: int) -> None:
    kind = np.dtype(pytest.importorskip("ml_dtypes").bfloat16 if dtype == "bfloat16" else dtype)
    keys = put_on_gpu(np.random.default_rng(3).integers(0, 100, shape).astype(kind))
    rows: Any = open_rows("select", keys, axis)
    middle = rows.ranks([rows.length // 2])[0].get().astype(np.float64)
    assert (rows.count_non_nan().get() == rows.length).all()
    for count in (1, rows.length // 3 + 1):
        values, _ = rows.first(count, LARGEST, in_order=True, ties="lowest")
        first = rows.axis_result(values).get().take(0, axis=axis)
        assert (first.astype(np.float64) >= middle).all()
    assert (rows.middle(nan=True).get() == rows.middle(nan=False).get()).all()


@pytest.mark.parametrize("dtype", SOME[1::2])
def test_one_read_of_keys_that_are_sampled(dtype: str) -> None:
    random = np.random.default_rng(2)
    keys = random.integers(0, 9000, 40_000_019 // np.dtype(dtype).itemsize).astype(dtype)
    keys[random.permutation(keys.size)[:500_000]] = 9  # a tie at an end of some brackets
    some = on_gpu(keys, 3)
    for k in (0, 12_000, 500_000, keys.size // 2, keys.size - 1):
        found = some.one_read(k)
        assert found.sampled > 0
        assert found.below <= k < found.below + found.equal
