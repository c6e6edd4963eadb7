"""What a method of selection is: a function, and the calls of the primitives that it makes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

from shadersort.errors import BadOption, MethodUnavailable
from shadersort.keys.types import Key, Keys
from shadersort.names import SelectionMethod
from shadersort.selection.primitives import Primitives
from shadersort.selection.selection import Selection


@dataclass(frozen=True, slots=True)
class Method:
    """A method of selection: functions that take a `Selection`, and options by name."""

    name: SelectionMethod  # its public name
    one: Callable[..., Key] | None = None  # finds `selection.k`; None if `many` finds one rank, too
    many: Callable[..., Keys] | None = None  # finds `selection.ranks`; None: one after the other
    needs: tuple[str, ...] = ()  # the calls of the primitives that the method makes
    # whether `one` works on finite keys only: the extent answers ranks among infinities and NaNs
    finite: bool = False

    def find(self, selection: Selection, options: Mapping[str, Any]) -> Key:
        """Find the key of rank `selection.k`; it is not proved yet."""
        if self.one is None:
            return self.find_many(selection, options)[0]
        self._check(selection.keys, self.one, options)
        if self.finite and selection.extent.finite < selection.n:
            answers, finite = selection.specials()
            if finite.start == finite.stop:
                return answers[0]
        return self.one(selection, **options)

    def find_many(self, selection: Selection, options: Mapping[str, Any]) -> Keys:
        """Find the keys of the ranks `selection.ranks`; they are not proved yet."""
        if self.many is None:
            return selection.one_by_one(lambda single: self.find(single, options))
        self._check(selection.keys, self.many, options)
        return self.many(selection, **options)

    def missing_calls(self, keys: Primitives) -> list[str]:
        """Return the calls that the method makes and these keys do not have."""
        return [call for call in self.needs if not keys.supports(call)]

    def _check(
        self, keys: Primitives, find: Callable[..., Any], options: Mapping[str, Any]
    ) -> None:
        """Raise an error if the keys lack a call, or the function that finds lacks an option."""
        if missing := self.missing_calls(keys):
            raise MethodUnavailable(
                f"method {self.name!r} needs {', '.join(missing)}, which {keys.name} cannot do"
            )
        known = tuple(signature(find).parameters)[1:] if options else ()
        if unknown := [name for name in options if name not in known]:
            has = f"its options are {', '.join(known)}" if known else "it has none"
            raise BadOption(f"method {self.name!r} has no option {unknown[0]!r}: {has}")
