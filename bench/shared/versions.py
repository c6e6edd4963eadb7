"""A method as its paper prints it, in our version, or from NumPy: what benchmarks run side by side.

What is timed is the method alone: as printed without the proof by counts, which no paper has, and
our versions with it, as they know most of the counts already.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import modern
from modern.opening import open_rows
from shadersort.errors import AnswerRefuted, DidNotConverge
from shadersort.names import Variant
from shadersort.selection import select, select_many
from shadersort.selection.primitives import Primitives
from shadersort.selection.printed import PRINTED, lookup_printed
from shadersort.selection.selection import Selection

FINISH = {"cutting-plane": {"finish": "compact"}}
"""Options of methods as printed: the hybrid of Beliakov's tables."""

VARIANTS: tuple[Variant, Variant] = ("as printed", "improved")

LIBRARY = "np.partition"
"""The method of NumPy, introselect: for keys on the host."""

DEFAULT = "auto"
"""What runs if no method is named; it is not traced, as a trace would choose among the methods."""

TODAY = (DEFAULT, "one-read")
"""Methods of ours that no paper has."""

Wrap = Callable[[Primitives], Primitives]


class Version(NamedTuple):
    """A method, in one of its variants, with options."""

    method: str
    as_printed: bool = False
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def variant(self) -> str:
        """The name of the variant."""
        others = {LIBRARY: "library"} | dict.fromkeys(TODAY, "today")
        return others.get(self.method, VARIANTS[not self.as_printed])

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of `modern.select`, beside keys and rank."""
        return {"method": self.method, "as_printed": self.as_printed, **dict(self.options)}

    def traced(self, x: Any, ks: Any) -> "Attempt":
        """Return the answer of one rank or many, proved by counts, with its trace; or its fault."""
        if self.method in (LIBRARY, DEFAULT):
            return self.timed(x, ks)
        find: Any = modern.select if np.ndim(ks) == 0 else modern.multiselect
        return attempted(lambda: find(x, ks, return_trace=True, **self.given))

    def timed(self, x: Any, ks: Any, wrap: Wrap | None = None) -> "Attempt":
        """Return the answer of what is timed. As printed it is not proved: compare it yourself.

        `wrap` makes what the method asks of the primitives of the keys.
        """
        if self.method == LIBRARY:
            return Attempt(np.partition(x, ks)[ks])
        if not self.as_printed and wrap is None:
            find: Any = modern.select if np.ndim(ks) == 0 else modern.multiselect
            return attempted(lambda: find(x, ks, **self.given))
        rows = open_rows("select", x, None)
        keys = rows.primitives() if wrap is None else wrap(rows.primitives())
        search: Any = select if np.ndim(ks) == 0 else select_many
        way = self.unproved if self.as_printed else lambda *of: search(*of, **self.given)
        return attempted(lambda: rows.result(way(keys, ks), np.shape(ks)))

    def unproved(self, keys: Primitives, ks: Any) -> Any:
        """Return what the method as printed answers; several ranks ascend."""
        selection = Selection(keys, np.atleast_1d(ks), self.method, VARIANTS[0])
        method, options = lookup_printed(self.method), dict(self.options)
        find = method.find if np.ndim(ks) == 0 else method.find_many
        return find(selection, options)


def versions(*methods: str) -> list[Version]:
    """Return each method as printed, if a paper prints it, and our version.

    Examples
    --------
    >>> [each.variant for each in versions("radix")]
    ['as printed', 'improved']
    >>> [each.variant for each in versions("quickselect")]
    ['improved']
    """
    found = []
    for method in methods:
        printed = Version(method, True, tuple(FINISH.get(method, {}).items()))
        found += [*([printed] if method in PRINTED else []), Version(method)]
    return found


class Attempt(NamedTuple):
    """The answer of a selection, or the name of its fault; and the trace, if it was asked for."""

    answer: Any
    trace: Any = None
    fault: str = ""


def attempted(find: Callable[[], Any]) -> Attempt:
    """Select; a method that is wrong or does not converge, as a paper prints it, has a fault."""
    try:
        found = find()
    except (AnswerRefuted, DidNotConverge) as fault:
        return Attempt(None, fault.trace, type(fault).__name__)
    return Attempt(*found) if isinstance(found, tuple) else Attempt(found)
