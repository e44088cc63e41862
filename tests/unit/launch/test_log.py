from pathlib import Path

import pytest

from trivet.launch import log
from trivet.launch.log import Log


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "KEPT_BYTES", 100)
    monkeypatch.setattr(log, "_SLACK_BYTES", 200)


def test_a_log_of_usual_size_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(b"x" * 200)
    Log(path, 0).cut(ended=True)
    assert path.read_bytes() == b"x" * 200


def test_the_beginning_and_the_end_are_kept_and_the_rest_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(b"earlier\n")
    written = b""
    kept = Log(path, 8)
    with path.open("ab", buffering=0) as worker:
        for number in range(200):
            line = f"line {number:4}\n".encode()
            worker.write(line)
            written += line
            kept.cut()
            assert path.stat().st_size < 8 + 100 + 60 + 100 + 200 + 20
        kept.cut(ended=True)
    found = path.read_bytes()
    assert found.startswith(b"earlier\n" + written[:100])
    assert found.endswith(written[-100:])
    assert f"[trivet left out {len(written) - 200} bytes here]".encode() in found
    assert found.count(b"left out") == 1


def test_a_log_that_was_removed_is_no_matter(tmp_path: Path) -> None:
    Log(tmp_path / "none.txt", 0).cut(ended=True)
