"""The table of steps: each is a function of the module that owns its kernels."""

import cupy

from modern.applied import fits, magnitudes
from modern.applied.neighbours import CUDABlocks, error, squares
from shadersort.arrays import Steps


class CUDASteps(Steps):
    """Steps of applications over arrays of CuPy."""

    @property
    def memory(self) -> int:
        """A sixteenth of the memory of the current device."""
        total: int = cupy.cuda.runtime.memGetInfo()[1]
        return total // 16

    residual_sizes = staticmethod(fits.residual_sizes)
    trimmed_sums = staticmethod(fits.trimmed_sums)
    grams = staticmethod(fits.grams)

    error = staticmethod(error)
    blocks = CUDABlocks
    squares = staticmethod(squares)

    sampled = staticmethod(magnitudes.sampled)
    counted = staticmethod(magnitudes.counted)
    ranked = staticmethod(magnitudes.ranked)
    kept = staticmethod(magnitudes.kept)
