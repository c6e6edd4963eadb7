"""A method as its paper prints it, and in our version: what benchmarks run side by side.

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
from shadersort.selection.primitives import Primitives
from shadersort.selection.printed import PRINTED, lookup_printed
from shadersort.selection.selection import Selection

FINISH = {"cutting-plane": {"finish": "compact"}}
"""Options of methods as printed: the hybrid of Beliakov's tables."""

VARIANTS: tuple[Variant, Variant] = ("as printed", "improved")


class Version(NamedTuple):
    """A method, in one of its variants, with options.

    Examples
    --------
    >>> Version("radix", as_printed=True).given
    {'method': 'radix', 'as_printed': True}
    """

    method: str
    as_printed: bool = False
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def variant(self) -> Variant:
        """The name of the variant."""
        return VARIANTS[not self.as_printed]

    @property
    def given(self) -> dict[str, Any]:
        """The arguments of `modern.select`, beside keys and rank."""
        return {"method": self.method, "as_printed": self.as_printed, **dict(self.options)}

    def traced(self, x: Any, ks: Any) -> "Attempt":
        """Return the answer of one rank or many, proved by counts, with its trace; or its fault."""
        find: Any = modern.select if np.ndim(ks) == 0 else modern.multiselect
        return attempted(lambda: find(x, ks, return_trace=True, **self.given))

    def timed(self, x: Any, ks: Any) -> "Attempt":
        """Return the answer of what is timed. As printed it is not proved: compare it yourself."""
        if self.as_printed:
            rows = open_rows("select", x, None)
            return attempted(
                lambda: rows.result(self.unproved(rows.primitives(), ks), np.shape(ks))
            )
        find: Any = modern.select if np.ndim(ks) == 0 else modern.multiselect
        return attempted(lambda: find(x, ks, **self.given))

    def unproved(self, keys: Primitives, ks: Any) -> Any:
        """Return what the method as printed answers; several ranks ascend."""
        selection = Selection(keys, np.atleast_1d(ks), self.method, self.variant)
        method, options = lookup_printed(self.method), dict(self.options)
        find = method.find if np.ndim(ks) == 0 else method.find_many
        return find(selection, options)


def versions(method: str) -> tuple[Version, ...]:
    """Return a method as printed, if a paper prints it, and our version.

    Examples
    --------
    >>> [each.variant for each in versions("radix")]
    ['as printed', 'improved']
    >>> [each.variant for each in versions("quickselect")]
    ['improved']
    """
    printed = Version(method, True, tuple(FINISH.get(method, {}).items()))
    return (*([printed] if method in PRINTED else []), Version(method))


class Attempt(NamedTuple):
    """The answer of a selection, or the name of its fault; and the trace, if it was asked for."""

    answer: Any
    trace: Any = None
    fault: str = ""


def attempted(select: Callable[[], Any]) -> Attempt:
    """Select; a method that is wrong or does not converge, as a paper prints it, has a fault."""
    try:
        found = select()
    except (AnswerRefuted, DidNotConverge) as fault:
        return Attempt(None, fault.trace, type(fault).__name__)
    return Attempt(*found) if isinstance(found, tuple) else Attempt(found)
