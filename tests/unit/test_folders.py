from __future__ import annotations

from pathlib import Path

from trivet import folders


def test_variables_name_other_folders_and_are_made_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRIVET_CACHE", "here")
    monkeypatch.setenv("TRIVET_RUNS", str(tmp_path / "there"))
    assert folders.environments_folder() == tmp_path / "here" / "environments"
    assert folders.runs_folder() == tmp_path / "there"


def test_without_variables_everything_lies_in_the_users_own_folders(tmp_path, monkeypatch):
    monkeypatch.delenv("TRIVET_CACHE", raising=False)
    monkeypatch.delenv("TRIVET_RUNS", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    for folder in (folders.cache_folder(), folders.runs_folder()):
        assert folder.is_relative_to(tmp_path)
        assert "trivet" in folder.parts


def test_the_cache_is_marked_for_backup_programs_and_git(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIVET_CACHE", str(tmp_path))
    made = folders.make_cache(folders.environments_folder())
    assert made.is_dir()
    # The first 43 bytes are the signature that backup programs look for: https://bford.info/cachedir/
    assert Path(tmp_path, "CACHEDIR.TAG").read_bytes()[:43] == b"Signature: 8a477f597d28d172789f06886806bc55"
    assert Path(tmp_path, ".gitignore").read_text() == "*\n"
