"""Keys: accepted types, integers in their order, keys never drawn, outputs, data sets."""

import typing as _typing
from importlib import import_module as _import

if _typing.TYPE_CHECKING:
    from shadersort.keys import datasets as datasets
else:

    def __getattr__(name: str) -> _typing.Any:
        if name == "datasets":
            return _import("shadersort.keys.datasets")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
