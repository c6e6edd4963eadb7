"""Merging the lists of all texels by further steps of the network, so that no CPU has to.

A network sorts the four lists in the channels of its texels side by side. The merge is that of the
periodic balanced network: one of its stages merges two sorted lists that alternate, one on the even
wires and one on the odd wires (Dowd, Perl, Rudolph and Saks, "The periodic balanced sorting
network", J. ACM 36(4), 1989). So two stages merge four lists. The first merges red with blue, and
green with alpha; the second merges the two lists that come of it.

Take the second. Texel t holds the wires 4t to 4t + 3. A mirrored step of 4B wires joins each key
with one in the mirrored texel of a block of B texels, and there in the mirrored channel: red with
alpha, green with blue. If the channels of all odd texels are turned round before, both keys are in
the same channel, because a mirrored step always joins an even texel with an odd one. So it is the
mirrored step of B texels, which every method draws in all channels at once. The steps of 4 wires
and of 2 wires lie inside of a texel, and come last. The step of 4 wires compares the very channels
that were turned round, so it need not turn them back: the smaller key of two is the smaller one in
either order. In the first stage each of the two merges has 2 wires in a texel, and so red changes
places with blue, and green with alpha.

Any network may sort the lists before: the stages are those of `pbsn`, and need no more than that
the lists are sorted.
"""

from dataclasses import replace
from itertools import groupby

from shadersort.drawing.networks import Network, Step, balanced_stage

Steps = tuple[Step, ...]

MERGES = {1: (), 2: ((1,),), 4: ((2,), (3, 1))}
"""The merges of so many lists: for each, its steps inside of a wire. It turns by the first."""


def merging(network: Network, lists: int) -> Network:
    """Return a network that sorts as one does, and then merges the lists of its wires into one.

    A wire carries 1, 2 or 4 lists; the merge of 4 takes 2 log n + 3 steps, and turns twice.
    """
    steps = network.steps
    for inside in MERGES[lists]:
        turn = (Step("turn", inside[0]),) if network.n > 1 else ()
        compared = tuple(Step("inside", block) for block in inside)
        steps += (*turn, *balanced_stage(network.n), *compared)
    return replace(network, steps=steps, lists=lists)


def sections(network: Network) -> list[tuple[Steps, Steps]]:
    """Cut a network into runs of steps that join wires, each with the steps inside of wires."""
    found: list[tuple[Steps, Steps]] = []
    for inside, run in groupby(network.steps, lambda step: step.inside):
        if not inside:
            found.append((tuple(run), ()))
        else:
            joining = found.pop()[0] if found else ()
            found.append((joining, tuple(run)))
    return found
