"""Programs of passes: each of the `METHODS` compiles a network to a program.

A program knows no device; any device can execute it. (With the method "auto" the device chooses one
of these methods: see `Device.resolved`.)

Keys lie in a texture row by row: wire i of the network is texel (i % width, i // width). A texture
with more texels than the network has wires holds several windows, one after the other. Each texel
holds four keys, one in each channel, and each channel is sorted on its own. Or a texel holds two
records of two channels each.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby

from shadersort.drawing.methods.blending import compile_blend
from shadersort.drawing.methods.fused import compile_butterflies
from shadersort.drawing.methods.kipfer import compile_kipfer
from shadersort.drawing.methods.merging import Steps, sections
from shadersort.drawing.networks import Network, is_power_of_two
from shadersort.drawing.passes import (
    BLOCK,
    BLOCK_STEPS,
    CHANNELS,
    CONE_STEPS,
    FRAME,
    TEXTURE,
    Pass,
    Passes,
    Record,
    Shader,
)
from shadersort.drawing.program import Program
from shadersort.drawing.quads import whole
from shadersort.drawing.verify import verify
from shadersort.errors import BadProgram, MethodUnavailable, UnknownName, choices
from shadersort.names import DrawingMethod

Group = tuple[Shader, Steps, Steps]
"""What one pass runs: its shader, steps that join texels, and steps inside of them."""


def compile_fragment(network: Network, width: int, height: int) -> Passes:
    """Sort in a fragment shader, one pass a step.

    Every texel fetches itself and its partner and keeps the smaller or the larger key.
    """
    return _to_and_fro(_cones(network, 1), width, height)


def compile_fused(network: Network, width: int, height: int) -> Passes:
    """Sort in a fragment shader, several steps in each pass, so that fewer texels are written.

    Where it is possible, a pass runs butterflies: each fetches eight keys, runs three or four steps
    and writes eight keys. Butterflies need a network without idle wires, and a texture that can be
    cut into eight parts. Otherwise each texel fetches the eight keys that its own key depends on
    after three steps.
    """
    if passes := compile_butterflies(network, width, height):
        return passes
    return _to_and_fro(_cones(network, CONE_STEPS), width, height)


def compile_compute(network: Network, width: int, height: int) -> Passes:
    """Sort by compute shaders: steps inside a block in one pass, the others three steps a pass.

    A block lies in the shared memory of a work group while its steps are run. Only steps that join
    texels further apart go through the texture.
    """
    groups: list[Group] = []
    for joining, inside in sections(network):
        for near, run in groupby(joining, lambda step: step.period <= BLOCK):
            shader: Shader = "block" if near else "global"
            most = BLOCK_STEPS if near else CONE_STEPS
            groups += [(shader, steps, ()) for steps in _groups(tuple(run), most)]
        if inside:
            together = joining and groups[-1][0] == "block"
            groups.append(("block", groups.pop()[1] if together else (), inside))
    return _to_and_fro(groups, width, height)


def _cones(network: Network, most: int) -> list[Group]:
    """Return groups of at most `most` steps for cones, and one for all steps inside of texels."""
    groups: list[Group] = []
    for joining, inside in sections(network):
        groups += [("comparator", steps, ()) for steps in _groups(joining, most)]
        groups += [("inside", (), inside)] if inside else []
    return groups


def _groups(steps: Steps, most: int) -> list[Steps]:
    """Cut steps into runs of at most `most`."""
    return [steps[i : i + most] for i in range(0, len(steps), most)]


def _to_and_fro(groups: Sequence[Group], width: int, height: int) -> Passes:
    """Run groups of steps, each in one pass over everything, from one buffer to the other."""
    source, target = TEXTURE, FRAME
    everything = (whole(width, height),)
    passes: list[Pass] = []
    for shader, steps, inside in groups:
        passes.append(Pass(shader, source, target, everything, steps=steps, inside=inside))
        source, target = target, source
    return tuple(passes), source


METHODS: dict[DrawingMethod, Callable[[Network, int, int], Passes]] = {
    "blend": compile_blend,
    "fragment": compile_fragment,
    "kipfer": compile_kipfer,
    "fused": compile_fused,
    "compute": compile_compute,
}
"""Every method of drawing a network, by its public name."""


@lru_cache(maxsize=64)
def compile(network: Network, width: int, height: int, method: str, record: Record = 1) -> Program:
    """Compile a network to the passes that run it on every window of a width × height texture.

    The width is a power of two, and the texture holds a whole number of windows of `network.n`
    texels. Equal arguments give the same program, so a device may keep what it has prepared for a
    program. The program has been verified.

    With `record` 2, two channels are compared as one, by every method except "blend".

    Examples
    --------
    >>> from shadersort.drawing.networks import pbsn
    >>> program = compile(pbsn(16), 4, 4, "blend")
    >>> len(program.passes), program.passes[1].blend
    (48, 'min')
    """
    return verify(build(network, width, height, method, record))


def build(network: Network, width: int, height: int, method: str, record: Record = 1) -> Program:
    """Return the program of `compile`, new and not verified: to be looked at, not to be run."""
    if method not in METHODS:
        raise UnknownName(
            f"no method is called {method!r}: use {choices(METHODS)}, or 'auto' where the device "
            "is known"
        )
    if method == "blend" and record > 1:
        raise MethodUnavailable(
            "method 'blend' cannot sort records: MIN and MAX act on each channel alone, and would "
            "part a key from its index. Use method='fragment', 'kipfer', 'fused' or 'compute'"
        )
    if not is_power_of_two(width):
        raise BadProgram(None, f"a texture's width must be a power of two, not {width}")
    if height < 1 or width * height % network.n:
        raise BadProgram(
            None,
            f"a texture of {width} × {height} texels does not hold a whole number of windows of "
            f"{network.n} keys",
        )
    if network.lists not in (1, CHANNELS // record):
        raise BadProgram(
            None,
            f"a texel holds {CHANNELS // record} lists of records of {record} channels, and the "
            f"network merges {network.lists}",
        )
    passes, result = METHODS[method](network, width, height)
    if record > 1:
        passes = tuple(replace(each, record=record) for each in passes)
    return Program(network, method, width, height, passes, result, record)
