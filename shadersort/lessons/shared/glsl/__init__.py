"""Exercises in which a student writes the function of a shader: its surroundings, its errors."""
