import numpy as np
import pytest

from shadersort import Device
from shadersort.errors import DeviceUnusable
from shadersort.keys.accepted import random_keys
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


def test_a_wrong_answer_is_not_timed(software: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shadersort.sorting.timing.sort", lambda keys, **options: keys[::-1])
    keys = random_keys(64, "f4", seed=0)
    with pytest.raises(DeviceUnusable, match="sorts 64 float32 keys wrongly, by pbsn and blend"):
        measure(software, keys, network="pbsn", method="blend", seconds=0)


def test_keys_must_fill_their_texels(software: Device) -> None:
    for count in (0, 3, 100):
        with pytest.raises(ValueError, match="fill the texels"):
            measure(software, np.zeros(count, "f4"), network="pbsn", method="blend", seconds=0)
