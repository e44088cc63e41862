"""Paragraphs for the terminal: a mark, and behind it text whose further lines stand under its first."""

from __future__ import annotations

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from trivet.console.terminal import Terminal


def entry(mark: str, text: str, indent: int = 0) -> RenderableType:
    """Return a paragraph.

    Args:
        mark: such as "-" or "[3]"; "" for none.
        text: of any length.
        indent: further columns to the right.
    """
    grid = Table.grid(padding=0)
    grid.add_column(width=2 + indent)
    if mark:
        grid.add_column(width=len(mark) + 1, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row("", *([Text(mark)] if mark else []), Text(text))
    return grid


def print_view(view: RenderableType) -> None:
    """Print to standard output: in colour at a terminal that wants it, without spaces at the ends of lines elsewhere."""
    console = Terminal(highlight=False)
    if console.is_terminal:
        console.print(view)
    else:
        console.file.write(render_text(view, console.width))


def render_text(view: RenderableType, width: int = 80) -> str:
    """Return a view as text, without spaces at the ends of lines."""
    console = Console(width=width, no_color=True, highlight=False)
    with console.capture() as capture:
        console.print(view)
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())
