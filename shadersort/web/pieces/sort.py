"""The sort: a reader's own keys, sorted by drawing, in a frame of a lesson."""

import numpy as np
import numpy.typing as npt

from shadersort.drawing import networks
from shadersort.drawing.passes import CHANNELS
from shadersort.errors import TooManyKeys, UnsupportedKeys
from shadersort.keys.inputs import as_drawable, convert
from shadersort.keys.types import Keys
from shadersort.names import NetworkName
from shadersort.web.export import encode_array
from shadersort.web.page import page
from shadersort.web.piece import Piece
from shadersort.web.sort_page import FEW_TEXELS, MOST_TEXELS, SCRIPTS, TITLE, USUAL, page_data

TYPES = ("float16", "float32", "int32", "uint32")  # of keys that a browser draws
MOST_KEYS = CHANNELS * FEW_TEXELS  # of a piece, whose programs stand in the page itself

LIMITS = {
    "name": "piece",
    "most": MOST_KEYS,
    "more": f"The page “{TITLE}” of the site sorts {CHANNELS * MOST_TEXELS:,}; ss.sort sorts more.",
}


def sort_piece(keys: npt.ArrayLike | None = None, *, network: NetworkName = "pbsn") -> Piece:
    """Return the page that sorts a reader's own keys, small enough for a lesson.

    It is the page of the site for fewer keys: the reader chooses other keys, another network,
    method and type, and plays the sort pass by pass.

    Parameters
    ----------
    keys
        At most 4,096 keys to begin with, drawn in their own type if a texture holds it, and
        otherwise as float32, to which floats are rounded. None takes 256 random ones.
    network
        The network to begin with: "pbsn", "bitonic" or "odd-even-merge".

    Raises
    ------
    UnsupportedKeys, KeysNotFlat
        The keys are no numbers, or integers that float32 does not hold.
    TooManyKeys
        There are more keys than the piece has programs for.
    UnknownName
        No network has this name.

    Examples
    --------
    >>> sort_piece([3, 1, 2], network="bitonic")
    <Piece: Sort your own keys by drawing>
    """
    networks.network(network, 1)  # it raises an error if no network has this name
    usual = {**USUAL, "count": 256, "network": network}
    if keys is not None:
        typed = typed_keys(keys)
        usual |= {"kind": "own", "dtype": typed.dtype.name, "keys": encode_array(typed)}
    text = page(TITLE, SCRIPTS, page_data(usual, LIMITS), "SortPage", lede="")
    return Piece(TITLE, text, 1200)


def typed_keys(keys: npt.ArrayLike) -> Keys:
    """Return keys in the type in which they are drawn, or raise an error that says why not."""
    given = as_drawable(keys)
    if len(given) > MOST_KEYS:
        raise TooManyKeys(
            f"these are {len(given):,} keys: the piece sorts at most {MOST_KEYS:,}. "
            f"{LIMITS['more']}"
        )
    typed = convert(given, np.dtype(given.dtype.name if given.dtype.name in TYPES else "float32"))
    if given.dtype.kind != "f" and typed.tolist() != given.tolist():
        raise UnsupportedKeys("float32 does not hold all of these keys: pass int32 or uint32")
    return typed
