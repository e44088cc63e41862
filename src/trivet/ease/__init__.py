"""How a framework treats planted mistakes, and how much there is to write: run and counted, never felt."""
