"""Ten made-up teams: their answers, the runs and index answers that some of them have, and what trivet tells them.

``golden/teams/<team>.toml`` holds the answers; ``<team>.evidence.toml``, where there is one, made-up measurements and
answers of an index; ``<team>.txt`` is what `trivet choose` prints. Cited facts and shipped results are trivet's own.
`python tests/teams.py` writes the texts anew; read them before they are committed.
"""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from trivet.console.choice import choice_view
from trivet.console.paragraphs import render_text
from trivet.decide import answers, trees
from trivet.decide.decision import Decision, all_questions, decide_on, titles_of
from trivet.evidence.gather import Asked, Found, gather
from trivet.evidence.performance import of_result
from trivet.model.contestant import parse_contestant
from trivet.model.evidence import Evidence
from trivet.model.result import ContestantResult, Estimate, Pair, Result, StartUpEstimate, WorkloadResult

FOLDER = Path(__file__).resolve().parent / "golden" / "teams"
TODAY = "2026-12-01"
TEAMS = tuple(sorted(path.stem for path in FOLDER.glob("*.toml") if not path.stem.endswith(".evidence")))


def decision_of(team: str, tree: str = "trivet") -> Decision:
    """Return what a team is told, on a fixed day and without its machine's runs or index."""
    loaded = trees.load(tree)
    titles = titles_of()
    asked = Asked(titles=titles, today=TODAY, offline=True)
    with tempfile.TemporaryDirectory() as empty, mock.patch.dict(os.environ, {"TRIVET_RUNS": empty}):
        found = gather(asked)
    path = FOLDER / f"{team}.evidence.toml"
    if path.is_file():
        found = Found(evidence=(*found.evidence, *_made_up(path, titles)), notes=(f"Made up: {path.name}.",))
    known = answers.read(FOLDER / f"{team}.toml", all_questions(loaded))
    return decide_on(loaded, known, found, given=tree, asked=asked)


def text_of(team: str) -> str:
    """Return what `trivet choose` prints for a team."""
    return render_text(choice_view(decision_of(team)))


def _made_up(path: Path, titles: dict[str, str]) -> Iterator[Evidence]:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    if "run" in data:
        yield from of_result(_result(data["run"], titles))
    for name, values in data.get("needs", {}).items():
        for framework in titles:
            yield Evidence(
                claim=f"ecosystem.needs.{name}",
                framework=framework,
                value=values[framework],
                source=f"the package index: {name} (made up)",
                dated=TODAY,
                strength="asked",
                expires="2026-12-31",
                text=values["text"],
            )


def _result(run: dict[str, Any], titles: dict[str, str]) -> Result:
    """Return a run's conclusions from rows of value, low end and high end."""
    contestants = tuple(
        _contestant(label, row, run["unit"], titles) for label, row in run["contestants"].items()
    )
    return Result(
        format=1,
        run=f"made-up-{run['workload']}",
        trivet="0.1.0",
        created=f"{TODAY}T00:00:00+00:00",
        command="",
        complete=True,
        question={},
        machine={},
        environments={},
        code={},
        workloads=(
            WorkloadResult(
                workload=run["workload"],
                summary="",
                unit=run["unit"],
                batch=run["batch"],
                settings={},
                generations=5,
                minutes=5.0,
                process_sd=0.04,
                headline="",
                parity_reference=(),
                initial_values={},
                contestants=contestants,
                pairs=tuple(_pair(race) for race in run["races"]),
            ),
        ),
        notes=(),
    )


def _contestant(label: str, row: dict[str, Any], unit: str, titles: dict[str, str]) -> ContestantResult:
    contestant = parse_contestant(label)
    return ContestantResult(
        contestant=label,
        framework=contestant.framework,
        variant=contestant.variant,
        title=titles[contestant.framework],
        version="1.0",
        precision="float32",
        status="measured",
        reason="",
        log="",
        throughput=_estimate(row["throughput"], f"{unit}/s"),
        startup_cold=_start_up(row["cold"]),
        startup_warm=_start_up(row["warm"]),
        memory={"host_peak_bytes": _estimate(row["memory_bytes"], "bytes")},
        children=(),
        parity={"equal": True},
        loss={},
        clean_rounds=15,
        rejected_slices=0,
        gpu=row.get("gpu", {}),
        settings={},
    )


def _estimate(row: list[float], unit: str) -> Estimate:
    value, low, high = row
    return Estimate(value=value, low=low, high=high, n=5, unit=unit)


def _start_up(row: list[float]) -> StartUpEstimate:
    value, low, high = row if len(row) == 3 else (row[0], None, None)
    return StartUpEstimate(value=value, low=low, high=high, n=5 if low else 1, unit="s", phases={})


def _pair(race: dict[str, Any]) -> Pair:
    ratio, low, high = race["ratio"]
    return Pair(
        a=race["a"],
        b=race["b"],
        ratio=ratio,
        low=low,
        high=high,
        generations=(ratio,) * 5,
        verdict=race["verdict"],
        provisional=False,
        unguarded=False,
        more_minutes=None,
        break_even_items={},
    )


if __name__ == "__main__":
    for team in TEAMS:
        (FOLDER / f"{team}.txt").write_text(text_of(team), encoding="utf-8")
