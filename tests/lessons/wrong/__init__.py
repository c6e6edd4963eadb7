"""Wrong answers, one module for each lesson: what a student might write, and must be rejected.

A module has the name of its lesson, and `WRONG`: at least three answers for each exercise.
"""

from collections.abc import Callable
from typing import Any

Answers = dict[str, list[Callable[..., Any]]]
