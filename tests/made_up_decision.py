"""Made-up decisions: questions, evidence, a tree with everything that a tree can have, and random ones."""

from __future__ import annotations

import random

from trivet.model.decision import (
    DIMENSIONS,
    ROLES,
    Answer,
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
)
from trivet.model.evidence import Evidence

TODAY = "2026-12-01"
FRAMEWORKS = ("torch", "tensorflow", "jax")
TITLES = {"torch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX"}
RUN = "20261201-004428-bbc0"

QUESTIONS = {
    one.id: one
    for one in (
        Question(id="browser", text="Must it run in a browser?", why="Few do.", kind="yes_no"),
        Question(
            id="first",
            text="What comes first?",
            why="It weighs.",
            kind="one",
            options={"speed": "speed <of training>", "ease": "ease & calm"},
        ),
        Question(
            id="targets",
            text="Where will it run?",
            why="Not all reach all.",
            kind="several",
            options={"phone": "on phones", "server": "on a server"},
        ),
        Question(id="hours", text="How long is a training?", why="Start-up.", kind="number", unit="h"),
        Question(id="libraries", text="Which libraries?", why="They bring one along.", kind="names"),
    )
}

ANSWERS: dict[str, Answer] = {"browser": False, "hours": 3.0, "targets": ("server", "phone")}

EVIDENCE = [
    Evidence(
        claim="performance.throughput",
        framework="jax",
        contestant="jax:jit",
        value=37712.5,
        unit="examples/s",
        low=35800.1,
        high=39600.7,
        n=3,
        source=RUN,
        dated="2026-12-01",
        strength="measured",
        text="jax:jit trains 37 700 examples/s.",
    ),
    Evidence(
        claim="performance.memory",
        framework="torch",
        contestant="torch:eager",
        value=439353344.0,
        unit="bytes",
        low=430000000.0,
        high=450000000.0,
        n=3,
        source=RUN,
        dated="2026-12-01",
        strength="measured",
        text="torch:eager takes 419 MiB.",
    ),
    Evidence(
        claim="performance.ratio",
        framework="jax",
        contestant="jax:jit",
        against="torch:eager",
        value=2.02,
        low=1.92,
        high=2.11,
        n=3,
        source="20260101-000000-0000",
        dated="2026-01-01",
        strength="measured",
        text="jax:jit is 2.02 times as fast as torch:eager.",
    ),
    Evidence(
        claim="ecosystem.targets.browser",
        framework="tensorflow",
        value="native",
        source="https://www.tensorflow.org/js",
        dated="2025-11-01",
        strength="cited",
        expires="2026-11-01",
        text="TensorFlow.js runs TensorFlow models in browsers.",
    ),
    Evidence(
        claim="ecosystem.targets.browser",
        framework="jax",
        value=None,
        source="asked of nobody",
        dated="2026-12-01",
        strength="cited",
        text="Whether JAX models run in browsers is not known.",
    ),
    Evidence(
        claim="ease.code.lines",
        framework="torch",
        value=41,
        unit="lines",
        n=1,
        source="counted in trivet's own files",
        dated="2026-12-01",
        strength="counted",
        text='PyTorch takes 41 lines & no "magic" <tags>.',
    ),
]
KEYS = [piece.key for piece in EVIDENCE]


def effect(
    framework: str,
    points: float = 0.0,
    *,
    over: str = "",
    out: bool = False,
    dimension: str = "ecosystem",
    role: str = "build",
    key: str = KEYS[0],
    question: str = "browser",
) -> Effect:
    """Return an effect whose sentence is traced."""
    return Effect(
        framework=framework,
        over=over,
        points=points,
        out=out,
        dimension=dimension,  # type: ignore[arg-type]
        role=role,  # type: ignore[arg-type]
        reason=Reason(text=f"{TITLES[framework]}, by {question}.", evidence=(key,), answers=(question,)),
    )


def tree() -> ReadyTree:
    """Return a tree with a fork, every kind of question, weights, advantages over one alone and hard constraints."""
    nodes = (
        Node(
            id="browser",
            question="browser",
            text="In a browser?",
            branches=(
                Branch(answer="yes", effects=(effect("torch", out=True, key=KEYS[3]),), next="first"),
                Branch(
                    answer="no", effects=(effect("torch", 0.5, dimension="ease", key=KEYS[5]),), next="hours"
                ),
                Branch(answer="", next="first"),
            ),
        ),
        Node(
            id="first",
            question="first",
            text="What comes first, and how much does it weigh?",
            branches=(
                Branch(answer="speed", weights={"performance": 2.0}, next="hours"),
                Branch(answer="ease", weights={"ease": 1.5, "performance": 0.5}, next="hours"),
                Branch(answer="", next="hours"),
            ),
        ),
        Node(
            id="hours",
            question="hours",
            text="How long is a training?",
            branches=(
                Branch(answer="", next="targets"),
                Branch(answer="", above=0.0, next="targets"),
                Branch(
                    answer="",
                    above=0.4,
                    effects=(
                        effect(
                            "jax", 1.0, over="torch", dimension="performance", key=KEYS[2], question="hours"
                        ),
                    ),
                    next="targets",
                ),
                Branch(
                    answer="",
                    above=7.25,
                    effects=(
                        effect(
                            "jax", 2.0, over="torch", dimension="performance", key=KEYS[2], question="hours"
                        ),
                        effect("jax", 1.0, over="tensorflow", dimension="performance", question="hours"),
                    ),
                    next="targets",
                ),
            ),
        ),
        Node(
            id="targets",
            question="targets",
            text="Where will it run?",
            branches=(
                Branch(
                    answer="phone",
                    effects=(effect("tensorflow", 1.0, role="ship", key=KEYS[3], question="targets"),),
                    next="libraries",
                ),
                Branch(
                    answer="server",
                    effects=(effect("torch", 1.0, role="ship", question="targets"),),
                    next="evidence",
                ),
                Branch(answer="", next="evidence"),
            ),
        ),
        Node(
            id="libraries",
            question="libraries",
            text="Which libraries?",
            branches=(
                Branch(
                    answer="transformers",
                    effects=(
                        effect("torch", 2.0, question="libraries"),
                        effect("jax", -1.0, role="research", question="libraries"),
                    ),
                    next="evidence",
                ),
                Branch(answer="", next="evidence"),
            ),
        ),
        Node(
            id="evidence",
            question="",
            text="What is counted",
            branches=(
                Branch(
                    answer="", effects=(effect("torch", 0.25, dimension="ease", key=KEYS[5]),), next="end"
                ),
            ),
        ),
    )
    return ReadyTree(
        name="made_up",
        title="A made-up tree",
        source="Somebody, A made-up article, https://example.org/article, 2025-01-01.",
        start="browser",
        margin=1.0,
        frameworks=FRAMEWORKS,
        nodes={node.id: node for node in nodes},
        leaves={"end": Leaf(id="end", choose="leader", text="Whoever leads")},
    )


def recommendation(outcome: Outcome) -> Recommendation:
    """Return what might be said of an outcome of the tree."""
    return Recommendation(
        tree="made_up",
        outcome=outcome,
        runner_up="",
        margin=None,
        verdict=(
            Reason(text="Nobody leads by 1 point.", evidence=(KEYS[0], KEYS[3]), answers=("browser",)),
            Reason(text="The article says so.", citation="Another article without an address, 2024."),
        ),
        conflicts=(Reason(text="Phone and server pull apart.", answers=("targets",)),),
        flips=(
            Flip(
                kind="answer",
                subject="hours",
                value=7.25,
                beyond=True,
                choice="jax",
                reason=Reason(text="JAX instead from 7.25 h on.", evidence=(KEYS[2],), answers=("hours",)),
            ),
            Flip(
                kind="answer",
                subject="browser",
                value=True,
                choice="tensorflow",
                reason=Reason(
                    text="TensorFlow instead in a browser.", evidence=(KEYS[3],), answers=("browser",)
                ),
            ),
            Flip(
                kind="evidence",
                subject=KEYS[2],
                value=1.92,
                choice="",
                reason=Reason(text="Undecided at the interval's other end.", evidence=(KEYS[2],)),
            ),
        ),
        portfolio=(Reason(text="PyTorch ships to servers.", evidence=(KEYS[0],), answers=("targets",)),),
        gaps=(
            Gap(
                claim="ecosystem.targets.browser",
                frameworks=("jax",),
                text="Nobody knows whether JAX runs in a browser.",
                command="trivet needs jax",
            ),
        ),
    )


def random_tree(rng: random.Random) -> ReadyTree:
    """Return a tree with random effects, weights, forks and leaf; its nodes lead only onwards."""
    names = [f"n{number}" for number in range(rng.randint(1, 9))]
    leaves = {
        name: Leaf(
            id=name, choose=rng.choice(("leader", "leader", "voices", "undecided", *FRAMEWORKS)), text=name
        )
        for name in ("l1", "l2")
    }
    nodes = {}
    for place, name in enumerate(names):
        onwards = [*names[place + 1 : place + 3], *leaves]
        question = rng.choice(("", *QUESTIONS))
        nodes[name] = Node(
            id=name,
            question=question,
            text=name,
            branches=tuple(_random_branches(rng, question, onwards)),
        )
    return ReadyTree(
        name="random",
        title="Random",
        source="",
        start=names[0],
        margin=rng.choice((0.5, 1.0, 1.5)),
        frameworks=FRAMEWORKS,
        nodes=nodes,
        leaves=leaves,
    )


def random_answers(rng: random.Random) -> dict[str, Answer]:
    """Return answers to some of the questions, some of them without a branch of their own."""
    candidates: dict[str, Answer] = {
        "browser": rng.random() < 0.5,
        "first": rng.choice(("speed", "ease", "unheard of")),
        "targets": tuple(rng.sample(("phone", "server"), rng.randint(1, 2))),
        "hours": rng.choice((0.0, 0.1, 0.4, 2.5, 7.25, 1000.0)),
        "libraries": tuple(rng.sample(("transformers", "optax", "unheard-of"), rng.randint(1, 3))),
        "several_frameworks": rng.random() < 0.7,
    }
    return {name: answer for name, answer in candidates.items() if rng.random() < 0.75}


def _random_branches(rng: random.Random, question: str, onwards: list[str]) -> list[Branch]:
    kinds: dict[str, list[tuple[str, float | None]]] = {
        "": [("", None)],
        "browser": [("yes", None), ("no", None), ("", None)],
        "first": [("speed", None), ("ease", None), ("", None)],
        "targets": [("phone", None), ("server", None), ("", None)],
        "hours": [("", None), ("", 0.0), ("", 0.4), ("", 7.25)],
        "libraries": [("transformers", None), ("optax", None), ("", None)],
    }
    return [
        Branch(
            answer=answer,
            above=above,
            effects=tuple(_random_effect(rng) for _ in range(rng.randint(0, 3))),
            weights={rng.choice(DIMENSIONS): rng.choice((0.5, 1.5, 3.0))} if rng.random() < 0.2 else {},
            next=rng.choice(onwards),
        )
        for answer, above in kinds[question]
    ]


def _random_effect(rng: random.Random) -> Effect:
    framework = rng.choice(FRAMEWORKS)
    out = rng.random() < 0.08
    return effect(
        framework,
        0.0 if out else rng.choice((-1.0, -0.5, 0.3, 0.7, 1.0, 2.0)),
        over=rng.choice([one for one in FRAMEWORKS if one != framework])
        if not out and rng.random() < 0.3
        else "",
        out=out,
        dimension=rng.choice(DIMENSIONS),
        role=rng.choice(ROLES),
    )
