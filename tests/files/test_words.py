"""Words are found in any text as Python finds them, and read as the numbers that Python reads."""

import csv
import io
from collections.abc import Iterator
from fractions import Fraction
from ipaddress import IPv4Address, ip_address
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shadersort.errors import ForeignFile, UnknownColumn
from shadersort.files import lines
from shadersort.files.lines import csv_column, json_words, text_words
from shadersort.files.opening import Column, Input
from shadersort.files.request import Request
from shadersort.files.words import NumberWords, Words
from shadersort.keys.outputs import format_lines
from shadersort.streams.hierarchies.prefixes import PACKED, AddressWords
from tests.helpers import TYPES, bits, random_bits, telling_floats

LETTERS = st.text(alphabet='ab1 ,"\n\t', max_size=40)
DECIMALS = st.from_regex(r"[+-]?[0-9]{0,22}(\.[0-9]{0,22})?(e[+-]?[0-9]{1,3})?", fullmatch=True)


def input_of(text: bytes, name: str) -> Input:
    return Input(io.BufferedReader(io.BytesIO(text)), name, "csv", False)


def of_text(text: str, column: int | None) -> list[tuple[int, bytes]]:
    return numbered(text_words(input_of(text.encode(), "a text"), Request(column=column)))


def csv_of(text: bytes, column: int | str | None, header: bool | None) -> Column:
    return csv_column(input_of(text, "a csv"), Request(column=column, header=header))


def numbered(batches: Iterator[Any]) -> list[tuple[int, bytes]]:
    return [each for words in batches for each in zip(words.lines, words.texts, strict=True)]


def of_json(text: bytes, column: int | str | None) -> list[tuple[int, bytes]]:
    return numbered(json_words(input_of(text, "a file"), Request(column=column)))


def of_csv(text: bytes, column: int | str | None, header: bool | None = False) -> list[bytes]:
    return [word for _, word in numbered(csv_of(text, column, header).batches)]


@pytest.fixture(autouse=True)
def piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of a few bytes."""
    monkeypatch.setattr(lines, "PIECE", 7)


@given(LETTERS, st.sampled_from([None, 1, 2, 3]))
def test_lines_and_columns_are_those_of_split(text: str, column: int | None) -> None:
    expected = []
    for number, line in enumerate(text.split("\n"), 1):
        if words := line.split():
            missing = column is not None and column > len(words)
            word = line.strip() if column is None else "" if missing else words[column - 1]
            expected.append((number, word.encode()))
    assert of_text(text, column) == expected


@given(LETTERS, st.integers(1, 3))
@example('a,"b\n""c",d\n"1"\n', 2)
@example('a,b"c\n1,2\n', 2)
@example('"a"b,c\n', 1)
def test_fields_are_those_of_the_csv_module(text: str, column: int) -> None:
    data = text.encode()
    rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    columns = len(rows[0]) if rows else 1
    expected = [row[column - 1].strip().encode() if column <= len(row) else b"" for row in rows]
    if rows and column > columns:
        with pytest.raises(UnknownColumn):
            of_csv(data, column)
    else:
        assert of_csv(data, column) == expected


def test_the_lines_of_quoted_rows() -> None:
    text = b'n,t\n1,"a\nb"\n\nx,"c"\n2,d\n'
    for careful in (False, True):
        found = csv_of(text + b'3,e"f\n' * careful, "n", None)
        assert found.place == ", column n"
        assert numbered(found.batches)[:3] == [(2, b"1"), (5, b"x"), (6, b"2")]


def test_json_keeps_the_digits() -> None:
    text = b'{"a": 9007199254740993}\n\n{"a": 1.50}\n{"a": "x", "b": 1}\n{"b": 2}\n{"a": null}\n'
    found = of_json(text, "a")
    assert found == [(1, b"9007199254740993"), (3, b"1.50"), (4, b"x"), (5, b""), (6, b"")]
    assert of_json(b"[1, 2]\n[3]\n" * 9, 2)
    for wrong in (b'{"a": 1}\n{"a": 2\n', b'{"a": 1}\n{"a": 1},{"a": 2}\n'):
        with pytest.raises(ForeignFile, match=r"a file, line 2: .* is no JSON"):
            of_json(wrong, "a")
    for text, match in ((b'{"a": 1, "b": 2}\n', "a, b"), (b"[1]\n", "by its number")):
        with pytest.raises(UnknownColumn, match=match):
            of_json(text, None)


@given(
    st.lists(DECIMALS | st.sampled_from(["nan", "-inf", "x", "", "1_0", "--1", ".", "+", "1e400"]))
)
def test_numbers_are_those_of_python(listed: list[str]) -> None:
    texts = [word.encode() for word in listed]
    for dtype, python in (("int64", int), ("float64", float), ("uint8", int)):
        reader = NumberWords(np.dtype(dtype))
        found, bad = reader(Words(texts, ()))
        for word, number, wrong in zip(listed, found, bad, strict=True):
            if not wrong:
                assert python(word) == number or number != number
                assert np.signbit(number) == np.signbit(python(word))
            assert wrong == (not held(word, dtype)), word
            assert not wrong or reader.why(word.encode())


def held(word: str, dtype: str) -> bool:
    """Whether a type holds a word, told by Python's numbers."""
    try:
        number = float(word) if dtype == "float64" else int(word)
    except ValueError:
        return False
    if "_" in word:
        return False
    if dtype != "float64":
        return np.iinfo(dtype).min <= number <= np.iinfo(dtype).max
    if number in (np.inf, -np.inf):
        return "inf" in word
    if number != number or not word.lstrip("+-").isdigit():
        return True
    return int(number) == int(word) or Fraction(repr(number)) == int(word)


@pytest.mark.parametrize(
    ("dtype", "good", "wrong"),
    [
        ("float32", b"0.1 16777216 1e3 nan -inf 0.10000000149011612 1e-45", b"16777217 1e39"),
        ("float32", b"-0.0", b"3.14159265358979 1700000000.123 0x1 1_0"),
        ("float16", b"0.1 65504", b"0.12345 65520 2049"),
        ("float64", b"0.1 9007199254740992 1e300 100000000000000000000000", b"9007199254740993"),
        ("uint64", b"18446744073709551615", b"18446744073709551616 -1 2.0"),
        ("int8", b"-128 127 +5 007", b"128 -129"),
    ],
)
def test_what_a_type_holds(dtype: str, good: bytes, wrong: bytes) -> None:
    reader = NumberWords(np.dtype(dtype))
    keys, bad = reader(Words(good.split(), ()))
    assert not bad.any()
    assert [float(key) for key in keys if key == key] == [
        float(np.dtype(dtype).type(word)) for word in good.decode().split() if word != "nan"
    ]
    _, bad = reader(Words(wrong.split(), ()))
    assert bad.all()
    assert all(dtype in reader.why(word) for word in wrong.split())


def test_words_without_a_number_have_no_type() -> None:
    assert Words([b"a", b""], ()).guess_type() is None


ADDRESSES = (
    st.from_regex(r"[0-9]{0,4}(\.[0-9]{0,4}){0,5}", fullmatch=True)
    | st.ip_addresses().map(str)
    | st.sampled_from(["", "1.2.3.4x", "1..2.3", "01.2.3.4", "::1%a", "::ffff:1.2.3.4", "1::2::3"])
)


@given(st.lists(ADDRESSES))
def test_addresses_are_those_of_ipaddress(listed: list[str]) -> None:
    words = Words([word.encode() for word in listed], ())
    packed, bad = AddressWords(PACKED)(words)
    numbers, no_ipv4 = AddressWords()(words)
    for place, word in enumerate(listed):
        try:
            address = ip_address(word)
        except ValueError:
            assert bad[place]
            continue
        if "%" in word:
            assert bad[place]
        elif isinstance(address, IPv4Address):
            assert (int(address), False) == (numbers[place], no_ipv4[place])
        else:
            assert packed[place].tobytes() == address.packed
            assert no_ipv4[place] == (address.ipv4_mapped is None)


@pytest.mark.parametrize("dtype", TYPES)
def test_what_is_written_is_read_back(dtype: str) -> None:
    """Every half there is, and special floats; the payload of a NaN is not written."""
    special = telling_floats(dtype) if np.dtype(dtype).kind == "f" else np.zeros(0, dtype)
    every = [np.arange(1 << 16, dtype=np.uint16).view(dtype)] if dtype == "float16" else []
    parser = NumberWords(np.dtype(dtype))
    for keys in (*every, special, *(random_bits(n, n, dtype) for n in (1, 2, 3, 1023, 20_000))):
        words = [word for _, word in of_text(format_lines(keys).decode(), None)]
        back, bad = parser(Words(words, ()))
        assert back.dtype == dtype
        assert not bad.any()
        np.testing.assert_array_equal(np.isnan(back), np.isnan(keys))
        numbers = ~np.isnan(keys)
        np.testing.assert_array_equal(bits(back[numbers]), bits(keys[numbers]))
