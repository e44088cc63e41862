"""A decision as plain dictionaries, for JSON. Described in docs/decision.md."""

from __future__ import annotations

import dataclasses
from typing import Any

from trivet.decide.decision import Decision, evidence_sha256
from trivet.model.decision import Answer, Effect, Reason

FORMAT = 1
"""Rises when a program that reads the old shape would fail."""


def plain(decision: Decision) -> dict[str, Any]:
    """Return everything that was asked, found and concluded, of dictionaries, lists, texts and numbers only."""
    recommendation = decision.recommendation
    outcome = recommendation.outcome
    return {
        "format": FORMAT,
        "today": decision.today,
        "tree": {
            "name": decision.ready.name,
            "given": decision.tree,
            "title": decision.ready.title,
            "source": decision.ready.source,
            "margin": decision.ready.margin,
            "sha256": decision.tree_sha256,
        },
        "frameworks": dict(decision.titles),
        "answers": {name: _answer(answer) for name, answer in decision.answers.items()},
        "choice": outcome.choice,
        "open": list(outcome.open),
        "out": {name: [_effect(effect) for effect in effects] for name, effects in outcome.out.items()},
        "runner_up": recommendation.runner_up,
        "margin": recommendation.margin,
        "leads": [{"of": a, "over": b, "points": points} for (a, b), points in outcome.leads.items()],
        "verdict": [_reason(reason) for reason in recommendation.verdict],
        "conflicts": [_reason(reason) for reason in recommendation.conflicts],
        "path": [
            {
                "node": step.node,
                "text": step.text,
                "answer": step.answer,
                "effects": [_effect(effect) for effect in step.effects],
            }
            for step in outcome.path
        ],
        "weights": dict(decision.weights),
        "leaf": outcome.leaf,
        "flips": [
            {
                "kind": flip.kind,
                "subject": flip.subject,
                "value": None if flip.value is None else _answer(flip.value),
                "beyond": flip.beyond,
                "choice": flip.choice,
                "reason": _reason(flip.reason),
            }
            for flip in recommendation.flips
        ],
        "portfolio": dict(outcome.portfolio),
        "portfolio_reasons": [_reason(reason) for reason in recommendation.portfolio],
        "gaps": [
            {
                "claim": gap.claim,
                "frameworks": list(gap.frameworks),
                "text": gap.text,
                "command": gap.command,
            }
            for gap in recommendation.gaps
        ],
        "costs": [{**dataclasses.asdict(cost), "evidence": list(cost.evidence)} for cost in decision.costs],
        "notes": list(decision.notes),
        "evidence": [
            {
                "key": piece.key,
                **dataclasses.asdict(piece),
                "stale": piece.is_stale(decision.today),
                "sha256": evidence_sha256(piece),
            }
            for piece in decision.used
        ],
    }


def _answer(answer: Answer) -> Any:
    return list(answer) if isinstance(answer, tuple) else answer


def _reason(reason: Reason) -> dict[str, Any]:
    return {
        "text": reason.text,
        "evidence": list(reason.evidence),
        "answers": list(reason.answers),
        "citation": reason.citation,
    }


def _effect(effect: Effect) -> dict[str, Any]:
    return {
        "framework": effect.framework,
        "over": effect.over,
        "points": effect.points,
        "out": effect.out,
        "dimension": effect.dimension,
        "role": effect.role,
        "reason": _reason(effect.reason),
    }
