"""Frequencies of words, beside a Counter of the same words."""

from collections import Counter, deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.errors import (
    BadCount,
    BadSupport,
    BadWindow,
    EmptySummary,
    KeysNotFlat,
    NotMergeable,
    SummariesDiffer,
    UnsupportedKeys,
)
from shadersort.keys.reading.words import Words
from shadersort.streams import (
    FrequencySummary,
    QuantileSummary,
    SlidingFrequencies,
    WordFrequencies,
    word_frequencies,
)
from shadersort.streams.summary import Summary
from shadersort.streams.word_hashes import Hashes, hashes_of

LISTED = ["one", "two", "", "two", "ünï", "one two", "two"]
few_words = st.lists(st.text(max_size=3) | st.binary(max_size=20), max_size=60)


def as_str(word: str | bytes) -> str:
    """How a word is shown."""
    data = word if isinstance(word, bytes) else word.encode("utf-8", "surrogatepass")
    return data.decode("utf-8", "surrogateescape")


def long_stream(count: int, seed: int = 4) -> list[str]:
    """Words by Zipf's law, whose order changes on the way."""
    numbers = np.random.default_rng(seed).zipf(1.4, count)
    numbers[count // 2 :] += 3
    return [f"/page/{i}.html" for i in np.minimum(numbers, 1 << 40).tolist()]


@given(st.lists(few_words, max_size=4))
def test_a_few_words_are_counted_exactly(parts: list[list[str | bytes]]) -> None:
    summary = WordFrequencies(0.1)
    for part in parts:
        summary.update(part)
    exact = Counter(as_str(word) for part in parts for word in part)
    assert summary.n == exact.total()
    if exact:
        expected = sorted(exact.items(), key=lambda pair: (-pair[1], pair[0]))
        assert summary.most_common() == expected
        assert summary.most_common(3) == expected[:3]
        assert summary.estimate(list(exact)).tolist() == list(exact.values())
    again = WordFrequencies.from_bytes(summary.to_bytes())
    assert again == summary
    assert again.to_bytes() == summary.to_bytes()


@given(st.integers(0, 30_000), st.sampled_from([0.5, 0.1, 0.01]), st.integers(0, 3))
def test_the_guarantee(count: int, epsilon: float, seed: int) -> None:
    stream = long_stream(count, seed)
    parts = np.array_split(np.array(stream, np.object_), 1 + seed)
    summary = sum((WordFrequencies(epsilon).update(p) for p in parts[1:]), WordFrequencies(epsilon))
    assert_guaranteed(summary.update(parts[0]), stream, epsilon)


def assert_guaranteed(answers: Any, stream: list[str], epsilon: float) -> None:
    """Answers about words keep the guarantee."""
    exact, n = Counter(stream), len(stream)
    if not exact:
        return
    words = [*exact, "never"]
    counts = np.array([exact[word] for word in words])
    lower, upper = answers.bounds(words)
    assert np.all((lower <= counts) & (counts <= upper))
    assert np.all(counts - answers.estimate(words) <= epsilon * n)
    for support in (epsilon, min(1.0, 3 * epsilon)):
        found = answers.frequent_items(support)
        names = found["item"].tolist()
        assert {word for word, times in exact.items() if times > support * n} <= set(names)
        assert all(exact[word] >= (support - epsilon) * n for word in names)
        assert found["lower"].tolist() == [int(answers.estimate(word)) for word in names]
        assert names == sorted(names, key=lambda word: (-int(answers.estimate(word)), word))


@pytest.mark.parametrize("window", [1, 60, 700, 9_000])
def test_the_last_words(window: int) -> None:
    stream = long_stream(12_000)
    summary = WordFrequencies(0.05, window=window)
    for part in np.array_split(np.array(stream), 7):
        summary.update(part)
    assert_guaranteed(summary, stream[-window:], 0.05)
    for n in {1, window // 3 + 1, window}:
        last = summary.last(n)
        assert_guaranteed(last, stream[-n:], 0.05)
        assert (last.n, last.epsilon) == (n, 0.05)
    assert summary.copy() == summary
    assert (summary.window, summary.n) == (window, 12_000)


WAYS: dict[str, Callable[[list[str]], Any]] = {
    "a list": list,
    "a tuple": tuple,
    "bytes": lambda words: [word.encode() for word in words],
    "an array": np.array,
    "an array of bytes": lambda words: np.array([word.encode() for word in words]),
    "half an array": lambda words: np.repeat(np.array(words), 2)[::2],
    "swapped": lambda words: np.array(words, ">U8"),
    "objects": lambda words: np.array(words, np.object_),
    "NumPy's strings": lambda words: np.array(words, np.dtypes.StringDType()),
    "a deque": deque,
    "an iterator": iter,
    "an iterator of lists": lambda words: iter([words[:3], words[3], tuple(words[4:])]),
    "keys": lambda words: (word for word in words),
    "pandas": pd.Series,
    "pandas' objects": lambda words: pd.Series(words, dtype=object),
    "pandas' strings": lambda words: pd.Series(words, dtype="string"),
    "categories": lambda words: pd.Series(words, dtype="category"),
    "an index": pd.Index,
    "pyarrow": pa.array,
    "places in a block": lambda words: Words.of([each.encode() for each in words], np.arange(7)),
}


@pytest.mark.parametrize("way", WAYS)
def test_words_are_given_in_many_ways(way: str) -> None:
    expected = WordFrequencies(0.1)
    for word in LISTED:
        expected.update(word)
    assert WordFrequencies(0.1).update(WAYS[way](LISTED)) == expected
    ascii_only = [word for word in LISTED if word.isascii()]
    if way != "places in a block":
        found = WordFrequencies(0.1).update(WAYS[way](ascii_only))
        assert found == WordFrequencies(0.1).update(ascii_only)
    asked = expected.estimate(WAYS[way](LISTED))
    assert asked.tolist() == [LISTED.count(word) for word in LISTED]
    assert expected.estimate("two") == expected.estimate(b"two") == 3


def test_missing_values_are_counted_and_left_out() -> None:
    for values in (
        ["a", None, float("nan"), pd.NA],
        pd.Series(["a", None, None, None]),
        pd.Series(["a", None, None, None], dtype="string"),
        pd.Series(["a", None, None, None], dtype="category"),
        iter(["a", None, np.array([np.nan, np.nan])]),
        pa.array(["a", None, None, None]),
    ):
        summary = WordFrequencies(0.1).update(values)
        assert (summary.n, summary.nans) == (1, 3)
        assert summary.most_common() == [("a", 1)]
        assert summary.copy() == summary
        with pytest.raises(UnsupportedKeys, match="missing"):
            summary.estimate(["a", None])


def test_what_is_no_word_is_refused_and_changes_nothing() -> None:
    summary = WordFrequencies(0.1).update(LISTED)
    before = summary.to_bytes()
    for values in (
        3,
        2.5,
        [1],
        ["a", 2],
        [["a"]],
        np.array([1]),
        [True],
        object(),
        np.array([0.5]),
    ):
        with pytest.raises(UnsupportedKeys, match="words are str or bytes"):
            summary.update(values)
    with pytest.raises(KeysNotFlat):
        summary.update(np.array([["a"]]))

    def fails() -> Any:
        yield from long_stream(5_000)
        yield 5

    with pytest.raises(UnsupportedKeys, match="FrequencySummary counts numbers"):
        summary.update(fails())
    assert summary.to_bytes() == before
    assert summary.most_common(1) == [("two", 3)]


@pytest.mark.parametrize("kind", [FrequencySummary, QuantileSummary])
def test_summaries_of_numbers_name_the_one_of_words(kind: Any) -> None:
    for values in ("one", ["one", "two"], np.array([b"one"])):
        with pytest.raises(UnsupportedKeys, match="WordFrequencies counts words"):
            kind(0.1).update(values)


def test_options_and_questions_that_are_refused() -> None:
    with pytest.raises(BadWindow, match="window="):
        WordFrequencies(0.1, shortest=5)
    with pytest.raises(BadWindow, match="window="):
        WordFrequencies(0.1).last(3)
    with pytest.raises(BadWindow):
        WordFrequencies(0.5, window=3).last(4)
    for empty in (WordFrequencies(0.1), WordFrequencies(0.2, window=5)):
        for ask in (empty.most_common, lambda each=empty: each.frequent_items(0.5)):
            with pytest.raises(EmptySummary, match="this WordFrequencies has seen no value"):
                ask()
    with pytest.raises(EmptySummary):
        WordFrequencies(0.2, window=5).last(2).most_common()
    some = WordFrequencies(0.1).update("a")
    with pytest.raises(BadSupport):
        some.frequent_items(0.01)
    with pytest.raises(BadCount):
        some.most_common(-1)


def test_only_summaries_of_all_words_merge_and_only_if_made_alike() -> None:
    with pytest.raises(NotMergeable):
        WordFrequencies(0.2, window=5) + WordFrequencies(0.2, window=5)
    for other in (WordFrequencies(0.2), WordFrequencies(0.1, window=10), FrequencySummary(0.1)):
        with pytest.raises(SummariesDiffer):
            WordFrequencies(0.1).merge(other)  # type: ignore[arg-type]


def test_words_that_are_forgotten_in_a_merge_are_not_kept() -> None:
    parts = [[f"{i}:{j}" for j in range(5_000)] + ["often"] * 500 for i in range(4)]
    total = sum((WordFrequencies(0.01).update(p) for p in parts), WordFrequencies(0.01))
    assert len(total._known) == len(total._hashes._held_items())
    assert total.most_common(1)[0][0] == "often"
    assert total.copy() == total


@pytest.mark.parametrize("most", [0, 5_000, 100_000])
def test_how_much_of_a_stream_is_kept_makes_no_difference(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    stream = long_stream(8_000)
    expected = {
        window: WordFrequencies(0.02, window=window).update(stream) for window in (None, 3_000)
    }
    monkeypatch.setattr(word_frequencies, "PENDING", most)
    for window, whole in expected.items():
        words = WordFrequencies(0.02, window=window)
        for part in np.array_split(np.array(stream), 57):
            words.update(part)
            known = sum(32 + width for width in words._known.words.widths.tolist())
            assert words._pending_bytes <= max(most, 2 * known)
        assert words == whole


def test_words_with_one_hash_are_counted_as_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(words: Words) -> Hashes:
        return words.widths.astype(np.uint64)

    monkeypatch.setattr(word_frequencies, "hashes_of", short)
    summary = WordFrequencies(0.1).update(["bc", "a", "cb", "b"])
    assert sorted(summary.most_common()) == [("a", 2), ("bc", 2)]


def test_a_summary_tells_of_itself() -> None:
    summary = WordFrequencies(0.25, window=40, shortest=8).update(["<b>", "<b>", b"\xff"])
    assert repr(summary) == (
        "<WordFrequencies(epsilon=0.25, window=40, shortest=8): 3 values in 3 entries>"
    )
    assert "<th>item &#x27;&lt;b&gt;&#x27;</th><td>2</td>" in summary._repr_html_()
    assert summary.most_common()[1][0].encode("utf-8", "surrogateescape") == b"\xff"
    assert repr(summary.last(2)) == "<LastWordFrequencies: the last 2 of 3 values>"
    assert summary.seconds.keys() >= {"hash"}
    assert Summary.from_bytes(summary.to_bytes()) == summary


def test_a_sliding_summary_is_that_of_the_hashes() -> None:
    stream = long_stream(9_000)
    words = WordFrequencies(0.05, window=2_000, shortest=2_000).update(stream)
    numbers = SlidingFrequencies(0.05, 2_000, shortest=2_000, dtype="uint64")
    assert words._hashes == numbers.update(words_hashes(stream))
    assert len(words) == len(numbers)
    assert words.count_error == numbers.count_error


def words_hashes(stream: list[str]) -> Hashes:
    """The hashes of words."""
    return hashes_of(Words.of([word.encode() for word in stream], np.arange(len(stream))))
