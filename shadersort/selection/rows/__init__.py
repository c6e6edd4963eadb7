"""Selection in the rows of an array: what rows answer (protocol.py), and rows of NumPy (host.py).

Rows lie along one axis of an array, or along several axes that are joined to one (axes.py). They
answer two questions: the keys of some ranks, and the first keys with their places. Medians,
quantiles and thresholds are arithmetic over the answers (protocol.py, quantile_plan.py). On the
host, ranks.py answers the first question by NumPy's partition, and first.py the second one by
the same partition and one comparison of all keys. `modern/rows/` answers on a GPU.
"""
