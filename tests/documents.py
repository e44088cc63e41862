"""Reads documents as a reader follows them: the files they tell to write, the commands they tell to run."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"\A# file: (\S+)\n")


def write_files(document: Path, folder: Path) -> list[Path]:
    """Write every code block that starts with `# file: PATH` below a folder, and return the files."""
    written = []
    for _, text in _FENCE.findall(document.read_text(encoding="utf-8")):
        match = _FILE.match(text)
        if match:
            path = folder / match[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text[match.end() :], encoding="utf-8")
            written.append(path)
    return written


def commands(document: Path, program: str) -> list[str]:
    """Return the lines in unlabelled or shell code blocks that start with a program's name, comments cut off."""
    found = []
    for language, text in _FENCE.findall(document.read_text(encoding="utf-8")):
        if language in ("", "sh", "bash", "console"):
            lines = (line.removeprefix("$ ").split("  #")[0].strip() for line in text.splitlines())
            found += [line for line in lines if line.split(" ")[0] == program]
    return found
