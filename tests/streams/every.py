"""One summary of every kind, and a stream for each: what tests of all summaries share."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

import shadersort as ss
from shadersort.keys.types import Keys
from shadersort.streams.sliding import arasu_manku_levels

MAKERS: dict[str, Callable[..., Any]] = {
    "quantiles": partial(ss.QuantileSummary, 0.2),
    "quantiles, finer": partial(ss.QuantileSummary, 0.005),
    "frequencies": partial(ss.FrequencySummary, 0.05),
    "frequencies of halves": partial(ss.FrequencySummary, 0.05, dtype="float16"),
    "heavy": partial(ss.HierarchicalHeavyHitters, 0.05),
    "heavy bits": partial(ss.HierarchicalHeavyHitters, 0.05, "bits", digits=20, step=8),
    "heavy networks": partial(ss.HierarchicalHeavyHitters, 0.05, "ip", step=32),
    "sums": partial(ss.CorrelatedSum, 0.3),
    "sliding quantiles": partial(ss.SlidingQuantiles, 0.2, 5_000),
    "sliding quantiles, one length": partial(ss.SlidingQuantiles, 0.1, 5_000, shortest=5_000),
    "sliding frequencies": partial(ss.SlidingFrequencies, 0.1, 10_000),
    "sliding frequencies, one length": partial(ss.SlidingFrequencies, 0.1, 5_000, shortest=5_000),
    "sliding, kept whole": partial(ss.SlidingFrequencies, 0.01, 700),
    "words": partial(ss.FrequencySummary, 0.05),
    "quantiles, as printed": partial(ss.QuantileSummary, 0.1, 9_000, as_printed=True),
    "frequencies, as printed": partial(ss.FrequencySummary, 0.05, as_printed=True),
    "sliding quantiles, as printed": partial(ss.SlidingQuantiles, 0.2, 5_000, as_printed=True),
    "sliding frequencies, as printed": partial(ss.SlidingFrequencies, 0.3, 3_000, as_printed=True),
}
"""Each makes an empty summary; together they have levels, items, and values kept as they are."""

LISTS = ["quantiles", "quantiles, finer"]
"""The names of those whose entries depend on how updates cut a stream."""

MERGING = [name for name in MAKERS if not name.startswith("sliding")]
"""The names of those that merge."""


def stream_for(name: str, n: int, seed: int = 1) -> Any:
    """Items, words, or floats with NaNs and zeros of both signs."""
    stream = np.minimum(np.random.default_rng(seed).zipf(1.3, n), 1 << 20) % 1009
    if name == "heavy networks":
        ways = "10.{0}.{1}.7", "2001:db8:{2:x}::"
        return np.array([ways[i % 2].format(i % 3, i % 9, i) for i in stream.tolist()], "U30")
    if name.startswith("heavy"):
        return stream.astype(np.uint32)
    if name == "words":
        return words(stream)
    floats = stream.astype(np.float32)
    floats[::7], floats[3::31], floats[5::911] = -0.0, 0.0, np.nan
    return floats


def words(numbers: Keys) -> Any:
    """Words for numbers: an empty one, long ones, and some that are no UTF-8."""
    made = [b"", b"\xff", "é".encode(), *(b"/%d" % i * (1 + i % 7) for i in range(3, 2048))]
    return np.array(made, np.bytes_)[numbers.astype(np.int64) % 2048]


def with_levels(
    kind: Any, epsilon: float, window: int, shortest: int, smallest: int, times: int = 32
) -> Any:
    """A sliding summary with blocks so small, even where that takes more memory.

    Windows to be sorted have about so many times 1/ε values.
    """
    error = Fraction(epsilon)
    largest = max(int(kind is ss.SlidingQuantiles), int(error * window / kind.LEVELS.IN_ERROR))
    levels = kind.LEVELS(error, window, shortest, min(smallest, largest))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arasu_manku_levels, "SORTED", times)
        assert levels.sorted_level < max(1, levels.count)  # now it is known
    summary = kind(epsilon, window, shortest=shortest)
    summary._begin(levels)
    return summary


def feed(summary: Any, values: Any) -> None:
    """Update a summary with an array or with its parts; of pairs, the second is a cosine."""
    whole = isinstance(values, np.ndarray | np.generic)
    columns = (values,) if whole else (iter(values),)
    if isinstance(summary, ss.CorrelatedSum):
        columns += (np.cos(values),) if whole else (map(np.cos, values),)
    assert summary.update(*columns) is summary


def no_value(summary: Any) -> Any:
    """Something that a summary refuses."""
    takes_text = summary.dtype is not None and summary.dtype.kind in "US"
    return 5 if takes_text else "more"


def made(name: str, parts: Iterable[Any], **options: Any) -> Any:
    """A summary that has been fed parts of a stream."""
    summary = MAKERS[name](**options)
    for part in parts:
        feed(summary, part)
    return summary
