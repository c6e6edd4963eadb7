"""Programs of passes: all that the graphics card of 2005 is ever asked to do.

A network compiles to a `Program`, a tuple of passes, by one of the `METHODS`. A program knows no
device; any device can execute it. ("auto" is none of them: it is a device's choice of one.)

Keys lie in a texture row by row: wire i of the network is texel (i % width, i // width), and a
texture with more texels than the network has wires holds many windows, one after the other. Each
texel holds four keys, one a channel, and each channel is sorted on its own. Or it holds records:
two of two channels each, or one of all four.

The routines are those of Govindaraju, Raghuvanshi and Manocha, "Fast and approximate stream mining
of quantiles and frequencies using graphics processors", SIGMOD 2005, section 4.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby

from shadersort.drawing.fused import compile_butterflies
from shadersort.drawing.networks import Network, Step, is_power_of_two
from shadersort.drawing.passes import (
    BLOCK,
    BLOCK_STEPS,
    CONE_STEPS,
    FRAME,
    TEXTURE,
    Pass,
    Passes,
    Program,
    Quad,
    Quads,
    Record,
    Repeat,
    Shader,
    whole,
)
from shadersort.drawing.verify import verify
from shadersort.errors import BadProgram, MethodUnavailable, UnknownMethod, choices

__all__ = ["METHODS", "Pass", "Program", "Quad", "Quads", "Repeat", "build", "compile", "verify"]

Halves = tuple[tuple[Quads, ...], tuple[Quads, ...]]
"""Quads over the lower halves of blocks, and quads over the upper halves."""


def compile_blend(network: Network, width: int, height: int) -> Passes:
    """Sort by texturing and blending: routines 4.3 and 4.4 of the paper.

    The frame starts as a copy of the texture. In each step the lower half of every block is drawn
    with MIN blending and the upper half with MAX, both textured with their partners; then the
    frame is copied back to the texture.
    """
    passes = [copy(TEXTURE, FRAME, width, height)]
    for step in network.steps:
        low, high = halves(step, width, height)
        passes.append(Pass("copy", TEXTURE, FRAME, low, "min"))
        passes.append(Pass("copy", TEXTURE, FRAME, high, "max"))
        passes.append(copy(FRAME, TEXTURE, width, height))
    if network.steps:
        passes.pop()  # nothing reads the last copy
    return tuple(passes), FRAME


def compile_fragment(network: Network, width: int, height: int) -> Passes:
    """Sort in a fragment shader: one pass a step.

    Every texel fetches itself and its partner and keeps the smaller or the larger key.
    """
    return _to_and_fro([("comparator", [step]) for step in network.steps], width, height)


def compile_fused(network: Network, width: int, height: int) -> Passes:
    """Sort in a fragment shader, several steps in each pass: far fewer texels are written.

    Eight keys are fetched and eight are written, by butterflies, which run three or four steps. A
    network that leaves wires idle has none, nor has a texture that cannot be cut into eight. There
    each texel fetches the eight keys that its own depends on after three steps.
    """
    if passes := compile_butterflies(network, width, height):
        return passes
    groups = _groups(network.steps, CONE_STEPS)
    return _to_and_fro([("comparator", steps) for steps in groups], width, height)


def compile_compute(network: Network, width: int, height: int) -> Passes:
    """Sort by compute shaders: all that stays inside a block at once, the rest three steps a pass.

    A block lies in the shared memory of a work group while its steps are run. Only steps that join
    texels further apart go through the texture.
    """
    groups: list[tuple[Shader, Sequence[Step]]] = []
    for inside, run in groupby(network.steps, lambda step: step.period <= BLOCK):
        shader: Shader = "block" if inside else "global"
        most = BLOCK_STEPS if inside else CONE_STEPS
        groups += [(shader, steps) for steps in _groups(tuple(run), most)]
    return _to_and_fro(groups, width, height)


def _groups(steps: Sequence[Step], most: int) -> list[Sequence[Step]]:
    """Cut steps into runs of at most so many."""
    return [steps[i : i + most] for i in range(0, len(steps), most)]


def _to_and_fro(groups: Sequence[tuple[Shader, Sequence[Step]]], width: int, height: int) -> Passes:
    """Run groups of steps, each in one pass over everything, from one buffer to the other."""
    source, target = TEXTURE, FRAME
    everything = (whole(width, height),)
    passes: list[Pass] = []
    for shader, steps in groups:
        passes.append(Pass(shader, source, target, everything, steps=tuple(steps)))
        source, target = target, source
    return tuple(passes), source


METHODS: dict[str, Callable[[Network, int, int], Passes]] = {
    "blend": compile_blend,
    "fragment": compile_fragment,
    "fused": compile_fused,
    "compute": compile_compute,
}
"""Every method of drawing a network, by its public name."""


@lru_cache(maxsize=64)
def compile(network: Network, width: int, height: int, method: str, record: Record = 1) -> Program:
    """Compile a network to the passes that run it on every window of a width × height texture.

    The width is a power of two, and the texture holds a whole number of windows of `network.n`
    texels. Equal arguments give the same program, so a device may keep what it made of it. The
    program is verified.

    With `record`, 2 or 4 channels are compared as one, by every method but "blend".

    Examples
    --------
    >>> from shadersort.drawing.networks import pbsn
    >>> program = compile(pbsn(16), 4, 4, "blend")
    >>> len(program.passes), program.passes[1].blend
    (48, 'min')
    """
    program = build(network, width, height, method, record)
    verify(program)
    return program


def build(network: Network, width: int, height: int, method: str, record: Record = 1) -> Program:
    """Return the program of `compile`, new and not verified: to be looked at, not to be run."""
    if method not in METHODS:
        raise UnknownMethod(
            f"no method is called {method!r}: use {choices(METHODS)}, or 'auto' where the device "
            "is known"
        )
    if method == "blend" and record > 1:
        raise MethodUnavailable(
            "method 'blend' cannot sort records: MIN and MAX act on each channel alone, and would "
            "part a key from its index. Use method='fragment', 'fused' or 'compute'"
        )
    if not is_power_of_two(width):
        raise BadProgram(None, f"a texture's width must be a power of two, not {width}")
    if height < 1 or width * height % network.n:
        raise BadProgram(
            None,
            f"a texture of {width} × {height} texels does not hold a whole number of windows of "
            f"{network.n} keys",
        )
    passes, result = METHODS[method](network, width, height)
    if record > 1:
        passes = tuple(replace(each, record=record) for each in passes)
    return Program(network, method, width, height, passes, result, record)


def copy(source: str, target: str, width: int, height: int) -> Pass:
    """Routine Copy (4.1): draw a quad over everything, textured with the source."""
    return Pass("copy", source, target, (whole(width, height),))


def halves(step: Step, width: int, height: int) -> Halves:
    """Quads over the lower halves of all blocks of a step, and those over the upper halves.

    Both are textured with their partners. This is routine SortStep (4.4): blocks inside a row are
    columns of the texture (ComputeRowMin and ComputeRowMax), larger blocks are whole rows
    (ComputeMin and ComputeMax). Only the network of odd-even merges has more: where its blocks
    are small but skip half a block of a long period, one block a row wraps around the row's end.
    """
    if step.block > width:
        return _blocks_of_rows(step, width, height)
    if step.period <= width:
        return _blocks_in_rows(step, width, height)
    return _blocks_in_rows_of_long_periods(step, width, height)


def _blocks_of_rows(step: Step, width: int, height: int) -> Halves:
    """ComputeMin and ComputeMax: each half block is a band of whole rows."""
    half, first, period = step.half // width, step.offset // width, step.period // width
    inner = Repeat(step.blocks, dy=2 * half)
    outer = Repeat(height // period, dy=period)
    middle, end = first + half, first + 2 * half
    if step.pairing == "mirror":
        low = Quad(0, first, width, middle, width, end, 0, middle)
        high = Quad(0, middle, width, end, width, middle, 0, first)
    else:
        low = Quad(0, first, width, middle, 0, middle, width, end)
        high = Quad(0, middle, width, end, 0, first, width, middle)
    return (Quads(low, inner, outer),), (Quads(high, inner, outer),)


def _blocks_in_rows(step: Step, width: int, height: int) -> Halves:
    """ComputeRowMin and ComputeRowMax: each half block is a column, as high as the texture."""
    inner = Repeat(step.blocks, dx=step.block)
    outer = Repeat(width // step.period, dx=step.period)
    first, middle, end = step.offset, step.offset + step.half, step.offset + step.block
    if step.pairing == "mirror":
        low = Quad(first, 0, middle, height, end, 0, middle, height)
        high = Quad(middle, 0, end, height, middle, 0, first, height)
    else:
        low = Quad(first, 0, middle, height, middle, 0, end, height)
        high = Quad(middle, 0, end, height, first, 0, middle, height)
    if not inner.count:
        return (), ()
    return (Quads(low, inner, outer),), (Quads(high, inner, outer),)


def _blocks_in_rows_of_long_periods(step: Step, width: int, height: int) -> Halves:
    """Columns inside the rows, and one block a row that ends at the start of the next row.

    A period spans whole rows here. Its last row has no block that wraps: it would leave the period.
    """
    half, rows = step.half, step.period // width
    within = Step("shift", step.block, step.offset, width)
    low, high = _blocks_in_rows(within, width, height)
    periods = Repeat(height // rows, dy=rows)
    row_ends = Quad(width - half, 0, width, rows - 1, 0, 1, half, rows)
    row_starts = Quad(0, 1, half, rows, width - half, 0, width, rows - 1)
    return (*low, Quads(row_ends, outer=periods)), (*high, Quads(row_starts, outer=periods))
