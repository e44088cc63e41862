"""Made-up answers to a tree's questions, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from trivet.decide.tree import Tree
from trivet.model.decision import Answer, Question

LIBRARIES = ("transformers", "keras-hub", "optax", "vanished", "never-asked")


def answer_to(question: Question) -> st.SearchStrategy[Answer | None]:
    """Return a strategy for the answers to a question, "don't know" included."""
    match question.kind:
        case "yes_no":
            known = st.booleans()
        case "one":
            known = st.sampled_from(list(question.options))
        case "several":
            known = st.lists(st.sampled_from(list(question.options)), unique=True).map(
                lambda chosen: tuple(option for option in question.options if option in chosen)
            )
        case "names":
            known = st.lists(st.sampled_from(LIBRARIES), unique=True).map(tuple)
        case _:
            known = st.floats(-5, 4).map(lambda exponent: 10.0**exponent)
    return st.none() | known


def answers_to(tree: Tree) -> st.SearchStrategy[dict[str, Answer]]:
    """Return a strategy for sets of answers; what is not known is left out."""
    return st.fixed_dictionaries(
        {name: answer_to(question) for name, question in tree.questions.items()}
    ).map(lambda every: {name: answer for name, answer in every.items() if answer not in (None, ())})
