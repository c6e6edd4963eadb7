"""Runs a student's kernel on the simulator, and says in plain words what it does wrong."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import indent
from typing import Any, NamedTuple

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.comparing import same
from shadersort.lessons.exercises.kernels.dialect import Setting, code_of, cuda, lines_of
from shadersort.lessons.exercises.kernels.parser import NotUnderstood
from shadersort.lessons.exercises.kernels.pictures import show_results
from shadersort.lessons.exercises.kernels.simulator import Fault, Launch, blocks_for, simulate
from shadersort.lessons.exercises.kernels.translate import translate
from shadersort.lessons.exercises.outcomes import Case, Outcome
from shadersort.lessons.exercises.shaders.compiler_words import HABITS, find_habit
from shadersort.lessons.exercises.shaders.rules import Rule

IN_SHARED: Rule = (
    r"^(?![\s\S]*\bshared\b)",
    "it has no `shared` variable; numbers in `result` instead are slow: the exercise forbids it",
)
NO_LOOP: Rule = (
    r"\b(for|while)\b",
    "it has a loop, which this exercise forbids: each thread takes one key",
)
NO_ATOMIC: Rule = (
    r"\batomic\w+\s*\((?!\s*result\b)",
    "it has an atomic in shared memory, which the exercise forbids: all threads take part in steps",
)
NO_ONES: Rule = (
    r"\batomicAdd\s*\(\s*result\b[^;]*,\s*1\s*\)",
    "it adds each key to `result` by itself. All blocks wait for one another there; the exercise "
    "forbids it: count in shared memory, and let a block add to `result` what it has found",
)

HABITS_OF_KERNELS: tuple[Rule, ...] = (
    (
        r"\b(?:[Tt]hreadIdx|blockIdx|blockDim|gridDim|__\w+)",
        "CUDA's own words are written for you: they are thread, block, THREADS, shared, barrier().",
    ),
    (r"\batomic\w+\s*\(\s*&", "Give the place itself, without &, as in atomicAdd(counts[b], 1)."),
    (r"\(\s*(?:int|uint|float|bool)\s*\)", "Another type is made by its name, as in int(x)."),
    (r"\b(?:int|uint|float|bool)\s*\[", "The length stands after the name: int sums[8];"),
    (r"^\s+shared\b", "A `shared` variable is declared before the function, not inside of it."),
    (r"\bshared\s+\w+\s*[\[;,]", "A type stands after `shared`: shared int sums[THREADS];"),
    (r",[^;()]*=[^=;]*,", "A statement gives a value to one name: write one for each."),
)
"""What people who know Python, or CUDA C, write by habit, and what is said of such a line."""

FAULTS = {
    "outside": "it uses place {0.place} of `{0.array}`, where `{0.array}` has no such place",
    "unwritten": "it reads {1}, where nothing was written before",
    "thread": "it uses {1}, and another thread changes it, or this one does, with no `barrier()` "
    "between. Should one thread alone do this? If several add to one place, only an atomic helps",
    "block": "it uses {1}, and so does another block, not always by an atomic. Blocks never meet "
    "at a barrier: each needs places of its own, or, where all add to one place, an atomic",
    "barrier": "it waits at this `barrier()`, to which not all threads of the block come. None may "
    "stand in an `if` or a loop that only some threads enter, or after a `return`",
    "endless": "a loop does not end. Does each turn change what the condition compares?",
    "zero": "it divides by zero",
}
"""What is said of each kind of fault."""
CONSEQUENCES = ("outside", "endless", "zero")
"""Kinds that may follow from another fault: from a race, or from what was never written."""

RACE = "the result depends on the order in which threads run, and no order is promised"
BUSY = "the loops of one thread take {} turns, and {} are plenty: does it do the work of many?"
DEAR = " and {} are plenty. Line {} costs most: which places do the lanes of a warp use there?"
COSTS = {  # what is said of a cost above its limit
    "sectors": f"its warps move {{}} sectors of 32 bytes,{DEAR}",
    "ways": f"shared memory is asked {{}} times,{DEAR}",
    "divergent": f"{{}} times only some lanes of a warp use memory,{DEAR}",
}
NO_TEXT = "a kernel is a text, between two times three quotes"
NOTHING = "it wrote nothing to `result`"


def blank_kernel(shared: str = "", first: str = "", last: str = "") -> str:
    """Return a kernel to complete: `shared` variables, first and last lines are given."""
    head = f"{shared}\n\n" if shared else ""
    body = indent(f"{first}...  // your code here\n{last}", "    ")
    return f"{head}void kernel() {{\n{body}}}\n"


BLANK_KERNEL = blank_kernel()
SHARED_SUMS, KEY_OF_THREAD = "shared int sums[THREADS];", "int i = block * THREADS + thread;\n"
PLAIN = Setting()
UNWRITTEN = -1  # what `result` holds where nobody has written
TURNS, TURNS_A_KEY = 400, 8  # turns of a thread's loops that are plenty: in all, and more for a key
STEPS = 40  # those of a block of 64 threads that add in steps: one thread alone needs more


class Unordered(NamedTuple):
    """Keys of a result that are compared in order: their own, or that of their blocks."""

    first: int  # the place of the first one
    count_at: int  # the place that has their number
    by_block: bool  # whether those of one block stay as they are; all keys differ then


@dataclass(frozen=True, eq=False, slots=True)
class KernelRunner:
    """Runs a kernel: its text, in the language of `docs/kernel-language.md`.

    A case has keys, the numbers that `setting` names, and the number of blocks, if it gives one.
    """

    draw = staticmethod(show_results)
    setting: Setting = PLAIN
    start: Callable[[int], Any] = lambda n: [UNWRITTEN] * n  # `result` at first, for n keys
    # how many blocks run where a case does not say, for n keys and the threads of a block
    blocks: Callable[[int, int], int] = blocks_for
    unordered: Unordered | None = None  # what may stand in any order in the result
    rules: tuple[Rule, ...] = ()
    turns: int = TURNS  # of a thread's loops that are plenty for all but the keys
    limits: Callable[[Launch], dict[str, int]] = lambda launch: {}  # of costs, as `COSTS` has them
    text: str = BLANK_KERNEL  # what a student begins with

    @property
    def names(self) -> tuple[str, ...]:
        """The names of a case's arguments after the keys."""
        return *self.setting.numbers, "blocks"

    def launch(self, keys: Integers, *numbers: int) -> Launch:
        """Return what a kernel is given in a case."""
        n, given = len(keys), numbers[: len(self.setting.numbers)]
        blocks, *_ = *numbers[len(given) :], self.blocks(n, self.setting.threads)
        return Launch(keys, np.array(self.start(n)), blocks, given)

    def refuse(self, answer: Any) -> str:
        """Return how a text breaks a rule, or why it is no kernel; "" if all is well."""
        if not isinstance(answer, str):
            return NO_TEXT
        try:
            translate(answer, self.setting)
        except NotUnderstood as error:
            line, said = error.args
            return _explain(line, said, lines_of(answer).splitlines())
        code = code_of(answer)
        return next((said for pattern, said in self.rules if re.search(pattern, code)), "")

    def run(self, answer: Any, case: Case) -> Outcome:
        """Run a kernel in four orders of its threads."""
        if broken := self.refuse(answer):
            return Outcome(None, broken, "wrong")
        launch = self.launch(*case)
        run = simulate(answer, self.setting, launch)
        found = [self.sort(each, launch) for each in run.results]
        keys_each = -(-len(launch.keys) // (launch.blocks * self.setting.threads))
        plenty, told = self.turns + TURNS_A_KEY * keys_each, ""
        if run.faults:
            told = _describe(min(run.faults, key=lambda each: each.kind in CONSEQUENCES))
        elif run.turns > plenty:
            told = BUSY.format(run.turns, plenty)
        elif (launch.result == UNWRITTEN).all() and same(run.results[0], launch.result):
            told = NOTHING
        if not all(same(each, found[0]) for each in found):
            told = f"{told}. So {RACE}" if told else RACE
        for name, most in () if told else self.limits(launch).items():
            lines = simulate(answer, self.setting, launch, orders=1).cost(name)
            if lines.total() > most:
                said = COSTS[name].format(lines.total(), most, lines.most_common(1)[0][0])
                return Outcome(found[0], costs=said)
        return Outcome(found[0], told)

    def sort(self, result: Integers, launch: Launch) -> Integers:
        """Return a result with what may stand in any order in order."""
        if self.unordered is None:
            return result
        first, count_at, by_block = self.unordered
        end = first + min(max(int(result[count_at]), 0), len(launch.keys))
        part, threads = result[first:end], self.setting.threads
        block_of = {int(key): place // threads for place, key in enumerate(launch.keys)}
        ranks = [block_of.get(int(key), -1) for key in part] if by_block else part
        order = np.argsort(ranks, kind="stable")
        return np.concatenate([result[:first], part[order], result[end:]])


def _explain(number: int, said: str, lines: list[str]) -> str:
    """Return what is wrong with a text, with its line; a habit explains it best."""
    if not number:
        return said
    line = lines[min(number, len(lines)) - 1]
    said = find_habit(code_of(line), said, (*HABITS_OF_KERNELS, *HABITS)) or said
    return f"it does not compile: line {number}, `{line.strip()}`: {said}"


def _describe(fault: Fault) -> str:
    """Return what is said of a fault."""
    place = f"place {fault.place} of `{fault.array}`" if fault.place else f"`{fault.array}`"
    line = f"line {fault.line}, " if fault.line else ""
    said = FAULTS[fault.kind].format(fault, place)
    return f"{line}thread {fault.thread} of block {fault.block}: {said}"


def compare_on_device(exercise: Any, launch: Callable[..., Integers], answer: str) -> str:
    """Launch a right kernel as CUDA C in every case; return what came of it, in one line.

    `launch` compiles and launches a text, as `launch_text` of `modern/launching/compiling.py` does.
    A kernel that is not right here could do harm there.
    """
    runner = exercise.runner
    if not isinstance(runner, KernelRunner) or not exercise.check(answer).passed:
        return f"{exercise.name}: first it must be right without a GPU"
    text = cuda(answer, runner.setting)
    for number, case in enumerate(exercise.all_cases(), start=1):
        given = runner.launch(*case)
        options = {"blocks": given.blocks, "threads": runner.setting.threads}
        found = launch(text, given.keys, given.result, given.numbers, **options)
        if not same(runner.sort(found, given), exercise.specification(*case)):
            return f"{exercise.name}, as CUDA C: wrong in case {number}"
    return f"{exercise.name}, as CUDA C: right in all cases"
