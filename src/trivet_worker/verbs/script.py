"""Script: run a program as the interpreter would, its output apart from what frameworks print."""

from __future__ import annotations

import contextlib
import runpy
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

Report = Callable[[str], None]


def script(arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Run ``train.py`` of a folder; whatever it raises is printed to stderr as a script's end is.

    Args:
        arguments: ``folder`` with the program; ``output``, the file that takes what the program prints; ``count``, True
            if ``traces.py`` is asked afterwards how often the step was compiled.
        report: told once; from then on the program prints what it does.

    Returns:
        ``error``, the type of the exception, "" without one; ``traces``, None where they were not counted.
    """
    report("script")
    folder = Path(arguments["folder"])
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True  # the folder holds what was hashed, and nothing else
    with (
        Path(arguments["output"]).open("w", encoding="utf-8", buffering=1) as output,
        contextlib.redirect_stdout(output),
    ):
        try:
            program = runpy.run_path(str(folder / "train.py"), run_name="__main__")
        except (Exception, SystemExit) as error:
            own = _own_frames(error.__traceback__, folder)
            traceback.print_exception(type(error), error, own, file=sys.stderr)
            return {"error": type(error).__name__, "traces": None}
        traces = None
        if arguments["count"]:
            traces = int(runpy.run_path(str(folder / "traces.py"))["traces"](program))
    return {"error": "", "traces": traces}


def _own_frames(frames: TracebackType | None, folder: Path) -> TracebackType | None:
    """Return the traceback from the program's first frame on, as if nobody had called it."""
    while frames is not None and not frames.tb_frame.f_code.co_filename.startswith(str(folder)):
        frames = frames.tb_next
    return frames
