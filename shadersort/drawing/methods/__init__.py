"""The ways to draw a network: a file for each idea."""
