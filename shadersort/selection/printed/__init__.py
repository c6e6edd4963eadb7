"""The methods exactly as their papers print them, each in a file that has the paper's name.

`as_printed=True` chooses them. They have the faults that the papers report: hostile keys cost many
reads, and a wrong answer raises `AnswerRefuted`, as counts prove every answer. Variables have the
papers' names. `docs/errata.md` says where a text cannot be followed to the letter. Of five methods
that Beliakov 2011 compares, the steps are not in the paper: these are the textbook's.
"""

from shadersort.errors import BadOption, choices
from shadersort.selection.method import Method
from shadersort.selection.methods import lookup
from shadersort.selection.printed import (
    alabi_2012_bucket_select,
    alabi_2012_radix_select,
    alabi_2012_randomized_select,
    alabi_2012_sort_choose,
    beliakov_2011_cutting_plane,
    beliakov_2011_searches,
)

__all__ = ["PRINTED", "lookup_printed"]

PRINTED: dict[str, Method] = {
    method.name: method
    for method in (
        *(alabi_2012_sort_choose.METHOD, alabi_2012_radix_select.METHOD),
        *(alabi_2012_radix_select.METHOD_INPLACE, alabi_2012_bucket_select.METHOD),
        *(alabi_2012_randomized_select.METHOD, beliakov_2011_cutting_plane.METHOD),
        *beliakov_2011_searches.METHODS,
    )
}
"""Every method that a paper prints, by the name that it has in `METHODS`."""


def lookup_printed(name: str) -> Method:
    """Return a method as printed, by its name in `METHODS`; raise UnknownName or BadOption."""
    lookup(name)
    if name not in PRINTED:
        raise BadOption(
            f"no paper here prints {name!r} step by step: as_printed=True is for {choices(PRINTED)}"
        )
    return PRINTED[name]
