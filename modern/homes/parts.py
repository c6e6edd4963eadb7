"""Keys in parts: the functions of this package, over the primitives of parts.

A home of keys in parts gives their primitives; the algorithms do not change.
"""

from collections.abc import Callable, Iterator
from os import PathLike
from typing import Any

from modern.homes.call import Call
from modern.rows.asked import FLAT
from modern.rows.outputs import TopK
from shadersort import selection
from shadersort.errors import BadAxis, MethodUnavailable
from shadersort.selection.top_keys import LARGEST, SMALLEST, count_of

OF_ARRAYS = {
    **{"keepdims": False, "out": None, "weights": None, "segments": None, "q_per_row": False},
    "nan_policy": "propagate",
}
"""Options that only arrays have, with their defaults."""


def answer(call: Call) -> Any:
    """Answer a call with keys in `Parts`."""
    return answer_over(call.x.primitives, call)


def answer_list(call: Call) -> Any:
    """Answer a call with keys in a list of arrays on GPUs."""
    from modern.parts import Parts

    return answer_over(Parts(call.x).primitives, call)


def answer_over(primitives: Callable[[], Any], call: Call) -> Any:
    """Answer a call over primitives, which are made after the options are checked.

    The answers are scalars and arrays of NumPy. A function that needs rows, or writes as many keys
    as it reads, raises MethodUnavailable.
    """
    check_answers(call)
    return ANSWERS[call.function.__name__](primitives, *call.args, **_checked(call))


def check_answers(call: Call) -> None:
    """Raise MethodUnavailable unless a call's function is answered over primitives."""
    name = call.function.__name__
    if name not in ANSWERS:
        raise MethodUnavailable(
            f"{name} needs one array: {_what(call)} are taken by {', '.join(ANSWERS)}, argtopk"
        )


def _checked(call: Call) -> dict[str, Any]:
    """Return the options without those of arrays, which have to be their defaults."""
    options = call.options
    if options.get("axis") not in FLAT:
        raise BadAxis(f"{_what(call)} have 1 dimension, and no axis {options['axis']}")
    for name in not_default(call):
        raise MethodUnavailable(f"{_what(call)} take no {name}: {_advice(call, name)}")
    return {
        name: each for name, each in options.items() if name != "axis" and name not in OF_ARRAYS
    }


def _what(call: Call) -> str:
    """Return what messages call the keys."""
    name = type(call.x).__name__
    if isinstance(call.x, str | PathLike) or name == "FileKeys":
        return "keys in a file"
    return "keys in parts" if name in ("Parts", "list") else f"keys of {name}"


def _advice(call: Call, option: str) -> str:
    """Return what to do instead of passing an option of arrays."""
    name = call.function.__name__
    if option == "nan_policy" and call.options[option] == "omit" and f"nan{name}" in ANSWERS:
        return f"nan{name} leaves out NaNs"
    if option == "keepdims":
        return "leave it out, and reshape the result"
    return "pass one array in memory"


def not_default(call: Call) -> Iterator[str]:
    """Yield the options that only arrays have, and that are not the function's defaults.

    Examples
    --------
    >>> list(not_default(Call(max, None, (), {"out": None, "keepdims": True})))
    ['keepdims']
    """
    for name, default in OF_ARRAYS.items():
        usual = call.default(name, default)
        given = call.options.get(name, usual)
        if given is not usual and (usual is None or given != usual):  # the given may be an array
            yield name


def _topk(
    primitives: Callable[[], Any],
    k: int,
    *,
    largest: bool = True,
    sorted: bool = True,
    ties: str = "lowest",
) -> Any:
    """Return the first keys from one end, in order whether or not that is asked for."""
    if ties == "highest":
        raise MethodUnavailable("keys in parts take no ties='highest': pass one array")
    keys = primitives()
    values, places = keys.first(LARGEST if largest else SMALLEST, count_of(k, keys.size))
    return TopK(keys.own(values), places)


def _over(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda primitives, *args, **options: function(primitives(), *args, **options)


ANSWERS: dict[str, Callable[..., Any]] = {
    "select": _over(selection.select),
    "multiselect": _over(selection.select_many),
    "median": _over(selection.median),
    "nanmedian": _over(selection.nanmedian),
    "quantile": _over(selection.quantile),
    "nanquantile": _over(selection.nanquantile),
    "topk": _topk,
}
"""What answers each function, given what makes the primitives."""
