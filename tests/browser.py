"""Opens pages in a headless browser, without a network, and asks them questions by a script put into a copy."""

from __future__ import annotations

import dataclasses
import html
import importlib.resources
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

_ASK = """
<script>
(async () => {
  const answer = async () => { SCRIPT };
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  while (AWAITED) await pause(50);
  const place = document.createElement("pre");
  place.id = "answer";
  place.textContent = JSON.stringify(await answer());
  document.body.append(place);
})();
</script>
"""


def find_browser() -> str:
    """Return a browser's path; without one the test is skipped, in CI it fails."""
    found = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if found is None:
        message = f"no browser found; install one of {', '.join(BROWSERS)}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


@dataclasses.dataclass(frozen=True, kw_only=True)
class Opened:
    """A page as the browser has it.

    Attributes:
        dom: as HTML.
        console: what it wrote there.
        answer: what the script returned, None if there was none.
    """

    dom: str
    console: list[str]
    answer: Any


def before_end(text: str, tag: str, addition: str) -> str:
    """Return a page with something put before the last end of an element; libraries in it may spell such ends too."""
    place = text.rindex(f"</{tag}>")
    return text[:place] + addition + text[place:]


def open_page(
    text: str,
    folder: Path,
    *,
    script: str = "",
    awaited: str = "!document.documentElement.dataset.drawn",
    dark: bool = False,
) -> Opened:
    """Open a page in a fresh profile.

    Args:
        text: the page.
        folder: for the page and the profile.
        script: body of an async function in which ``pause(milliseconds)`` is known; what it returns is the answer.
        awaited: JavaScript that is true while the page is not ready for the script.
        dark: True for a system that prefers dark colours.
    """
    page = folder / "page.html"
    if script:
        ask = _ASK.replace("SCRIPT", script).replace("AWAITED", awaited)
        text = before_end(text, "body", ask)
    page.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [
            find_browser(),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--enable-logging=stderr",
            "--window-size=1280,1200",
            f"--blink-settings=preferredColorScheme={0 if dark else 1}",
            f"--user-data-dir={folder / 'profile'}",
            "--virtual-time-budget=20000",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=180,
        check=True,
    )
    answer = None
    if script:
        found = re.search(r'<pre id="answer">(.*?)</pre>', done.stdout, re.DOTALL)
        assert found, f"the script gave no answer\n{done.stderr}"
        answer = json.loads(html.unescape(found[1]))
    return Opened(
        dom=done.stdout,
        console=[line for line in done.stderr.splitlines() if "CONSOLE" in line],
        answer=answer,
    )


FRAME = """<!doctype html><html lang="en"><head><title>phone</title></head><body>
<iframe srcdoc="PAGE" style="width: 390px; height: 800px; border: 0"></iframe></body></html>"""


def on_a_phone(text: str, folder: Path, script: str) -> Opened:
    """Open a page as a phone that is dark shows it.

    Args:
        text: the page.
        folder: for the page and the profile.
        script: as `open_page` takes it; `inside` is the page's document.
    """
    document = 'document.querySelector("iframe").contentDocument'
    return open_page(
        FRAME.replace("PAGE", html.escape(text)),
        folder,
        script=f"const inside = {document}; {script}",
        awaited=f'{document}?.documentElement?.dataset.drawn !== "yes"',
        dark=True,
    )


def complaints(page: str, folder: Path, *, before: str = "") -> dict[str, list[str]]:
    """Return colour scheme -> what axe has to say about a page with everything unfolded.

    Args:
        page: the page.
        folder: for the page and the profile.
        before: script that is run first.
    """
    script = """
      for (const one of document.querySelectorAll("details")) one.open = true;
      const found = {};
      for (const scheme of ["light", "dark"]) {
        document.documentElement.dataset.theme = scheme;
        await pause(200);
        const { violations } = await axe.run(document, { resultTypes: ["violations"] });
        found[scheme] = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" ")}`);
      }
      return found;
    """
    axe = importlib.resources.files("axe_playwright_python") / "axe.min.js"
    text = before_end(page, "body", f"<script>{axe.read_text(encoding='utf-8')}</script>")
    answer = open_page(text, folder, script=before + script).answer
    assert isinstance(answer, dict)
    return answer
