"""Sliding windows as printed in section 5.3 of the paper of 2005."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

from shadersort.errors import BadOption, NotMergeable
from shadersort.keys.types import Integers, Keys
from shadersort.streams import BySizeSorter, NumPySorter, SlidingFrequencies, SlidingQuantiles
from shadersort.streams.quantiles.gk_summaries import GKStack
from shadersort.streams.sliding.arasu_manku_as_printed import PrintedLevels, PrintedQuantileLevels
from tests.streams.adversaries import ADVERSARIES, STREAMS, draws
from tests.streams.exact import assert_counts_within, assert_ranks_within

ERRORS = (0.9, 0.5, 0.2, 0.07)


def asked(summary: Any, stream: Keys, random: np.random.Generator) -> Iterator[tuple[int, Keys]]:
    """Feed a stream in three parts; after each yield two lengths, with so many last values."""
    cuts = np.sort(random.integers(1, stream.size + 1, 2)).tolist()
    for begin, end in zip([0, *cuts], [*cuts, stream.size], strict=True):
        summary.update(stream[begin:end])
        for n in (summary.window, int(random.integers(1, summary.window + 1))):
            yield n, stream[:end][-n:]


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
def test_every_rank_is_within_the_guarantee(name: str) -> None:
    for random, stream in draws(name, 10_000, count=STREAMS // 100):
        epsilon, window = random.choice(ERRORS), int(random.integers(3, 3_000))
        summary = SlidingQuantiles(epsilon, window, as_printed=True)
        for n, last in asked(summary, stream, random):
            assert_ranks_within(summary.last(n), last, epsilon * window, extremes=False)


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
def test_every_count_is_within_the_guarantee(name: str) -> None:
    for random, stream in draws(name, 6_000, count=STREAMS // 150):
        epsilon, window = random.choice(ERRORS), int(random.integers(3, 2_000))
        summary = SlidingFrequencies(epsilon, window, as_printed=True)
        for n, last in asked(summary, stream, random):
            more = epsilon * (window - last.size)
            assert_counts_within(summary.last(n), last, more=more)


def test_every_position_is_within_the_guarantee() -> None:
    stream = ADVERSARIES["zig-zag"](np.random.default_rng(5), 450)
    quantiles = SlidingQuantiles(0.3, 200, as_printed=True)
    frequencies = SlidingFrequencies(0.3, 200, as_printed=True)
    for end in range(1, stream.size + 1):
        quantiles.update(stream[end - 1])
        frequencies.update(stream[end - 1] % 7)
        last = stream[max(0, end - 200) : end]
        assert_ranks_within(quantiles, last, 0.3 * 200, extremes=False)
        assert_counts_within(frequencies.last(200), last % 7, more=0.3 * (200 - last.size))


def test_fewer_values_than_a_block() -> None:
    """Where a block has just ended and only it knew of its values, these are kept themselves."""
    stream = np.random.default_rng(3).permutation(1000).astype(np.float32)
    summary = SlidingQuantiles(0.5, 1000, as_printed=True)
    for begin, end in ((0, 60), (60, 125), (125, 130), (130, 1000)):
        summary.update(stream[begin:end])
        for n in range(1, min(end, 140)):
            assert_ranks_within(summary.last(n), stream[:end][-n:], 0.5 * 1000, extremes=False)
            if n <= 125:
                assert summary.last(n).rank_error == 0


def test_levels_and_errors_are_those_printed() -> None:
    for inverse in (4, 64, 1024):
        plan = PrintedLevels.chosen(1 / inverse, 1 << 20, 1 << 20)
        assert plan.top == np.log2(4 * inverse)
        assert plan.size(plan.top) == 1 << 20
        assert plan.error(0) == Fraction(1, plan.top + 1)  # as the paper says of ε_0
        for level in range(plan.count):
            assert plan.error(level) == Fraction(1 << (plan.top - level), inverse) / (
                4 * (plan.top + 1)
            )
            spent = plan.error(level) * plan.size(level)
            assert spent == Fraction(1 << 20, inverse) / (2 * (2 * plan.top + 2))


def test_the_highest_level_is_that_of_the_papers_example() -> None:
    """Log 4/ε is 19.93, L is about 20, ε_0 is 0.05; a block of level 20 exceeds the window."""
    plan = PrintedLevels.chosen(4e-6, 1_000_001, 1_000_001)
    assert (plan.top, plan.count, round(float(plan.error(0)), 3)) == (20, 20, 0.05)
    assert plan.size(plan.count - 1) <= plan.window < plan.size(plan.top)


def test_the_blocks_of_any_answer_spend_no_more_than_epsilon() -> None:
    for epsilon in (0.9, 0.4, 0.3, 0.177, 0.11, 0.03, 0.022):
        for window in (7, 100, 1_001, 12_345):
            plan = PrintedLevels.chosen(epsilon, window, window)
            for position in range(0, 3 * window, max(1, plan.smallest)) if plan.count else ():
                first = max(0, position - window)
                start = min(-(-first // plan.size(0)) * plan.size(0), position)
                cover = list(plan.cover(start, position, 0))
                spent = sum(plan.error(level) * plan.size(level) for level, _ in cover)
                assert spent + start - first <= plan.epsilon * window
                active = [plan.active(level, position) for level in range(plan.count)]
                assert all(number >= active[level] for level, number in cover)


def test_complete_blocks_are_within_their_error() -> None:
    for epsilon, window in ((0.3, 20_000), (0.05, 50_000)):
        plan = PrintedQuantileLevels.chosen(epsilon, window, window)
        stream = ADVERSARIES["zig-zag"](np.random.default_rng(1), window)
        blocks = SlidingQuantiles(epsilon, window, as_printed=True).update(stream)._blocks
        for level in range(plan.count):
            size = plan.size(level)
            for number in range(blocks.position // size):
                block = blocks.block(level, number)
                gap = np.max(np.cumsum(block.upper[0]) - np.cumsum(block.lower[0]))
                assert gap <= 2 * plan.error(level) * size + 1
                assert block.entries <= 1 / plan.error(level) + 2
                assert block.values[0, -1] == stream[number * size : (number + 1) * size].max()


class Asked(NumPySorter):
    """Says how long the windows are that it is given."""

    lengths: ClassVar[set[int]] = set()

    def gk_summaries(self, windows: Keys, ranks: Integers) -> GKStack:
        self.lengths.add(windows.shape[1])
        return super().gk_summaries(windows, ranks)


def test_each_level_sorts_windows_of_its_own_length() -> None:
    """So a sorter may sort short ones on the CPU and long ones on the GPU."""
    sorter, stream = Asked(), np.random.default_rng(1).random(100_000)
    expected = SlidingQuantiles(0.1, 100_000, as_printed=True, sorter=sorter).update(stream)
    by_size = BySizeSorter(large=NumPySorter(), threshold=100)
    found = SlidingQuantiles(0.1, 100_000, as_printed=True, sorter=by_size).update(stream)
    assert found == expected
    plan = PrintedQuantileLevels.chosen(0.1, 100_000, 100_000)
    assert sorter.lengths == {plan.length(level) for level in range(plan.count)}
    assert len(sorter.lengths) == 6


def test_a_stream_of_pairs_keeps_them_all_on_each_level() -> None:
    summary = SlidingFrequencies(0.1, 10_000, as_printed=True)
    summary.update(np.repeat(np.arange(10_000), 2))
    assert len(summary) >= 0.4 * 10_000 * summary._levels.count
    improved = SlidingFrequencies(0.1, 10_000, shortest=10_000)
    assert len(improved.update(np.repeat(np.arange(10_000), 2))) < 4_000


def test_short_windows_are_kept_whole() -> None:
    stream = np.random.default_rng(1).integers(0, 9, 1_000)
    for kind in (SlidingQuantiles, SlidingFrequencies):
        summary = kind(0.01, 300, as_printed=True).update(stream)
        assert not summary._levels.count
        if isinstance(summary, SlidingQuantiles):
            assert summary.rank_error == 0
        else:
            assert summary.estimate(3) == np.count_nonzero(stream[-300:] == 3)


def test_what_cannot_be() -> None:
    summary = SlidingQuantiles(0.1, 100, as_printed=True, shortest=100)
    assert summary == SlidingQuantiles(0.1, 100, as_printed=True)
    with pytest.raises(BadOption, match="windows of one length"):
        SlidingFrequencies(0.1, 100, as_printed=True, shortest=50)
    with pytest.raises(NotMergeable):
        summary.merge(summary.copy())
