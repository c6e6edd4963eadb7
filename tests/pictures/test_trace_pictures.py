"""Pictures, films and players show what is in the trace."""

import base64
import html
import json
import re
from functools import partial
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.figure import Figure
from PIL import Image, ImageSequence

import shadersort as ss
from shadersort import Device, Trace
from shadersort.drawing.networks import NETWORKS
from shadersort.errors import BadOption, TooManyKeys
from shadersort.keys.types import Keys
from shadersort.names import SortMethod
from shadersort.palette import MAX, MIN, rgb
from shadersort.pictures.strips import Strip, edges, relative_ranks
from shadersort.web.roles import Role
from tests.helpers import METHODS_AND_TYPES, TYPES, random_bits


@pytest.fixture
def seen(software: Device) -> Trace:
    keys = np.random.default_rng(0).random(64, np.float32)
    return ss.trace(keys, device=software)


def embedded(page: str) -> dict[str, Any]:
    """The data of a page, as its script reads it."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])["film"]
    return data


def unpacked(array: dict[str, str]) -> Keys:
    little = np.dtype(array["type"]).newbyteorder("<")
    return np.frombuffer(base64.b64decode(array["data"]), little)


def assert_holds(data: dict[str, Any], seen: Trace) -> None:
    """The embedded arrays are those of the trace, key for key."""
    shape = seen.input.shape
    textures = unpacked(data["values"])[unpacked(data["textures"])].reshape(-1, *shape)
    assert len(data["passes"]) == len(seen)
    for shown, traced in zip(data["passes"], seen, strict=True):
        assert shown["index"] == traced.index
        assert traced.caption == f"pass {traced.index} (last {data['last']}) · {shown['does']}"
        np.testing.assert_array_equal(textures[shown["source"]], traced.source)
        np.testing.assert_array_equal(textures[shown["after"]], traced.after)
        assert (shown["before"] is None) == (traced.before is None)
        if traced.before is not None:
            np.testing.assert_array_equal(textures[shown["before"]], traced.before)
        geometry = data["geometries"][shown["geometry"]]
        for name in ("role", "partner"):
            found = unpacked(geometry[name]).reshape(shape[:2])
            np.testing.assert_array_equal(found, getattr(traced.roles, name))


@pytest.mark.parametrize(("method", "dtype"), METHODS_AND_TYPES)
def test_a_page_holds_every_key_of_every_pass(
    software: Device, method: SortMethod, dtype: str
) -> None:
    """Also of a slice."""
    for network, n in product(NETWORKS, (1, 2, 60, 1030)):
        seen = ss.trace(random_bits(n, n, dtype), network=network, method=method, device=software)
        for part in (seen, seen[2:3], seen[3:30:4], seen[::-1]) if n < 1000 else (seen,):
            if len(part):
                assert_holds(embedded(part.to_html()), part)


def test_cells_that_fill_up_are_no_keys(software: Device) -> None:
    """But one that may be a key is shown as one."""
    for dtype in TYPES:
        keys = np.array([3, 1, 2, 1, 7], dtype)
        data = embedded(ss.trace(keys, method="fragment", device=software).to_html())
        assert unpacked(data["values"])[: data["fill"]].tolist() == [1, 2, 3, 7]
        first = unpacked(data["textures"])[:8]
        assert first.tolist() == [2, 0, 1, 0, 3, data["fill"], data["fill"], data["fill"]]
    for some in ([3, 1, 2, 1], [3, 1, 2, 1, np.inf]):
        seen = ss.trace(np.array([*some, *some[::-1]], np.float32), device=software)
        assert embedded(seen.to_html())["fill"] is None


def test_a_page_needs_nothing_else(seen: Trace, tmp_path: Path) -> None:
    page = seen.to_html()
    path, size = tmp_path / "player.html", len(page.encode())
    for max_bytes in (0, size - 1):
        with pytest.raises(TooManyKeys, match=rf"max_bytes={max_bytes}: trace fewer keys"):
            seen.to_html(path, max_bytes=max_bytes)
        assert not path.exists()
    assert path == seen.to_html(path, max_bytes=size)
    assert page == path.read_text(encoding="utf-8")
    for loads in ("http:", "https:", "src=", "@import", "url(", "import(", "fetch(", "<link"):
        assert loads not in page.replace("http://www.w3.org/2000/svg", ""), loads
    assert page.count("<script") == page.count("</script>") == 2


def test_notebooks_show_small_traces(seen: Trace, software: Device) -> None:
    shown = seen._repr_html_()
    found = re.fullmatch(r'<iframe title="([^"]*)"[^>]* srcdoc="([^"]*)"></iframe>', shown)
    assert found
    assert html.unescape(found[1]) == repr(seen)
    assert html.unescape(found[2]) == seen.to_html()
    large = ss.trace(np.random.default_rng(0).random(1 << 13, np.float32), device=software)
    assert "trace fewer keys" in large._repr_html_()
    assert "no pass to play" in seen[:0]._repr_html_()


def test_what_cannot_be_shown(seen: Trace, tmp_path: Path) -> None:
    path = tmp_path / "none.gif"
    for show in (
        seen[:0].to_html,
        seen[:0].to_image,
        partial(seen.to_image, slice(3, 3)),
        partial(seen[:0].to_gif, path),
        partial(seen.to_gif, path, passes=[]),
    ):
        with pytest.raises(BadOption, match=r"0 of them here|pass"):
            show()
    wrong: list[dict[str, Any]] = [{"frames": 1}, {"fps": 0}, {"fps": -1}, {"fps": float("nan")}]
    for each in wrong:
        with pytest.raises(ValueError, match="frames"):
            seen.to_gif(path, **each)
    with pytest.raises(IndexError):
        seen.to_image(48)
    assert not list(tmp_path.iterdir())


def test_a_strip_shows_roles_and_ranks(seen: Trace) -> None:
    strip = Strip(Figure().add_subplot(), seen)
    for traced in seen[:6]:
        strip.show(traced.roles, traced.after, traced.caption)
        picture = np.asarray(strip.image.get_array())
        assert strip.ax.get_title() == traced.caption
        ranks = relative_ranks(np.unique(seen.input), traced.after)
        for channel in range(4):
            left = (1 + channel) * strip.pitch
            shades = picture[:, left : left + 4]
            np.testing.assert_allclose(shades, colormaps["cividis"](ranks[..., channel]))
        casing, low, high = (len(lines.get_segments()) for lines in strip.lines)
        assert low == 4 * len(edges(traced.roles.role == Role.MIN))
        assert high == 4 * len(edges(traced.roles.role == Role.MAX))
        assert casing == low + high
    for traced, cell, colour in ((seen[1], (0, 0), MIN), (seen[2], (3, 3), MAX)):
        strip.show(traced.roles, traced.after, "")
        picture = np.asarray(strip.image.get_array())
        np.testing.assert_allclose(picture[cell][:3], rgb(colour))


def test_one_pass_is_drawn_with_what_it_read(seen: Trace, software: Device) -> None:
    assert len(seen.to_image(0).axes) == 2
    figure = seen.to_image(1)
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["'texture', and where the quads read it", "'frame' before", "'frame' after"]
    assert figure.get_suptitle() == f"pbsn: {seen[1].caption}"
    assert len(figure.axes[0].texts) == 5 + seen.input.size  # names of panels, and every key
    keys = np.random.default_rng(0).random(512, np.float32)
    wide = ss.trace(keys, method="fragment", device=software)
    assert [len(ax.texts) for ax in wide.to_image(-1).axes] == [5, 5]


def test_a_grid_has_a_strip_for_each_pass(seen: Trace, software: Device, tmp_path: Path) -> None:
    """If they are many, the first, the last and some of the others."""

    def captions(figure: Figure) -> list[str]:
        return [ax.get_title() for ax in figure.axes if ax.get_title()]

    figure = seen.to_image(slice(1, 9))
    assert captions(figure) == [traced.caption for traced in seen[1:9]]
    figure.savefig(tmp_path / "grid.png", dpi=30)
    with Image.open(tmp_path / "grid.png") as picture:
        assert picture.width > picture.height > 0
    many = ss.trace(np.random.default_rng(0).random(256, np.float32), device=software)
    with pytest.raises(TooManyKeys, match=r"108 passes .* slice\(None, None, 2\)"):
        many.to_image(slice(None))
    first, *some, last = captions(many.to_image())
    assert (first, len(some), last) == (many[0].caption, 58, many[-1].caption)


def test_a_film_has_a_frame_for_each_pass(seen: Trace, tmp_path: Path) -> None:
    for passes, expected in ((slice(1, 4), 3), ([0, -1], 2), (None, 4)):
        path = seen.to_gif(tmp_path / "sort.gif", passes=passes, frames=4, fps=10)
        with Image.open(path) as film:
            assert film.format == "GIF"
            pictures = [np.asarray(each.convert("RGB")) for each in ImageSequence.Iterator(film)]
            assert film.info["duration"] == 100
        assert len(pictures) == expected
        assert all((one != other).any() for one, other in pairwise(pictures))
