"""Makes a tree ready: fills evidence into every branch, before any answer is known."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from trivet import catalog
from trivet.decide.known import Filled, Known, Missing
from trivet.decide.rules import dominance, less, race, value
from trivet.decide.tree import EACH, Advice, Rule, Tree, TreeBranch, TreeNode
from trivet.model.decision import Answer, Branch, Effect, Node, Question, ReadyTree, Reason
from trivet.model.evidence import Evidence


def make_ready(
    tree: Tree, evidence: Sequence[Evidence], *, frameworks: Sequence[str], today: str
) -> ReadyTree:
    """Return a tree whose branches hold what they do to each framework.

    Args:
        tree: as its author wrote it.
        evidence: all there is; of frameworks that are not in question too.
        frameworks: in question.
        today: ISO date, by which evidence is stale or not.
    """
    known = known_of(evidence, frameworks=frameworks, today=today)
    return fill(tree, known)


def known_of(evidence: Sequence[Evidence], *, frameworks: Sequence[str], today: str) -> Known:
    """Return evidence ready to be looked up."""
    titles = {info.name: info.title for info in catalog.frameworks().values()}
    return Known(evidence=tuple(evidence), frameworks=tuple(frameworks), titles=titles, today=today)


def fill(tree: Tree, known: Known, like: ReadyTree | None = None, claims: Sequence[str] = ()) -> ReadyTree:
    """Return a tree with evidence in it.

    Args:
        tree: as its author wrote it.
        known: the evidence.
        like: the same tree with evidence that differs by some claims only; nodes that do not look at them are kept.
        claims: that differ.
    """
    nodes = {}
    for node in tree.nodes.values():
        kept = like is not None and not any(
            looks_at(rule, claim) for rule in _rules(node) for claim in claims
        )
        nodes[node.id] = like.nodes[node.id] if kept and like is not None else _node(node, tree, known)
    return ReadyTree(
        name=tree.name,
        title=tree.title,
        source=tree.source,
        start=tree.start,
        margin=tree.margin,
        frameworks=known.frameworks,
        nodes=nodes,
        leaves=tree.leaves,
    )


def looks_at(rule: Rule, claim: str) -> bool:
    """Say whether a rule can look at evidence of a claim."""
    if rule.kind in ("speed", "training"):
        return claim.startswith("performance.")
    return claim == rule.claim or (
        ("{answer}" in rule.claim or "*" in rule.claim)
        and claim.startswith(rule.claim.split("{")[0].split("*")[0])
    )


def lacking(node: TreeNode, question: Question | None, answer: Answer | None, known: Known) -> list[Missing]:
    """Return the evidence that the branches of an answer look for in vain."""
    found: list[Missing] = []
    for branch, name in _taken(node, question, answer):
        for rule in branch.rules:
            found += (
                race.stretches(rule, known)[1].missing
                if rule.kind == "training"
                else _fill(rule, name, known).missing
            )
    return found


def _taken(
    node: TreeNode, question: Question | None, answer: Answer | None
) -> Iterator[tuple[TreeBranch, str]]:
    """Give the branches of an answer, each with the name that stands for "{answer}" in it."""
    own = {branch.answer: branch for branch in node.branches if branch.above is None}
    if question is None or answer is None or answer == ():
        yield own[""], ""
    elif isinstance(answer, bool):
        name = "yes" if answer else "no"
        yield own.get(name, own[""]), name
    elif isinstance(answer, str | tuple):
        for name in (answer,) if isinstance(answer, str) else answer:
            yield own.get(name, own.get(EACH, own[""])), name
    else:
        below = [one for one in node.branches if one.above is not None and one.above <= answer]
        chosen = max(below, key=lambda one: one.above or 0.0) if below else own.get(EACH, own[""])
        yield chosen, ""


def _rules(node: TreeNode) -> Iterator[Rule]:
    for branch in node.branches:
        yield from branch.rules


def _node(node: TreeNode, tree: Tree, known: Known) -> Node:
    question = tree.questions.get(node.question)
    branches: list[Branch] = []
    for branch in node.branches:
        if branch.answer != EACH:
            branches.append(_branch(branch, branch.answer, question, known, tree.source))
        elif question is not None and question.kind == "number":
            branches += _stretches(branch, known, tree.source)
        else:
            own = {one.answer for one in node.branches}
            names = _names(branch, question, known)
            branches += [
                _branch(branch, name, question, known, tree.source) for name in names if name not in own
            ]
    if node.question:
        branches = [_asked(branch, node.question) for branch in branches]
    return Node(id=node.id, question=node.question, text=node.text, branches=tuple(branches))


def _asked(branch: Branch, question: str) -> Branch:
    """Return a branch whose reasons name the question."""
    effects = [
        dataclasses.replace(effect, reason=dataclasses.replace(effect.reason, answers=(question,)))
        for effect in branch.effects
    ]
    return dataclasses.replace(branch, effects=tuple(effects))


def _names(branch: TreeBranch, question: Question | None, known: Known) -> list[str]:
    """Return the answers that a branch for each one stands for: options, or the names that evidence speaks of."""
    if question is not None and question.options:
        return list(question.options)
    prefixes = [
        rule.claim.removesuffix("{answer}") for rule in branch.rules if rule.claim.endswith("{answer}")
    ]
    return list(
        dict.fromkeys(claim.removeprefix(prefix) for prefix in prefixes for claim in known.claims(prefix))
    )


def _branch(
    branch: TreeBranch, answer: str, question: Question | None, known: Known, citation: str
) -> Branch:
    effects = [
        effect for advice in branch.advice for effect in _advised(advice, answer, question, known, citation)
    ]
    for rule in branch.rules:
        effects += _fill(rule, answer, known).effects
    return Branch(
        answer=answer, above=branch.above, effects=tuple(effects), weights=branch.weights, next=branch.next
    )


def _stretches(branch: TreeBranch, known: Known, citation: str) -> list[Branch]:
    """Return the branches of a number whose edges follow from the evidence."""
    advised = tuple(
        effect for advice in branch.advice for effect in _advised(advice, "", None, known, citation)
    )
    found: Mapping[float, tuple[Effect, ...]] = {0.0: ()}
    for rule in branch.rules:
        found = _together(found, {one.above: one.effects for one in race.stretches(rule, known)[0]})
    return [
        Branch(answer="", above=above, effects=advised + effects, weights=branch.weights, next=branch.next)
        for above, effects in found.items()
    ]


def _together(
    one: Mapping[float, tuple[Effect, ...]], other: Mapping[float, tuple[Effect, ...]]
) -> dict[float, tuple[Effect, ...]]:
    """Return two series of stretches as one."""

    def at(series: Mapping[float, tuple[Effect, ...]], edge: float) -> tuple[Effect, ...]:
        return series[max(above for above in series if above <= edge)]

    return {edge: at(one, edge) + at(other, edge) for edge in sorted({*one, *other})}


def _fill(rule: Rule, answer: str, known: Known) -> Filled:
    match rule.kind:
        case "value":
            return value.fill(rule, answer, known)
        case "less":
            return less.fill(rule, answer, known)
        case "speed":
            return race.fill_speed(rule, known)
        case "dominance":
            return dominance.fill(rule, known)
        case "training":
            return Filled()  # Its effects depend on the number; see `_stretches`.


def _advised(
    advice: Advice, answer: str, question: Question | None, known: Known, citation: str
) -> Iterator[Effect]:
    """Give the effects that an author states outright, on frameworks in question."""
    said = question.options.get(answer, answer) if question is not None else answer
    for framework in known.frameworks:
        if not any(_means(name, framework, answer) for name in advice.frameworks):
            continue
        text = advice.reason.replace("{framework}", known.title(framework)).replace("{answer}", said)
        for role in advice.roles:
            yield Effect(
                framework=framework,
                points=-advice.points if advice.verb == "against" else advice.points,
                out=advice.verb == "out",
                dimension=advice.dimension,
                role=role,
                reason=Reason(text=text, citation=citation),
            )


def _means(name: str, framework: str, answer: str) -> bool:
    if name == "not {answer}":
        return framework != answer
    return framework == (answer if name == "{answer}" else name)
