"""Radix selection: count the digits of the codes, keep the keys with the digit of the rank.

The method of Alabi et al. 2012, section 2.2. Its worst case is bounded by the bits of a key,
however the keys are spread: the paper's answer to the adversaries of `bucket`. A digit that all
candidates share is not copied for, and digits that all keys share are not read.
"""

import numpy as np

from shadersort.primitives import Key, Keys
from shadersort.selection.digits import WIDTH, Groups, checked, walk
from shadersort.selection.method import Method
from shadersort.selection.run import Run
from shadersort.selection.search import Search
from shadersort.selection.sort_choose import sort_choose_many

__all__ = ["FEW", "METHOD", "radix", "radix_many"]

FEW = 1 << 12
"""So few candidates are sorted."""


def radix(run: Run, *, width: int = WIDTH, few: int = FEW) -> Key:
    """Go down the digits, and copy the keys that have the digit of the rank.

    Parameters
    ----------
    run
        Keys and rank.
    width
        Bits in a digit.
    few
        So few candidates are sorted.
    """
    search = Search(run)
    digits = walk(search, checked(width))
    while search.nearest() is None:
        if search.candidates <= few:
            return search.compacted()
        prefix, shift, count = next(digits)
        if count < search.keys.size:
            search.move(search.keys.with_prefix(prefix, shift))
    return search.answer


def radix_many(run: Run, *, width: int = WIDTH, few: int = FEW) -> Keys:
    """Go down the digits of all ranks together: one read counts under all their prefixes.

    Parameters are those of `radix`.
    """
    checked(width)
    if run.n <= few:
        return sort_choose_many(run)
    answers, finite = run.specials()
    ks = np.array(run.ks[finite], np.int64)
    if not ks.size:
        return answers
    groups = Groups(run, ks)
    while groups.shift and groups.candidates > few:
        groups.descend(width)
        if groups.candidates < groups.keys.size:
            prefixes = groups.prefixes.tolist()
            groups.move(groups.keys.with_prefixes(prefixes, groups.shift))
    if groups.shift:
        answers[finite] = run.from_sorted(groups.keys, groups.places())
    else:
        answers[finite] = groups.answers()
    return answers


METHOD = Method(
    "radix",
    radix,
    needs=(
        *("extent", "digit_histogram", "with_prefix", "between"),
        *("at_or_above", "at_or_below", "sort", "take"),
    ),
    finite=True,
    many=radix_many,
    needs_many=("extent", "digit_histograms", "with_prefixes", "sort", "take"),
)
