"""Stages the code that workers run: one folder, named by the hash of its content."""

from __future__ import annotations

import dataclasses
import hashlib
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from trivet.catalog import worker_folder
from trivet.folders import make_cache, staged_folder
from trivet.model.catalog import FrameworkInfo, WorkloadInfo

_PACKAGE = "trivet_worker"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Staged:
    """A staged copy of `trivet_worker`, extensions merged in.

    Attributes:
        folder: holds `trivet_worker`; the only folder that workers add to their `sys.path`.
        digest: SHA-256 over file names and bytes, in hexadecimal: the hash of the code that ran.
    """

    folder: Path
    digest: str

    @property
    def bootstrap(self) -> Path:
        """Return the script that an interpreter is started with."""
        return self.folder / _PACKAGE / "bootstrap.py"


def stage(
    frameworks: Iterable[FrameworkInfo], workloads: Iterable[WorkloadInfo], *, folder: Path | None = None
) -> Staged:
    """Return the staged copy of the worker's code, made if it is not there yet.

    Frameworks and workload families of extension folders, and model files that lie elsewhere than in their family's
    folder, are merged to the places where the worker looks for them.

    Args:
        frameworks: all that may run.
        workloads: all that may run.
        folder: where staged copies are kept, a folder for each content hash; None for the cache's.

    Raises:
        OSError: the copy cannot be written.
    """
    content = {target: source.read_bytes() for target, source in _files(frameworks, workloads).items()}
    digest = _digest(content)
    place = (make_cache(staged_folder()) if folder is None else folder) / digest[:16]
    if not _complete(place, content):
        _write(place, content)
    return Staged(folder=place, digest=digest)


def _files(frameworks: Iterable[FrameworkInfo], workloads: Iterable[WorkloadInfo]) -> dict[str, Path]:
    """Return target path within the staged folder -> source file."""
    own = worker_folder()
    found = _tree(own, _PACKAGE)
    for framework in frameworks:
        if framework.folder.parent.parent != own:
            found |= _tree(framework.folder, f"{_PACKAGE}/frameworks/{framework.name}")
    for workload in workloads:
        family = f"{_PACKAGE}/workloads/{workload.family}"
        if workload.folder.parent.parent != own:
            found |= _tree(workload.folder, family)
        found |= {f"{family}/model_{model}.py": path for model, path in workload.models.items()}
    return found


def _tree(folder: Path, target: str) -> dict[str, Path]:
    return {
        f"{target}/{path.relative_to(folder).as_posix()}": path
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    }


def _digest(content: Mapping[str, bytes]) -> str:
    state = hashlib.sha256()
    for name in sorted(content):
        state.update(f"{name}\0{len(content[name])}\0".encode())
        state.update(content[name])
    return state.hexdigest()


def _complete(place: Path, content: Mapping[str, bytes]) -> bool:
    """Say whether the copy is whole: cache folders get cleaned file by file on some machines."""
    try:
        return all((place / name).read_bytes() == data for name, data in content.items())
    except OSError:
        return False


def _write(place: Path, content: Mapping[str, bytes]) -> None:
    """Write the copy beside its place and rename it, so that nobody sees half of one."""
    place.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=".", dir=place.parent))
    try:
        for name, data in content.items():
            path = temporary / "new" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if place.exists():
            if _complete(place, content):
                return
            place.rename(temporary / "damaged")
        try:
            (temporary / "new").rename(place)
        except OSError:
            if not _complete(place, content):  # not just another run that was faster
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
