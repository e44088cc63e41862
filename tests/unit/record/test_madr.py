import re

from made_up_choice import EVIDENCE, SPEED, STALE, TODAY, UNUSED, made_up_decision, undecided
from trivet.decide.decision import evidence_sha256
from trivet.record.madr import render
from trivet.record.revisit import revisit


def sections(text: str) -> dict[str, str]:
    found = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))


def test_the_sections_of_madr_are_there_in_order():
    text = render(made_up_decision(), "0007-framework.md")
    assert list(sections(text)) == [
        "Context and problem statement",
        "Decision drivers",
        "Considered options",
        "Decision outcome",
        "Pros and cons of the options",
        "What would change it",
        "What is missing",
        "Evidence",
        "For trivet",
    ]
    assert text.startswith(
        "---\nstatus: accepted\ndate: 2026-12-01\nrevisit: 2026-12-01\n---\n\n# Use PyTorch\n"
    )


def test_each_section_says_what_the_decision_says():
    found = sections(render(made_up_decision(), "0007-framework.md"))
    assert "- Where must the model run? **phones**" in found["Context and problem statement"]
    assert "- Not answered, or not known: 1 of 3 questions." in found["Context and problem statement"]
    assert "- Where must the model run? (phones)" in found["Decision drivers"]
    assert found["Considered options"].split("\n")[1:4] == ["- PyTorch", "- TensorFlow", "- JAX (out)"]
    outcome = found["Decision outcome"]
    assert 'Chosen option: "PyTorch", because:\n\n- PyTorch, since it reaches phones. [2]\n' in outcome
    assert "- Pulls apart: Two answers pull apart." in outcome
    assert "As a portfolio: PyTorch to build in, TensorFlow for research." in outcome
    assert "- Good, because PyTorch reaches phones by its own tools. [2]" in outcome
    assert "- Bad, because its errors are long." in outcome
    assert "- Given up: TensorFlow: TensorFlow is done sooner. [3]" in outcome
    assert "`trivet choose --recheck 0007-framework.md`" in outcome
    assert "- Out, because JAX reaches no phone. [1]" in found["Pros and cons of the options"]
    assert "TensorFlow instead if" in found["What would change it"]
    assert (
        "- How fast JAX is here has not been measured. `trivet compare resnet18`" in found["What is missing"]
    )


def test_every_piece_of_evidence_that_was_used_stands_there_with_its_hash_and_no_other():
    text = render(made_up_decision(), "0007-framework.md")
    rows = [line for line in sections(text)["Evidence"].splitlines() if re.match(r"\| \d", line)]
    used = [piece for piece in EVIDENCE if piece != UNUSED]
    assert len(rows) == len(used)
    for piece in used:
        (row,) = (line for line in rows if evidence_sha256(piece)[:12] in line)
        assert piece.source in row
        assert text.count(evidence_sha256(piece)) == 1
    assert UNUSED.text not in text
    stale = next(line for line in rows if STALE.source in line)
    assert "2026-01-01 (stale)" in stale
    assert "no phone \\| so it was said" in stale


def test_every_number_in_brackets_is_in_the_list():
    text = render(made_up_decision(), "0007-framework.md")
    prose = text.partition("## Evidence")[0]
    assert {int(number) for number in re.findall(r"\[(\d+)\]", prose)} == {1, 2, 3, 4}


def test_an_open_decision_is_proposed():
    text = render(undecided("torch", "tensorflow"), "a.md")
    assert "status: proposed" in text
    assert "# Framework undecided: PyTorch, TensorFlow" in text
    assert "No option is chosen:" in text
    assert "# No framework fulfils the hard constraints" in render(undecided(), "a.md")


def test_the_same_decision_makes_the_same_record():
    assert render(made_up_decision(), "a.md") == render(made_up_decision(), "a.md")


def test_it_is_looked_at_again_when_the_first_evidence_expires_or_in_six_months():
    phone, _, speed, *_ = EVIDENCE
    assert revisit([speed], TODAY).day == "2027-06-01"
    assert revisit([speed, phone], TODAY).day == "2027-03-01"
    assert revisit([STALE, phone], TODAY).day == TODAY
    assert "stale since 2026-01-01" in revisit([STALE], TODAY).why
    assert revisit([phone], "2026-08-31").day == "2027-02-28"
    assert revisit([SPEED], "2027-12-31").day == "2028-06-30"
