"""Scrubbers: a film of a lesson, on the site, is a strip of its frames that the reader moves."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from html import escape
from io import BytesIO
from typing import Any

from scripts.site.links import PARTS


def scrubber(png: str, metadata: Mapping[str, Any]) -> str:
    """Return a film, an animated PNG in base64, as HTML that shows one frame at a time.

    The frames stand one below the other in one picture. What has one frame, or none, gives "".
    """
    file = b64decode(png)
    if b"acTL" not in file[:1024]:  # a block near its head says that it moves
        return ""
    from PIL import Image, ImageSequence  # the notebooks for elsewhere are written without packages

    film: Any = Image.open(BytesIO(file))
    (width, height), frames, packed = film.size, film.n_frames, BytesIO()
    pace = int(film.info["duration"])  # of the first frame, in milliseconds
    strip = Image.new("RGB", (width, height * frames))
    for at, frame in enumerate(ImageSequence.Iterator(film)):
        strip.paste(frame.convert("RGB"), (0, at * height))
    strip.save(packed, "WEBP", lossless=True)
    data = b64encode(packed.getvalue()).decode()
    sizes = {"frames": frames, "last": frames - 1, "pace": pace, "width": width, "height": height}
    html = (PARTS / "film.html").read_text(encoding="utf-8")
    return html.format(strip=data, alt=escape(metadata["image/png"]["alt"]), **sizes)
