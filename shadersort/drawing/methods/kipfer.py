"""Kipfer's improved bitonic sort: partner and direction come with the quads.

The earlier bitonic sort of Purcell and others computes in every fragment, in 53 instructions or
more, which wire it is, which wire is its partner, and whether the smaller or the larger key stays.
Kipfer and Westermann, "Improved GPU sorting", GPU Gems 2, chapter 46, 2005, let the rasteriser do
this: a step is drawn as quads, whose texture coordinates give each fragment its partner, and whose
direction is the same for all fragments of a quad. The shader only fetches two texels and keeps one.

What this version does: one pass for each step of any network, over the quads that `blend` draws,
too (`halves`), from one texture into another. A quad over the first halves of blocks keeps the
smaller key, one over the second halves the larger. A step that leaves wires idle begins with a
copy. Steps inside of texels, which merge lists, have a pass and a shader of their own.
`network="bitonic", method="kipfer"` is the sort of the chapter.

The chapter packs two neighbouring keys, each with its pointer, into a texel, so that one comparison
of every merge needs no second fetch. Here a texel holds four keys of four windows, or two records.
Its directions alternate, as Batcher's do; here all comparators point the same way, so a quad's
direction follows from its texture coordinates. The price of a pass counts this shader's
instructions: those of the chapter were not at hand.
"""

from shadersort.drawing.methods.blending import copy, halves, ordered_inside
from shadersort.drawing.methods.merging import sections
from shadersort.drawing.networks import Network
from shadersort.drawing.passes import FRAME, TEXTURE, Pass, Passes
from shadersort.drawing.quads import Quads


def compile_kipfer(network: Network, width: int, height: int) -> Passes:
    """Sort in a fragment shader, one pass a step; quads give the partner and the direction."""
    source, target = TEXTURE, FRAME
    passes: list[Pass] = []
    for joining, inside in sections(network):
        for step in joining:
            if step.skips:
                passes.append(copy(source, target, width, height))
            low, high = halves(step, width, height)
            passes.append(Pass("keep", source, target, (*low, *high), steps=(step,)))
            source, target = target, source
        if inside:
            passes.append(ordered_inside(source, target, inside, width, height))
            source, target = target, source
    return tuple(passes), source


def smaller_stays(quads: Quads) -> bool:
    """Whether quads of "keep" passes keep the smaller key: whether the partner comes after."""
    q = quads.quad
    partner = q.t0 - (q.t1 < q.t0), q.s0 - (q.s1 < q.s0)
    return (q.y0, q.x0) < partner
