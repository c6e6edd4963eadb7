"""Builds the notebooks of the lessons from their sources: `python -m scripts.lessons --help`."""
