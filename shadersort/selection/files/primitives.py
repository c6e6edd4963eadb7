"""The primitives over all pieces of a source."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import AnswerRefuted, EmptyInput, InputChanged
from shadersort.keys.accepted import selectable
from shadersort.keys.types import Integers, Key, Keys
from shadersort.selection.files.asking import Asking
from shadersort.selection.files.budget import Budget
from shadersort.selection.files.piece import Over, Pieces
from shadersort.selection.files.source import Source
from shadersort.selection.files.staging import (
    Staged,
    Staging,
    room_of,
    samples_for,
    together,
)
from shadersort.selection.methods.auto import FEW
from shadersort.selection.methods.randomized import fits
from shadersort.selection.primitives import sampling
from shadersort.selection.primitives.buckets import Buckets
from shadersort.selection.primitives.numpy import NumPyPrimitives
from shadersort.selection.primitives.parts import Ask, BracketedParts, Call
from shadersort.selection.primitives.parts.sums import sum_of_counts
from shadersort.selection.primitives.protocol import Primitives
from shadersort.selection.primitives.values import Counts

LOAD = 3
"""About how many times the mean a bucket in the middle of a bell curve has."""

PIECES, RUN_OF_PIECE, MANY_PIECES = 64, 1 << 12, 1 << 8
"""Of so many pieces a sample for brackets has so many keys each, if there are many pieces."""

SAMPLED = 16
"""At most this many pieces are read for a sample, where single keys cannot be read."""


class FilePrimitives(BracketedParts):
    """Primitives over the pieces of a source.

    Every round sees the same keys, or raises `InputChanged`.

    Examples
    --------
    >>> from shadersort.selection.files.opening import source_of
    >>> budget = Budget.of("64MiB")
    >>> keys = FilePrimitives(source_of([np.arange(5), np.arange(3)], budget), budget)
    >>> keys.counts(np.int64(2))
    Counts(below=4, equal=2, above=2)
    """

    name = "files"

    def __init__(
        self,
        source: Source,
        budget: Budget,
        *,
        over: Over = NumPyPrimitives,
        progress: bool = False,
    ) -> None:
        if not sum(source.sizes):
            raise EmptyInput(f"{source.where} has no keys")
        self.source, self.asking = source, Asking(source, progress)
        super().__init__(
            Pieces(source, over).all(), self.asking, most=budget.collected(source.dtype.itemsize)
        )
        self._runs: dict[int, Keys] = {}
        self.room = room_of(budget, source.dtype.itemsize, scattered=source.scattered)
        if not source.scattered:
            if source.sampled is None and len(self.sizes) >= MANY_PIECES:
                self.tuning = replace(self.tuning, room=self.room)
        elif samples := samples_for(self.size, self.room):
            self.tuning = replace(self.tuning, room=self.room, samples=samples)

    @property
    def reads(self) -> float:
        """How many times all keys were read so far; a sample of some pieces is a part of one."""
        counted_first = 1 if self.source.sampled is not None else 0
        whole = self.size * self.source.dtype.itemsize
        return self.asking.read / whole + counted_first

    @property
    def planned_reads(self) -> float:
        """How many times all keys are read for quantiles, unless very many of them are alike.

        Once to count and once to collect candidates; keys of 16 bits, and few keys, have no
        candidates. A sample of whole pieces is a part of a read, and that of chunks a whole one.
        Candidates that are not few are divided once more, which takes three reads. Few ranks take
        a read less where `tuning.brackets` says so, and of very many pieces some more are sampled.
        """
        counts = self.dtype.kind == "f"  # the NaNs
        finds = 1 if self.dtype.itemsize <= 2 or self.size <= FEW else 2 - counts
        times = self.stand_in is not None and self.stand_in.none is not None
        if self.source.sampled is not None:
            sampled = 1.0
        else:
            pieces = len(self.sizes)
            sampled = 0.0 if self.source.scattered else min(SAMPLED, pieces) / pieces
        wide = self.dtype.itemsize > 2
        deep = 3 if wide and LOAD * self.size > self.most * self.tuning.counters else 0
        return counts + finds + times + sampled + deep

    def sample(self, count: int, seed: int) -> Keys:
        """Return keys from random places: of a few pieces, if only whole pieces can be read."""
        if (count, seed) not in self._sampled:
            known = self.source.sampled
            if known is not None:
                places = sampling.places(known.size, count, seed)
                self._sampled[count, seed] = selectable(known[places])[0]
            elif not self.source.scattered:
                self._sampled[count, seed] = self.take(self._few_places(count, seed))
        return super().sample(count, seed)

    def are_read_once(self, shares: npt.ArrayLike) -> bool:
        """Whether brackets find some quantiles while all keys are read once, unless some are NaN.

        Then as many keys are read as `planned_reads` says at most.
        """
        ranks = np.asarray(np.multiply(shares, self.size - 1), np.int64)
        known = self.source.scattered and self.stand_in is None
        return known and self.size > FEW and fits(self, ranks)

    def runs(self, seed: int) -> Keys:
        """Return runs of neighbouring keys, which take little longer to read than single keys."""
        if not self.source.scattered:
            return self._of_pieces(seed)
        if seed not in self._runs:
            starts = sampling.places(self.size, self.tuning.samples, seed)
            self._runs[seed] = self._taken(starts, self.tuning.run)
        return self._runs[seed]

    def _of_pieces(self, seed: int) -> Keys:
        """Return some keys of each of some whole pieces, one piece in a row."""
        if seed not in self._runs:
            count = 1 << (min(RUN_OF_PIECE, int(np.median(self.sizes))).bit_length() - 1)
            large = np.flatnonzero(self.sizes >= count)
            chosen = np.random.default_rng(seed).choice(large, min(PIECES, large.size), False)
            asks: list[Ask] = [
                ("take", (np.linspace(0, self.sizes[each] - 1, count).astype(np.int64),))
                for each in chosen
            ]
            self.traffic.read += chosen.size * count
            self._runs[seed] = np.stack(self._asked(chosen, asks))
        return self._runs[seed]

    def _few_places(self, count: int, seed: int) -> Integers:
        """Return places in a few pieces, which lie at equal distances."""
        pieces = np.linspace(0, len(self.sizes) - 1, min(SAMPLED, len(self.sizes))).astype(int)
        starts, sizes = (np.cumsum(self.sizes) - self.sizes)[pieces], self.sizes[pieces]
        within = sampling.places(int(sizes.sum()), count, seed)
        ends = np.cumsum(sizes)
        chosen = np.searchsorted(ends, within, side="right")
        return np.asarray(starts[chosen] + within - (ends - sizes)[chosen])

    def parted(self, low: Key, high: Key) -> tuple[Counts, Counts, Primitives]:
        """Count at two pivots, and keep the keys between; if they are too many, only a filter."""
        return self.parted_each([(low, high)])[0]

    def parted_each(
        self, pivots: Sequence[tuple[Key, Key]]
    ) -> list[tuple[Counts, Counts, Primitives]]:
        """Do as `parted` does for several pairs of pivots, in one read."""
        if any(high != high for _, high in pivots):
            return [super(FilePrimitives, self).parted(low, high) for low, high in pivots]
        found: list[list[Staged]] = self._each(Staging(self.room).of_piece, pivots)
        self.nans = sum(each[0].nans for each in found)
        each_found = zip(pivots, zip(*found, strict=True), strict=True)
        return [self._joined(ends, of_pieces) for ends, of_pieces in each_found]

    def _joined(
        self, ends: tuple[Key, Key], found: Sequence[Staged]
    ) -> tuple[Counts, Counts, Primitives]:
        """Return what all pieces have between two pivots."""
        at_low = sum_of_counts([each.at_low for each in found])
        at_high = sum_of_counts([each.at_high for each in found])
        if (kept := together(found, self.dtype)) is not None:
            self.traffic.written += kept.size
            return at_low, at_high, NumPyPrimitives(kept, self.traffic)
        filtered = [
            replace(part, size=each.size, filters=(*part.filters, ("between", ends)))
            for part, each in zip(self.parts, found, strict=True)
        ]
        return at_low, at_high, self._over(filtered)

    def bucket_histogram(self, buckets: Buckets) -> Integers:
        """Count the keys in each bucket; every key must be in one."""
        found = super().bucket_histogram(buckets)
        if buckets.open and (now := int(found.sum())) != self.size:
            raise InputChanged(
                f"{self.source.where} was changed while it was read: it had {self.size:,} keys, "
                f"and has {now:,}"
            )
        return found

    def _copied(self, call: Call, args: tuple[Any, ...], count: int | None) -> Primitives:
        try:
            return super()._copied(call, args, count)
        except AnswerRefuted as error:
            raise InputChanged(
                f"{self.source.where} was changed while it was read: {error}"
            ) from error
