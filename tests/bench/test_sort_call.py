"""The benchmark of the whole call checks the answer, and tells each part."""

import numpy as np
import pytest

from bench import sort_call
from shadersort import Device
from shadersort.keys.types import Keys
from shadersort.sorting.texture_sort import TextureSort
from tests.bench.helpers import options_of

FEW = "--smallest 8 --largest 8 --turns 1 --way pbsn-blend --way bitonic-auto"


def test_every_row_tells_its_parts(software: Device) -> None:
    rows = list(sort_call.measurements(software, options_of(sort_call.main, FEW)))
    told = [(row["network"], row["method"], row["merge"]) for row in rows]
    ways = [("pbsn", "blend"), ("bitonic", "fused")]
    assert told == [(*way, merge) for way in ways for merge in ("host", "device")]
    for row in rows:
        assert all(row[f"{part}_ms"] > 0 for part in sort_call.PARTS)
        assert row["call_over_program"] == row["call_ms"] / row["program_ms"]
        assert row["label"] == f"{row['network']}, {row['method']}, float32, {software.label}"
    assert rows[1]["passes"] > rows[0]["passes"]


@pytest.mark.parametrize("part", ["sort", "unpacked"])
def test_a_wrong_answer_is_not_timed(
    software: Device, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """Neither where the call is wrong, nor where only its parts are."""

    def wrong(*arguments: object, **options: object) -> Keys:
        return np.zeros(256, np.float32)

    if part == "sort":
        monkeypatch.setattr(sort_call, "sort", wrong)
    else:
        right = TextureSort.sort
        monkeypatch.setattr(TextureSort, "unpacked", wrong)
        monkeypatch.setattr(sort_call, "_call", lambda way, keys: np.sort(keys))
        assert right is TextureSort.sort
    with pytest.raises(AssertionError, match="not timed: pbsn, blend"):
        list(sort_call.measurements(software, options_of(sort_call.main, FEW)))
