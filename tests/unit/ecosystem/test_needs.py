import socket
import time

import pytest

from trivet.ecosystem.evidence import of_needs
from trivet.ecosystem.needs import needs

TITLES = {"torch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX"}


def ask(name, **options):
    return needs([name], python="3.11", **options)[0]


@pytest.mark.parametrize("framework", ["torch", "tensorflow", "jax"])
def test_one_framework_directly(index, framework):
    index.add("lib", needs=[framework])
    found = ask("lib")
    assert (found.state, found.always, found.by_extra) == ("answered", (framework,), ())
    assert (found.released, found.wheels_here) == ("2026-10-01", True)


def test_a_framework_through_another_library(index):
    index.add("between", needs=["torch"])
    index.add("lib", needs=["between"])
    assert ask("lib").ways[0].through == ("between",)


def test_several_by_extras(index):
    index.add("between", needs=["tensorflow"])
    index.add(
        "lib",
        extras=["torch", "jax", "tf"],
        needs=['torch; extra == "torch"', 'jax; extra == "jax"', 'between; extra == "tf"'],
    )
    found = ask("lib")
    assert found.always == ()
    assert {(way.framework, way.extra) for way in found.ways} == {
        ("torch", "torch"),
        ("jax", "jax"),
        ("tensorflow", "tf"),
    }


@pytest.mark.parametrize(
    ("extra", "counts"),
    [
        ("testing", False),
        ("dev-torch", False),
        ("all", False),
        ("docs", False),
        ("torch", True),
        ("latest", True),
    ],
)
def test_extras_for_work_on_the_library_itself_do_not_count(index, extra, counts):
    index.add("lib", extras=[extra], needs=[f'torch; extra == "{extra}"'])
    found = ask("lib")
    assert (found.by_extra, found.beside) == ((("torch",), ()) if counts else ((), ("torch",)))
    assert found.undeclared is not counts


def test_what_an_extra_brings_beside_the_framework_that_always_comes_does_not_count(index):
    index.add(
        "flax",
        extras=["testing", "torch"],
        needs=["jax", 'tensorflow; extra == "testing"', 'torch; extra == "torch"'],
    )
    found = ask("flax")
    assert (found.always, found.by_extra) == (("jax",), ())
    assert set(found.beside) == {"tensorflow", "torch"}
    values = {piece.framework: piece.value for piece in of_needs([found], TITLES)}
    assert values == {"torch": "other", "tensorflow": "other", "jax": "needed"}


def test_extras_that_cannot_be_together_or_not_be_had_at_all(index):
    index.add("base", "1.0")
    index.add("base", "2.0")
    index.add("old", needs=["base<2", "torch"])
    index.add("new", needs=["base>=2", "jax"])
    index.add("later", tag="cp314-cp314-manylinux_2_28_x86_64")
    index.add("harmless")
    index.add(
        "lib",
        extras=["old", "new", "late", "lost", "harmless"],
        needs=[
            'old; extra == "old"',
            'new; extra == "new"',
            'later; extra == "late"',
            'ghost; extra == "lost"',
            'harmless; extra == "harmless"',
        ],
    )
    found = ask("lib")
    assert {(way.framework, way.extra) for way in found.ways} == {("torch", "old"), ("jax", "new")}
    assert "late" in found.problem
    assert "lost" in found.problem
    assert "harmless" not in found.problem
    assert found.unresolved == ()


def test_extras_for_which_there_was_no_time_are_not_known(index, monkeypatch):
    monkeypatch.setattr("trivet.ecosystem.extras.SECONDS", -1.0)
    index.add("between", needs=["torch"])
    index.add("lib", extras=["a", "b"], needs=['between; extra == "a"', 'jax; extra == "b"'])
    found = ask("lib")
    assert found.unresolved == ("a",)
    assert found.by_extra == ("jax",)


@pytest.mark.parametrize(
    ("name", "framework"), [("torch", "torch"), ("jax", "jax"), ("jaxlib", "jax"), ("keras", "")]
)
def test_a_framework_itself(index, name, framework):
    assert ask(name).itself == framework


def test_a_framework_s_own_library_is_not_the_framework(index):
    index.add("flax", needs=["jax"])
    found = ask("flax")
    assert (found.itself, found.always) == ("", ("jax",))


def test_none_and_a_companion_alone(index):
    index.add("plain")
    index.add("lib", needs=["keras"])
    assert ask("plain").ways == ()
    assert ask("lib").companions == ("keras",)


def test_what_runs_on_several_although_one_comes_along(index):
    index.add("tensorflow", "2.0", needs=["keras"])
    index.add("tf-text", needs=["tensorflow"])
    index.add("hub", needs=["keras", "tf-text"])
    index.add("tf-lib", needs=["tensorflow"])
    index.add("flax", needs=["jax"])
    hub = ask("hub")
    assert (hub.always, hub.ways[0].through, hub.companions) == (("tensorflow",), ("tf-text",), ("keras",))
    assert ask("tf-lib").companions == ()  # keras comes by way of TensorFlow alone
    assert ask("tensorflow").companions == ()
    assert ask("flax").companions == ()  # it brings its framework itself


def test_renamed_yanked_unknown_and_for_another_python(index):
    index.add("new-lib", needs=["torch"])
    index.add("old-lib", needs=["new-lib"], summary="old-lib has been renamed to NewLib.")
    index.add("gone", yanked="broken")
    index.add("later", tag="cp314-cp314-manylinux_2_28_x86_64")
    assert ask("old-lib").renamed_to == "new-lib"
    assert ask("gone").state == "yanked"
    assert ask("not-there").state == "unknown"
    assert ask("later").state == "no wheels"


def test_offline_shows_the_kept_answer_and_never_guesses(index):
    index.add("lib", needs=["jax"])
    live = ask("lib")
    kept = ask("lib", offline=True)
    assert (kept.kept, kept.asked, kept.always) == (True, live.asked, ("jax",))
    assert ask("never-asked", offline=True).state == "not asked"


def test_an_index_that_does_not_answer_is_said_within_ten_seconds(index, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"http://127.0.0.1:{silent.getsockname()[1]}/simple")
        started = time.monotonic()
        found = needs(["a", "b", "c", "d", "e", "f"], python="3.11")
        assert {need.state for need in found} == {"unreachable"}
        assert time.monotonic() - started < 10


def test_a_wheel_that_is_asked_for_is_noticed(index):
    """The check that all tests here end with can fail: without metadata files, uv asks for the wheel."""
    index.add("lib", needs=["torch"])
    for entry in index.projects["lib"]:
        del entry["core-metadata"]
    ask("lib")
    assert index.wheel_requests
    index.wheel_requests.clear()
