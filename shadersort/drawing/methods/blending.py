"""Sorting by texturing and blending, as the paper does: its routines 4.1 to 4.4, as passes.

=======  =======================================  ============================================
routine  in the paper                             here
=======  =======================================  ============================================
4.1      Copy                                     `copy`
4.2      ComputeMin: draw half of a block with    a pass with blend "min", over the quads of
         MIN blending, textured with the          `halves` (ComputeMax: "max"; ComputeRowMin
         mirrored other half                      and ComputeRowMax: blocks inside a row)
4.3      the periodic balanced sorting network    `compile_blend`, over `networks.pbsn`
4.4      SortStep: blocks of rows, or in rows     `halves`
=======  =======================================  ============================================

The paper is Govindaraju, Raghuvanshi and Manocha, "Fast and approximate stream mining of quantiles
and frequencies using graphics processors", SIGMOD 2005, sections 4.2 to 4.4.
"""

from shadersort.drawing.methods.merging import sections
from shadersort.drawing.networks import Network, Step
from shadersort.drawing.passes import FRAME, TEXTURE, Pass, Passes
from shadersort.drawing.quads import Quad, Quads, Repeat, whole

Halves = tuple[tuple[Quads, ...], tuple[Quads, ...]]
"""Quads over the first halves of blocks, and quads over the second halves."""


def compile_blend(network: Network, width: int, height: int) -> Passes:
    """Blend quads with MIN and with MAX, three passes a step: routine 4.3, for any network.

    The frame starts as a copy of the texture. In each step the first half of every block is drawn
    with MIN blending and the second half with MAX, both textured with their partners; then the
    frame is copied back to the texture. Steps inside of texels blend nothing: a shader runs them
    where it would only copy, and then both buffers are made equal again.
    """
    passes = [copy(TEXTURE, FRAME, width, height)]
    for joining, inside in sections(network):
        for step in joining:
            low, high = halves(step, width, height)
            passes.append(Pass("copy", TEXTURE, FRAME, low, "min"))
            passes.append(Pass("copy", TEXTURE, FRAME, high, "max"))
            passes.append(copy(FRAME, TEXTURE, width, height))
        if inside:
            source, target = passes[-1].source, passes[-1].target
            passes[-1] = ordered_inside(source, target, inside, width, height)
            passes.append(copy(target, source, width, height))
    if network.steps:
        passes.pop()  # nothing reads the last copy
    return tuple(passes), passes[-1].target


def ordered_inside(
    source: str, target: str, inside: tuple[Step, ...], width: int, height: int
) -> Pass:
    """Return a pass that copies everything, and runs steps inside of texels on the way."""
    return Pass("inside", source, target, (whole(width, height),), inside=inside)


def copy(source: str, target: str, width: int, height: int) -> Pass:
    """Return routine 4.1, Copy: draw a quad over everything, textured with the source."""
    return Pass("copy", source, target, (whole(width, height),))


def halves(step: Step, width: int, height: int) -> Halves:
    """Return quads over the first halves of all blocks of a step, and over the second halves.

    Both are textured with their partners. This is routine 4.4, SortStep: blocks inside a row are
    columns of the texture, larger blocks are whole rows. The network of odd-even merges has a third
    case: where its blocks are small and its period is long, one block a row wraps around.
    """
    if step.block > width:
        return _blocks_of_rows(step, width, height)
    if step.period <= width:
        return _blocks_in_rows(step, width, height)
    return _blocks_in_rows_of_long_periods(step, width, height)


def _blocks_of_rows(step: Step, width: int, height: int) -> Halves:
    """Return the quads of routine 4.2, ComputeMin and ComputeMax: bands of whole rows."""
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
    """Return the quads of ComputeRowMin and ComputeRowMax: columns as high as the texture."""
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
    """Return columns inside the rows, and one block a row that ends at the start of the next row.

    A period spans whole rows here. No block of its last row wraps: it would leave the period.
    """
    half, rows = step.half, step.period // width
    within = Step("shift", step.block, step.offset, width)
    low, high = _blocks_in_rows(within, width, height)
    periods = Repeat(height // rows, dy=rows)
    row_ends = Quad(width - half, 0, width, rows - 1, 0, 1, half, rows)
    row_starts = Quad(0, 1, half, rows, width - half, 0, width, rows - 1)
    return (*low, Quads(row_ends, outer=periods)), (*high, Quads(row_starts, outer=periods))
