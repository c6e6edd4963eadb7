"""Which files pytest can import here: those of the CUDA track need CuPy."""

from importlib.util import find_spec

NEEDING_CUPY = ["modern/compiling.py", "modern/device.py", "modern/launch.py"]
collect_ignore = [] if find_spec("cupy") else NEEDING_CUPY
