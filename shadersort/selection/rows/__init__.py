"""Selection in the rows of an array: what rows answer (protocol.py), and rows of NumPy (host.py).

Rows lie along one axis of an array, or along several that are joined to one (axes.py). They answer
two questions: the keys of some ranks, and the first keys with their places (partition.py). Medians,
quantiles and thresholds are arithmetic over the answers (protocol.py, quantile_plan.py).
`modern/rows/` answers on a GPU.
"""
