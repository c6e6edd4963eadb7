"""Methods as printed take the steps that their papers print, counted by the trace."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from shadersort.errors import AnswerRefuted, BadOption, DidNotConverge
from shadersort.keys import datasets
from shadersort.keys.types import Keys
from shadersort.selection.methods.searches import golden
from shadersort.selection.primitives import NumPyPrimitives
from shadersort.selection.printed import (
    alabi_2012_bucket_select,
    alabi_2012_radix_select,
    blanchard_2015_bucket_multi_select,
)
from shadersort.selection.printed.blanchard_2015_bucket_multi_select import create_buckets
from shadersort.selection.selection import Selection
from tests.selection.inputs import names, traced

printed = partial(traced, as_printed=True)
UNIFORM = datasets.make("uniform", 100_000, dtype="float32", seed=1)

# radixSelect


@pytest.mark.parametrize("dtype", ["uint32", "float64"])
def test_radix_in_place_overwrites_what_has_another_digit(dtype: str) -> None:
    keys = datasets.make("uniform", 10_000, dtype=dtype, seed=1)
    d = 2 * keys.itemsize  # hexadecimal digits
    for method in ("radix", "radix-inplace"):
        trace = printed(keys, 5000, method)
        assert names(trace).count("digit") == d
        written = [step.keys_written for step in trace.steps if step.name == "overwrite"]
        assert all(step.keys_read == 10_000 for step in trace.steps if step.name == "overwrite")
        assert written[0] >= 5000 or dtype == "float64"
        assert trace.steps[0].keys_written == 10_000  # the private copy
    assert len(written) <= d


def test_radix_copies_from_its_cutoff_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert alabi_2012_radix_select.CUTOFF == 1 << 22
    monkeypatch.setattr(alabi_2012_radix_select, "CUTOFF", 10_000)
    keys = datasets.make("uniform", 10_000, dtype="uint32", seed=1)
    trace = printed(keys, 5000, "radix")
    assert "overwrite" not in names(trace)
    copied = [step.keys_written for step in trace.steps if step.name == "compact"]
    assert copied == sorted(copied, reverse=True)
    assert 500 < copied[0] < 800  # a sixteenth
    assert copied[-1] == 1  # one key is left: no further digit is counted
    assert len(trace.iterations) < 8
    assert names(printed(np.ones(1000), 500, "radix")) == ["compact", *["digit"] * 16, "proof"]


# bucketSelect


def test_phase_ii_reads_the_assignments_again_and_copies_nothing() -> None:
    trace = printed(UNIFORM, 50_000, "bucket")
    assert names(trace)[:3] == ["extent", "buckets", "buckets"]
    first, second, *_ = trace.iterations
    assert (first.keys_read, first.keys_written) == (100_000, 100_000)
    assert (second.keys_read, second.keys_written) == (100_000 + first.candidates, 100_000)
    assert 50 < first.candidates < 200  # a thousandth
    assert second.low <= second.high


def test_phase_i_copies_twice_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    assert alabi_2012_bucket_select.CUTOFF == 1 << 21
    monkeypatch.setattr(alabi_2012_bucket_select, "CUTOFF", 50)
    trace = printed(UNIFORM, 50_000, "bucket")
    assert names(trace)[:4] == ["extent", "buckets", "compact", "extent"]
    killer = datasets.make("bucket-killer", 20_000, dtype="float64", seed=1)
    trace = printed(killer, 10_000, "bucket")
    assert names(trace).count("compact") == 2
    copied = [step.keys_written for step in trace.steps if step.name == "compact"]
    assert min(copied) > 19_900


def test_the_two_ends_and_equal_keys_end_at_once() -> None:
    for keys, k in ((UNIFORM, 0), (UNIFORM, 99_999), (np.ones(1000), 500)):
        assert names(printed(keys, k, "bucket")) == ["extent", "proof"]


def test_a_division_by_zero_is_the_paper_s_fault() -> None:
    smallest = np.finfo(np.float64).smallest_subnormal
    near_zero = np.arange(1000) * smallest
    ties = np.repeat([0.0, 1.0], 500)  # max − min shrinks to 0 by underflow only
    for keys, steps in ((near_zero, 0), (ties, 90)):
        with pytest.raises(DidNotConverge, match=r"is inf: the computational division by") as found:
            printed(keys, 300, "bucket")
        assert len(found.value.trace.iterations) >= steps
    printed(near_zero.astype(np.float32), 300, "bucket")  # in double precision there is none


# randomizedSelect


def test_nine_of_ten_middle_bins_have_the_key() -> None:
    traces = [printed(UNIFORM, 30_000, "randomized", seed=1000 * seed) for seed in range(200)]
    assert {names(trace)[-2] for trace in traces} == {"sort"}
    misses = sum("miss" in names(trace) for trace in traces)
    assert 5 <= misses <= 35
    traces = [printed(UNIFORM, 30_000, "randomized", seed=seed, p_k=0.5) for seed in range(50)]
    assert 12 <= sum("miss" in names(trace) for trace in traces) <= 38
    with pytest.raises(BadOption, match="between 0 and 1, not 1"):
        printed(UNIFORM, 30_000, "randomized", p_k=1)
    some = traces[0].iterations[-1]
    assert (some.name, some.keys_read) == ("bracket", 100_000)


# cutting plane


def test_the_hybrid_cuts_seven_times_and_sorts_the_copy() -> None:
    trace = printed(UNIFORM, 50_000, "cutting-plane", finish="compact")
    assert names(trace) == ["extent", *["cut"] * 7, "compact", "sort", "proof"]
    assert trace.steps[-3].keys_written <= 0.05 * 100_000  # "between 1% and 5%"


def test_to_the_end_takes_under_30_iterations_and_a_loop() -> None:
    for name in datasets.names_of("Beliakov"):
        keys = datasets.make(name, 100_000, dtype="float64", seed=1)
        trace = printed(keys, 50_000, "cutting-plane")
        assert names(trace)[-2:] == ["nearest", "proof"]
        assert len(trace.iterations) < 30


def test_tangents_meet_where_the_paper_says() -> None:
    """The first cut is the mean of all keys but the smallest and the largest, for any rank."""
    keys = np.sort(np.random.default_rng(5).random(101))
    for k in (3, 50, 80):
        (first, *_) = printed(keys, k, "cutting-plane").iterations
        assert first.pivot == pytest.approx(keys[1:-1].mean())


# the other searches

SEARCHES = ("bisection", "brent-root", "brent-min", "golden")


def fared(keys: Keys, method: str, **options: Any) -> tuple[int, bool]:
    """The iterations for the median, and whether it was found; each iteration is one reduction."""
    found = True
    try:
        trace = printed(keys, keys.size // 2, method, **options)
    except (AnswerRefuted, DidNotConverge) as fault:
        trace, found = fault.trace, False
    first = names(trace)[1 : 1 + ("transform" in options)]
    assert first == (["log total"] if "transform" in options else [])
    assert all(step.keys_read == keys.size and not step.keys_written for step in trace.steps)
    assert not found or names(trace)[-2] in ("nearest", "nearest, by tolerance")
    others = 1 + len(first) + 2 * ("proof" in names(trace))
    assert len(trace.steps) == len(trace.iterations) + others
    return len(trace.iterations), found


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_outliers_slow_all_searches_but_not_among_logarithms(dtype: str) -> None:
    usual = datasets.make("half-normal", 10_000, dtype=dtype, seed=1)
    outliers = [datasets.with_outliers(usual, value) for value in (1e9, 1e20, 1e30)]
    for method in SEARCHES:
        fares = [fared(keys, method) for keys in (usual, *outliers)]
        iterations = [count for count, _ in fares]
        assert min(np.diff(iterations)) > 10
        by_counts = method in SEARCHES[:2]  # sums lose the other keys from 10^20 on
        assert [found for _, found in fares] == [True, True, by_counts, by_counts]
        fares = [fared(keys, method, transform="log") for keys in (usual, *outliers)]
        assert all(found and count < 80 for count, found in fares)
    assert not fared(outliers[0], "quasi-newton")[1]
    count, found = fared(outliers[1], "cutting-plane", transform="log")
    assert found
    assert count < 30


def test_searches_stop_at_the_papers_tolerance() -> None:
    """Half of the keys are 1 and half 2: no place has k keys up to it but for two ranks."""
    keys = np.repeat(np.arange(4, dtype=np.float32), [1, 50, 50, 1])
    for method, step in zip(SEARCHES, (2, 2, golden.GOLDEN, golden.GOLDEN), strict=True):
        trace = printed(keys, 20, method)
        assert names(trace)[-2] == "nearest, by tolerance"
        assert len(trace.iterations) <= np.log(3e12) / abs(np.log(step)) + 5
    assert len(printed(keys, 20, "bisection").iterations) == 42  # 3/10^-12, halved
    assert names(printed(keys, 50, "bisection")) == ["extent", "halve", "nearest", "proof"]
    with pytest.raises(DidNotConverge, match="as printed did not converge: maxit"):
        printed(keys, 20, "bisection", iterations=7)


# bucketMultiSelect


def test_pivots_are_the_printed_places_of_the_sample() -> None:
    selection = Selection(NumPyPrimitives(np.arange(5000.0)), [1], "bucket", "as printed")
    pivots, slopes = create_buckets(selection, seed=7)
    sample = np.sort(NumPyPrimitives(np.arange(5000.0)).sample(1024, 7))
    np.testing.assert_array_equal(pivots[1:-1], sample[[22 + 70 * j for j in range(15)]])
    assert (pivots[0], pivots[-1]) == (0, 4999)
    np.testing.assert_array_equal(slopes, 704 / np.diff(pivots))


@pytest.mark.parametrize("alpha", [1024, 5])
def test_one_assignment_one_copy_one_sort(alpha: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blanchard_2015_bucket_multi_select, "ALPHA_2", alpha)
    n = UNIFORM.size
    trace = printed(UNIFORM, datasets.ranks("uniform", n, 11), "bucket")
    assert names(trace) == ["extent", "sample", "buckets", "compact", "sort", "proof"]
    _, sample, buckets, compact, _, _ = trace.steps
    assert (sample.keys_read, buckets.keys_read, buckets.keys_written) == (1024, n, n)
    flags = n if alpha == 5 else 0
    assert compact.keys_read == n + flags + buckets.candidates
    assert compact.keys_written == flags + buckets.candidates
    assert buckets.candidates < 500
