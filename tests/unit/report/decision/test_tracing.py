import pytest

from made_up_decision import EVIDENCE, KEYS, QUESTIONS
from trivet.model.decision import Reason
from trivet.report.decision.tracing import address, tracing


def test_a_sentence_links_to_all_that_it_rests_on_once() -> None:
    traces = tracing(EVIDENCE, list(QUESTIONS.values()), ["Book", "", "Book", "Paper"])
    reason = Reason(
        text="So.", evidence=(KEYS[2], KEYS[0], KEYS[2]), answers=("hours", "browser"), citation="Paper"
    )
    assert [link.href for link in traces.links(reason)] == ["#e3", "#e1", "#a4", "#a1", "#c2"]


def test_evidence_of_two_runs_is_linked_twice() -> None:
    traces = tracing([EVIDENCE[0], EVIDENCE[1], EVIDENCE[0]], [], [])
    assert [link.href for link in traces.links(Reason(text="So.", evidence=(KEYS[0],)))] == ["#e1", "#e3"]


@pytest.mark.parametrize(
    "reason", [Reason(text="So.", evidence=("no.such/jax",)), Reason(text="So.", answers=("no.such",))]
)
def test_what_is_not_there_is_named(reason: Reason) -> None:
    with pytest.raises(ValueError, match=r'"So\." rests on no\.such'):
        tracing(EVIDENCE, list(QUESTIONS.values()), []).links(reason)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A. Nobody, Title, https://example.org/a_b?c=1, 2024.", "https://example.org/a_b?c=1"),
        ("(see https://example.org/x).", "https://example.org/x"),
        ("https://example.org/", "https://example.org/"),
        ("javascript:alert(1)", ""),
        ("a run", ""),
    ],
)
def test_addresses(text: str, found: str) -> None:
    assert address(text) == found
