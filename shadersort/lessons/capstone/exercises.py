"""Lesson 17, your own statistic: the exercises. Those of the stages follow the student's choice."""

from shadersort.lessons.capstone.choosing import Choice, Stage
from shadersort.lessons.capstone.definitions import BY_DEFINITION
from shadersort.lessons.capstone.facts import facts
from shadersort.lessons.capstone.kernels import BY_KERNEL
from shadersort.lessons.capstone.orders import BY_ORDER
from shadersort.lessons.capstone.shaders import BY_DRAWING
from shadersort.lessons.capstone.statistics import key_of_rank

choice = Choice()
choose = choice.choose

by_definition = Stage("by_definition", BY_DEFINITION, choice)
by_order = Stage("by_order", BY_ORDER, choice)
by_drawing = Stage("by_drawing", BY_DRAWING, choice)
by_kernel = Stage("by_kernel", BY_KERNEL, choice)

STAGES = (by_definition, by_order, by_drawing, by_kernel)
EXERCISES = (*STAGES, facts)

__all__ = [
    "EXERCISES",
    "STAGES",
    "by_definition",
    "by_drawing",
    "by_kernel",
    "by_order",
    "choice",
    "choose",
    "facts",
    "key_of_rank",
]
