import pytest

from shadersort import Device
from shadersort.keys.inputs import random_keys
from shadersort.names import MergePlace, SortMethod
from shadersort.sorting.timing import measure
from tests.helpers import METHODS_AND_TYPES

MERGES: tuple[MergePlace, MergePlace] = ("host", "device")


@pytest.mark.parametrize(("method", "dtype"), METHODS_AND_TYPES)
def test_each_way_is_timed(software: Device, method: SortMethod, dtype: str) -> None:
    """A program that merges is timed as one."""
    keys, passes = random_keys(64, dtype, seed=0), []
    for merge in MERGES:
        timing = measure(software, keys, network="bitonic", method=method, seconds=0, merge=merge)
        assert (timing.keys, timing.dtype, timing.method, timing.turns) == (64, dtype, method, 1)
        assert timing.merge == merge
        assert 0 < timing.program_ms < timing.with_transfers_ms
        assert min(timing.sort_ms, timing.numpy_ms) > 0
        passes.append(timing.passes)
    assert method != "fragment" or passes[1] == passes[0] + 11  # 2 of 4 steps, and 3 inside
