"""Lesson 10: the slider, the cuts and what is said of them, and pictures of records."""

import numpy as np
import pytest

from shadersort.lessons import picture, record
from shadersort.lessons.median import cuts, exercises, pictures
from shadersort.lessons.shared import reproduced, selecting


def test_a_slider_stops_between_the_places_of_its_film() -> None:
    houses = np.array([1, 2, 4, 5, 9])
    dragged = pictures.Draggable(4, lambda at: pictures.show_pivot(houses, at), "a pivot")
    data, _ = dragged._repr_mimebundle_()
    assert data["image/png"] == dragged.film().png
    shown, slider = dragged.player().children
    before = shown.value
    slider.value = 2.75
    assert shown.value == picture(pictures.show_pivot(houses, 2.75), "a pivot").png != before


@pytest.mark.parametrize("seed", range(20))
def test_cuts_lead_to_the_median_and_are_means(seed: int) -> None:
    keys = np.random.default_rng(seed).choice(1000, 31, replace=False)
    made = cuts.cuts_to_median(keys)
    assert made[-1].pivot == np.median(keys)
    for cut in made:
        inside = keys[(cut.low < keys) & (keys < cut.high)]
        touching = exercises.touching(keys, cut.low, cut.high)
        low, f_low, g_low, high, f_high, g_high = touching
        met = (f_high - f_low + g_low * low - g_high * high) / (g_low - g_high)
        assert met == pytest.approx(inside.mean())
        assert cut.low <= np.median(keys) <= cut.high


def test_an_outlier_makes_bisection_long_and_not_the_cutting_plane() -> None:
    keys = np.random.default_rng(2).normal(size=1001)
    outliers = [1e3, 1e9, 1e20]
    few, some, many = cuts.iterations(keys, outliers, "bisection")
    assert few < some < many
    assert many > 60
    assert max(cuts.iterations(keys, outliers, "cutting-plane")) < 20


def test_records_are_drawn_with_their_label() -> None:
    modern = record("modern-nvidia-h200")
    figure = selecting.show_reads(modern, ["cutting-plane", "bisection"])
    assert modern.label in figure.axes[0].get_title()
    again = record("reproduce-nvidia-h200")
    figure = reproduced.show_then_and_now(again, "beliakov-2011-1", ["bisection"], "then")
    assert [ax.get_title() for ax in figure.axes] == ["then", again.label]
    assert selecting.reads_of(modern, "cutting-plane") < selecting.reads_of(modern, "sort")
