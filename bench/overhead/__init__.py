"""The OpenGL device beside a bare moderngl loop: `python -m bench.overhead`."""
