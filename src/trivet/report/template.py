"""The pages' templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jinja2

from trivet.report import words

_FOLDER = Path(__file__).with_name("templates")


def template(name: str, functions: Mapping[str, Callable[..., Any]]) -> jinja2.Template:
    """Return a template.

    Args:
        name: file in ``templates``, such as "page.html.j2".
        functions: name -> what it and the templates that it takes in may call.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=jinja2.select_autoescape(["html.j2"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"data": words.data, "attributes": words.attributes}
    environment.globals |= functions
    return environment.get_template(name)
