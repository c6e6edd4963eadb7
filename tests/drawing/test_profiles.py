from dataclasses import fields
from itertools import chain

import pytest

from shadersort.drawing.cost.profiles import (
    PROFILES,
    Cycles,
    Quantity,
    card,
    memory_bandwidth,
)
from shadersort.errors import UnknownName


@pytest.mark.parametrize("name", PROFILES)
def test_every_figure_has_a_unit_and_a_source(name: str) -> None:
    sheet = card(name)
    assert sheet.name == name
    assert card(sheet) is sheet, "a caller's own"
    values = [getattr(sheet, field.name) for field in fields(sheet)]
    pairs = [(each.float16, each.float32) for each in values if isinstance(each, Cycles)]
    figures = [each for each in chain(values, *pairs) if isinstance(each, Quantity)]
    assert len(figures) >= 15
    for quantity in figures:
        assert quantity.source, quantity
        assert bool(quantity.unit) != isinstance(quantity.value, bool), quantity
        assert isinstance(quantity.value, bool) or quantity.value > 0, quantity
        assert quantity.source in str(quantity)
    assert (sheet.cycles_per_blend.float32 is None) == (sheet.blend_precision.value < 32)


def test_the_6800_ultra_is_the_paper_s() -> None:
    sheet = card("geforce-6800-ultra")
    assert sheet.core_clock.value == 400e6
    assert sheet.fragment_pipelines.value == 16
    assert sheet.memory_bandwidth.value == 88 * 400e6  # section 3.3: 88 bytes in one clock cycle
    assert sheet.video_memory is not None
    assert sheet.video_memory.value == 512 * 2**20
    assert sheet.upload_bandwidth.value == 800e6
    assert 6 <= sheet.cycles_per_blend.float16.value <= 7
    assert sheet.cycles_per_comparison.float16.value >= 53
    assert not sheet.integer_textures.value
    assert not sheet.compute_shaders.value


@pytest.mark.parametrize(
    ("device", "gigabytes"),
    [
        ("NVIDIA GeForce 6800 Ultra, 512 MB, AGP 8x", 35.2),
        ("NVIDIA Tesla C2050; Intel i7 at 2.8 GHz", 144),
        ("NVIDIA H200/PCIe/SSE2", 4800),
    ],
)
def test_the_memory_of_a_card_is_found_in_a_description(device: str, gigabytes: float) -> None:
    assert memory_bandwidth(device).value == gigabytes * 1e9
    with pytest.raises(UnknownName, match="Voodoo"):
        memory_bandwidth("Voodoo 2")
    with pytest.raises(UnknownName, match="use 'geforce-6800-ultra'"):
        card("voodoo2")
