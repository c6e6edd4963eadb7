"""Pictures: traces of sorts as stills, films and players; plots of networks; a live window."""

from shadersort.lazy import attributes as _attributes

__getattr__ = _attributes(__name__, {"plots": "shadersort.pictures.plots"})
