"""`watch`: a sort in a window, shown pass by pass while it runs.

The sort is that of `shadersort.sort`, with the same program and textures, on the window's device.
Between two passes a frame is drawn, and keys are handled.
"""

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL.Image import Image
from rich.console import Console
from rich.table import Table

from shadersort.drawing.compile import METHODS
from shadersort.drawing.devices import open_device
from shadersort.drawing.devices.opengl import OpenGLDevice
from shadersort.drawing.devices.texture import Texels, packed
from shadersort.drawing.profiles import Profile
from shadersort.drawing.program import Program
from shadersort.errors import BadOption, DeviceUnavailable, DeviceUnusable, ShadersortError
from shadersort.keys.accepted import accepted, check_whole, converted, random_keys
from shadersort.keys.aside import padding
from shadersort.keys.in_order import in_order
from shadersort.keys.outputs import check_output, write_file
from shadersort.keys.types import Keys
from shadersort.names import NetworkName, SheetName, SortMethod
from shadersort.pictures.strips import ROLE_NAMES
from shadersort.pictures.watch.controls import HELP, KEYS, SEED, SPEED, Controls, Wish
from shadersort.pictures.watch.screen import Left, Screen
from shadersort.sorting.texture_sort import TextureSort
from shadersort.web.look import ROLE_COLOURS

EQUAL = "sorted: equal to np.sort"


@dataclass(frozen=True, slots=True)
class Watching(TextureSort):
    """Draws as every sort does, on a screen."""

    screen: Screen

    def run(self, program: Program, texture: Texels) -> Texels:
        """Run a program, showing each pass; its result stays on the device to be shown."""
        uploaded = self.device.upload(texture)
        self.screen.begin(program, texture, uploaded)
        result = self.device.execute(program, uploaded, self.screen.observe)
        self.screen.keep(result)
        return result.read()

    def run_keys(self, program: Program, keys: Keys) -> Texels:
        """Run a program on keys as on texels, showing each pass."""
        texture = packed(keys, program.width, program.height, padding(self.dtype))
        return self.run(program, texture)


def watch(
    keys: npt.ArrayLike | None = None,
    *,
    n: int = KEYS,
    network: NetworkName = "pbsn",
    method: SortMethod = "blend",
    profile: SheetName | Profile | None = None,
    frames: int | None = None,
    screenshot: str | Path | None = None,
    speed: float = SPEED,
    seed: int = SEED,
    overwrite: bool = False,
) -> None:
    """Open a window and sort keys in it, pass by pass, until it is closed.

    A help for the keyboard is printed; the key H prints it again.

    Parameters
    ----------
    keys, network, method
        As for `sort`. None sorts `n` random float32 keys.
    n, seed
        The number of random keys, and their seed.
    profile
        A card of `PROFILES` to emulate.
    frames
        End after this many frames, drawn without waiting. The clock then counts 1/60 s a frame,
        so the last frame shows the same pass on every machine. None does not end.
    screenshot
        A `.png` file for the last frame.
    speed
        Passes a second; infinity for no limit.
    overwrite
        Replace the screenshot if it exists.

    Raises
    ------
    DeviceUnavailable
        There is no display; the message says what to do.
    BadOption
        A number is out of range, or the screenshot is not a `.png` file.
    OutputExists
        The screenshot exists, and `overwrite` is not set.
    UnsupportedKeys, UnknownNetwork, UnknownMethod, ProfileLimit, TooManyKeys
        As for `sort`.

    Examples
    --------
    >>> keys = np.random.default_rng(0).random(1024, np.float32)
    >>> watch(keys, network="bitonic", frames=100, screenshot="100.png")  # doctest: +SKIP
    """
    path = None if screenshot is None else Path(screenshot)
    _check_options(n, speed, frames)
    if path is not None:
        _check_screenshot(path, overwrite=overwrite)
    rng = np.random.default_rng(seed)
    given = random_keys(n, np.float32, seed=rng) if keys is None else accepted(keys)
    check_whole(given.dtype, "keys.astype(np.float32)")
    with _open_window(profile) as device, device._active():
        drawn_by = device.resolved(method, given.dtype)
        if error := obstacle(device, network, drawn_by, given.dtype):
            raise error
        methods = [m for m in METHODS if not obstacle(device, network, m, given.dtype)]
        controls = Controls(network, drawn_by, methods, speed)
        screen = Screen(device, controls, print_help, frames=frames, captures=path is not None)
        print_help()
        try:
            while controls.take_wish() is not Wish.QUIT:
                _show_sort(screen, given)
                if controls.wish is Wish.NEW_KEYS:
                    given = random_keys(len(given), given.dtype, seed=rng)
        finally:
            screen.end()
    if path is not None and screen.picture is not None:
        _write_picture(path, screen.picture, overwrite=overwrite)


def _show_sort(screen: Screen, keys: Keys) -> None:
    """Sort keys on the screen, and show the result until the user makes a request."""
    controls = screen.controls
    drawing = Watching.prepared(
        screen.device,
        keys.dtype,
        controls.network,
        controls.method,
        merge="host",
        screen=screen,
    )
    rounded = converted(keys, drawing.dtype)
    screen.key_count = len(keys)
    try:
        ordered = drawing.sort(rounded)
        if not is_sorted_permutation(ordered, rounded):
            raise DeviceUnusable(
                f"{screen.device!r} sorted wrongly: the result differs from np.sort. "
                "This is a bug, please report it"
            )
        screen.hold(EQUAL)
    except Left:
        return


def is_sorted_permutation(ordered: Keys, keys: Keys) -> bool:
    """Return whether `ordered` has the bits of `keys`, in the order of `np.sort`.

    Examples
    --------
    >>> is_sorted_permutation(np.float32([1, 2]), np.float32([2, 1]))
    True
    """
    bits = f"u{keys.itemsize}"
    same = np.array_equal(np.sort(ordered.view(bits)), np.sort(keys.view(bits)))
    expected = in_order(keys)
    return same and np.array_equal(ordered, expected, equal_nan=True)


def obstacle(
    device: OpenGLDevice, network: NetworkName, method: SortMethod, dtype: np.dtype[Any]
) -> ShadersortError | None:
    """Return the error that a device raises for a small sort of such keys, or None."""
    try:
        way = TextureSort.prepared(device, dtype, network, method)
        way.sort(np.zeros(16, dtype))
    except ShadersortError as error:
        return error
    return None


def print_help() -> None:
    """Print the meanings of the keys and of the colours."""
    console = Console()
    table = Table("key", "what it does", title="shadersort watch")
    for key, meaning in HELP:
        table.add_row(key, meaning)
    console.print(table)
    colours = (f"[{ROLE_COLOURS[role]}]■[/] {name}" for role, name in ROLE_NAMES.items())
    console.print("  ".join(colours), highlight=False)


def _open_window(profile: SheetName | Profile | None) -> OpenGLDevice:
    try:
        device = open_device("window", profile=profile)
    except DeviceUnavailable as error:
        raise DeviceUnavailable(
            f"{error}. Watching a sort needs a display: without one, run it in 'xvfb-run' with "
            "--frames and --screenshot, or use 'shadersort trace', which needs none"
        ) from error
    assert isinstance(device, OpenGLDevice)
    return device


def _check_options(n: int, speed: float, frames: int | None) -> None:
    """Raise an error for bad options before a window opens."""
    if n < 0:
        raise BadOption(f"n is a number of keys, not {n}")
    if not speed > 0:
        raise BadOption(f"speed is a number of passes a second, more than none, not {speed}")
    if frames is not None and frames < 1:
        raise BadOption(f"frames is a number of frames, at least one, not {frames}")


def _check_screenshot(path: Path, *, overwrite: bool) -> None:
    """Raise an error if the screenshot could not be written, before a window opens."""
    if path.suffix.lower() != ".png":
        raise BadOption(f"a screenshot is a .png file: {path} has another name")
    if not path.absolute().parent.is_dir():
        raise BadOption(f"{path} cannot be written: {path.absolute().parent} is no folder")
    check_output(path, overwrite=overwrite)


def _write_picture(path: Path, picture: Image, *, overwrite: bool) -> None:
    """Write a picture to a file, which appears when it is complete."""
    encoded = BytesIO()
    picture.save(encoded, format="PNG")
    write_file(path, encoded.getvalue(), overwrite=overwrite)
