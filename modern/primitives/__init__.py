"""The primitives of selection on CuPy arrays, and what top-k and thresholding ask beside them."""
