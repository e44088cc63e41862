"""What changed between two runs, as a terminal table (80 columns, without colour too) and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from trivet import figures
from trivet.console.terminal import Terminal
from trivet.model.diff import Change, ContestantChange, Difference, RunDiff, WorkloadChange
from trivet.model.result import MEMORY_COUNTERS, Estimate
from trivet.plain import all_plain

_PARITY = {True: "equal", False: "NOT EQUAL", None: "not checked"}
_MOST_FACTS = 12
"""Facts of a kind that a terminal shows; JSON and Markdown have all."""

_VERDICTS = {"no_practical_difference": "no practical difference"}


def verdict_words(change: ContestantChange) -> str:
    """Return the verdict in a few words, or why there is none."""
    if change.verdict is None:
        return change.withheld
    words = _VERDICTS.get(change.verdict, change.verdict)
    return f"{words} (provisional)" if change.provisional and change.verdict != "undecided" else words


def diff_view(diff: RunDiff) -> RenderableType:
    """Return the whole: tables for each workload, then the facts that differ, then the notes."""
    parts: list[RenderableType] = [
        Text(f"from {diff.before} to {diff.after}, margin {100 * diff.margin:g} %", style="bold"),
        Text(),
    ]
    for workload in diff.workloads:
        parts += [*_workload_view(workload), Text()]
    parts += [Text(line) for line in _absent(diff)]
    if diff.differences:
        parts.append(Text("What is not the same", style="bold"))
        parts += [Text(line, overflow="fold") for line in _fact_lines(diff)]
    else:
        parts.append(
            Text("Nothing is known to differ: question, work, machine, code, versions and settings.")
        )
    parts += [Text(f"Note: {note}") for note in diff.notes]
    return Group(*parts)


def print_diff(diff: RunDiff) -> None:
    """Print the view to standard output, in colour where that is a terminal that wants it."""
    Terminal(highlight=False).print(diff_view(all_plain(diff)))


def render_text(diff: RunDiff, width: int = 80) -> str:
    """Return the view as text."""
    console = Terminal(width=width, no_color=True, highlight=False)
    with console.capture() as capture:
        console.print(diff_view(all_plain(diff)))
    return capture.get()


def render_markdown(diff: RunDiff) -> str:
    """Return a section for each workload, and one for the facts that differ."""
    diff = all_plain(diff)
    lines = [f"## From `{diff.before}` to `{diff.after}`, margin {100 * diff.margin:g} %", ""]
    for workload in diff.workloads:
        lines += [f"### {_title(workload)}", ""]
        lines.append(f"| contestant | {workload.unit}/s before | after | change | 95 % interval | verdict |")
        lines.append("| --- | ---: | ---: | ---: | ---: | --- |")
        lines += [f"| {' | '.join(_speed_row(one))} |" for one in workload.contestants]
        lines += ["", "| contestant | version | cold start | warm start | memory | parity |"]
        lines.append("| --- | --- | ---: | ---: | ---: | --- |")
        lines += [
            f"| {one.contestant} | {_arrow(*one.versions)} | {' | '.join(_rest_row(one)[1:])} |"
            for one in workload.contestants
        ]
        lines.append("")
    lines += [*_absent(diff), ""] if list(_absent(diff)) else []
    if diff.differences:
        lines += ["| what is not the same | of | before | after |", "| --- | --- | --- | --- |"]
        lines += [
            f"| {one.where}: {one.name} | {', '.join(one.of) or 'all'} | {one.before or '–'} | {one.after or '–'} |"
            for one in diff.differences
        ]
    lines += ["", *(f"*{note}*" for note in diff.notes)] if diff.notes else []
    return "\n".join(lines) + "\n"


def _title(workload: WorkloadChange) -> str:
    before, after = workload.generations
    same = "" if workload.same_work else " · not the same work"
    return f"{workload.workload} · {before} and {after} generation(s){same}"


def _workload_view(workload: WorkloadChange) -> Iterator[RenderableType]:
    yield Text(_title(workload), style="bold")
    speed = _table(f"{workload.unit}/s", "before", "after", "change", "95 %", "verdict")
    rest = _table("", "cold start", "warm start", "memory", "parity")
    for one in workload.contestants:
        speed.add_row(*_speed_row(one))
        rest.add_row(*_rest_row(one))
    if workload.contestants:
        yield speed
        yield rest
    for when, labels in (("before", workload.only_before), ("after", workload.only_after)):
        if labels:
            yield Text(f"  only {when}: {', '.join(labels)}")


def _table(*titles: str) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style="bold")
    for place, title in enumerate(titles):
        last = place == len(titles) - 1
        table.add_column(title, no_wrap=not last, justify="left" if last or not place else "right")
    return table


def _speed_row(one: ContestantChange) -> list[str]:
    change = one.throughput
    values = [figures.number(part.value) if part else "-" for part in (change.before, change.after)]
    ratio = "-" if change.ratio is None else figures.number(change.ratio)
    low_high = figures.interval(change.low, change.high)
    return [
        one.contestant,
        *values,
        ratio,
        f"{low_high} assumed" if one.provisional else low_high,
        verdict_words(one),
    ]


def _rest_row(one: ContestantChange) -> list[str]:
    counter = next((name for name in MEMORY_COUNTERS if name in one.memory), None)
    memory = one.memory[counter] if counter else Change(before=None, after=None)
    return [
        one.contestant,
        _both(one.startup_cold, figures.seconds),
        _both(one.startup_warm, figures.seconds),
        _both(memory, figures.mebibytes),
        _arrow(*(_PARITY[equal] for equal in one.parity)),
    ]


def _both(change: Change, words: Callable[[Estimate | None], str]) -> str:
    return _arrow(words(change.before), words(change.after))


def _arrow(before: str, after: str) -> str:
    """Return "before → after", a unit that both have once."""
    if before == after:
        return before
    number, space, unit = before.rpartition(" ")
    if space and number[-1:].isdigit() and after.endswith(f" {unit}"):
        before = number
    return f"{before or '-'} → {after or '-'}"


def _absent(diff: RunDiff) -> Iterator[str]:
    for when, names in (("before", diff.only_before), ("after", diff.only_after)):
        if names:
            yield f"Only {when}: {', '.join(names)}."


def _fact_lines(diff: RunDiff) -> Iterator[str]:
    kinds: dict[str, list[Difference]] = {}
    for one in diff.differences:
        kinds.setdefault(one.where, []).append(one)
    for where, facts in kinds.items():
        for one in facts[:_MOST_FACTS]:
            of = f" ({', '.join(one.of)})" if one.of else ""
            yield f"  {where}: {one.name} {one.before or '-'} → {one.after or '-'}{of}"
        if len(facts) > _MOST_FACTS:
            yield f"  {where}: {len(facts) - _MOST_FACTS} more; --format json has them all"
