from __future__ import annotations

from pathlib import Path

import pytest

from unit.parity.made_up import Maker


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    return Maker(tmp_path)
