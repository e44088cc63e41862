"""The schema of `trivet diff --format json`: stored, fitting, closed and documented."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from made_up import made_up_run
from trivet.conclude.changes import compare_runs
from trivet.store import codec
from trivet.store.schema import diff_schema

DOCS = Path(__file__).parents[3] / "docs"


def value(folder: Path, **shape: Any) -> Any:
    before = made_up_run(folder, workloads=["mlp"], unequal=["torch:eager"])
    after = made_up_run(folder, workloads=["mlp"], seed=1, **shape)
    return json.loads(codec.encode(compare_runs(before, after)))


def test_the_stored_schema_is_the_one_of_the_types() -> None:
    stored = json.loads((DOCS / "diff.schema.json").read_text(encoding="utf-8"))
    assert stored == diff_schema(), "run `python docs/write_schema.py`"
    jsonschema.Draft202012Validator.check_schema(stored)


@pytest.mark.parametrize(
    "shape",
    [{}, {"generations": 1, "quick": True}, {"disturbed": ["jax:jit"]}, {"batch": 64}, {"generations": 0}],
)
def test_diffs_fit_it(tmp_path: Path, shape: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator(diff_schema()).validate(value(tmp_path, **shape))


@pytest.mark.parametrize(
    "damage",
    [
        lambda value: value["workloads"][0]["contestants"][0].pop("withheld"),
        lambda value: value["workloads"][0]["contestants"][1].update(verdict="a_faster"),
        lambda value: value["workloads"][0]["contestants"][0].update(versions=["1"]),
        lambda value: value["workloads"][0]["contestants"][1]["throughput"].update(ratio="fast"),
        lambda value: value.update(surprise=1),
    ],
)
def test_it_refuses_what_is_not_one(tmp_path: Path, damage: Any) -> None:
    damaged = value(tmp_path)
    damage(damaged)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(diff_schema()).validate(damaged)


def test_every_field_is_documented() -> None:
    schema = diff_schema()
    documented = set(re.findall(r"`(\w+)`", (DOCS / "result.md").read_text(encoding="utf-8")))
    for definition in (schema, *schema["$defs"].values()):
        assert set(definition["properties"]) <= documented
