"""TailSummary: its relative guarantee on streams built to break it, its space, its bytes."""

from fractions import Fraction
from itertools import product
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from shadersort.errors import BadOption, SummariesDiffer
from shadersort.keys.types import Keys
from shadersort.names import Tail
from shadersort.streams import NumPySorter, TailSummary, tail_histogram
from shadersort.streams.chains import FEW, chains
from shadersort.streams.gk_stacks import all_on_host
from shadersort.streams.greenwald_khanna import GKSummaries
from shadersort.streams.padded_summaries import PaddedSummaries
from shadersort.streams.tail_budgets import TAILS, TailBudgets, tail_budgets
from tests.helpers import telling_floats
from tests.streams.adversaries import ADVERSARIES, STREAMS, draws
from tests.streams.exact import merged, points_about

EPSILONS = (0.9, 0.3, 0.1, 0.03)


def summary_of(stream: Any, epsilon: float = 0.1, **options: Any) -> TailSummary:
    return TailSummary(epsilon, **options).update(stream)


def beyond(tail: str, below: Any, above: Any) -> Any:
    """How many values are beyond a point, given those up to it and those above it."""
    return {"upper": above, "lower": below, "both": np.minimum(below, above)}[tail]


def assert_sharp(summary: TailSummary, stream: Keys) -> None:
    """Every quantile and every rank is as near to the exact one as promised."""
    ordered, n, error = np.sort(stream, kind="stable"), stream.size, summary.epsilon
    steps = np.arange(400) / 400
    q = np.concatenate([steps, 1 - 0.9 ** np.arange(200), 0.9 ** np.arange(200), [1.0]])
    found, wanted = summary.quantile(q), np.maximum(1, np.ceil(q * n))
    first = np.searchsorted(ordered, found, side="left") + 1
    last = np.searchsorted(ordered, found, side="right")
    assert np.all(first <= last), "a quantile that is no value of the stream"
    off = np.maximum(np.maximum(first - wanted, wanted - last), 0)
    assert np.all(off <= error * beyond(summary.tail, wanted - 1, n - wanted))
    assert (summary.minimum, summary.maximum) == (ordered[0], ordered[-1])
    points = np.concatenate([points_about(ordered), ordered[:40], ordered[-40:]])
    for side in ("left", "right"):
        exact = np.searchsorted(ordered, points, side=side)
        low, high = summary.rank_bounds(points, side=side)
        assert np.all((low <= exact) & (exact <= high)), "a rank outside its bounds"
        off = np.abs(summary.rank(points, side=side) - exact)
        allowed = beyond(summary.tail, exact, n - exact)
        assert np.all(off <= error * allowed), "a rank is off by more than it may be"
        assert np.all(off <= summary.relative_error * allowed + 1e-9)
    assert summary.relative_error <= error
    assert summary.rank_error <= error * n
    assert_keeps(summary)


def assert_keeps(summary: TailSummary) -> None:
    """Every gap of every bucket obeys the invariant, in exact numbers."""
    budgets = tail_budgets(summary.epsilon, summary.tail)
    for level, bucket in all_on_host(summary._histogram.buckets).items():
        c, size = budgets.allowed(level), budgets.size(level)
        assert c < 2 * Fraction(summary.epsilon)
        columns = bucket.smallest[:, :-1], bucket.before[:, 1:]
        told = bucket.values[:, 1:] != bucket.values[:, :-1]
        for below, above in zip(*(each[told].tolist() for each in columns), strict=True):
            uncertain = above - below
            assert not uncertain or uncertain + 1 <= c * beyond(summary.tail, below, size - above)
        if level:
            assert np.unique(bucket.values, return_counts=True)[1].max() <= 2


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
def test_every_rank_is_within_the_guarantee(name: str) -> None:
    for random, stream in draws(name, 30_000, count=STREAMS // 30):
        tail, epsilon = random.choice(TAILS), random.choice(EPSILONS)
        assert_sharp(summary_of(stream, epsilon, tail=tail), stream)


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
def test_merged_parts_are_within_the_guarantee(name: str) -> None:
    """From 2 to 64 parts of any lengths, merged in any order, as any tree."""
    for random, stream in draws(name, 30_000, count=STREAMS // 200):
        tail, epsilon = random.choice(TAILS), random.choice(EPSILONS)
        cuts = np.sort(random.integers(0, stream.size + 1, random.integers(1, 64)))
        parts = [
            summary_of(part, epsilon, dtype=stream.dtype, tail=tail)
            for part in np.split(stream, cuts)
        ]
        summary = merged(parts, random)
        assert summary.n == stream.size
        assert_sharp(summary, stream)


@settings(max_examples=100)
@given(
    stream=arrays(np.float32, st.integers(1, 600), elements=st.floats(-4, 4, width=32)),
    epsilon=st.floats(0.2, 0.95),
    tail=st.sampled_from(TAILS),
    repeats=st.integers(1, 40),
)
def test_any_stream_is_within_the_guarantee(
    stream: Keys, epsilon: float, tail: Tail, repeats: int
) -> None:
    whole = np.tile(stream, repeats)
    assert_sharp(summary_of(whole, epsilon, tail=tail), whole)


def test_the_last_values_of_the_tail_are_exact() -> None:
    stream = np.random.default_rng(1).permutation(200_000)
    for tail, points in (("upper", 200_000 - np.arange(100)), ("lower", np.arange(100))):
        summary = summary_of(stream, 0.01, tail=tail)
        assert summary.rank(points, side="left").tolist() == points.clip(0, 200_000).tolist()
    both = summary_of(stream, 0.01, tail="both")
    assert both.rank([99, 199_900], side="left").tolist() == [99, 199_900]
    assert both.quantile([0.0001, 0.9999]).tolist() == [19, 199_979]


def test_telling_floats_are_told_from_each_other() -> None:
    for dtype in ("float16", "float32", "float64"):
        stream = np.repeat(telling_floats(dtype), 300)
        summary = summary_of(stream, 0.3)
        numbers = stream[~np.isnan(stream)]
        assert (summary.n, summary.nans) == (numbers.size, stream.size - numbers.size)
        assert_sharp(summary, numbers)


def test_all_sizes_about_a_power_of_two() -> None:
    for n in (1, 2, 3, 63, 64, 65, 127, 128, 129, 1023, 1024, 1025):
        for tail in TAILS:
            for stream in (np.arange(n), np.arange(n)[::-1], np.full(n, 7)):
                assert_sharp(summary_of(stream.astype(np.float32), 0.9, tail=tail), stream)


def test_entries_are_within_their_bound() -> None:
    """That of `tail_budgets.py` for each bucket, and far fewer in practice."""
    random = np.random.default_rng(5)
    for epsilon, name, tail in product((0.1, 0.02), ("normal", "zig-zag", "sorted"), TAILS):
        stream = ADVERSARIES[name](random, 100_000)
        summary = summary_of(stream, epsilon, tail=tail)
        budgets = tail_budgets(epsilon, tail)
        for level, bucket in all_on_host(summary._histogram.buckets).items():
            assert bucket.entries <= budgets.entries(level)
        assert summary._entries() <= 20 * log(epsilon * summary.n) / epsilon


def test_few_different_values_need_few_entries() -> None:
    """Two of each value in each bucket, and those of a window."""
    stream = np.random.default_rng(8).integers(0, 5, 300_000)
    for tail in TAILS:
        summary = summary_of(stream, 0.01, tail=tail)
        assert len(summary) <= 6 * 2 * 5 + tail_budgets(0.01, tail).ranks.size + summary.window
        assert_sharp(summary, stream)


@pytest.mark.parametrize("together", [1, 60, 1 << 20])
def test_runs_of_equal_windows_are_those_of_repeats(
    together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long and short runs, one after the other or with other values between them, to the byte."""
    monkeypatch.setattr(tail_histogram, "TOGETHER", together)
    random = np.random.default_rng(9)
    for tail, epsilon in product(TAILS, (0.9, 0.3)):
        window = tail_budgets(epsilon, tail).window
        for count in (1, 2, 9, 40):
            values = random.integers(0, 20, count).astype(np.float64)
            weights = np.where(
                random.random(count) < 0.6, random.integers(0, 40 * window, count), 3
            )
            found, expected = (summary_of(np.arange(300.0), epsilon, tail=tail) for _ in range(2))
            assert found.update(values, weights) == expected.update(np.repeat(values, weights))
            assert_keeps(found)


def test_allowances_are_never_too_large() -> None:
    """Also for ranks that doubles cannot tell apart."""
    for tail in TAILS:
        budgets = TailBudgets(Fraction(0.1), tail, 1 << 59)
        size, c = budgets.size(1), budgets.allowed(1)
        ends = [1, 2, 3, 10, 11, size // 2, size // 2 + 1, size - 12, size - 11, size - 1, size]
        for rank, least in zip(
            ends, budgets.least(1, size, np, np.array(ends)).tolist(), strict=True
        ):
            uncertain = rank - 1 - least
            assert uncertain >= 0
            allowed = c * beyond(tail, least, size + 1 - rank)
            assert uncertain == 0 or uncertain + 1 <= allowed
            assert least == rank - 1 or uncertain + 3 + Fraction(rank, 1 << 45) >= allowed * (1 - c)


def test_chains_of_few_and_of_many_rows_are_the_same() -> None:
    random = np.random.default_rng(3)
    links = np.minimum(random.integers(0, 90, (3 * FEW, 90)), np.maximum(np.arange(90) - 1, 0))
    together = chains(links)
    for row, way in zip(links, together, strict=True):
        alone = chains(row[None])[0]
        assert way[len(way) - len(alone) :].tolist() == alone.tolist()
        assert not way[: len(way) - len(alone)].any()


def test_padding_changes_nothing() -> None:
    ranks = np.array([0, 2, 5])
    one = PaddedSummaries.of(GKSummaries.of_samples(np.array([[1, 3, 9]]), ranks, 6))
    other = PaddedSummaries.of(GKSummaries.of_samples(np.array([[4, 5]]), np.array([0, 5]), 6))
    both = other.preceded_by(one)
    assert both.values.tolist() == [[1, 3, 9], [4, 4, 5]]
    for row, alone in enumerate((one, other)):
        again = both[row : row + 1].trimmed
        for column in ("values", "lower", "upper", "smallest", "before"):
            assert getattr(again, column).tolist() == getattr(alone, column).tolist()
    union, plain = both.merged_in_pairs().trimmed, GKSummaries.union([one, other])
    assert union.values.tolist() == plain.values.tolist()
    assert union.before.tolist() == plain.before.tolist()


def test_options_that_are_not() -> None:
    for bad in ("top", None, 1):
        with pytest.raises(BadOption, match="'upper', 'lower' or 'both'"):
            TailSummary(0.1, tail=bad)  # type: ignore[arg-type]
    with pytest.raises(SummariesDiffer, match="tail='upper'"):
        TailSummary(0.1).merge(TailSummary(0.1, tail="both"))


def test_a_dask_array_is_summarised_by_its_chunks() -> None:
    array = pytest.importorskip("dask.array")
    stream = np.random.default_rng(4).random(50_000)
    chunked = array.from_array(stream, chunks=7_001)
    found = TailSummary.from_dask(chunked, 0.1, tail="lower", sorter=NumPySorter(threads=1))
    assert found.tail == "lower"
    assert_sharp(found, stream)


def test_a_notebook_shows_the_tail() -> None:
    stream = np.arange(10_000)
    assert "<th>quantile 0.9999</th><td>9,998</td>" in summary_of(stream)._repr_html_()
    assert "quantile 0.0001" in summary_of(stream, tail="lower")._repr_html_()
    assert summary_of(stream, tail="both")._repr_html_().count("quantile") == 9
