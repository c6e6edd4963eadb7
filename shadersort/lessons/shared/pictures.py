"""Pictures in notebooks: small files that every viewer shows without running code.

A film is an animated PNG: a viewer shows it moving, or at least its first frame. `Frames` is a film
with a slider in a running notebook.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from shadersort.pictures.matplotlib_types import Figure

if TYPE_CHECKING:
    from PIL.Image import Image

SHOWN = 92
"""Pixels of the page for each inch of a figure."""

SHARPNESS = 1.5
"""Pixels of a picture for each pixel of the page; a film has one."""

COLOURS = 96
"""The most colours in a picture: enough for smooth type, with a third of the bytes."""

COLOURS_OF_FILM = 128
"""The most colours in a film: all of its frames share them."""

Bundle = tuple[dict[str, Any], dict[str, Any]]


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Picture:
    """A PNG with its width on the page."""

    png: bytes
    width: int  # pixels on the page
    caption: str  # a description, for readers who cannot see the picture

    def __repr__(self) -> str:
        return f"<Picture: {self.caption}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        data = {"image/png": self.png, "text/plain": repr(self)}
        return data, {"image/png": {"width": self.width, "alt": self.caption}}


def picture(figure: Figure, caption: str) -> Picture:
    """Make a picture of a figure; equal figures give equal bytes."""
    return _picture([_image(figure, SHARPNESS)], figure.get_figwidth(), caption, 0.0)


def film(figures: Iterable[Figure], caption: str, seconds: float = 0.7) -> Picture:
    """Make a film of figures of one size, each for `seconds`, the last three times as long.

    Each figure is drawn before the next is requested, so a generator may change one figure again
    and again, which is faster.
    """
    images, inches = [], 0.0
    for figure in figures:
        images.append(_image(figure, 1.0))
        inches = figure.get_figwidth()
    if not images:
        raise ValueError("a film has at least one figure")
    return _picture(images, inches, caption, seconds)


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Frames:
    """A film with a slider.

    In a running notebook with ipywidgets, a slider steps through the frames, and a button plays
    them. Elsewhere, and in the notebook's file, it is the film.
    """

    count: int
    draw: Callable[[int], Figure]  # of a frame's number, from 0; all figures have one size
    caption: str
    seconds: float = 0.7  # how long each frame is shown
    kept: tuple[int, ...] = ()  # the frames in the film, if not all: a long film is a large file

    def __repr__(self) -> str:
        return f"<Frames: {self.caption}, {self.count} frames>"

    def film(self) -> Picture:
        """Return the film."""
        return film(map(self.draw, self.kept or range(self.count)), self.caption, self.seconds)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Bundle:
        data, metadata = self.film()._repr_mimebundle_()
        try:
            import ipywidgets  # noqa: F401
        except ModuleNotFoundError:  # the film is the picture then, as on a plain viewer
            return data, metadata
        return {**self.player()._repr_mimebundle_(), **data, "text/plain": repr(self)}, metadata

    def player(self) -> Any:
        """Return the widget: a picture over a button to play and a slider."""
        import ipywidgets as widgets

        def png(at: int) -> bytes:
            return picture(self.draw(at), self.caption).png

        slider = widgets.IntSlider(min=0, max=self.count - 1, description="frame")
        play = widgets.Play(min=0, max=self.count - 1, interval=int(1000 * self.seconds))
        widgets.jslink((play, "value"), (slider, "value"))
        shown = widgets.Image(value=png(0), format="png")
        shown.layout.width = f"{int(SHOWN * self.draw(0).get_figwidth())}px"
        slider.observe(lambda change: setattr(shown, "value", png(change["new"])), "value")
        return widgets.VBox([shown, widgets.HBox([play, slider])])


def _image(figure: Figure, sharpness: float) -> "Image":
    """Draw a figure into an RGB image."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    figure.set_dpi(SHOWN * sharpness)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    return Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")


def _picture(images: Sequence["Image"], inches: float, caption: str, seconds: float) -> Picture:
    """Reduce images to one palette, and write them as a PNG, animated if there are several."""
    from PIL import Image

    every = Image.fromarray(np.concatenate([np.asarray(image) for image in images]))
    colours = COLOURS if len(images) == 1 else COLOURS_OF_FILM
    reduced = every.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    palette = np.array(reduced.getpalette()).reshape(-1, 3)
    palette[palette.sum(axis=1).argmax()] = 255  # the brightest colour, of the background: white
    few = [Image.fromarray(part) for part in np.split(np.asarray(reduced), len(images))]
    for image in few:
        image.putpalette(palette.ravel().tolist())
    options: dict[str, Any] = {}
    if len(few) > 1:
        pace = int(1000 * seconds)
        durations = [pace] * (len(few) - 1) + [3 * pace]
        options = {"save_all": True, "append_images": few[1:], "duration": durations, "loop": 0}
    file = BytesIO()
    few[0].save(file, format="PNG", optimize=True, **options)
    return Picture(file.getvalue(), int(SHOWN * inches), caption)
