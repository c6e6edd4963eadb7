"""Radix selection in place: keys are never copied, a prefix says which are left.

The paper's in-place method overwrites keys that are out with the smallest or the largest code
(Alabi et al. 2012, section 2.2). Here their prefix tells that they are out, so the keys are only
read, once for each digit. It needs no memory but the counters.
"""

from shadersort.keys.types import Key, Keys
from shadersort.selection.digits import Groups, digit, width_of
from shadersort.selection.method import Method
from shadersort.selection.search import Search
from shadersort.selection.selection import Selection

__all__ = ["METHOD", "radix_inplace", "radix_inplace_many"]


def radix_inplace(selection: Selection, *, width: int | None = None) -> Key:
    """Go down the digits until the answer is the first or the last candidate, or the code is told.

    Parameters
    ----------
    selection
        Keys and rank.
    width
        Bits in a digit; None for what suits the device.
    """
    width = width_of(selection, width)
    search = Search(selection)
    while search.nearest() is None:
        digit(search, width)
    return search.answer


def radix_inplace_many(selection: Selection, *, width: int | None = None) -> Keys:
    """Go down the digits of all ranks together, to the last.

    Parameters are those of `radix_inplace`.
    """
    width = width_of(selection, width)
    answers, finite = selection.specials()
    ks = selection.ranks[finite]
    if ks.size:
        groups = Groups(selection, ks)
        while groups.shift:
            groups.descend(width)
        answers[finite] = groups.answers()
    return answers


METHOD = Method(
    "radix-inplace",
    radix_inplace,
    needs=("extent", "digit_histogram", "at_or_above", "at_or_below"),
    finite=True,
    many=radix_inplace_many,
    needs_many=("extent", "digit_histograms"),
)
