"""Keys: accepted types, integers in their order, keys never drawn, text, files, data sets."""

from shadersort.lazy import attributes as _attributes

__getattr__ = _attributes(__name__, {"datasets": "shadersort.keys.datasets"})
