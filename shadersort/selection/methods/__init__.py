"""The table of methods, by public name. To add a method, write its file and list it here.

The function of a method takes a `Selection`, with its keys and ranks, and the method's options. The
methods in `searches/` narrow a bracket by counts at pivots, and share one loop.
"""

from shadersort.errors import UnknownName, choices
from shadersort.names import SelectionMethod
from shadersort.selection.method import Method
from shadersort.selection.methods import (
    auto,
    bitwise,
    bucket,
    one_read,
    quickselect,
    quickselect_serial,
    radix,
    randomized,
    sort_choose,
)
from shadersort.selection.methods.searches import (
    bisection,
    brent,
    cutting_plane,
    golden,
    quasi_newton,
)

__all__ = ["METHODS", "lookup"]

METHODS: dict[SelectionMethod, Method] = {
    method.name: method
    for method in (
        *(sort_choose.METHOD, quickselect.METHOD, quickselect_serial.METHOD),
        *(radix.METHOD, radix.METHOD_INPLACE, one_read.METHOD, bucket.METHOD, randomized.METHOD),
        *(cutting_plane.METHOD, bisection.METHOD, brent.METHOD, brent.METHOD_MIN, golden.METHOD),
        *(quasi_newton.METHOD, bitwise.METHOD, auto.METHOD),
    )
}


def lookup(name: str) -> Method:
    """Return the method of a name, or raise UnknownName."""
    if name not in METHODS:
        raise UnknownName(f"no method of selection is called {name!r}: use {choices(METHODS)}")
    return METHODS[name]
