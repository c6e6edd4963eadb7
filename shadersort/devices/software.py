"""The software device: the living definition of what a pass means, in NumPy.

Every other device must leave the same texels, bit for bit, after every pass. It needs no OpenGL,
and is written to be read, not to be fast.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.devices.base import Device, Texels, Texture
from shadersort.networks import Step
from shadersort.passes import Blend, Pass, Program

__all__ = ["SoftwareDevice"]

Indices = npt.NDArray[np.int64]
Parameters = Mapping[str, tuple[int, ...]]
Shader = Callable[[Texels, tuple[Indices, Indices], tuple[Indices, Indices], Parameters], Texels]


def copy(
    source: Texels,
    columns: tuple[Indices, Indices],
    rows: tuple[Indices, Indices],
    uniforms: Parameters,
) -> Texels:
    """shaders/copy.frag: the texels at the texture coordinates."""
    (_, s), (_, t) = columns, rows
    drawn: Texels = source[np.ix_(t, s)]
    return drawn


def comparator(
    source: Texels,
    columns: tuple[Indices, Indices],
    rows: tuple[Indices, Indices],
    uniforms: Parameters,
) -> Texels:
    """shaders/comparator.frag: each texel compared with its partner in a step of a network."""
    (x, _), (y, _) = columns, rows
    mirror, block, offset, period = uniforms["rule"]
    step = Step("mirror" if mirror else "shift", block, offset, period)
    index = np.add.outer(y * source.shape[1], x)
    partner = step.partner(index)
    keys = source.reshape(-1, source.shape[2])
    own, other = keys[index], keys[partner]
    keeps_smaller = (index < partner)[..., np.newaxis]
    drawn: Texels = np.where(keeps_smaller, np.minimum(own, other), np.maximum(own, other))
    return drawn


SHADERS: dict[str, Shader] = {"copy": copy, "comparator": comparator}
"""The NumPy twin of every fragment shader."""

BLEND: dict[Blend | None, Callable[[Texels, Texels], Texels]] = {
    None: lambda drawn, there: drawn,
    "min": np.minimum,
    "max": np.maximum,
}
"""What becomes of a drawn colour and the one already there."""


class SoftwareTexture(Texture):
    """A texture that is an array."""

    def __init__(self, texels: Texels) -> None:
        height, width, _ = texels.shape
        super().__init__(width, height, texels.dtype)
        self.texels = texels

    def read(self) -> Texels:
        """Return a copy of the texels."""
        return self.texels.copy()

    def release(self) -> None:
        """Forget the array."""
        self.texels = np.empty((0, 0, 4), self.dtype)


class SoftwareDevice(Device):
    """Executes programs in NumPy, on any machine."""

    kind = "software"
    renderer = f"NumPy {np.__version__}"
    hardware = False
    max_texture_size = 16384

    def upload(self, texels: Texels) -> SoftwareTexture:
        """Make a texture of a copy of the array."""
        self._check_texels(texels.shape, texels.dtype)
        return SoftwareTexture(np.array(texels, order="C"))

    def _allocate(self, width: int, height: int, dtype: np.dtype[Any]) -> SoftwareTexture:
        return SoftwareTexture(np.empty((height, width, 4), dtype))

    def _prepare(self, program: Program, dtype: np.dtype[Any]) -> tuple[Pass, ...]:
        return program.passes

    def _draw(self, each: Pass, source: SoftwareTexture, target: SoftwareTexture) -> None:
        shader, blend, uniforms = SHADERS[each.shader], BLEND[each.blend], dict(each.uniforms)
        for quads in each.quads:
            columns, rows = quads.columns(), quads.rows()
            drawn = shader(source.texels, columns, rows, uniforms)
            place = np.ix_(rows[0], columns[0])
            target.texels[place] = blend(drawn, target.texels[place])
