"""Parts that several lessons share: exercises, verdicts, pictures, records, one style."""
