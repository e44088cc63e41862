from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import fake_installers
from trivet import catalog


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> Path:
    """Give each test a cache folder of its own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("TRIVET_CACHE", str(folder))
    return folder


@pytest.fixture
def fakes(tmp_path, monkeypatch) -> fake_installers.Fakes:
    """Put fake installers in place; the user has no settings."""
    return fake_installers.put(tmp_path / "fakes", monkeypatch)


@pytest.fixture
def said() -> list[str]:
    """Collect what is reported: pass its `append`."""
    return []


@pytest.fixture
def jax(tmp_path):
    """Return a framework of that name whose folder has no pins."""
    folder = tmp_path / "frameworks" / "jax"
    folder.mkdir(parents=True)
    return dataclasses.replace(catalog.framework("jax"), folder=folder)
