"""Cells, ours: ranges of codes with about equal numbers of keys, and many ranks found by them.

A sample shows where keys are dense. A table divides the codes of the sample into `ROOT` entries of
equal width; each entry is divided again by a power of two, so that every *cell* has about as many
keys of the sample as any other. Then the cell of a key costs one look into the table.

An entry in which one cell is still far too heavy gets a table of its own, a *node*, that reaches
from the entry's smallest code in the sample to its largest: so keys of many scales are divided,
too. If both are the same code, it becomes the entry's *pivot*: one cell is below it, one is the
pivot alone, and one is above. A cell of one code answers all its ranks by its count.

One read counts the keys in all cells; a second read stages the keys of the cells that hold a wanted
rank. If these are too many keys, as of rounded data, those that equal a favourite of their cell
(favourites.py) are counted instead. The kernels `modern/kernels/cells_*.cu` make the same
decisions, given the same sample.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shadersort.keys.types import Integers
from shadersort.selection.primitives.favourites import VOTES, unfavoured
from shadersort.selection.primitives.one_read import LOAD, sampled_places

Codes = npt.NDArray[np.uint64]

ROOT = 1 << 12
"""Entries of the first table."""

EACH = 1 << 8
"""Entries of a later table, at most."""

LEAST = 4
"""Entries of a later table, at least."""

ENTRIES, NODES = 2 * ROOT, 1 << 8
"""Entries of all tables together, and tables, at most."""

AIM = 1 << 14
"""Cells, if all had as many keys of the sample; there are more, as no entry has less than one."""

HEAVY = 1 << 10
"""A cell is heavy with more than 1 in this many keys of the sample."""

FREQUENT = 1 << 7
"""A cell with more than 1 in this many is divided even if two keys fill it."""

LEVELS = 8
"""Tables inside each other, at most."""


SAMPLED = {4: 1 << 15, 8: 1 << 14}
"""Keys of the sample, by the bytes of a key."""


@dataclass(frozen=True, slots=True)
class Node:
    """A table: codes from `base` on, in entries of 2**shift codes each.

    The entries are those from number `first` on, and `last` more. Codes below `base` are in the
    first entry, and those beyond the table are in the last.
    """

    base: int
    shift: int
    first: int
    last: int

    def beyond(self, codes: Codes) -> Codes:
        """Return how far codes are beyond the base; 0 for those below it."""
        return np.maximum(codes, np.uint64(self.base)) - np.uint64(self.base)

    def entry_of(self, codes: Codes) -> Integers:
        """Return the number of the entry of each code."""
        places = np.minimum(self.beyond(codes) >> np.uint64(self.shift), np.uint64(self.last))
        return np.asarray(self.first + places.astype(np.int64))


def node_over(low: int, high: int, first: int, count: int) -> Node:
    """Return the node whose entries, but the first and the last, hold the codes from low to high.

    It has at most `count` entries, and at least 3.

    Examples
    --------
    >>> node_over(100, 100, first=0, count=4)
    Node(base=99, shift=0, first=0, last=2)
    >>> node_over(0, 255, first=8, count=8)
    Node(base=0, shift=6, first=8, last=4)
    """
    shift = 0
    while high - low >> shift > count - 3:
        shift += 1
    base = max(low - (1 << shift), 0)
    return Node(base, shift, first, (high - base >> shift) + 1)


class Cells:
    """The cells of a sample of codes, which have `bits` bits; `nan` is the code of NaNs.

    Examples
    --------
    >>> cells = Cells(np.uint64([10, 20, 30, 30]), bits=16)
    >>> cells.of(np.uint64([0, 10, 11, 30, 99])).tolist()
    [0, 1, 2, 21, 22]
    """

    def __init__(self, sample: Codes, bits: int, nan: int | None = None, *, aim: int = AIM) -> None:
        self.bits, self.aim, self.depth = bits, aim, 1
        numbers = sample if nan is None else sample[sample != nan]
        ends = (int(numbers.min()), int(numbers.max())) if numbers.size else ((1 << bits) - 1,) * 2
        self.nodes: list[Node] = []
        self.pivots: list[int] = []
        self.owner, self.child, self.pivot, self.shift, self.first = np.zeros((5, 0), np.int64)
        self._append(node_over(*ends, 0, ROOT))
        level = 0
        while heavy := self._divided(sample, level):
            level = len(self.nodes)
            if self.depth == LEVELS or not self._add(heavy):
                break
            self.depth += 1
        self.count = self._numbered(0, 0)

    def _append(self, node: Node) -> None:
        """Add a node, and its entries: each with its owner, and no child and no pivot yet."""
        count = node.last + 1
        self.owner = np.append(self.owner, np.full(count, len(self.nodes)))
        self.child, self.pivot = (
            np.append(a, np.full(count, -1)) for a in (self.child, self.pivot)
        )
        self.shift, self.first = (np.append(a, np.full(count, 0)) for a in (self.shift, self.first))
        self.nodes.append(node)

    def _divided(self, sample: Codes, level: int) -> list[tuple[int, int, int]]:
        """Divide the entries of the nodes from number `level` on, by the keys of a sample.

        Returns the heavy entries, each with its smallest and its largest code in the sample.
        """
        owners, entries = self._spots(sample)
        here = owners >= level
        codes, entries = sample[here], entries[here]
        start = self.nodes[level].first
        mass = np.bincount(entries - start, minlength=self.owner.size - start)
        wanted = np.maximum(mass * self.aim // sample.size, 1)
        for entry, cells in enumerate(wanted.tolist(), start):
            node = self.nodes[self.owner[entry]]
            is_last = entry - node.first == node.last
            narrowed = max(node.shift - cells.bit_length() + 1, 0)
            self.shift[entry] = self.bits if is_last else narrowed
        inside = self._inside(codes, entries)
        by_cell = np.lexsort((inside, entries))
        codes, entries, inside = codes[by_cell], entries[by_cell], inside[by_cell]
        flagged = self._flagged(codes, entries, inside, start, sample.size)
        ends = (np.searchsorted(entries, flagged, side) for side in ("left", "right"))
        some = [codes[first:last] for first, last in zip(*ends, strict=True)]
        return [
            (n, int(each.min()), int(each.max())) for n, each in zip(flagged, some, strict=True)
        ]

    def _flagged(
        self, codes: Codes, entries: Integers, inside: Integers, start: int, sampled: int
    ) -> list[int]:
        """Return the entries, from number `start` on, with a cell that is too heavy."""
        cells = np.stack([entries, inside])
        begins = np.flatnonzero((np.diff(cells, axis=1, prepend=-1) != 0).any(axis=0))
        counts = np.diff(begins, append=codes.size)
        heavy = np.flatnonzero(counts > sampled // HEAVY)
        votes = self._has_room_for_votes(start, heavy.size)
        found = set()
        for first, count in zip(begins[heavy].tolist(), counts[heavy].tolist(), strict=True):
            entry = int(entries[first])
            if not votes or _needs_more(codes[first : first + count], sampled):
                found.add(entry)
        return sorted(entry for entry in found if not self._is_exact(entry))

    def _has_room_for_votes(self, start: int, heavy: int) -> bool:
        """Whether the kernel has room for votes behind the counters of cells from `start` on."""
        cells = sum(map(self._count, range(start, self.owner.size)))
        return cells + VOTES * heavy <= self.aim + ENTRIES

    def _is_exact(self, entry: int) -> bool:
        """Whether the cells of an entry are single codes."""
        node = self.nodes[self.owner[entry]]
        place = entry - node.first
        return not self.shift[entry] and place < node.last and (place > 0 or node.base == 0)

    def _add(self, heavy: list[tuple[int, int, int]]) -> bool:
        """Give heavy entries pivots, or nodes if there is room; return whether one got a node."""
        for entry, low, high in heavy:
            if low == high:
                self.pivot[entry] = len(self.pivots)
                self.pivots.append(low)
        several = [each for each in heavy if each[1] < each[2]]
        left = ENTRIES - self.owner.size
        share = left // 2 // max(len(several), 1)
        if share < LEAST:
            return False
        count, before = min(1 << share.bit_length() - 1, EACH), len(self.nodes)
        for entry, low, high in several[: NODES - len(self.nodes)]:
            self.child[entry] = len(self.nodes)
            self._append(node_over(low, high, self.owner.size, count))
        return len(self.nodes) > before

    def _numbered(self, number: int, cell: int) -> int:
        """Give the cells of a node numbers in order, from one on; return the next number."""
        node = self.nodes[number]
        for entry in range(node.first, node.first + node.last + 1):
            self.first[entry] = cell
            if self.child[entry] >= 0:
                cell = self._numbered(int(self.child[entry]), cell)
            else:
                cell += self._count(entry)
        return cell

    def _count(self, entry: int) -> int:
        """Return how many cells an entry has that leads to no node."""
        node = self.nodes[self.owner[entry]]
        if self.pivot[entry] >= 0:
            return 3
        is_last = entry - node.first == node.last
        return 1 if is_last else 1 << (node.shift - int(self.shift[entry]))

    def _spots(self, codes: Codes) -> tuple[Integers, Integers]:
        """Return the node and the entry in which each code ends up."""
        owners, entries = np.zeros((2, codes.size), np.int64)
        here = np.arange(codes.size)
        while here.size:
            for number in np.unique(owners[here]).tolist():
                mine = here[owners[here] == number]
                entries[mine] = self.nodes[number].entry_of(codes[mine])
            here = here[self.child[entries[here]] >= 0]
            owners[here] = self.child[entries[here]]
        return owners, entries

    def _inside(self, codes: Codes, entries: Integers) -> Integers:
        """Return the number of the cell of each code inside its entry."""
        inside = np.zeros(codes.size, np.int64)
        for number in np.unique(self.owner[entries]).tolist():
            node, mine = self.nodes[number], self.owner[entries] == number
            places = entries[mine] - node.first
            offset = node.beyond(codes[mine]) - (places << node.shift).astype(np.uint64)
            cells = (offset >> self.shift[entries[mine]].astype(np.uint64)).astype(np.int64)
            inside[mine] = np.where(places == node.last, 0, cells)
        at = np.flatnonzero(self.pivot[entries] >= 0)
        if at.size:
            pivots = np.array(self.pivots, np.uint64)[self.pivot[entries[at]]]
            inside[at] = (codes[at] >= pivots).astype(np.int64) + (codes[at] > pivots)
        return inside

    def of(self, codes: Codes) -> Integers:
        """Return the cell of each code; the cells are numbered in the order of codes."""
        _, entries = self._spots(codes)
        return self.first[entries] + self._inside(codes, entries)

    def bounds(self, cells: Integers) -> tuple[Codes, Codes]:
        """Return the first and the last code of some cells that have codes."""
        first, last = np.zeros((2, cells.size), np.uint64)
        for bit in reversed(range(self.bits)):
            further = first | np.uint64(1 << bit)
            first = np.where(self.of(further - np.uint64(1)) < cells, further, first)
            further = last | np.uint64(1 << bit)
            last = np.where(self.of(further) <= cells, further, last)
        return first, last


def _needs_more(codes: Codes, sampled: int) -> bool:
    """Whether a heavy cell with some codes of the sample must be divided, or needs a pivot."""
    return codes.size > sampled // FREQUENT or unfavoured(codes) > sampled // HEAVY // 2


def places_of_sample(size: int, itemsize: int) -> Integers:
    """Return the places of the sample of some keys; few keys are all in it.

    Examples
    --------
    >>> places_of_sample(1 << 28, 4).size, places_of_sample(1000, 8).size
    (32768, 1000)
    """
    sampled = SAMPLED.get(itemsize, SAMPLED[4])
    if size < 4 * sampled:
        return np.arange(size)
    return sampled_places(size, itemsize, sampled * itemsize // LOAD)
