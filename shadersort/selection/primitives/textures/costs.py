"""The programs that each call of the primitives draws, and their cost on a card."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from shadersort.drawing.compile import compile
from shadersort.drawing.cost.estimate import Cost, price
from shadersort.drawing.cost.limits import can_blend, fastest_method
from shadersort.drawing.cost.profiles import Profile, card
from shadersort.drawing.networks import network as build_network
from shadersort.drawing.passes import Shader, texture_size, window_texels
from shadersort.drawing.program import Program
from shadersort.drawing.questions import copying, counting, reducing
from shadersort.errors import MethodUnavailable, choices

NETWORK = "bitonic"
"""The network of a sort: it has half as many steps as PBSN."""

BOTH: tuple[Shader, ...] = ("below", "equal")
"""The shaders of a count at a pivot."""


def sort_program(width: int, height: int, profile: Profile | None) -> Program:
    """Return the program that sorts the channels of a texture, without compute shaders."""
    method = fastest_method(profile, computes=False, blends=can_blend(profile, "float32"))
    return compile(build_network(NETWORK, width * height), width, height, method)


PROGRAMS: Mapping[str, Callable[[int, int, Profile], tuple[Program, ...]]] = MappingProxyType(
    {
        "extent": lambda w, h, _: (reducing(w, h, "extent"), *2 * (counting(w, h, ("equal",)),)),
        "below": lambda w, h, _: (counting(w, h, ("below",)),),
        "counts": lambda w, h, _: (counting(w, h, BOTH),),
        "objective": lambda w, h, _: (reducing(w, h, "distances"), counting(w, h, BOTH)),
        "at_or_above": lambda w, h, _: (reducing(w, h, "nearest"),),
        "at_or_below": lambda w, h, _: (reducing(w, h, "nearest"),),
        "sort": lambda w, h, card: (copying(w, h), sort_program(w, h, card)),
    }
)
"""The programs that a call draws, given the width and height of a texture, and a card.

If no finite key is found, `at_or_above` and `at_or_below` draw one more counting pass, for the
infinite keys.
"""


def cost_of(call: str, n: int, *, profile: str | Profile = "geforce-6800-ultra") -> Cost:
    """Return the cost of one call, a name in `PROGRAMS`, on n keys in the memory of a card.

    n includes the keys that are never drawn; `profile` is that of `shadersort.estimate`.

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
    programs, dtype = PROGRAMS[call](*size, sheet), np.dtype(np.float32)
    return sum((price(program, sheet, dtype) for program in programs), Cost())
