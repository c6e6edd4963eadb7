import pytest

from shadersort.drawing.memory_bandwidths import MEMORY_BANDWIDTHS, memory_bandwidth
from shadersort.drawing.profiles import PROFILES
from shadersort.errors import UnknownProfile


@pytest.mark.parametrize(
    ("device", "gigabytes"),
    [
        ("NVIDIA GeForce 6800 Ultra, 512 MB, AGP 8x", 35.2),
        ("NVIDIA Tesla C2050; Intel i7 at 2.8 GHz", 144),
        ("Tesla C2070 (Alabi et al. 2012)", 144),
        ("NVIDIA Tesla K40", 288),
        ("NVIDIA H200/PCIe/SSE2", 4800),
    ],
)
def test_a_card_is_found_in_a_description(device: str, gigabytes: float) -> None:
    bandwidth = memory_bandwidth(device)
    assert (bandwidth.value, bandwidth.unit) == (gigabytes * 1e9, "bytes/s")
    assert bandwidth.source


def test_the_card_of_2005_has_one_bandwidth() -> None:
    sheet = PROFILES["geforce-6800-ultra"]
    assert MEMORY_BANDWIDTHS["GeForce 6800 Ultra"] is sheet.memory_bandwidth


def test_an_unknown_card_is_named() -> None:
    with pytest.raises(UnknownProfile, match=r"of 'Voodoo 2': name 'GeForce 6800 Ultra', .*'H200'"):
        memory_bandwidth("Voodoo 2")
