"""Builds the page from a result."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import markupsafe

from trivet.conclude.ranking import verdict_words
from trivet.conclude.timeline import TimedSlice
from trivet.conclude.words import against_facts, listed, verdict_of_claim
from trivet.model.against import Against
from trivet.model.result import Result
from trivet.report import bundle, words
from trivet.report.charts import PHASES
from trivet.report.crossing import crossing
from trivet.report.settings import side_by_side
from trivet.report.template import template
from trivet.report.view import view_of
from trivet.store import codec


def render(
    result: Result,
    slices: Mapping[str, Sequence[TimedSlice]] | None = None,
    against: Against | None = None,
) -> str:
    """Return a whole HTML page that needs no network.

    Args:
        result: of a run, complete or not.
        slices: workload -> its raw slices, as `trivet.conclude.timeline` returns them; without them, the page does not
            show them.
        against: the run beside a table of claims, for a section of its own.
    """
    question = result.question
    views = [
        view_of(
            workload,
            precision=question["precision"],
            margin=question["margin"],
            taken=(slices or {}).get(workload.workload, ()),
        )
        for workload in result.workloads
    ]
    return template("page.html.j2", _FUNCTIONS).render(
        result=result,
        views=views,
        against=against,
        names=", ".join(question["workloads"]),
        titles=listed(_titles(result)),
        created=words.moment(result.created),
        facts=_facts(result),
        asked=_asked(result),
        settings=side_by_side(result),
        environments=_environments(result),
        machine=_machine(result.machine),
        full_command=_full_command(result),
        phases=PHASES,
        result_json=json.loads(codec.encode(result)),
        # The charting library's own text; no word of a user is in it.
        bundle=markupsafe.Markup(bundle.script()),  # noqa: S704 - as said above
    )


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "number": words.number,
    "interval": words.interval,
    "seconds": words.seconds,
    "size": words.size,
    "size_interval": words.size_interval,
    "percent": words.percent,
    "minutes": words.minutes,
    "scientific": words.scientific,
    "decimal": words.decimal,
    "limit": words.limit,
    "break_even": words.break_even,
    "count": words.count,
    "at_least": words.at_least,
    "crossing": crossing,
    "flops": words.flops,
    "share": words.share,
    "verdict_words": verdict_words,
    "verdict_of_claim": verdict_of_claim,
    "against_facts": against_facts,
}
"""What the template calls."""


def _titles(result: Result) -> list[str]:
    """Return the frameworks' names for people, in the order asked."""
    known = {one.contestant: one.title for workload in result.workloads for one in workload.contestants}
    return list(
        dict.fromkeys(known.get(label, label.partition(":")[0]) for label in result.question["contestants"])
    )


def _facts(result: Result) -> list[str]:
    question, machine = result.question, result.machine
    cpus = len(question["cpus"]) or machine["logical_cpus"]
    device = (
        machine["gpus"][0]["name"] if question["device"] == "cuda" and machine["gpus"] else machine["cpu"]
    )
    return [
        str(device),
        f"{cpus} CPU{'s' if cpus > 1 else ''}",
        str(question["precision"]),
        f"margin {words.percent(question['margin'])}",
        "one generation (--quick)"
        if question["quick"]
        else f"budget {words.minutes(question['budget_minutes'])}",
        f"seed {question['seed']}",
    ]


def _asked(result: Result) -> dict[str, Any]:
    names = {
        "precision": "precision",
        "device": "device",
        "cpus": "CPUs of the affinity mask",
        "batch": "batch asked for",
        "budget_minutes": "budget in minutes",
        "margin": "margin",
        "quick": "quick",
        "seed": "seed",
        "pythons": "the user's own interpreters",
    }
    asked = {title: result.question[name] for name, title in names.items()}
    if result.question["batch"] is None:
        asked["batch asked for"] = "each workload's own"
    asked["the user's own interpreters"] = result.question["pythons"] or "none"
    return asked


def _environments(result: Result) -> list[tuple[list[str], dict[str, Any]]]:
    """Return environments with the contestants that share them."""
    found: list[tuple[list[str], dict[str, Any]]] = []
    for label, facts in result.environments.items():
        for labels, known in found:
            if known == facts:
                labels.append(label)
                break
        else:
            found.append(([label], facts))
    return found


def _machine(machine: dict[str, Any]) -> dict[str, Any]:
    """Return the facts that say something, sizes in GiB."""
    shown: dict[str, Any] = {}
    for name, value in machine.items():
        if value in (None, "", (), []):
            continue
        title = name.removesuffix("_bytes").replace("_", " ")
        shown[title] = words.size(value) if name.endswith("_bytes") else value
    shown["gpus"] = [
        f"{gpu['name']}, {words.size(gpu['memory_bytes'])}, driver {gpu['driver']}"
        if gpu["memory_bytes"]
        else f"{gpu['name']}, driver {gpu['driver']}"
        for gpu in machine["gpus"]
    ]
    return shown


def _full_command(result: Result) -> str:
    """Return a command that asks the same, with everything spelt out that was left to trivet."""
    question = result.question
    versions = {one.contestant: one.version for workload in result.workloads for one in workload.contestants}
    contestants = []
    for label in question["contestants"]:
        plain = label.partition("#")[0]
        version = versions.get(label)
        own = label.partition(":")[0] in question["pythons"]
        contestants.append(plain if "@" in plain or own or not version else f"{plain}@{version}")
    parts = ["trivet", "compare", *question["workloads"], "--contestants", ",".join(contestants)]
    parts += ["--precision", question["precision"], "--device", question["device"]]
    if question["batch"]:
        parts += ["--batch", str(question["batch"])]
    if question["cpus"]:
        parts += ["--threads", str(len(question["cpus"]))]
    parts += ["--quick"] if question["quick"] else ["--budget", f"{question['budget_minutes']:g}"]
    parts += ["--largest-batch"] if question.get("largest_batch") else []
    parts += ["--margin", f"{100 * question['margin']:g}", "--seed", str(question["seed"])]
    for name, path in question["pythons"].items():
        parts += ["--python", f"{name}={path}"]
    return shlex.join(parts)
