"""A selection at work: its keys, its ranks, and the record of what a method does."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from shadersort.errors import AnswerRefuted, DidNotConverge
from shadersort.keys.types import Integers, Key, Keys
from shadersort.names import Variant
from shadersort.selection.known import Known
from shadersort.selection.primitives import Counts, Extent, Primitives
from shadersort.selection.selection_trace import Iteration, SelectionTrace

Found = tuple[Keys, Integers, Integers]
"""Keys of some ranks, how many keys are below each of them, and how many equal it."""


class Selection:
    """What a method is given: keys, ranks, and a record for its steps."""

    def __init__(
        self,
        keys: Primitives,
        ks: Sequence[int] | Integers,
        method: str,
        variant: Variant = "improved",
    ) -> None:
        self.keys = keys  # copies of some of them share their traffic
        self.ranks = np.asarray(ks, np.int64)  # from zero, strictly ascending; NaNs come last
        self.method, self.variant = method, variant
        self._steps: list[Iteration] = []
        self._read, self._written = keys.traffic.read, keys.traffic.written
        self.known = Known()  # counts that the steps have found: a proof need not read again

    @property
    def k(self) -> int:
        """The rank, if there is only one."""
        return self.ranks.item()

    @property
    def n(self) -> int:
        """Number of keys."""
        return self.keys.size

    @cached_property
    def extent(self) -> Extent:
        """The extent of the keys, read once, at the first use."""
        improved = self.variant == "improved"
        extent = self.keys.extent() if improved else self.keys.extent_in_doubles()
        self.record("extent")
        return extent

    @property
    def few(self) -> int:
        """The number of candidates at which a search stops and copies them.

        0 if copying is expensive, or if there are no more keys than this.
        """
        tuning = self.keys.tuning
        return tuning.few if tuning.copies and self.n > tuning.few else 0

    def record(self, name: str, **details: Any) -> None:
        """Add a step, with what was read and written since the step before.

        A step with `candidates` counts as an iteration. Pass the `counts` of all keys at the
        `pivot` wherever they are known: they save the proof a read.
        """
        traffic = self.keys.traffic
        read, written = traffic.read - self._read, traffic.written - self._written
        self._read, self._written = traffic.read, traffic.written
        step = Iteration(name=name, keys_read=read, keys_written=written, **details)
        self._steps.append(step)
        if step.counts is not None:
            self.known.add(step.pivot, step.counts.below, step.counts.equal)

    def finish(self, keys: Primitives, ks: Integers, places: Integers) -> Keys:
        """Find ranks of all keys, given their places among the sorted `keys`; the last step.

        A device with `tuning.fused` finds one rank by fused radix selection; otherwise `keys` are
        sorted. The name of the step says which.
        """
        if ks.size == 1 and keys.tuning.fused:
            return self.fused_radix(keys, ks, places)
        return self.sorted(keys, ks, places)

    def sorted(self, keys: Primitives, ks: Integers, places: Integers) -> Keys:
        """Do as `finish` does, always by a sort."""
        return self._finished("sort", keys.ranked(places), ks, places)

    def within(
        self,
        keys: Primitives,
        ks: Integers,
        places: Integers,
        find: Callable[["Selection"], Keys],
    ) -> Keys:
        """Find ranks of all keys by a selection of their places among the sorted `keys`.

        Those hold every key that equals an answer, so what is known of them proves it.
        """
        inner = Selection(keys, places, self.method)
        answers = find(inner)
        below, equal, known = inner.known.look_up(answers)
        if known.all():
            self.known.learn(answers, below + ks - places, equal)
        return answers

    def fused_radix(self, keys: Primitives, ks: Integers, places: Integers) -> Keys:
        """Do as `finish` does for one rank, always by fused radix selection."""
        return self._finished("fused radix", keys.fused_radix(int(places[0])), ks, places)

    def _finished(self, name: str, found: Found, ks: Integers, places: Integers) -> Keys:
        """Record an iteration that answered some ranks; return the answers.

        The counts of equal keys are exact: a copy holds every key that equals an answer.
        """
        answers, below, equal = found
        below = below + (ks - places)
        if ks.size == 1:
            counts = Counts.of(int(below[0]), int(equal[0]), self.n)
            self.record(name, pivot=answers[0], counts=counts)
        else:
            self.known.learn(answers, below, equal)
            self.record(name)
        return answers

    def trace(self) -> SelectionTrace:
        """Return what was done so far."""
        ks = tuple(self.ranks.tolist())
        steps = tuple(self._steps)
        return SelectionTrace(self.method, self.variant, self.n, self.keys.dtype, ks, steps)

    @property
    def _name(self) -> str:
        """The method and, if it is as printed, its variant: the subject of messages."""
        return self.method if self.variant == "improved" else f"{self.method} {self.variant}"

    def one_by_one(self, find: Callable[["Selection"], Key]) -> Keys:
        """Find each rank by a selection of its own, and add its steps to these."""
        answers = np.empty(self.ranks.size, self.keys.dtype)
        for index, k in enumerate(self.ranks.tolist()):
            single = Selection(self.keys, [k], self.method, self.variant)
            answers[index] = find(single)
            self._steps += single._steps
            self.known.update(single.known)
        self._read, self._written = self.keys.traffic.read, self.keys.traffic.written
        return answers

    def did_not_converge(self, reason: str) -> DidNotConverge:
        """Return the error to raise when a method gives up; it carries the trace."""
        return DidNotConverge(f"{self._name} did not converge: {reason}", self.trace())

    def special(self) -> Key | None:
        """Return the answer if its rank lies among infinities or NaNs, otherwise None."""
        if self.extent.finite == self.n:
            return None
        answers, finite = self.specials()
        return answers[0] if finite.start == finite.stop else None

    def specials(self) -> tuple[Keys, slice]:
        """Return an array for the answers, and the slice of it that is still to be found.

        The extent answers the other ranks, which lie among infinities and NaNs.
        """
        extent = self.extent
        ends = np.cumsum([extent.minus_infinite, extent.finite, extent.plus_infinite])
        first, last, beyond = np.searchsorted(self.ranks, ends).tolist()
        answers = np.zeros(self.ranks.size, self.keys.dtype)
        for part, value in ((slice(first), "-inf"), (slice(last, beyond), "inf")):
            if answers[part].size:
                answers[part] = float(value)
        if answers[beyond:].size:
            answers[beyond:] = np.nan
        return answers, slice(first, last)

    def prove_one(self, answer: Key) -> Counts:
        """Return the counts that prove the answer of a single rank, or raise `AnswerRefuted`.

        Counts that the method already found are not read again.
        """
        if (known := self.known.at(answer)) is not None:
            counts = Counts.of(*known, self.n)
        else:
            counts = self.keys.counts(answer)
            self.record("proof", pivot=answer, counts=counts)
        if not counts.prove(self.k):
            raise self._refuted(f"{answer} for rank {self.k}: {counts}")
        return counts

    def prove(self, answers: Keys) -> None:
        """Prove the answers of many ranks, or raise `AnswerRefuted`."""
        below, equal, known = self.known.look_up(answers)
        if not known.all():
            self._count(answers[~known])
            below, equal, _ = self.known.look_up(answers)
        ranks = self.ranks
        wrong = np.flatnonzero((ranks < below) | (ranks >= below + equal))
        if wrong.size:
            i = int(wrong[0])
            counts = f"{below[i]} keys are below it, and {equal[i]} equal"
            raise self._refuted(f"{answers[i]} for rank {ranks[i]}: {counts}")

    def _refuted(self, answer: str) -> AnswerRefuted:
        return AnswerRefuted(f"{self._name} answered {answer}", self.trace())

    def _count(self, answers: Keys) -> None:
        """Count all keys at some answers, in one read."""
        counts = self.keys.counts_at(answers)
        below = np.array([at.below for at in counts], np.int64)
        self.known.learn(answers, below, np.array([at.equal for at in counts], np.int64))
        self.record("proof")
