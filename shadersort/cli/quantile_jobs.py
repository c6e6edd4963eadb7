"""How `shadersort quantiles` reads: once, and again where answers should be exact."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadersort.cli.bars import Bars, edges_of
from shadersort.cli.exact_reads import TOGETHER, find_exactly
from shadersort.cli.exact_rounds import in_rounds, report_in_rounds
from shadersort.cli.groups import Groups
from shadersort.cli.inputs import Inputs
from shadersort.cli.number_streams import summarised
from shadersort.cli.quantile_report import Answering, Stream, Wanted, answers_of, group_order
from shadersort.errors import EmptySummary
from shadersort.keys.reading.reader import Reader
from shadersort.keys.types import Keys
from shadersort.selection.files.file_keys import MEMORY
from shadersort.streams.exact_ranks import MOST, ExactRanks
from shadersort.streams.read_ahead import joined

FEWEST = 1 << 12
"""Values that are kept of each group at least, if answers should be exact."""
NOTHING = "the input has no number in it, so it has no quantiles"

Report = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Job:
    """Inputs, and what is asked about them."""

    inputs: Inputs
    epsilon: float
    wanted: Wanted
    make: Callable[[], Stream]
    exact: bool
    memory: str = MEMORY

    def of_stream(self, bins: int) -> tuple[Report, Bars | None]:
        """Return the report of the whole stream, and its histogram if it should have bins."""
        if in_few_reads := self._in_rounds(bins):
            return in_few_reads | {"epsilon": self.epsilon, "exact": True}, None
        stream, reader = summarised(self.inputs, "summarising", self.make)
        answers = answers_of(stream)
        if not answers.n:
            raise EmptySummary(NOTHING)
        edges = edges_of(answers, bins) if bins else np.empty(0)
        found = self._found_exactly(answers, edges[1:-1]) if self.exact else None
        report = self._told(self.wanted.found(answers, found), answers, reader)
        if not bins:
            return report, None
        bars = self._bars(answers, edges, found)
        return report | {"histogram": bars.rows()}, bars

    def _in_rounds(self, bins: int) -> Report | None:
        """Return a report without a summary, where only exact quantiles of one file are asked."""
        if not self.exact or bins or self.wanted.points or self.wanted.last is not None:
            return None
        keys = in_rounds(self.inputs, self.memory)
        return None if keys is None else report_in_rounds(keys, self.wanted.quantiles)

    def _found_exactly(self, answers: Answering, more: Keys) -> ExactRanks:
        """Read the inputs again, and find everything exactly."""
        found = self.wanted.looked_for(answers, MOST, more)

        def take(reader: Reader) -> None:
            for keys in joined(reader.numbers(), TOGETHER):
                found.update(keys)

        find_exactly(self.inputs, answers.dtype, [found], take)
        return found

    def _bars(self, answers: Answering, edges: Keys, found: ExactRanks | None) -> Bars:
        low, high = answers.rank_bounds(edges[1:-1])
        if found is not None:
            low = high = found.at_most[len(self.wanted.points) :]
        n = self.wanted.of_last(answers) or answers.n
        return Bars.of(edges, low, high, n, np.dtype(answers.dtype))

    def of_groups(self, most: int) -> Report:
        """Return the report of all groups."""
        groups, reader = summarised(
            self.inputs, "summarising", lambda: Groups(self.make, most), read=Reader.grouped
        )
        known = {word: answers_of(stream) for word, stream in groups.items()}
        filled = {word: answers for word, answers in known.items() if answers.n}
        if not filled:
            raise EmptySummary(NOTHING)
        found = self._found_in_groups(groups, filled) if self.exact else {}
        rows = [
            {"group": word.decode("utf-8", "backslashreplace")}
            | self.wanted.found(known[word], found.get(word))
            for word in sorted(known, key=group_order)
        ]
        total: Report = {name: sum(row[name] for row in rows) for name in ("n", "nans", "entries")}
        total |= {"of_last": None, "rank_error": max(row["rank_error"] for row in rows)}
        report = self._told(total, next(iter(filled.values())), reader)
        return report | {"by": self.inputs.request.by, "groups": rows}

    def _found_in_groups(
        self, groups: Groups[Stream], filled: dict[bytes, Answering]
    ) -> dict[bytes, ExactRanks]:
        """Read the inputs again, and find everything in each group exactly."""
        room = max(FEWEST, MOST // len(filled))
        found = {word: self.wanted.looked_for(each, room) for word, each in filled.items()}
        again = groups.giving_to([found.get(word, _Nothing()) for word, _ in groups.items()])
        dtype = next(iter(filled.values())).dtype
        find_exactly(
            self.inputs,
            dtype,
            list(found.values()),
            lambda reader: again.update(reader.grouped()),
        )
        return found

    def _told(self, found: Report, answers: Answering, reader: Reader) -> Report:
        """Return a report with what is said of the whole input."""
        return found | {
            "epsilon": self.epsilon,
            "dtype": str(answers.dtype),
            "exact": self.exact,
            "left_out": reader.left_out,
        }


class _Nothing:
    """Takes the numbers of a group that has only NaNs."""

    def update(self, keys: Keys) -> None:
        """Ignore numbers."""
