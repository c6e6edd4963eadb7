"""Exercises whose answer is a kernel: a text, which runs as a compute shader in a child process."""

import copy
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, cast

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.shared.asked import WrongKind, missing
from shadersort.lessons.shared.calling import Call, TookTooLong, call
from shadersort.lessons.shared.child import Child
from shadersort.lessons.shared.comparing import same
from shadersort.lessons.shared.exercise import Answer, Exercise
from shadersort.lessons.shared.kernels.dialect import (
    Setting,
    code_of,
    cuda,
    is_blank,
    one_statement,
    shared_of,
)
from shadersort.lessons.shared.kernels.running import Launch, Ran, open_context, ran
from shadersort.lessons.shared.mistakes import Case
from shadersort.lessons.shared.verdict import Verdict


class Refused(WrongKind):
    """The compiler refused a kernel."""


CudaLaunch = Callable[..., Integers]
"""Launches a text of CUDA C, with its arguments, and returns the result."""

APART = (
    "some threads came to more barriers than others. Every thread of a block must come to each "
    "`barrier()`, so none may stand in an `if` or a loop that only some threads enter"
)

ALONE = (
    "the result is right, but the barriers are too few: {} for each thread, and steps of all "
    "threads need at least {}. Does one thread do the work of many?"
)

ONE_STATEMENT = (
    "without braces, a loop or an `if` takes one statement, however the next lines are indented: "
    "write { … } around all that belongs to it"
)

TOO_MANY = (
    "the result is right, but each thread comes to {} barriers, and {} are plenty: the loop goes "
    "on when all is done"
)

RACE = (
    "The result depends on the order in which threads run, and no order is promised. Where one "
    "thread reads what another has written, or writes what another still has to read, there must "
    "be a `barrier()` between the two. Threads of different blocks never meet: where they add to "
    "one place, only an atomic helps"
)

ENDLESS = (
    "a loop does not end: its condition stays true. Does each turn change what the condition "
    "compares?"
)

OUTSIDE = "it used place {} of `{}`, where `{}` has no such place"

CLASH = (
    "the result is right here, but by luck: some threads change `{0}`, and others use the same "
    "place of `{0}` with no `barrier()` between. Should one thread alone do this?"
)

SEVERAL_WRITE = (
    "the result is right here, but several threads write to one place of `result`. One thread is "
    "enough"
)

BLOCKS_CLASH = (
    "the result is right here, but by luck: several blocks use one place of `result`, and not all "
    "by an atomic. Blocks may run at the same time, and numbers are lost then"
)


USUAL = Setting()
"""Blocks of 64 threads, and nothing given but keys."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a lesson: what is said of a kernel that breaks it, and how this is seen.

    `broken` is called with the text of the kernel, without its comments.
    """

    said: str
    broken: Callable[[str], bool]


IN_SHARED = Rule(
    "it has no `shared` variable; keeping the numbers in `result` instead is slow, and the "
    "exercise "
    "forbids it",
    lambda code: not shared_of(code),
)

NO_LOOP = Rule(
    "it has a loop, which this exercise forbids: each thread takes one key",
    lambda code: re.search(r"\b(for|while|do)\b", code) is not None,
)

NO_ATOMICS = Rule(
    "it uses an atomic, which this exercise forbids: the threads add in steps",
    lambda code: "atomic" in code,
)


def adds_ones_to_result(code: str) -> bool:
    """Return whether a kernel adds 1 to `result` by an atomic: once for each key, that is.

    Examples
    --------
    >>> adds_ones_to_result("atomicAdd(result[bucket], 1);")
    True
    >>> adds_ones_to_result("atomicAdd(counts[bucket], 1); atomicAdd(result[b], counts[b]);")
    False
    """
    return re.search(r"\batomicAdd\s*\(\s*result\b[^;]*,\s*1\s*\)", code) is not None


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
    seconds: float = 5.0

    def check(self, answer: Answer | str) -> Verdict:
        """Try a kernel on every case; return the verdict, which names a race between threads."""
        if missing(answer) or (isinstance(answer, str) and is_blank(answer)):
            return Verdict(self.name, "not yet", "", self.hints)
        verdict = Exercise.check(self, cast(Answer, answer))
        verdict = replace(verdict, names=(*self.setting.numbers, "blocks"))
        if verdict.state == "wrong" and verdict.mistake is None and one_statement(str(answer)):
            verdict = replace(verdict, about=f"{verdict.about} ({ONE_STATEMENT})")
        if verdict.yours is None:
            return verdict
        if outside := _outside(self._ran(answer, verdict.case or ())):
            verdict = replace(verdict, about=f"{verdict.about}: {outside}")
        if not self.races(answer, verdict.case or ()):
            return verdict
        return replace(verdict, about=f"{verdict.about}. {RACE}")

    def check_on(self, launch: CudaLaunch, answer: str) -> str:
        """Launch a right kernel as CUDA C in every case; return what came of it, in one line.

        `launch` compiles and launches a text, as `modern.launching.texts.launched` does. A kernel
        that is not right here could do harm there.
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
        if done.endless:
            raise WrongKind(ENDLESS)
        if done.barriers is None:
            raise WrongKind(_outside(done) or APART)
        if done.beyond:
            if any(name == "result" and place < 0 for name, place in done.outside):
                raise WrongKind(_outside(done))
            places = "a place" if done.beyond == 1 else f"{done.beyond} places"
            raise WrongKind(f"it wrote to {places} behind the end of `result`")
        return done

    def _lucky(self, done: Ran) -> str:
        """Return what is wrong with a kernel whose result is right; "" if nothing is."""
        if done.outside:
            return _outside(done)
        if (done.barriers or 0) < self.barriers:
            return ALONE.format(done.barriers, self.barriers)
        if (done.barriers or 0) > self.most_barriers:
            return TOO_MANY.format(done.barriers, self.most_barriers)
        if done.blocks_clash:
            return BLOCKS_CLASH
        if done.clash:
            return SEVERAL_WRITE if done.clash == "result" else CLASH.format(done.clash)
        return ""

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

    def _called(self, answer: Answer, case: Case, *, quiet: bool = True) -> Call:
        """Run a kernel; the result is the first wrong one, if any order gives one."""
        given = copy.deepcopy(case)

        def shown() -> Integers:
            expected = self.specification(*copy.deepcopy(case))
            done = self._ran(answer, given)
            found = [self.ordered(each, *given) for each in done.results]
            wrong = [each for each in found if not same(each, expected)]
            if not wrong and (lucky := self._lucky(done)):
                raise WrongKind(lucky)
            return [*wrong, *found][0]

        return call(shown, given, 60.0, quiet=quiet)  # the child has a limit of its own


def _outside(done: Ran) -> str:
    """Return what is said of a place that an array has not; "" if there is none."""
    return next((OUTSIDE.format(place, name, name) for name, place in done.outside), "")


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
    return Child(open_context, {"LP_NUM_THREADS": "1"})
