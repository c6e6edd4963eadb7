"""CUDA kernels, one idea a file.

The folders say what kernels are for: `one_read` (selection of one array), `papers` (the methods of
the papers), `pieces` (arrays on several devices), `rows`, `sorting`, `streams`; files of `shared`
are included by kernels of several folders. A file is known by its name, which is unique; a kernel
is the function of its name in the file of its name, whose head names the NumPy twin with which it
must agree. The sources include only each other. NVRTC compiles a kernel at its first use.
"""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["kernel_names", "source"]

FOLDERS = "shared", "one_read", "papers", "pieces", "rows", "sorting", "streams"


@cache
def source(name: str) -> str:
    """Return the source of a file, with each include replaced by that file."""
    return "\n".join(_lines(name, set()))


def kernel_names() -> list[str]:
    """Return the name of every kernel.

    Examples
    --------
    >>> kernel_names()[:2]
    ['alabi_assign_buckets', 'alabi_copy_elements']
    """
    return sorted(name.removesuffix(".cu") for name in _files() if name.endswith(".cu"))


@cache
def _files() -> dict[str, Traversable]:
    """Return every file of the folders by its name."""
    folders = (files("modern.kernels") / folder for folder in FOLDERS)
    return {file.name: file for folder in folders for file in folder.iterdir()}


def _lines(name: str, included: set[str]) -> Iterator[str]:
    """Yield the lines of a file; an include is replaced by the lines of that file, once."""
    included.add(name)
    for line in _files()[name].read_text(encoding="utf-8").splitlines():
        if not line.startswith("#include "):
            yield line
        elif (other := line.split('"')[1]) not in included:
            yield from _lines(other, included)
