"""A run that was damaged or edited is told as such, with file, line and field, and never taken for a fault of trivet."""

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from made_up import made_up_run
from trivet.conclude import conclude
from trivet.conclude.timeline import timeline
from trivet.console.markdown import render_markdown
from trivet.console.table import render_text
from trivet.errors import StoreError
from trivet.store import codec
from trivet.store.listing import listing
from trivet.store.run import Run

ODD: tuple[Any, ...] = (
    0,
    -1,
    -5,
    10**400,
    1e-308,
    1e308,
    True,
    None,
    "",
    "yesterday",
    "../x",
    "NaN",
    "-Infinity",
    [],
    {},
)
SAMPLED = 220
"""Fields that the last test spoils, of thousands; each seed of a run takes others."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIVET_RUNS", str(tmp_path))
    return made_up_run(tmp_path, workloads=["mlp"], generations=2).folder


def edit_header(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    header = json.loads((folder / "run.json").read_text())
    change(header)
    (folder / "run.json").write_text(json.dumps(header))


def edit_generation(folder: Path, change: Callable[[dict[str, Any]], object]) -> int:
    """Change the first generation, and return its line."""
    path = folder / "events.jsonl"
    events = [json.loads(line) for line in path.read_text().splitlines()]
    line = next(place for place, event in enumerate(events) if event["kind"] == "generation")
    change(events[line]["generation"])
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return line + 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("steps", 0),
        ("steps", 10**400),
        ("seconds", 0),
        ("seconds", -1),
        ("seconds", 1e-308),
        ("seconds", "NaN"),
        ("contestant", "nobody:here"),
        ("started", "Infinity"),
        ("round", -1),
    ],
)
def test_a_slice_that_cannot_be(folder: Path, field: str, value: object) -> None:
    line = edit_generation(folder, lambda one: one["slices"][3].update({field: value}))
    with pytest.raises(StoreError, match=rf"events\.jsonl line {line} .*slices\.3\.{field}"):
        Run.open(folder)


@pytest.mark.parametrize(
    ("field", "value"),
    [("number", -5), ("workload", "resnet18"), ("unsettled", ["nobody:here"]), ("seconds", -1)],
)
def test_a_generation_that_cannot_be(folder: Path, field: str, value: object) -> None:
    line = edit_generation(folder, lambda one: one.update({field: value}))
    with pytest.raises(StoreError, match=rf"events\.jsonl line {line} .*generation\.{field}"):
        Run.open(folder)


def test_a_log_outside_of_the_run(folder: Path) -> None:
    failure = {"status": "failed", "stage": "start", "message": "no", "log": "../../secret"}
    edit_generation(folder, lambda one: one["failures"].update({"jax:jit": failure}))
    with pytest.raises(StoreError, match="does not lie within the run"):
        Run.open(folder)


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("format", lambda header: header.update(format=True)),
        ("created", lambda header: header.update(created="yesterday")),
        ("created", lambda header: header.update(created="2026-11-30T17:04:12")),
        ("run", lambda header: header.update(run="../elsewhere")),
        ("margin", lambda header: header["question"].update(margin=-3)),
        ("margin", lambda header: header["question"].update(margin=0)),
        ("workloads", lambda header: header["question"].update(workloads=["resnet18"])),
        ("contestants", lambda header: header["contestants"].pop()),
        ("precision", lambda header: header["question"].update(precision="float31")),
        ("batch", lambda header: header["workloads"][0].update(batch=0)),
    ],
)
def test_a_header_that_cannot_be(
    folder: Path, field: str, change: Callable[[dict[str, Any]], object]
) -> None:
    edit_header(folder, change)
    with pytest.raises(StoreError, match=field):
        Run.open(folder)


@pytest.mark.parametrize("instead", ["nothing", "folder"])
def test_without_its_events_a_run_is_damaged(folder: Path, instead: str) -> None:
    (folder / "events.jsonl").unlink()
    if instead == "folder":
        (folder / "events.jsonl").mkdir()
    with pytest.raises(StoreError, match=r"no file events\.jsonl"):
        Run.open(folder)
    assert "events.jsonl" in listing()[0].problem


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    found = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in found:
        yield from leaves(part, (*path, key))


def spoilt(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    copy = value.copy()
    copy[path[0]] = spoilt(copy[path[0]], path[1:], odd)
    return copy


def test_whatever_is_edited_a_run_is_read_or_refused(folder: Path) -> None:
    texts = [(folder / "run.json").read_text(), *(folder / "events.jsonl").read_text().splitlines()]
    documents = [json.loads(text) for text in texts]
    draw = random.Random(0)
    refused: list[str] = []
    for _ in range(SAMPLED):
        place = draw.randrange(len(documents))
        path = draw.choice(list(leaves(documents[place])))
        odd = draw.choice(ODD)
        now = [*documents]
        now[place] = spoilt(documents[place], path, odd)
        (folder / "run.json").write_text(json.dumps(now[0]))
        (folder / "events.jsonl").write_text("".join(json.dumps(one) + "\n" for one in now[1:]))
        try:
            run = Run.open(folder)
        except StoreError as error:
            refused.append(error.message)
            continue
        try:
            result = conclude(run)
            assert render_text(result)
            assert render_markdown(result)
            assert codec.encode(result)
            timeline(run)
        except Exception as error:
            pytest.fail(f"{path} = {str(odd)[:20]}: {type(error).__name__}: {error}")
    assert len(refused) > SAMPLED / 4
    for message in refused:
        assert re.search(r"run\.json|events\.jsonl line \d+|format", message), message
