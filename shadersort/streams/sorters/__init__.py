"""Sorters put the windows of a stream in order: by NumPy, by drawing, or on another machine.

`protocol.py` says what a sorter is, `host.py` holds what sorters of host arrays share, and
`named.py` finds a sorter by its name, including the sorters of other packages.
"""
