import pytest

from shadersort import Device
from shadersort.keys.inputs import random_keys
from shadersort.names import MergePlace, SortMethod
from shadersort.sorting.timing import measure
from tests.helpers import METHODS_AND_TYPES

MERGES: tuple[MergePlace, MergePlace] = ("host", "device")


@pytest.mark.parametrize(("method", "dtype"), METHODS_AND_TYPES)
def test_each_way_is_timed(software: Device, method: SortMethod, dtype: str) -> None:
    keys = random_keys(64, dtype, seed=0)
    timing = measure(software, keys, network="bitonic", method=method, seconds=0)
    assert (timing.keys, timing.dtype, timing.method, timing.turns) == (64, dtype, method, 1)
    assert 0 < timing.program_ms < timing.with_transfers_ms
    assert min(timing.sort_ms, timing.numpy_ms) > 0


def test_a_program_that_merges_is_timed_as_one(software: Device) -> None:
    keys = random_keys(64, "float32", seed=0)
    alone, merged = (
        measure(software, keys, network="pbsn", method="fragment", seconds=0, merge=merge)
        for merge in MERGES
    )
    assert (alone.merge, merged.merge) == MERGES
    assert merged.passes == alone.passes + 11  # two stages of four steps, and three inside
