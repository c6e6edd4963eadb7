"""Selection in the rows of an array: what can be asked of rows, and NumPy's answers.

`modern/rows/` answers on a GPU.
"""
