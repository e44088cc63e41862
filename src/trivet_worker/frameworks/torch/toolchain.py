"""What torch.compile needs from the machine besides PyTorch itself: a compiler and Python's headers.

Missing ones would otherwise surface as a page of compiler output in the middle of the first step.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path


def missing(device: str) -> str:
    """Return what torch.compile lacks here and how to get it, or "" if it has everything.

    Args:
        device: "cpu" (TorchInductor writes C++) or "cuda" (Triton builds its launchers in C).
    """
    if device == "cuda":
        variable, language, names = "CC", "C", ("gcc", "clang")
    else:
        variable, language, names = "CXX", "C++", ("clang++" if sys.platform == "darwin" else "g++",)
    named = os.environ.get(variable)
    if not any(map(shutil.which, (named,) if named else names)):
        sought = f"{variable}={named}" if named else " or ".join(names)
        return (
            f"torch.compile builds its kernels with a {language} compiler, and {sought} was not found. "
            f"Install one (Debian and Ubuntu: apt install g++) or name yours in {variable}."
        )
    folders = {sysconfig.get_path("include"), sysconfig.get_path("include", "posix_prefix")}
    if not any(Path(folder, "Python.h").is_file() for folder in folders):
        return (
            f"torch.compile builds its kernels against Python's headers, and Python.h is not in {min(folders)}. "
            "Install them (Debian and Ubuntu: apt install python3-dev)."
        )
    return ""
