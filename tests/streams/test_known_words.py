"""Hashes of words, and the words that are kept for them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.keys.reading.words import Words
from shadersort.streams.known_words import KnownWords
from shadersort.streams.word_hashes import hashes_of

some_words = st.lists(st.binary(max_size=40), max_size=30)


def words_of(listed: list[bytes]) -> Words:
    return Words.of(listed, np.arange(1, len(listed) + 1))


@given(some_words)
def test_words_have_equal_hashes_exactly_if_they_are_equal(listed: list[bytes]) -> None:
    hashes = hashes_of(words_of(listed)).tolist()
    assert len(set(hashes)) == len(set(listed))
    assert len(set(zip(hashes, listed, strict=True))) == len(set(listed))


def test_a_hash_depends_on_nothing_but_the_bytes_of_the_word() -> None:
    data = np.frombuffer(b"xxabcdefghiyyabcdefghi", np.uint8)
    words = Words(data, np.array([2, 13]), np.array([11, 22]), np.array([1, 2]))
    first, second = hashes_of(words)
    assert first == second == hashes_of(words_of([b"abcdefghi"]))[0]


@pytest.mark.parametrize(
    ("word", "is_hashed_to"),
    [
        (b"", 0x5C76A454C81BDD84),
        (b"a", 0x9821AF1EFC45EF17),
        (b"abcdefgh", 0x70CE5730C6CFD952),
        (b"/index.html?page=2", 0xEFF12829CB7DB6CC),
    ],
)
def test_the_hash_of_a_word_never_changes(word: bytes, is_hashed_to: int) -> None:
    """Summaries on discs hold hashes."""
    assert int(hashes_of(words_of([word]))[0]) == is_hashed_to


def test_zero_bytes_at_the_end_change_the_hash() -> None:
    hashes = hashes_of(words_of([b"a" + bytes(n) for n in range(20)]))
    assert len(np.unique(hashes)) == 20


def test_bits_of_hashes_are_balanced_and_all_differ_for_similar_words() -> None:
    hashes = hashes_of(words_of([b"10.0.%d.%d" % divmod(i, 256) for i in range(1 << 16)]))
    assert len(np.unique(hashes)) == 1 << 16
    ones = np.array(
        [np.count_nonzero(hashes >> np.uint64(bit) & np.uint64(1)) for bit in range(64)]
    )
    assert abs(ones - (1 << 15)).max() < 8 * 128  # eight standard deviations of a fair coin


@given(some_words, st.data())
def test_known_words_are_those_that_were_wanted(listed: list[bytes], data: st.DataObject) -> None:
    words = words_of(listed)
    hashes = hashes_of(words)
    known = KnownWords()
    for _ in range(3):
        wanted = np.unique(hashes[[data.draw(st.booleans()) for _ in listed]])
        known.learn(hashes, words, wanted)
        assert np.array_equal(known.hashes, wanted)
        spelt = dict(zip(hashes.tolist(), listed, strict=True))
        assert known.of(wanted) == [spelt[each] for each in wanted.tolist()]


def test_of_two_words_with_one_hash_the_first_is_kept() -> None:
    words, hashes = words_of([b"first", b"second"]), np.array([7, 7], np.uint64)
    known = KnownWords()
    known.learn(hashes, words, hashes[:1])
    known.learn(hashes[::-1], words[::-1], hashes[:1])
    assert known.of(hashes[:1]) == [b"first"]


def test_words_of_another_are_added_and_do_not_replace() -> None:
    mine, theirs = KnownWords({1: b"mine", 2: b"two"}), KnownWords({1: b"theirs", 3: b"three"})
    mine.add(theirs)
    assert dict(mine.items()) == {1: b"mine", 2: b"two", 3: b"three"}
