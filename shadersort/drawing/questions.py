"""Programs that ask a question: they count by occlusion queries, or reduce a texture to one texel.

They leave the texture as it is, and the answer is a few numbers. A pivot or a window are parameters
of a program, so one program serves a whole search.

**Counting** draws the texture once for each of its channels, and writes nothing. An occlusion query
counts the fragments that the shader does not discard: one for each key that is below a pivot, or
equal to it.

**Reducing** halves both sides of the texture with every pass: each texel drawn sums up four. A card
of 2005 could also take a minimum by MIN blending, but only of halves. A shader is exact for 32-bit
floats, and needs one pass instead of four.
"""

from dataclasses import replace
from functools import lru_cache

from shadersort.drawing.networks import Network
from shadersort.drawing.passes import ALL_CHANNELS, FRAME, TEXTURE, Pass, Shader
from shadersort.drawing.program import Program
from shadersort.drawing.quads import whole
from shadersort.drawing.verify import verify

OTHER = "other"
"""The second buffer of a pyramid."""

NO_NETWORK = Network("none", 1, ())
"""The network of a program that asks a question: one wire a texel, and no step."""


@lru_cache(maxsize=64)
def copying(width: int, height: int) -> Program:
    """Return the program that copies a texture, so that another program may change the copy."""
    passes = (Pass("copy", TEXTURE, FRAME, (whole(width, height),)),)
    return verify(Program(NO_NETWORK, "copy", width, height, passes, FRAME))


@lru_cache(maxsize=64)
def counting(width: int, height: int, shaders: tuple[Shader, ...]) -> Program:
    """Return the program that counts keys, by one occlusion query for each shader."""
    quads = replace(whole(width, height), outer=ALL_CHANNELS)
    passes = tuple(Pass(shader, TEXTURE, FRAME, (quads,)) for shader in shaders)
    return verify(Program(NO_NETWORK, "count", width, height, passes, FRAME, answer="counts"))


@lru_cache(maxsize=64)
def reducing(width: int, height: int, shader: Shader) -> Program:
    """Return the program that reduces a texture to one texel. Its sides are powers of two.

    The first pass reduces keys to summaries by this shader, the others fold summaries.
    """
    passes: list[Pass] = []
    source, target = TEXTURE, FRAME
    x, y = width, height
    while not passes or x * y > 1:
        taps = tuple((dx, dy) for dy in _halves(y) for dx in _halves(x))
        x, y = (x + 1) // 2, (y + 1) // 2
        kind: Shader = "fold" if passes else shader
        passes.append(Pass(kind, source, target, (whole(x, y),), taps=taps))
        source, target = target, OTHER if target == FRAME else FRAME
    return verify(
        Program(NO_NETWORK, "reduce", width, height, tuple(passes), source, answer="texel")
    )


def _halves(side: int) -> tuple[int, ...]:
    """Return where the halves of a side begin; a side of one texel is not halved."""
    return (0, side // 2) if side > 1 else (0,)
