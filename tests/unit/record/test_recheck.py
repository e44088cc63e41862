import dataclasses
import re

import pytest

from made_up_choice import (
    EVIDENCE,
    OUTCOME,
    PHONE,
    RECOMMENDATION,
    SPEED,
    STALE,
    START,
    UNUSED,
    made_up_decision,
    undecided,
)
from trivet.console.choice import recheck_view
from trivet.console.paragraphs import render_text
from trivet.errors import UsageError
from trivet.model.decision import Reason
from trivet.record import block
from trivet.record.madr import render
from trivet.record.recheck import recheck, says


def recorded(decision=None):
    return block.read(render(decision or made_up_decision(), "a.md"), "a.md")


def with_evidence(*pieces):
    others = [piece for piece in EVIDENCE if piece.key not in {one.key for one in pieces}]
    return made_up_decision(evidence=(*pieces, *others))


def chosen(framework: str):
    outcome = dataclasses.replace(OUTCOME, choice=framework, open=(framework,))
    return made_up_decision(recommendation=dataclasses.replace(RECOMMENDATION, outcome=outcome))


def test_a_record_is_read_as_it_was_written():
    found = recorded()
    assert found.choice == "torch"
    assert found.answers == {"targets": ["phone"], "training_hours": 3.0}
    assert found.evidence == (STALE, PHONE, SPEED, START)
    assert found.frameworks == ("torch", "tensorflow", "jax")


def test_the_prose_may_be_edited():
    text = render(made_up_decision(), "a.md").replace("## Decision drivers", "## What drove us\n\nMuch.")
    assert block.read(text, "a.md") == recorded()


@pytest.mark.parametrize(
    "edit",
    [
        ('choice = "torch"', 'choice = "jax"'),
        ("training_hours = 3.0", "training_hours = 30.0"),
        ("training_hours = 3.0", "training_hours = 2026-12-01"),
        ("value = 117.25", "value = 200.0"),
        ("format = 1", "format = 0"),
        ("n = 3\n", ""),
    ],
)
def test_an_edited_block_is_refused(edit):
    text = render(made_up_decision(), "a.md")
    assert edit[0] in text
    with pytest.raises(UsageError, match="its checksum does not fit") as error:
        block.read(text.replace(*edit), "a.md")
    assert "--record" in error.value.remedy


def test_damaged_and_newer_records_are_refused():
    text = render(made_up_decision(), "a.md")
    with pytest.raises(UsageError, match="holds 0 blocks"):
        block.read("# Use PyTorch\n", "a.md")
    with pytest.raises(UsageError, match="holds 0 blocks"):
        block.read(text.rstrip("`\n"), "a.md")
    with pytest.raises(UsageError, match="holds 2 blocks"):
        block.read(text + text, "a.md")
    with pytest.raises(UsageError, match="damaged"):
        block.read(text.replace('choice = "torch"', "choice = "), "a.md")
    with pytest.raises(UsageError, match="has format 2"):
        block.read(text.replace("format = 1", "format = 2"), "a.md")


def test_the_same_evidence_holds():
    found = recheck(recorded(), made_up_decision())
    assert (found.standing, found.changes, found.tree_changed) == ("holds", (), False)


def test_another_choice_does_not_hold_and_none_is_undecided_now():
    assert recheck(recorded(), chosen("tensorflow")).standing == "does not hold"
    assert recheck(recorded(), undecided("torch", "tensorflow")).standing == "undecided now"


def test_undecided_then_and_now_holds_and_a_choice_since_does_not():
    then = recorded(undecided("torch", "tensorflow"))
    assert recheck(then, undecided("torch", "tensorflow")).standing == "holds"
    assert recheck(then, chosen("torch")).standing == "does not hold"


def test_what_changed_is_told_piece_by_piece():
    slower = dataclasses.replace(SPEED, value=60.0, low=55.0, high=65.0, source="20270101-000000-ffff")
    dated = dataclasses.replace(PHONE, dated="2026-11-01", expires="2027-11-01")
    found = recheck(recorded(), with_evidence(slower, dated))
    telling, quiet = found.changes
    assert (telling.key, telling.says_else) == ("performance.throughput/torch:eager", True)
    assert (says(telling.before), says(telling.after)) == (
        "117 images/s (111–124)",
        "60.0 images/s (55.0–65.0)",
    )
    assert (quiet.key, quiet.says_else) == (PHONE.key, False)


def test_a_number_within_its_old_interval_says_nothing_else():
    again = dataclasses.replace(SPEED, value=118.0, low=112.0, high=125.0, source="later")
    (change,) = recheck(recorded(), with_evidence(again)).changes
    assert not change.says_else


def test_evidence_that_is_gone_is_told():
    rest = tuple(piece for piece in EVIDENCE if piece != PHONE)
    (change,) = recheck(recorded(), made_up_decision(evidence=rest)).changes
    assert (change.key, says(change.after), change.says_else) == (PHONE.key, "not there", True)


def test_evidence_that_the_record_does_not_embed_is_now_used_and_nothing_that_went():
    used = (Reason(text="It lies there.", evidence=(UNUSED.key,)),)
    now = made_up_decision(recommendation=dataclasses.replace(RECOMMENDATION, verdict=used))
    found = recheck(recorded(), now)
    (change,) = [one for one in found.changes if one.key == UNUSED.key]
    assert (change.before, change.after) == (None, UNUSED)
    text = render_text(recheck_view(found, now))
    assert f"{UNUSED.key}: now used: native" in text
    assert "not there" not in text


@pytest.mark.parametrize("value", [None, "gone"])
def test_a_record_whose_measurements_are_all_gone_holds_without_any(value):
    kept = tuple(piece for piece in EVIDENCE if not piece.claim.startswith("performance."))
    unknown = tuple(dataclasses.replace(one, value=None) for one in (SPEED, START))
    now = made_up_decision(evidence=kept if value == "gone" else (*kept, *unknown), costs=())
    found = recheck(recorded(), now)
    assert found.unmeasured
    assert "holds without any measurement" in render_text(recheck_view(found, now))
    assert not recheck(recorded(), made_up_decision()).unmeasured


def test_another_tree_is_told():
    assert recheck(recorded(), made_up_decision(tree_sha256="cd" * 32)).tree_changed


def test_says():
    assert says(dataclasses.replace(PHONE, value=None)) == "not known"
    assert says(dataclasses.replace(PHONE, value=True)) == "yes"
    assert says(START) == "2.08 s"
    assert re.fullmatch(r"native", says(PHONE))
