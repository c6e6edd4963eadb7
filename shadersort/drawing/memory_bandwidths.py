"""Memory bandwidths of the papers' graphics cards and of the one measured here, by data sheet.

They are the most bytes that a card moves between its chip and its own memory in a second. Programs
reach a part of it. The cards of 2005 have whole sheets in `profiles.py`; of the others only the
memory matters here.
"""

from collections.abc import Mapping
from types import MappingProxyType

from shadersort.drawing.profiles import GB, GEFORCE_6800_ULTRA, Quantity
from shadersort.errors import UnknownProfile, choices


def _sheet(gigabytes: float) -> Quantity:
    return Quantity(gigabytes * GB, "bytes/s", "NVIDIA's data sheet")


MEMORY_BANDWIDTHS: Mapping[str, Quantity] = MappingProxyType(
    {
        "GeForce 6800 Ultra": GEFORCE_6800_ULTRA.memory_bandwidth,
        "Tesla C2050": _sheet(144),
        "Tesla C2070": _sheet(144),
        "Tesla K40": _sheet(288),
        "H200": _sheet(4800),
    }
)
"""Bytes a second, by the card's name."""


def memory_bandwidth(device: str) -> Quantity:
    """Return the memory bandwidth of the card that a device's description names.

    Raises
    ------
    UnknownProfile
        It names no card of `MEMORY_BANDWIDTHS`.

    Examples
    --------
    >>> memory_bandwidth("NVIDIA Tesla C2050; Intel i7 at 2.8 GHz").value / 1e9
    144.0
    """
    for name, bandwidth in MEMORY_BANDWIDTHS.items():
        if name in device:
            return bandwidth
    known = choices(list(MEMORY_BANDWIDTHS))
    raise UnknownProfile(f"no memory bandwidth is known of {device!r}: name {known}")
