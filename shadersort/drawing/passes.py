"""What a program is made of: quads, passes, and the program itself, all frozen values.

A `Pass` is one drawing command: it draws quads into a target, and every texel that a quad covers
gets the colour that a shader finds for it in a source, at the quad's texture coordinates. With
blending, the smaller (or larger) of that colour and the one already there stays.

Two kinds of pass ask instead of moving keys. A reducing pass draws one texel for each few that it
fetches; a counting pass draws nothing, and an occlusion query says how many keys its shader let
through.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np
import numpy.typing as npt

from shadersort.drawing.butterflies import LAYERS, Fusion
from shadersort.drawing.networks import Network, Step

__all__ = [
    "ALL_CHANNELS",
    "CHANNELS",
    "FRAME",
    "MOST_TAPS",
    "SHADER_PARAMETERS",
    "TEXTURE",
    "Answer",
    "Blend",
    "Parameters",
    "Pass",
    "Passes",
    "Program",
    "Quad",
    "Quads",
    "Record",
    "Repeat",
    "Shader",
]

Blend = Literal["min", "max"]
Record = Literal[1, 2, 4]
Shader = Literal[
    "copy",
    "comparator",
    "butterfly",
    "global",
    "block",
    "below",
    "equal",
    "extent",
    "nearest",
    "distances",
    "fold",
]
Answer = Literal["texture", "texel", "counts"]
Parameters = Mapping[str, float]
"""What shaders are told when a program is executed, by name: a pivot, for instance."""
Indices = npt.NDArray[np.int64]
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

COUNTING = ("below", "equal")
"""Shaders that count: they let a fragment pass, or discard it."""

SHADER_PARAMETERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "below": ("pivot",),
        "equal": ("pivot",),
        "extent": (),
        "nearest": ("pivot",),
        "distances": ("pivot", "low", "high"),
        "fold": (),
    }
)
"""Shaders that ask, and the parameters of each: numbers that are told when a pass is drawn."""


@dataclass(frozen=True, slots=True)
class Quad:
    """A rectangle of texels, and the texture coordinates at its corners, both in texels.

    Corner (x0, y0) has the texture coordinates (s0, t0), corner (x1, y1) has (s1, t1). A texture
    coordinate that falls while its position grows mirrors the texture; it never stretches it.
    """

    x0: int
    y0: int
    x1: int
    y1: int
    s0: int
    t0: int
    s1: int
    t1: int


@dataclass(frozen=True, slots=True)
class Repeat:
    """Repeat something `count` times, each (dx, dy) texels after the one before."""

    count: int = 1
    dx: int = 0
    dy: int = 0


@dataclass(frozen=True, slots=True)
class Quads:
    """A quad, drawn again and again: `inner` repeats it, `outer` repeats the row of repeats.

    Texture coordinates move along with the quad. Thousands of quads are one small value this way,
    and one instanced drawing call.

    Examples
    --------
    >>> left_halves = Quads(Quad(0, 0, 2, 8, 4, 0, 2, 8), inner=Repeat(2, dx=4))
    >>> left_halves.columns()
    (array([0, 1, 4, 5]), array([3, 2, 7, 6]))
    """

    quad: Quad
    inner: Repeat = Repeat()
    outer: Repeat = Repeat()

    @property
    def count(self) -> int:
        """Number of quads drawn."""
        return self.inner.count * self.outer.count

    @property
    def texels(self) -> int:
        """Number of texels covered by all quads together."""
        q = self.quad
        return self.count * (q.x1 - q.x0) * (q.y1 - q.y0)

    def columns(self) -> tuple[Indices, Indices]:
        """Return the columns x that are covered, and the texture's column s at each."""
        q = self.quad
        return _covered(q.x0, q.x1, q.s0, q.s1, self.inner, self.outer, "dx")

    def rows(self) -> tuple[Indices, Indices]:
        """Return the rows y that are covered, and the texture's row t at each."""
        q = self.quad
        return _covered(q.y0, q.y1, q.t0, q.t1, self.inner, self.outer, "dy")


def _covered(
    start: int,
    stop: int,
    first: int,
    last: int,
    inner: Repeat,
    outer: Repeat,
    axis: Literal["dx", "dy"],
) -> tuple[Indices, Indices]:
    """Positions that a repeated span covers along one axis, and the texture coordinate at each."""
    shifts = np.zeros(1, dtype=np.int64)
    for repeat in (inner, outer):
        if pitch := getattr(repeat, axis):
            shifts = np.add.outer(np.arange(repeat.count) * pitch, shifts).ravel()
    positions = np.arange(start, stop)
    coordinates = first + (positions - start) if last >= first else first - 1 - (positions - start)
    return (
        np.add.outer(shifts, positions).ravel(),
        np.add.outer(shifts, coordinates).ravel(),
    )


ALL_CHANNELS = Repeat(CHANNELS)
"""Repeats in place, of a counting pass only: each repeat looks at the next channel."""


def whole(width: int, height: int) -> Quads:
    """Return one quad over the whole texture, textured with the very same place."""
    return Quads(Quad(0, 0, width, height, 0, 0, width, height))


@dataclass(frozen=True, slots=True)
class Pass:
    """One drawing command, complete in itself: nothing about it hides in global state.

    Attributes
    ----------
    shader
        Name of a file of `shaders/`: the fragment shaders "copy", "comparator" and "butterfly", or
        the compute shaders "global" and "block". Those that count: "below" and "equal". Those that
        reduce: "extent", "nearest" and "distances" sum keys up, "fold" sums up what they drew.
    source, target
        Logical buffers that are read and drawn into, never the same. What they are on a device
        (textures, framebuffers) is the device's business.
    quads
        What is drawn. No texel is covered twice in one pass, but for a counting pass, which repeats
        every quad in place for `ALL_CHANNELS`.
    blend
        None replaces what is in the target; "min" and "max" keep the smaller and larger of the
        two, channel by channel.
    steps
        The steps of a network that a shader runs, in their order; none if it copies.
    fusion
        For a "butterfly" pass: how it runs the steps, and where the wires lie in source and target.
        All other shaders read and write them row by row.
    record
        Channels that are compared as one. 1: each channel holds keys of its own. 2 or 4: they hold
        records, and of two records the first channel that differs decides.
    taps
        The texels that a reducing pass fetches for each that it draws, as distances (dx, dy) from
        its texture coordinates.
    """

    shader: Shader
    source: str
    target: str
    quads: tuple[Quads, ...]
    blend: Blend | None = None
    steps: tuple[Step, ...] = ()
    record: Record = 1
    fusion: Fusion | None = None
    taps: tuple[tuple[int, int], ...] = ()

    @property
    def layers(self) -> int:
        """Textures that its target is made of."""
        return self.fusion.writes.layers if self.fusion else 1

    @property
    def counts(self) -> bool:
        """Whether it writes nothing, and counts the keys that its shader lets through."""
        return self.shader in COUNTING

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of what its shader is told when the program is executed."""
        return SHADER_PARAMETERS.get(self.shader, ())

    @property
    def texels(self) -> int:
        """Number of texels drawn: written, but for a counting pass."""
        return self.layers * sum(quads.texels for quads in self.quads)

    @property
    def quad_count(self) -> int:
        """Number of quads drawn."""
        return sum(quads.count for quads in self.quads)

    @property
    def fetches(self) -> int:
        """Texels that are fetched for each texel written."""
        if self.fusion:
            return len(self.fusion.butterfly.inputs) // self.layers
        if self.taps:
            return len(self.taps)
        return 1 if self.computes_blocks else 1 << len(self.steps)

    @property
    def comparisons(self) -> int:
        """Comparisons of two keys in a network that the shader makes for each texel written."""
        if self.fusion:
            return len(self.steps) * LAYERS // self.layers
        return len(self.steps) if self.computes_blocks else (1 << len(self.steps)) - 1

    @property
    def computes(self) -> bool:
        """Whether its shader is a compute shader."""
        return self.shader in ("global", "block")

    @property
    def computes_blocks(self) -> bool:
        """Whether it works on blocks in shared memory."""
        return self.shader == "block"


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Program:
    """Passes in their order, over buffers of width × height texels.

    The input is in the buffer "texture"; after the last pass the answer is in `result`. `record` is
    that of all its passes: a texel holds 4 keys, 2 records of two channels, or 1 of four.

    What it answers is that whole texture; or its first texel only; or nothing but the numbers that
    its counting passes found. The last two leave the input as it is, to be asked again.
    """

    network: Network
    method: str
    width: int
    height: int
    passes: tuple[Pass, ...]
    result: str
    record: Record = 1
    answer: Answer = "texture"

    @property
    def blends(self) -> bool:
        """Whether it needs keys that blend; by method "blend" even where there is one key only."""
        return self.method == "blend" or any(each.blend for each in self.passes)

    @property
    def texels(self) -> int:
        """Number of texels written by all passes together."""
        return sum(each.texels for each in self.passes)
