"""One colour has one meaning: MIN, MAX and what is wrong, in every picture and piece."""

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
from matplotlib.colors import to_hex

import shadersort
from shadersort.drawing.networks import network
from shadersort.drawing.roles import Role
from shadersort.lessons.networks.pictures import after_each_step, show_journey
from shadersort.lessons.shared.grids import QUAD_COLOURS
from shadersort.palette import CIVIDIS, MAX, MIN, WRONG
from shadersort.pictures.plots import WIRE, draw_network
from shadersort.web.look import ROLE_COLOURS

KEYS = np.array([4, 3, 2, 8, 7, 1, 6, 5])


def test_min_and_max_have_one_colour_everywhere() -> None:
    assert QUAD_COLOURS["min"] is ROLE_COLOURS[Role.MIN] is MIN
    assert QUAD_COLOURS["max"] is ROLE_COLOURS[Role.MAX] is MAX
    assert len({MIN, MAX, WRONG, *CIVIDIS}) == 3 + len(CIVIDIS)


def test_comparators_show_min_and_max_at_their_ends() -> None:
    for dots in draw_network(network("pbsn", 8)).collections[:-1]:  # the last are the wires
        assert [to_hex(colour) for colour in np.asarray(dots.get_facecolor())] == [MIN, MAX]


def test_pages_use_no_colour_of_min_and_max_for_anything_else() -> None:
    web = Path(shadersort.__file__).parent / "web"
    for file in (*web.rglob("*.css"), *web.rglob("*.js")):
        written = set(re.findall("#[0-9a-f]{6}", file.read_text(encoding="utf-8").lower()))
        assert not written & {MIN, MAX}, file


def test_a_wire_changes_colour_only_after_a_comparator_that_has_run() -> None:
    wires = network("pbsn", 8)
    states = after_each_step(wires, KEYS)
    changed = 0
    for done in range(wires.depth + 1):
        ax = show_journey(wires, KEYS, done).axes[0]
        run = {
            (x, wire)
            for dots in ax.collections
            if to_hex(np.asarray(dots.get_facecolor())[0]) == MIN
            for x, wire in np.asarray(dots.get_offsets()).tolist()
        }
        lines = [(np.asarray(line.get_xydata()), to_hex(line.get_color())) for line in ax.lines]
        for wire in range(8):
            pieces = sorted(
                (ends[0, 0], ends[1, 0], colour)
                for ends, colour in lines
                if ends[0, 1] == ends[1, 1] == wire
            )
            coloured = [piece for piece in pieces if piece[2] != WIRE]
            assert pieces[: len(coloured)] == coloured, "grey before a colour"
            for before, after in pairwise(coloured):
                assert before[1] == after[0]
                if before[2] != after[2]:
                    changed += 1
                    assert (before[1], wire) in run
        labels = [text.get_text() for text in ax.texts[1::2]]
        assert labels == [f"{key:g}" for key in states[done]]
    assert changed
