"""Selection on the GPU of today: `python -m bench.modern`."""
