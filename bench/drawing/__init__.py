"""Benchmarks of sorting by drawing, and of what a chip does when it draws."""
