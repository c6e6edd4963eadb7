import numpy as np
import pytest

from shadersort.errors import KeysNotFlat, UnknownName, UnsupportedKeys
from shadersort.keys.inputs import as_drawable, convert, precise_type
from tests.helpers import bits


def test_foreign_byte_order_is_accepted() -> None:
    keys = as_drawable(np.array([1, 2], dtype=">f4"))
    assert keys.dtype == np.float32
    np.testing.assert_array_equal(keys, [1, 2])


def test_keys_of_other_types_are_refused_with_advice() -> None:
    for keys, advice in (
        (np.array(["a", "b"]), "map them to numbers"),
        (np.array([object()]), "map them to numbers"),
        (np.array(["a"], dtype=np.dtypes.StringDType()), "map them to numbers"),
        (np.array([1j]), "complex numbers have no order"),
        (np.arange(3, dtype=np.longdouble), r"keys\.astype\(np\.float64\)"),
        (np.arange(3, dtype=np.int16), r"keys\.astype\(np\.float32\)"),
        (np.array([True]), r"keys\.astype\(np\.float32\)"),
        (np.array(["2005-06-14"], "datetime64[D]"), "map them to numbers"),
        (np.ma.masked_array(np.array([1, 2], np.float32), [True, False]), "compressed"),
    ):
        with pytest.raises(UnsupportedKeys, match=advice):
            as_drawable(keys)


def test_keys_of_other_shapes_are_refused() -> None:
    for shape in ((), (2, 2), (1, 2, 3)):
        with pytest.raises(KeysNotFlat, match=f"1 dimension.*not {len(shape)}"):
            as_drawable(np.zeros(shape, np.float32))
    with pytest.raises(KeysNotFlat, match="no array"):
        as_drawable([[1.0], [2.0, 3.0]])


def test_precisions() -> None:
    keys = np.array([1 + 2**-12, 1e6, -1e6, 1e-9, np.nan], np.float32)
    halves = convert(keys, precise_type(keys.dtype, "float16"))
    np.testing.assert_array_equal(halves, np.array([1, np.inf, -np.inf, 0, np.nan], np.float16))
    assert convert(keys, precise_type(keys.dtype, None)) is keys
    wide = convert(np.array([1.5], np.float16), precise_type(np.dtype("f2"), "float32"))
    assert bits(wide) == bits(np.array([1.5], np.float32))
    with pytest.raises(UnknownName, match="'float16' or 'float32'"):
        precise_type(np.dtype(np.float32), "float64")
    with pytest.raises(UnknownName, match="int32"):
        precise_type(np.dtype(np.int32), "float16")
