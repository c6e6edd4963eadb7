"""Pictures: traces of sorts as stills, films and players; plots of networks; a live window."""

import typing as _typing
from importlib import import_module as _import

if _typing.TYPE_CHECKING:
    from shadersort.pictures import plots as plots
else:

    def __getattr__(name: str) -> _typing.Any:
        if name == "plots":
            return _import("shadersort.pictures.plots")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
