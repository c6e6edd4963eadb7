"""One colour has one meaning: MIN, MAX and what is wrong, in every picture and piece."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
from matplotlib.colors import to_hex

import shadersort
from shadersort.drawing.networks import network
from shadersort.keys.types import Keys
from shadersort.lessons.shared.grids import QUAD_COLOURS
from shadersort.palette import BLACK, CIVIDIS, GREEN, GREY, LOOKS, MAX, MIN, SERIES, WRONG, rgb
from shadersort.pictures.plots import draw_network
from shadersort.web.roles import ROLE_COLOURS, Role

SIGHTS = {
    "with three cones": "1 0 0 0 1 0 0 0 1",
    "without long cones": "0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216 "
    "-0.003882 -0.048116 1.051998",
    "without middle cones": "0.367322 0.860646 -0.227968 0.280085 0.672501 0.047413 "
    "-0.011820 0.042940 0.968881",
}
"""What people see, for linear red, green and blue (Machado, Oliveira and Fernandes 2009)."""

TO_XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
) / np.array([[0.9505], [1.0], [1.089]])


def difference(one: str, other: str, sight: Keys) -> float:
    """Return the distance of two colours in CIE L*a*b*, as somebody sees them."""
    lab = []
    for colour in (one, other):
        values = np.array(rgb(colour))
        linear = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
        x, y, z = np.cbrt(np.maximum(TO_XYZ @ np.clip(sight @ linear, 0, 1), 0.009))
        lab.append([116 * y - 16, 500 * (x - y), 200 * (y - z)])
    return float(np.linalg.norm(np.array(lab[0]) - np.array(lab[1])))


def test_min_and_max_have_one_colour_everywhere() -> None:
    assert QUAD_COLOURS["min"] is ROLE_COLOURS[Role.MIN] is MIN
    assert QUAD_COLOURS["max"] is ROLE_COLOURS[Role.MAX] is MAX
    assert len({MIN, MAX, WRONG, *CIVIDIS}) == 3 + len(CIVIDIS)


def test_comparators_show_min_and_max_at_their_ends() -> None:
    for dots in draw_network(network("pbsn", 8)).collections[:-1]:  # the last are the wires
        assert [to_hex(colour) for colour in np.asarray(dots.get_facecolor())] == [MIN, MAX]


MEAN_MIN_AND_MAX = {
    *("palette.py", "web/roles.py", "web/pieces/quad.py", "pictures/plots.py"),
    *("pictures/strips.py", "lessons/shared/grids.py", "lessons/by_drawing/pictures.py"),
}
"""What draws the smaller key and the larger, in the package."""


def test_nothing_else_has_a_colour_of_min_and_max() -> None:
    package = Path(shadersort.__file__).parent
    for file in (*package.rglob("*.css"), *package.rglob("*.js"), *package.rglob("*.py")):
        text, name = file.read_text(encoding="utf-8"), file.relative_to(package).as_posix()
        if name not in MEAN_MIN_AND_MAX:
            assert not set(re.findall("#[0-9a-f]{6}", text.lower())) & {MIN, MAX}, file
            assert not re.search(r"palette import (\([^)]*|.*)\b(MIN|MAX)\b", text), file


def test_series_have_other_hues_than_what_has_a_meaning() -> None:
    neutral = {BLACK, GREY}
    meanings = {MIN, MAX, WRONG, GREEN}
    used = {colour for colour, _ in LOOKS.values()}
    assert used <= {*SERIES, *neutral}
    for matrix in SIGHTS.values():
        simulated = np.array(matrix.split(), float).reshape(3, 3)
        for one, other in combinations(sorted({*SERIES, *neutral, *meanings}), 2):
            if {one, other} & set(SERIES):
                assert difference(one, other, simulated) > 13, (one, other)
