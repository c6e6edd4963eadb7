"""The keys that name groups: integers or text, and the number of each in an update.

Integers and text are what data frames have after a join, a hash or an encoding, and both have an
order that is the same everywhere. So groups are always in the order of their keys.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from shadersort.errors import CorruptSummary, KeysNotFlat, UnsupportedKeys
from shadersort.keys.columns import as_column
from shadersort.keys.types import Integers, Keys

Labels = npt.NDArray[Any]
"""Different keys in order: 64-bit integers, or an array of objects, each a str."""

DENSE = 4
"""Integers whose range is at most so many times their number are counted, not sorted."""
ADVICE = {
    "b": "pass keys.astype(np.uint8)",
    "f": "leave out the rows without a key, and pass keys.astype(np.int64)",
    "M": "pass keys.astype(np.int64), which keeps the order",
    "m": "pass keys.astype(np.int64), which keeps the order",
    "S": "pass np.strings.decode(keys)",
}
"""What to do with keys that are no names of groups, by the kind of their type."""


def numbered(keys: Any) -> tuple[Labels, Integers]:
    """Return the different keys in order, and for each key its place among them.

    Raises UnsupportedKeys for keys that are neither integers nor text, and KeysNotFlat.

    Examples
    --------
    >>> numbered([7, 5, 7])
    (array([5, 7]), array([1, 0, 1]))
    >>> numbered(["b", "a"])
    (array(['a', 'b'], dtype=object), array([1, 0]))
    """
    if isinstance(keys, np.ma.MaskedArray):
        raise UnsupportedKeys(
            "masked arrays are no keys of groups: leave out the rows that are masked, by "
            "keys.compressed() and values[~keys.mask]"
        )
    try:
        array = np.asarray(as_column(keys))
    except (TypeError, ValueError) as error:
        raise UnsupportedKeys(f"keys of groups are integers or text: {error}") from error
    if array.ndim > 1:
        raise KeysNotFlat(
            f"keys have one dimension, not {array.ndim}: number the rows of several columns first, "
            "by frame.groupby(columns).ngroup() say"
        )
    array = array.reshape(-1)
    if not array.size:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    if array.dtype.kind in "iu":
        return _of_integers(array)
    if array.dtype.kind in "OUT":
        return _of_text(array.tolist())
    advice = ADVICE.get(array.dtype.kind, "number them first")
    raise UnsupportedKeys(f"keys of groups are integers or text, not {array.dtype}: {advice}")


def _of_integers(keys: Keys) -> tuple[Labels, Integers]:
    least, most = int(keys.min()), int(keys.max())
    if most >= 1 << 63:
        raise UnsupportedKeys(f"keys of groups are integers below 2**63; {most} is not")
    numbers = keys.astype(np.int64)
    if most - least >= DENSE * len(keys):
        labels, places = np.unique(numbers, return_inverse=True)
        return labels, places
    here = np.zeros(most - least + 1, np.bool_)
    here[numbers - least] = True
    return np.flatnonzero(here) + least, (np.cumsum(here) - 1)[numbers - least]


def _of_text(keys: list[Any]) -> tuple[Labels, Integers]:
    words = list(dict.fromkeys(keys))
    strange = [word for word in words if not isinstance(word, str)]
    if strange:
        raise UnsupportedKeys(
            f"keys of groups are integers or text, and some are {strange[0]!r:.60}: leave out the "
            "rows without a key, and give the others one type"
        )
    labels = as_labels(sorted(words))
    table = dict(zip(labels.tolist(), range(len(words)), strict=True))
    return labels, np.fromiter(map(table.__getitem__, keys), np.int64, len(keys))


def as_labels(words: Sequence[str]) -> Labels:
    """Return words as an array of objects."""
    labels = np.empty(len(words), object)
    labels[:] = words
    return labels


def united_labels(several: Sequence[Labels]) -> tuple[Labels, list[Integers]]:
    """Return the different labels of all in order, and the places in it of those of each.

    Raises UnsupportedKeys if some are integers and others text.

    Examples
    --------
    >>> united_labels([np.array([3, 5]), np.array([4, 5])])
    (array([3, 4, 5]), [array([0, 2]), array([1, 2])])
    """
    given = [each for each in several if len(each)]
    if len({each.dtype.kind for each in given}) > 1:
        raise UnsupportedKeys("some keys of groups are integers, and others text: give them alike")
    if not given:
        return np.empty(0, np.int64), [np.empty(0, np.int64) for _ in several]
    labels = given[0] if len(given) == 1 else np.unique(np.concatenate(given))
    return labels, [np.searchsorted(labels, each.astype(labels.dtype)) for each in several]


def place_of(key: Hashable, labels: Labels) -> int:
    """Return the place of a key among labels, or raise KeyError.

    Examples
    --------
    >>> place_of(5, np.array([3, 5])), place_of("b", as_labels(["a", "b"]))
    (1, 1)
    """
    wanted: Any = str if labels.dtype.kind == "O" else (int, np.integer)
    if isinstance(key, wanted) and not isinstance(key, bool):
        place = int(np.searchsorted(labels, key))
        if place < len(labels) and labels[place] == key:
            return place
    raise KeyError(key)


def label_arrays(labels: Labels) -> dict[str, Keys]:
    """Return labels as flat arrays of numbers by name.

    Examples
    --------
    >>> label_arrays(as_labels(["a", "é"]))
    {'letters': array([ 97, 195, 169], dtype=uint8), 'widths': array([1, 2])}
    """
    if labels.dtype.kind != "O":
        return {"labels": labels}
    words = [word.encode("utf-8", "surrogatepass") for word in labels.tolist()]
    letters = np.frombuffer(b"".join(words), np.uint8)
    return {"letters": letters, "widths": np.array([len(word) for word in words], np.int64)}


def restored_labels(arrays: Mapping[str, Keys]) -> Labels:
    """Return the labels that gave flat arrays, or raise CorruptSummary if they are out of order."""
    if "labels" in arrays:
        labels: Labels = arrays["labels"]
        if labels.dtype != np.int64:
            raise CorruptSummary("the keys of the groups are no 64-bit integers")
    else:
        letters, ends = arrays["letters"].tobytes(), np.cumsum(arrays["widths"]).tolist()
        if arrays["widths"].min(initial=0) < 0 or (ends[-1] if ends else 0) != len(letters):
            raise CorruptSummary("the keys of the groups are longer than their letters")
        words = (letters[start:end] for start, end in zip([0, *ends], ends, strict=False))
        labels = as_labels([word.decode("utf-8", "surrogatepass") for word in words])
    if np.any(labels[1:] <= labels[:-1]):
        raise CorruptSummary("the keys of the groups are not in order")
    return labels
