"""Wrong answers that no mistake names, one module for each lesson: each must be rejected.

A module has the name of its lesson, and `WRONG`: some answers for each exercise. Those that a
mistake names stand beside the exercise, in `shadersort/lessons/<lesson>/mistakes.py`.
"""

from collections.abc import Callable
from typing import Any

Answers = dict[str, list[Callable[..., Any] | str]]
