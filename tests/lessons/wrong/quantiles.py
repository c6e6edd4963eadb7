from typing import Any

import numpy as np

from shadersort.lessons.quantiles.entries import Entries, bounds_of
from tests.lessons.wrong import Answers


def nearest_entry_twice(entries: Entries, x: float) -> Any:
    i = np.searchsorted(entries.values, x, side="right")
    rank = entries.smallest[i - 1] if i else 0
    return rank, rank


def entry_itself_not_counted(entries: Entries, x: float) -> Any:
    i = np.searchsorted(entries.values, x, side="left")
    low = entries.smallest[i - 1] if i else 0
    return low, entries.largest[i] - 1 if i < len(entries.values) else entries.n


def next_entry_counted(entries: Entries, x: float) -> Any:
    i = np.searchsorted(entries.values, x, side="right")
    low = entries.smallest[i - 1] if i else 0
    return low, entries.largest[i] if i < len(entries.values) else entries.n


def ends_forgotten(entries: Entries, x: float) -> Any:
    i = np.searchsorted(entries.values, x, side="right")
    return entries.smallest[i - 1], entries.largest[i] - 1


def bounds_confused(entries: Entries, x: float) -> Any:
    i = np.searchsorted(entries.values, x, side="right")
    low = entries.largest[i - 1] if i else 0
    return low, entries.smallest[i] - 1 if i < len(entries.values) else entries.n


def entries_counted(entries: Entries, x: float) -> Any:
    count = int(np.sum(entries.values <= x))
    return count, count


def put_in_order(a: Entries, b: Entries, smallest: Any, largest: Any) -> Entries:
    values = np.concatenate([a.values, b.values])
    order = np.argsort(values)
    return Entries(values[order], smallest[order], largest[order], a.n + b.n)


def old_ranks(a: Entries, b: Entries) -> Entries:
    smallest = np.concatenate([a.smallest, b.smallest])
    return put_in_order(a, b, smallest, np.concatenate([a.largest, b.largest]))


def places_among_the_entries(a: Entries, b: Entries) -> Entries:
    values = np.sort(np.concatenate([a.values, b.values]))
    ranks = np.arange(1, len(values) + 1)
    return Entries(values, ranks, ranks, a.n + b.n)


def lower_bounds_twice(a: Entries, b: Entries) -> Entries:
    (low, _), (low_b, _) = bounds_of(b, a.values), bounds_of(a, b.values)
    smallest = np.concatenate([a.smallest + low, b.smallest + low_b])
    return put_in_order(a, b, smallest, np.concatenate([a.largest + low, b.largest + low_b]))


def own_set_asked(a: Entries, b: Entries) -> Entries:
    (low, high), (low_b, high_b) = bounds_of(a, a.values), bounds_of(b, b.values)
    smallest = np.concatenate([a.smallest + low, b.smallest + low_b])
    return put_in_order(a, b, smallest, np.concatenate([a.largest + high, b.largest + high_b]))


def not_in_order(a: Entries, b: Entries) -> Entries:
    (low, high), (low_b, high_b) = bounds_of(b, a.values), bounds_of(a, b.values)
    return Entries(
        np.concatenate([a.values, b.values]),
        np.concatenate([a.smallest + low, b.smallest + low_b]),
        np.concatenate([a.largest + high, b.largest + high_b]),
        a.n + b.n,
    )


def ranks_not_in_order(a: Entries, b: Entries) -> Entries:
    wrong = not_in_order(a, b)
    return wrong._replace(values=np.sort(wrong.values))


WRONG: Answers = {
    "bounds_at": [
        *(nearest_entry_twice, entry_itself_not_counted, next_entry_counted, ends_forgotten),
        *(bounds_confused, entries_counted),
    ],
    "merged": [
        *(old_ranks, places_among_the_entries, lower_bounds_twice, own_set_asked, not_in_order),
        ranks_not_in_order,
        # size of the entries
        lambda a, b: old_ranks(a, b)._replace(n=len(a.values) + len(b.values)),
        lambda a, b: np.sort(np.concatenate([a.values, b.values])),  # values only
    ],
}
