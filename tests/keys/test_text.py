"""Keys as text come back as they were."""

import io

import numpy as np
import pytest

from shadersort.keys.reading.lines import line_words
from shadersort.keys.reading.number_words import NumberWords
from shadersort.keys.text import lines_of
from shadersort.keys.types import Keys
from tests.helpers import TYPES, bits, random_bits, telling_floats


def read(text: bytes, dtype: str) -> Keys:
    parser = NumberWords(np.dtype(dtype))
    lines = line_words(io.BytesIO(text), "keys.txt", None)
    pieces = [parser(words) for words in lines]
    assert not any(bad.any() for _, bad in pieces)
    return np.concatenate([np.empty(0, dtype), *(keys for keys, _ in pieces)])


@pytest.mark.parametrize("dtype", TYPES)
def test_what_is_written_is_read_back(dtype: str) -> None:
    for n in (0, 1, 2, 3, 1023, 20_000):
        keys = random_bits(n, n, dtype)
        if keys.dtype.kind == "f":
            keys = keys[~np.isnan(keys)]
        np.testing.assert_array_equal(bits(read(lines_of(keys), dtype)), bits(keys))


def test_every_half_and_the_special_floats() -> None:
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    for keys in (halves, telling_floats("float32")):
        back = read(lines_of(keys), keys.dtype.name)
        numbers = ~np.isnan(keys)
        np.testing.assert_array_equal(bits(back[numbers]), bits(keys[numbers]))
        assert np.isnan(back[~numbers]).all()


def test_blank_lines_and_line_ends() -> None:
    assert read(b"1\r\n\n  2 \n3", "float32").tolist() == [1, 2, 3]
    assert read(b"", "int32").tolist() == []
