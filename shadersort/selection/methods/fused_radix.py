"""Fused radix selection: all rounds of radix selection in one call of the device.

`radix` is the method of Alabi et al. 2012: the host reads a histogram after every digit, and
launches the next round. This method, which is ours, leaves the rounds to one launch, whose blocks
wait for each other. With few keys the launches are most of the time. `auto` does not choose this
method: `one-read` reads the keys once. But the other methods end by it on such a device.
"""

from shadersort.keys.types import Key
from shadersort.selection.method import Method
from shadersort.selection.primitives import Counts
from shadersort.selection.selection import Selection


def fused_radix(selection: Selection) -> Key:
    """Let the device divide the codes until the answer is left."""
    (answer,), (below,), (equal,) = selection.keys.fused_radix(selection.k)
    counts = Counts.of(int(below), int(equal), selection.n)
    selection.record("fused radix", pivot=answer, counts=counts, candidates=1)
    return answer


METHOD = Method("fused-radix", fused_radix, needs=("fused_radix",))
