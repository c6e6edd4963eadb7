"""The table of steps: each is a function of the module that owns its kernels."""

from modern.applied import fits, magnitudes
from modern.applied.neighbours import CUDABlocks
from shadersort.arrays import Steps


class CUDASteps(Steps):
    """Steps of applications over arrays of CuPy."""

    residual_sizes = staticmethod(fits.residual_sizes)
    trimmed_sums = staticmethod(fits.trimmed_sums)
    grams = staticmethod(fits.grams)

    blocks = CUDABlocks

    sampled = staticmethod(magnitudes.sampled)
    counted = staticmethod(magnitudes.counted)
    kept = staticmethod(magnitudes.kept)
