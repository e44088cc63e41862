import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from made_up import made_up_run
from trivet.conclude import conclude
from trivet.model.measurement import Failure
from trivet.store import codec
from trivet.store.schema import result_schema

DOCS = Path(__file__).parents[3] / "docs"


def test_the_stored_schema_is_the_one_of_the_types() -> None:
    stored = json.loads((DOCS / "result.schema.json").read_text(encoding="utf-8"))
    assert stored == result_schema(), "run `python docs/write_schema.py`"


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(result_schema())


@pytest.mark.parametrize("case", ["usual", "quick", "troubled"])
def test_results_fit_the_schema(tmp_path: Path, case: str) -> None:
    failure = Failure(status="out_of_memory", stage="start", message="Memory ran out.")
    cases: dict[str, dict[str, Any]] = {
        "usual": {},
        "quick": {"generations": 1, "quick": True},
        "troubled": {
            "unequal": ["jax:jit"],
            "disturbed": ["torch:eager"],
            "failures": {"torch:compile": failure},
            "losses": {"tensorflow:xla": [1.0, 2.0, float("nan"), float("inf")]},
            "guarded": False,
            "finished": False,
        },
    }
    value = json.loads(codec.encode(conclude(made_up_run(tmp_path, **cases[case]))))
    jsonschema.Draft202012Validator(result_schema()).validate(value)


@pytest.mark.parametrize(
    "damage",
    [
        lambda value: value["workloads"][0]["contestants"][0].pop("status"),
        lambda value: value["workloads"][0]["contestants"][0].update(status="fine"),
        lambda value: value["workloads"][0]["contestants"][0]["throughput"].update(value="fast"),
        lambda value: value["workloads"][0]["contestants"][0]["parity"].pop("equal"),
        lambda value: value["workloads"][0]["contestants"][0]["loss"].pop("falls"),
        lambda value: value["workloads"][0]["pairs"][0].update(verdict="a_wins"),
        lambda value: value.update(surprise=1),
        lambda value: value.update(format=2),
    ],
)
def test_the_schema_refuses_what_is_not_one(tmp_path: Path, damage: Any) -> None:
    value = json.loads(codec.encode(conclude(made_up_run(tmp_path, workloads=["mlp"]))))
    damage(value)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(result_schema()).validate(value)


def test_every_field_is_documented() -> None:
    documented = set(re.findall(r"`(\w+)`", (DOCS / "result.md").read_text(encoding="utf-8")))
    assert set(_fields(result_schema())) <= documented


def _fields(schema: dict[str, Any]) -> Iterator[str]:
    for definition in (schema, *schema["$defs"].values()):
        yield from definition["properties"]
