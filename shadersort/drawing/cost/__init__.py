"""Cost: the passes of a program, priced on the data sheet of a graphics card."""
