"""The words that a caller gives: str or bytes, alone, in lists and arrays, or from an iterator.

A str and the bytes of its UTF-8 are the same word. Bytes that are no UTF-8 are shown as a str with
surrogate escapes, as file names are by `os.fsdecode`; such a str stands for those bytes again.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import BadWeights, KeysNotFlat, UnsupportedKeys
from shadersort.keys.reading.words import Words
from shadersort.keys.types import Integers
from shadersort.streams.given_weights import checked_weights

TOGETHER = 1 << 16
"""Single words of an iterator that are taken together."""


def shown_word(word: bytes) -> str:
    r"""Return a word as a str, which stands for the same bytes.

    Examples
    --------
    >>> shown_word(b"caf\xc3\xa9"), bytes_of(shown_word(b"\xff"))
    ('café', b'\xff')
    """
    return word.decode("utf-8", "surrogateescape")


def bytes_of(word: str | bytes) -> bytes:
    """Return the bytes of a word."""
    if isinstance(word, bytes):
        return bytes(word)
    try:
        return word.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # surrogates of another origin
        return word.encode("utf-8", "surrogatepass")


def is_word(value: Any) -> bool:
    """Whether a value is one word."""
    return isinstance(value, str | bytes)


def batches_of_words(values: Any) -> Iterator[tuple[Words, int]]:
    """Yield words, a batch at a time, and how many values of each batch are missing.

    Raises UnsupportedKeys for values that are no words, and KeysNotFlat for arrays with more than
    one dimension.

    Examples
    --------
    >>> [(words.listed(), missing) for words, missing in batches_of_words(["a", None, b"bc"])]
    [([b'a', b'bc'], 1)]
    """
    if isinstance(values, Words):
        yield values, 0
    elif is_word(values):
        yield _of_list([values])
    elif isinstance(values, list | tuple):
        yield _of_list(values)
    elif hasattr(values, "__array__"):
        yield _of_array(np.asarray(values))
    elif isinstance(values, Iterable):
        for batch in _gathered(iter(values)):
            yield from batches_of_words(batch)
    else:
        raise _no_words(values)


def weighted_words(values: Any, weights: Any) -> tuple[Any, Integers, int]:
    """Return words without missing ones, the weight of each, and the weight of those missing.

    Raises BadWeights for what is no integer of at least 0 for each word.

    Examples
    --------
    >>> weighted_words(["a", None, "b"], [3, 4, 0])
    (['a', 'b'], array([3, 0]), 4)
    """
    words: Any = [values] if is_word(values) else values
    if not hasattr(words, "__len__"):
        raise BadWeights("words with weights are a list, an array or a column, not an iterator")
    counts = checked_weights(weights, len(words))
    missing = np.fromiter(map(_is_missing, words), np.bool_, len(words))
    if not missing.any():
        return words, counts, 0
    kept = [word for word in words if not _is_missing(word)]
    return kept, counts[~missing], int(counts[missing].sum())


def _gathered(values: Iterator[Any]) -> Iterator[Any]:
    """Yield lists of the single words of an iterator, and its arrays as they are."""
    for first in values:
        if not (is_word(first) or _is_missing(first)):
            yield first
            continue
        singles = [first]
        for value in islice(values, TOGETHER):
            if not (is_word(value) or _is_missing(value)):
                yield singles
                singles = []
                yield value
                break
            singles.append(value)
        yield singles


def _of_array(array: npt.NDArray[Any]) -> tuple[Words, int]:
    if array.ndim > 1:
        raise KeysNotFlat(f"words have one dimension, not {array.ndim}: pass words.ravel()")
    array = array.reshape(-1)
    if array.dtype.kind == "U" and array.dtype.itemsize:
        letters = np.ascontiguousarray(array, array.dtype.newbyteorder("="))
        codes = letters.view(np.uint32)
        if codes.max(initial=0) < 128:
            array = codes.astype(np.uint8).view(f"S{array.dtype.itemsize // 4}")
    if array.dtype.kind == "S" and array.dtype.itemsize:
        return _of_bytes(array), 0
    if array.dtype.kind not in "OSUTf" and array.size:  # a column of NaNs is one of floats
        raise _no_words(array)
    return _of_list(array.tolist())


def _of_bytes(array: npt.NDArray[np.bytes_]) -> Words:
    """Return the words of an array of bytes, which is copied."""
    starts = np.arange(len(array), dtype=np.int64) * array.dtype.itemsize
    data = np.frombuffer(array.tobytes(), np.uint8)
    return Words(data, starts, starts + np.strings.str_len(array), _places(len(array)))


def _of_list(values: Any) -> tuple[Words, int]:
    try:
        words = list(map(str.encode, values))  # the quickest way, for most lists
    except (TypeError, UnicodeEncodeError):
        words = [bytes_of(each) for each in values if is_word(each)]
        missing = sum(1 for each in values if not is_word(each) and _is_missing(each))
        if len(words) + missing < len(values):
            strange = (each for each in values if not (is_word(each) or _is_missing(each)))
            raise _no_words(next(strange)) from None
        return Words.of(words, _places(len(words))), missing
    return Words.of(words, _places(len(words))), 0


def _places(count: int) -> Integers:
    return np.arange(1, count + 1)


def _is_missing(value: Any) -> bool:
    """Whether a value is None, a NaN, or pandas' NA, which equals nothing."""
    return (
        value is None
        or (isinstance(value, float) and value != value)
        or type(value).__name__ == "NAType"
    )


def _no_words(value: Any) -> UnsupportedKeys:
    kind = getattr(value, "dtype", None) or type(value).__name__
    return UnsupportedKeys(
        f"words are str or bytes, and some of these values are {kind}: FrequencySummary counts "
        "numbers; map(str, values) makes words of anything"
    )
