"""Programs that compare records: channels together, by every method."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import shadersort as ss
from shadersort import Device
from shadersort.drawing.cost.estimate import price
from shadersort.drawing.cost.profiles import PROFILES
from shadersort.drawing.networks import network
from shadersort.drawing.passes import Pass, texture_size
from shadersort.drawing.program import Program
from shadersort.drawing.quads import whole
from shadersort.drawing.verify import verify
from shadersort.errors import BadProgram
from shadersort.sorting.records import MOST_RECORDS, records_in, texels_of

WAYS = [
    (network, method)
    for network in ss.NETWORKS
    for method in ("fragment", "kipfer", "fused", "compute")
]
CARD = PROFILES["geforce-6800-ultra"]


@pytest.mark.parametrize(("name", "method"), WAYS)
def test_all_small_inputs_with_ties(device: Device, name: str, method: str) -> None:
    """Every array of 8 keys of 0, 1 and 2: a window each, and beside it the same backwards."""
    keys = np.array(list(product(range(3), repeat=8)), np.uint64)
    lists = [keys, keys[::-1]]
    windows = np.stack([each << np.uint64(32) | np.arange(8, dtype=np.uint64) for each in lists])
    texels = texels_of(windows.reshape(2, -1).T.ravel(), keys.size)
    program = ss.compile(network(name, 8), 8, len(keys), method, 2)
    found = records_in(device.run(program, texels.reshape(len(keys), 8, 4)))
    for result, each in zip(found.T.astype(np.uint64), lists, strict=True):
        order = (result & MOST_RECORDS).reshape(-1, 8)
        np.testing.assert_array_equal(order, np.argsort(each, axis=1, kind="stable"))


def test_comparisons_and_bytes() -> None:
    """Fewer lists are fewer comparisons of the same bytes, and one list needs no merge."""
    wires, n = network("bitonic", 1 << 10), 1 << 10
    for record in (1, 2):
        program = ss.compile(wires, *texture_size(n), "fragment", record)
        cost = price(program, CARD, np.dtype(np.float32))
        lists = 4 // record
        assert cost.comparisons == lists * (2 * wires.comparator_count + n), record
        assert cost.bytes_read == 2 * cost.bytes_written == 2 * 16 * n * wires.depth, record


def test_bad_records_are_refused() -> None:
    wires, quads = network("pbsn", 4), (whole(2, 2),)

    def program(*passes: Pass, record: int = 2) -> Program:
        return Program(wires, "mine", 2, 2, passes, "frame", record)  # type: ignore[arg-type]

    copy, step = Pass("copy", "texture", "frame", quads, record=2), wires.steps[:1]
    verify(program(copy, Pass("comparator", "texture", "frame", quads, None, step, 2)))
    for bad, reason in (
        (Pass("comparator", "texture", "frame", quads, None, step), "pass 1: has records of 1 ch"),
        (replace(copy, blend="min"), "pass 1: blends channel by channel, which parts records"),
    ):
        with pytest.raises(BadProgram, match=reason):
            verify(program(copy, bad))
    with pytest.raises(BadProgram, match="2 channels, a key 1, not 3"):
        verify(program(replace(copy, record=3), record=3))  # type: ignore[arg-type]
