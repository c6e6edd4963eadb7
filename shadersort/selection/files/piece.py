"""A piece as a part: it is read anew for each call, and answers as its primitives do.

A copy of some keys that are not known to be few is not held. It is the same piece with a *filter*:
the call that copies, which is done again whenever the piece is read.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from shadersort.errors import InputChanged
from shadersort.keys.accepted import selectable
from shadersort.keys.stand_ins import StandIn
from shadersort.keys.types import Keys
from shadersort.selection.files.source import Read, Source
from shadersort.selection.files.staging import Staging
from shadersort.selection.primitives.parts import Ask, Call, answer
from shadersort.selection.primitives.parts.sums import sum_of_bits
from shadersort.selection.primitives.protocol import Primitives

Over = Callable[[Keys], Primitives]
"""Makes primitives over an array."""

COUNTERS = 1 << 14
"""The largest number of counters in a histogram: what a cache holds beside the keys."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """What all pieces of a source have in common.

    Attributes
    ----------
    source
        Where their keys are.
    over
        Makes the primitives that answer.
    sums
        The sum of the bits of each piece that was read: it must be the same in every round.
    """

    source: Source
    over: Over
    sums: dict[int, int] = field(default_factory=dict)

    def all(self) -> list["Piece"]:
        """Return all pieces as parts; there is one without keys if there is none."""
        keys, stand_in = selectable(np.empty(0, self.source.dtype))
        sizes = self.source.sizes or [0]
        return [Piece(self, place, size, keys.dtype, stand_in) for place, size in enumerate(sizes)]

    def checked(self, place: int, keys: Keys) -> Keys:
        """Return the keys of a piece; raise InputChanged if they are not those of before."""
        size = self.source.sizes[place]
        if keys.size != size:
            raise InputChanged(
                f"{self.source.where} was changed while it was read: piece {place} had {size:,} "
                f"keys, and has {keys.size:,}"
            )
        self.check(place, sum_of_bits(keys))
        return keys

    def checked_blocks(self, place: int) -> Iterator[Keys]:
        """Yield the keys of a piece in blocks; raise InputChanged if they are not the same."""
        now = 0
        for block in self.source.blocks(place):
            now += sum_of_bits(block)
            yield block
        self.check(place, now % 2**64)

    def check(self, place: int, now: int) -> None:
        """Raise InputChanged if the sum of the bits of a piece is not that of before."""
        if now != self.sums.setdefault(place, now):
            raise InputChanged(
                f"{self.source.where} was changed while it was read: piece {place} has other keys "
                "than before"
            )


@dataclass(frozen=True, slots=True)
class Piece:
    """A part that is read anew for each call.

    Attributes
    ----------
    pieces
        What it has in common with all others.
    place
        Its number.
    size, dtype, stand_in
        As every part has them.
    filters
        What some of its keys were copied by.
    """

    pieces: Pieces
    place: int
    size: int
    dtype: np.dtype[Any]
    stand_in: StandIn | None
    filters: tuple[Ask, ...] = ()

    @property
    def counters(self) -> int:
        """The largest number of counters in a histogram."""
        return COUNTERS

    @property
    def bytes(self) -> int:
        """About how many bytes are read for an answer, if all keys are."""
        return self.pieces.source.sizes[self.place] * self.pieces.source.dtype.itemsize

    def ask(self, call: Call, *args: Any) -> Any:
        """Return what a call answers; copies of some keys are the piece with a filter."""
        (read,) = self.pieces.source.readers([self.place])
        return self.answered(read, call, args)

    def answered(self, read: Read, call: Call, args: tuple[Any, ...]) -> Any:
        """Return what a call answers, given what reads the piece."""
        if self.is_taken(call):
            return selectable(self.pieces.source.take(self.place, *args))[0]
        if isinstance(getattr(call, "__self__", None), Staging) and callable(call):
            return call(self.pieces.checked_blocks(self.place), *args)
        whole = self.pieces.checked(self.place, read())
        keys = self.pieces.over(whole)
        for each in self.filters:
            keys = answer(keys, *each)
        if keys.size != self.size:
            raise InputChanged(
                f"{self.pieces.source.where} was changed while it was read: {self.size:,} keys "
                f"were counted in piece {self.place}, and now {keys.size:,}"
            )
        found = answer(keys, call, args)
        if isinstance(found, Primitives):
            return replace(self, size=found.size, filters=(*self.filters, (call, args)))
        if isinstance(found, np.ndarray) and np.may_share_memory(found, whole):
            return found.copy()  # the memory of a piece is that of the next one, too
        return found

    def is_taken(self, call: Call) -> bool:
        """Whether a call reads a few single keys only."""
        return call == "take" and not self.filters and self.pieces.source.scattered
