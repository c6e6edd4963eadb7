"""Scrubbers: a film of a lesson, on the site, is a strip of its frames that the reader moves."""

from base64 import b64decode, b64encode
from html import escape
from io import BytesIO
from typing import Any

SCRUBBER = """\
<figure class="film" data-frames="{frames}" data-pace="{pace}" style="max-width: {width}px">
<div class="window" style="aspect-ratio: {width} / {height}"><img src="{strip}" alt="{alt}"></div>
<div class="controls"><button type="button">Play</button>
<input type="range" min="0" max="{last}" value="0" aria-label="Frame"><output></output></div>
</figure>
"""
"""`site/static/film.js` moves the strip; the keys are those of the input."""


def scrubber(png: str, alt: str) -> str:
    """Return a film, an animated PNG in base64, as HTML that shows one frame at a time.

    The frames stand one below the other in one picture. What has one frame, or none, gives "".
    """
    file = b64decode(png)
    if b"acTL" not in file[:1024]:  # a block near its head says that it moves
        return ""
    from PIL import Image, ImageSequence  # the notebooks for elsewhere are written without packages

    film: Any = Image.open(BytesIO(file))
    frames = film.n_frames
    width, height = film.size
    pace = int(film.info["duration"])  # of the first frame, in milliseconds
    strip = Image.new("RGB", (width, height * frames))
    for at, frame in enumerate(ImageSequence.Iterator(film)):
        strip.paste(frame.convert("RGB"), (0, at * height))
    packed = BytesIO()
    strip.save(packed, "WEBP", lossless=True)
    return SCRUBBER.format(
        frames=frames,
        pace=pace,
        width=width,
        height=height,
        strip=f"data:image/webp;base64,{b64encode(packed.getvalue()).decode()}",
        alt=escape(alt),
        last=frames - 1,
    )
