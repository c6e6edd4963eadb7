"""What the report shows of each paper."""
