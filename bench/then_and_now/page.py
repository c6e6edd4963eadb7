"""The text of the page; every figure in it is computed."""

from collections.abc import Iterator, Sequence
from textwrap import fill

from bench.shared.words import about, span, three
from bench.then_and_now.comparisons import EPSILON, SORT, SORTED, Comparison, Group
from shadersort.drawing.memory_bandwidths import memory_bandwidth
from shadersort.lessons.shared.records import record
from shadersort.lessons.shared.streams import CUDA, one, seconds, series

PICTURE = "then-and-now.svg"

OPENING = """\
# Then and now

How much faster are a sort, a selection and a summary of a stream today than in the papers, and
why? Here each speed-up is a product of three factors:

**times as fast = bandwidth × algorithm × overhead**

- **Bandwidth** is how many times as many bytes the newer card's memory moves in a second, by the
  two cards' data sheets.
- **Algorithm** is how many times less the newer program moves for each key.
- **Overhead** is what remains: it is below 1 if the newer program reaches a smaller part of its
  card's bandwidth than the older one did, and above 1 if it reaches a larger part.

What a program moves is counted where it draws: the bytes that its passes read and write, as if
there were no cache. For a method of selection no record has the bytes. There we take its time on
the newer card in *reads*: how often the card could have read all keys meanwhile. The older
program is then the method as its paper prints it, run on the newer card. So the algorithm's
factor of a selection is measured, and has all that differs between the two versions.

Overhead has launches and waits, transfers, caches, additions that many threads make at one place,
arithmetic, and how well each program was written. These cannot be told apart without the older
card, or a program that runs on both. A data sheet says the most that a card can do. And our
changes might have gained more, or less, on the older card.

## In one picture

Black is what was measured. Light grey is the time that the older program would take if nothing
but the bandwidth had changed; dark grey, if the algorithm had changed, too. So the step from
light to dark grey is the algorithm, and the step from dark grey to black is the overhead. The
bars of a panel share a problem, its size and one linear axis. The times of the papers are so long
that they are only written at the left.
"""

CLOSING = """\
## Where it comes from

The times of today are those of [the report](reproduced.md), which has every table and figure of
the papers. Lesson 5 explains [the cost model](../notebooks/05-cost.ipynb) of the card of 2005,
and lesson 6 why [a card of today draws slowly](../notebooks/06-ladder.ipynb). This page is
written by `python -m bench.then_and_now` from `bench/papers/` and `bench/records/`; not edited by
hand.
"""


def page(groups: Sequence[Group]) -> str:
    """Return the page as Markdown."""
    sorting, *selecting, streaming = groups
    lines = [OPENING, f"![{_words(groups)}]({PICTURE})", ""]
    lines += [*_section(sorting), _about_sorting(sorting), ""]
    for group in selecting:
        lines += _section(group)
    lines += [_about_selecting(selecting), ""]
    lines += [*_section(streaming), _about_streams(streaming), "", CLOSING]
    return "\n".join(lines).rstrip() + "\n"


def _words(groups: Sequence[Group]) -> str:
    """Return the words for those who do not see the picture."""
    return f"milliseconds measured today, and what the factors predict, in {len(groups)} panels"


def _section(group: Group) -> Iterator[str]:
    """Yield the heading of a group, its problem, and its table."""
    old, new = (memory_bandwidth(card).value / 1e9 for card in (group.then, group.now))
    yield from (f"## {group.title}", "")
    yield f"- Problem: {group.problem}."
    yield f"- Then: {group.then}. Its memory moves {old:,g} · 10⁹ bytes a second."
    yield from (f"- Now: {group.now}. Its memory moves {new:,g} · 10⁹ bytes a second.", "")
    yield (
        f"| now | ms then → now | {group.unit} | times as fast | = bandwidth "
        "| × algorithm | × overhead |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|"
    yield from map(_row, group.comparisons)
    yield ""


def _row(each: Comparison) -> str:
    """Return the line of a comparison; its factors have three digits."""
    factors = each.factors
    assert factors.algorithm is not None
    then_and_now = (
        f"{three(old)} → {three(new)}" for old, new in ((each.then, each.now), each.moved)
    )
    parts = (factors.total, factors.bandwidth, factors.algorithm, factors.rest)
    return f"| {' | '.join([each.name, *then_and_now, *map(three, parts)])} |"


def _about_sorting(group: Group) -> str:
    same, *others = group.comparisons
    (radix,) = record("ladder-nvidia-h200").where(method="cupy.sort", keys=SORTED)
    return _wrapped(
        f"The paper's own program, PBSN by blending, is {about(same.factors.total)} times as fast. "
        f"The memory alone would make it {about(same.factors.bandwidth)} times as fast; but only a "
        f"small part of this chip draws, so the overhead's factor is {about(same.factors.rest)}. "
        f"Other ways to run a network move {span(map(_algorithm, others))} times fewer bytes. A "
        "compute shader draws nothing, so it escapes most of the overhead. (`cupy.sort` runs no "
        f"network, and sorts as many keys of 32 bits in {three(radix['program_ms'])} ms. What it "
        "moves was not counted, so it has no line here.)"
    )


def _about_selecting(groups: Sequence[Group]) -> str:
    every = [each for group in groups for each in group.comparisons]
    sorts = [each for each in every if each.name == SORT]
    others = [each for each in every if each.name != SORT]
    return _wrapped(
        f"`{SORT}` sorts all keys, by the library, then and now. Its speed-up is bandwidth, and an "
        f"overhead's factor of {span(each.factors.rest for each in sorts)}: the sort of today "
        "reaches a larger part of its card's bandwidth. For the papers' own methods, our versions "
        f"gain a factor of {span(map(_algorithm, others))} by the algorithm, and the overhead's "
        f"factor is {span(each.factors.rest for each in others)}. So bandwidth explains most."
    )


def _about_streams(group: Group) -> str:
    found = series(record("streams-figures-nvidia-h200"), method="QuantileSummary")
    (whole,) = (row for row in one(found, CUDA) if row["epsilon"] == EPSILON)
    factors = [each.factors.rest for each in group.comparisons]
    return _wrapped(
        "The paper sorts the windows of a stream by drawing, four at a time. It shows its times "
        "only in drawings, so the times then are those of the cost model. The stream comes from "
        "the host, and the time includes the way to the card and back. Transfers are part of the "
        f"overhead, and with the part of the chip that draws they make its factor {span(factors)}. "
        "(With CUDA the stream is in the card's memory from the start, and the *whole* summary "
        f"takes {about(1e3 * seconds(whole))} ms. That is another problem, so it has no line here.)"
    )


def _wrapped(text: str) -> str:
    """Return a paragraph in lines of at most 100 letters."""
    return fill(text, 100, break_long_words=False, break_on_hyphens=False)


def _algorithm(each: Comparison) -> float:
    return each.moved[0] / each.moved[1]
