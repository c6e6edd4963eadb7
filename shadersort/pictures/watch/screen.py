"""The window of `watch`: frames, events, and the time of the next pass.

The sort runs in `Device.execute`, which calls `observe` after each pass. `observe` returns when the
next pass is due. So the window shows the buffers themselves, and nothing is sorted twice.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
from PIL.Image import Image

from shadersort.drawing.devices.opengl import OpenGLDevice
from shadersort.drawing.devices.opengl_texture import OpenGLTexture
from shadersort.drawing.devices.texture import Texels, Texture
from shadersort.drawing.passes import Pass
from shadersort.drawing.program import Program
from shadersort.drawing.roles import caption, roles_of, step_ranges
from shadersort.drawing.signals import held_signals
from shadersort.pictures.recording import row_by_row
from shadersort.pictures.watch.controls import REPEATING, Controls, Wish, speed_text
from shadersort.pictures.watch.scene import Scene
from shadersort.pictures.watch.view import View, image_of

SIZE = (900, 700)
LEAST_SIZE = (500, 360)
FRAME = 1 / 60
"""The least seconds from one frame to the next."""
NAP = 0.1
"""The most seconds that an idle window sleeps."""
MOST_LATE = 0.1
"""The longest delay of passes by slow frames, in seconds, that is caught up later."""


class Left(Exception):
    """The run ends: by a request of the user, or after the last frame."""


class Screen:
    """Shows a run of a program in the window of a device.

    With a number of `frames`, the clock counts frames, so a recording shows the same passes on
    every machine, and the last frame ends the run.
    """

    def __init__(
        self,
        device: OpenGLDevice,
        controls: Controls,
        print_help: Callable[[], None],
        *,
        frames: int | None,
        captures: bool,
    ) -> None:
        import glfw

        self.device, self.controls, self._print_help = device, controls, print_help
        self._glfw, self._window = glfw, device.window
        self._frames, self._captures = frames, captures
        self.drawn, self.key_count = 0, 0
        self.picture: Image | None = None
        self._owned, self._joined = ExitStack(), ExitStack()
        self._in_layers: Pass | None = None
        self._view: View | None = None
        self._shown: Texture | None = None
        self._stale, self._due, self._next_frame = True, 0.0, 0.0
        self._connect()

    def _connect(self) -> None:
        """Prepare the window, and show it."""
        glfw, window = self._glfw, self._window
        glfw.set_key_callback(window, self.on_key)
        glfw.set_framebuffer_size_callback(window, self._on_change)
        glfw.set_window_refresh_callback(window, self._on_change)
        glfw.set_window_size_limits(window, *LEAST_SIZE, glfw.DONT_CARE, glfw.DONT_CARE)
        glfw.set_window_size(window, *SIZE)
        glfw.show_window(window)
        glfw.swap_interval(0 if self._frames else 1)

    def on_key(self, window: Any, key: int, scancode: int, action: int, mods: int) -> None:
        """Handle a key as GLFW reports it; letters are those of the user's keyboard layout."""
        glfw = self._glfw
        special = {
            glfw.KEY_SPACE: "space",
            glfw.KEY_RIGHT: "right",
            glfw.KEY_UP: "up",
            glfw.KEY_DOWN: "down",
            glfw.KEY_TAB: "tab",
            glfw.KEY_ESCAPE: "escape",
        }
        name = special.get(key) or glfw.get_key_name(key, scancode)
        if name and (action == glfw.PRESS or (action == glfw.REPEAT and name in REPEATING)):
            self.controls.press(name.lower())
            self._stale = True

    def _on_change(self, *window_and_size: Any) -> None:
        self._stale = True

    def begin(self, program: Program, texels: Texels, texture: Texture) -> None:
        """Show the input of a program, until its first pass is due."""
        self.end()
        self._view = self._owned.enter_context(View(self.device, texels))
        self.keep(texture)
        self._program, self._index = program, -1
        self._steps = step_ranges(program.passes)
        self._roles: npt.NDArray[np.uint8] | None = None
        what = f"{self.key_count:,} {texels.dtype} keys"
        self._heading = f"{program.network.name} by {program.method} · {what}"
        self._verdict, self._due = "", self._now()
        self._await_next()

    def keep(self, texture: Texture) -> None:
        """Show a texture; release it when the run ends."""
        self._shown = self._owned.enter_context(texture)
        self._in_layers = None

    def end(self) -> None:
        """Release everything of the run."""
        self._view = None
        self._joined.close()
        self._owned.close()

    def observe(self, index: int, buffers: Mapping[str, Texture]) -> None:
        """Show the target of a pass until the next pass is due."""
        self._index, self._roles = index, None
        each = self._program.passes[index]
        self._shown, self._stale = buffers[each.target], True
        self._in_layers = each if each.layers > 1 else None
        self._await_next()

    def hold(self, verdict: str) -> NoReturn:
        """Show the result until the user makes a request."""
        self._verdict, self._stale = verdict, True
        while True:
            self._turn(NAP)

    def _now(self) -> float:
        return self.drawn * FRAME if self._frames else time.perf_counter()

    def _await_next(self) -> None:
        """Draw frames until the next pass is due."""
        self._due = max(self._due, self._now() - MOST_LATE) + 1 / self.controls.speed
        while not self._may_go() or (self._stale and self._now() >= self._next_frame):
            paused = self.controls.paused
            self._turn(NAP if paused else min(self._due - self._now(), NAP))
            if paused:
                self._due = self._now()  # a pause is no delay
        self.controls.steps -= self.controls.steps > 0

    def _may_go(self) -> bool:
        if self.controls.paused:
            return self.controls.steps > 0
        return self._now() >= self._due - FRAME / 1000  # sums of frames are not exact

    def _turn(self, pause: float) -> None:
        """Draw a frame if something changed, and handle events."""
        if self._stale or self._frames:
            self._draw()
            pause = 0.0
        if self._frames or pause <= 0:
            self._glfw.poll_events()
        else:
            self._glfw.wait_events_timeout(pause)
        held_signals.deliver()
        if self.controls.asked_for_help:
            self.controls.asked_for_help = False
            self._print_help()
        if self._glfw.window_should_close(self._window) or self.drawn == self._frames:
            self.controls.wish = Wish.QUIT
        if self.controls.wish is not None:
            self._leave()

    def _leave(self) -> None:
        if self.controls.wish is Wish.QUIT and self._captures:
            self.picture = self._captured()
        raise Left

    def _draw(self) -> None:
        """Draw a frame, and write its captions into the title."""
        glfw, scene, size = self._glfw, self._scene(), self._size()
        glfw.set_window_title(self._window, " · ".join(self._words(scene)))
        if min(size) > 0:  # a window without area shows nothing
            assert self._view
            self._view.draw(self.device.gl.screen, size, self._unit(), scene)
        glfw.swap_buffers(self._window)
        self.drawn, self._stale = self.drawn + 1, False
        self._next_frame = self._now() + FRAME

    @staticmethod
    def _words(scene: Scene) -> list[str]:
        return [each for each in (scene.heading, scene.caption, scene.state) if each]

    def _scene(self) -> Scene:
        """Return what the window shows now."""
        program, index, count = self._program, self._index, len(self._program.passes)
        text = "before the first pass"
        if index >= 0:
            text = caption(program, index, self._steps[index])
            if self._roles is None:
                self._roles = roles_of(program, program.passes[index]).role
        controls = self.controls
        state = self._verdict or ("paused" if controls.paused else speed_text(controls.speed))
        done, roles = (index + 1) / max(1, count), None if self._verdict else self._roles
        self._join_layers()
        assert isinstance(self._shown, OpenGLTexture)
        return Scene(self._shown, roles, self._heading, text, state, done, controls.channels)

    def _join_layers(self) -> None:
        """Show layers as one texture with its wires row by row; this copies the keys."""
        if self._in_layers and self._shown:
            texels = row_by_row(self._shown.read(), self._in_layers)
            self._joined.close()
            self._shown = self._joined.enter_context(self.device.upload(texels))
            self._in_layers = None

    def _size(self) -> tuple[int, int]:
        width, height = self._glfw.get_framebuffer_size(self._window)
        return int(width), int(height)

    def _unit(self) -> int:
        """Return the thickness of a line in pixels: more on a display of high density."""
        return max(1, round(self._glfw.get_window_content_scale(self._window)[0]))

    def _captured(self) -> Image:
        """Draw the last frame again, where no other window can cover it."""
        width, height = (max(1, each) for each in self._size())
        size = width, height
        gl = self.device.gl
        texture = gl.texture(size, 4)
        frame = gl.framebuffer([texture])
        try:
            assert self._view
            self._view.draw(frame, size, self._unit(), self._scene())
            return image_of(frame, size)
        finally:
            self.device.rest()
            frame.release()
            texture.release()
