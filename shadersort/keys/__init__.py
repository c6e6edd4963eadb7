"""Keys: accepted types, integers in their order, keys never drawn, text, files, data sets."""

import typing as _typing

from shadersort.lazy import attributes as _attributes

if _typing.TYPE_CHECKING:
    from shadersort.keys import datasets as datasets
else:
    __getattr__ = _attributes(__name__, {"datasets": "shadersort.keys.datasets"})
