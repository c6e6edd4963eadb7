"""The row of all keys in pieces: it answers ranks and first keys, and what follows from them."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import MethodUnavailable
from shadersort.keys.types import Integers, Keys
from shadersort.selection.driver import count_of_numbers, missing, select_many
from shadersort.selection.pieces.asking import SPAN, PieceHolder
from shadersort.selection.pieces.primitives import Pieces
from shadersort.selection.quantiles import median, nanmedian, nanquantile, quantile
from shadersort.selection.rows.protocol import Rows, Ties
from shadersort.selection.top_keys import order_codes


class PieceRows(Rows):
    """All keys in pieces, as one row; NaNs are counted by the read that finds ranks.

    Examples
    --------
    >>> from shadersort.selection.pieces.asking import ArrayPieces
    >>> row = PieceRows(ArrayPieces([np.array([5, 1]), np.array([4])]))
    >>> row.ranks(np.array([1, 2])), row.first(2, 0), row.pieces.rounds
    (array([4, 5]), (array([5, 4]), array([0, 2])), 2)
    """

    count = 1
    xp = np

    def __init__(self, pieces: PieceHolder, keepdims: int = 0, what: str = "keys in parts") -> None:
        self.pieces, self.dtype = pieces, np.dtype(pieces.dtype)
        self.length = sum(pieces.sizes)
        self._keys, self._kept, self._what = Pieces(pieces), (1,) * keepdims, what

    def ranks(self, ks: Any) -> Any:
        """Return the keys of some ranks."""
        return select_many(self._keys, ks)

    def ranks_unless_nan(self, ks: Any) -> Any:
        """Return the keys of some ranks, or NaN for each of them if there is one."""
        found = self.ranks(ks)
        if self.count_non_nan() < self.length:
            return np.full_like(found, missing(self._keys))
        return found

    ranks_each = ranks

    def count_non_nan(self) -> Any:
        """Return how many keys are neither NaN nor NaT."""
        return np.int64(count_of_numbers(self._keys))

    def middle(self, *, nan: bool) -> Any:
        """Return the median as `np.median` does; with `nan`, as `np.nanmedian` does."""
        return (nanmedian if nan else median)(self._keys)

    def quantiles(self, q: npt.ArrayLike, method: str, *, nan: bool) -> Any:
        """Return the quantiles q as `np.quantile` or `np.nanquantile` does."""
        return (nanquantile if nan else quantile)(self._keys, q, method=method)

    def first(
        self, count: int, by: int, *, in_order: bool = True, ties: Ties = "lowest"
    ) -> tuple[Any, Any]:
        """Return the first keys in an order, and their places; always in order.

        Every piece answers with its own first keys, in one round.
        """
        if ties == "highest":
            raise self._refusal("ties='highest'", "pass one array")
        if not count:
            return np.empty(0, self.dtype), np.empty(0, np.int64)
        found: dict[str, Any] = {"by": by, "count": count}
        answer = partial(first, first_of=self.pieces.first, starts=self.pieces.places, **found)
        join = partial(join_first, **found)
        values, places = self._keys.ask(answer, join, title="reading", block=SPAN)
        return self._keys.own(values), places

    def result(self, found: Any, front: tuple[int, ...] = ()) -> Any:
        """Return answers as an array or a scalar of NumPy."""
        return np.reshape(found, front + self._kept)[()]

    def along(self, found: Any, out: Any = None) -> Any:
        """Return keys or places as they are."""
        if out is not None:
            raise self._refusal("out", "pass one array in memory")
        return found

    def weighted(self, *_: Any, **__: Any) -> Any:
        """Refuse weights."""
        raise self._refusal("weights", "pass one array in memory")

    places = sort = threshold = weighted  # whoever opens pieces has refused these by name

    def _refusal(self, option: str, advice: str) -> MethodUnavailable:
        return MethodUnavailable(f"{self._what} take no {option}: {advice}")

    def primitives(self) -> Pieces:
        """Return the primitives over all keys."""
        return self._keys


def first(
    keys: Any, piece: int, start: int, *, by: int, count: int, first_of: Any, starts: Any
) -> tuple[Keys, Integers]:
    """Return the first keys of a piece in an order, and their places among all keys.

    `first_of` answers for one piece, and `starts` says where pieces are: see `PieceHolder`.
    """
    values, places = first_of(keys, by, min(count, keys.size))
    places = places + start
    return values, starts(piece, places) if callable(starts) else places + starts[piece]


def join_first(
    answers: Sequence[tuple[Keys, Integers]], *, by: int, count: int
) -> tuple[Keys, Integers]:
    """Return the first keys of several answers: of equal keys, those at the lowest places."""
    values, places = (np.concatenate(each) for each in zip(*answers, strict=True))
    order = np.lexsort((places, order_codes(values, by)))[:count]
    return values[order], places[order]
