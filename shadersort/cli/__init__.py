"""The command line, a file a command."""

__all__: list[str] = []
