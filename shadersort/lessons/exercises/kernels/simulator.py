"""Runs a kernel without a GPU, in four orders of its threads, and sees what it does wrong.

A GPU takes the threads of a block in any order, and promises nothing but barriers. Here each
thread runs to the next barrier before the next thread begins. Every use of an array is noted: so a
fault is seen even where the result happens to be right.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from traceback import walk_tb
from typing import Any, NamedTuple

import numpy as np

from shadersort.keys.types import Integers
from shadersort.lessons.exercises.kernels.arithmetic import Stop
from shadersort.lessons.exercises.kernels.dialect import Setting
from shadersort.lessons.exercises.kernels.translate import FILE, Kernel, translate

ORDERS = 4  # as the threads are numbered, backwards, with neighbours apart, and this backwards
MOST_TURNS = 1_000_000  # of all loops of all threads
LEFTOVER = 7  # what is read where nothing was written, or where no place is
READ, WRITE, ATOMIC = range(3)
LANES = BANKS = 32  # threads of a warp, and banks of shared memory: place p is in bank p % 32
SECTOR = 8  # ints in the 32 bytes that global memory moves at once; an array begins with one
SEVERAL = -1  # several threads, or blocks, in place of the number of one


@dataclass(frozen=True, eq=False, slots=True)
class Launch:
    """What one run of a kernel is given."""

    keys: Integers
    result: Integers  # what `result` holds at first
    blocks: int = 1
    numbers: tuple[int, ...] = ()  # those that `Setting.numbers` names


def blocks_for(count: int, threads: int) -> int:
    """Return how many blocks have a thread for each of `count` keys."""
    return -(-count // threads)


class Fault(NamedTuple):
    """What no kernel may do; `docs/kernel-language.md` has the kinds."""

    kind: str
    line: int
    thread: int
    block: int
    array: str = ""
    place: int = 0


Faults = dict[tuple[str, str], Fault]  # the first one of each kind and array


class WarpAccess(NamedTuple):
    """What lanes of a warp do at one place of the text, in the same turn of all loops around it."""

    line: int
    array: str  # `keys` and `result` are in global memory, and others in shared memory
    places: list[int]  # one for each lane that takes part
    lanes: int  # of the warp

    @property
    def costs(self) -> dict[str, int]:
        """The cost in each unit that limits have; the twin of this is `trace.js`."""
        banks = Counter(place % BANKS for place in set(self.places)).values()
        found = {"divergent": int(len(self.places) < self.lanes)}
        if self.array in ("keys", "result"):
            return found | {"sectors": len({place // SECTOR for place in self.places})}
        return found | {"ways": max(banks)}


class Run(NamedTuple):
    """What a kernel did."""

    results: tuple[Integers, ...]  # what `result` holds after it, for each order of the threads
    faults: tuple[Fault, ...]
    turns: int  # how many turns of its loops a thread did at most
    accesses: tuple[WarpAccess, ...]  # what warps did; this is noted if there is one order only

    def cost(self, name: str) -> Counter[int]:
        """Return what each line costs, from the first line to the last."""
        found: Counter[int] = Counter()
        for each in sorted(self.accesses, key=lambda each: each.line):
            found[each.line] += each.costs.get(name, 0)
        return found


class Array:
    """An array, which notes who used each place since all met; blocks never meet."""

    def __init__(self, machine: "Machine", name: str, values: list[Any], *users: str) -> None:
        self.machine, self.name, self.values = machine, name, values
        # for "thread" and "block" who read each place, who wrote to it, who used an atomic
        self.uses: dict[str, tuple[dict[int, int], ...]] = {each: ({}, {}, {}) for each in users}
        self.strict = "block" in users

    def use(self, place: int, way: int, site: int, value: Any = None) -> bool:
        """Note a use of a place; return whether the array has it.

        Several threads may write the same value to shared memory: no order changes it.
        """
        if self.machine.counts and (self.uses or self.name == "keys"):
            self.machine.count(self.name, place, site)
        if not 0 <= place < len(self.values):
            self.machine.note("outside", self.name, place)
            return False
        for kind, uses in self.uses.items():
            user, own = getattr(self.machine, kind), uses[way]
            if own.setdefault(place, user) != user:
                own[place] = SEVERAL
            clash = uses[way - 1].get(place, user) != user or uses[way - 2].get(place, user) != user
            several = way == WRITE and own[place] == SEVERAL
            if (clash or several) and (self.strict or self.values[place] != value):
                self.machine.note(kind, self.name, place)
        return True

    def read(self, place: int, site: int, way: int = READ) -> Any:
        """Return the value of a place."""
        if not self.use(place, way, site):
            return LEFTOVER
        if (value := self.values[place]) is None:
            self.machine.note("unwritten", self.name, place)
            return LEFTOVER
        return value

    def write(self, place: int, value: Any, site: int) -> Any:
        """Write a value to a place, and return it."""
        if self.use(place, WRITE, site, value):
            self.values[place] = value
        return value

    def atomic(self, place: int, join: Callable[[int, int], int], number: int, site: int) -> Any:
        """Join the value of a place with a number; return the value from before."""
        old = self.read(place, site, ATOMIC)
        if 0 <= place < len(self.values):
            self.values[place] = join(old, number)
        return old


class Machine:
    """Runs a kernel in one order of its threads."""

    def __init__(self, kernel: Kernel, threads: int, launch: Launch, faults: Faults) -> None:
        self.kernel, self.threads, self.launch, self.faults = kernel, threads, launch, faults
        self.thread = self.block = self.turns = self.all_turns = 0
        self.counts = False  # whether accesses are noted for each warp
        self.accesses: dict[tuple[int, ...], WarpAccess] = {}
        self.loops: list[list[int]] = []  # the turns of the loops around each thread's place
        self.stopped = False  # whether a fault left nothing to run
        self.running: Any = None  # the generator of a thread
        self.keys = Array(self, "keys", launch.keys.tolist())
        self.result = Array(self, "result", launch.result.tolist(), "thread", "block")

    def note(self, kind: str, array: str = "", place: int = 0, line: int = 0) -> None:
        """Note a fault, the first of its kind and its array, at a line of Python."""
        if (kind, array) not in self.faults:
            frame = self.running.gi_frame
            line = self.kernel.lines[line or (frame.f_lineno if frame else 0)]
            self.faults[kind, array] = Fault(kind, line, self.thread, self.block, array, place)

    def count(self, array: str, place: int, site: int) -> None:
        """Add a lane to those of its warp that come to a site in the same turn."""
        first = self.thread // LANES * LANES
        key = (self.block, first, site, *self.loops[self.thread])
        if key not in self.accesses:
            line = self.kernel.lines[self.running.gi_frame.f_lineno]
            self.accesses[key] = WarpAccess(line, array, [], min(LANES, self.threads - first))
        self.accesses[key].places.append(place)

    def run(self, order: int) -> None:
        """Run all blocks, one after the other; a fault that leaves nothing to run ends this."""
        threads = sorted(range(self.threads), key=lambda each: each % 8 if order & 2 else 0)
        step = -1 if order & 1 else 1
        try:
            for block in range(self.launch.blocks)[::step]:
                self.block = block
                self.run_block(threads[::step])
        except (Stop, UnboundLocalError) as error:
            self.stopped = True
            frames = walk_tb(error.__traceback__)
            lines = [line for frame, line in frames if frame.f_code.co_filename == FILE]
            unset = re.search(r"'v_(\w+)'", str(error))
            kind, name = ("unwritten", unset[1]) if unset else (str(error), "")
            self.note(kind, name, line=lines[-1] if lines else 0)

    def run_block(self, numbers: list[int]) -> None:
        """Run the threads of a block, in an order."""
        launch = self.launch
        shared = [Array(self, name, [None] * size, "thread") for name, size in self.kernel.shared]
        numbers_given = (len(launch.keys), launch.blocks, self.block, *launch.numbers)
        given = (*numbers_given, self.keys, self.result, *shared, lambda *of: Array(self, *of))
        self.loops = [[] for _ in numbers]
        threads = {each: self.kernel.thread(each, *given, self.loops[each]) for each in numbers}
        while threads:
            waiting: dict[int, int] = {}  # the barrier of each thread
            for self.thread, self.running in threads.items():
                try:
                    waiting[self.thread] = next(self.running)
                except StopIteration as ended:
                    self.turns = max(self.turns, ended.value)
                    self.all_turns += ended.value
                    if self.all_turns > MOST_TURNS:
                        raise Stop("endless") from None
            if waiting and (len(waiting) < len(threads) or len({*waiting.values()}) > 1):
                self.thread = min(waiting)
                self.running = threads[self.thread]
                raise Stop("barrier")
            threads = {number: threads[number] for number in waiting}
            for uses in (uses for each in (self.result, *shared) for uses in each.uses["thread"]):
                uses.clear()


def simulate(text: str, setting: Setting, launch: Launch, orders: int = ORDERS) -> Run:
    """Run a kernel in some orders of its threads; raise NotUnderstood if the text is no kernel."""
    machines: list[Machine] = []
    faults: Faults = {}
    while len(machines) < orders and not any(each.stopped for each in machines):
        machines.append(Machine(translate(text, setting), setting.threads, launch, faults))
        machines[-1].counts = orders == 1
        machines[-1].run(len(machines) - 1)
    return Run(
        tuple(np.array(each.result.values) for each in machines),
        tuple(faults.values()),
        max(each.turns for each in machines),
        tuple(machines[0].accesses.values()),
    )
