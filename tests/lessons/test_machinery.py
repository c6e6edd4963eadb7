"""Shared parts of the lessons: checks, pictures, records, colours."""

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import IPython.core.autocall
import IPython.display
import numpy as np
import pytest
from PIL import Image, ImageSequence

from shadersort.errors import UnknownName
from shadersort.lessons import Exercise, Frames, Mistake, Picture, film, picture, record, subplots
from shadersort.lessons.exercises import PythonRunner, answer_of
from shadersort.lessons.exercises.verdict import MIME

README = Path(__file__).parents[2] / "notebooks" / "README.md"


def test_the_exercise_of_the_readme_works_and_is_short() -> None:
    """Whoever writes a lesson begins with it."""
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    (file,) = [each for each in blocks if "EXERCISES = " in each]
    (cell,) = [each for each in blocks if "def two_largest" in each]
    assert file.count("\n") <= 40
    names: dict[str, Any] = {}
    exec(file, names)
    (exercise,) = names["EXERCISES"]
    exec(cell.split("\n\n\n")[0], names)
    assert exercise.check(names["two_largest"]).passed
    for mistake in exercise.mistakes:
        assert exercise.check(mistake.does).mistake is mistake
    assert "return two keys, not a number" in exercise.check(max).about
    assert exercise.check(lambda keys: np.partition(keys, -2)[:-3:-1]).case is None


def figure_of(number: int) -> Any:
    figure, (ax,) = subplots(width=3.0, height=2.0)
    ax.plot([0, number], [0, 1])
    return figure


def doubled(answer: Any, keys: Any) -> Any:
    return 2 * answer_of(answer(keys))


increment = Exercise(
    name="increment",
    specification=lambda keys: 2 * (keys + 1),
    cases=lambda rng: [(np.arange(3),), (rng.integers(9, size=4),)],
    hints=("Add.", "Add `<1>`."),
    runner=PythonRunner(outcome=doubled),
    draw=lambda case, yours, expected: figure_of(1),
)


def with_runner(**options: Any) -> Exercise:
    return replace(increment, runner=PythonRunner(**{"outcome": doubled, **options}))


def adds_one(keys: Any) -> Any:
    return keys + 1


def test_a_change_of_the_case_a_blank_and_an_error() -> None:
    """A right result is not enough if the arguments were changed; an error is not raised."""
    assert increment.check(adds_one).passed
    verdict = increment.check(lambda keys: np.add(keys, 1, out=keys))
    assert "changed its argument `keys`" in verdict.headline
    for blank in (None, ...):
        assert increment.check(lambda keys, blank=blank: blank).state == "not yet"
    verdict = increment.check(lambda keys: keys[99])
    assert verdict.state == "wrong"
    assert "IndexError" in verdict.headline
    assert "yours" not in dict(verdict.rows())


def test_a_print_without_a_return_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    verdict = increment.check(lambda keys: print(keys + 1))
    assert verdict.state == "not yet"
    assert "returned nothing" in verdict.headline
    assert "[1 2 3]" in verdict.headline
    assert "[1 2 3]" in capsys.readouterr().out
    assert "in place of the dots" in increment.check(lambda keys: ...).headline


squares = Exercise(
    name="squares",
    specification=lambda keys: keys**2,
    cases=lambda rng: [(np.arange(9),), (np.array([2, 1]),), (np.array([2]),), (np.array([3]),)],
    hints=("Multiply.",),
    mistakes=(
        Mistake("you doubled <it>", lambda keys: 2 * keys, "Twice is not a square."),
        Mistake("you added two", lambda keys: keys + 2),
        Mistake("you cubed", lambda keys: keys**3),
    ),
)


def test_a_mistake_is_named_if_it_does_the_same_in_every_case() -> None:
    """The smallest case that fails, [3], does not tell doubling and cubing less 21 apart."""
    verdict = squares.check(lambda keys: keys + keys)
    assert verdict.mistake is squares.mistakes[0]
    assert verdict.case == (np.array([3]),)
    assert "It looks as if you doubled <it>. Twice is not a square." in repr(verdict)
    html = verdict._repr_html_()
    assert "doubled &lt;it&gt;" in html
    assert html.index("How to go on") < html.index("Hint 1")
    other = squares.check(lambda keys: np.where(keys == 3, 6, keys**2))
    assert other.state == "wrong"
    assert other.mistake is None
    assert "looks as if" not in repr(other) + other._repr_html_()
    assert squares.check(lambda keys: keys**2).mistake is None


def test_a_mistake_is_named_beside_a_changed_argument_and_not_after_an_error() -> None:
    verdict = squares.check(lambda keys: np.power(keys, 3, out=keys))
    assert "it changed its argument `keys`; work on a copy" in verdict.about
    assert verdict.mistake is squares.mistakes[2]
    for answer in (lambda keys: keys[99], lambda keys: 2 * keys if len(keys) < 9 else keys[99]):
        assert squares.check(answer).mistake is None


def test_floats_are_compared_up_to_rounding_and_other_numbers_exactly() -> None:
    """Sums of float64 may be taken in any order. Keys of 32 bits are moved, and not computed."""
    tenths = np.full(10, 0.1)
    for expected, close, wrong in (
        (tenths.sum(), sum(tenths.tolist()), 1 + 1e-8),
        (0.0, 1e-14, 1e-10),
        (np.float32(0.1), np.float32(0.1), np.nextafter(np.float32(0.1), np.float32(1))),
        (2**40, 2**40, 2**40 + 1),
        (np.array([np.nan, 1]), [np.nan, 1], [1, np.nan]),
    ):
        exercise = Exercise("any", lambda expected=expected: expected, lambda rng: [()], ())
        assert exercise.check(lambda close=close: close).passed
        assert not exercise.check(lambda wrong=wrong: wrong).passed
    third = Exercise("third", lambda: (0.1 + 0.2, np.float64(0.3)), lambda rng: [()], ())
    assert dict(third.check(lambda: 0).rows())["expected"] == "(0.3, 0.3)"


def test_the_smallest_failing_case_is_shown_once(capsys: pytest.CaptureFixture[str]) -> None:
    def wrong_for_two_and_more(keys: Any) -> Any:
        print("called")
        return keys**2 + (len(keys) > 1)

    verdict = squares.check(wrong_for_two_and_more)
    assert verdict.case is not None
    assert verdict.case[0].tolist() == [2, 1]
    assert capsys.readouterr().out.count("called") == 3, "two right cases, and the wrong one"


@pytest.mark.parametrize("answer", [[[1], [1, 2]], "text", np.zeros((3, 1)), [1, 2, 3, 4], {}])
def test_answers_of_any_shape_are_wrong_and_never_an_error(answer: Any) -> None:
    plain = Exercise("plain", lambda: np.zeros(3), lambda rng: [()], ("Zeros.",))
    assert plain.check(lambda: answer).state == "wrong"
    assert repr(plain.check(lambda: answer)).startswith("plain: wrong")


def test_hints_open_one_inside_the_other_and_are_escaped() -> None:
    html = increment.check(lambda keys: keys)._repr_html_()
    assert html.count("<details>") == html.count("</details>") == 2
    assert "Hint 2</summary><p>Add <code>&lt;1&gt;</code>." in html
    assert "Hint" not in increment.check(adds_one)._repr_html_()
    with pytest.raises(IndexError, match="2 hints"):
        increment.hint(3)


def test_a_notebook_gets_the_verdict_and_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(IPython.display, "display", lambda one, raw=False: shown.append(one))
    increment.check(lambda keys: keys)._ipython_display_()
    bundle, seen = shown
    assert bundle[MIME] == {"exercise": "increment", "state": "wrong"}
    assert isinstance(seen, Picture)
    increment.check(adds_one)._ipython_display_()
    assert shown[2][MIME]["state"] == "right"
    assert len(shown) == 3


def test_pictures_of_equal_figures_have_equal_bytes_and_all_are_on_white() -> None:
    one, other = (picture(figure_of(1), "a line") for _ in range(2))
    assert one.png == other.png
    image = Image.open(BytesIO(one.png))
    assert image.mode == "P"
    assert image.width == pytest.approx(1.5 * one.width, abs=2)
    assert image.convert("RGB").getpixel((0, 0)) == (255, 255, 255)
    assert one.png != picture(figure_of(2), "a line").png
    figure, (ax,) = subplots(width=3.0, height=2.0)
    ax.imshow(np.random.default_rng(0).random((40, 40, 3)))
    noise = Image.open(BytesIO(picture(figure, "noise").png)).convert("RGB")
    assert noise.getpixel((0, 0)) == (255, 255, 255)


def test_a_film_has_every_frame() -> None:
    made: Any = Image.open(BytesIO(film(map(figure_of, (1, 2, 3)), "lines", 0.5).png))
    assert made.n_frames == 3
    frames = {np.asarray(each.convert("RGB")).tobytes() for each in ImageSequence.Iterator(made)}
    assert len(frames) == 3
    with pytest.raises(ValueError, match="at least one"):
        film([], "nothing")


def test_frames_are_a_slider_and_keep_the_film_or_some_frames_of_it() -> None:
    frames = Frames(3, lambda at: figure_of(at + 1), "lines")
    data, metadata = frames._repr_mimebundle_()
    assert data["image/png"] == frames.film().png
    assert "application/vnd.jupyter.widget-view+json" in data
    assert metadata["image/png"]["alt"] == "lines"
    player = frames.player()
    shown, (_, slider) = player.children[0], player.children[1].children
    before = shown.value
    slider.value = 2
    assert shown.value == picture(figure_of(3), "lines").png != before
    frames = Frames(9, figure_of, "lines", kept=(0, 1, 8))
    assert frames.film().png == film(map(figure_of, (0, 1, 8)), "lines").png
    assert frames.player().children[1].children[1].max == 8


def test_a_record_says_where_and_when() -> None:
    ladder = record("ladder-nvidia-h200")
    assert ladder.label == f"NVIDIA H200, recorded {ladder.date}"
    assert ladder.where(network="pbsn", method="blend")[0]["program_ms"] > 0
    assert ladder.where(network="nowhere") == []
    assert record("claims-numpy").device
    with pytest.raises(UnknownName, match="'ladder-nvidia-h200'"):
        record("ladder")
