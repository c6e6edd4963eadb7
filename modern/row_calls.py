"""Calls that rows alone answer: with weights, of segments, or with a q of each row."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from modern.arrays import is_on_gpu
from modern.rows import weighted
from modern.rows.asked import Asked, asked, is_flat, shaped
from modern.rows.cuts import AlongAxes, Ask, Cut, Given, OneKey, own_q
from modern.rows.outputs import delivered
from modern.rows.ranks import Ranks
from modern.rows.segmented import Segmented, segmented
from modern.rows.segments import Part
from modern.rows.weighted_row import quantiles_of_row
from modern.rows.weighted_search import How
from modern.rows.weights import check_method, weights_of
from shadersort.errors import EmptyInput, MethodUnavailable, RankOutOfRange
from shadersort.keys.accepted import selectable
from shadersort.keys.stand_ins import may_be_missing
from shadersort.selection.driver import check_mean
from shadersort.selection.quantile_plan import check_mixed, shares_of
from shadersort.selection.rows.axes import Axis
from shadersort.selection.rows.means import mean_type
from shadersort.selection.rows.protocol import Rows, Ties
from shadersort.selection.rows.quantiles import missing_of, quantiles, quantiles_of_each


class RowCall(NamedTuple):
    """An array, its rows along axes or its segments, and what belongs to its keys or rows."""

    x: Any
    axis: Axis
    keepdims: bool
    out: Any
    default: Axis  # the axis of a caller who names none
    segments: Any = None
    weights: Any = None
    q: Any = None  # the q of each row
    named: str = ""  # a method of selection, or options of one
    nan: bool = False  # whether NaNs are left out

    def answer(
        self, ask: Ask, front: tuple[int, ...] = (), *, fills: bool = True, dtype: Any = None
    ) -> Any:
        """Return what the rows answer; if it `fills`, segments without keys get NaN.

        Answers that do not are of a type, or of that of the keys.
        """
        if self.named:
            raise MethodUnavailable(
                "segments, weights and q_per_row have a method of their own, without "
                f"{self.named}: leave that out"
            )
        if self.segments is None:
            with asked(shaped(self.x), self.axis, self.keepdims, self.out) as call:
                return self._along_axes(call, ask, front)
        where = self.segments, self.axis, self.default, self.keepdims
        with segmented(self.x, *where, computed=self.weights is not None) as flat:
            found = _OfSegments(self, flat, ask, fills, dtype).found(front)
            return delivered(found, self.out, self.x)

    def _along_axes(self, call: Asked, ask: Ask, front: tuple[int, ...]) -> Any:
        call.check_length()
        rows, stand_in = call.stood_in(computed=self.weights is not None)
        weights, q = self.checked(call.array, call.layout.left)
        if q is not None:
            front = q.shape[: q.ndim - len(call.layout.left)]
        found = ask(given(AlongAxes(call.layout), rows, stand_in, weights, q))
        return call.result(found, front)

    def checked(self, array: Any, left: tuple[int, ...]) -> tuple[Any, Any]:
        """Return weights and the q of each row as arrays, or None; raise errors."""
        axis = 0 if self.segments is not None else self.axis
        weights = None if self.weights is None else weights_of(self.weights, array, axis)
        return weights, None if self.q is None else own_q(self.q, left)


def given(cut: Cut, rows: Any, stand_in: Any, weights: Any, q: Any) -> Given:
    """Return rows with their weights and their q, if there are any."""
    return Given(
        *(rows, stand_in),
        None if weights is None else cut.of_keys(weights),
        None if q is None else cut.of_rows(q),
        cut.starts if isinstance(cut, Part) else None,
    )


@dataclass(frozen=True)
class _OfSegments:
    """The segments of a flat array, asked part by part."""

    call: RowCall
    flat: Segmented
    ask: Ask
    fills: bool
    dtype: Any

    def found(self, front: tuple[int, ...]) -> Any:
        """Return the answers of all segments along the last axis."""
        flat, xp = self.flat, self.flat.xp
        weights, q = self.call.checked(flat.array, (flat.segments.count,))
        if q is not None:
            front = q.shape[:-1]

        def answer(cut: Cut) -> Any:
            return self.ask(given(cut, flat.rows(cut), flat.stand_in, weights, q))

        found = self._started(xp, front, answer)
        for part in flat.segments.parts():
            try:
                some = answer(part)
            except RankOutOfRange as error:  # the shortest segments come first
                raise RankOutOfRange(f"segment {part.places[0]}: {error}") from error
            found[..., xp.asarray(part.places)] = some.reshape(*front, part.places.size)
        return found

    def _started(self, xp: Any, front: tuple[int, ...], answer: Callable[[Cut], Any]) -> Any:
        """Return room for answers; segments without keys have theirs already."""
        empty, dtype = self.flat.segments.empty, self.dtype or self.flat.array.dtype
        if empty.size and not self.fills:
            raise EmptyInput(f"segment {empty[0]} has no keys, so none has any rank")
        if self.fills:
            dtype = answer(OneKey(xp)).dtype
        found = xp.empty((*front, self.flat.segments.count), dtype)
        if empty.size:
            self._check_fills(dtype)
            found[..., xp.asarray(empty)] = missing_of(dtype)
        return found

    def _check_fills(self, dtype: Any) -> None:
        place = self.flat.segments.empty[0]
        if not may_be_missing(np.dtype(dtype)):
            raise EmptyInput(f"segment {place} has no keys, and {dtype} has no NaN to say so")
        if self.call.nan:
            warnings.warn(f"segment {place} has no keys: its result is NaN", RuntimeWarning, 2)


def ranks(call: RowCall, ranks: Ranks, of_row: Callable[[Any, Any], Any]) -> Any:
    """Return the keys of ranks: the same ranks for all rows.

    One row along axes is asked by another function, which gets the row and its ranks, and may take
    a method by its name.
    """
    if call.segments is not None:
        return call.answer(lambda given: ranks.found(given.rows), ranks.shape, fills=False)
    with asked(call.x, call.axis, call.keepdims, call.out) as along:
        found = along.by_one_row(lambda row: of_row(row, ranks.in_one_row(row)), call.named)
        if found is not None:
            return found
        wanted = ranks.of_row(along.layout.length)
        return along.reduced(
            lambda rows: ranks.found(rows, wanted), ranks.shape, rank=wanted.size > 0
        )


def places(call: RowCall, ranked: Callable[[Rows], Any], ties: Ties) -> Any:
    """Return the places of keys that a function finds in rows, (outer, inner).

    Of segments, the places are those in the flat array.
    """

    def ask(given: Given) -> Any:
        found = given.rows.places(ranked(given.rows), ties)
        if given.starts is None:
            return found
        return found + given.rows.xp.asarray(given.starts)[:, None]

    return call.answer(ask, fills=False, dtype=np.int64)


def median(call: RowCall) -> Any:
    """Return medians; weighted ones are means where half of the weight is reached exactly."""
    if call.weights is None:
        return call.answer(lambda given: given.rows.medians(call.nan))
    how, half = How("averaged_inverted_cdf", call.nan), np.full((1, 1), 0.5)
    found = _of_one_row(call, half[0, 0], how)
    if found is not None:
        return found

    def ask(given: Given) -> Any:
        if given.stand_in is not None:
            check_mean(given.stand_in.dtype)
        return weighted.quantiles(given.stood_in, given.stand_in, given.weights, half, how)

    return call.answer(ask)


def quantile(call: RowCall, q: npt.ArrayLike, method: str) -> Any:
    """Return quantiles, of the shape of q; or of each row its own, if the call has them."""
    shares = shares_of(q, method)
    if call.weights is not None:
        check_method(method)
        return _weighted(call, shares, method)
    if call.q is None:
        return call.answer(
            lambda given: quantiles(given.rows, q, method, nan=call.nan), shares.shape
        )
    return call.answer(lambda given: quantiles_of_each(given.rows, given.q, method, nan=call.nan))


def _weighted(call: RowCall, shares: npt.NDArray[Any], method: str) -> Any:
    how = How(method, call.nan)
    found = _of_one_row(call, shares, how)
    if found is not None:
        return found

    def ask(given: Given) -> Any:
        check_mixed(given.rows.dtype, method, how.averaged or None)
        q = shares[..., None, None] if given.q is None else given.q
        return weighted.quantiles(given.stood_in, given.stand_in, given.weights, q, how)

    return call.answer(ask, shares.shape)


def _of_one_row(call: RowCall, q: npt.NDArray[Any], how: How) -> Any:
    """Return weighted quantiles of one dimension by a short way, or None where it does not lead."""
    x = shaped(call.x)
    if call.named or call.segments is not None or call.q is not None or is_on_gpu(x):
        return None
    if not is_flat(x, call.axis, call.keepdims, call.out):
        return None
    keys, stand_in = selectable(x)
    if stand_in is not None or not keys.size:
        return None
    found = quantiles_of_row(keys, weights_of(call.weights, keys, call.axis), q.reshape(-1))
    if found is None:
        return None
    dtype = mean_type(keys.dtype) if how.averaged else keys.dtype
    return found.reshape(q.shape).astype(dtype, copy=False)[()]
