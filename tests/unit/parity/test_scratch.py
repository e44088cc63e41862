from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from trivet.parity.scratch import scratch, size_bytes


@pytest.mark.parametrize("end", [None, KeyboardInterrupt, ValueError])
def test_it_is_removed_however_it_ends(tmp_path: Path, end: type[BaseException] | None):
    def use() -> None:
        with scratch(tmp_path / "gates") as folder:
            (folder / "deep").mkdir()
            (folder / "deep" / "array.npy").write_bytes(b"123")
            assert size_bytes(folder) == 3
            if end is not None:
                raise end

    if end is None:
        use()
    else:
        with pytest.raises(end):
            use()
    assert list((tmp_path / "gates").iterdir()) == []


def test_leftovers_of_the_dead_are_removed_and_those_of_the_living_stay(tmp_path: Path):
    killed = """
import os, pathlib, sys
from trivet.parity.scratch import scratch
with scratch(pathlib.Path(sys.argv[1])):
    os._exit(0)
"""
    subprocess.run([sys.executable, "-c", killed, str(tmp_path)], check=True)
    (dead,) = tmp_path.iterdir()
    living = tmp_path / f"scratch+{platform.node()}+{os.getppid()}+abc"
    elsewhere = tmp_path / "scratch+another-host+1+abc"
    for folder in (living, elsewhere):
        folder.mkdir()
    with scratch(tmp_path):
        assert not dead.exists()
        assert living.exists()
        assert elsewhere.exists()
