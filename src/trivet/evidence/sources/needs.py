"""What the user's package index says of the libraries that are needed."""

from __future__ import annotations

import platform

from trivet.evidence.gather import Asked, Found


def evidence(asked: Asked) -> Found:
    """Return what is kept of earlier answers as long as it counts in full, and ask for the rest.

    So the same question soon asked again has the same answer, and needs no network.
    """
    if not asked.needs:
        return Found()
    from trivet.ecosystem.evidence import of_needs
    from trivet.ecosystem.needs import needs

    python = ".".join(platform.python_version_tuple()[:2])
    known = needs(asked.needs, python=python, offline=True)
    stale = {
        piece.claim
        for piece in of_needs(known, asked.titles)
        if piece.expires is None or piece.is_stale(asked.today)
    }
    missing = [need.requirement for need in known if f"ecosystem.needs.{need.name}" in stale]
    notes = []
    if missing and not asked.offline:
        asked.report(f"asking your package index about {', '.join(missing)}")
        answers = {need.requirement: need for need in needs(missing, python=python)}
        known = [answers.get(need.requirement, need) for need in known]
    for need in known:
        if need.kept:
            notes.append(
                f"What the package index says of {need.name} was kept on {need.asked}; `trivet needs {need.requirement}` asks anew."
            )
        elif need.state in ("unreachable", "not asked"):
            notes.append(f"Of {need.name} nothing is known: {need.problem}")
    return Found(evidence=tuple(of_needs(known, asked.titles)), notes=tuple(notes))
