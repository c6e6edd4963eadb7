"""The programs that each call of the primitives draws, and their cost on a card."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from shadersort.drawing.compile import compile
from shadersort.drawing.cost.estimate import Cost, price
from shadersort.drawing.cost.limits import can_blend, fastest_method
from shadersort.drawing.cost.profiles import Profile, card
from shadersort.drawing.networks import network as build_network
from shadersort.drawing.passes import texture_size, window_texels
from shadersort.drawing.program import Program
from shadersort.drawing.questions import copying, counting, reducing
from shadersort.errors import MethodUnavailable, choices

NETWORK = "bitonic"
"""The network of a sort: it has half as many steps as PBSN."""

FLOAT32 = np.dtype(np.float32)


def sorting(width: int, height: int, profile: Profile | None) -> Program:
    """Return the program that sorts the channels of a texture, without compute shaders."""
    method = fastest_method(profile, computes=False, blends=can_blend(profile, "float32"))
    return compile(build_network(NETWORK, width * height), width, height, method)


Programs = Callable[[int, int, Profile], tuple[Program, ...]]

PROGRAMS: Mapping[str, Programs] = MappingProxyType(
    {
        "extent": lambda width, height, card: (
            reducing(width, height, "extent"),
            counting(width, height, ("equal",)),
            counting(width, height, ("equal",)),
        ),
        "below": lambda width, height, card: (counting(width, height, ("below",)),),
        "counts": lambda width, height, card: (counting(width, height, ("below", "equal")),),
        "objective": lambda width, height, card: (
            reducing(width, height, "distances"),
            counting(width, height, ("below", "equal")),
        ),
        "at_or_above": lambda width, height, card: (reducing(width, height, "nearest"),),
        "at_or_below": lambda width, height, card: (reducing(width, height, "nearest"),),
        "sort": lambda width, height, card: (copying(width, height), sorting(width, height, card)),
    }
)
"""The programs that a call draws, given the width and height of a texture, and a card.

If no finite key is found, `at_or_above` and `at_or_below` draw one more counting pass, for the
infinite keys.
"""


def cost_of(call: str, n: int, *, profile: str | Profile = "geforce-6800-ultra") -> Cost:
    """Return the cost of one call of `TexturePrimitives` on n keys in the memory of a card.

    Parameters
    ----------
    call
        A name in `PROGRAMS`.
    n
        The number of keys, including those that are never drawn.
    profile
        As for `shadersort.estimate`.

    Examples
    --------
    >>> print(cost_of("counts", 1 << 20))
    2 passes, 8 quads, 2.1 Mtexels, 0 comparisons, 33.6 MB read, 0 B written, 393 kcycles: \
0.99 ms drawing + 0.00 ms transfers = 0.99 ms
    """
    if call not in PROGRAMS:
        raise MethodUnavailable(f"textures cannot do {call!r}: use {choices(PROGRAMS)}")
    sheet = card(profile)
    size = texture_size(window_texels(n))
    costs = (price(program, sheet, FLOAT32) for program in PROGRAMS[call](*size, sheet))
    return sum(costs, Cost())
