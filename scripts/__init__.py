"""What builds and checks the repository itself; not installed with the package."""
