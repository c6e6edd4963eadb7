"""Items that are numbers of a hierarchy, for `HierarchicalHeavyHitters`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, SupportsIndex

import numpy as np

from shadersort.errors import BadOption, CorruptSummary, UnsupportedKeys
from shadersort.keys.types import Integers, Keys
from shadersort.streams.port_prefixes import Ports
from shadersort.streams.prefixes import Hierarchy
from shadersort.streams.values import as_values, is_text


@dataclass(frozen=True, slots=True)
class NumberItems:
    """The items of a hierarchy of numbers: a prefix is a number, too."""

    hierarchy: Hierarchy

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of items and prefixes."""
        return self.hierarchy.dtype

    @property
    def levels(self) -> int:
        """The number of levels."""
        return len(self.hierarchy.lengths)

    @property
    def sharing(self) -> int:
        """For how many summaries a window is long enough."""
        return self.levels

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments that make this hierarchy."""
        shape = self.hierarchy
        if isinstance(shape, Ports):
            return {"hierarchy": shape.name}
        return {"hierarchy": shape.name, "digits": shape.digits, "step": shape.step}

    def by_level(self, items: Keys, counts: Integers) -> Iterator[tuple[Keys, Integers]]:
        """Yield the prefixes on each level in order, and how often they come."""
        for level in range(self.levels):
            if level:
                items, counts = self.raised(level - 1, items, counts)
            yield items, counts

    def raised(self, level: int, items: Keys, *counts: Integers) -> tuple[Keys, ...]:
        """Return the prefixes one level up in order, and the sums of their counts."""
        return self.hierarchy.raised(level, items, *counts)

    def asked(self, prefixes: Any, length: SupportsIndex | None) -> tuple[Integers, Keys]:
        """Return the levels and the numbers of prefixes of a length."""
        lengths = self.hierarchy.lengths
        if length is None:
            raise BadOption(f"say how many digits the prefixes have, one of {lengths}: length=")
        if length not in lengths:
            raise BadOption(f"prefixes have {lengths} digits, not {length}")
        with self.told_of_items(prefixes):
            values = as_values(prefixes, self.dtype)
        return np.full(len(values), lengths.index(int(length))), values

    def reported(self, table: Any) -> tuple[Integers, Keys]:
        """Return the levels and the prefixes of the rows of a table."""
        lengths = self.hierarchy.lengths
        levels = [lengths.index(length) for length in table["length"].tolist()]
        return np.array(levels, np.int64), table["prefix"]

    def length(self, level: int) -> int:
        """Return how many digits the prefixes on a level have."""
        return self.hierarchy.lengths[level]

    def column(self, prefixes: Keys) -> Keys:
        """Return prefixes as they stand in a table."""
        return prefixes

    def spelt(self, row: Any) -> str:
        """Return the prefix of a reported row as text."""
        return self.hierarchy.spelt(row["prefix"], int(row["length"]))

    @contextmanager
    def told_of_items(self, values: Any) -> Iterator[None]:
        """Let an error of values that are no items say what items are."""
        try:
            yield
        except UnsupportedKeys as error:
            if is_text(values):
                raise UnsupportedKeys(f"these values are text: {self.hierarchy.of_text}") from error
            raise UnsupportedKeys(
                f"items are integers from 0 to {self.hierarchy.limit - 1}, and these values are "
                f"not: {error}"
            ) from error

    def check_given(self, keys: Any) -> None:
        """Raise UnsupportedKeys if some keys are no items."""
        if self.hierarchy.limit > np.iinfo(self.dtype).max:  # every number is an item
            return
        if len(keys) and int(keys.max()) >= self.hierarchy.limit:
            raise UnsupportedKeys(f"some of these values {self.hierarchy.too_large}")

    def restored(self, arrays: Any) -> "NumberItems":
        """Return the same."""
        return self

    def joined(self, other: "NumberItems") -> "NumberItems":
        """Return the same."""
        return self

    def check_items(self, items: Keys) -> None:
        """Raise CorruptSummary unless restored numbers are items."""
        if len(items) and int(items.max()) >= self.hierarchy.limit:
            raise CorruptSummary("other values wait than the stream and its hierarchy say")

    def check(self, level: int, prefixes: Keys) -> None:
        """Raise CorruptSummary unless restored numbers, in order, are prefixes on a level."""
        if len(prefixes) and int(prefixes[-1]) >= self.hierarchy.prefix_limit(level):
            raise CorruptSummary("a prefix has more digits than its level")
