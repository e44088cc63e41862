"""The environment variables that a worker starts with, and which of them a run records."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from trivet.model.catalog import FrameworkInfo

REMOVED = ("PYTHONHOME", "PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONEXECUTABLE", "__PYVENV_LAUNCHER__")
"""Variables that point an interpreter at another one's files, or keep it from ending."""

_RECORDED_PREFIXES = (
    "AMD_", "BLIS_", "CUBLAS", "CUDA_", "CUDNN_", "DNNL_", "GOMP_", "HIP_", "JAX_", "KERAS_", "KMP_", "LD_", "MALLOC_",
    "MIMALLOC_", "MKL_", "NCCL_", "NUMEXPR_", "NVIDIA_", "OMP_", "ONEDNN_", "OPENBLAS_", "PJRT_", "PYTHON", "PYTORCH_",
    "ROCR_", "TCMALLOC_", "TF_CPP_", "TF_CUDNN_", "TF_DETERMINISTIC_", "TF_DISABLE_", "TF_ENABLE_", "TF_FORCE_",
    "TF_GPU_", "TF_MKL_", "TF_NUM_", "TF_USE_", "TF_XLA_", "TORCH", "TRITON_", "VECLIB_", "XLA_",
)  # fmt: skip
"""TF_ alone would take in another program's variables, which may hold passwords."""

_NEVER_RECORDED = ("KEY", "TOKEN", "SECRET", "PASSW", "CREDENTIAL")


def effective(
    inherited: Mapping[str, str],
    framework: FrameworkInfo,
    *,
    own: bool,
    caches: Path | None = None,
    extra: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return a worker's whole environment.

    The user's variables stay, thread counts included: they are facts of the run, recorded, not corrected. Later
    groups win: inherited, the framework's, compile caches, the caller's.

    Args:
        inherited: the coordinator's environment.
        framework: whose `variables` and `caches` apply.
        own: True for the user's own interpreter, whose PYTHONPATH stays (cluster modules put frameworks there).
        caches: private folder of compile caches; None leaves the user's own caches in force.
        extra: what the caller adds.
    """
    variables = {name: value for name, value in inherited.items() if name not in REMOVED}
    path = variables.pop("PYTHONPATH", "")
    if own and path:  # entries are relative to where the user stands, not to the worker's folder
        variables["PYTHONPATH"] = os.pathsep.join(
            str(Path(entry).absolute()) for entry in path.split(os.pathsep)
        )
    variables |= framework.variables
    if caches is not None:
        variables |= {name: str(caches / folder) for name, folder in framework.caches.items()}
    return variables | dict(extra or {})


def recorded(variables: Mapping[str, str], framework: FrameworkInfo) -> dict[str, str]:
    """Return the variables that may change what is measured, sorted by name.

    Never the whole environment: it may hold secrets, and runs are mailed.
    """
    chosen = {*framework.variables, *framework.memory_variables, *framework.caches}
    return {
        name: variables[name]
        for name in sorted(variables)
        if name in chosen
        or (name.startswith(_RECORDED_PREFIXES) and not any(word in name.upper() for word in _NEVER_RECORDED))
    }
