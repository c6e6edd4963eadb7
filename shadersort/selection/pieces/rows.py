"""The row of all keys in pieces: it answers ranks and first keys, and what follows from them."""

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import MethodUnavailable
from shadersort.selection.driver import count_of_numbers, missing, select_many
from shadersort.selection.pieces.answers import first, join_first
from shadersort.selection.pieces.asking import PieceHolder
from shadersort.selection.pieces.primitives import Pieces
from shadersort.selection.quantiles import median, nanmedian, nanquantile, quantile


class PieceRows:
    """All keys in pieces, as one row.

    Attributes
    ----------
    length, count
        How many keys, and one row.
    dtype
        The caller's type of key.
    pieces
        What holds the pieces.

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

    ranks_each = ranks

    def ranks_unless_nan(self, ks: Any) -> Any:
        """Return the keys of some ranks, or NaN for each of them if there is one."""
        found = self.ranks(ks)
        if self.count_non_nan() < self.length:
            return np.full_like(found, missing(self._keys))
        return found

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
        self, count: int, by: int, *, in_order: bool = True, ties: str = "lowest"
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
        values, places = self._keys.ask(answer, partial(join_first, **found), title="reading")
        return self._keys.own(values), places

    def result(self, found: Any, front: tuple[int, ...] = ()) -> Any:
        """Return answers as an array or a scalar of NumPy."""
        return np.reshape(found, front + self._kept)[()]

    def along(self, found: Any, out: Any = None) -> Any:
        """Return keys or places as they are."""
        if out is not None:
            raise self._refusal("out", "pass one array in memory")
        return found

    def take(self, found: Any, places: Any) -> Any:
        """Return the answers at some places."""
        return found[places]

    def weighted(self, *_: Any, **__: Any) -> Any:
        """Refuse weights."""
        raise self._refusal("weights", "pass one array in memory")

    def _refusal(self, option: str, advice: str) -> MethodUnavailable:
        return MethodUnavailable(f"{self._what} take no {option}: {advice}")

    def primitives(self) -> Pieces:
        """Return the primitives over all keys."""
        return self._keys

    def rank(self, k: int) -> Any:
        """Return the key of a rank."""
        return self.ranks([k])[0]
