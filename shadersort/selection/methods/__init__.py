"""The table of methods, by public name. To add a method, write its file and list it here.

The function of a method takes a `Selection`, with its keys and ranks, and the method's options.
"""

from shadersort.errors import UnknownName, choices
from shadersort.names import SelectionMethod
from shadersort.selection.method import Method
from shadersort.selection.methods import (
    auto,
    bisection,
    bitwise,
    brent_min,
    brent_root,
    bucket,
    cutting_plane,
    golden,
    one_read,
    quasi_newton,
    quickselect,
    quickselect_serial,
    radix,
    radix_inplace,
    randomized,
    sort_choose,
)

__all__ = ["METHODS", "lookup"]

METHODS: dict[SelectionMethod, Method] = {
    module.METHOD.name: module.METHOD
    for module in (
        sort_choose,
        quickselect,
        quickselect_serial,
        radix,
        radix_inplace,
        one_read,
        bucket,
        randomized,
        cutting_plane,
        bisection,
        brent_root,
        brent_min,
        golden,
        quasi_newton,
        bitwise,
        auto,
    )
}
"""Every method of selection."""


def lookup(name: str) -> Method:
    """Return the method of a name.

    Examples
    --------
    >>> lookup("bisection").needs
    ('counts', 'extent', 'at_or_above', 'at_or_below')
    """
    if name not in METHODS:
        raise UnknownName(f"no method of selection is called {name!r}: use {choices(METHODS)}")
    return METHODS[name]
