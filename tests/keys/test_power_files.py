from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shadersort import errors
from shadersort.keys.datasets import load_household, load_readings

HEADER = b"Date;Time;Global_active_power;Voltage\r\n"
ROWS = (
    b"16/12/2006;17:24:00;4.216;234.840\r\n"
    b"16/12/2006;17:25:00;?;\r\n"
    b"\r\n"
    b"1/1/2007;0:00:00;0.1;240\r\n"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "readings.txt"


def test_columns_of_the_household_file(file: Path) -> None:
    """Missing readings are left out, or NaN; there may be a mark, quotes, and no last newline."""
    marked = b'\xef\xbb\xbf"Date";"Time";"Global_active_power"\n1/1/2007;0:00;2'
    cases: list[tuple[bytes, dict[str, Any], list[float]]] = [
        (HEADER + ROWS, {}, [4.216, 0.1]),
        (HEADER + ROWS, {"column": "Voltage", "dtype": "float64"}, [234.84, 240]),
        (HEADER + ROWS, {"dtype": "float64", "keep_missing": True}, [4.216, np.nan, 0.1]),
        (marked, {}, [2]),
        (HEADER, {}, []),
    ]
    for content, options, values in cases:
        file.write_bytes(content)
        found = load_household(str(file), **options)
        expected = np.array(values, options.get("dtype", "float32"))
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        np.testing.assert_array_equal(found, expected)


def test_a_file_of_several_pieces(file: Path) -> None:
    """More text than is read at a time: line numbers go on, and no line is lost."""
    rows = b"".join(b"1/1/2007;0:00:00;%d;240\n" % i for i in range(100_000))
    file.write_bytes(HEADER + rows)
    np.testing.assert_array_equal(load_household(file), np.arange(100_000))
    file.write_bytes(HEADER + rows + b"1/1/2007;0:00:00;x;240\n")
    with pytest.raises(errors.ForeignFile, match="line 100002: 'x' is no number"):
        load_household(file)


def test_channels_one_after_the_other(tmp_path: Path) -> None:
    first, second = tmp_path / "channel_1.dat", tmp_path / "channel_2.dat"
    first.write_bytes(b"1303132929 222.20\n1303132930 223.17\n")
    second.write_bytes(b"1303132929\t0.00\n1303132930  -1.5")
    readings = load_readings(first, str(second), dtype=np.float64)
    np.testing.assert_array_equal(readings, [222.2, 223.17, 0, -1.5])
    assert load_readings().shape == (0,)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (b"1303132929 1 2\n", "line 1: 3 fields, not 2"),
        (b"1303132929 1\n\n1303132930\n", "line 3: 1 fields, not 2"),
        (b"1303132929 1\n1303132930 on\n", "line 2: 'on' is no number"),
        (b"1303132929 1\n1303132930 1e39\n", "line 2: '1e39' is beyond the range of"),
        (b"\x00\x01\x02 \xff\n", r"line 1: '\\xff' is no number"),
        (b"", "is empty"),
        (b"PK\x03\x04 and so on", "is compressed: unpack it first"),
        (b"\x1f\x8b\x08", "is compressed"),
    ],
)
def test_what_is_no_channel(file: Path, rows: bytes, message: str) -> None:
    file.write_bytes(rows)
    with pytest.raises(errors.ForeignFile, match=message):
        load_readings(file)


def test_what_is_no_household_file(file: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"readings\.txt"):
        load_readings(file)
    for text, error, message in (
        (
            HEADER + b"1/1/2007;0:00:00;1;2\n1/1/2007;0:0",
            errors.TruncatedFile,
            "line 3: 2 fields, not 4",
        ),
        (b"1303132929 222.20\n", errors.ForeignFile, "line 1: no header"),
    ):
        file.write_bytes(text)
        with pytest.raises(error, match=message):
            load_household(file)
    file.write_bytes(HEADER + ROWS)
    with pytest.raises(errors.UnknownColumn, match="'Global_active_power' or 'Voltage'"):
        load_household(file, "Sub_metering_1")
