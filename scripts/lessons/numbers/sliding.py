"""Lesson 9: the numbers of its text, from records."""

from shadersort.lessons.shared.records import record

(WHOLE,) = record("streams-figures-numpy").where(method="QuantileSummary", epsilon=0.01)

NUMBERS = {"entries": f"{WHOLE['entries']:,}"}
"""Each number by its name in the text."""
