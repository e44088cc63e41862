"""The command line: `main.py` and a file per command, each with a click command named `command`."""
