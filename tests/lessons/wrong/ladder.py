from collections.abc import Callable
from typing import Any

import numpy as np

Answers = dict[str, list[Callable[..., Any]]]


def smaller_everywhere(keys: Any, partner: Any) -> Any:
    return np.minimum(keys, keys[partner])


def descending(keys: Any, partner: Any) -> Any:
    wires, other = np.arange(len(keys)), keys[partner]
    return np.where(wires > partner, np.minimum(keys, other), np.maximum(keys, other))


def exchanged_always(keys: Any, partner: Any) -> Any:
    return keys[partner]


def keys_for_wires(keys: Any, partner: Any) -> Any:
    other = keys[partner]
    return np.where(keys < partner, np.minimum(keys, other), np.maximum(keys, other))


def one_after_the_other(keys: Any, partner: Any) -> Any:
    for wire in range(len(keys)):
        choose = min if wire < partner[wire] else max
        keys[wire] = choose(keys[wire], keys[partner[wire]])
    return keys


def all_sorted(keys: Any, partner: Any) -> Any:
    return np.sort(keys)


def unchanged(keys: Any, partner: Any) -> Any:
    return keys


def in_seconds(copied: int, blended: int, writing: float, blending: float) -> float:
    return copied / (writing * 1e9) + blended / (blending * 1e9)


def blended_forgotten(copied: int, blended: int, writing: float, blending: float) -> float:
    return copied / writing / 1e6


def one_rate_for_all(copied: int, blended: int, writing: float, blending: float) -> float:
    return (copied + blended) / writing / 1e6


def the_slower_only(copied: int, blended: int, writing: float, blending: float) -> float:
    return max(copied / writing, blended / blending) / 1e6


def rates_added(copied: int, blended: int, writing: float, blending: float) -> float:
    return (copied + blended) / (writing + blending) / 1e6


def multiplied(copied: int, blended: int, writing: float, blending: float) -> float:
    return (copied * writing + blended * blending) / 1e6


def in_place(keys: Any, partner: Any) -> Any:
    wires, other = np.arange(len(keys)), keys[partner]
    keys[:] = np.where(wires < partner, np.minimum(keys, other), np.maximum(keys, other))
    return keys


WRONG: Answers = {
    "after_one_step": [
        smaller_everywhere,
        descending,
        exchanged_always,
        keys_for_wires,
        one_after_the_other,
        all_sorted,
        unchanged,
        in_place,
    ],
    "predicted_ms": [
        in_seconds,
        blended_forgotten,
        one_rate_for_all,
        the_slower_only,
        rates_added,
        multiplied,
    ],
}
