"""The methods that narrow a bracket: each chooses pivots, and `search.py` does the rest."""
