"""Whatever the index lacks is said in trivet's own words: what happened, why, what to do. uv's never show."""

import re
import socket

import pytest

from trivet.ecosystem.need import CONCLUSIVE
from trivet.ecosystem.needs import needs
from trivet.errors import UsageError

OF_UV = re.compile(
    r"no solution found|conclude|unsatisfiable|╰|hint:|error:|we only found|split|registry|`", re.IGNORECASE
)


def ask(name, **options):
    return needs([name], python="3.11", **options)[0]


def said(name, state, *parts, **options):
    found = ask(name, **options)
    assert found.state == state, found
    assert not OF_UV.search(
        found.problem.replace("`--", "--").replace("` and", " and").replace("` ask", " ask")
    ), found.problem
    for part in parts:
        assert part in found.problem, found.problem
    assert found.problem.endswith(".")
    return found


def test_an_unknown_name(index):
    said(
        "detectron9", "unknown", "The index has no library of this name.", "Check the spelling", "their page"
    )


def test_an_unknown_version(index):
    index.add("lib", "1.0")
    said("lib>=9", "unknown", "The index has lib, but no version >=9", "Ask for another version.")


def test_a_dependency_that_is_nowhere(index):
    index.add("lib", needs=["ghost"])
    said("lib", "unsolvable", "It needs ghost, which the index does not have.", "pip's or uv's settings")


def test_no_wheel_for_this_python(index):
    index.add("lib", tag="cp314-cp314-manylinux_2_28_x86_64")
    said("lib", "no wheels", "It has no wheel for Python 3.11 here", "--python-version")


def test_no_wheel_for_another_platform(index):
    index.add("lib", tag="cp311-cp311-manylinux_2_17_x86_64")
    assert ask("lib").state == "answered"
    said("lib", "no wheels", "It has no wheel for Python 3.11 on windows", platform="windows")


def test_no_wheel_of_a_dependency(index):
    index.add("deep", tag="cp314-cp314-manylinux_2_28_x86_64")
    index.add("lib", needs=["deep"])
    said("lib", "no wheels", "It needs deep, which has no wheel for Python 3.11 here")


def test_withdrawn_with_and_without_a_reason(index):
    index.add("gone", yanked="breaks training")
    index.add("went", yanked=True)
    said("gone", "yanked", "Its authors have withdrawn every release that would do (breaks training).")
    said("went", "yanked", "Its authors have withdrawn every release that would do.")


def test_what_cannot_be_had_together(index):
    index.add("base", "1.0")
    index.add("base", "2.0")
    index.add("left", needs=["base<2"])
    index.add("right", needs=["base>=2"])
    index.add("lib", needs=["left", "right"])
    found = said("lib", "unsolvable", "What it needs cannot all be had together for Python 3.11 here")
    assert "base" in found.problem


def test_the_users_constraints_count(index, tmp_path, monkeypatch):
    index.add("base", "1.0")
    index.add("base", "2.0")
    index.add("lib", needs=["base>=2"])
    constraints = tmp_path / "constraints.txt"
    constraints.write_text("base<2\n")
    monkeypatch.setenv("UV_CONSTRAINT", str(constraints))
    said("lib", "unsolvable", "your own constraints count too")


@pytest.mark.parametrize("status", [401, 403])
def test_an_index_that_wants_a_login_is_no_unknown_name(index, status):
    index.add("lib")
    index.status = status
    found = said("lib", "unreachable", f"refuses to answer (HTTP {status})", "login")
    assert found.state not in CONCLUSIVE


def test_an_index_with_a_fault_of_its_own(index):
    index.status = 503
    said("lib", "unreachable", "The package index cannot be reached", "Check the network")


def test_an_index_where_nobody_answers(index, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    monkeypatch.setenv("UV_DEFAULT_INDEX", f"http://127.0.0.1:{port}/simple")
    said("lib", "unreachable", "nobody answers at its address", "Check the network")


def test_uv_that_is_told_to_stay_offline(index, monkeypatch):
    monkeypatch.setenv("UV_OFFLINE", "1")
    said("lib", "unreachable", "uv is told to stay offline")


def test_a_platform_that_is_none(index):
    index.add("lib")
    with pytest.raises(UsageError, match="There is no platform 'amiga'"):
        ask("lib", platform="amiga")
