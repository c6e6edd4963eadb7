"""Pictures, films and players show what is in the trace."""

import base64
import html
import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import colormaps
from PIL import Image, ImageSequence

import shadersort as ss
from shadersort import Device, Trace
from shadersort.errors import BadOption, TooManyKeys
from shadersort.keys.types import Keys
from shadersort.names import NetworkName, SortMethod
from shadersort.palette import MAX, MIN
from shadersort.pictures.strips import Strip, edges, relative_ranks
from shadersort.web.roles import Role
from tests.helpers import METHODS_AND_TYPES, WAYS_OF_2005, random_bits


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
    for n in (1, 2, 60, 1030):
        seen = ss.trace(random_bits(n, n, dtype), network="bitonic", method=method, device=software)
        if len(seen):
            assert_holds(embedded(seen.to_html()), seen)


@pytest.mark.parametrize(("name", "method"), WAYS_OF_2005)
def test_a_page_of_a_slice(software: Device, name: NetworkName, method: SortMethod) -> None:
    keys = np.random.default_rng(1).random(500, np.float32)
    seen = ss.trace(keys, network=name, method=method, device=software)
    for part in (seen[2:3], seen[3:30:4], seen[::-1]):
        assert_holds(embedded(part.to_html()), part)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.int32, np.uint32])
def test_cells_that_fill_up_are_no_keys(software: Device, dtype: Any) -> None:
    keys = np.array([3, 1, 2, 1, 7], dtype)
    data = embedded(ss.trace(keys, method="fragment", device=software).to_html())
    assert unpacked(data["values"])[: data["fill"]].tolist() == [1, 2, 3, 7]
    first = unpacked(data["textures"])[:8]
    assert first.tolist() == [2, 0, 1, 0, 3, data["fill"], data["fill"], data["fill"]]


@pytest.mark.parametrize("keys", [[3, 1, 2, 1], [3, 1, 2, 1, np.inf]])
def test_a_cell_that_may_be_a_key_is_shown_as_one(software: Device, keys: list[float]) -> None:
    seen = ss.trace(np.array([*keys, *keys[::-1]], np.float32), device=software)
    assert embedded(seen.to_html())["fill"] is None


def test_a_page_needs_nothing_else(seen: Trace, tmp_path: Path) -> None:
    path = seen.to_html(tmp_path / "player.html")
    page = path.read_text(encoding="utf-8")
    assert page == seen.to_html()
    for loads in ("http:", "https:", "src=", "@import", "url(", "import(", "fetch(", "<link"):
        assert loads not in page.replace("http://www.w3.org/2000/svg", ""), loads
    assert page.count("<script") == page.count("</script>") == 2


@pytest.mark.parametrize("max_bytes", [0, 20_000, 10_000_000])
def test_a_page_too_large_is_refused(software: Device, tmp_path: Path, max_bytes: int) -> None:
    seen = ss.trace(np.random.default_rng(0).random(1 << 14, np.float32), device=software)
    path = tmp_path / "player.html"
    if max_bytes > 9_700_000:
        assert path == seen.to_html(path, max_bytes=max_bytes)
        assert path.stat().st_size <= max_bytes
        return
    with pytest.raises(TooManyKeys, match=rf"max_bytes={max_bytes}: trace fewer keys"):
        seen.to_html(path, max_bytes=max_bytes)
    assert not path.exists()


def test_notebooks_show_small_traces(seen: Trace, software: Device) -> None:
    shown = seen._repr_html_()
    found = re.fullmatch(r'<iframe title="([^"]*)"[^>]* srcdoc="([^"]*)"></iframe>', shown)
    assert found
    assert html.unescape(found[1]) == repr(seen)
    assert html.unescape(found[2]) == seen.to_html()
    large = ss.trace(np.random.default_rng(0).random(1 << 13, np.float32), device=software)
    assert "trace fewer keys" in large._repr_html_()
    assert "no pass to play" in seen[:0]._repr_html_()


def test_nothing_to_show(seen: Trace, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="0 of them here"):
        seen[:0].to_html()
    with pytest.raises(BadOption):
        seen.to_image(slice(3, 3))
    with pytest.raises(BadOption):
        seen[:0].to_gif(tmp_path / "none.gif")
    with pytest.raises(BadOption):
        seen.to_gif(tmp_path / "none.gif", passes=[])
    with pytest.raises(IndexError):
        seen.to_image(48)
    assert not list(tmp_path.iterdir())


def test_a_strip_shows_roles_and_ranks(seen: Trace) -> None:
    from matplotlib.figure import Figure

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
    blue, orange = (tuple(bytes.fromhex(colour[1:])) for colour in (MIN, MAX))
    strip.show(seen[1].roles, seen[1].after, "")
    picture = np.asarray(strip.image.get_array())
    np.testing.assert_allclose(picture[0, 0, :3] * 255, blue)
    strip.show(seen[2].roles, seen[2].after, "")
    picture = np.asarray(strip.image.get_array())
    np.testing.assert_allclose(picture[3, 3, :3] * 255, orange)


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


def test_a_grid_has_a_strip_for_each_pass(seen: Trace, tmp_path: Path) -> None:
    figure = seen.to_image(slice(1, 9))
    captions = [ax.get_title() for ax in figure.axes if ax.get_title()]
    assert captions == [traced.caption for traced in seen[1:9]]
    figure.savefig(tmp_path / "grid.png", dpi=30)
    with Image.open(tmp_path / "grid.png") as picture:
        assert picture.width > picture.height > 0


def test_too_many_passes_for_one_picture(software: Device) -> None:
    seen = ss.trace(np.random.default_rng(0).random(256, np.float32), device=software)
    with pytest.raises(TooManyKeys, match=r"108 passes .* slice\(None, None, 2\)"):
        seen.to_image(slice(None))
    captions = [ax.get_title() for ax in seen.to_image().axes if ax.get_title()]
    assert len(captions) == 60
    assert (captions[0], captions[-1]) == (seen[0].caption, seen[-1].caption)
    with pytest.raises(BadOption):
        seen[:0].to_image()


def test_a_film_has_a_frame_for_each_pass(seen: Trace, tmp_path: Path) -> None:
    for passes, expected in ((slice(1, 4), 3), ([0, -1], 2), (None, 4)):
        path = seen.to_gif(tmp_path / "sort.gif", passes=passes, frames=4, fps=10)
        with Image.open(path) as film:
            assert film.format == "GIF"
            pictures = [np.asarray(each.convert("RGB")) for each in ImageSequence.Iterator(film)]
            assert film.info["duration"] == 100
        assert len(pictures) == expected
        assert all((one != other).any() for one, other in pairwise(pictures))


@pytest.mark.parametrize("wrong", [{"frames": 1}, {"fps": 0}, {"fps": -1}, {"fps": float("nan")}])
def test_films_that_cannot_be(seen: Trace, tmp_path: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="frames"):
        seen.to_gif(tmp_path / "sort.gif", **wrong)
    assert not (tmp_path / "sort.gif").exists()
