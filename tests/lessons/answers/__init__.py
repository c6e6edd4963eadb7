"""Many right and many wrong answers to the central exercises of the course, as students write them.

Answers begin at the margin, and go on in lines that do not. One in Python is an expression of the
function's arguments, or the lines of its body; one in GLSL is the body of the function; a kernel is
what changes in the solution, or all of it, as in `wrong_answers.py`.
"""
