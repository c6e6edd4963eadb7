"""`watch`: a window that plays a trace, with keys to pause, to step and to take a picture."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from shadersort.drawing.passes import CHANNELS
from shadersort.drawing.signals import held_signals
from shadersort.errors import BadOption, DeviceUnavailable
from shadersort.keys.outputs import check_output, write_file
from shadersort.keys.types import Keys
from shadersort.palette import CIVIDIS, rgb
from shadersort.pictures.strips import ROLE_NAMES, panel_pitch, relative_ranks
from shadersort.pictures.trace import Trace
from shadersort.web.roles import ROLE_COLOURS, Role

if TYPE_CHECKING:
    from shadersort.drawing.devices.window import WindowContext

SPEED = 20.0
"""Passes a second at first."""
SIZE = (1000, 290)
FRAME = 1 / 60
"""Seconds from one frame to the next."""
MARGIN, HEADER, FOOTER, TYPE = 20, 64, 50, 14
"""Pixels around the panels, above them and below them, and the size of the type."""
WHITE, INK = "#ffffff", "#1f2430"

HELP = (
    ("Space", "pause, resume"),
    ("→, ←", "one pass on, one back, then pause"),
    ("Home", "the first pass"),
    ("↑, ↓", "twice as fast, half as fast"),
    ("S", "write the picture to a file"),
    ("Esc, Q", "quit"),
)
"""The keys and their meanings."""


@dataclass(slots=True)
class Player:
    """Which pass is shown, and what the user has asked for; it knows no window.

    Examples
    --------
    >>> player = Player(passes=100, speed=20.0)
    >>> player.advance(0.5)
    >>> player.press("space"), player.press("right"), player.index
    (None, None, 11)
    """

    passes: int
    speed: float  # passes a second
    position: float = 0.0  # the pass that is shown, and the share of its time that is over
    playing: bool = True
    wants_picture: bool = False
    ended: bool = False

    @property
    def index(self) -> int:
        """The pass that is shown."""
        return min(int(self.position + 1e-6), self.passes - 1)  # sums of frames are not exact

    @property
    def state(self) -> str:
        """What the window says: the speed, or why no pass follows."""
        if self.index == self.passes - 1:
            return "end"
        return f"{self.speed:g} passes/s" if self.playing else "paused"

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        if self.playing:
            self.position = min(self.position + seconds * self.speed, float(self.passes - 1))

    def press(self, key: str) -> None:
        """Act on a key; keys without a meaning do nothing."""
        match key:
            case "space":
                self.playing = not self.playing
            case "right" | "left":
                self.playing = False
                step = 1 if key == "right" else -1
                self.position = float(min(max(self.index + step, 0), self.passes - 1))
            case "home":
                self.position = 0.0
            case "up" | "down":
                self.speed *= 2 if key == "up" else 0.5
            case "s":
                self.wants_picture = True
            case "escape" | "q":
                self.ended = True


def watch(
    seen: Trace,
    *,
    speed: float = SPEED,
    frames: int | None = None,
    screenshot: str | Path | None = None,
    overwrite: bool = False,
) -> None:
    """Play a trace in a window until the window is closed.

    Parameters
    ----------
    seen
        What `trace` has recorded. The window shows, for each pass, its quads and the four channels
        of its target, coloured by the ranks of the keys.
    speed
        Passes a second.
    frames
        End after this many frames. Then each frame counts as 1/60 s, so the last one shows the same
        pass on every machine. None plays in real time, and does not end.
    screenshot
        A `.png` file for the last frame, and for the key S; that key writes to a file with the
        number of the pass if this is None.
    overwrite
        Replace the screenshot if it exists.

    Raises
    ------
    BadOption
        The trace has no passes, a number is out of range, or the screenshot is no `.png` file.
    DeviceUnavailable
        There is no display; the message says what to do.
    OutputExists
        The screenshot exists.
    """
    path = None if screenshot is None else Path(screenshot)
    _check_options(seen, speed, frames, path, overwrite=overwrite)
    player, draw = Player(len(seen), speed), _painter(seen)
    with _open_window(player) as context:
        picture = _play(context, player, draw, frames, path)
    if path is not None:
        _write(picture, path)


Draw = Callable[[Player, tuple[int, int], int], Image.Image]
"""Draws what a player shows, for a window's size in pixels and the pixels of a unit."""


def _play(
    context: "WindowContext", player: Player, draw: Draw, frames: int | None, path: Path | None
) -> Image.Image:
    """Draw frame after frame until the player has ended; return the last picture."""
    glfw, window = context.glfw, context.window
    picture, shown, count = Image.new("RGB", (1, 1)), None, 0
    began = time.perf_counter()
    while True:
        scale = max(1, round(glfw.get_window_content_scale(window)[0]))
        scene = (player.index, player.state, glfw.get_framebuffer_size(window))
        if scene != shown and min(scene[2]) > 0:  # a window without area shows nothing
            picture, shown = draw(player, scene[2], scale), scene
            glfw.set_window_title(window, f"shadersort · pass {player.index} · {player.state}")
        if shown:
            _show(context.gl, picture)
            if player.wants_picture:
                _write(picture, path or Path(f"shadersort-pass-{player.index}.png"))
        player.wants_picture = False
        glfw.swap_buffers(window)
        count += 1
        glfw.poll_events() if frames else glfw.wait_events_timeout(FRAME)
        held_signals.deliver()
        if player.ended or glfw.window_should_close(window) or count == frames:
            return picture
        now = time.perf_counter()
        player.advance(FRAME if frames else now - began)
        began = now


def _show(gl: Any, picture: Image.Image) -> None:
    """Copy a picture to the window."""
    data = picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM).convert("RGBA").tobytes()
    texture = gl.texture(picture.size, 4, data)
    frame = gl.framebuffer([texture])
    gl.copy_framebuffer(gl.screen, frame)
    frame.release()
    texture.release()


def _painter(seen: Trace) -> Draw:
    """Return the function that draws the passes of a trace."""
    values, program = np.unique(seen.input), seen.program
    heading = f"{program.network.name} by {program.method}, {len(seen.result):,} keys"

    def draw(player: Player, size: tuple[int, int], unit: int) -> Image.Image:
        traced = seen[player.index]
        panels = Image.fromarray(panels_of(values, traced.roles.role, traced.after))
        return _page(panels, size, unit, (heading, player.state, traced.caption))

    return draw


def panels_of(values: Keys, role: npt.NDArray[np.uint8], texels: Keys) -> npt.NDArray[np.uint8]:
    """Return the quads of a pass and the channels of a texture, side by side, a pixel a texel.

    `values` are the different keys in order; a key has the colour of its rank among them.
    """
    height, width = role.shape
    pitch = panel_pitch(width)
    strip = np.full((height, pitch * CHANNELS + width, 3), 1.0)
    strip[:, :width] = np.array([rgb(ROLE_COLOURS[each]) for each in Role])[role]
    stops, ranks = np.array([rgb(colour) for colour in CIVIDIS]), relative_ranks(values, texels)
    at = np.linspace(0, 1, len(stops))
    for channel in range(CHANNELS):
        left = (1 + channel) * pitch
        for part in range(3):
            shades = np.interp(ranks[..., channel], at, stops[:, part])
            strip[:, left : left + width, part] = shades
    return np.round(strip * 255).astype(np.uint8)


def _page(
    panels: Image.Image, size: tuple[int, int], unit: int, texts: tuple[str, str, str]
) -> Image.Image:
    """Return a picture of a size: panels as large as possible, texts above, a legend below."""
    page = Image.new("RGB", size, WHITE)
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(TYPE * unit)
    left, right, foot = MARGIN * unit, size[0] - MARGIN * unit, size[1] - FOOTER * unit
    heading, state, caption = (text.replace("–", "-") for text in texts)  # the font has no dash
    pen.text((left, 10 * unit), heading, INK, font)
    pen.text((right, 10 * unit), state, INK, font, anchor="ra")
    pen.text((left, 32 * unit), caption, INK, font)
    room = max(1, right - left), max(1, foot - HEADER * unit)
    scale = min(room[0] / panels.width, room[1] / panels.height)
    scale = float(int(scale)) if scale >= 1 else scale  # all texels are equally large
    wide, high = (max(1, int(side * scale)) for side in panels.size)
    page.paste(panels.resize((wide, high), Image.Resampling.NEAREST), (left, HEADER * unit))
    for role, meaning in ROLE_NAMES.items():
        top = size[1] - 20 * unit
        pen.rectangle((left, top, left + 10 * unit, top + 10 * unit), ROLE_COLOURS[role])
        pen.text((left + 16 * unit, top - 3 * unit), meaning, INK, font)
        left += 34 * unit + round(font.getlength(meaning))
    return page


@contextmanager
def _open_window(player: Player) -> Iterator["WindowContext"]:
    """Open a window whose keys are the player's; hold signals back until it is closed."""
    from shadersort.drawing.devices.window import WindowContext  # moderngl and GLFW

    with held_signals:  # GLFW loses exceptions of its callbacks
        try:
            context = WindowContext(visible=True, size=SIZE)
        except DeviceUnavailable as error:
            raise DeviceUnavailable(
                f"{error}. Watching a sort needs a display: without one, run it in 'xvfb-run' with "
                "--frames and --screenshot, or use 'shadersort trace', which needs none"
            ) from error
        glfw = context.glfw
        special = ("space", "right", "left", "up", "down", "home", "escape")
        names = {getattr(glfw, f"KEY_{name.upper()}"): name for name in special}

        def on_key(window: Any, key: int, code: int, action: int, modifiers: int) -> None:
            if action != glfw.RELEASE:
                player.press(names.get(key) or (glfw.get_key_name(key, code) or "").lower())

        glfw.set_key_callback(context.window, on_key)
        try:
            with context:
                yield context
        finally:
            context.release()


def _check_options(
    seen: Trace, speed: float, frames: int | None, path: Path | None, *, overwrite: bool
) -> None:
    """Raise an error for bad options before a window opens."""
    if not len(seen):
        raise BadOption(f"no pass to play: {seen!r}")
    if not 0 < speed < np.inf:
        raise BadOption(f"speed is a number of passes a second, more than none, not {speed}")
    if frames is not None and frames < 1:
        raise BadOption(f"frames is a number of frames, at least one, not {frames}")
    if path is None:
        return
    if path.suffix.lower() != ".png":
        raise BadOption(f"a screenshot is a .png file: {path} has another name")
    check_output(path.absolute(), overwrite=overwrite)


def _write(picture: Image.Image, path: Path) -> None:
    """Write a picture to a file, which appears when it is complete."""
    encoded = BytesIO()
    picture.save(encoded, format="PNG")
    write_file(path, encoded.getvalue(), overwrite=True)
