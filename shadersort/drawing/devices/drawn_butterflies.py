"""Passes of butterflies made ready for OpenGL: which layers a quad reads, and where in them.

The maps from a position to a wire and from a wire to its position are linear over bits. So the
shader gets a matrix: for every bit of a position in the target, the bits to flip in the source.
"""

import moderngl
import numpy as np
import numpy.typing as npt

from shadersort.drawing.butterflies import Fusion
from shadersort.drawing.devices.commands import Draw, Layers, LinkedShader, packed
from shadersort.drawing.passes import Pass, Program
from shadersort.drawing.quads import Quads


def macros_of(each: Pass, program: Program) -> tuple[tuple[str, int | str], ...]:
    """Return the macros of butterfly.frag for one pass."""
    assert each.fusion
    butterfly = each.fusion.butterfly
    comparators = (f"COMPARE({low}, {high})" for low, high in butterfly.comparators)
    return (
        ("INPUTS", len(butterfly.inputs)),
        ("OUTPUTS", each.layers),
        ("BITS", position_bits(each, program)),
        ("COMPARATORS", " ".join(comparators)),
    )


def position_bits(each: Pass, program: Program) -> int:
    """Return the bits of a position in a layer of the target; at least 1."""
    positions = program.width * program.height // each.layers
    return max(1, (positions - 1).bit_length())


def columns_of(each: Pass, program: Program) -> npt.NDArray[np.int32]:
    """Return, for each bit of a position in the target, the bits that butterfly.frag flips for it.

    They are bits of the position of the butterfly's first key, and bits of the wire's place among
    the keys. Bits above those of a window count windows, in source and target alike.
    """
    fusion = each.fusion
    assert fusion
    columns = np.zeros((position_bits(each, program), 2), np.int32)
    inside = len(fusion.writes.order)
    for i, column in enumerate(columns):
        if i < inside:
            wire = fusion.writes.wire(1 << i)
            first = fusion.reads.position(fusion.butterfly.first(wire))
            column[:] = first, fusion.butterfly.place(wire)
        else:
            column[0] = 1 << (len(fusion.reads.order) + i - inside)
    return columns


class DrawButterflies(Draw):
    """A pass that draws quads, each from layers of its own."""

    def __init__(
        self, gl: moderngl.Context, shader: LinkedShader, each: Pass, program: Program
    ) -> None:
        super().__init__(gl, shader, each, program)
        fusion = each.fusion
        assert fusion
        offsets = [fusion.reads.position(wire) for wire in fusion.butterfly.inputs]
        self._uniforms += [
            ("offsets", packed(*offsets)),
            ("columns", columns_of(each, program).tobytes()),
        ]
        self._sources = [_sources(fusion, quads, program.width) for quads in each.quads]

    def run(self, source: Layers, target: Layers, frame: moderngl.Framebuffer) -> None:
        """Draw the quads."""
        self.prepare(frame)
        for unit, layer in enumerate(source):
            layer.use(unit)
        for draw, layers in zip(self._draws, self._sources, strict=True):
            self._shader.set("sources", layers)
            self.draw(*draw)


def _sources(fusion: Fusion, quads: Quads, width: int) -> bytes:
    """Pack the layer of each key, which differs between quads."""
    butterfly = fusion.butterfly
    position = quads.quad.y0 * width + quads.quad.x0
    first = butterfly.first(fusion.writes.wire(position % (1 << len(fusion.writes.order))))
    layers = [fusion.reads.layer(first ^ other) for other in butterfly.inputs]
    return packed(*layers)
