"""What the applications ask of a GPU, by kernels of their own (`shadersort.arrays.Steps`)."""
