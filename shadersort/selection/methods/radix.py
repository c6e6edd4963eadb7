"""Radix selection: count the digits of the codes, keep the keys with the digit of the rank.

The method of Alabi et al. 2012, section 2.2. Its worst case is bounded by the bits of a key,
however the keys are spread: the paper's answer to the adversaries of `bucket`. A digit that all
candidates share is not copied for, and digits that all keys share are not read.
"""

from shadersort.keys.types import Key, Keys
from shadersort.selection.digits import Groups, digit, width_of
from shadersort.selection.method import Method
from shadersort.selection.methods.sort_choose import sort_choose_many
from shadersort.selection.search import Search
from shadersort.selection.selection import Selection

__all__ = ["METHOD", "radix", "radix_many"]

COPIED = 4
"""Once 1 in so many keys is a candidate, they are copied."""


def radix(selection: Selection, *, width: int | None = None, few: int | None = None) -> Key:
    """Go down the digits, and copy the keys that have the digit of the rank.

    Parameters
    ----------
    selection
        Keys and rank.
    width
        Bits in a digit; None for what suits the device. The paper's are 4 and 8.
    few
        So few candidates are sorted; None for what suits the device. With neither said, a device
        that can walks down the digits by itself.
    """
    width = width_of(selection, width)
    few = selection.keys.tuning.few if few is None else few
    search = Search(selection)
    while search.nearest() is None:
        if search.candidates <= few:
            return search.compacted()
        digit(search, width)
        if COPIED * search.candidates <= search.keys.size:
            search.shrink()
    return search.answer


def radix_many(selection: Selection, *, width: int | None = None, few: int | None = None) -> Keys:
    """Go down the digits of all ranks together: one read counts under all their prefixes.

    Parameters are those of `radix`.
    """
    width = width_of(selection, width)
    few = selection.keys.tuning.few if few is None else few
    if selection.n <= few:
        return sort_choose_many(selection)
    answers, finite = selection.specials()
    ks = selection.ranks[finite]
    if not ks.size:
        return answers
    groups = Groups(selection, ks)
    while groups.shift and groups.candidates > few:
        groups.descend(width)
        if groups.candidates < groups.keys.size:
            groups.shrink()
    answers[finite] = groups.answers()
    return answers


METHOD = Method(
    "radix",
    radix,
    needs=(
        *("extent", "digit_histogram", "between"),
        *("at_or_above", "at_or_below", "sort", "take"),
    ),
    finite=True,
    at_once="digits",
    many=radix_many,
    needs_many=("extent", "digit_histograms", "with_prefixes", "sort", "take"),
)
