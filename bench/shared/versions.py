"""A method as its paper prints it, and in our version: what benchmarks run side by side."""

from collections.abc import Callable
from typing import Any, NamedTuple

from shadersort.errors import AnswerRefuted, DidNotConverge
from shadersort.names import Variant
from shadersort.selection.printed import PRINTED

FINISH = {"cutting-plane": {"finish": "compact"}}
"""Options of methods as printed: the hybrid of Beliakov's tables."""

VARIANTS: tuple[Variant, ...] = ("as printed", "improved")


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


def versions(method: str) -> tuple[Version, ...]:
    """Return a method as printed, if a paper prints it, and our version.

    Examples
    --------
    >>> [each.variant for each in versions("radix")]
    ['as printed', 'improved']
    >>> [each.variant for each in versions("bisection")]
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
