"""Programs that compare records: channels together, by every method."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import shadersort as ss
from shadersort import Device
from shadersort.drawing.cost.estimate import price
from shadersort.drawing.networks import network
from shadersort.drawing.passes import Pass, Record
from shadersort.drawing.profiles import PROFILES
from shadersort.drawing.program import Program
from shadersort.drawing.quads import whole
from shadersort.drawing.texture_size import texture_size
from shadersort.drawing.verify import verify
from shadersort.errors import BadProgram
from shadersort.sorting.records import DIGITS, MOST_RECORDS
from tests.helpers import TYPES, bits

WAYS = [(network, method) for network in ss.NETWORKS for method in ("fragment", "fused", "compute")]
RECORDS: list[Record] = [2, 4]
CARD = PROFILES["geforce-6800-ultra"]


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize(("name", "method"), WAYS)
def test_all_small_inputs_with_ties(device: Device, name: str, method: str, record: Record) -> None:
    """Every array of 8 keys of 0, 1 and 2: a window each, and beside it the same backwards."""
    keys = np.array(list(product(range(3), repeat=8)), np.uint64)
    (digits,) = (each for each in DIGITS.values() if each.record == record)
    lists = [keys, keys[::-1]][: digits.lists]
    windows = np.stack([each << np.uint64(32) | np.arange(8, dtype=np.uint64) for each in lists])
    count = keys.size
    texels = digits.texels(windows.reshape(len(lists), -1).T.ravel(), count)
    program = ss.compile(network(name, 8), 8, len(keys), method, record)
    found = digits.runs(device.run(program, texels.reshape(len(keys), 8, 4)), count * len(lists))
    for result, each in zip(found, lists, strict=True):
        order = (result & MOST_RECORDS).reshape(-1, 8)
        np.testing.assert_array_equal(order, np.argsort(each, axis=1, kind="stable"))


@pytest.mark.parametrize("record", RECORDS)
@pytest.mark.parametrize(("name", "method"), WAYS)
def test_the_same_texels_as_by_software(
    opengl: Device, software: Device, name: str, method: str, record: Record
) -> None:
    """In every type of texture, although records use only two; few distinct keys, so many ties."""
    program = ss.compile(network(name, 64), 16, 12, method, record)
    for dtype in TYPES:
        keys = np.random.default_rng(record).integers(0, 3, (12, 16, 4)).astype(dtype)
        expected = software.run(program, keys)
        np.testing.assert_array_equal(bits(opengl.run(program, keys)), bits(expected), dtype)
        windows = [sorted(map(tuple, w)) for w in keys.reshape(3, 64, 4 // record, record)[:, :, 0]]
        assert windows == [list(map(tuple, w)) for w in expected.reshape(3, 64, 4)[..., :record]]


def test_comparisons_and_bytes() -> None:
    """Fewer lists are fewer comparisons of the same bytes, and one list needs no merge."""
    wires, n = network("bitonic", 1 << 10), 1 << 10
    for record in (1, *RECORDS):
        program = ss.compile(wires, *texture_size(n), "fragment", record)
        cost = price(program, CARD, np.dtype(np.float32))
        lists = 4 // record
        merged = n * lists if lists > 1 else 0
        assert cost.comparisons == lists * 2 * wires.comparator_count + merged, record
        assert cost.bytes_read == 2 * cost.bytes_written == 2 * 16 * n * wires.depth, record


def test_bad_records_are_refused() -> None:
    wires, quads = network("pbsn", 4), (whole(2, 2),)

    def program(*passes: Pass, record: int = 2) -> Program:
        return Program(wires, "mine", 2, 2, passes, "frame", record)  # type: ignore[arg-type]

    copy, step = Pass("copy", "texture", "frame", quads, record=2), wires.steps[:1]
    verify(program(copy, Pass("comparator", "texture", "frame", quads, None, step, 2)))
    for bad, reason in (
        (Pass("comparator", "texture", "frame", quads, None, step), "pass 1: has records of 1 ch"),
        (replace(copy, record=4), "pass 1: has records of 4 channels, not of 2"),
        (replace(copy, blend="min"), "pass 1: blends channel by channel, which parts records"),
    ):
        with pytest.raises(BadProgram, match=reason):
            verify(program(copy, bad))
    with pytest.raises(BadProgram, match="2 or 4 channels, a key 1, not 3"):
        verify(program(record=3))
