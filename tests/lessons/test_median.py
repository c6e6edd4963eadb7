"""Lesson 10: the slider, the cuts, iterations, and pictures of records."""

import numpy as np
import pytest

from shadersort.lessons.median import cuts
from shadersort.web.pieces.street import HOUSES, USUAL, record_search


@pytest.mark.parametrize("seed", range(20))
def test_touching_lines_meet_at_the_mean_of_the_keys_inside(seed: int) -> None:
    keys = np.sort(np.random.default_rng(seed).choice(1000, 31, replace=False))
    for low, high in ((keys[0], keys[-1]), (keys[3] + 0.5, keys[-4]), (keys[0], keys[16])):
        inside = keys[(low < keys) & (keys < high)]
        low, f_low, g_low, high, f_high, g_high = cuts.touching(keys, low, high)
        met = (f_high - f_low + g_low * low - g_high * high) / (g_low - g_high)
        assert met == pytest.approx(inside.mean())


def test_the_first_cut_is_that_of_the_piece() -> None:
    title = cuts.show_first_cut(np.array([*HOUSES, USUAL])).axes[0].get_xlabel()
    cut = record_search(HOUSES, USUAL)["as printed"]["steps"][1]
    assert title == f"pivot; the lines meet at {cut[1]:.4g}"


def test_an_outlier_makes_bisection_long_and_not_the_cutting_plane() -> None:
    keys = np.random.default_rng(2).normal(size=1001)
    outliers = [1e3, 1e9, 1e20]
    few, some, many = cuts.iterations(keys, outliers, "bisection")
    assert few < some < many
    assert many > 60
    assert max(cuts.iterations(keys, outliers, "cutting-plane")) < 20
