"""Which files pytest can import here: those of the CUDA track need CuPy."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("cupy") else ["modern/device.py", "modern/launch.py"]
