"""The segments of a flat array, part by part: what each gives, and how it is changed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from modern.arrays import module_of
from modern.rows.asked import asked, rows_of_keys, shaped, stands_in_for
from modern.rows.cuts import Cut
from modern.rows.segments import Segments, segments_of
from shadersort.errors import BadCount, BadOption, KeysNotFlat
from shadersort.keys.stand_ins import StandIn, back
from shadersort.selection.rows.axes import Axis
from shadersort.selection.rows.protocol import Rows
from shadersort.selection.top_keys import count_of


@dataclass(frozen=True)
class Segmented:
    """A flat array of NumPy or CuPy, and the offsets of its segments.

    Examples
    --------
    >>> segmented = Segmented(np.array([3, 1, 2, 5, 4]), [0, 3, 5])
    >>> segmented.whole(lambda rows: rows.sorted())
    array([1, 2, 3, 4, 5])
    """

    array: Any
    offsets: Any
    computed: bool = False  # whether keys are computed with: as in `stands_in_for`

    @cached_property
    def segments(self) -> Segments:
        """The segments; raises BadSegments."""
        return segments_of(self.offsets, self.array.size)

    @cached_property
    def stand_in(self) -> StandIn | None:
        """What stands in for the keys, if anything does."""
        return stands_in_for(self.array, computed=self.computed)

    @cached_property
    def keys(self) -> Any:
        """The keys, or their stand-ins."""
        return self.array if self.stand_in is None else self.stand_in.of(self.array)

    @property
    def xp(self) -> Any:
        """The module that computes with the keys."""
        return module_of(self.array)

    def rows(self, cut: Cut) -> Rows:
        """Return rows of the keys, or of their stand-ins."""
        return rows_of_keys(cut.of_keys(self.keys), self.stand_in)

    def count_of(self, k: Any) -> int:
        """Return k as a number of keys that every segment has; raise BadCount, or BadRank."""
        lengths = self.segments.lengths
        if not lengths.size:
            return count_of(k, self.array.size)
        shortest = int(lengths.argmin())
        try:
            return count_of(k, int(lengths[shortest]))
        except BadCount as error:
            raise BadCount(f"segment {shortest}: {error}") from error

    def chosen(self, k: Any, choose: Callable[[Rows, int], tuple[Any, Any]]) -> tuple[Any, Any]:
        """Return k keys of each segment, and their places in the flat array: (segments, k).

        A function chooses keys of rows, and says their places in the rows.
        """
        count, xp = self.count_of(k), self.xp
        values = xp.empty((self.segments.count, count), self.keys.dtype)
        places = xp.empty(values.shape, np.int64)
        for part in self.segments.parts():
            some, where = choose(self.rows(part), count)
            rows = xp.asarray(part.places)
            values[rows] = some[..., 0]
            places[rows] = where[..., 0] + xp.asarray(part.starts)[:, None]
        return back(self.stand_in, values), places

    def whole(self, change: Callable[[Rows], Any]) -> Any:
        """Return the flat array with its segments changed; keys in no segment stay as they are.

        A function returns rows of keys, or of stand-ins, of the same shape.
        """
        written = self.keys.copy()
        for part in self.segments.parts():
            part.put(written, change(self.rows(part)))
        return back(self.stand_in, written)


@contextmanager
def segmented(
    x: Any,
    offsets: Any,
    axis: Axis,
    default: Axis,
    keepdims: bool = False,
    *,
    computed: bool = False,
) -> Iterator[Segmented]:
    """Yield the segments of an array, whose device is the current one in the `with` block.

    Raises BadOption for an axis that is not the `default`, and KeysNotFlat.
    """
    if axis != default or keepdims:
        raise BadOption("segments are the rows of a flat array: pass no axis and no keepdims")
    with asked(shaped(x), None) as call:
        if call.array.ndim != 1:
            raise KeysNotFlat(
                f"segments divide keys of 1 dimension, not {call.array.ndim}: pass keys.ravel()"
            )
        yield Segmented(call.array, offsets, computed)
