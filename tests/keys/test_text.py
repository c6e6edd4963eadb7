"""Keys as text come back as they were, and decimals are rounded once."""

import io
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadersort.errors import ForeignFile
from shadersort.keys.reading.lines import line_words
from shadersort.keys.reading.number_words import NumberWords, all_numbers
from shadersort.keys.text import lines_of, parsed
from shadersort.keys.types import Keys
from tests.helpers import TYPES, bits, random_bits, telling_floats

LARGEST = float(np.float32(1e30))


def read(text: bytes, dtype: str) -> Keys:
    parser = NumberWords(np.dtype(dtype), rounding=True)
    lines = line_words(io.BytesIO(text), "keys.txt", None)
    pieces = [all_numbers(words, parser, "keys.txt") for (words,) in lines]
    return np.concatenate([np.empty(0, dtype), *pieces])


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


@given(st.floats(-LARGEST, LARGEST, width=32), st.integers(-3, 3), st.integers(20, 40))
def test_decimals_are_rounded_once(low: float, direction: int, digits: int) -> None:
    """Close to the middle of two keys, where a double on the way would decide otherwise."""
    high = float(np.nextafter(np.float32(low), np.float32(np.inf)))
    scale = 10 ** (200 + digits)
    middle = (Fraction(low) + Fraction(high)) / 2
    shifted = middle * (1 + Fraction(direction, 10**digits))
    word = f"{round(shifted * scale)}e-{200 + digits}"
    exact = Fraction(round(shifted * scale), scale)
    key = Fraction(float(parsed([word.encode()], np.dtype("float32"))[0]))
    assert abs(key - exact) == min(abs(Fraction(low) - exact), abs(Fraction(high) - exact))


def test_ties_go_to_the_even_key() -> None:
    words = [b"16777217", b"16777217.0000000001", b"16777219", b"16777218.9999999999"]
    expected = [16777216, 16777218, 16777220, 16777218]
    assert parsed(words, np.dtype("float32")).tolist() == expected


def test_blank_lines_and_line_ends() -> None:
    assert read(b"1\r\n\n  2 \n3", "float32").tolist() == [1, 2, 3]
    assert read(b"", "int32").tolist() == []


@pytest.mark.parametrize(
    ("text", "dtype", "match"),
    [
        (b"1\n\nabc\n", "float32", "keys.txt, line 3: 'abc' is no number of type float32"),
        (b"1 2\n", "float32", "line 1: '1 2' is no number"),
        (b"1e39\n", "float32", "line 1: '1e39' is beyond the range of float32"),
        (b"inf\n-Infinity\n1e400\n", "float32", "line 3: '1e400' is beyond the range of float32"),
        (b"-65520\n", "float16", "beyond the range of float16"),
        (b"2.5\n", "int32", "'2.5' is no number of type int32"),
        (b"4294967296\n", "uint32", "beyond the range of uint32"),
        (b"-1\n", "uint32", "beyond the range of uint32"),
        (b"\xff\xfe\n", "float32", r"is no number of type float32"),
    ],
)
def test_what_is_no_key_is_named_by_its_line(text: bytes, dtype: str, match: str) -> None:
    with pytest.raises(ForeignFile, match=match):
        read(text, dtype)
