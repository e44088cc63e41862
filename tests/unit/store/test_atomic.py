import errno
import os
from pathlib import Path

import pytest

from trivet.errors import DiskError, UsageError
from trivet.store.atomic import write_atomically, write_named


def full(_: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_folder_and_a_folder_that_is_missing_are_named_as_given(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"^--page {tmp_path} is a folder") as caught:
        write_named(tmp_path, b"", "--page")
    assert "Name a file" in caught.value.remedy
    with pytest.raises(UsageError, match=f"there is no folder {tmp_path / 'none'}") as caught:
        write_named(tmp_path / "none" / "page.html", b"", "--page")
    assert "mkdir -p" in caught.value.remedy


def test_a_full_disk_is_told_with_the_name_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trivet.store.atomic.os.fsync", full)
    path = tmp_path / "page.html"
    with pytest.raises(DiskError, match=f"--page {path} cannot be written: No space left"):
        write_named(path, b"x", "--page")
    with pytest.raises(OSError, match="No space left") as caught:
        write_atomically(path, b"x")
    assert caught.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []
