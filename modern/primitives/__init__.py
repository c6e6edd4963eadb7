"""The primitives of selection, top-k and thresholding, on arrays of CuPy and NumPy."""
