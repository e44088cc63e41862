"""From where an environment's packages may come, in the order in which the places are tried.

Without a GPU nobody wants two gigabytes of CUDA libraries, but on Linux the plain index has torch with them only. So a CPU
build is taken from the user's own find-links first, then by uv's torch backend option, then from the plain index, with
the size said beforehand.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping

from packaging.requirements import Requirement

from trivet.environments import find_links, settings
from trivet.model.environment import Plan

FIND_LINKS = "find-links"
TORCH_BACKEND = "torch-backend"
INDEX = "index"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Place:
    """One place to try.

    Attributes:
        source: "find-links", "torch-backend" or "index".
        requirements: what to ask for there.
        torch_backend: uv's option, where it is the place.
        heading: said before it is tried.
        optional: True if it may well fail, and then the next place does.
    """

    source: str
    requirements: tuple[str, ...]
    torch_backend: str | None = None
    heading: str = ""
    optional: bool = False


def places(plan: Plan, pip_settings: Mapping[str, str], download_bytes: int | None) -> list[Place]:
    """Return the places to try, in order; the last is always the plain index.

    Args:
        plan: what is built.
        pip_settings: the user's, from `trivet.environments.settings`.
        download_bytes: what the plain index would send, or None if that isn't known.
    """
    torch = any(_is_torch(text) for text in plan.requirements)
    if plan.accelerator != "cpu":
        whole = tuple(_without_cpu_build(text) for text in plan.requirements)
        index = Place(source=INDEX, requirements=whole, heading=_size(download_bytes, large=False))
        return [_by_backend(whole, "auto"), index] if torch else [index]
    large = torch and sys.platform == "linux"
    found = _users_cpu_builds(plan, pip_settings)
    if large:
        found.append(_by_backend(plan.requirements, "cpu"))
    return [
        *found,
        Place(source=INDEX, requirements=plan.requirements, heading=_size(download_bytes, large=large)),
    ]


def _users_cpu_builds(plan: Plan, pip_settings: Mapping[str, str]) -> list[Place]:
    """Return the user's own places that offer a CPU build, or may: addresses are for the installer to look at."""
    entries = settings.find_links(pip_settings)
    wheels = {text: find_links.cpu_wheel(Requirement(text), entries) for text in plan.requirements}
    here = [wheel for wheel in wheels.values() if wheel]
    if here:
        return [
            Place(
                source=FIND_LINKS,
                requirements=tuple(
                    f"{Requirement(text).name}=={wheel.version}" if wheel else text
                    for text, wheel in wheels.items()
                ),
                heading=f"a CPU build lies on this machine: {', '.join(str(wheel.path) for wheel in here)}",
            )
        ]
    asked = tuple(_as_cpu_build(text) for text in plan.requirements)
    remote = any(settings.local_folder(entry) is None for entry in entries)
    if asked == plan.requirements or not (remote or settings.own_index(pip_settings)):
        return []
    return [Place(source=FIND_LINKS if remote else INDEX, requirements=asked, optional=True)]


def _by_backend(requirements: tuple[str, ...], backend: str) -> Place:
    """Return torch's own index, by uv's option; it is blocked on many machines."""
    return Place(source=TORCH_BACKEND, requirements=requirements, torch_backend=backend, optional=True)


def _is_torch(text: str) -> bool:
    return Requirement(text).name == "torch"


def _exact_torch(text: str) -> str | None:
    """Return the version of an exact requirement of torch that does not name a build already."""
    specifier = str(Requirement(text).specifier)
    exact = _is_torch(text) and specifier.startswith("==") and "+" not in specifier and "," not in specifier
    return specifier.removeprefix("==") if exact else None


def _as_cpu_build(text: str) -> str:
    return f"{text}+cpu" if _exact_torch(text) else text


def _without_cpu_build(text: str) -> str:
    """Return the requirement, CPU builds excluded: installers prefer 2.13.0+cpu to 2.13.0 wherever they see both."""
    exact = _exact_torch(text)
    return f"{text},!={exact}+cpu" if exact else text


def _size(download_bytes: int | None, large: bool) -> str:
    libraries = ", CUDA libraries included" if large else ""
    if download_bytes:
        return f"from the package index: {_words(download_bytes)} unless cached{libraries}"
    return f"from the package index: some gigabytes unless cached{libraries}" if large else ""


def _words(size: int) -> str:
    return f"about {size / 1e9:.1f} GB" if size >= 1e9 else f"about {size / 1e6:.0f} MB"
