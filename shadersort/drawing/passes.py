"""What a program is made of: passes, frozen values.

A `Pass` is one drawing command: it draws quads into a target. Every texel that a quad covers gets
the colour that a shader computes for it from a source, at the quad's texture coordinates. With
blending, the smaller (or larger) of that colour and the one already there stays.

Two kinds of pass ask a question instead of moving keys. A reducing pass draws one texel for up to
four that it fetches. A counting pass draws nothing: an occlusion query counts the keys that its
shader lets through.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from shadersort.drawing.methods.butterflies import LAYERS, Fusion
from shadersort.drawing.networks import Step
from shadersort.drawing.quads import Quads, Repeat

Blend = Literal["min", "max"]
Record = Literal[1, 2]
Shader = (
    Literal["copy", "keep", "comparator", "butterfly", "global", "block", "inside"]
    | Literal["below", "equal", "extent", "nearest", "distances", "fold"]
)
"""Shaders that move keys, and shaders that ask a question."""
Answer = Literal["texture", "texel", "counts"]
Parameters = Mapping[str, float]
"""The numbers that a program's shaders take when it is executed, by name: a pivot, for example."""
Passes = tuple[tuple["Pass", ...], str]
"""The passes of a program, and the buffer that holds the result after the last."""

CHANNELS = 4
"""Red, green, blue and alpha: keys in a texel."""

TEXTURE = "texture"
"""The buffer that holds a program's input."""
FRAME = "frame"
"""The buffer that is drawn into first."""

CONE_STEPS = 3
"""Most steps that a "comparator" or "global" pass runs at once: 8 texels are fetched for them."""

BLOCK = 2048
"""Texels in a block of a "block" pass: 32 KiB, the shared memory that OpenGL 4.3 promises."""

BLOCK_STEPS = 66
"""Most steps of a "block" pass: those of a bitonic sort of one block."""

MOST_TAPS = 4
"""Most texels that a reducing pass fetches for one: a square of two by two."""

SHADER_PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "below": ("pivot",),
    "equal": ("pivot",),
    "extent": (),
    "nearest": ("pivot",),
    "distances": ("pivot", "low", "high"),
    "fold": (),
}
"""The shaders that count or reduce, and the names of the parameters of each."""

ALL_CHANNELS = Repeat(CHANNELS)
"""Repeats in place, of a counting pass only: each repeat looks at the next channel."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One drawing command, complete in itself: nothing about it hides in global state.

    Attributes
    ----------
    shader
        Name of a file of `shaders/`: the fragment shaders "copy", "keep", "comparator",
        "butterfly" and "inside", or the compute shaders "global" and "block". "below" and "equal"
        count; "extent", "nearest" and "distances" reduce keys to summaries, "fold" reduces
        summaries to fewer.
    source, target
        Logical buffers that are read and drawn into, never the same. The device decides which
        textures and framebuffers they are.
    quads
        What is drawn. No texel is covered twice in one pass, except by a counting pass, which
        repeats every quad in place, by `ALL_CHANNELS`.
    blend
        None replaces what is in the target; "min" and "max" keep the smaller and larger of the
        two, channel by channel.
    steps
        The steps of a network that a shader runs, in their order; none if it copies. They join
        texels.
    inside
        The steps inside of texels that it runs last, as "inside", "butterfly" and "block" can.
    fusion
        For a "butterfly" pass: how it runs the steps, and where the wires lie in source and target.
        All other shaders read and write them row by row.
    record
        Channels that are compared as one. 1: each channel holds keys of its own. 2: they hold
        records; the first channel in which two records differ decides their order.
    taps
        The texels that a reducing pass fetches for each texel that it draws, as distances (dx, dy)
        from its texture coordinates.
    """

    shader: Shader
    source: str
    target: str
    quads: tuple[Quads, ...]
    blend: Blend | None = None
    steps: tuple[Step, ...] = ()
    record: Record = 1
    fusion: Fusion | None = None
    inside: tuple[Step, ...] = ()
    taps: tuple[tuple[int, int], ...] = ()

    @property
    def layers(self) -> int:
        """Textures that its target is made of."""
        return self.fusion.writes.layers if self.fusion else 1

    @property
    def counts(self) -> bool:
        """Whether it writes nothing, and counts the keys that its shader lets through."""
        return self.shader in ("below", "equal")

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the numbers that its shader takes when the program is executed."""
        return SHADER_PARAMETERS.get(self.shader, ())

    @property
    def texels(self) -> int:
        """Number of texels drawn; they are written too, unless the pass counts."""
        return self.layers * sum(quads.texels for quads in self.quads)

    @property
    def quad_count(self) -> int:
        """Number of quads drawn."""
        return sum(quads.count for quads in self.quads)

    @property
    def fetches(self) -> int:
        """Texels that are fetched for each texel drawn."""
        if self.fusion:
            return len(self.fusion.butterfly.inputs) // self.layers
        if self.taps:
            return len(self.taps)
        return 1 if self.computes_blocks else 1 << len(self.steps)

    @property
    def comparisons(self) -> int:
        """Comparisons of two keys in a network that the shader makes for each texel drawn."""
        inside = len(self.inside)
        if self.fusion:
            return len(self.steps) * LAYERS // self.layers + inside
        return inside + (len(self.steps) if self.computes_blocks else (1 << len(self.steps)) - 1)

    @property
    def computes(self) -> bool:
        """Whether its shader is a compute shader."""
        return self.shader in ("global", "block")

    @property
    def computes_blocks(self) -> bool:
        """Whether it works on blocks in shared memory."""
        return self.shader == "block"


def window_texels(keys: int, per_texel: int = CHANNELS) -> int:
    """Return the number of texels, a power of two, that holds `keys` keys."""
    return ceil_power_of_two(-(-keys // per_texel))


def largest_texture(max_texture_size: int) -> int:
    """Return the texels of the largest texture whose sides are powers of two."""
    side = 1 << (max_texture_size.bit_length() - 1)
    return side * side


def texture_size(texels: int) -> tuple[int, int]:
    """Return width and height of a texture of `texels` texels: nearly square, as in the paper.

    The width is a power of two.
    """
    width = 1 << (ceil_power_of_two(texels).bit_length() - 1) // 2
    return width, -(-texels // width)


def ceil_power_of_two(value: int) -> int:
    """Return the smallest power of two that is at least `value`."""
    return 1 << max(0, value - 1).bit_length()
