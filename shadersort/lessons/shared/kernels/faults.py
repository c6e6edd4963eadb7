"""What is said of what a kernel did."""

from dataclasses import dataclass

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.shared.kernels.watched import MOST_TURNS

APART = (
    "some threads came to more barriers than others. Every thread of a block must come to each "
    "`barrier()`: none may stand in an `if` or a loop that only some threads enter, and no thread "
    "may leave by `return` before it"
)

ALONE = (
    "the result is right, but the barriers are too few: {} for each thread, and steps of all "
    "threads need at least {}. Is one missing, or does one thread do the work of many?"
)

TOO_MANY = (
    "the result is right, but each thread comes to {} barriers, and {} are plenty: the loop goes "
    "on when all is done"
)

TOO_BUSY = (
    "the result is right, but the loops of one thread took {} turns, and {} are plenty. Does one "
    "thread do the work of many?"
)

RACE = "the result depends on the order in which threads run, and no order is promised. "

IN_SHARED = (
    "Some threads change `{0}`, and others use the same place of it with no `barrier()` between. "
    "If several add to one place, a barrier does not help, but an atomic does"
)

IN_RESULT = "Several threads write to one place of `result`"

OF_BLOCKS = (
    "Several blocks use one place of `result`. Blocks never meet at a barrier: each needs places "
    "of its own, or, where all add to one place, an atomic"
)

ELSEWHERE = (
    "Is there a `barrier()` wherever one thread reads what another has written, and does one "
    "thread alone write to each place?"
)

ENDLESS = (
    "a loop does not end: its condition stays true. Does each turn change what the condition "
    "compares?"
)

OUTSIDE = "it used place {} of `{}`, where `{}` has no such place"

BEHIND = "it wrote to {} behind the end of `result`"

NOTHING = "it wrote nothing to `result`"

LEFT_OUT = "-1 in “yours” stands where nothing was written"

CLASH = (
    "the result is right here, but by luck: some threads change `{0}`, and others use the same "
    "place of `{0}` with no `barrier()` between. Should one thread alone do this?"
)

SEVERAL_WRITE = (
    "the result is right here, but several threads write to one place of `result`. Is the place's "
    "number right, and should one thread alone write there?"
)

BLOCKS_CLASH = (
    "the result is right here, but by luck: several blocks use one place of `result`, and not all "
    "by an atomic. Blocks may run at the same time, and numbers are lost then"
)

UNWRITTEN = -1
"""What `result` holds where nobody has written."""


@dataclass(frozen=True, eq=False, slots=True)
class Ran:
    """What a kernel did.

    Attributes
    ----------
    results
        What `result` holds after it, for each order of the threads.
    barriers
        How many barriers each thread came to; None if some threads came to more than others.
    beyond
        At how many places behind the end of `result` it wrote.
    turns
        How many turns of its loops a thread did at most.
    outside
        The names of arrays, each with a place that it has not, but that was used.
    clash
        The name of a variable that some threads changed while others used it; "" if there is none.
    blocks_clash
        Whether blocks used one place of `result`, and not by atomics alone.
    unwritten
        At how many places of `result` no thread wrote.
    """

    results: tuple[Integers, ...]
    barriers: int | None
    beyond: int
    turns: int = 0
    outside: tuple[tuple[str, int], ...] = ()
    clash: str = ""
    blocks_clash: bool = False
    unwritten: int = 0

    def forbidden(self) -> str:
        """Return what is said of a kernel that did what none may do; "" if it did not."""
        if self.turns > MOST_TURNS:
            return ENDLESS
        if self.barriers is None:
            return self.off_limits() or APART
        if self.beyond:
            if any(name == "result" and place < 0 for name, place in self.outside):
                return self.off_limits()
            return BEHIND.format("a place" if self.beyond == 1 else f"{self.beyond} places")
        return ""

    def lucky(self, least: int, most: int, turns: int) -> str:
        """Return what is wrong with a kernel whose result is right; "" if nothing is.

        A thread comes to `least` barriers at least, and to `most` at most, and `turns` turns of
        its loops are plenty.
        """
        barriers = self.barriers or 0
        if self.outside:
            return self.off_limits()
        if barriers < least:
            return ALONE.format(barriers, least)
        if barriers > most:
            return TOO_MANY.format(barriers, most)
        if self.turns > turns:
            return TOO_BUSY.format(self.turns, turns)
        if self.blocks_clash:
            return BLOCKS_CLASH
        if self.clash:
            return SEVERAL_WRITE if self.clash == "result" else CLASH.format(self.clash)
        return ""

    def causes(self, yours: Integers, expected: Integers, *, races: bool) -> str:
        """Return what was seen that makes a result wrong; "" if nothing was.

        `races` says whether the result depends on the order of the threads.
        """
        if self.outside:
            met = (
                f". Then, {RACE}{self.met()}" if races and (self.clash or self.blocks_clash) else ""
            )
            return self.off_limits() + met
        if self.unwritten == len(self.results[0]):
            return NOTHING
        if races:
            return RACE + self.met()
        left_out = min(self.unwritten, int(np.count_nonzero(yours == UNWRITTEN)))
        return LEFT_OUT if left_out > np.count_nonzero(expected == UNWRITTEN) else ""

    def met(self) -> str:
        """Return where threads or blocks met that may not."""
        if self.blocks_clash:
            return OF_BLOCKS
        if self.clash == "result":
            return IN_RESULT
        return IN_SHARED.format(self.clash) if self.clash else ELSEWHERE

    def off_limits(self) -> str:
        """Return what is said of a place that an array has not; "" if there is none."""
        return next((OUTSIDE.format(place, name, name) for name, place in self.outside), "")
