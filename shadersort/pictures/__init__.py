"""Pictures: traces of sorts as stills, films and players; plots of networks; a live window."""

import typing as _typing

from shadersort.lazy import attributes as _attributes

if _typing.TYPE_CHECKING:
    from shadersort.pictures import plots as plots
else:
    __getattr__ = _attributes(__name__, {"plots": "shadersort.pictures.plots"})
