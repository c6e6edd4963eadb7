"""Radix selection: count the digits of the codes, keep the keys with the digit of the rank.

The method of Alabi et al. 2012, section 2.2. The number of bits in a key bounds its worst case,
however the keys are distributed: the paper's answer to the adversaries of `bucket`. Digits that all
keys share are not counted, and candidates are copied only if they are much fewer than the keys.
"""

from shadersort.keys.types import Key, Keys
from shadersort.selection.digits import Groups, digit, width_of
from shadersort.selection.method import Method
from shadersort.selection.search import Search
from shadersort.selection.selection import Selection

COPIED = 4
"""Candidates are copied once they are at most 1 in this many keys."""


def radix(selection: Selection, *, width: int | None = None, few: int | None = None) -> Key:
    """Walk down the digits, and copy the keys that have the digit of the rank.

    Parameters
    ----------
    width
        Bits in a digit; None for the device's default. The paper has 4.
    few
        The walk ends, after one digit at least, when this many candidates are left or fewer; None
        for the device's default.
    """
    return walked(Search(selection), width, few)


def walked(search: Search, width: int | None = None, few: int | None = None) -> Key:
    """Walk down the digits from what a search has found so far, as `radix` does."""
    width, enough = width_of(search.selection, width), 0
    while search.nearest() is None:
        if search.candidates <= enough:
            return search.compacted()
        digit(search, width)
        enough = search.selection.keys.tuning.few if few is None else few
        if COPIED * search.candidates <= search.keys.size:
            search.shrink()
    return search.answer


def _radix_many(selection: Selection, *, width: int | None = None, few: int | None = None) -> Keys:
    """Walk down the digits of all ranks together: one read counts under all their prefixes.

    The parameters are those of `radix`.
    """
    width = width_of(selection, width)
    few = selection.keys.tuning.few if few is None else few
    answers, finite = selection.specials()
    ks = selection.ranks[finite]
    if not ks.size:
        return answers
    groups = Groups(selection, ks)
    enough = 0
    while groups.shift and groups.candidates > enough:
        groups.descend(width)
        if groups.candidates < groups.keys.size:
            groups.shrink()
        enough = few
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
    many=_radix_many,
    needs_many=("extent", "digit_histograms", "with_prefixes", "sort", "take"),
)
