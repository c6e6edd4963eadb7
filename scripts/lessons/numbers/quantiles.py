"""Lesson 7: the numbers of its text, computed by a summary."""

from shadersort.streams import QuantileSummary

NUMBERS = {"window": f"{QuantileSummary(0.01).window:,}"}
"""Each number by its name in the text."""
