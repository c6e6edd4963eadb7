"""The page `docs/then-and-now.md`: each speed-up since a paper as a product of three factors."""
