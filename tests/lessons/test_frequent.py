"""Lesson 8: what is held, what may have been missed, and the water, in every moment of a story."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shadersort.lessons.frequent.pictures import moments


@given(st.lists(st.integers(0, 6), min_size=1, max_size=40), st.integers(1, 8))
def test_truth_lies_between_count_and_bar_or_under_water(values: list[int], size: int) -> None:
    stream = np.array(values * size)
    story = moments(stream, size)
    assert len(story) == 2 * len(values)
    for coming, over in zip(story[::2], story[1::2], strict=True):
        assert over.water == coming.water + 1
        held = coming.counts > 0
        assert np.all(coming.true[~held] <= coming.water)
        assert np.all(coming.counts <= coming.true)
        assert np.all((coming.true <= coming.counts + coming.missed)[held])
        assert np.all(coming.missed <= coming.water)
    for over, coming in zip(story[1::2], story[2::2], strict=False):
        let_go = over.counts + over.missed <= over.water
        seen = coming.true > over.true
        assert np.all(coming.counts[let_go & ~seen] == 0)
        assert np.all(coming.missed[let_go] == over.water)
        assert np.all(coming.counts[~let_go] >= over.counts[~let_go])
    assert np.array_equal(story[-1].true, np.bincount(stream))
