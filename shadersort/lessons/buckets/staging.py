"""Lesson 11: samples that bracket a rank, what one read stages, and how rarely it misses."""

from dataclasses import dataclass

import numpy as np

from shadersort.keys.codes import encode, key
from shadersort.keys.types import Integers, Keys
from shadersort.selection.methods.randomized import bracket as ranks_around
from shadersort.selection.primitives.one_read import (
    LOAD,
    WIDE,
    OneRead,
    bracket,
    number_codes,
    one_read,
    sample_places,
)


@dataclass(frozen=True, slots=True)
class Staged:
    """A sample, its bracket of a rank, and the keys that one read stages."""

    sample: Keys
    low: float
    high: float
    staged: Keys
    answer: float  # the key of the rank

    @property
    def hit(self) -> bool:
        """Return whether the bracket holds the rank."""
        return self.low <= self.answer <= self.high


def throw(keys: Keys, samples: int, probability: float, seed: int) -> Staged:
    """Draw a sample, and bracket the median with a probability."""
    sample = np.sort(keys[np.random.default_rng(seed).integers(len(keys), size=samples)])
    first, last = ranks_around(samples, 0.5, probability)
    low, high = float(sample[first - 1]), float(sample[last])
    inside = keys[(low <= keys) & (keys <= high)]
    return Staged(sample, low, high, inside, float(np.median(keys)))


def stage(keys: Keys, k: int, samples: int, wide: float = WIDE) -> Staged:
    """Bracket rank k by a sample of about `samples` keys, and stage what is inside."""
    codes, places = encode(keys), places_of(keys, samples)
    ends = bracket(codes[places], k, keys.size, number_codes(keys.dtype), wide)
    staged = keys[(codes >= ends.first) & (codes <= ends.last)]
    low, high = float(key(ends.first, keys.dtype)), float(key(ends.last, keys.dtype))
    return Staged(keys[places], low, high, staged, float(np.partition(keys, k)[k]))


def places_of(keys: Keys, samples: int) -> Integers:
    """Return the places of a sample of about `samples` keys: hashed, a load of 16 bytes each."""
    return sample_places(keys.size, keys.itemsize, samples * keys.itemsize // LOAD)


def found_by(keys: Keys, k: int, samples: int) -> OneRead:
    """Return how one-read finds rank k, with a sample of about so many keys."""
    return one_read(encode(keys), k, number_codes(keys.dtype), places_of(keys, samples))


def unlucky(keys: Keys, samples: int) -> Keys:
    """Return the keys in an order in which the sample has the smallest ones alone."""
    places, found = places_of(keys, samples), np.empty_like(keys)
    others = np.ones(keys.size, bool)
    others[places] = False
    found[places], found[others] = np.split(np.sort(keys), [places.size])
    return found
