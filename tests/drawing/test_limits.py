"""Emulated cards: what they could not draw is refused, what they could is drawn as they did."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import shadersort as ss
from shadersort.drawing.compile import build, compile
from shadersort.drawing.cost.limits import check_program, check_texture
from shadersort.drawing.cost.profiles import PROFILES, Quantity
from shadersort.drawing.devices import opening
from shadersort.drawing.networks import network
from shadersort.errors import ProfileLimit, UnknownName
from shadersort.keys.types import Keys
from shadersort.names import CardName, NetworkName, SortMethod
from tests.helpers import WAYS_OF_2005, assert_sorted_permutation, random_bits

NAME: CardName = "geforce-6800-ultra"
CARD = PROFILES[NAME]
KEYS = np.random.default_rng(6800).standard_normal(1000).astype(np.float32)


@pytest.mark.parametrize("network", ss.NETWORKS)
def test_blending_rounds_to_halves(card: ss.Device, network: NetworkName) -> None:
    result = ss.sort(KEYS, network=network, device=card)
    assert_sorted_permutation(result, KEYS.astype(np.float16))
    for windows in (KEYS.reshape(10, 100), [KEYS[:7], KEYS[7:100], KEYS[:0]]):
        found = ss.sort_windows(windows, network=network, device=card)
        for ordered, window in zip(found, windows, strict=True):
            assert_sorted_permutation(ordered, window.astype(np.float16))


@settings(max_examples=30)
@given(
    keys=npst.arrays(np.uint32, st.integers(0, 100)).map(lambda a: a.view(np.float32)),
    way=st.sampled_from(WAYS_OF_2005),
)
def test_any_keys(card: ss.Device, keys: Keys, way: tuple[NetworkName, SortMethod]) -> None:
    """By fragment shader the card keeps all bits; by blending it does what `precision` does."""
    network, method = way
    result = ss.sort(keys, network=network, method=method, device=card)
    if method == "fragment":
        assert_sorted_permutation(result, keys)
    else:
        asked = ss.sort(keys, network=network, device=card, precision="float16")
        np.testing.assert_array_equal(result.view(np.uint16), asked.view(np.uint16))


def test_bytes_blend_as_they_are(card: ss.Device) -> None:
    keys = np.random.default_rng(8).permutation(np.arange(5 * 256) // 5).astype(np.uint8)
    for method in ("blend", "fragment"):
        assert_sorted_permutation(ss.sort(keys, method=method, device=card), keys)


def test_halves_stay_halves_and_blending_32_bits_is_refused(card: ss.Device) -> None:
    halves = random_bits(1, 500, "float16")
    assert_sorted_permutation(ss.sort(halves, device=card), halves)
    for keys in (KEYS, KEYS[:1], KEYS[:0], halves):
        with pytest.raises(ProfileLimit, match=rf"{NAME} blends .* 16 bits, not float32: pass pr"):
            ss.sort(keys, device=card, precision="float32")
        with pytest.raises(ProfileLimit, match=NAME):
            ss.sort_windows(keys.reshape(1, -1), device=card, precision="float32")


def test_what_these_cards_did_not_have_is_refused(card: ss.Device) -> None:
    methods: tuple[SortMethod, ...] = ("blend", "fragment")
    for method, dtype in product(methods, ("int32", "uint32")):
        with pytest.raises(ProfileLimit, match=f"{NAME} has no integer textures for {dtype} keys"):
            ss.sort(np.arange(9, dtype=dtype), method=method, device=card)
    program = replace(build(network("pbsn", 4), 2, 2, "fragment"), method="compute")
    with pytest.raises(ProfileLimit, match=f"{NAME} has no compute shaders: use method='auto'"):
        card.run(program, np.zeros((2, 2, 4), np.float32))
    blends = replace(build(network("pbsn", 4), 2, 2, "blend"), method="mine")
    with pytest.raises(ProfileLimit, match="blends"):  # what counts is what the passes do
        card.run(blends, np.zeros((2, 2, 4), np.float32))
    with pytest.raises(ProfileLimit, match=f"{NAME} draws into at most 4 textures at once, not 8"):
        ss.sort(np.zeros(1000, np.float32), method="fused", device=card)
    with pytest.raises(ProfileLimit, match=f"{NAME} has textures of at most 4096 × 4096"):
        card.upload(np.zeros((1, 4097, 4), np.float16))
    card.upload(np.zeros((1, 4096, 4), np.float16)).release()


def test_keys_over_the_largest_side_are_refused_before_they_are_packed() -> None:
    """And the error is the card's, not that of the device beneath."""
    small = replace(CARD, largest_side=Quantity(8, "texels", "a test"))
    with ss.open_device("software", profile=small) as device:
        with pytest.raises(ProfileLimit, match="at most 8 × 8 texels, not 8 × 16: sort fewer"):
            ss.sort(KEYS[:257], device=device)
        assert len(ss.sort(KEYS[:256], device=device)) == 256
        assert ss.sort_windows(KEYS.reshape(100, 10), device=device).shape == (100, 10)


def test_memory_holds_the_textures_of_a_program() -> None:
    """Two of 64 × 64 texels of 8 bytes, and a byte more than that for the screen."""
    program, half = compile(network("pbsn", 1 << 12), 64, 64, "blend"), np.dtype(np.float16)
    size = 2 * 64 * 64 * 8
    check_program(replace(CARD, video_memory=Quantity(size + 1, "bytes", "a test")), program, half)
    full = replace(CARD, video_memory=Quantity(size, "bytes", "a test"))
    with pytest.raises(ProfileLimit, match=r"65,536 bytes .* too few for 2 texture\(s\)"):
        check_program(full, program, half)
    with ss.open_device("software", profile=full) as device:
        with pytest.raises(ProfileLimit, match=rf"{NAME} has 65,536 bytes of memory"):
            ss.sort(np.zeros(4 << 12, np.float16), device=device)
        with pytest.raises(ProfileLimit, match=r"1 texture\(s\) of 64 × 64 texels of float32"):
            device.upload(np.zeros((64, 64, 4), np.float32))
    small = replace(CARD, video_memory=Quantity(100, "bytes", "a test"))
    check_texture(small, 3, 4, half)
    with pytest.raises(ProfileLimit, match="100 bytes"):
        check_texture(small, 4, 4, half)


def test_windows_are_sorted_in_batches_that_fit() -> None:
    """Together they take more than the memory: 64 windows of 64 texels, 32 KiB a texture."""
    small = replace(CARD, video_memory=Quantity(1 << 14, "bytes", "a test"))
    windows = np.random.default_rng(0).random((256, 64), np.float32).astype(np.float16)
    with ss.open_device("software", profile=small) as device:
        ordered = ss.sort_windows(windows, device=device)
        np.testing.assert_array_equal(ordered, np.sort(windows, axis=1, kind="stable"))
        with pytest.raises(ProfileLimit, match="16,384 bytes of memory"):
            ss.sort_windows(np.zeros((4, 1024), np.float16), device=device)


def test_an_unknown_card_opens_no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise AssertionError("opened")

    monkeypatch.setattr(opening, "_openers", fail)
    with pytest.raises(UnknownName, match=f"'voodoo2': use '{NAME}'"):
        ss.open_device("software", profile="voodoo2")  # type: ignore[arg-type]  # a wrong name
