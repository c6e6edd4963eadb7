"""The engine of exercises: an `Exercise` asks a `Runner` what an answer does; returns a `Verdict`.

A runner takes one kind of answers: `PythonRunner` functions, `ShaderRunner` texts in GLSL.
"""
