"""What `trivet choose` says, in the terminal: readable at 80 columns and without colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trivet import figures
from trivet.console.paragraphs import entry
from trivet.decide import way, words
from trivet.decide.decision import Decision
from trivet.evidence.cost import Cost
from trivet.model.decision import ROLES, Effect, Step
from trivet.model.evidence import Evidence
from trivet.model.result import Estimate
from trivet.record.recheck import Change, Recheck, says

_STANDINGS = {
    "holds": "The decision holds.",
    "does not hold": "The decision no longer holds.",
    "undecided now": "The decision no longer holds: it is undecided now.",
}


def choice_view(decision: Decision) -> RenderableType:
    """Return the whole: who is out, the choice, the path, what would change it, what is missing, the evidence."""
    recommendation = decision.recommendation
    sections: list[tuple[str, list[RenderableType]]] = [
        ("Out by a hard constraint", list(_out(decision))),
        (_headline(decision), list(_verdict(decision))),
        ("What pulls apart", _marked("-", (decision.cited(one) for one in recommendation.conflicts))),
        ("How it got there", list(_path(decision))),
        ("What would change it", _marked("-", (decision.cited(one.reason) for one in recommendation.flips))),
        ("More than one framework", list(_portfolio(decision))),
        ("What one training run costs", list(_costs(decision))),
        ("What is missing", list(_gaps(decision))),
        ("Evidence", list(_evidence(decision))),
    ]
    parts: list[RenderableType] = []
    for heading, entries in sections:
        if entries or heading == _headline(decision):
            parts += [Text(heading, style="bold"), *entries, Text()]
    return Group(*parts[:-1])


def recheck_view(recheck: Recheck, decision: Decision) -> RenderableType:
    """Return whether a record holds, and what has changed since, piece by piece."""
    then, now = (_title(decision, name) or "undecided" for name in (recheck.before, recheck.after))
    parts: list[RenderableType] = [
        Text(_standing(recheck), style="bold"),
        Text(f"Then: {then}. Now: {now}."),
    ]
    if recheck.tree_changed:
        parts.append(Text("The tree is not the one of the record; its rules may be what differs."))
    telling = [one for one in recheck.changes if one.says_else]
    if telling:
        parts += [
            Text(),
            Text("What the evidence says now", style="bold"),
            *_marked("-", map(_change, telling)),
        ]
    quiet = len(recheck.changes) - len(telling)
    if quiet:
        parts += [
            Text(),
            Text(f"{quiet} more with a new date or source, or a number within its old interval."),
        ]
    if not recheck.changes:
        parts.append(Text("The evidence is the same."))
    return Group(*parts)


def _standing(recheck: Recheck) -> str:
    if recheck.unmeasured and recheck.standing == "holds":
        return "The decision holds without any measurement: nothing is known of performance any more."
    return _STANDINGS[recheck.standing]


def _headline(decision: Decision) -> str:
    outcome = decision.recommendation.outcome
    if outcome.choice:
        alone = _title(decision, outcome.choice)
        margin = decision.recommendation.margin
        if (
            outcome.portfolio
            and margin is not None
            and decision.ready.leaves[outcome.leaf].choose == "leader"
        ):
            alone = f"{alone} by {words.points(margin)}"
    elif outcome.open:
        alone = f"Undecided: {' or '.join(_title(decision, name) for name in outcome.open)}"
    else:
        alone = "Nothing is left: every framework breaks a hard constraint"
    return words.parts(outcome, decision.titles, alone)


def _out(decision: Decision) -> Iterator[RenderableType]:
    for name, effects in decision.recommendation.outcome.out.items():
        for effect in effects:
            yield entry("x", _named(decision, name, effect))


def _verdict(decision: Decision) -> Iterator[RenderableType]:
    above = {effect.reason for effects in decision.recommendation.outcome.out.values() for effect in effects}
    for reason in decision.recommendation.verdict:
        if reason not in above:
            yield entry("", decision.cited(reason))
    outcome = decision.recommendation.outcome
    if not outcome.choice:
        for (a, b), points in outcome.leads.items():
            if points > 0 and {a, b} <= set(outcome.open):
                ahead = f"{_title(decision, a)} is {words.points(points)} ahead of {_title(decision, b)}"
                yield entry("", f"{ahead}; a choice needs {decision.ready.margin:g} over every other.")


def _path(decision: Decision) -> Iterator[RenderableType]:
    quiet, unknown = [], []
    weighing = way.weighing(decision)
    for step in decision.recommendation.outcome.path:
        effects = decision.telling(step)
        shown = f"{step.text} {decision.said(step)}".rstrip()
        if not effects:
            asked = decision.ready.nodes[step.node].question
            if asked in decision.answers and way.idle(decision, step):
                quiet.append(shown)
            elif asked in decision.answers and way.turn(decision, step):
                yield entry("-", f"{shown}: on to “{way.turn(decision, step)}”")
            elif asked and asked not in decision.answers:
                unknown.append(asked)
            continue
        yield entry("-", shown)
        for effect in effects:
            yield entry(_points(effect), _effect(decision, effect), indent=2)
    for dimension, steps in weighing.items():
        yield entry("-", _weighed(decision, dimension, steps))
    if quiet:
        yield entry("-", f"Without effect: {'; '.join(quiet)}.")
    if unknown:
        yield entry("-", f"Not known: {', '.join(dict.fromkeys(unknown))}.")


def _weighed(decision: Decision, dimension: str, steps: list[tuple[Step, float]]) -> str:
    product = " × ".join(f"{factor:g}" for _, factor in steps)
    product = f" ({product})" if len(steps) > 1 else ""
    why = "; ".join(f"{step.text} {decision.said(step)}".rstrip() for step, _ in steps)
    return f"{dimension} counts {decision.weights[dimension]:g} times{product}: {why}."


def _points(effect: Effect) -> str:
    return "out" if effect.out else f"{effect.points:+.3g}"


def _named(decision: Decision, framework: str, effect: Effect) -> str:
    """Return a sentence with the framework that it is about, once."""
    title = _title(decision, framework)
    said = decision.cited(effect.reason)
    return said if said.startswith(f"{title} ") else f"{title}: {said}"


def _effect(decision: Decision, effect: Effect) -> str:
    if effect.out:
        return _named(decision, effect.framework, effect)
    over = f" over {_title(decision, effect.over)}" if effect.over else ""
    return f"{_title(decision, effect.framework)}{over}, {effect.dimension}: {decision.cited(effect.reason)}"


def _portfolio(decision: Decision) -> Iterator[RenderableType]:
    roles = decision.recommendation.outcome.portfolio
    for role in ROLES:
        if role in roles:
            yield entry("-", f"{words.ROLES[role]}: {_title(decision, roles[role]) or 'nothing decides'}")
    yield from _marked("", (decision.cited(reason) for reason in decision.recommendation.portfolio))


def _costs(decision: Decision) -> Iterator[RenderableType]:
    costs = decision.costs
    if not costs:
        return
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    table.add_column("  contestant", no_wrap=True)
    headings = ["hours"]
    headings += ["price"] if any(cost.price for cost in costs) else []
    headings += ["GPU energy"] if any(cost.energy for cost in costs) else []
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for cost in costs:
        table.add_row(f"  {cost.contestant}", *_cost_cells(cost, headings))
    yield table


def _cost_cells(cost: Cost, headings: list[str]) -> list[str]:
    cells = {"hours": cost.hours, "price": cost.price, "GPU energy": cost.energy}
    return [_estimate(cells[heading]) for heading in headings]


def _estimate(estimate: Estimate | None) -> str:
    if estimate is None:
        return "-"
    unit = "" if estimate.unit == "per run" else f" {estimate.unit}"
    low_high = "" if estimate.low is None else f" ({figures.interval(estimate.low, estimate.high)})"
    return f"{figures.number(estimate.value)}{unit}{low_high}"


def _gaps(decision: Decision) -> Iterator[RenderableType]:
    texts: dict[str, list[str]] = {}
    for gap in decision.recommendation.gaps:
        texts.setdefault(gap.command, []).append(gap.text)
    for command, gaps in texts.items():
        yield from _marked("-", gaps)
        if command:
            yield entry("", command, indent=2)


def _evidence(decision: Decision) -> Iterator[RenderableType]:
    for note in decision.notes:
        yield entry("", note)
    for number, piece in enumerate(decision.used, start=1):
        yield entry(f"[{number}]", f"{piece.text}\n{_source(piece, decision.today)}")


def _source(piece: Evidence, today: str) -> str:
    stale = f"; STALE since {piece.expires}, counts half" if piece.is_stale(today) else ""
    return f"{piece.strength}, {piece.dated}{stale}: {piece.source}"


def _change(change: Change) -> str:
    if change.before is None:
        return f"{change.key}: now used: {says(change.after)}"
    return f"{change.key}: {says(change.before)} -> {says(change.after)}"


def _marked(mark: str, texts: Iterable[str]) -> list[RenderableType]:
    return [entry(mark, text) for text in texts]


def _title(decision: Decision, framework: str) -> str:
    return decision.titles.get(framework, framework)
