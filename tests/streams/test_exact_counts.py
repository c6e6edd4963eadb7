"""Exact counts of a few items, beside a Counter."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.keys.reading.words import Words
from shadersort.streams import exact_counts
from shadersort.streams.exact_counts import ExactNumberCounts, ExactWordCounts
from shadersort.streams.word_hashes import Hashes, equal_words

words_given = st.lists(st.binary(max_size=20) | st.sampled_from([b"a", b"a" * 8, b"a" * 9]))


def words_of(listed: list[bytes]) -> Words:
    return Words.of(listed, np.arange(len(listed)))


@given(words_given, words_given, words_given)
def test_words(items: list[bytes], first: list[bytes], second: list[bytes]) -> None:
    exact = ExactWordCounts(items).update(words_of(first)).update(words_of(second))
    counted = Counter(first + second)
    assert exact.of(items) == [counted[item] for item in items]
    assert not exact.others


@given(st.lists(st.integers(-3, 3)), st.lists(st.sampled_from([-0.0, 0.0, 1.0, 2.0, np.nan])))
def test_numbers(items: list[int], stream: list[float]) -> None:
    exact = ExactNumberCounts(np.array(items, np.float64)).update(np.array(stream, np.float64))
    assert exact.of(np.array(items, np.float64)) == [stream.count(item) for item in items]


@given(words_given, st.data())
def test_equal_words(listed: list[bytes], data: st.DataObject) -> None:
    others = [data.draw(st.sampled_from([word, word[:-1] + b"x", b""])) for word in listed]
    expected = [word == other for word, other in zip(listed, others, strict=True)]
    assert equal_words(words_of(listed), words_of(others)).tolist() == expected


def test_words_with_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(words: Words) -> Hashes:
        return words.widths.astype(np.uint64)

    monkeypatch.setattr(exact_counts, "hashes_of", short)
    exact = ExactWordCounts([b"aa", b"bb", b"c"])
    exact.update(words_of([b"bb", b"aa", b"cc", b"bb", b"c", b"c", b"ddd"]))
    assert exact.of([b"aa", b"bb", b"cc", b"c", b"never"]) == [1, 2, 1, 2, 0]
    assert exact.others == {b"bb": 2, b"cc": 1}
