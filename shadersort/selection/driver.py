"""The driver: checks the request, lets a method find the answer, and proves it by counts."""

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadRank, EmptyInput, RankOutOfRange
from shadersort.keys.types import Integers, Keys
from shadersort.names import Variant
from shadersort.selection.methods import lookup
from shadersort.selection.primitives import Primitives
from shadersort.selection.printed import lookup_printed
from shadersort.selection.selection import Selection


def select(keys: Primitives, k: int, *, return_trace: bool = False, **how: Any) -> Any:
    """Return the k-th smallest key, k from zero, NaNs last; a negative k counts from the end.

    `return_trace` returns the pair (key, `SelectionTrace`). `how` may say the `method`, a name in
    `METHODS`, `as_printed`, to do exactly what its paper prints, with its faults, and options of
    the method, for example `iterations`: the docstring of its function names them. The errors are
    those of `shadersort.select`.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> select(NumPyPrimitives([30, 10, 20]), -1, method="cutting-plane")
    np.int64(30)
    >>> keys = NumPyPrimitives(np.arange(1000.0))
    >>> select(keys, 500, method="bucket", as_printed=True, return_trace=True)[1].label
    'bucket, as printed'
    """
    selection, (answer,), _ = find(keys, rank_of(k, keys.size), **how)
    answer = keys.restore(answer)
    return (answer, selection.trace()) if return_trace else answer


def find(
    keys: Primitives,
    ks: int | Integers,
    *,
    method: str = "auto",
    as_printed: bool = False,
    **options: Any,
) -> tuple[Selection, Keys, Integers]:
    """Find one rank, or many; return the selection, the keys, and how many are at or below each."""
    chosen = (lookup_printed if as_printed else lookup)(method)
    variant: Variant = "as printed" if as_printed else "improved"
    selection = Selection(keys, np.atleast_1d(ks), method, variant)
    if isinstance(ks, int):
        answers = np.array([chosen.find(selection, options)], keys.dtype)
    else:
        answers = chosen.find_many(selection, options) if ks.size else np.empty(0, keys.dtype)
    below, equal = selection.prove(answers)
    return selection, answers, below + equal


def select_many(
    keys: Primitives, ks: npt.ArrayLike, *, return_trace: bool = False, **how: Any
) -> Any:
    """Return the keys of many ranks, an array of the shape of `ks`; see `select`.

    Ranks may come in any order and more than once. The trace of a method that finds one after the
    other has the steps of all.

    Examples
    --------
    >>> from shadersort.selection.primitives import NumPyPrimitives
    >>> select_many(NumPyPrimitives([30, 10, 20]), [2, 0, -1], method="sort-choose")
    array([30, 10, 30])
    """
    distinct, places = distinct_ranks(ranks_of(ks, keys.size))
    selection, answers, _ = find(keys, distinct, **how)
    answers = keys.restore(answers[places].reshape(np.shape(ks)))
    return (answers, selection.trace()) if return_trace else answers


def distinct_ranks(ranks: Integers) -> tuple[Integers, Any]:
    """Return the distinct ranks, ascending, and where each given rank is among them."""
    if (ranks[1:] > ranks[:-1]).all():
        return ranks, slice(None)
    distinct, places = np.unique(ranks, return_inverse=True)
    return distinct, places.ravel()


def rank_of(k: Any, n: int) -> int:
    """Return a rank among n keys, from zero; raise an error if there is no such rank."""
    if n == 0:
        raise EmptyInput("no keys, so none has any rank: pass at least one")
    try:
        rank = operator.index(k)
    except TypeError as error:
        raise BadRank(f"a rank is an integer, counted from zero, not {k!r}") from error
    if not -n <= rank < n:
        raise RankOutOfRange(f"rank {rank} of {n} keys: ranks are {-n} to {n - 1}")
    return rank % n


def ranks_of(ks: npt.ArrayLike, n: int) -> Integers:
    """Check many ranks as `rank_of` does; return a flat array."""
    if isinstance(ks, np.ma.MaskedArray):
        raise BadRank("ranks are a masked array, whose mask would be lost: pass ks.compressed()")
    ranks = np.asarray(ks)
    whole = ranks.dtype.kind in "iu"
    if not whole or (ranks.size and not -n <= int(ranks.min()) <= int(ranks.max()) < n):
        return np.array([rank_of(k, n) for k in np.asarray(ks, object).ravel()], np.int64)
    return ranks.ravel().astype(np.int64) % max(n, 1)
