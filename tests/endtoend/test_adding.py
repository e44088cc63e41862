"""docs/adding/ followed to the letter."""

import json
import shlex

import pytest

from documents import ROOT, commands, write_files
from trivet_command import trivet

ADDING = ROOT / "docs" / "adding"


def follow(document, folder):
    """Write the page's files, run its commands, and return the last one's result as JSON."""
    assert write_files(document, folder)
    *others, last = commands(document, "trivet")
    for line in others:
        assert trivet(*shlex.split(line)[1:], extensions=folder).returncode == 0
    result = trivet(*shlex.split(last)[1:], "--format", "json", extensions=folder)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)["workloads"][0]["contestants"]


@pytest.mark.real
@pytest.mark.parametrize("page", ["framework.md", "workload.md"])
def test_the_page_leads_to_a_measured_contestant(page, tmp_path):
    contestants = follow(ADDING / page, tmp_path)
    assert len(contestants) == 2
    for contestant in contestants:
        assert contestant["parity"]["equal"] is True, contestant
        assert contestant["status"] in ("measured", "disturbed"), contestant
