from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import shadersort as ss
from shadersort import Device, errors
from shadersort.drawing.cost.profiles import PROFILES
from shadersort.drawing.networks import network
from shadersort.keys.types import WIDE, Keys
from shadersort.names import NetworkName, SortMethod
from tests.conftest import opengl_without_window, without_window
from tests.helpers import TYPES, awkward_inputs, bits, random_bits, telling_floats

METHODS = ["fragment", "kipfer", "fused", "compute"]
WAYS = [(network, method) for network in ss.NETWORKS for method in METHODS]
SIZES = [0, 1, 2, 3, *(2**p + d for p in (2, 5) for d in (-1, 0, 1))]
CARD = PROFILES["geforce-6800-ultra"]


def stable(keys: Keys) -> Keys:
    return np.argsort(keys, kind="stable")


def largest_first(keys: Keys) -> list[int]:
    """The order of keys from the largest on, NaNs last, ties as they came; by Python alone."""
    numbers = keys.tolist()
    return sorted(range(len(keys)), key=lambda i: (0, -x) if (x := numbers[i]) == x else (1, 0))


def telling_keys(n: int, dtype: str) -> dict[str, Keys]:
    """Keys that have broken sorts before, and with many ties."""
    numbers = np.array([0, 1, 2**31 - 1, 2**31, 2**32 - 1], np.uint32)
    kinds = telling_floats(dtype) if dtype.startswith("float") else numbers.view(dtype)
    return awkward_inputs(n, dtype) | {"kinds": np.random.default_rng(n).choice(kinds, n)}


@without_window
@pytest.mark.parametrize(("network", "method"), WAYS)
def test_the_stable_order(device: Device, network: NetworkName, method: SortMethod) -> None:
    """Of every type by the default network, and by the others of the types in turn."""
    for number, (n, dtype) in enumerate(product(SIZES, TYPES)):
        in_turn = (number + len(method)) % (len(TYPES) + 1) == 0
        for what, keys in telling_keys(n, dtype).items() if in_turn or network == "pbsn" else ():
            order = ss.argsort(keys, network=network, method=method, device=device)
            assert order.dtype == np.intp
            np.testing.assert_array_equal(order, stable(keys), err_msg=f"{n} {dtype} keys, {what}")


@opengl_without_window
@pytest.mark.parametrize(("network", "method"), WAYS)
def test_every_half_there_is(opengl: Device, network: NetworkName, method: SortMethod) -> None:
    """All 65,536 bit patterns of float16 and one more: over a power of two, with NaNs equal."""
    patterns = np.random.default_rng(len(network)).permutation(1 << 16).astype(np.uint16)
    keys = np.append(patterns, patterns[:1]).view(np.float16)
    order = ss.argsort(keys, network=network, method=method, device=opengl)
    np.testing.assert_array_equal(order, stable(keys))


@given(
    numbers=npst.arrays(np.uint64, st.integers(0, 70)),
    dtype=st.sampled_from([*TYPES, *(dtype.name for dtype in WIDE)]),
    network=st.sampled_from(list(ss.NETWORKS)),
    method=st.sampled_from([*METHODS, "auto"]),
    descending=st.booleans(),
    hardware=st.booleans(),
)
def test_any_bits(
    device: Device,
    numbers: Keys,
    dtype: str,
    network: NetworkName,
    method: SortMethod,
    descending: bool,
    hardware: bool,
) -> None:
    """A device that says that it is a GPU merges lists itself; few keys have many ties."""
    keys = numbers.view(dtype)
    for each in (keys, np.resize(keys[:3], len(keys))):
        options: Any = {"network": network, "method": method, "descending": descending}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(device, "hardware", hardware)
            order = ss.argsort(each, device=device, **options)
            found, places = ss.sort_records(each, np.arange(len(each)), device=device, **options)
        expected = largest_first(each) if descending else stable(each)
        np.testing.assert_array_equal(order, expected)
        np.testing.assert_array_equal(places, expected)
        np.testing.assert_array_equal(bits(found), bits(each[order]))


def test_the_input_is_left_alone(device: Device) -> None:
    for dtype in TYPES:
        keys, values = random_bits(8, 300, dtype), random_bits(9, (300, 2), dtype)
        before = keys.copy(), values.copy()
        keys.setflags(write=False)
        values.setflags(write=False)
        for descending in (False, True):
            ss.argsort(keys, device=device, descending=descending)
            found = ss.sort_records(keys, values, device=device, descending=descending)
            for result, original in zip(found, (keys, values), strict=True):
                assert not np.shares_memory(result, original)
        np.testing.assert_array_equal(bits(keys), bits(before[0]))
        np.testing.assert_array_equal(bits(values), bits(before[1]))


def test_keys_that_lie_otherwise(device: Device) -> None:
    keys = random_bits(3, 300, "float32")
    for each in (keys[::-3], keys.astype(">f4"), np.broadcast_to(np.float32(2), 9)):
        np.testing.assert_array_equal(ss.argsort(each, device=device), stable(each))


def test_half_precision_makes_ties(software: Device) -> None:
    keys = np.array([1.0001, 1, -1, 1.00001], np.float32)
    rounded, values = ss.sort_records(keys, [0, 1, 2, 3], device=software, precision="float16")
    assert rounded.dtype == np.float16
    assert values.tolist() == [2, 0, 1, 3]
    assert ss.argsort(keys, device=software, precision="float16").tolist() == [2, 0, 1, 3]
    assert ss.argsort(keys, device=software).tolist() == [2, 1, 3, 0]


VALUES = [
    np.arange(20),
    np.arange(120.0).reshape(20, 2, 3),
    np.zeros((20, 0)),
    np.array([f"name {i}" for i in range(20)]),
    np.array([{i} for i in range(20)]),
    np.array([(i, b"x", i / 2) for i in range(20)], [("id", "i4"), ("x", "S1"), ("y", "f8")]),
    np.arange(20).astype("datetime64[D]"),
    np.arange(40).reshape(2, 20).T,
    [(i, i) for i in range(20)],
]


@pytest.mark.parametrize("values", VALUES, ids=lambda v: f"{getattr(v, 'dtype', 'list')}")
def test_values_of_any_type_and_shape_follow(device: Device, values: Any) -> None:
    keys = np.random.default_rng(1).choice(telling_floats("float32"), 20)
    found, followed = ss.sort_records(keys, values, device=device)
    np.testing.assert_array_equal(bits(found), bits(keys[stable(keys)]))
    expected = np.asarray(values)[stable(keys)]
    assert followed.dtype == expected.dtype
    np.testing.assert_array_equal(followed, expected)


def test_keys_of_several_columns(device: Device) -> None:
    """As NumPy sorts them: rows, a structured type with a nested one, and keys of 128 bits."""
    random = np.random.default_rng(4)
    rows = random.choice(telling_floats("float32")[:6], (70, 3))
    kinds = [("day", "i4"), ("price", ">f8"), ("sizes", "u4", 2)]
    table = np.zeros(70, kinds)
    for name, column in zip(table.dtype.names or (), random.integers(0, 3, (3, 70)), strict=True):
        table[name] = (
            column if name != "sizes" else column[:, None] + random.integers(0, 2, (70, 2))
        )
    columns = [table["day"], table["price"], table["sizes"][:, 0], table["sizes"][:, 1]]
    wide = random_bits(6, (70, 2), "uint64")
    wide[::3, 0] = wide[0, 0]
    for keys, each in ((rows, [*rows.T]), (table, columns), (wide, [*wide.T])):
        for descending in (False, True):
            found, places = ss.sort_records(
                keys, np.arange(70), device=device, descending=descending
            )
            turned = [-column.astype(object) for column in each] if descending else each
            order = sorted(range(70), key=lambda i: [column[i] for column in turned])
            assert places.tolist() == order
            assert found.dtype == keys.dtype
            np.testing.assert_array_equal(found, keys[order])
    with pytest.raises(errors.KeysNotFlat, match="no column"):
        ss.sort_records(np.zeros((3, 0), np.int32), [1, 2, 3], device=device)
    with pytest.raises(errors.UnsupportedKeys, match="int8 fit no texture"):
        ss.sort_records(np.zeros(3, [("day", "i1")]), [1, 2, 3], device=device)


def test_values_that_do_not_match(software: Device) -> None:
    keys = np.zeros(5, np.float32)
    for values, message in (
        (np.zeros((4, 5)), r"5 keys, and values of shape \(4, 5\): the first axis must have one"),
        (np.zeros(6), r"values of shape \(6,\)"),
        (3, r"values of shape \(\)"),
        ([[1], [1, 2], [1], [1], [1]], "values are no array"),
    ):
        with pytest.raises(errors.ValuesMismatch, match=message):
            ss.sort_records(keys, values, device=software)


def test_blending_parts_records(device: Device) -> None:
    for n in (0, 1, 9):
        with pytest.raises(
            errors.MethodUnavailable, match=r"'blend' cannot sort records.*Use method='fr"
        ):
            ss.argsort(np.zeros(n, np.float32), method="blend", device=device)
    with pytest.raises(errors.MethodUnavailable, match="MIN and MAX"):
        ss.compile(network("pbsn", 4), 2, 2, "blend", 2)


def test_as_many_records_as_a_texture_holds(
    software: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(software, "max_texture_size", 8)
    keys = random_bits(1, 128, "float32")
    np.testing.assert_array_equal(ss.argsort(keys, device=software), stable(keys))
    with pytest.raises(
        errors.TooManyKeys, match=r"129 records do not fit.*8 × 8 texels: it takes 128"
    ):
        ss.argsort(np.zeros(129, np.float32), device=software)


def test_more_records_than_32_bits_count(software: Device) -> None:
    many = np.broadcast_to(np.float32(0), 1 << 32)
    with pytest.raises(
        errors.TooManyKeys, match=r"4,294,967,296 records: .* at most 4,294,967,295"
    ):
        ss.argsort(many, device=software)
    with pytest.raises(
        errors.TooManyKeys, match="4,294,967,295 records do not fit into the largest"
    ):
        ss.argsort(many[1:], device=software)


def test_what_is_refused(software: Device, card: Device) -> None:
    with pytest.raises(errors.ProfileLimit, match="no integer textures"):
        ss.argsort(np.zeros(9, np.float32), device=card)
    for option, name in (("network", "bubble"), ("method", "magic"), ("precision", "float16")):
        with pytest.raises(errors.UnknownName):
            ss.argsort(np.zeros(0, np.int32), device=software, **{option: name})  # type: ignore[arg-type]
