"""What coordinator and worker say to each other: JSON lines, one message a line, versioned.

Coordinator to worker, a request::

    {"trivet": 1, "id": 3, "verb": "run", "arguments": {...}}

Worker to coordinator, any number of progress events, then exactly one `done` or `failed` with the same id::

    {"trivet": 1, "id": 3, "event": "progress", "what": "import"}
    {"trivet": 1, "id": 3, "event": "done", "result": {...}}
    {"trivet": 1, "id": 3, "event": "failed", "failure": {"kind": ..., "message": ..., "traceback": ...}}

A line that is not such a message (a banner printed by a wrapper around the interpreter) belongs to the log. A request
that the worker cannot read is answered with `failed` and the id `UNREADABLE`. Messages are strict JSON: a number that
is not finite (a loss that has become NaN) travels as null.

Verbs, their arguments and results (a dict each; times in seconds, sizes in bytes):

`probe`
    arguments ``framework``, ``precision``, ``device``;
    result ``python``, ``versions`` {package: version}, ``devices`` [{kind, name, memory_bytes}], ``import_seconds``.
`trace`
    arguments ``job`` (a `Job` as dict, precision float64), ``rates`` (the learning rate of each step, two or more),
    ``folder`` (where arrays go); result: see `trivet_worker.verbs.trace`.
`prepare`
    arguments ``job``; builds, loads, compiles and runs the first step;
    result: see `trivet_worker.verbs.measure`.
`run`
    argument ``steps``; result ``seconds`` (started to finished waiting), ``loss``, ``compilations`` {name: count}
    of what was compiled meanwhile (nothing, if all is well).
`memory`
    no argument; result {counter: bytes}, of which ``host_peak_bytes``, ``host_peak_above_import_bytes`` and the
    device's are absent where they cannot be read, and ``children`` [[name, peak bytes]].
`repeat`
    no argument; result ``losses`` of the first steps taken again, from the same parameters and on the same batches.
`inspect`
    no argument; result ``placement``: where parameters live and in which dtypes the program computes.
`peak`
    arguments ``framework``, ``precision``, ``device``, ``operation`` ("": only their names), ``seconds``;
    result ``operations`` and, for an operation, ``flops_per_second``.
`script`
    arguments ``folder`` (holds ``train.py``), ``output`` (the file that takes what it prints), ``count`` (True: ask
    ``traces.py`` how often the step was compiled); result ``error`` (type of the exception that ended it, or ""),
    ``traces``.
`stop`
    no argument; the worker answers and ends.

`prepare` is the first request to its process, sent as soon as that is started; `run`, `memory`, `repeat` and `inspect` follow it.
"""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

VERSION = 1

FAILED = "failed"
UNSUPPORTED = "unsupported"
OUT_OF_MEMORY = "out_of_memory"
TIMED_OUT = "timed_out"
FAILURE_KINDS = (FAILED, UNSUPPORTED, OUT_OF_MEMORY, TIMED_OUT)

PRECISIONS = ("float32", "tf32", "bfloat16", "float64")
"""What a job may ask for. float64 is for the parity gate only."""

UNREADABLE = -1
"""The id of the answer to a line that is no request."""


class ProtocolError(ValueError):
    """A line is no message of this version."""


@dataclasses.dataclass(frozen=True)
class Failure:
    """Why a request got no result.

    Attributes:
        kind: one of `FAILURE_KINDS`.
        message: one or two sentences for the user's table.
        traceback: the worker's traceback, or "".
    """

    kind: str
    message: str
    traceback: str = ""


@dataclasses.dataclass(frozen=True)
class Job:
    """One contestant's work, complete: the worker reads nothing else.

    Attributes:
        framework: folder name under `frameworks`, such as "torch".
        variant: one of the framework's variants, such as "compile".
        workload: name that the user gave, such as "resnet18".
        folder: folder name under `workloads`, such as "resnet".
        model: which native file: ``workloads/<folder>/model_<model>.py`` (the framework's name as a rule).
        sizes: keyword arguments of the workload's `build`, plain JSON values.
        batch: examples per step.
        optimizer: ``{"kind": "sgd", "learning_rate": 0.01, "momentum": 0.9}`` or ``{"kind": "adamw", "learning_rate",
            "beta_1", "beta_2", "epsilon", "weight_decay"}``; either may have ``clip_norm``, the global norm that gradients
            are clipped to, and ``milestones`` with ``gamma``: when so many steps have been taken, the rate is multiplied.
        loss: ``"cross_entropy"``, the mean over all labels.
        precision: one of `PRECISIONS`.
        device: "cpu" or "cuda".
        layout: how the framework lays out and names tensors: a key of `trivet_worker.layouts.LAYOUTS`.
        seed: for parameters and batches.
        started: the coordinator's `time.monotonic()` just before the process was started (same clock, same host).
        options: settings of the framework or variant from its framework.toml, plain JSON values.
        label_smoothing: share of each label that is spread over all classes.
    """

    framework: str
    variant: str
    workload: str
    folder: str
    model: str
    sizes: dict[str, Any]
    batch: int
    optimizer: dict[str, Any]
    loss: str
    precision: str
    device: str
    layout: str
    seed: int
    started: float
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    label_smoothing: float = 0.0


def request(identifier: int, verb: str, arguments: dict[str, Any] | None = None) -> str:
    """Return a request as one line, newline included."""
    return _line({"id": identifier, "verb": verb, "arguments": arguments or {}})


def progress(identifier: int, what: str) -> str:
    """Return a progress event as one line."""
    return _line({"id": identifier, "event": "progress", "what": what})


def done(identifier: int, result: dict[str, Any]) -> str:
    """Return the closing event of a request that succeeded."""
    return _line({"id": identifier, "event": "done", "result": result})


def failed(identifier: int, failure: Failure) -> str:
    """Return the closing event of a request that failed."""
    return _line({"id": identifier, "event": "failed", "failure": dataclasses.asdict(failure)})


def parse(line: str) -> dict[str, Any]:
    """Return the message in a line.

    Raises:
        ProtocolError: the line is not JSON, not a message, or of another protocol version.
    """
    try:
        message = json.loads(line)
    except ValueError as error:
        problem = f"not JSON: {line[:80]!r}"
        raise ProtocolError(problem) from error
    if not isinstance(message, dict) or "trivet" not in message:
        problem = f"not a trivet message: {line[:80]!r}"
        raise ProtocolError(problem)
    if message["trivet"] != VERSION:
        problem = f"protocol version {message['trivet']!r}, expected {VERSION}"
        raise ProtocolError(problem)
    return message


def _line(body: dict[str, Any]) -> str:
    return json.dumps({"trivet": VERSION, **_finite(body)}, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value
