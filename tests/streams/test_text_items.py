"""Text in a FrequencySummary, beside a Counter of the same text."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadersort.errors import KeysNotFlat, NaNRefused, SummariesDiffer, UnsupportedKeys
from shadersort.streams import FrequencySummary, QuantileSummary, SlidingFrequencies
from shadersort.streams.frequencies.text_items import SPARE
from tests.soaking import SEED

LISTED = ["one", "two", "", "two", "ünï", "one two", "two"]
few_words = st.lists(st.text(max_size=3) | st.binary(max_size=20), max_size=60)


def as_str(word: str | bytes) -> str:
    """A word as it is given back."""
    return word if isinstance(word, str) else word.decode("utf-8", "surrogateescape")


@settings(max_examples=40 if SEED is None else 1000)
@given(st.lists(few_words, max_size=4))
def test_a_few_words_are_counted_exactly(parts: list[list[str | bytes]]) -> None:
    summary = FrequencySummary(0.1)
    for part in parts:
        summary.update(part)
    exact = Counter(as_str(word) for part in parts for word in part)
    assert summary.n == exact.total()
    if exact:
        expected = sorted(exact.items(), key=lambda pair: (-pair[1], pair[0]))
        assert summary.most_common() == expected
        assert summary.most_common(3) == expected[:3]
        assert summary.estimate(list(exact)).tolist() == list(exact.values())
    again = FrequencySummary.from_bytes(summary.to_bytes())
    assert again == summary == summary.copy()
    assert again.to_bytes() == summary.to_bytes()


def assert_guaranteed(summary: FrequencySummary, stream: list[str], epsilon: float) -> None:
    """Answers about words keep the guarantee."""
    exact, n = Counter(stream), len(stream)
    if not exact:
        return
    words = [*exact, "never"]
    counts = np.array([exact[word] for word in words])
    lower, upper = summary.bounds(words)
    assert np.all((lower <= counts) & (counts <= upper) & (counts - lower <= epsilon * n))
    for support in (epsilon, min(1.0, 3 * epsilon)):
        found = summary.frequent_items(support)
        names = found["item"].tolist()
        assert {word for word, times in exact.items() if times > support * n} <= set(names)
        assert all(exact[word] >= (support - epsilon) * n for word in names)
        assert found["lower"].tolist() == summary.estimate(names).tolist()
        assert names == sorted(names, key=lambda word: (-summary.estimate(word), word))


def test_memory_is_bounded_and_how_updates_split_makes_no_difference() -> None:
    """Almost all words differ, and one comes again when it has been forgotten."""
    stream = [f"{i}" for i in range(3 * SPARE // 2)]
    stream[10] = stream[-10] = "again"
    stream[::50] = ["often"] * len(stream[::50])
    whole = FrequencySummary(0.01).update(iter(stream))
    parts = FrequencySummary(0.01)
    for part in np.array_split(np.array(stream), 9):
        parts.update(part)
        assert len(parts._book._code_of) <= SPARE + 2 * len(parts) + len(part)  # type: ignore[union-attr]
    assert parts.to_bytes() == whole.to_bytes()
    assert_guaranteed(whole, stream, 0.01)
    merged = FrequencySummary(0.01).update(["often"] * 9).merge(whole).merge(parts)
    assert_guaranteed(merged, ["often"] * 9 + stream * 2, 0.01)


WAYS: dict[str, Callable[[list[str]], Any]] = {
    "a tuple": tuple,
    "bytes": lambda words: [word.encode() for word in words],
    "an array": np.array,
    "an array of bytes": lambda words: np.array([word.encode() for word in words]),
    "half an array": lambda words: np.repeat(np.array(words), 2)[::2],
    "objects": lambda words: np.array(words, np.object_),
    "NumPy's strings": lambda words: np.array(words, np.dtypes.StringDType()),
    "an iterator": iter,
    "an iterator of lists": lambda words: iter([words[:3], words[3], tuple(words[4:])]),
    "pandas' objects": lambda words: pd.Series(words, dtype=object),
}


@pytest.mark.parametrize("way", WAYS)
def test_words_are_given_in_many_ways(way: str) -> None:
    expected = FrequencySummary(0.1).update(LISTED)
    assert FrequencySummary(0.1).update(WAYS[way](LISTED)) == expected
    one_by_one = FrequencySummary(0.1)
    for word in LISTED:
        one_by_one.update(word)
    assert one_by_one == expected
    if not way.startswith("an iterator"):
        asked = expected.estimate(WAYS[way](LISTED))
        assert asked.tolist() == [LISTED.count(word) for word in LISTED]
    assert expected.estimate("two") == expected.estimate(b"two") == 3


def test_missing_values_are_counted_and_left_out() -> None:
    for values in (["a", None, float("nan"), pd.NA], iter([None, "a", np.nan, None])):
        summary = FrequencySummary(0.1).update(values)
        assert (summary.n, summary.nans) == (1, 3)
        assert summary.most_common() == [("a", 1)]
        assert summary.copy() == summary
        with pytest.raises(NaNRefused, match="missing"):
            summary.estimate(["a", None])


def test_words_with_weights_and_bytes() -> None:
    summary = FrequencySummary(0.1).update(["a", "b", None, b"\xff"], weights=[3, 0, 4, 5])
    assert summary.most_common() == [("\udcff", 5), ("a", 3)]
    assert (summary.n, summary.nans) == (8, 4)
    assert summary.estimate(["a", b"\xff", "b"]).tolist() == [3, 5, 0]


def test_what_is_no_word_is_refused_and_changes_nothing() -> None:
    summary = FrequencySummary(0.1).update(LISTED)
    before = summary.to_bytes()
    for values in (3, [1], ["a", 2], [["a"]], np.array([1]), [True], np.array([0.5])):
        with pytest.raises(UnsupportedKeys, match="texts are str or bytes"):
            summary.update(values)
    with pytest.raises(KeysNotFlat):
        summary.update(np.array([["a"]]))

    def fails() -> Any:
        yield from (f"/page/{i % 99}.html" for i in range(5_000))
        yield 5

    with pytest.raises(UnsupportedKeys):
        summary.update(fails())
    assert summary.to_bytes() == before
    assert summary.most_common(1) == [("two", 3)]
    empty = FrequencySummary(0.1)
    with pytest.raises(UnsupportedKeys):
        empty.update(["a", 1])
    assert empty.dtype is None


def test_summaries_of_numbers_take_no_text() -> None:
    for summary in (
        FrequencySummary(0.1).update([1]),
        FrequencySummary(0.1, dtype="int64"),
        QuantileSummary(0.1),
        SlidingFrequencies(0.1, 100),
    ):
        for values in ("one", ["one", "two"], np.array([b"one"])):
            with pytest.raises(UnsupportedKeys, match="FrequencySummary"):
                summary.update(values)
    with pytest.raises(SummariesDiffer, match="numbers"):
        FrequencySummary(0.1).update([1]).merge(FrequencySummary(0.1).update(["a"]))


def test_a_summary_tells_of_itself() -> None:
    summary = FrequencySummary(0.25).update(["<b>", "<b>", b"\xff"])
    assert repr(summary).endswith("3 values in 3 entries of str>")
    assert "<th>item &#x27;&lt;b&gt;&#x27;</th><td>2</td>" in summary._repr_html_()
    assert summary.most_common()[1] == ("\udcff", 1)
    assert summary.dtype == np.dtype(str)
