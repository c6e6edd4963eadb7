"""What only a real GPU can show: textures as wide and as high as it has them, and long waits."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import pytest

import shadersort as ss
from shadersort import Device, open_device
from shadersort.drawing.devices.fences import Flights
from shadersort.names import NetworkName, SortMethod
from tests.helpers import assert_sorted_permutation, random_bits

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize(("network", "method"), [("pbsn", "blend"), ("bitonic", "fragment")])
def test_sixteen_million_texels(gpu: Device, network: NetworkName, method: SortMethod) -> None:
    """4 · 4096² keys. Interpolated coordinates, or too much work in flight, failed here."""
    keys = random_bits(4096, 4 * 4096**2, "float32")
    result = ss.sort(keys, network=network, method=method, device=gpu)
    assert_sorted_permutation(result, keys)


@pytest.mark.parametrize("method", ["fused", "compute"])
def test_sixteen_million_records(gpu: Device, method: SortMethod) -> None:
    """Three over a power of two, with many ties among them."""
    keys = random_bits(26, (1 << 24) + 3, "uint32") >> np.uint32(12)
    order = ss.argsort(keys, network="bitonic", method=method, device=gpu)
    assert np.array_equal(order, np.argsort(keys, kind="stable"))


def test_six_devices_at_once(gpu: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sends all its passes, and waits ten seconds: waits that are no fences end too soon."""
    monkeypatch.setattr(Flights, "sent", lambda flights, texels: False)
    n = 1 << 26

    def is_sorted(seed: int) -> bool:
        keys = permutation(n) ^ np.uint32(seed)
        with open_device("egl") as device:
            result = ss.sort(keys, network="bitonic", method="fragment", device=device)
        return np.array_equal(result, np.arange(n, dtype=np.uint32))

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(is_sorted, range(6)))


@pytest.mark.parametrize("wide", [True, False])
def test_the_widest_and_the_highest_texture(gpu: Device, wide: bool) -> None:
    """Blended quads, mirrored over as many texels as a row or a column can have."""
    side = 1 << (gpu.max_texture_size.bit_length() - 1)
    width, height = (side, 2) if wide else (2, side)
    keys = np.random.default_rng(side).random((height, width, 4), np.float32)
    program = ss.compile(ss.network("pbsn", 2 * side), width, height, "blend")
    result = gpu.run(program, keys).reshape(-1, 4)
    np.testing.assert_array_equal(result, np.sort(keys.reshape(-1, 4), axis=0))


def permutation(n: int) -> npt.NDArray[np.uint32]:
    """Return the numbers below a power of two, in another order."""
    keys = np.arange(n, dtype=np.uint32)
    keys *= np.uint32(2654435761)  # odd, so this permutes the numbers below any power of two
    keys &= np.uint32(n - 1)
    return keys
