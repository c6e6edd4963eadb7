"""Summaries of streams beside the sketches of other libraries, on the same ten streams."""
