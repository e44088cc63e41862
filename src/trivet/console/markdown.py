"""The result as Markdown, for an issue or a README."""

from __future__ import annotations

from trivet import figures
from trivet.conclude.ranking import against_leader, by_speed, verdict_words
from trivet.conclude.words import (
    ahead_after,
    flag_lines,
    generations,
    largest_batch_line,
    parity_words,
    peak_line,
    reasons,
    used_share,
)
from trivet.model.result import ContestantResult, Result, WorkloadResult
from trivet.plain import all_plain


def render_markdown(result: Result) -> str:
    """Return one section per workload."""
    result = all_plain(result)
    parts = []
    for workload in result.workloads:
        parts += [*_workload(workload, str(result.question.get("precision", ""))), ""]
    for note in result.notes:
        parts += [f"*{note}*", ""]
    machine = result.machine
    parts.append(
        f"trivet {result.trivet}, run `{result.run}`, {result.created}; {machine.get('cpu', 'unknown CPU')}."
    )
    return "\n".join(parts) + "\n"


def _workload(result: WorkloadResult, precision: str) -> list[str]:
    title = f"### {result.workload}, batch {result.batch}, {precision}, {generations(result)}"
    head = f"| contestant | version | {result.unit}/s | 95 % interval | start-up cold | warm | memory | of peak | parity |"
    lines = [
        title,
        "",
        result.headline,
        "",
        head,
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    lines += [_row(contestant) for contestant in by_speed(result)]
    pairs = against_leader(result)
    if pairs:
        lines += ["", "| against the leader | ratio | 95 % interval | verdict | ahead after (cold start) |"]
        lines.append("| --- | ---: | ---: | --- | ---: |")
    for pair in pairs:
        assumed = " (assumed)" if pair.provisional else ""
        cells = [
            pair.b,
            figures.number(pair.ratio),
            figures.interval(pair.low, pair.high) + assumed,
            verdict_words(pair),
            ahead_after(pair, result.unit),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    below = [f"{labels}: {reason}" for reason, labels in reasons(result).items()]
    below += [line for line in (peak_line(result), largest_batch_line(result)) if line] + flag_lines(result)
    return [*lines, *([""] if below else []), *(f"- {line}" for line in below)]


def _row(contestant: ContestantResult) -> str:
    speed = contestant.throughput
    parity = parity_words(contestant).replace("not equal", "**not equal**")
    cells = [
        contestant.contestant,
        contestant.version,
        figures.number(speed.value) if speed else contestant.status.replace("_", " "),
        figures.interval(speed.low, speed.high) if speed else "-",
        figures.seconds(contestant.startup_cold),
        figures.seconds(contestant.startup_warm),
        figures.mebibytes(contestant.shown_memory),
        used_share(contestant),
        parity,
    ]
    return f"| {' | '.join(cells)} |"
