"""Parts of an array of the host on their way to a device."""

from typing import Any

import numpy as np
import pytest

from tests.modern.pretended_device import Link

staging: Any = pytest.importorskip("modern.streams.staging")


@pytest.mark.parametrize("pinned", [False, True])
def test_parts_arrive_in_their_order(pinned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short parts stay on the host."""
    links: list[Link] = []

    def link() -> Link:
        links.append(Link(late=True, pinned=pinned))
        return links[-1]

    monkeypatch.setattr(staging, "is_pinned", lambda keys: pinned)
    monkeypatch.setattr(staging, "CuPyLink", link)
    keys = np.random.default_rng(1).random(1 << 19, np.float32)
    for ends in ([], [1 << 18], [10, 100_000, 100_100, 200_000, 300_000, 400_000, 524_280]):
        parts = np.split(keys, ends)
        bounds = zip([0, *ends], [*ends, len(keys)], strict=True)
        for part, found in zip(parts, staging.staged(keys, bounds), strict=True):
            np.testing.assert_array_equal(found, part)
            assert np.shares_memory(found, keys) == (part.nbytes < staging.FEW)
        assert links[-1].closed
        assert (not links[-1].slots) == pinned
    assert [len(each.rooms) for each in links] == [1, 2, 2 if pinned else 4]
    few = keys[:100]
    assert all(np.shares_memory(each, few) for each in staging.staged(few, [(0, 50), (50, 100)]))
    assert len(links) == 3


def test_a_stream_that_is_left_early_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    link = Link(late=True)
    monkeypatch.setattr(staging, "is_pinned", lambda keys: False)
    monkeypatch.setattr(staging, "CuPyLink", lambda: link)
    parts = staging.staged(np.arange(1 << 18), [(0, 1 << 17), (1 << 17, 1 << 18)])
    next(parts)
    parts.close()
    assert link.closed
