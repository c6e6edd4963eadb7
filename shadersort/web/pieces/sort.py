"""The sort: a reader's own keys, sorted by drawing, in a frame of a lesson."""

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from shadersort.drawing.compile import METHODS
from shadersort.drawing.networks import NETWORKS
from shadersort.drawing.passes import CHANNELS
from shadersort.errors import (
    MethodUnavailable,
    TooManyKeys,
    UnknownName,
    UnsupportedKeys,
    choices,
)
from shadersort.keys.inputs import as_drawable, convert
from shadersort.keys.types import DTYPES, Keys
from shadersort.names import DrawingMethod, NetworkName
from shadersort.web import probes
from shadersort.web.page import page
from shadersort.web.piece import Piece
from shadersort.web.sort_page import (
    FEW_TEXELS,
    MOST_TEXELS,
    SCRIPTS,
    TITLE,
    USUAL,
    exported,
    films_in_page,
)

MOST_KEYS = CHANNELS * FEW_TEXELS
"""Of a piece, whose programs stand in the page itself."""

LIMITS = {
    "name": "piece",
    "most": MOST_KEYS,
    "more": f"The page “{TITLE}” of the site sorts {CHANNELS * MOST_TEXELS:,}; ss.sort sorts more.",
}

STYLES = ("pieces/sort.css",)

HEIGHT = 1160

KeyType: TypeAlias = Literal["float16", "float32", "int32", "uint32"]


def sort_piece(
    keys: npt.ArrayLike | None = None,
    *,
    network: NetworkName = "pbsn",
    method: DrawingMethod = "blend",
    dtype: KeyType | None = None,
    still: Any = None,
    height: int = HEIGHT,
) -> Piece:
    """Return the page that sorts a reader's own keys, small enough for a lesson.

    It is the page of the site for fewer keys: the reader chooses other keys, another network,
    method and type, and plays the sort pass by pass.

    Parameters
    ----------
    keys
        At most 4,096 keys to begin with. None takes 256 random ones.
    network
        The network to begin with: "pbsn", "bitonic" or "odd-even-merge".
    method
        How it is drawn at first: "blend", "fragment", "kipfer" or "fused". Only floats blend;
        integers are drawn by "fragment" instead, and the page says so.
    dtype
        The type in which keys are drawn at first. None takes the type of the keys, if a texture
        holds it, and otherwise float32, to which floats are rounded.
    still
        What a notebook shows as a picture.
    height
        Pixels of the frame in a notebook.

    Raises
    ------
    UnsupportedKeys, KeysNotFlat
        The keys are no numbers, or the type does not hold them.
    TooManyKeys
        There are more keys than the piece has programs for.
    UnknownName, MethodUnavailable
        No network or no method of a browser has this name.

    Examples
    --------
    >>> sort_piece([3, 1, 2], network="bitonic")
    <Piece: Sort your own keys by drawing>
    """
    check_names(network, method)
    usual = {**USUAL, "count": 256, "network": network, "method": method}
    usual |= {"dtype": dtype_of(USUAL["dtype"] if dtype is None else dtype).name}
    if keys is not None:
        typed = typed_keys(keys, dtype)
        words = " ".join(word_of(key) for key in typed)
        usual |= {"kind": "own", "dtype": typed.dtype.name, "words": words}
    data = {
        "exported": exported(usual, LIMITS, linked=False),
        "films": films_in_page(FEW_TEXELS),
        "folder": None,
    }
    return Piece(TITLE, page(TITLE, "<main></main>", SCRIPTS, data, STYLES), height, still)


def check_names(network: str, method: str) -> None:
    """Raise an error unless a browser draws this network by this method."""
    if network not in NETWORKS:
        raise UnknownName(f"no network is called {network!r}: use {choices(NETWORKS)}")
    if method not in METHODS:
        raise UnknownName(f"no method is called {method!r}: use {choices(probes.METHODS)}")
    if method not in probes.METHODS:
        raise MethodUnavailable(
            f"a browser has no compute shaders for method {method!r}: use {choices(probes.METHODS)}"
        )


def dtype_of(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """Return a type of keys that a texture holds, or raise UnsupportedKeys."""
    names = choices(each.name for each in DTYPES)
    try:
        found = np.dtype(dtype)
    except TypeError as error:
        raise UnsupportedKeys(f"{dtype!r} is no type of keys: use {names}") from error
    if found not in DTYPES:
        raise UnsupportedKeys(f"a browser draws no keys of {found}: use {names}")
    return found


def typed_keys(keys: npt.ArrayLike, dtype: npt.DTypeLike | None = None) -> Keys:
    """Return keys in the type in which they are drawn, or raise an error that says why not.

    Examples
    --------
    >>> typed_keys([3, 1, 2])
    array([3., 1., 2.], dtype=float32)
    >>> typed_keys([3, -1], "uint32")
    Traceback (most recent call last):
    ...
    shadersort.errors.UnsupportedKeys: uint32 does not hold all of these keys: choose another dtype
    """
    given = as_drawable(keys)
    if len(given) > MOST_KEYS:
        raise TooManyKeys(
            f"these are {len(given):,} keys: the piece sorts at most {MOST_KEYS:,}. "
            f"{LIMITS['more']}"
        )
    own = given.dtype if given.dtype in DTYPES else np.dtype(np.float32)
    typed = convert(given, own if dtype is None else dtype_of(dtype))
    rounded = given.dtype.kind == typed.dtype.kind == "f"
    if not rounded and typed.tolist() != given.tolist():
        raise UnsupportedKeys(
            f"{typed.dtype} does not hold all of these keys: choose another dtype"
        )
    return typed


def word_of(key: Any) -> str:
    """Return a word that the page reads as exactly this key.

    Examples
    --------
    >>> word_of(np.float32(0.1)), word_of(np.int32(-7))
    ('0.1', '-7')
    """
    short = str(key).removesuffix(".0")
    if key.dtype.kind != "f" or np.isnan(key):
        return short
    read = key.dtype.type(np.float32(float(short)))  # as keys.js rounds it
    return short if read == key else repr(float(key))
