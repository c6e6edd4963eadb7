"""Different words are those that Python's dictionaries tell apart, whatever their hashes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.keys.reading.words import Words
from shadersort.streams import different_words
from shadersort.streams.different_words import different


@given(st.lists(st.binary(max_size=3) | st.binary(min_size=60, max_size=70), max_size=60))
def test_different_words_are_those_of_a_dict(listed: list[bytes]) -> None:
    found, places = different(Words.of(listed, np.arange(1, len(listed) + 1)))
    assert [found[place] for place in places] == listed
    assert len(found) == len(set(listed))


def test_words_of_one_hash_are_different(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(different_words, "hashes_of", lambda words: np.zeros(len(words), np.uint64))
    for listed in ([b"a", b"b", b"a"], [b"a", b"a\0"], [b"a", b"a"]):
        found, places = different(Words.of(listed, np.arange(len(listed))))
        assert [found[place] for place in places] == listed
        assert len(found) == len(set(listed))
