"""A selection at work: its keys, its ranks, and the record of what a method does."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from shadersort.errors import AnswerRefuted, DidNotConverge
from shadersort.keys.codes import encode, key
from shadersort.keys.types import Integers, Key, Keys, Mask
from shadersort.names import Variant
from shadersort.selection.primitives import Primitives
from shadersort.selection.primitives.values import Counts, Extent, Ranked, Ranks
from shadersort.selection.selection_trace import Iteration, SelectionTrace


class Selection:
    """What a method works on: keys, ranks, and a record of its steps and of the counts they found.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> work = Selection(NumPyPrimitives([3, 1, 2]), [1], "example")
    >>> work.prove(np.array([2]))
    (array([1]), array([1]))
    >>> [step.name for step in work.trace().steps]
    ['proof']
    """

    def __init__(
        self, keys: Primitives, ks: Ranks, method: str, variant: Variant = "improved"
    ) -> None:
        self.keys = keys  # copies of some of them share their traffic
        self.ranks = np.asarray(ks, np.int64)  # from zero, strictly ascending; NaNs come last
        self.method, self.variant = method, variant
        self._steps: list[Iteration] = []
        self._read, self._written = keys.traffic.read, keys.traffic.written
        self._known: list[Ranked] = []  # the keys are codes

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
        extent = self.keys.extent()
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

        Pass the `counts` of all keys at the `pivot` if they are known: this saves the proof a read.
        """
        traffic = self.keys.traffic
        read, written = traffic.read - self._read, traffic.written - self._written
        self._read, self._written = traffic.read, traffic.written
        step = Iteration(name=name, keys_read=read, keys_written=written, **details)
        self._steps.append(step)
        if step.counts is not None:
            self.learn([step.pivot], [step.counts.below], [step.counts.equal])

    def learn(self, keys: Any, below: Any, equal: Any) -> None:
        """Note how many of all keys are below some keys, and how many equal each."""
        codes = encode(np.asarray(keys, self.keys.dtype))
        if codes.size:
            self._known.append(Ranked(codes, np.asarray(below), np.asarray(equal)))

    def look_up(self, keys: Keys) -> tuple[Integers, Integers, Mask]:
        """Return how many keys are below and equal to each given key, and which keys are known."""
        (below, equal), known = np.zeros((2, keys.size), np.int64), np.zeros(keys.size, np.bool_)
        if self._known and keys.size:
            codes, less, same = map(np.concatenate, zip(*self._known, strict=True))
            codes, first = np.unique(codes, return_index=True)
            places = np.minimum(np.searchsorted(codes, encode(keys)), codes.size - 1)
            known = codes[places] == encode(keys)
            below, equal = less[first[places]], same[first[places]]
        return below, equal, known

    def finish(
        self, keys: Primitives, ks: Integers, places: Integers, *, sort: bool = False
    ) -> Keys:
        """Find ranks of all keys, given their places among the sorted `keys`; the last step.

        With `tuning.launch` one rank is found by one-read; otherwise, or with `sort`, by a sort.
        `keys` hold every key that equals an answer, so they prove it.
        """
        if ks.size == 1 and keys.tuning.launch and not sort:
            name, one = "one read", keys.one_read(int(places[0]))
            answers = np.array([key(one.code, keys.dtype)])
            below, equal = np.array([one.below]), np.array([one.equal])
        else:
            name, (answers, below, equal) = "sort", keys.look_up_ranks(places)
        below = below + (ks - places)
        self.learn(answers, below, equal)
        self.record(name, **self._pivot_counts(answers, below, equal))
        return answers

    def select_within(
        self,
        keys: Primitives,
        ks: Integers,
        places: Integers,
        find: Callable[["Selection"], Keys],
    ) -> Keys:
        """Find ranks of all keys by a selection of their places among `keys`; see `finish`."""
        inner = Selection(keys, places, self.method)
        answers = find(inner)
        below, equal, known = inner.look_up(answers)
        self.learn(answers[known], (below + ks - places)[known], equal[known])
        return answers

    def one_by_one(self, find: Callable[["Selection"], Key]) -> Keys:
        """Find each rank by a selection of its own, and add its steps to these."""
        answers = np.empty(self.ranks.size, self.keys.dtype)
        for index, k in enumerate(self.ranks.tolist()):
            single = Selection(self.keys, [k], self.method, self.variant)
            answers[index] = find(single)
            self._steps += single._steps
            self._known += single._known
            self.variant = single.variant
        self._read, self._written = self.keys.traffic.read, self.keys.traffic.written
        return answers

    def specials(self) -> tuple[Keys, slice]:
        """Return answers, and the slice of them that is to be found: ranks of finite keys."""
        extent = self.extent
        ends = np.cumsum([extent.minus_infinite, extent.finite, extent.plus_infinite])
        first, last, beyond = np.searchsorted(self.ranks, ends).tolist()
        answers = np.zeros(self.ranks.size, self.keys.dtype)
        if self.keys.dtype.kind == "f":
            answers[:first], answers[last:beyond], answers[beyond:] = -np.inf, np.inf, np.nan
        return answers, slice(first, last)

    def prove(self, answers: Keys) -> tuple[Integers, Integers]:
        """Return how many keys are below each answer and equal to it, or raise `AnswerRefuted`.

        Counts that the method found already are not read again.
        """
        below, equal, known = self.look_up(answers)
        if not known.all():
            below[~known], equal[~known] = self.keys.counts_at(answers[~known])
            self.record("proof", **self._pivot_counts(answers, below, equal))
        wrong = np.flatnonzero((self.ranks < below) | (self.ranks >= below + equal))
        if wrong.size:
            i = int(wrong[0])
            found = f"{below[i]} keys are below it, and {equal[i]} equal"
            answered = f"{self._name} answered {answers[i]} for rank {self.ranks[i]}"
            raise AnswerRefuted(f"{answered}: {found}", self.trace())
        return below, equal

    def _pivot_counts(self, answers: Keys, below: Integers, equal: Integers) -> dict[str, Any]:
        """Return the pivot and the counts of a step that found one answer."""
        if answers.size > 1:
            return {}
        return {
            "pivot": answers[0],
            "counts": Counts.complete(int(below[0]), int(equal[0]), self.n),
        }

    def trace(self) -> SelectionTrace:
        """Return what was done so far."""
        ks = tuple(self.ranks.tolist())
        steps = tuple(self._steps)
        return SelectionTrace(self.method, self.variant, self.n, self.keys.dtype, ks, steps)

    def did_not_converge(self, reason: str) -> DidNotConverge:
        """Return the error to raise when a method gives up; it carries the trace."""
        return DidNotConverge(f"{self._name} did not converge: {reason}", self.trace())

    @property
    def _name(self) -> str:
        """The method and, if it is as printed, its variant: the subject of messages."""
        return self.method if self.variant == "improved" else f"{self.method} {self.variant}"
