"""Every kind of summary on whole lives of streams: cut, restored, merged, on every sorter."""

import pytest

from shadersort import Device
from shadersort.streams import TextureSorter
from tests.soaking import SEED
from tests.streams.adversaries import ADVERSARIES, draws
from tests.streams.lives import HOST, KINDS, live

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
