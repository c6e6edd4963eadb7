"""Sorting networks as data: an ordered sequence of steps, each a set of comparators.

A comparator joins two wires and leaves the smaller key on the lower one. The comparators of one
step touch disjoint wires, so they may all act at once: this is why a network fits a machine that
can only draw. Which comparators a network has never depends on the keys.

The three networks, for n = 2**p keys (B is a block of neighbouring wires):

==================  ============================================  =============  ==================
name                step                                          steps          comparators
==================  ============================================  =============  ==================
``pbsn``            mirror each block of B = n, n/2 … 2; p times  p²             p² n/2
``bitonic``         mirror blocks of 2**s, then shift down to 2   p(p+1)/2       p(p+1) n/4
``odd-even-merge``  shift; later steps start half a block in      p(p+1)/2       (p²−p+4) n/4 − 1
==================  ============================================  =============  ==================

Periodic balanced: Dowd, Perl, Rudolph and Saks, "The periodic balanced sorting network", J. ACM
36(4), 1989. Bitonic and odd-even merge: Batcher, "Sorting networks and their applications", AFIPS
1968. Bitonic is used in the form whose comparators all point the same way: the first step of each
merge mirrors its block instead of sorting half of it backwards.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import index
from typing import Literal, SupportsIndex

import numpy as np

from shadersort.errors import UnknownName, choices
from shadersort.keys.types import Integers, Keys
from shadersort.names import NetworkName
from shadersort.shown import Row, Shown, first_rows

Pairing = Literal["mirror", "shift", "inside", "turn"]


def is_power_of_two(value: int) -> bool:
    """Whether `value` is 1, 2, 4, 8 and so on."""
    return value > 0 and value & (value - 1) == 0


@dataclass(frozen=True, slots=True)
class Step:
    """Comparators that act at once, by a rule that repeats along the wires.

    The wires are cut into periods. Each period skips `offset` wires, and then is cut into as many
    whole blocks as fit. Inside a block of B wires, wire i of the first half is compared with

    - wire B - 1 - i when the pairing is "mirror" (the balanced comparison of PBSN),
    - wire B/2 + i when the pairing is "shift" (a half-cleaner).

    Wires outside every block are idle in this step. All sizes are powers of two. If no period is
    given, blocks follow one another without a gap.

    Two more pairings join no wires, but the lists that each wire carries (see `Network.lists`).
    List c is paired with list c XOR `block`, where `block` is 1, 2 or 3.

    - "inside": the two are compared in every wire; the smaller key goes to the lower list.
    - "turn": the two change places in every odd wire. Nothing is compared.

    Examples
    --------
    >>> Step("mirror", block=4).comparators(8)
    (array([0, 1, 4, 5]), array([3, 2, 7, 6]))
    """

    pairing: Pairing
    block: int
    offset: int = 0
    period: int = 0

    def __post_init__(self) -> None:
        least = (2 if self.pairing == "turn" else 1) if self.inside else self.block
        object.__setattr__(self, "period", self.period or least)
        if self.inside:
            if self.block not in (1, 2, 3) or self.offset or self.period != least:
                raise ValueError(f"a step that joins lists has a block of 1, 2 or 3 only: {self}")
            return
        powers = is_power_of_two(self.block) and is_power_of_two(self.period)
        if not (powers and 2 <= self.block <= self.period):
            raise ValueError(f"block and period are powers of two, 2 ≤ block ≤ period: {self}")
        if self.offset not in (0, self.half) or (self.offset and self.pairing == "mirror"):
            raise ValueError(f"only a shift skips wires, and then exactly half a block: {self}")

    @property
    def inside(self) -> bool:
        """Whether it joins lists of the same wire, and no wires."""
        return self.pairing in ("inside", "turn")

    @property
    def half(self) -> int:
        """Wires in half a block: the comparators of one block."""
        return self.block // 2

    @property
    def mask(self) -> int:
        """The bits in which the place of a wire, in its block, differs from its partner's."""
        return self.block - 1 if self.pairing == "mirror" else self.half

    @property
    def blocks(self) -> int:
        """Blocks in one period."""
        return (self.period - self.offset) // self.block

    @property
    def skips(self) -> bool:
        """Whether it joins some wires and leaves others idle."""
        return not self.inside and self.blocks * self.block < self.period

    def partner(self, index: Integers) -> Integers:
        """Return the wire that each wire is compared with; an idle wire is its own partner."""
        if self.inside:
            return np.array(index)
        place = index % self.period - self.offset
        active = (place >= 0) & (place < self.blocks * self.block)
        return np.where(active, index - place + (place ^ self.mask), index)

    def comparators(self, n: int) -> tuple[Integers, Integers]:
        """Return the lower and the upper wires of all comparators among n wires."""
        wires = np.arange(n, dtype=np.int64)
        partner = self.partner(wires)
        low = wires[wires < partner]
        return low, partner[low]

    def comparator_count(self, n: int) -> int:
        """Count the comparators among n wires, without building them."""
        return 0 if self.inside else n // self.period * self.blocks * self.half


@dataclass(frozen=True, slots=True, repr=False)
class Network(Shown):
    """A sorting network for n = 2**p keys, or for n wires that carry several `lists` of keys.

    Attributes
    ----------
    name, n, steps
        What it is called, its wires, and its steps in order.
    lists
        The keys that each wire carries, if the network sorts all of them into one list: the keys of
        wire 0, then those of wire 1, and so on. With 1, each list is sorted alone.

    Examples
    --------
    >>> pbsn(8)
    <Network: pbsn of 8 keys, 9 steps, 36 comparators>
    >>> pbsn(8).depth, pbsn(8).comparator_count
    (9, 36)
    >>> pbsn(4).apply(np.array([3, 1, 4, 1]))
    array([1, 1, 3, 4])
    """

    name: str
    n: int
    steps: tuple[Step, ...]
    lists: int = 1

    def __post_init__(self) -> None:
        for step in self.steps:
            if self.n % step.period:
                raise ValueError(f"{step} does not fit a network of {self.n} wires")

    @property
    def depth(self) -> int:
        """Number of steps."""
        return len(self.steps)

    @property
    def comparator_count(self) -> int:
        """Number of comparators in all steps, on all lists that are sorted into one."""
        return sum(map(self._count, self.steps))

    def _count(self, step: Step) -> int:
        """Count the comparators of one step."""
        if step.pairing == "inside":
            return self.n * self.lists // 2
        return self.lists * step.comparator_count(self.n)

    def apply(self, keys: Keys) -> Keys:
        """Return a copy of `keys` whose last axis, of n keys on each list, was sent through it."""
        keys, count = np.array(keys), self.n * self.lists
        if keys.shape[-1:] != (count,):
            raise ValueError(
                f"the last axis of keys must be {count} long; their shape is {keys.shape}"
            )
        for step in self.steps:
            low, high = self._pairs(step)
            a, b = keys[..., low], keys[..., high]
            swaps = step.pairing == "turn"
            keys[..., low] = b if swaps else np.minimum(a, b)
            keys[..., high] = a if swaps else np.maximum(a, b)
        return keys

    def _pairs(self, step: Step) -> tuple[Integers, Integers]:
        """Return the places of the keys that a step joins: of the lower ones, of the upper ones."""
        lists = np.arange(self.lists, dtype=np.int64)
        if not step.inside:
            low, high = step.comparators(self.n)
            first = other = lists
        else:
            low = high = np.arange(step.period - 1, self.n, step.period, dtype=np.int64)
            first = lists[lists < lists ^ step.block]
            other = first ^ step.block
        lower, upper = (
            np.add.outer(wires * self.lists, of).ravel()
            for wires, of in ((low, first), (high, other))
        )
        return lower, upper

    def _told(self) -> str:
        count, lists = self.comparator_count, f" × {self.lists}" if self.lists > 1 else ""
        return f"{self.name} of {self.n:,}{lists} keys, {self.depth:,} steps, {count:,} comparators"

    def _rows(self) -> list[Row]:
        steps = [
            (f"step {number}", f"{step.pairing} {step.block}", self._count(step))
            for number, step in enumerate(self.steps, 1)
        ]
        return [("", "blocks", "comparators"), *first_rows(steps, "steps")]


def _powers(n: int) -> Iterator[int]:
    """Yield 2, 4, 8 … n."""
    if not is_power_of_two(n):
        raise ValueError(f"a network is for a power of two of keys, not for {n}")
    yield from (1 << p for p in range(1, n.bit_length()))


def pbsn(n: int) -> Network:
    """Periodic balanced sorting network: log n equal stages of log n mirrored steps."""
    stage = balanced_stage(n)
    return Network("pbsn", n, stage * len(stage))


def balanced_stage(n: int) -> tuple[Step, ...]:
    """Return one stage of `pbsn`, its mirrored steps."""
    return tuple(Step("mirror", block) for block in reversed(list(_powers(n))))


def bitonic(n: int) -> Network:
    """Bitonic sorting network, with every comparator pointing the same way."""
    steps = []
    for merged in _powers(n):
        steps.append(Step("mirror", merged))
        steps += [Step("shift", block) for block in reversed(list(_powers(merged // 2)))]
    return Network("bitonic", n, tuple(steps))


def odd_even_merge(n: int) -> Network:
    """Batcher's odd-even merge sorting network: the fewest comparators of the three."""
    steps = []
    for merged in _powers(n):
        steps.append(Step("shift", merged))
        steps += [
            Step("shift", block, offset=block // 2, period=merged)
            for block in reversed(list(_powers(merged // 2)))
        ]
    return Network("odd-even-merge", n, tuple(steps))


NETWORKS: dict[NetworkName, Callable[[int], Network]] = {
    "pbsn": pbsn,
    "bitonic": bitonic,
    "odd-even-merge": odd_even_merge,
}
"""Every network by its public name."""


def network(name: str, n: SupportsIndex) -> Network:
    """Build the network called `name` for n = 2**p keys.

    Examples
    --------
    >>> network("bitonic", 1024).depth
    55
    """
    if name not in NETWORKS:
        raise UnknownName(f"no network is called {name!r}: use {choices(NETWORKS)}")
    return NETWORKS[name](index(n))


def apply_padded(name: str, numbers: Keys) -> Keys:
    """Return integers in order along the last axis, by the network for the next power of two.

    They are padded with the largest one, which stays behind them.

    Examples
    --------
    >>> apply_padded("pbsn", np.array([30, 10, 20]))
    array([10, 20, 30])
    """
    count = numbers.shape[-1]
    wires = network(name, 1 << (count - 1).bit_length() if count else 1)
    padded = np.full((*numbers.shape[:-1], wires.n), np.iinfo(numbers.dtype).max, numbers.dtype)
    padded[..., :count] = numbers
    return np.ascontiguousarray(wires.apply(padded)[..., :count])
