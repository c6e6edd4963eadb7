"""Quantiles of the groups of a Dask data frame: exact, and in the same rounds for all groups."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadOption, EmptyInput, UnknownColumn, UnsupportedKeys, choices
from shadersort.keys.accepted import selectable
from shadersort.keys.codes import decode
from shadersort.keys.stand_ins import back
from shadersort.names import QuantileMethod
from shadersort.selection.quantile_plan import plan
from shadersort.selection.rows.quantiles import missing_of


def group_quantiles(
    frame: Any,
    by: Hashable | Sequence[Hashable],
    column: Hashable,
    q: npt.ArrayLike = 0.5,
    *,
    method: QuantileMethod = "linear",
) -> Any:
    """Return the quantiles of a column in each group of rows, as pandas' groupby does.

    `frame.groupby(by)[column].quantile(q)` of pandas is the reference. Dask's own is approximate,
    or brings each group into one partition. Here rows stay where they are: usually three rounds
    compute the partitions, for all groups together, and only counts, samples and few candidates
    travel. The names of all groups have to fit into the memory of each worker.

    Parameters
    ----------
    frame
        A Dask data frame; it is neither changed nor persisted.
    by
        The column, or a list of columns, whose values name groups. Rows where one is missing are
        left out.
    column
        The column of the keys: numbers, booleans, or times. Missing keys and NaNs are left out.
    q
        A number from 0 to 1, or a flat list of them.
    method
        How to interpolate: one of the methods of `np.quantile`.

    Returns
    -------
    A Series of pandas, computed at once: its index has the names of groups in order, and the q of a
    list. A group without keys has NaN.

    Raises
    ------
    UnsupportedKeys, UnknownColumn, BadOption
        It is no Dask data frame of numbers, has no such column, `by` is empty, or q has several
        dimensions.
    EmptyInput
        There are no groups.
    QuantileOutOfRange, QuantileIsNaN, QuantileNotNumber, UnknownQuantileMethod
        The q or the method is wrong.
    InputChanged, KeysLost, ClusterUnavailable
        A partition was not the same in each round, or the cluster has failed.

    Examples
    --------
    >>> import dask.dataframe, pandas
    >>> shop = pandas.DataFrame({"town": ["A", "B", "A", "B", "A"], "price": [3.0, 5, 1, 9, 8]})
    >>> frame = dask.dataframe.from_pandas(shop, npartitions=2)
    >>> group_quantiles(frame, "town", "price").to_dict()
    {'A': 3.0, 'B': 7.0}
    """
    from modern.on_dask.frames import Columns, Grouped, known_groups
    from modern.on_dask.groups import codes_of_ranks
    from shadersort.selection.dask_tasks import Rounds

    names = tuple(by) if isinstance(by, list) else (by,)
    if not names:
        raise BadOption("by is an empty list: name the columns whose values name groups")
    _check(frame, (*names, column), q)
    given = frame._meta[column].to_numpy().dtype
    keys, stand_in = selectable(np.empty(0, given))
    plan(1, q, method, nan=False)
    columns = Columns(names, column, given)
    rounds = Rounds(frame[list(dict.fromkeys((*names, column)))], "group-quantiles")
    groups, known = known_groups(rounds, columns)
    if not len(groups):
        raise EmptyInput("no groups, so there is no quantile: pass a frame with rows")
    plans = [plan(n, q, method, nan=False) if n else None for n in known.counts.tolist()]
    ranks = [np.empty(0, np.int64) if each is None else each.ranks for each in plans]
    sizes = [each.size for each in ranks]
    ids = np.repeat(np.arange(len(ranks)), sizes)
    sources = [Grouped(columns)] * len(rounds.keys)
    codes = codes_of_ranks(rounds, sources, groups, known, ids, np.concatenate(ranks))
    found = back(stand_in, decode(codes.astype(f"u{keys.itemsize}"), keys.dtype))
    answers = [
        None if each is None else each.combine(some)
        for each, some in zip(plans, np.split(found, np.cumsum(sizes)[:-1]), strict=True)
    ]
    return _series(groups, answers, q, column, names)


def _check(frame: Any, names: tuple[Hashable, ...], q: npt.ArrayLike) -> None:
    """Raise an error unless this is a Dask data frame with some columns, and q is flat."""
    if not hasattr(frame, "__dask_keys__") or not hasattr(frame, "columns"):
        raise UnsupportedKeys(
            f"a Dask data frame is wanted, not {type(frame).__name__}: use frame.groupby(...) of "
            "pandas, or dask.dataframe.from_pandas(frame)"
        )
    for name in names:
        if name not in frame.columns:
            own = choices([str(each) for each in frame.columns])
            raise UnknownColumn(f"the frame has no column {name!r}: use {own}")
    if np.ndim(q) > 1:
        raise BadOption(f"q is a number or a flat list, and has not {np.ndim(q)} dimensions")


def _series(
    groups: Any, answers: list[Any], q: npt.ArrayLike, column: Hashable, names: tuple[Any, ...]
) -> Any:
    """Return the answers of groups with their names; NaN where a group has none."""
    import pandas

    some = next((np.asarray(each) for each in answers if each is not None), np.array(np.nan))
    if any(each is None for each in answers):
        dtype = some.dtype if some.dtype.kind in "fmM" else np.dtype(np.float64)
        empty = np.full(np.shape(q), missing_of(dtype))
        answers = [empty if each is None else each for each in answers]
    values = np.asarray(answers).ravel()
    index = groups.set_names(list(names))
    if np.ndim(q):
        shares = np.asarray(q, np.float64)
        frame = index.repeat(shares.size).to_frame(index=False)
        columns = [*(frame[each] for each in frame.columns), np.tile(shares, len(groups))]
        index = pandas.MultiIndex.from_arrays(columns, names=[*names, None])
    return pandas.Series(values, index, name=column)
