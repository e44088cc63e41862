"""What the parity gate concluded."""

from __future__ import annotations

import dataclasses
from typing import Any

from trivet.model.measurement import Failure


@dataclasses.dataclass(frozen=True, kw_only=True)
class Difference:
    """Where a contestant first parts from the reference.

    Attributes:
        check: "structure", "eval_output", "train_output", "loss", "gradient", "statistic", "parameter" or "rule".
        where: layer path, tensor name, or the rule's name ("momentum", "loss reduction").
        error: the relative difference there (see docs/method.md), None for a structural difference. Nothing in
            common, values that are not finite included, is 1e9.
        limit: what would have passed.
        cause: the likely cause in words, attribute values side by side; "" if none was found.
        ours: attribute values of this contestant, theirs: of the reference.
    """

    check: str
    where: str
    error: float | None
    limit: float
    cause: str
    ours: dict[str, Any]
    theirs: dict[str, Any]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Verdict:
    """One contestant's result at the gate.

    Attributes:
        equal: True: it computes what the reference group computes; False: it differs, or on a tie nobody is right;
            None: it could not be checked (it failed).
        worst: check -> largest relative difference to the reference group.
        first_difference: None if equal.
        by_convention: rules in which it differs by declared convention, printed as sentences.
        note: what narrows the verdict (nothing of another framework to compare with), or "".
        failure: why it could not be checked; None unless `equal` is None.
    """

    equal: bool | None
    worst: dict[str, float]
    first_difference: Difference | None
    by_convention: tuple[str, ...]
    note: str = ""
    failure: Failure | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class InitialValues:
    """A tensor that frameworks initialise differently. The gate gives all the same values, so this blocks nothing.

    Attributes:
        tensor: canonical name.
        scales: label -> root mean square of the program's own initial values.
    """

    tensor: str
    scales: dict[str, float]


@dataclasses.dataclass(frozen=True, kw_only=True)
class ParityReport:
    """The gate's result for one workload.

    Attributes:
        workload: name.
        reference: labels of the largest agreeing group spanning most frameworks; () on a tie.
        verdicts: label -> verdict.
        cached: True if all traces came from the cache.
        seconds: what the gate took.
        digest: hash of everything it depends on.
        initial_values: tensors that the programs, left to themselves, would initialise differently.
    """

    workload: str
    reference: tuple[str, ...]
    verdicts: dict[str, Verdict]
    cached: bool
    seconds: float
    digest: str
    initial_values: tuple[InitialValues, ...] = ()
