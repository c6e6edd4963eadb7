"""The sort: a reader's own keys, sorted by drawing, in a frame of a lesson."""

from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from shadersort.drawing import compile as compiling
from shadersort.drawing import networks
from shadersort.drawing.passes import CHANNELS
from shadersort.errors import MethodUnavailable, TooManyKeys, UnknownName, UnsupportedKeys, choices
from shadersort.keys.inputs import as_drawable, convert
from shadersort.keys.types import Keys
from shadersort.names import DrawingMethod, NetworkName
from shadersort.web.export import encode_array
from shadersort.web.films import METHODS
from shadersort.web.page import page
from shadersort.web.piece import Piece
from shadersort.web.sort_page import (
    FEW_TEXELS,
    MOST_TEXELS,
    OWN_KEYS,
    TITLE,
    USUAL,
    page_data,
)

MOST_KEYS = CHANNELS * FEW_TEXELS  # of a piece, whose programs stand in the page itself

LIMITS = {
    "name": "piece",
    "most": MOST_KEYS,
    "more": f"The page “{TITLE}” of the site sorts {CHANNELS * MOST_TEXELS:,}; ss.sort sorts more.",
}

KeyType: TypeAlias = Literal["float16", "float32", "int32", "uint32"]


def sort_piece(
    keys: npt.ArrayLike | None = None,
    *,
    network: NetworkName = "pbsn",
    method: DrawingMethod = "blend",
    dtype: KeyType | None = None,
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
    networks.network(network, 1)  # it raises an error if no network has this name
    if method not in METHODS:
        if method not in compiling.METHODS:
            raise UnknownName(f"no method is called {method!r}: use {choices(METHODS)}")
        raise MethodUnavailable(
            f"a browser has no compute shaders for method {method!r}: use {choices(METHODS)}"
        )
    typed = typed_keys([] if keys is None else keys, dtype)
    usual = {**USUAL, "count": 256, "network": network, "method": method, "dtype": typed.dtype.name}
    if keys is not None:
        usual |= {"kind": "own", "keys": encode_array(typed)}
    return Piece(TITLE, page(TITLE, OWN_KEYS, page_data(usual, LIMITS), lede=""), 1200)


def typed_keys(keys: npt.ArrayLike, dtype: KeyType | None = None) -> Keys:
    """Return keys in the type in which they are drawn, or raise an error that says why not."""
    given = as_drawable(keys)
    if len(given) > MOST_KEYS:
        raise TooManyKeys(
            f"these are {len(given):,} keys: the piece sorts at most {MOST_KEYS:,}. "
            f"{LIMITS['more']}"
        )
    names = get_args(KeyType)
    own = given.dtype if given.dtype.name in names else np.dtype(np.float32)
    if str(dtype or own) not in names:
        raise UnsupportedKeys(f"a browser draws no keys of {dtype}: use {choices(names)}")
    typed = convert(given, np.dtype(dtype or own))
    rounded = given.dtype.kind == typed.dtype.kind == "f"
    if not rounded and typed.tolist() != given.tolist():
        raise UnsupportedKeys(
            f"{typed.dtype} does not hold all of these keys: choose another dtype"
        )
    return typed
