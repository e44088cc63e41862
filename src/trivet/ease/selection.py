"""Which variants and mistakes are asked for."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from trivet.catalog import nearest
from trivet.errors import UsageError
from trivet.model.ease import Family, Mistake


@dataclasses.dataclass(frozen=True, kw_only=True)
class Variant:
    """A variant that is asked for, perhaps of another version than trivet's pin.

    Attributes:
        label: such as "jax:jit" or "jax:jit@0.9.2".
        name: the same without a version: a key of `Family.variants`.
        version: None for trivet's pin.
        family: whose programs it runs.
    """

    label: str
    name: str
    version: str | None
    family: Family


def choose_variants(texts: Sequence[str], families: Mapping[str, Family]) -> tuple[Variant, ...]:
    """Return the variants that are asked for, all of them if none is named.

    Args:
        texts: frameworks such as "jax" or variants such as "jax:jit", each with "@version" or without; also lists of
            them, separated by commas.
        families: all there are.

    Raises:
        UsageError: there is no such variant; names the nearest.
    """
    names = {name: family for family in families.values() for name in family.variants}
    asked = [part.strip() for text in texts for part in text.split(",") if part.strip()]
    found: dict[str, Variant] = {}
    for text in asked or names:
        wanted, _, version = text.partition("@")
        matching = [name for name in names if wanted in (name, name.partition(":")[0])]
        if not matching:
            message = f"There is no variant {wanted!r}.{nearest(wanted, names)}"
            raise UsageError(message, f"Known: {', '.join(names)}.")
        for name in matching:
            label = f"{name}@{version}" if version else name
            found[label] = Variant(label=label, name=name, version=version or None, family=names[name])
    return tuple(found.values())


def choose_mistakes(texts: Sequence[str], known: Mapping[str, Mistake]) -> tuple[Mistake, ...]:
    """Return the mistakes that are asked for, all of them if none is named.

    Args:
        texts: names such as "label_too_large" or numbers such as "M3a", or lists of them, separated by commas.
        known: all there are.

    Raises:
        UsageError: there is no such mistake; names the nearest.
    """
    asked = [part.strip() for text in texts for part in text.split(",") if part.strip()]
    if not asked:
        return tuple(known.values())
    found = {mistake.name: mistake for text in asked for mistake in [_mistake(text, known)]}
    return tuple(found.values())


def _mistake(text: str, known: Mapping[str, Mistake]) -> Mistake:
    for mistake in known.values():
        if text == mistake.name or text.lower() == mistake.number.lower():
            return mistake
    message = f"There is no mistake {text!r}.{nearest(text, known)}"
    raise UsageError(message, f"Known: {_listed(known.values())}.")


def _listed(known: Iterable[Mistake]) -> str:
    return ", ".join(f"{mistake.number} {mistake.name}" for mistake in known)
