"""The row of all keys in pieces: it answers ranks and first keys, and what follows from them."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from shadersort.errors import MethodUnavailable
from shadersort.keys.types import Integers, Keys
from shadersort.selection.pieces.asking import PieceHolder, Question, Where
from shadersort.selection.pieces.primitives import Pieces
from shadersort.selection.quantiles import SearchedRow
from shadersort.selection.rows.axes import Sizes
from shadersort.selection.rows.first import find_first
from shadersort.selection.rows.host import deliver
from shadersort.selection.rows.protocol import Rows, Ties
from shadersort.selection.top_keys import SMALLEST


class PieceRows(SearchedRow, Rows):
    """All keys in pieces, as one row; NaNs are counted by the read that finds ranks.

    Examples
    --------
    >>> from shadersort.selection.pieces.files import FileKeys
    >>> row = PieceRows(FileKeys([np.array([5, 1]), np.array([4])]))
    >>> row.ranks(np.array([1, 2])), row.first(2, 0), row.pieces.reads
    (array([4, 5]), (array([5, 4]), array([0, 2])), 3)
    """

    def __init__(self, pieces: PieceHolder, shape: Sizes = (), out: Any = None) -> None:
        super().__init__(Pieces(pieces))
        self.pieces, self._shape, self._out = pieces, shape, out

    def first(
        self, count: int, by: int, *, in_order: bool = True, ties: Ties = "lowest"
    ) -> tuple[Any, Any]:
        """Return the first keys in an order, and their places; always in order.

        Every piece answers with its own first keys, in one round.
        """
        if ties == "highest":
            raise MethodUnavailable("keys in pieces take no ties='highest': pass one array")
        answer, join = (partial(each, by=by, count=count) for each in (ask_first, join_first))
        values, places = join([self.pieces.ask(Question(answer, join))], in_order=True)
        return self.keys.restore(values), places

    def result(self, found: Any, front: tuple[int, ...] = ()) -> Any:
        """Return answers as an array or a scalar of NumPy."""
        return deliver(np.reshape(found, front + self._shape), self._out)

    def along(self, found: Any, out: Any = None) -> Any:
        """Return keys or places as they are."""
        return deliver(found, out)

    def weighted_quantiles(self, *_: Any, **__: Any) -> Any:
        """Refuse weights."""
        raise MethodUnavailable("keys in pieces take no weights: pass one array in memory")

    places = sort = threshold = weighted_quantiles  # whoever opens pieces has refused these by name

    def primitives(self) -> Any:
        """Return the primitives over all keys."""
        return self.keys


def ask_first(keys: Any, where: Where, *, by: int, count: int) -> tuple[Keys, Integers]:
    """Return the first keys of a piece in an order, and their places among all keys."""
    values, places = keys.first(by, min(count, keys.size))
    return values, where(places)


def join_first(
    answers: Sequence[tuple[Keys, Integers]], *, by: int, count: int, in_order: bool = False
) -> tuple[Keys, Integers]:
    """Return the first keys of several answers: of equal keys, those at the lowest places."""
    values, places = (np.concatenate(each) for each in zip(*answers, strict=True))
    order, count = places.argsort(kind="stable"), min(count, places.size)
    (first,) = find_first(values[order][None], count, smallest=by == SMALLEST, in_order=in_order)
    return values[order[first]], places[order[first]]
