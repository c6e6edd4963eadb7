"""The first keys of rows of a NumPy array: by one rank, and one look for the keys before it."""

import numpy as np

from shadersort.keys.codes import encode
from shadersort.keys.types import Integers, Key, Keys, Mask
from shadersort.selection.rows.few import LONG, few_of_row, is_worth_a_sample, up_to
from shadersort.selection.rows.ordered import ranked, taken
from shadersort.selection.rows.placed import first_by_codes, fit_with_places
from shadersort.selection.rows.protocol import Ties
from shadersort.selection.rows.sixteen_bits import HALF

FEW, FEW_MORE = 1 << 8, 1 << 10
"""Up to this many keys, of all rows together, are sorted with their places; the second is for short
rows, and for keys that do not fit into 64 bits with their places."""

SHORT_ROW = 1 << 7
"""Rows of up to so many keys are short."""

ALONE = 1 << 12
"""One row of up to so many keys is divided at the last of the wanted keys."""

LONG_ROW, SPARSE = 1 << 12, 64
"""In rows of so many keys, more than one in so many is found by a partition of the places."""

RARE, LONGEST = 1 << 7, 1 << 20
"""If more than one key in so many is wanted, keys are sorted together with their places; in longer
rows than this that would need too much memory."""

SAMPLE = 1 << 8
"""About so many keys of a row show whether it has few different ones."""

PIECE = 1 << 12
"""In longer rows equal keys are counted piece by piece, which takes less time and memory."""


def first_of_rows(rows: Keys, count: int, smallest: bool, in_order: bool, ties: Ties) -> Integers:
    """Return the places of the `count` largest or smallest keys of each row.

    Among equal keys those that `ties` names are taken. Without `in_order`, they come in any order.

    Examples
    --------
    >>> rows = np.array([[10, 30, 20, 30]])
    >>> first_of_rows(rows, 3, smallest=False, in_order=True, ties="lowest")
    array([[1, 3, 2]])
    >>> first_of_rows(rows, 1, smallest=False, in_order=True, ties="highest")
    array([[3]])
    """
    if rows.dtype == HALF:
        rows = encode(rows)  # NumPy compares half floats several times slower than integers
    length = rows.shape[1]
    if count == 1:
        return _one(rows, smallest, ties)
    if rows.size <= (FEW_MORE if length <= SHORT_ROW or not fit_with_places(rows) else FEW):
        return _stable(rows, smallest, ties)[:, :count]
    if len(rows) == 1 and length <= ALONE:
        places = _of_one(rows[0], count, smallest, ties)
        if places is not None:
            return places[None]
    if is_worth_a_sample(length, count):
        each = [_of_long(row, count, smallest, in_order, ties) for row in rows]
        return np.asarray(each)
    return _of_all(rows, count, smallest, in_order, ties)


def _of_one(row: Keys, count: int, smallest: bool, ties: Ties) -> Integers | None:
    """Return the places of the first keys of a row of few keys; None if the last of them is NaN.

    Only keys before the last one are sorted. Its equals come behind them by their places.
    """
    rank = count - 1 if smallest else row.size - count
    last = np.partition(row, rank)[rank]
    if last != last:
        return None
    ahead = np.flatnonzero(row < last if smallest else ~(row <= last))  # a NaN is the largest
    equal = np.flatnonzero(row == last)
    if ties == "highest":
        equal = equal[::-1]
    if ahead.size > 1:
        ahead = ahead[_stable(row[ahead][None], smallest, ties)[0]]
    return np.concatenate([ahead, equal[: count - ahead.size]])


def _of_long(row: Keys, count: int, smallest: bool, in_order: bool, ties: Ties) -> Integers:
    """Return the places of the first keys of a long row, which are among few of its keys."""
    few = few_of_row(row, count, smallest, ties)
    if few is None:
        return np.asarray(_of_all(row[None], count, smallest, in_order, ties)[0])
    if few.size == count and not in_order:
        return few
    return np.asarray(few[first_of_rows(row[few][None], count, smallest, in_order, ties)[0]])


def _of_all(rows: Keys, count: int, smallest: bool, in_order: bool, ties: Ties) -> Integers:
    """Do as `first_of_rows` does, by a partition of all keys."""
    length = rows.shape[1]
    if length <= LONGEST and fit_with_places(rows) and count * RARE > length:
        return first_by_codes(rows, count, smallest, in_order, ties == "highest")
    if count == length:
        places = np.broadcast_to(np.arange(length), rows.shape)
    else:
        places = _places(rows, count, smallest, ties)
    if not in_order:
        return places
    values = taken(rows, places)
    tied = count <= FEW and has_few_values(values[0])
    if tied or values.itemsize <= 2 or values.size <= FEW:
        return taken(places, _stable(values, smallest, ties))
    return _by_place(values, places, length, smallest, ties)


def _one(rows: Keys, smallest: bool, ties: Ties) -> Integers:
    """Return the place of the first key of each row."""
    highest = ties == "highest"
    seen = rows[:, ::-1] if highest else rows
    places: Integers = (seen.argmin if smallest else seen.argmax)(axis=1)
    if highest:
        places = rows.shape[1] - 1 - places
    places = places[:, None]
    if smallest and rows.dtype.kind == "f":  # a NaN is the least for NumPy, and the largest here
        found = taken(rows, places)
        if (some := np.flatnonzero(found != found)).size:
            places[some] = _stable(rows[some], smallest, ties)[:, :1]
    return places


def _stable(values: Keys, smallest: bool, ties: Ties) -> Integers:
    """Return the places of the keys of each row in order; equal ones as `ties` says.

    A stable sort from the other end, read backwards, gives the largest first.
    """
    backwards = smallest == (ties == "highest")
    found = np.argsort(values[:, ::-1] if backwards else values, axis=1, kind="stable")
    found = values.shape[1] - 1 - found if backwards else found
    return found if smallest else found[:, ::-1]


def _by_place(values: Keys, places: Integers, length: int, smallest: bool, ties: Ties) -> Integers:
    """Return the places of keys in the order of the keys; equal ones as `ties` says.

    NumPy's default sort is several times faster than the stable one. So the keys are sorted by it,
    and the places of equal keys after that: equal keys have the same number, and the sum of
    number · length and place is sorted.
    """
    order = np.argsort(values, axis=1)
    values, places = taken(values, order), taken(places, order)
    before, after = values[:, :-1], values[:, 1:]
    new = (before != after) & (before == before)  # NaNs are the last, and all equal
    if not new.all():
        numbers = np.zeros(places.shape, np.int64)
        np.cumsum(new, axis=1, out=numbers[:, 1:])
        numbers *= length
        turned = smallest == (ties == "highest")  # the largest are read backwards
        sums = numbers + (length - 1 - places if turned else places)
        sums.sort(axis=1)
        sums -= numbers
        places = length - 1 - sums if turned else sums
    return places if smallest else places[:, ::-1]


def _places(rows: Keys, count: int, smallest: bool, ties: Ties) -> Integers:
    """Return the places of the first keys of each row, ascending; with ties "any", in any order.

    Many are found by a partition of the places, because a look for them among all takes longer. It
    takes any of the keys that equal the last one, so these are looked for again.
    """
    length = rows.shape[1]
    many = length >= LONG_ROW and count * SPARSE > length and rows.itemsize >= 4
    if many and (ties == "any" or not has_few_values(rows[0])):
        rank = count - 1 if smallest else length - count
        order = np.argpartition(rows, rank, axis=1)
        places = order[:, :count] if smallest else order[:, rank:]
        if ties == "any":
            return places
        last = taken(rows, order[:, rank, None])[:, 0]
        each = zip(rows, places, last, strict=True)
        return np.sort([_with_equals(row, some, key, ties) for row, some, key in each], axis=1)
    if len(rows) == 1 or length >= LONG:
        return np.stack([_up_to_last(row, count, smallest, ties) for row in rows])
    chosen = np.flatnonzero(_chosen(rows, count, smallest, ties)).reshape(-1, count)
    return chosen - np.arange(0, rows.size, length)[:, None]


def _up_to_last(row: Keys, count: int, smallest: bool, ties: Ties) -> Integers:
    """Return the places of the first keys of one row, ascending."""
    rank = count - 1 if smallest else row.size - count
    last = ranked(row[None], np.array([rank]), own=False)[0, 0]
    found = up_to(row, last, count, smallest, ties, row.size)
    assert found is not None  # all keys are searched
    return found


def has_few_values(row: Keys) -> bool:
    """Whether many keys of a row seem to be equal.

    Examples
    --------
    >>> has_few_values(np.arange(1000)), has_few_values(np.arange(1000) % 7)
    (False, True)
    """
    sample = np.sort(row[:: row.size // SAMPLE + 1])
    return 2 * int(np.count_nonzero(sample[1:] == sample[:-1])) > sample.size


def _with_equals(row: Keys, places: Integers, last: Key, ties: Ties) -> Integers:
    """Return the places of the first keys, with the right ones of those that equal the last key."""
    values = row[places]
    if last == last:
        ahead, equal = places[values != last], np.flatnonzero(row == last)
    else:
        ahead, equal = places[values == values], np.flatnonzero(row != row)
    left_out = ahead.size + equal.size - places.size
    few = equal[left_out:] if ties == "highest" else equal[: equal.size - left_out]
    return np.concatenate([ahead, few])


def _chosen(rows: Keys, count: int, smallest: bool, ties: Ties) -> Mask:
    """Return which keys of each row are among the first: exactly `count`."""
    rank = count - 1 if smallest else rows.shape[1] - count
    last = ranked(rows, np.array([rank]), own=False)
    chosen = rows <= last if smallest else ~(rows < last)  # a NaN is above all numbers
    if among_nan := bool(np.any(last != last)):
        nans = rows != rows
        chosen = chosen | (last != last) if smallest else chosen & ((last == last) | nans)
    total = np.count_nonzero(chosen)
    if total == count * len(rows):
        return chosen
    surplus = np.count_nonzero(chosen, axis=1) - count
    over = slice(None) if surplus.all() else np.flatnonzero(surplus)
    equal = rows[over] == last[over]
    if among_nan:
        equal |= nans[over] & (last[over] != last[over])
    chosen[over] &= ~_left_out(equal, surplus[over], ties)
    return chosen


def _left_out(equal: Mask, surplus: Integers, ties: Ties) -> Mask:
    """Return some flags of each row only: the last ones, or with "highest" the first ones."""
    if equal.shape[1] > PIECE:
        turned = equal if ties == "highest" else equal[:, ::-1]
        for flags, left_out in zip(turned, surplus.tolist(), strict=True):
            flags[_place_of(flags, left_out) :] = False
        return equal
    places, counts = np.flatnonzero(equal), np.count_nonzero(equal, axis=1)
    ends, every = np.cumsum(counts), np.arange(places.size)
    if ties == "highest":
        stay = every >= np.repeat(ends - counts + surplus, counts)
    else:
        stay = every < np.repeat(ends - surplus, counts)
    equal.reshape(-1)[places[stay]] = False
    return equal


def _place_of(flags: Mask, nth: int) -> int:
    """Return the place of the nth flag, from zero; the size if there are only nth flags."""
    for start in range(0, flags.size, PIECE):
        piece = flags[start : start + PIECE]
        here = int(np.count_nonzero(piece))
        if nth < here:
            return start + int(np.flatnonzero(piece)[nth])
        nth -= here
    return flags.size
