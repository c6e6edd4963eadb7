"""Every kind of summary on whole lives of streams: cut, restored, merged, on every sorter."""

import pickle

import numpy as np
import pytest

from shadersort import Device
from shadersort.streams import RollingQuantiles, TextureSorter
from tests.soaking import SEED
from tests.streams.adversaries import ADVERSARIES, draws
from tests.streams.lives import HOST, KINDS, live
from tests.streams.test_rolling import METHODS, expected

LIVES = 1 if SEED is None else 110
"""Of each kind and each adversary: in a soak 20,000 together."""
DRAWN = 1 if SEED is None else 5
"""Of them, drawn ones: software draws slowly."""


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_within_the_guarantee(kind: str, name: str) -> None:
    for random, stream in draws(name, KINDS[kind].most, count=LIVES):
        live(KINDS[kind], random, stream, HOST)


@pytest.mark.explores
@pytest.mark.parametrize("name", ["zipf", "uniform", "zig-zag", "two values"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_is_within_the_guarantee_if_textures_sort(
    kind: str, name: str, software: Device, egl: Device
) -> None:
    sorters = [*HOST[:1], TextureSorter(device=software), TextureSorter(device=egl)]
    for random, stream in draws(name, 700, count=DRAWN):
        live(KINDS[kind], random, stream, sorters)


@pytest.mark.explores
@pytest.mark.parametrize("name", ADVERSARIES)
def test_rolling_quantiles_are_exact_after_every_update(name: str) -> None:
    for random, stream in draws(name, 3_000, count=LIVES):
        window = int(random.integers(1, min(stream.size, 700) + 1))
        q, method = float(random.random()), random.choice(METHODS)
        exact = expected(stream, window, q, method)
        rolling, end = RollingQuantiles(window, q, method=method, dtype=stream.dtype), 0
        for part in np.split(stream, np.sort(random.integers(0, stream.size + 1, 5))):
            rolling.update(part)
            end += part.size
            if random.random() < 0.4:
                rolling = pickle.loads(pickle.dumps(rolling))
            if end >= window:
                np.testing.assert_array_equal(rolling.quantile(), exact[end - window])
