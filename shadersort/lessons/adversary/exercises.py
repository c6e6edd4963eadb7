"""Lesson 12, the adversary: the exercises."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from shadersort.keys.types import Keys
from shadersort.lessons.adversary.rounds import BITS, digit_rounds, pivot_rounds
from shadersort.lessons.buckets.bins import bucket_rounds
from shadersort.lessons.exercises import (
    Answer,
    Case,
    Exercise,
    Mistake,
    PythonRunner,
    WrongKind,
    parts_of,
)
from shadersort.lessons.shared.style import show_beside
from shadersort.pictures.matplotlib_types import Figure


def _keys_of(yours: Any) -> Keys:
    """Return an answer as a row of finite numbers."""
    keys = np.asarray(parts_of(yours, "one array of keys"))
    if keys.dtype.kind == "O" and all(isinstance(each, int) for each in keys.flat):
        raise WrongKind("whole numbers in an array end at 2⁶³, and yours go on: return floats")
    if keys.ndim != 1 or not keys.size or keys.dtype.kind not in "iuf":
        raise WrongKind("return one row of numbers")
    with np.errstate(over="ignore"):
        if not np.isfinite(keys).all() or not np.isfinite(float(keys.max()) - float(keys.min())):
            raise WrongKind("keys, and the range from the smallest to the largest, must be finite")
    return keys


LEFT = "keys left at first and after each round"

Left = dict[str, list[int]]


def _first(left: list[int], rounds: int) -> Left:
    """Return the keys left after each of the first rounds; 0 after the search has ended."""
    return {LEFT: [*left, *[0] * rounds][: rounds + 1]}


def _drawn(case: Case, yours: Left, expected: Left) -> Figure:
    labels = {"xlabel": "rounds; 0 keys: the search has ended", "ylabel": "keys that are left"}
    return show_beside(case, yours[LEFT], expected[LEFT], **labels)


Measure = Callable[..., Any]
"""Called with the keys that an answer returned, and the case; returns what these keys do."""


def _runner(measure: Measure, forbidden: tuple[str, ...] = ()) -> PythonRunner:
    """Return a runner of answers that make keys."""
    return PythonRunner(
        outcome=lambda answer, *case: measure(_keys_of(answer(*case)), *case), forbidden=forbidden
    )


def _measured(measure: Measure, *mistakes: Mistake) -> tuple[Mistake, ...]:
    """Return mistakes by what their keys do."""

    def measured(keys: Answer) -> Answer:
        return lambda *case: measure(keys(*case), *case)

    return tuple(Mistake(each.said, measured(each.does), each.hint) for each in mistakes)


def _left_by_buckets(keys: Keys, n: int, count: int, rounds: int) -> Left:
    return _first(bucket_rounds(keys, n // 2 if n // 2 < len(keys) else 0, count)[1], rounds)


def _add_far(n: int, far: Any) -> Any:
    return np.append(np.zeros(n - len(far)), far)


killer = Exercise(
    name="killer",
    specification=lambda n, count, rounds: {LEFT: list(range(n, n - rounds - 1, -1))},
    cases=lambda rng: [
        (8, 4, 2),
        (9, 16, 1),
        (12, 10, 4),
        (40, 100, 9),
        (60, 2, 25),
        (1000, 1024, 40),
    ],
    hints=(
        "One key that is far away leaves all others in the first bucket. After this round it is "
        "gone. What must the next key do?",
        "A bucket has the width of the range divided by `count`. So the second farthest key must "
        "lie within that width, and so on: each far key is more than `count` times as far as the "
        "next one.",
        "Far keys are powers of one number, such as 2 · count: "
        "(2.0 * count) ** np.arange(1, rounds + 1). Floats, since whole numbers end at 2⁶³.",
        "All other keys are 0, or close to 0: np.zeros(n - rounds). np.append joins both.",
    ),
    runner=_runner(_left_by_buckets),
    draw=_drawn,
    mistakes=_measured(
        _left_by_buckets,
        Mistake(
            "you made each far key `count` times as far as the one before, which is the width of "
            "a bucket: so this one is in the second bucket, and is dropped, too",
            lambda n, count, rounds: _add_far(n, float(count) ** np.arange(1, rounds + 1)),
            "It must be more than `count` times as far: 2 * count, for example.",
        ),
        Mistake(
            "you made each far key twice as far as the one before, so a round drops several",
            lambda n, count, rounds: _add_far(n, 2.0 ** np.arange(1, rounds + 1)),
            "All far keys but one must be in the first of `count` buckets.",
        ),
    ),
)


def _codes_of(keys: Keys) -> Keys:
    """Return an answer as codes: whole numbers of 32 bits."""
    if keys.dtype.kind == "f" or int(keys.min()) < 0 or int(keys.max()) >= 2**BITS:
        raise WrongKind(f"codes are whole numbers from 0 to 2**{BITS} - 1")
    return keys.astype(np.uint32)


def _left_by_digits(keys: Keys, n: int, bits: int) -> dict[str, Any]:
    codes = _codes_of(keys)
    left = digit_rounds(codes, len(codes) // 2, bits)[1]
    found = {"left before the last digit": left[:-1], "different codes": len(np.unique(codes))}
    if keys.dtype != np.uint32 and found == _all_left(n, bits):
        raise WrongKind(f"the codes are right, but have the type {keys.dtype}, and not uint32")
    return found


def _all_left(n: int, bits: int) -> dict[str, Any]:
    return {"left before the last digit": [n] * (BITS // bits), "different codes": 2**bits}


alike = Exercise(
    name="alike",
    specification=_all_left,
    cases=lambda rng: [(16, 4), (33, 4), (100, 4), (256, 8), (1000, 8), (70_000, 16)],
    hints=(
        "A round leaves all codes if all of them have the same digit there. Which digits may "
        "differ?",
        "Only the last one. It has `bits` bits, so it is a number from 0 to 2**bits - 1, and the "
        "code is this number if all digits before are 0.",
        "np.arange(n) counts up; the remainder of a division by 2**bits stays in the last digit. "
        "Its type is not that of codes: .astype(np.uint32).",
    ),
    runner=_runner(_left_by_digits),
    mistakes=_measured(
        _left_by_digits,
        Mistake(
            "all codes are equal: the smallest and the largest tell the answer, and no digit is "
            "counted",
            lambda n, bits: np.zeros(n, np.uint32),
            "The last digit should take all of its 2**bits values.",
        ),
        Mistake(
            "you counted up to n, so codes differ in more digits than the last",
            lambda n, bits: np.arange(n, dtype=np.uint32),
            "The remainder % 2**bits stays in the last digit.",
        ),
    ),
)


def _left_by_pivots(keys: Keys, n: int) -> Left:
    return _first(pivot_rounds(keys, len(keys) // 2)[1], n // 4)


slow_pivots = Exercise(
    name="slow_pivots",
    specification=lambda n: {LEFT: [n - 2 * number for number in range(n // 4 + 1)]},
    cases=lambda rng: [(8,), (9,), (20,), (101,), (400,)],
    hints=(
        "If two of the three keys are the smallest of all that are left, the pivot is the second "
        "smallest. Then only these two are dropped.",
        "You decide the keys round by round. Keep an array `left` of the places that have no key "
        "yet: at first np.arange(n). In a round, the three places are left[0], left[len(left) // "
        "2] and left[-1].",
        "Give two of them the smallest numbers that you have not used. Then take them out: "
        "left = np.delete(left, [0, len(left) // 2]).",
        "Repeat while there are more than 2 places left, and give the last ones the largest "
        "numbers.",
    ),
    runner=_runner(_left_by_pivots, forbidden=("hostile",)),
    draw=_drawn,
    mistakes=_measured(
        _left_by_pivots,
        Mistake(
            "you sorted the keys: then the middle one is the median, and found at once",
            np.arange,
            "The key in the middle must be one of the smallest that are left, in each round.",
        ),
        Mistake(
            "you put the smallest keys first and last, and the order in between is ascending",
            lambda n: np.append(np.arange(n - 1) + 1, 0),
            "In the next round other places are looked at.",
        ),
    ),
)


def _beyond(keys: Keys, n: int, every: int) -> dict[str, Any]:
    """Return how many keys lie on one side of a sample; if not all, also where the sample lies."""
    sample, others = keys[::every], np.delete(keys, np.s_[::every])
    beyond = max(int(np.sum(others > sample.max())), int(np.sum(others < sample.min())))
    found = {"keys": len(keys), "on one side of the sample": f"{beyond} of {len(others)} others"}
    if beyond < len(others):
        found["below the sample's median"] = int(np.sum(keys < np.median(sample)))
    return found


def _lengths(rng: np.random.Generator) -> Iterator[Case]:
    """Yield lengths with the distance of sampled keys, some of which do not divide them."""
    yield from ((8, 4), (10, 3), (24, 12), (100, 7), (1000, 24))


unfair = Exercise(
    name="unfair",
    specification=lambda n, every: _beyond(np.sign(np.arange(n) % every), n, every),
    cases=_lengths,
    hints=(
        "Which places does the sample have? 0, every, 2 · every, and so on. All keys there are "
        "small, and all others are large.",
        "np.arange(n) % every is 0 at the sampled places, and more than 0 at all others.",
        "So np.arange(n) % every is an answer already; so is np.where(np.arange(n) % every == 0, "
        "0, 1).",
    ),
    runner=_runner(_beyond),
    mistakes=_measured(
        _beyond,
        Mistake(
            "you sorted the keys: then every m-th one is a very good sample",
            lambda n, every: np.arange(n),
            "The sampled places must all have small keys, and no other place may.",
        ),
        Mistake(
            "you put the small keys first, and the sample has places everywhere",
            lambda n, every: np.where(np.arange(n) < n // every, 0, 1),
            "The small keys belong at 0, every, 2 · every, and so on.",
        ),
    ),
)

EXERCISES = (killer, alike, slow_pivots, unfair)
