"""Sorting: keys, windows, records, and files larger than memory."""
