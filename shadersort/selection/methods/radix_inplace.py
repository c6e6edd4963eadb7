"""Radix selection in place: keys are never copied; a prefix identifies the candidates.

The in-place method of Alabi et al. 2012, section 2.2, overwrites keys that are no candidates with
the smallest or the largest code. Here the prefix excludes them, so the keys are only read, once for
each digit. The method needs memory for counters only.
"""

from shadersort.keys.types import Key, Keys
from shadersort.selection.digits import Groups, digit, width_of
from shadersort.selection.method import Method
from shadersort.selection.search import Search
from shadersort.selection.selection import Selection


def radix_inplace(selection: Selection, *, width: int | None = None) -> Key:
    """Walk down the digits until all bits are known, or the answer is the first or last candidate.

    Parameters
    ----------
    width
        Bits in a digit; None for the device's default.
    """
    width = width_of(selection, width)
    search = Search(selection)
    while search.nearest() is None:
        digit(search, width)
    return search.answer


def _radix_inplace_many(selection: Selection, *, width: int | None = None) -> Keys:
    """Walk down all digits of all ranks together.

    The parameters are those of `radix_inplace`.
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
    many=_radix_inplace_many,
    needs_many=("extent", "digit_histograms"),
)
