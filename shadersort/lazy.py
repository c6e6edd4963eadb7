"""Packages whose content is imported at its first use, so that importing them takes little time."""

import sys
from importlib import import_module

TYPE_CHECKING = False  # `typing` has it, but takes a while to import
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def attributes(package: str, homes: "Mapping[str, str]") -> "Callable[[str], Any]":
    """Return the `__getattr__` of a package.

    `homes` says where each attribute is: "module:name", or "module" for the module itself.

    Examples
    --------
    >>> find = attributes("json", {"tool": "json.tool", "Decoder": "json.decoder:JSONDecoder"})
    >>> find("tool").__name__, find("Decoder").__name__
    ('json.tool', 'JSONDecoder')
    >>> find("tol")
    Traceback (most recent call last):
    AttributeError: module 'json' has no attribute 'tol'
    """

    def find(name: str) -> "Any":
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        module, _, inside = homes[name].partition(":")
        found: Any = import_module(module)
        if inside:
            found = getattr(found, inside)
        setattr(sys.modules[package], name, found)  # so it is looked up once
        return found

    return find
