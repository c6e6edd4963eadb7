"""Lesson 6, the same shaders today: `notebooks/sources/06-ladder.md`."""
