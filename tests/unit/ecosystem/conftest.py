import os

import pytest

from loopback_index import LoopbackIndex


@pytest.fixture
def index(tmp_path, monkeypatch):
    """The user's one and only index: on the loopback address, with the frameworks in it. No wheel may be asked for."""
    for name in [n for n in os.environ if n.startswith(("UV_", "PIP_")) or n.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setattr(
        "trivet.ecosystem.asking.pip_settings", dict
    )  # pip has nothing to say, and is slow to say it
    monkeypatch.setenv("UV_NO_CONFIG", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    monkeypatch.setenv("TRIVET_CACHE", str(tmp_path / "cache"))
    made = LoopbackIndex()
    for name in ("torch", "tensorflow", "jaxlib", "keras"):
        made.add(name)
    made.add("jax", needs=["jaxlib"])
    monkeypatch.setenv("UV_DEFAULT_INDEX", made.address)
    yield made
    made.close()
    assert not made.wheel_requests
