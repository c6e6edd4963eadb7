"""Exercises whose answer is a kernel: a text, which runs as a compute shader in a child process."""

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.child import Child
from shadersort.lessons.shared.asked import WrongKind, missing
from shadersort.lessons.shared.calling import Call, TookTooLong, call
from shadersort.lessons.shared.comparing import same
from shadersort.lessons.shared.exercise import Answer, Exercise
from shadersort.lessons.exercises.kernels.dialect import Setting, code_of, cuda, is_blank
from shadersort.lessons.shared.kernels.faults import Ran
from shadersort.lessons.shared.kernels.rules import Rule, in_text
from shadersort.lessons.shared.kernels.running import Launch, open_context, ran
from shadersort.lessons.shared.mistakes import Case
from shadersort.lessons.shared.verdict import Verdict


class Refused(WrongKind):
    """The compiler refused a kernel."""


CudaLaunch = Callable[..., Integers]
"""Launches a text of CUDA C, with its arguments, and returns the result."""

TURNS, TURNS_A_KEY = 400, 8
"""Turns of loops that are plenty for a thread: in all, and more for each of its keys."""

USUAL = Setting()
"""Blocks of 64 threads, and nothing given but keys."""


@dataclass(frozen=True, eq=False, slots=True)
class KernelExercise(Exercise):
    r"""A kernel to write. The answer is its text, in the words of `dialect`.

    Attributes
    ----------
    setting
        What the kernel is written for.
    launch
        Called with a case; returns what the kernel is given.
    ordered
        Called with `result` after a run, and the case; returns what is compared with the
        specification. If a kernel may write in any order, it sorts.
    rules
        The rules of the lesson.
    barriers
        How many barriers a thread comes to at least, if the work is shared as the lesson says.
    most_barriers
        How many it comes to at most, if its loop ends in time.

    Examples
    --------
    >>> import numpy as np
    >>> doubled = KernelExercise(
    ...     name="doubled",
    ...     specification=lambda keys: 2 * keys,
    ...     cases=lambda rng: [(np.array([1, 2, 3]),)],
    ...     hints=("2 * keys[thread]",),
    ...     launch=lambda keys: Launch(keys, np.full(len(keys), -1)),
    ... )
    >>> doubled.check("void kernel() { if (thread < n) result[thread] = 2 * keys[thread]; }")
    doubled: right, in all 1 cases
    >>> print(doubled.check("void kernel() {\n    result[thread] = key;\n}").about[:59])
    it does not compile: line 2, `result[thread] = key;`: “key”
    """

    setting: Setting = USUAL
    launch: Callable[..., Launch] = Launch
    ordered: Callable[..., Integers] = lambda result, *case: result
    rules: tuple[Rule, ...] = ()
    barriers: int = 0
    most_barriers: int = 1_000_000

    def check(self, answer: Answer | str) -> Verdict:
        """Try a kernel on every case; return the verdict, which names a race between threads."""
        if missing(answer) or (isinstance(answer, str) and is_blank(answer)):
            return Verdict(self.name, "not yet", "", self.hints)
        verdict = Exercise.check(self, cast(Answer, answer))
        verdict = replace(verdict, names=(*self.setting.numbers, "blocks"))
        if verdict.state == "wrong" and verdict.mistake is None and (read := in_text(str(answer))):
            verdict = replace(verdict, about=f"{verdict.about} ({read})")
        if verdict.yours is None or verdict.case is None:
            return verdict
        seen = self._ran(answer, verdict.case).causes(
            verdict.yours, verdict.expected, races=self.races(answer, verdict.case)
        )
        return replace(verdict, about=f"{verdict.about}: {seen}") if seen else verdict

    def check_on(self, launch: CudaLaunch, answer: str) -> str:
        """Launch a right kernel as CUDA C in every case; return what came of it, in one line.

        `launch` compiles and launches a text, as `launch_text` of `modern/launching/compiling.py`
        does. A kernel that is not right here could do harm there.
        """
        if not self.check(answer).passed:
            return f"{self.name}: first it must be right without a GPU"
        cases = list(self.cases(np.random.default_rng(0)))
        text = cuda(answer, self.setting)
        for number, case in enumerate(cases, start=1):
            given = self.launch(*case)
            found = launch(
                *(text, given.keys, given.result, given.numbers),
                **{"blocks": given.blocks, "threads": self.setting.threads},
            )
            if not same(self.ordered(found, *case), self.specification(*case)):
                return f"{self.name}, as CUDA C: wrong in case {number} of {len(cases)}"
        return f"{self.name}, as CUDA C: right in all {len(cases)} cases"

    def races(self, answer: Answer | str, case: Case) -> bool:
        """Return whether the result of a case depends on the order of the threads."""
        first, *others = self.results(answer, case)
        return not all(same(each, first) for each in others)

    def results(self, answer: Answer | str, case: Case) -> list[Integers]:
        """Return the result for each order of the threads.

        Raises
        ------
        WrongKind
            The kernel cannot be compiled, or does what no kernel may do.
        """
        return [self.ordered(each, *case) for each in self._ran(answer, case).results]

    def _ran(self, answer: Answer | str, case: Case) -> Ran:
        """Run a kernel; return what it did, if no kernel is forbidden to do it."""
        if not isinstance(answer, str):
            raise WrongKind("a kernel is a text, between two times three quotes")
        done = run_in_child(answer, self.setting, self.launch(*case), self.seconds)
        if forbidden := done.forbidden():
            raise WrongKind(forbidden)
        return done

    def _lucky(self, done: Ran, case: Case) -> str:
        """Return what is wrong with a kernel whose result is right; "" if nothing is."""
        launch = self.launch(*copy.deepcopy(case))
        keys_each = -(-len(launch.keys) // (launch.blocks * self.setting.threads))
        return done.lucky(self.barriers, self.most_barriers, TURNS + TURNS_A_KEY * keys_each)

    def _broken_rule(self, answer: Answer) -> str:
        if not isinstance(answer, str) or is_blank(answer):
            return ""
        code = code_of(answer)
        try:
            first = next(iter(self.cases(np.random.default_rng(0))))
            run_in_child(answer, self.setting, self.launch(*first), self.seconds)
        except Refused as error:
            return str(error)
        except (WrongKind, TookTooLong):  # the verdict tells this of the case in which it happens
            pass
        return next((rule.said for rule in self.rules if rule.broken(code)), "")

    def _did(self, answer: Answer, case: Case) -> Call:
        """Run a kernel; the result has two numbers more: whether threads race, or blocks clash."""
        return self._called(answer, case, more=True)

    def _called(
        self, answer: Answer, case: Case, *, quiet: bool = True, more: bool = False
    ) -> Call:
        """Run a kernel; the result is the first wrong one, if any order gives one."""
        given = copy.deepcopy(case)

        def shown() -> Integers:
            expected = self.specification(*copy.deepcopy(case))
            done = self._ran(answer, given)
            found = [self.ordered(each, *given) for each in done.results]
            wrong = [each for each in found if not same(each, expected)]
            if not wrong and (lucky := self._lucky(done, case)):
                raise WrongKind(lucky)
            first = [*wrong, *found][0]
            races = not all(same(each, first) for each in found)
            return np.append(first, [races, done.blocks_clash]) if more else first

        return call(shown, given, 60.0, quiet=quiet)  # the child has a limit of its own


def run_in_child(text: str, setting: Setting, launch: Launch, seconds: float) -> Ran:
    """Run a kernel in a child process.

    A kernel that writes where it may not can end the process later, while it runs another kernel.
    So a kernel has ended its process only if it does this in a new one, too.

    Raises
    ------
    WrongKind
        The compiler refused it (`Refused`), or it ended the process.
    TookTooLong
        It did not end.
    """
    ended = _child().call(ran, text, setting, launch, seconds=seconds)
    if ended.state == "ended":
        ended = _child().call(ran, text, setting, launch, seconds=seconds)
    if ended.state == "returned":
        found: Ran = ended.result
        return found
    if ended.state == "took too long":
        raise TookTooLong
    if ended.error == "NotCompiled":
        raise Refused(ended.message)
    raise WrongKind(ended.told)


def in_child(function: Callable[..., Any], *arguments: Any, seconds: float = 30.0) -> Any:
    """Call a function of a module in the process that runs kernels; return its result.

    Raises
    ------
    RuntimeError
        The call raised an error, did not end, or ended the process.
    """
    ended = _child().call(function, *arguments, seconds=seconds)
    if ended.state != "returned":
        raise RuntimeError(ended.told)
    return ended.result


@cache
def _child() -> Child:
    """Return the process that runs kernels; it takes blocks one after the other."""
    return Child(open_context)
