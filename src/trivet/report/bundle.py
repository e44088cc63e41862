"""The charting library as one script, to be put into the page."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path

import vl_convert

from trivet.errors import BrokenEnvironment
from trivet.folders import cache_folder, make_cache
from trivet.store.atomic import write_atomically


def script() -> str:
    """Return Vega, Vega-Lite and Vega-Embed, safe within a ``script`` element.

    Bundling takes seconds, so the result is kept in the cache, one file for each version of the bundler.
    """
    path = cache_folder() / "report" / f"vega-{importlib.metadata.version('vl-convert-python')}.js"
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        text = _inert(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))
    _keep(path, text)
    return text


def _inert(text: str) -> str:
    """Return a script in which nothing looks like an end of its element; in strings both spellings mean the same."""
    return re.sub(r"<(?=/script|!--|script)", r"\\x3c", text, flags=re.IGNORECASE)


def _keep(path: Path, text: str) -> None:
    try:
        make_cache(path.parent)
        write_atomically(path, text.encode())
    except (OSError, BrokenEnvironment):
        return  # a cache that cannot be written costs seconds, not the report
