"""One battery for every adapter: the checks are in `battery`, and run in each framework's own interpreter."""

from __future__ import annotations

import functools

import pytest

from contract import battery
from contract.running import run_battery
from worker_process import EXTENSIONS, all_frameworks, linear_job

RESNET = {"blocks": [1, 1, 1, 1], "bottleneck": False, "stem": "small", "image": 8, "classes": 10}
BOTTLENECK = {"blocks": [1, 1, 1, 1], "bottleneck": True, "stem": "large", "image": 64, "classes": 10}
WORKLOADS = {
    "linear": ("linear", {"features": 12, "classes": 5}),
    "mlp": ("mlp", {"features": 12, "hidden": 9, "classes": 5}),
    "resnet": ("resnet", RESNET),
    "resnet-bottleneck": ("resnet", BOTTLENECK),
}
SHORT = {("linear", "float64"), ("linear", "float32"), ("linear", "bfloat16"), ("resnet", "float64")}
"""What `make test` runs; the rest of the matrix is marked full."""
FAULTY = {
    "crash",
    "ended",
    "hang",
    "greedy",
    "garbage",
    "children",
    "busy",
    "lagging",
    "astray",
    "doubled",
    "tracing",
    "diverging",
    "unruly",
}
"""Variants of the tests' own framework that go wrong on purpose."""


def _cases():
    for framework in all_frameworks().values():
        own = framework.folder.is_relative_to(EXTENSIONS)
        for variant in framework.variants:
            if own and variant in FAULTY:
                continue
            for workload, (folder, _) in WORKLOADS.items():
                if own and folder == "resnet":
                    continue
                for precision in ("float64", *(p for p in framework.precisions if p != "tf32")):
                    marks = [] if own else [pytest.mark.real]
                    if not own and (workload, precision) not in SHORT:
                        marks.append(pytest.mark.full)
                    yield pytest.param(
                        (framework.name, variant, workload, precision),
                        marks=marks,
                        id=f"{framework.name}:{variant}-{workload}-{precision}",
                    )


@pytest.fixture(scope="module")
def findings(staged, interpreter, tmp_path_factory):
    """Return a function that runs the battery on a case, once."""

    @functools.cache
    def run(case):
        framework, variant, workload, precision = case
        folder, sizes = WORKLOADS[workload]
        info = all_frameworks()[framework]
        job = linear_job(
            framework=framework,
            variant=variant,
            workload=workload,
            folder=folder,
            model=info.model,
            layout=info.layout,
            sizes=sizes,
            batch=4,
            precision=precision,
            options=dict(info.options.get("all", {})) | dict(info.options.get(variant, {})),
        )
        return run_battery(
            interpreter(framework), staged, job, tmp_path_factory.mktemp("battery"), info.variables
        )

    return run


@pytest.mark.parametrize("check", battery.CHECKS)
@pytest.mark.parametrize("case", list(_cases()))
def test_the_contract_holds(findings, case, check):
    found = findings(case)
    assert isinstance(found, dict), f"the battery ended early:\n{found}"
    assert found[check] is None, found[check]
