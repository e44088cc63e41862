"""The user's pip settings, told to uv: uv reads none of pip's files, and a company's index is set there as a rule.

A setting that the user made for uv itself (a ``UV_`` variable, or uv's own file) always wins.
"""

from __future__ import annotations

import ast
import dataclasses
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

_INDEX_VARIABLES = ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX", "UV_EXTRA_INDEX_URL")
_INDEX_KEYS = ("index", "index-url", "extra-index-url", "no-index")
_PROXY_VARIABLES = ("ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY")
_TRUE = ("1", "true", "yes", "on")
_PIP_SECONDS = 60


@dataclasses.dataclass(frozen=True, kw_only=True)
class UvSettings:
    """What uv is told beside the user's own uv settings.

    Attributes:
        variables: environment variables.
        no_index: pip is told to use no index at all, and so is uv.
    """

    variables: Mapping[str, str]
    no_index: bool


def pip_settings() -> dict[str, str]:
    """Return what pip would go by when it installs: its files and its variables, in its order of precedence.

    Keys are without section, such as "index-url"; {} where pip is missing or cannot say.
    """
    return dict(_said_by_pip(tuple(sorted(os.environ.items()))))


@cache
def _said_by_pip(variables: tuple[tuple[str, str], ...]) -> dict[str, str]:  # noqa: ARG001 - pip goes by them
    """Return what pip says, asked once: its start costs as much as everything else that a question needs."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "config", "list"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=_PIP_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return {}
    sections: dict[str, dict[str, str]] = {"global": {}, "install": {}, ":env:": {}}
    for line in answer.stdout.splitlines():
        name, _, value = line.partition("=")
        section, _, key = name.partition(".")
        if section in sections:
            sections[section][key.removeprefix("-").removeprefix("-")] = str(ast.literal_eval(value))
    return sections["global"] | sections["install"] | sections[":env:"]


def for_uv(pip: Mapping[str, str]) -> UvSettings:
    """Return pip's settings as uv takes them, without those that the user has made for uv.

    Args:
        pip: as `pip_settings` returns them.
    """
    uv_file = _uv_file()
    variables: dict[str, str] = {}
    own_indexes = any(os.environ.get(name) for name in _INDEX_VARIABLES) or any(
        key in uv_file for key in _INDEX_KEYS
    )
    if not own_indexes:
        variables |= _indexes(pip)
    if "find-links" in pip and not os.environ.get("UV_FIND_LINKS") and "find-links" not in uv_file:
        variables["UV_FIND_LINKS"] = ",".join(_present(pip["find-links"]))
    if "constraint" in pip and not os.environ.get("UV_CONSTRAINT"):
        variables["UV_CONSTRAINT"] = " ".join(_absolute(entry) for entry in pip["constraint"].split())
    for key, variable in (("cert", "SSL_CERT_FILE"), ("client-cert", "SSL_CLIENT_CERT")):
        if key in pip and not os.environ.get(variable):
            variables[variable] = _absolute(pip[key])
    if "trusted-host" in pip and not os.environ.get("UV_INSECURE_HOST"):
        variables["UV_INSECURE_HOST"] = " ".join(pip["trusted-host"].split())
    if "proxy" in pip and not any(os.environ.get(n) or os.environ.get(n.lower()) for n in _PROXY_VARIABLES):
        proxy = pip["proxy"]
        variables["ALL_PROXY"] = proxy if "://" in proxy else f"http://{proxy}"
    return UvSettings(
        variables={name: value for name, value in variables.items() if value} | _absolute_uv_paths(),
        no_index=not own_indexes and pip.get("no-index", "").lower() in _TRUE,
    )


def find_links(pip: Mapping[str, str]) -> tuple[str, ...]:
    """Return all places where the user keeps packages outside of an index: folders and addresses, uv's and pip's."""
    texts = [pip.get("find-links", ""), os.environ.get("UV_FIND_LINKS", "").replace(",", " ")]
    listed = _uv_file().get("find-links", [])
    entries = [entry for text in texts for entry in text.split()] + [str(entry) for entry in listed]
    return tuple(dict.fromkeys(_absolute(entry) for entry in entries))


def own_index(pip: Mapping[str, str]) -> bool:
    """Say whether the user has set an index, for pip or for uv."""
    return (
        any(key in pip for key in ("index-url", "extra-index-url"))
        or any(os.environ.get(name) for name in _INDEX_VARIABLES)
        or any(key in _uv_file() for key in _INDEX_KEYS)
    )


def local_folder(entry: str) -> Path | None:
    """Return the folder that a find-links entry names, or None for an address."""
    if entry.startswith("file://"):
        return Path(unquote(urlparse(entry).path))
    return None if "://" in entry else Path(entry)


def _indexes(pip: Mapping[str, str]) -> dict[str, str]:
    """Return variables for uv's indexes.

    pip takes the best version of all indexes together, uv by default only the first index that has the package. Where
    the user has made several indexes for pip, uv has to choose as pip does, or an extra index with a few old wheels
    hides all the others.
    """
    variables = {}
    if "index-url" in pip:
        variables["UV_DEFAULT_INDEX"] = pip["index-url"]
    extra = _present(pip.get("extra-index-url", ""))
    if extra:
        variables["UV_INDEX"] = " ".join(extra)
        if not os.environ.get("UV_INDEX_STRATEGY"):
            variables["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    return variables


def _present(text: str) -> list[str]:
    """Return the entries of a list without folders that are gone: pip warns of those, uv gives up."""
    entries = [_absolute(entry) for entry in text.split()]
    return [e for e in entries if (folder := local_folder(e)) is None or folder.exists()]


def _absolute_uv_paths() -> dict[str, str]:
    """Return the user's own uv variables that hold relative paths: uv is run in another folder than the user's."""
    changed = {}
    for name, separator in (
        ("UV_FIND_LINKS", ","),
        ("UV_CONSTRAINT", " "),
        ("UV_OVERRIDE", " "),
        ("UV_CONFIG_FILE", None),
    ):
        text = os.environ.get(name, "")
        entries = text.split(separator) if separator else [text]
        absolute = (separator or "").join(_absolute(entry) for entry in entries if entry)
        if absolute != text:
            changed[name] = absolute
    return changed


def _absolute(entry: str) -> str:
    return entry if "://" in entry else str(Path(entry).expanduser().absolute())


def _uv_file() -> dict[str, Any]:
    """Return the settings of uv's own files that matter here: the user's over the system's."""
    named = os.environ.get("UV_CONFIG_FILE")
    system = os.environ.get("XDG_CONFIG_DIRS", "/etc/xdg").split(os.pathsep)
    user = os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser()
    folders = [*(Path(folder, "uv") for folder in system), Path("/etc/uv"), Path(user, "uv")]
    files = [Path(named)] if named else [folder / "uv.toml" for folder in folders]
    found: dict[str, Any] = {}
    for file in files:
        try:
            content = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # missing, or for uv to complain about
            continue
        found |= content | content.get("pip", {})
    return found
