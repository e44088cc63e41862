"""A made-up decision in which every part is there: somebody is out, somebody leads, something is stale, much is missing."""

from __future__ import annotations

import dataclasses

from trivet.decide.decision import Decision
from trivet.evidence.cost import costs
from trivet.model.decision import (
    Branch,
    Effect,
    Flip,
    Gap,
    Leaf,
    Node,
    Outcome,
    Question,
    ReadyTree,
    Reason,
    Recommendation,
    Step,
)
from trivet.model.evidence import Evidence

TODAY = "2026-12-01"
TITLES = {"torch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX"}

QUESTIONS = {
    one.id: one
    for one in (
        Question(
            id="targets",
            text="Where must the model run?",
            why="not every framework reaches every place",
            kind="several",
            options={"phone": "phones", "browser": "browsers"},
        ),
        Question(
            id="training_hours", text="How long is one training run?", why="start-up", kind="number", unit="h"
        ),
        Question(id="debugging", text="Do you debug a lot?", why="ease", kind="yes_no"),
    )
}

PHONE = Evidence(
    claim="ecosystem.targets.phone",
    framework="torch",
    value="native",
    source="https://example.org/phones",
    dated="2026-06-01",
    strength="cited",
    expires="2027-03-01",
    text="PyTorch models run on phones.",
)
STALE = Evidence(
    claim="ecosystem.targets.phone",
    framework="jax",
    value="none",
    source="https://example.org/old",
    dated="2025-01-01",
    strength="cited",
    expires="2026-01-01",
    text="JAX models run on no phone | so it was said.",
)
SPEED = Evidence(
    claim="performance.throughput",
    framework="torch",
    contestant="torch:eager",
    value=117.25,
    unit="images/s",
    low=111.0,
    high=124.0,
    n=3,
    source="20261201-004428-bbc0",
    dated="2026-12-01",
    strength="measured",
    text="PyTorch (torch:eager) trains resnet18 at 117 (111–124) images/s.",
)
START = dataclasses.replace(
    SPEED,
    claim="performance.startup_cold",
    value=2.08,
    unit="s",
    low=None,
    high=None,
    n=1,
    text="It starts in 2.08 s.",
)
UNUSED = dataclasses.replace(PHONE, claim="ecosystem.targets.edge", text="Nobody asked for this.")

EVIDENCE = (PHONE, STALE, SPEED, START, UNUSED)

OUT = Effect(
    framework="jax",
    out=True,
    dimension="ecosystem",
    role="ship",
    reason=Reason(text="JAX reaches no phone.", evidence=(STALE.key,), answers=("targets",)),
)
FOR_TORCH = Effect(
    framework="torch",
    points=2.0,
    dimension="ecosystem",
    role="ship",
    reason=Reason(
        text="PyTorch reaches phones by its own tools.", evidence=(PHONE.key,), answers=("targets",)
    ),
)
AGAINST_TORCH = Effect(
    framework="torch",
    points=-0.5,
    dimension="ease",
    role="build",
    reason=Reason(text="Its errors are long.", answers=("debugging",)),
)
FOR_TENSORFLOW = Effect(
    framework="tensorflow",
    over="torch",
    points=0.5,
    dimension="performance",
    role="research",
    reason=Reason(text="TensorFlow is done sooner.", evidence=(SPEED.key,)),
)

READY = ReadyTree(
    name="made-up",
    title="A made-up tree",
    source="",
    start="reach",
    margin=1.0,
    frameworks=tuple(TITLES),
    nodes={
        "reach": Node(
            id="reach",
            question="targets",
            text="Where must the model run?",
            branches=(
                Branch(answer="phone", effects=(OUT, FOR_TORCH), next="speed"),
                Branch(answer="", next="speed"),
            ),
        ),
        "speed": Node(
            id="speed",
            question="training_hours",
            text="How long is one training run?",
            branches=(
                Branch(answer="", effects=(FOR_TENSORFLOW, AGAINST_TORCH), next="end"),
                Branch(answer="", above=2.0, effects=(), next="end"),
            ),
        ),
    },
    leaves={"end": Leaf(id="end", choose="leader", text="Whoever leads.")},
)

OUTCOME = Outcome(
    choice="torch",
    open=("torch",),
    out={"jax": (OUT,)},
    leads={("torch", "tensorflow"): 1.25, ("tensorflow", "torch"): -1.25},
    path=(
        Step(node="reach", text="Where must the model run?", answer="phones", effects=(OUT, FOR_TORCH)),
        Step(
            node="speed",
            text="How long is one training run?",
            answer="3 h",
            effects=(FOR_TENSORFLOW, AGAINST_TORCH),
        ),
    ),
    leaf="end",
    portfolio={"build": "torch", "research": "tensorflow", "ship": ""},
)

RECOMMENDATION = Recommendation(
    tree="made-up",
    outcome=OUTCOME,
    runner_up="tensorflow",
    margin=1.25,
    verdict=(Reason(text="PyTorch, since it reaches phones.", evidence=(PHONE.key,)),),
    conflicts=(Reason(text="Two answers pull apart.", answers=("targets", "debugging")),),
    flips=(
        Flip(
            kind="answer",
            subject="training_hours",
            value=2.0,
            beyond=False,
            choice="tensorflow",
            reason=Reason(
                text="TensorFlow instead if the training is shorter than 2 h.", evidence=(START.key,)
            ),
        ),
    ),
    portfolio=(Reason(text="TensorFlow for research is done sooner.", evidence=(SPEED.key,)),),
    gaps=(
        Gap(
            claim="performance.ratio",
            frameworks=("jax",),
            text="How fast JAX is here has not been measured.",
            command="trivet compare resnet18",
        ),
    ),
)


def made_up_decision(**changes: object) -> Decision:
    """Return the decision, with some of its fields replaced."""
    decision = Decision(
        tree="made-up",
        tree_sha256="ab" * 32,
        ready=READY,
        questions=QUESTIONS,
        answers={"targets": ("phone",), "training_hours": 3.0},
        evidence=EVIDENCE,
        notes=("Performance is that of resnet18.",),
        recommendation=RECOMMENDATION,
        weights={"performance": 2.0},
        costs=costs(EVIDENCE, training_hours=3.0, price_per_hour=2.5),
        titles=TITLES,
        workload="",
        today=TODAY,
    )
    return dataclasses.replace(decision, **changes)


def undecided(*frameworks: str, **changes: object) -> Decision:
    """Return the decision with nothing chosen, frameworks left open."""
    outcome = dataclasses.replace(OUTCOME, choice="", open=frameworks, portfolio={})
    recommendation = dataclasses.replace(
        RECOMMENDATION, outcome=outcome, runner_up="", margin=None, portfolio=(), flips=(), gaps=()
    )
    return made_up_decision(recommendation=recommendation, **changes)
