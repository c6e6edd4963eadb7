"""`python -m shadersort`: the command line."""

from shadersort.cli import main

if __name__ == "__main__":
    main()
