"""What no other benchmark measures of the claims: one module for each paper or subject."""
