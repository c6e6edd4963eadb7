"""The type in which commands draw keys, which may be another one than that of the input."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from shadersort.cli.inputs import Inputs
from shadersort.cli.key_files import opened_keys
from shadersort.files.source import Converted, Indexed
from shadersort.files.words import NumberWords
from shadersort.keys.inputs import precise_type
from shadersort.keys.outputs import Sink, Write
from shadersort.keys.types import Keys
from shadersort.names import Precision
from shadersort.sorting.external.external_sort import temporary_folder_for

FLOAT32, INT32 = np.dtype(np.float32), np.dtype(np.int32)


def read_keys(inputs: Inputs) -> Keys:
    """Return all keys of an input as they are drawn; without a type, words become float32."""
    words = NumberWords(FLOAT32, rounding=True) if inputs.request.dtype is None else None
    with opened_keys(inputs, temporary_folder_for(None, None), parser=words) as (source, _):
        return shown_keys(source.read(0, source.size))


def shown_keys(keys: Keys) -> Keys:
    """Return keys as pictures show them: integers of 64 bits as int32, if that holds them.

    Examples
    --------
    >>> shown_keys(np.arange(3)).dtype, shown_keys(np.array([1 << 40])).dtype
    (dtype('int32'), dtype('int64'))
    """
    limits = np.iinfo(INT32)
    if keys.dtype.kind not in "iu" or keys.itemsize <= INT32.itemsize:
        return keys.astype(drawn_type(keys.dtype), copy=False)
    fit = not len(keys) or (keys.min() >= limits.min and keys.max() <= limits.max)
    return keys.astype(INT32) if fit else keys


def drawn_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type in which keys are drawn: float32 for integers of 8 or 16 bits.

    Examples
    --------
    >>> drawn_type(np.dtype(np.int8)), drawn_type(np.dtype(np.float64))
    (dtype('float32'), dtype('float64'))
    """
    return FLOAT32 if dtype.kind in "iu" and dtype.itemsize < FLOAT32.itemsize else dtype


def drawn(source: Indexed, sink: Sink, precision: Precision | None) -> tuple[Indexed, Sink]:
    """Return keys in the type in which they are drawn, and an output that gives them their own.

    Raises UnknownName for a precision of integers.
    """
    precise_type(source.dtype, precision)
    if (dtype := drawn_type(source.dtype)) == source.dtype:
        return source, sink

    @contextmanager
    def in_their_type(stored: np.dtype[Any], count: int) -> Iterator[Write]:
        with sink(source.stored, count) as write:
            yield lambda keys: write(keys.astype(source.dtype))

    return Converted(source, dtype), in_their_type
