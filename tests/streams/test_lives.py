"""Lives of streams: dealt to summaries that are cut, restored and merged on the way.

A life deals a stream to several summaries in updates of any lengths, on any sorter. Between updates
a summary is now and then written to bytes and read again on another sorter, asked, or merged with
another one; at the end all are merged in a random tree. `KINDS` says for each kind of summary how
one is made, what its updates are, and what has to hold of every answer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pytest

from shadersort.keys.types import Keys
from shadersort.streams import (
    CorrelatedSum,
    FrequencySummary,
    HierarchicalHeavyHitters,
    NumPySorter,
    QuantileSummary,
    SlidingFrequencies,
    SlidingQuantiles,
    Sorter,
)
from tests.soaking import SEED
from tests.streams.adversaries import ADVERSARIES, draws
from tests.streams.every import with_levels, words
from tests.streams.exact import assert_counts_within, assert_last_within, assert_ranks_within
from tests.streams.test_correlated import assert_sums_within, masses_for
from tests.streams.test_heavy import SHAPES, assert_heavy_within, in_hierarchy
from tests.streams.test_quantiles import room_of
from tests.streams.test_text_items import assert_guaranteed

Random = np.random.Generator
Columns = tuple[Keys, ...]
Begun = tuple[Callable[..., Any], Columns]
"""What makes an empty summary, given a sorter; and the arguments of one update with all values."""


@dataclass(frozen=True)
class Kind:
    """A kind of summary.

    `begin` chooses the parameters for a stream, `check` asserts that a summary of some columns
    answers as it promises.
    """

    begin: Callable[[Random, Keys], Begun]
    check: Callable[[Any, Random, Columns], None]
    most: int = 40_000
    merges: bool = True


@dataclass
class Lived:
    """A summary, and the columns that it has seen, in their order."""

    summary: Any
    seen: list[Columns] = field(default_factory=list)

    def whole(self) -> Columns:
        """All columns in one piece."""
        return tuple(np.concatenate(each) for each in zip(*self.seen, strict=True))


def live(kind: Kind, random: Random, stream: Keys, sorters: Sequence[Sorter]) -> None:
    """Lead the life of a stream, and check the answers on the way and at its end."""
    make, columns = kind.begin(random, stream)
    count = int(random.choice([1, 2, 3, 16])) if kind.merges else 1
    places: list[int] = random.integers(0, len(sorters), count).tolist()
    there = [Lived(make(sorter=sorters[place])) for place in places]
    ends = np.sort(random.integers(0, stream.size + 1, random.choice([0, 1, 5, 40])))
    for part in zip(*(np.split(each, ends) for each in columns), strict=True):
        one, chance = there[random.integers(len(there))], random.random()
        one.summary.update(*part)
        one.seen.append(part)
        if chance < 0.2:
            one.summary = restored(one.summary, sorters[int(random.integers(len(sorters)))])
        elif chance < 0.25:
            check(kind, one, random)
        elif chance < 0.35 and len(there) > 1:
            merge_two(there, random)
    while len(there) > 1:
        merge_two(there, random)
    check(kind, there[0], random)


def check(kind: Kind, one: Lived, random: Random) -> None:
    """Assert that a summary answers as it promises."""
    if one.summary.n:
        kind.check(one.summary, random, one.whole())


def merge_two(there: list[Lived], random: Random) -> None:
    """Merge one of some summaries into another one."""
    other = there.pop(random.integers(len(there)))
    one = there[random.integers(len(there))]
    one.summary.merge(other.summary)
    one.seen += other.seen


def restored(summary: Any, sorter: Sorter) -> Any:
    """Return a summary from its bytes; windows keep their levels, even if these are made small."""
    data, kind = summary.to_bytes(), type(summary)
    if kind not in (SlidingQuantiles, SlidingFrequencies):
        return kind.from_bytes(data, sorter=sorter)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kind.LEVELS, "chosen", lambda *parameters: summary._levels)
        return kind.from_bytes(data, sorter=sorter)


def error_of(random: Random, *some: float) -> float:
    """Return one of some errors."""
    return some[random.integers(len(some))]


def weights_for(random: Random, n: int) -> Keys:
    """Weights, some of them 0 and a few of them large."""
    return np.where(random.random(n) < 0.01, 50, random.integers(0, 4, n))


def lists(random: Random, stream: Keys, *, weighted: bool = False) -> Begun:
    """Lists, of values that may have weights."""
    epsilon = error_of(random, 0.6, 0.25, 0.1, 0.03, 0.008)
    columns = (stream, weights_for(random, stream.size)) if weighted else (stream,)
    return partial(QuantileSummary, epsilon, dtype=stream.dtype), columns


def histograms(random: Random, stream: Keys) -> Begun:
    """Exponential histograms as printed, for streams of some expected length."""
    expected = (1, 9)[random.integers(2)] * max(1, stream.size)
    make = partial(QuantileSummary, error_of(random, 0.6, 0.2, 0.05), expected)
    return partial(make, as_printed=True, dtype=stream.dtype), (stream,)


def check_ranks(summary: QuantileSummary, random: Random, columns: Columns) -> None:
    stream = np.repeat(*columns) if len(columns) == 2 else columns[0]
    assert summary.n == stream.size
    assert_ranks_within(summary, stream, summary.epsilon * stream.size)
    if not summary.as_printed:
        assert_ranks_within(summary.compact(), stream, summary.epsilon * stream.size)
        if summary.epsilon <= 0.25:  # as the theorem says
            assert len(summary) <= room_of(summary.epsilon, stream.size)


def frequencies(random: Random, stream: Keys, *, as_printed: bool = False) -> Begun:
    make = partial(FrequencySummary, error_of(random, 0.6, 0.2, 0.05, 0.01), dtype=stream.dtype)
    return partial(make, as_printed=as_printed), (stream,)


def check_counts(summary: FrequencySummary, random: Random, columns: Columns) -> None:
    assert_counts_within(summary, columns[0])


def of_words(random: Random, stream: Keys) -> Begun:
    """Words for the values."""
    numbers = np.nan_to_num(stream, nan=0, posinf=5, neginf=9) % 2_039
    return partial(FrequencySummary, error_of(random, 0.4, 0.1, 0.02)), (words(numbers),)


def check_words(summary: FrequencySummary, random: Random, columns: Columns) -> None:
    texts = [word.decode("utf-8", "surrogateescape") for word in columns[0].tolist()]
    assert_guaranteed(summary, texts, summary.epsilon)


def prefixes(random: Random, stream: Keys) -> Begun:
    """Items of some hierarchy for the values; few, as their exact counts take long."""
    shape = SHAPES[random.integers(len(SHAPES))]
    items = in_hierarchy(stream, shape, (1, 251, 1 << 20, 10**6)[random.integers(4)], 199)
    name, digits, step = shape
    epsilon = error_of(random, 0.3, 0.1, 0.03)
    return partial(HierarchicalHeavyHitters, epsilon, name, digits=digits, step=step), (items,)


def check_heavy(summary: HierarchicalHeavyHitters, random: Random, columns: Columns) -> None:
    for support in (summary.epsilon, (1 + summary.epsilon) / 2):
        assert_heavy_within(summary, columns[0], support)


def sums(random: Random, stream: Keys) -> Begun:
    epsilon = error_of(random, 0.5, 0.2, 0.06)
    columns = stream, masses_for(random, stream.size)
    return partial(CorrelatedSum, epsilon, dtype=stream.dtype), columns


def check_sums(summary: CorrelatedSum, random: Random, columns: Columns) -> None:
    assert_sums_within(summary, *columns)
    assert_ranks_within(summary, columns[0], summary.epsilon * columns[0].size)


def printed_sliding(kind: Any, random: Random, stream: Keys) -> Begun:
    epsilon, window = error_of(random, 0.9, 0.5, 0.2, 0.07), int(random.integers(3, 3_000))
    return partial(kind, epsilon, window, as_printed=True, dtype=stream.dtype), (stream,)


def sliding(kind: Any, random: Random, stream: Keys) -> Begun:
    """Windows so small that their blocks have several levels, or as the summary chooses them."""
    epsilon, window = error_of(random, 0.5, 0.2, 0.1), int(random.integers(10, 4_000))
    shortest = (1, window, int(random.integers(1, window + 1)))[random.integers(3)]
    smallest = 1 << int(random.integers(0, 7))
    if random.random() < 0.3:
        return partial(kind, epsilon, window, shortest=shortest, dtype=stream.dtype), (stream,)

    def make(sorter: Sorter) -> Any:
        summary = with_levels(kind, epsilon, window, shortest, smallest)
        summary.sorter = sorter
        return summary

    return make, (stream,)


def check_last(summary: Any, random: Random, columns: Columns) -> None:
    for length in {1, summary.window, *random.integers(1, summary.window + 1, 3).tolist()}:
        assert_last_within(summary, length, columns[0])


KINDS: dict[str, Kind] = {
    "lists": Kind(lists, check_ranks),
    "lists with weights": Kind(partial(lists, weighted=True), check_ranks),
    "histograms": Kind(histograms, check_ranks),
    "frequencies": Kind(frequencies, check_counts),
    "frequencies, as printed": Kind(partial(frequencies, as_printed=True), check_counts),
    "words": Kind(of_words, check_words, most=10_000),
    "prefixes": Kind(prefixes, check_heavy, most=20_000),
    "sums": Kind(sums, check_sums),
}
for each in (SlidingQuantiles, SlidingFrequencies):
    KINDS[each.__name__] = Kind(partial(sliding, each), check_last, merges=False)
    printed = partial(printed_sliding, each)
    KINDS[f"{each.__name__}, as printed"] = Kind(printed, check_last, 10_000, merges=False)

HOST: list[Sorter] = [NumPySorter(), NumPySorter(threads=1), NumPySorter(batch=700)]
"""Sorters of NumPy."""

LIVES = 2 if SEED is None else 110
"""Of each kind and each adversary: in a soak 20,000 together."""


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_within_the_guarantee(kind: str, name: str) -> None:
    for random, stream in draws(name, KINDS[kind].most, count=LIVES):
        live(KINDS[kind], random, stream, HOST)
