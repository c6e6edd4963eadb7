"""The executor leaves the texels of the software device, bit for bit, after every pass."""

from collections.abc import Mapping

import numpy as np
import pytest
from playwright.sync_api import Page

from shadersort.drawing.compile import compile
from shadersort.drawing.devices.software import SoftwareDevice
from shadersort.drawing.devices.texture import Texels, Texture
from shadersort.drawing.methods.merging import merging
from shadersort.drawing.networks import network
from shadersort.drawing.passes import texture_size
from shadersort.drawing.program import Program
from shadersort.names import DrawingMethod, NetworkName
from tests.browser import renderer, run

NETWORKS: tuple[NetworkName, ...] = ("pbsn", "bitonic", "odd-even-merge")
METHODS: tuple[DrawingMethod, ...] = ("blend", "fragment", "kipfer", "fused")
TYPES = ("float32", "float16", "int32", "uint32")


def random_texels(width: int, height: int, dtype: str, *, infinite: bool = True) -> Texels:
    """Texels with ties, extremes and maybe infinities, but no key that is never drawn."""
    random, shape = np.random.default_rng(width * height), (height, width, 4)
    texels: Texels
    if np.dtype(dtype).kind == "f":
        texels = random.standard_normal(shape).round(2).astype(dtype) + np.dtype(dtype).type(0)
        limits = np.finfo(dtype)
        ends = [limits.max, limits.tiny, *[np.inf, -np.inf] * infinite]
    else:
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        texels = random.integers(low, high, shape, dtype=np.dtype(dtype), endpoint=True)
        ends = [low, high]
    places = random.integers(texels.size, size=len(ends))
    texels.flat[places] = ends
    return texels


def assert_same(page: Page, program: Program, texels: Texels) -> None:
    textures: list[Texels] = []

    def observe(index: int, buffers: Mapping[str, Texture]) -> None:
        textures.append(buffers[program.passes[index].target].read())

    with SoftwareDevice() as device:
        expected = device.run(program, texels, observe)
    result, seen = run(page, program, texels, every=True)
    assert len(seen) == len(textures)
    for index, (one, other) in enumerate(zip(seen, textures, strict=True)):
        np.testing.assert_array_equal(one, other, f"after pass {index}")
    np.testing.assert_array_equal(result, expected)


WAYS = [
    (method, dtype) for method in METHODS for dtype in TYPES if method != "blend" or "f" in dtype
]
"""Methods and types; only floats blend."""


@pytest.mark.parametrize(("method", "dtype"), WAYS)
@pytest.mark.parametrize("name", NETWORKS)
def test_every_pass(executor: Page, name: NetworkName, method: DrawingMethod, dtype: str) -> None:
    infinite = dtype != "float16" or "SwiftShader" not in renderer(executor)  # NaN there
    for wires in (1, 2, 8, 16, 64):
        size = texture_size(wires)
        texels = random_texels(*size, dtype, infinite=infinite)
        assert_same(executor, compile(network(name, wires), *size, method), texels)


@pytest.mark.parametrize("method", METHODS)
def test_lists_that_are_merged(executor: Page, method: DrawingMethod) -> None:
    for name in NETWORKS:
        for wires in (1, 16, 64):
            size = texture_size(wires)
            program = compile(merging(network(name, wires), 4), *size, method)
            assert_same(executor, program, random_texels(*size, "float32"))
