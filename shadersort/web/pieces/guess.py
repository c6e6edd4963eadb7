"""A question before a measurement: the reader commits to a guess, and then the bars appear."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from math import log

from shadersort.errors import BadOption
from shadersort.errors import choices as listed
from shadersort.palette import GREEN, GREY
from shadersort.web.page import page
from shadersort.web.piece import Piece

COLOURS = {"answer": GREEN, "other": GREY}  # of the bar that answers the question, and of others

LONGEST = 20  # the longest bar of the answer without scripts, in letters


@dataclass(frozen=True, eq=False, slots=True)
class Guess:
    """A question, answers to choose from, and the bars that are measured.

    A choice with the name of a bar stands for this bar.
    """

    question: str  # what is asked, in one sentence
    choices: Mapping[str, float]  # what can be chosen, and how long a bar would be if it were right
    right: str  # the choice that is right
    bars: Mapping[str, float]  # what was measured, or computed
    unit: str  # of all bars
    why: str  # what to say when the answer is seen
    source: str = ""  # where the bars come from: a device and a date
    asked: str = ""  # the bar that the question is about, if the right choice is no bar's name

    def __post_init__(self) -> None:
        if self.right not in self.choices:
            raise BadOption(f"{self.right!r} is no choice: {listed(list(self.choices))}")
        if self.answer not in self.bars:
            raise BadOption(f"{self.answer!r} is no bar: {listed(list(self.bars))}")

    @property
    def answer(self) -> str:
        """The name of the bar that answers the question."""
        return self.asked or self.right

    def length_text(self, bar: str) -> str:
        """Return a bar's length in words: three digits, or a whole number of up to six."""
        length = float(self.bars[bar])
        if length.is_integer() and abs(length) < 1e6:
            return f"{length:,.0f} {self.unit}"
        return f"{float(f'{length:.3g}'):,g} {self.unit}"

    def _repr_html_(self) -> str:
        """Return the answer without scripts, closed at first: a table with bars of letters."""
        most = max(self.bars.values())
        rows = "".join(
            f"<tr><th>{escape(bar)}</th><td>{escape(self.length_text(bar))}</td>"
            f'<td style="text-align: left">{"█" * max(1, round(LONGEST * value / most))}</td></tr>'
            for bar, value in self.bars.items()
        )
        texts = (f"<p>{escape(text)}</p>" for text in (self._answer, self.source) if text)
        return (
            "<details><summary>The answer, without a guess</summary>"
            f"<p><b>{escape(self.question)}</b></p><table>{rows}</table>{''.join(texts)}</details>"
        )

    @property
    def _answer(self) -> str:
        return f"{self.right[0].upper()}{self.right[1:]}. {self.why}"

    def __repr__(self) -> str:
        bars = "; ".join(f"{bar}: {self.length_text(bar)}" for bar in self.bars)
        return f"{self.question} {self._answer} ({bars})"


def guess_piece(guess: Guess) -> Piece:
    """Return the page that asks for a guess, and then shows the bars.

    A notebook shows the answer below it, closed, for readers whose viewer removes scripts.
    """
    data = {
        "choices": [{"text": text, "value": value} for text, value in guess.choices.items()],
        "bars": [
            {"label": bar, "value": value, "text": guess.length_text(bar)}
            for bar, value in guess.bars.items()
        ],
        "right": list(guess.choices).index(guess.right),
        "colours": COLOURS,
        **{name: getattr(guess, name) for name in ("question", "answer", "why", "source")},
    }
    text = page(guess.question, ("page/chart.js", "charts/guess.js"), data, "Guess")
    return Piece(guess.question, text, 160, below=guess)


def nearest(choices: Mapping[str, float], value: float) -> str:
    """Return the choice that is nearest to a value, by their ratio."""
    return min(choices, key=lambda name: abs(log(choices[name] / value)))
