"""What several benchmarks share: options, records, machines, and the keys to measure on."""
